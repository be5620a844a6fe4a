"""A logged game can be told again, and only as it was."""

import json
import re

import numpy as np
import polars as pl
import pytest

from simkit import cli
from simkit.cli.seat_of_person import ending
from simkit.engine import registry
from simkit.errors import PlayError, UsageError
from simkit.runs import experiment, narrate, runner
from simkit.runs.folder import open_run
from simkit.runs.plan import Layout, make_plan
from simkit.runs.play import seating
from tests.of_games import goldens

EXPERIMENT = experiment.parse({
    "question": "?", "game": "pig", "deals": 12, "seed": 5,
    "lineups": ["hold_at(threshold=10), random, hold_at", "random*2"], "options": {"goal": 20}, "sweep": {"faces": [6, 4]},
})  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return open_run(runner.run(EXPERIMENT, tmp_path_factory.mktemp("runs") / "run", layout=Layout(5, 5)))


@pytest.mark.slow
def test_every_logged_play_is_replayed_as_logged(run):
    seats = run.seats().collect()
    for play, turns, reason in run.games().select("play", "turns", "end_reason").collect().rows():
        lines = list(narrate.replay(run, play))
        rows = seats.filter(play=play).rows(named=True)
        text = [f"seat {r['seat']} ({r['strategy']}): rank {r['rank']}, score {r['score']}" for r in rows]
        assert [line.removesuffix(" wins") for line in lines[-len(rows) :]] == text
        assert [r["rank"] == 1 for r in rows] == [line.endswith(" wins") for line in lines[-len(rows) :]]
        assert lines[-len(rows) - 1] == f"over after {turns} turns: {reason}"


def test_a_story_has_one_line_for_each_action_and_the_table_after_each_turn(run):
    cell, deal, rotation = run.locate(7)
    lines = list(narrate.narrate(run.experiment, cell, deal, rotation))
    _, actions = narrate.trail(seating(run.experiment, cell), deal, rotation)
    game, _ = run.rows(7)
    assert len([line for line in lines if " rolls " in line or " holds " in line]) == len(actions)
    assert len([line for line in lines if line.startswith("    ")]) == game["turns"] + 1
    assert len([line for line in lines if " rolls " in line]) == game["rolls"]


def test_the_story_of_one_known_game():
    assert goldens.story("pig", "hold_at*2", seed=3) == goldens.golden("pig_3")


def test_an_unknown_play_is_refused(run):
    with pytest.raises(UsageError, match="play 96 is not in this run"):
        narrate.replay(run, 96)


def test_a_log_that_the_sources_no_longer_give_is_told(tmp_path, monkeypatch):
    run = open_run(runner.run(EXPERIMENT, tmp_path / "run"))
    path = run.folder / "seats" / run.shards[0].file
    pl.read_parquet(path).with_columns(score=pl.col("score") + 1).write_parquet(path)
    message = r"play 3: the log says score of seat 0 = \d+, the replay gives \d+: "
    with pytest.raises(PlayError, match=message + "the sources are the same"):
        narrate.replay(run, 3)
    monkeypatch.setattr(narrate.source_digests, "digests", lambda *_: {"the rules of pig": "other"})
    with pytest.raises(PlayError, match=message + "the rules of pig and .* changed since"):
        narrate.replay(run, 3)


def scores_told(line):
    """The scores at the end of a brief line: `... [3 : 4]`."""
    return [int(first) for first in line.rpartition("[")[2].rstrip("]").split(" : ")]


def brief(game, lineup, board=False):
    request = experiment.parse({"question": "?", "game": game, "deals": 1, "lineups": [lineup]})
    cell = make_plan(request).cells[0]
    lines = list(narrate.narrate(request, cell, 0, telling=narrate.Telling(brief=True, board=board)))
    return lines, list(narrate.narrate(request, cell, 0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "lineup"),
    [
        ("pig", ["hold_at*3"]),
        ("kuhn_poker", ["random*2"]),
        ("outpost_seven", ["random*2"]),
        ("outpost", ["random*3"]),
        ("red_outpost", ["random*2"]),
        ("lunar_outpost", ["random*2"]),
        ("exoplanet_colony", ["random*2"]),
    ],
)
def test_a_brief_story_has_a_line_per_turn_the_score_after_it_and_the_board_at_the_end(game, lineup):
    lines, full = brief(game, lineup)
    turns = [line for line in lines if re.match(r" *\d+  ", line) and line.endswith("]")]
    (message,) = [line for line in full if line.startswith("over after")]
    numbers = [int(line.split()[0]) for line in turns]
    assert numbers == sorted(set(numbers)) and len(turns) in (
        int(message.split()[2]),
        int(message.split()[2]) + 1,
    )
    last = [int(n) for line in full[-3:] for n in re.findall(r"score (-?\d+)", line)]
    assert scores_told(turns[-1]) == last
    at = lines.index(message)
    board = [line for line in lines[lines.index(turns[-1]) + 1 : at] if line.startswith("    ")]
    assert board and not [line for line in lines[: lines.index(turns[0])] if line.startswith("    ")]
    assert lines[at:] == full[full.index(message) :]


def test_the_board_is_shown_after_every_turn_on_request_and_hidden_scores_are_not_told():
    lines, full = brief("pig", ["hold_at*2"], board=True)
    assert [x for x in lines if x.startswith("    ")] == [x for x in full if x.startswith("    ")]
    request = experiment.parse({"question": "?", "game": "pig", "deals": 1, "lineups": [["hold_at*2"]]})
    telling = narrate.Telling(as_seat=1, brief=True, board=False)
    story = list(narrate.narrate(request, make_plan(request).cells[0], 0, telling=telling))
    assert not [line for line in story if line.endswith("]")]


def test_a_game_is_printed_as_one_json_document(capsys):
    words = ["play", "kuhn_poker", "--lineup", "nash(alpha=0),random", "--seed", "3", "--deal", "2"]
    with pytest.raises(SystemExit):
        cli.main([*words, "--json"])
    document = json.loads(capsys.readouterr().out)
    with pytest.raises(SystemExit):
        cli.main(words)
    story = capsys.readouterr().out
    assert {"game": "kuhn_poker", "seed": 3, "deal": 2, "options": {}}.items() <= document.items()
    assert document["lineup"] == ["nash(alpha=0)", "random"]
    for action in document["actions"]:
        assert f"seat {action['seat']} {action['text']}\n" in story
    for first in document["seats"]:
        assert (
            f"seat {first['seat']} ({first['strategy']}): rank {first['rank']}, score {first['score']}"
            in story
        )
    assert f"over after {document['turns']} turns: {document['end_reason']}" in story


@pytest.mark.slow
def test_the_document_of_a_seat_holds_no_action_that_it_cannot_know():
    setting = {"question": "?", "game": "outpost", "deals": 1, "seed": 3, "options": {"payment": "explicit"}}
    request = experiment.parse(setting | {"lineups": ["random*3"]})
    actions = narrate.document(request, make_plan(request).cells[0], 0, narrate.Telling(as_seat=1))["actions"]
    secret = [action for action in actions if action["text"].startswith("has no room for a card")]
    assert secret and all(action["action"] == -1 and action["seat"] != 1 for action in secret)


@pytest.mark.parametrize(
    ("ranks", "lines"),
    [
        ([1, 2, 2], ["the hider won", "seat 0 (a, hider): rank 1, score 0 wins", "seat 1 (b, seekers): rank 2, score 0", "seat 2 (b, seekers): rank 2, score 0"]),
        ([2, 1, 1], ["the seekers won", "seat 0 (a, hider): rank 2, score 0", "seat 1 (b, seekers): rank 1, score 0 wins", "seat 2 (b, seekers): rank 1, score 0 wins"]),
    ],
)  # fmt: skip
def test_the_end_of_a_game_between_sides_names_the_winner_and_the_side_of_each_seat(ranks, lines):
    game, s = hide_and_seek(ranks)
    assert list(narrate._end(game, s, ["a", "b", "b"]))[1:] == lines
    assert ending(game, s, 0) == (
        "your side, the hider, won" if ranks[0] == 1 else "the seekers won, and your side, the hider, did not"
    )


def test_both_sides_may_win_and_neither_may():
    assert narrate.winners_in_words(*hide_and_seek([1, 1, 1])) == "the hider and the seekers"
    assert narrate.winners_in_words(*hide_and_seek([0, 0, 0])) == "nobody"


def hide_and_seek(ranks):
    """One against many with seat 0 as the hider, at its end."""
    game = registry.game("one_against_many")
    s = np.zeros(1, game.state_dtype).view(np.recarray)[0]
    s.seats, s.rank[:3], s.log.seat["side"][:3] = 3, ranks, [0, 1, 1]
    return game, s
