"""Execution: from an experiment or a study to a finished run."""

import hashlib
import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from simkit.ask.confirm import check_confirm, check_ladder, confirmation_of, ladder_of
from simkit.ask.progress import quiet
from simkit.ask.requests import say_inputs
from simkit.ask.study import Playing, Study
from simkit.errors import OtherRun, UsageError
from simkit.runs import manifest, runner, source_digests
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run, belongs_to_study, open_run
from simkit.runs.plan import Plan, make_plan
from simkit.runs.progress import Progress
from simkit.runs.storage import checksums, remote
from simkit.runs.workers import Means
from simkit.tables import fairness, rungs
from simkit.tables.findings import Findings

MAX_NAME_LETTERS = 80  # of a run folder, before a digest
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.]+")  # replaced by a dash in the name of a run folder
# What is played after a run, by folder; the check does not play what the ladder finds unfair.
FOLLOW_UPS: dict[str, Callable[[Findings], Study | None]]
FOLLOW_UPS = {rungs.LADDER_FOLDER: ladder_of, fairness.CONFIRM_FOLDER: confirmation_of}


@dataclass(frozen=True)
class Execution:
    """Where and how games are played."""

    out: str = ""  # run folder or address; empty: below runs/, named by the question
    into: str = ""  # folder to use when the other one holds a different run
    name: str = ""  # of the run folder below runs/, unless another run has it
    command: str = ""  # that repeats the run
    jobs: int = -1
    backend: str = "threading"
    scheduler: str = ""
    batch_timeout: float | None = None
    session: Callable[[], AbstractContextManager[None]] = nullcontext  # around all that is played
    reporter: Callable[[str], AbstractContextManager[Progress]] = quiet  # of the run with that label
    say: Callable[[str], None] = print  # what was read from the designer's files
    # Shows what a run says before its follow-ups are played.
    first_answer: Callable[[Findings], None] = lambda findings: None


def carry_out(how: Execution, experiment: Experiment) -> Run:
    """Play an experiment in the given folder, or in the one that is named by the question."""
    plan = make_plan(experiment)
    check_ladder(plan)
    check_confirm(plan)
    say_inputs(plan, how.say)
    how = _with_folder(how, plan, experiment.to_toml())

    def play(place: Path) -> Run:
        if belongs_to_study(place):
            cure = "go on with its command, or choose another folder"
            raise OtherRun(f"{place}: holds a search, whose answer another run would throw away; {cure}")
        run = play_in(how, plan, place, place.name)
        # The folder may have been played without a check, whose key says nothing about its games.
        keys = run.experiment.model_copy(update={"confirm": experiment.confirm})
        return _follow_up(how, replace(run, experiment=keys))

    return _in_folder(how, play)


def conduct(how: Execution, study: Study) -> Run:
    """Carry out a study in a folder that is empty or holds this study."""
    study.check()
    last = make_plan(study.last_run())
    say_inputs(last, how.say)
    how = _with_folder(how, last, repr(study))

    def conduct_in(place: Path) -> Run:
        runner.refuse_strangers(place)
        study.refuse_other(place)

        def play(experiment: Experiment, name: str) -> Run:
            if name:
                study.refuse_other(place / name, experiment)
            return play_in(how, make_plan(experiment), place / name, f"{place.name}/{name}".rstrip("/"))

        return study.solve(Playing(place, how.jobs, how.reporter, play))

    return _in_folder(how, conduct_in)


def _follow_up(how: Execution, run: Run) -> Run:
    """Show the first answer of a run whose follow-ups are still to be played, and play them."""
    findings = Findings(run)
    unfinished = [name for name in FOLLOW_UPS if not manifest.is_finished(run.folder / name)]
    if outstanding := [name for name in unfinished if FOLLOW_UPS[name](findings)]:
        manifest.note(run.folder, outstanding=outstanding)
        remote.upload(run.folder)
        findings.run = _with_manifest(run)  # no table depends on it
        how.first_answer(findings)
    for name, study_of in FOLLOW_UPS.items():
        if study := study_of(findings):
            study.solve(partial(_play_follow_up, how, run, name))
            findings = Findings(run)  # with what was just played
    manifest.note(run.folder, outstanding=[])
    return _with_manifest(run)


def _with_manifest(run: Run) -> Run:
    """Return a run with its manifest as it is now."""
    return replace(run, manifest=manifest.read(run.folder))


def _play_follow_up(how: Execution, run: Run, follow_up: str, experiment: Experiment, name: str) -> Run:
    """Play a part of a follow-up of a run; UsageError if its settings were others before."""
    place = Path(follow_up) / name
    try:
        return play_in(how, make_plan(experiment), run.folder / place, f"{run.folder.name}/{place}")
    except OtherRun as error:
        cure = "remove it, or move it away, and give the command again"
        raise UsageError(f"{run.folder / follow_up}: holds games of other settings; {cure}") from error


def _in_folder(how: Execution, play: Callable[[Path], Run]) -> Run:
    """Play in the folder or at the address of `out`, or in that of `into` if it holds another run."""

    def play_at(address: str) -> Run:
        with remote.open_for_writing(address, how.command) as place, how.session():
            return play(place)

    try:
        return play_at(how.out)
    except OtherRun:
        if not how.into:
            raise
        return play_at(how.into)


def play_in(how: Execution, plan: Plan, folder: Path, label: str) -> Run:
    """Play what is planned in a folder, or finish it there; the label names it in the progress."""
    with how.reporter(label) as progress:
        means = Means(how.jobs, how.backend, how.scheduler, how.batch_timeout)
        return open_run(runner.carry_out(plan, folder, means, progress, how.command or None))


def _with_folder(how: Execution, plan: Plan, key: str) -> Execution:
    """Return the execution with a run folder, by default the one under runs/ that is named by the question.

    The same question has the same name. If its folder holds a run of other rules, strategies or files, a
    digest of these and of the key (the whole request) is appended.
    """
    if how.out:
        return how
    files = [checksums.digest(Path(path)) for path in plan.experiment.every_file().values()]
    sources = source_digests.digests(plan)
    identity = "\n".join([key, source_digests.short(sources), *files])
    digest = hashlib.sha256(identity.encode()).hexdigest()[:8]
    name = NOT_IN_NAMES.sub("-", how.name).strip("-")
    if len(name) > MAX_NAME_LETTERS:
        name = f"{name[:MAX_NAME_LETTERS]}-{digest}"
    return replace(how, out=f"runs/{name}", into=how.into or f"runs/{name}-{digest}")
