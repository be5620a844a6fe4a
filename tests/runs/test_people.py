"""A person at the table: the game goes on as in the kernel, can be undone, and is kept like a run."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import simkit
from simkit.cli.seat_of_person import welcome
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.runs import people, why
from simkit.runs.experiment import Experiment, parse
from simkit.runs.folder import open_run
from simkit.runs.plan import make_plan
from simkit.runs.play import Seating

pytestmark = pytest.mark.slow

SEED = 3


def question(game: str, lineup: str, **keys: object) -> Experiment:
    labels = [str(named) for named in parse_lineup(lineup)]
    return parse(
        {
            "question": "?",
            "game": game,
            "deals": 1,
            "seed": SEED,
            "lineups": [labels],
            "rotate": False,
            **keys,
        }
    )


def sitting(request: Experiment, deal: int, seat: int, ask: people.Ask) -> tuple[people.Sitting, Seating]:
    game, (cell,) = registry.game(request.game), make_plan(request).cells
    lineup = registry.players(game, cell.lineup)
    place = Seating(cell, GameTable(game, game.rules(cell.options)), lineup, request.seed)
    judge = lambda: why.judge_of(request, place)  # noqa: E731
    return people.Sitting(place, deal, seat, ask, lambda line: None, judge), place


def first(table: list[str], actions: list[str], may_undo: bool) -> int:
    """Take the first action, as the strategy does that stands in for a person."""
    return 0


@pytest.mark.parametrize(
    ("game", "lineup"),
    [
        ("pig", "hold_at, person, random"),
        ("outpost_seven", "person, random(blunder=0.3)"),
        ("kuhn_poker", "person, random"),
    ],
)
def test_the_game_is_that_of_the_kernel_for_the_same_decisions(game: str, lineup: str) -> None:
    request = question(game, lineup)
    seat = lineup.split(", ").index("person")
    for deal in (0, 4):
        played, place = sitting(request, deal, seat, first)
        states = played.play()
        fresh = GameTable(registry.game(game), place.table.rules)
        expected = fresh.play(place.lineup, SEED, np.array([deal]), np.zeros(1, np.int64), compiled=False)
        assert states.tobytes() == expected.tobytes()


def test_a_decision_is_undone_unless_luck_or_another_seat_has_moved() -> None:
    tally, wrong = {"undone": 0}, {"now": False}

    def waver(table: list[str], actions: list[str], may_undo: bool) -> int:
        if wrong["now"] and may_undo:
            tally["undone"] += 1
            wrong["now"] = False
            return people.UNDO
        wrong["now"] = not wrong["now"] and tally["undone"] < 3 and len(actions) > 1
        return 0

    request = question("outpost_seven", "person, random")
    states = sitting(request, 2, 0, waver)[0].play()
    assert tally["undone"] > 0 and states.tobytes() == sitting(request, 2, 0, first)[0].play().tobytes()


def test_actions_in_words_tell_nothing_of_luck() -> None:
    seen = []

    def ask(table: list[str], actions: list[str], may_undo: bool) -> int:
        seen.append((actions, may_undo))
        return 1 if "rolls a …" in actions[1] and len(seen) < 3 else 0

    sitting(question("pig", "person, random"), 0, 0, ask)[0].play()
    assert "rolls a …" in seen[0][0]
    assert not any(may_undo for _, may_undo in seen)  # a roll is seen


def test_games_are_kept_in_a_folder_that_is_read_like_a_run(tmp_path: Path) -> None:
    folder, lines = tmp_path / "mine", list[str]()
    request = question("pig", "hold_at, person", options={"goal": 30})
    for _ in range(2):
        people.play(request, folder, 1, first, lines.append)
    run = open_run(folder)
    assert (
        run.seats().collect().height == 4
        and run.experiment.question == "2 games with a person in seat 2: who wins?"
    )
    assert any(line.startswith("you: holds") for line in lines)
    assert "2 games with a person" in simkit.report(run, tmp_path / "page.html").path.read_text()
    with pytest.raises(UsageError, match="other rules or players"):
        people.play(question("pig", "hold_at, person"), folder, 1, first, lines.append)


def test_a_person_is_told_which_of_the_own_decisions_cost_most(tmp_path: Path) -> None:
    lines = list[str]()
    people.play(question("pig", "hold_at, person"), tmp_path / "mine", 1, first, lines.append, explains=True)
    review = lines[next(i for i, line in enumerate(lines) if line.startswith("values: ")) :]
    assert re.match(r"turning point: in turn \d+ you gave up \d+ ", review[-1])
    assert all(line.startswith("turn ") for line in review[1:-1])


def test_the_words_to_begin_with_name_seat_colour_and_others() -> None:
    game = registry.game("outpost_seven")
    assert welcome(game, 1, ["greedy"]).startswith(
        "Outpost Seven: you are yellow, seat 2 of 2, against greedy. Salvage cards, repair a space station"
    )


def test_a_game_without_a_summary_is_welcomed_without_an_empty_sentence() -> None:
    game = replace(registry.game("pig"), summary="")
    assert welcome(game, 1, ["random"]).endswith("seat 2 of 2, against random.")


def test_no_run_plays_a_person(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="simkit play GAME --human SEAT"):
        simkit.sweep(
            "pig", {"goal": [20, 30]}, lineups=[["person", "hold_at"]], deals=2, out=str(tmp_path / "run")
        )


def test_the_command_asks_by_number_and_says_where_the_game_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from simkit.cli.commands.play import play

    monkeypatch.chdir(tmp_path)
    words: list[str] = ["pig", "--lineup", "hold_at,hold_at", "--human", "0", "--set", "goal=30"]
    invoke: Callable[[str], str] = lambda typed: CliRunner().invoke(play, words, input=typed).output  # noqa: E731
    output = invoke("hold\nx\n?\n" + "1\n" * 200)
    assert output.startswith("Pig: you are seat 1 of 2, against hold_at. Press-your-luck dice; ")
    assert re.search(r"chance of winning in percent, by what you see: (rolls a …|holds): \d+; ", output)
    assert re.search("^the second player: rolls a ", output, re.MULTILINE)
    assert "   1  holds" in output and "Kept in people/pig-person-hold_at" in output
    assert "Kept" not in invoke("q\n")
    assert open_run("people/pig-person-hold_at").experiment.deals == 1
