"""Set-up of the tests of studies: a study carried out in a folder, and a project with a game of known chances."""

from contextlib import AbstractContextManager
from pathlib import Path

from simkit.ask.study import Study
from simkit.runs import runner
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run, open_run
from simkit.tables.findings import Findings
from tests.projects import project_of


def findings_of(study: Study, folder: Path) -> Findings:
    """The findings of a study that is carried out in a folder."""

    def play(experiment: Experiment, name: str) -> Run:
        return open_run(runner.run(experiment, folder / name))

    study.check()
    study.solve(play)
    return Findings(open_run(folder))


URN = '''
"""One draw from an urn, whose chances are known, says who wins."""

from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.fields import scalar
from simkit.engine.game import Components, Game, Log
from simkit.engine.rule_helpers import OVER
from simkit.engine.options import choice, flag, integer
from simkit.engine.rng import below
from simkit.errors import UsageError

End = IntEnum("End", "unfinished drawn", start=0)
Mood = IntEnum("Mood", "calm sly loud", start=0)


@rule
def setup(s, rules, rng):
    s.seat = 0


@rule
def legal(s, rules, out):
    out[0] = 0
    return 1


@rule
def apply(s, rules, action, rng):
    """The winner is drawn."""
    s.log.game.turns = 1
    {draw}
    for seat in range(s.seats):
        s.rank[seat] = 1 if seat == winner else 2
    s.log.game.end_reason = End.drawn
    s.seat = OVER


def build(options, files):
    """Refuse what no urn can have."""
    if {refused}:
        raise UsageError("these options do not fit")
    return {{}}


game = Game(
    name="{name}", title="{name}", seats=(2, 3), summary="one draw", end_reasons=End, options=[{options}],
    components=Components(build=build), log=Log(game=[scalar("swings", "i4", "Swings")]),
    state=[scalar("unused", "i1", "Nothing")], streams=["nature/urn"], max_actions=1, max_steps=10,
    setup=setup, legal=legal, apply=apply,
)
'''


def urn_project(
    folder: Path, name: str, options: list[str], draw: str, refused: str = "False"
) -> AbstractContextManager[Path]:
    """A project whose only game draws the winner; `draw` is its rule, `refused` what options may not be."""
    keys = {"draw": draw.strip().replace("\n", "\n    "), "refused": refused, "options": ", ".join(options)}
    return project_of(folder, {f"games/{name}.py": URN.format(name=name, **keys)})
