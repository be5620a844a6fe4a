"""Search folders: several runs of one search, which never mix with those of another."""

from collections.abc import Callable, Collection
from pathlib import Path

from simkit.cli.execute import in_folder, play_in, this_command
from simkit.cli.interrupts import resumable
from simkit.cli.options import Given
from simkit.errors import OtherRun, UsageError
from simkit.runs import runner
from simkit.runs.experiment import Experiment
from simkit.runs.run import Run, open_unfinished
from simkit.runs.storage import remote

Play = Callable[[Experiment, str], Run]  # carries out a run in that subfolder


def searched(given: Given, last: Experiment, later: Collection[str], solve: Callable[[Play], Run]) -> Run:
    """Search in a folder (--out) that is empty or holds this search, otherwise in that of --into.

    `last` is the run of the folder itself; its keys in `later` are known only at the end.
    """

    def search(folder: str) -> Run:
        command = this_command()
        with remote.writing(folder, command) as place, resumable(command):  # between its runs, too
            runner.refuse_strangers(place)
            _refuse_other(place, last, later)

            def play(experiment: Experiment, name: str) -> Run:
                _refuse_other(place / name, experiment, () if name else later)
                return play_in(given, experiment, str(place / name), f"{place.name}/{name}".rstrip("/"))

            return solve(play)

    return in_folder(given, search)


def _refuse_other(place: Path, experiment: Experiment, later: Collection[str]) -> None:
    """Raise OtherRun if the folder holds a run with other keys (except those in `later`)."""
    try:
        existing = open_unfinished(place).experiment.keys()
    except UsageError:  # there is none, or whoever plays there says what is wrong
        return
    keys, ignored = (
        experiment.keys(),
        {"files", *later},
    )  # files lie elsewhere, and their contents are compared
    compared = [key for key in {**existing, **keys} if key not in ignored]
    differing = [key for key in compared if existing.get(key) != keys.get(key)]
    if differing:
        problem = f"holds another search, or another run: its key '{differing[0]}' is another"
        raise OtherRun(f"{place}: {problem}; choose another folder (--into DIR)")
