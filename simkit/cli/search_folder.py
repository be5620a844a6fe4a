"""A search of several runs in one folder: nothing is played into that of another."""

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

Play = Callable[[Experiment, str], Run]  # carries out a run in that part of the folder


def searched(given: Given, last: Experiment, later: Collection[str], solve: Callable[[Play], Run]) -> Run:
    """Search in a folder (--out) that is empty or holds this search, or in that of --into.

    last: the run of the folder itself, whose keys in `later` are known only later.
    """

    def search(folder: str) -> Run:
        command = this_command()
        with remote.writing(folder, command) as place, resumable(command):  # between its runs, too
            runner.refuse_strangers(place)
            _refuse_other(place, last, later)

            def play(wanted: Experiment, name: str) -> Run:
                _refuse_other(place / name, wanted, () if name else later)
                return play_in(given, wanted, str(place / name), f"{place.name}/{name}".rstrip("/"))

            return solve(play)

    return in_folder(given, search)


def _refuse_other(place: Path, wanted: Experiment, later: Collection[str]) -> None:
    """Refuse a folder with a run of another search, more deals too; keys in `later` are known only later."""
    try:
        there = open_unfinished(place).experiment.keys()
    except UsageError:  # there is none, or whoever plays there says what is wrong
        return
    keys, apart = wanted.keys(), {"files", *later}  # files lie elsewhere, and their contents are compared
    differ = [key for key in {**there, **keys} if key not in apart and there.get(key) != keys.get(key)]
    if differ:
        what = f"holds another search, or another run: its key '{differ[0]}' is another"
        raise OtherRun(f"{place}: {what}; choose another folder (--into DIR)")
