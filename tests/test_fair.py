"""`simkit fair` finds the value that a raffle with a known answer has, and says when there is none."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from simkit import catalogue, fair, runlog, runner
from simkit.cli import cli
from simkit.errors import UsageError
from simkit.experiment import Experiment
from simkit.fair import Asked, Found
from simkit.fair.asking import POOLED

RAFFLE = '''
"""A raffle: seat s holds some tickets, one of all tickets wins. The share of each seat is its part of the tickets."""

from enum import IntEnum

from simkit.chance import below
from simkit.fields import scalar
from simkit.game import OVER, Game
from simkit.options import flag, integer
from simkit.jit import clone, rule, wipe


class End(IntEnum):
    unfinished = 0
    drawn = 1


@rule
def setup(s, rules, rng):
    s.seat = 0


@rule
def legal(s, rules, out):
    out[0] = 0
    return 1


@rule
def apply(s, rules, action, rng):
    """Seat 0 has half a ticket more than tickets_0 says."""
    first, second = 2 * rules.tickets_0 + 1, 2 * rules.tickets_1
    third = 2 * rules.tickets_2 if s.seats > 2 else 0
    drawn = below(rng.urn, first + second + third)
    winner = 0 if drawn < first else 1 if drawn < first + second else 2
    for seat in range(s.seats):
        s.rank[seat] = 1 if seat == winner else 2
    s.log.game.turns = 1
    s.log.game.end_reason = End.drawn
    s.seat = OVER


@rule
def observe(s, rules, seat, view):
    clone(view, s)
    wipe(view.log)


@rule
def redeal(view, rules, seat, stream):
    """Nothing is hidden."""


game = Game(
    name="raffle", title="Raffle", seats=(2, 3), summary="one ticket wins", end_reasons=End,
    options=[integer(f"tickets_{seat}", 20, 1, 100, "RA-1", f"Tickets of seat {seat}") for seat in range(3)]
    + [flag("loud", False, "RA-2", "Whether the winner cheers")],
    state=[scalar("unused", "i1", "Nothing")], streams=["nature/urn"], max_actions=1, max_steps=10,
    setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=lambda s, rules: [], show=lambda s, rules: "", describe=lambda s, rules, action, after: "draws",
)
'''


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("raffle")
    (folder / "games").mkdir()
    (folder / "games" / "raffle.py").write_text(RAFFLE)
    before = catalogue.projects()
    catalogue.add_project(folder)
    yield folder
    catalogue.set_projects(before)


def solved(
    folder: Path,
    vary: dict[str, tuple[int, int]],
    lineups: list[list[str]],
    deals: int = 20_000,
    **keys: object,
) -> Found:
    def play(experiment: Experiment, name: str) -> runlog.Run:
        return runlog.open_run(runner.run(experiment, folder / name))

    return fair.solve(Asked("raffle", vary, lineups, deals, 1, 0.02, dict(keys)), play)


SIZES = [1_000, pytest.param(20_000, marks=pytest.mark.slow)]


@pytest.mark.parametrize("deals", SIZES)
def test_the_fair_value_lies_between_whole_numbers(project: Path, tmp_path: Path, deals: int) -> None:
    found = solved(tmp_path, {"tickets_1": (5, 60)}, [["random", "random"]], deals)
    (value,) = found.values
    width = 1.5 * math.sqrt(20_000 / deals)
    assert value.low[0] <= 20.5 <= value.high[0] and value.high[0] - value.low[0] < width
    if deals == 20_000:
        assert found.best in {(20,), (21,)} and found.best_verdicts[0]["verdict"] == "FAIR"
    names = [run.folder.name for run in found.runs]
    assert found.warnings == [] and names[:2] == ["wide", "close"] and names[-1] == "check"


def test_a_bent_curve_is_looked_at_more_and_more_closely(project: Path, tmp_path: Path) -> None:
    found = solved(
        tmp_path, {"tickets_1": (1, 100)}, [["random", "random"]], deals=2000, options={"tickets_0": 4}
    )
    (value,) = found.values
    assert value.low[0] <= 4.5 <= value.high[0] and value.high[0] - value.low[0] < 1.6
    assert found.best in {(4,), (5,)} and len(found.runs) > 3


def test_the_check_uses_deals_of_its_own(project: Path, tmp_path: Path) -> None:
    found = solved(tmp_path, {"tickets_1": (15, 25)}, [["random", "random"]], deals=1000)
    seeds = [run.experiment.seed for run in found.runs]
    assert len(set(seeds)) == len(found.runs)


def test_without_a_fair_value_in_the_range_the_nearest_end_is_checked(project: Path, tmp_path: Path) -> None:
    found = solved(tmp_path, {"tickets_1": (2, 10)}, [["random", "random"]], deals=2000)
    (value,) = found.values
    assert math.isnan(value.values[0]) and value.setting == (10,)
    assert (
        "no value of “tickets 1” from 2 to 10 was found to be fair; nearest is 10: at 10 the first player wins 67"
        in value.said
    )
    assert found.best_verdicts[0]["verdict"] == "UNFAIR"


@pytest.mark.parametrize("deals", SIZES)
def test_one_option_per_seat_makes_three_seats_equal(project: Path, tmp_path: Path, deals: int) -> None:
    vary = {"tickets_1": (10, 40), "tickets_2": (10, 40)}
    found = solved(tmp_path, vary, [["random"] * 3], deals)
    (value,) = found.values
    for axis in range(2):
        assert value.low[axis] <= 20.5 <= value.high[axis]
    if deals == 20_000:
        assert all(part in (20, 21) for part in found.best) and found.best_verdicts[0]["verdict"] == "FAIR"


def test_lineups_that_play_alike_agree_and_are_pooled(project: Path, tmp_path: Path) -> None:
    (project / "strategies").mkdir(exist_ok=True)
    (project / "strategies" / "raffle.py").write_text(
        "from games.raffle import game\nfrom simkit.strategy import strategy\n\n\n"
        "@strategy(game)\ndef hopeful(view, rules, legal, w, rng, scratch, memo):\n"
        '    """Takes what there is."""\n    return legal[0]\n'
    )
    catalogue.set_projects([])
    catalogue.add_project(project)
    found = solved(
        tmp_path, {"tickets_1": (10, 40)}, [["random", "random"], ["hopeful", "hopeful"]], deals=1000
    )
    assert [value.lineup for value in found.values] == ["random mirror", "hopeful mirror", POOLED]
    assert found.warnings == []
    assert found.values[0].values == pytest.approx(found.values[1].values)  # the same luck, the same games
    assert found.values[2].high[0] - found.values[2].low[0] == pytest.approx(
        found.values[0].high[0] - found.values[0].low[0], rel=0.05
    )


@pytest.mark.parametrize(
    ("vary", "said"),
    [
        ({"loud": (0, 1)}, "option loud is not a whole number"),
        ({"tickets_1": (9, 9)}, "the range goes up"),
        ({"tickets_1": (0, 9)}, "tickets_1 = 0 is out of range"),
        ({"ticket_1": (1, 9)}, "did you mean 'tickets_1'"),
    ],
)
def test_what_cannot_be_varied_is_refused_before_anything_is_played(
    project: Path, tmp_path: Path, vary: dict, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        solved(tmp_path, vary, [["random", "random"]])
    assert list(tmp_path.iterdir()) == []


def test_an_option_may_not_be_fixed_and_varied(project: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="given with --set and with --vary"):
        solved(tmp_path, {"tickets_1": (5, 60)}, [["random", "random"]], options={"tickets_1": 9})
    with pytest.raises(UsageError, match="different numbers of seats"):
        solved(tmp_path, {"tickets_1": (5, 60)}, [["random"] * 2, ["random"] * 3])


def test_the_command_answers_in_a_sentence_and_as_json(project: Path, tmp_path: Path) -> None:
    words = [
        "fair",
        "raffle",
        "--vary",
        "tickets_1=10:40",
        "--deals",
        "1000",
        "-o",
        str(tmp_path / "f"),
        "--lineup",
        "random*2",
    ]
    told = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert told.exit_code == 0 and "makes the seats equal" in told.output and "simkit" in told.output
    again = CliRunner().invoke(cli, [*words, "--json"], catch_exceptions=False)
    document = json.loads(again.stdout)
    assert document["best"]["tickets_1"] in (20, 21) and document["fair_values"][0]["low"][0] < 20.5
    assert {"share", "low", "high", "verdict", "deals"} <= set(document["checked"][0])
    for bad in ("tickets_1", "tickets_1=5", "tickets_1=5:x"):
        with pytest.raises(UsageError, match=r"range of whole numbers|option=value"):
            CliRunner().invoke(cli, ["fair", "raffle", "--vary", bad], catch_exceptions=False)
