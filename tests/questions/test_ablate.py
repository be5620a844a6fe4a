"""Components changed by coins: planted effects are found, each game is played again, bad input is one line."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl
import pytest

from simkit.engine import ablation, registry, rng
from simkit.engine.ablation import BLOCK, coins
from simkit.errors import UsageError
from simkit.page.recipe import recipe_for
from simkit.runs import experiment, narrate, runner
from simkit.runs.folder import Run, open_run
from simkit.runs.plan import Layout, load, make_plan
from simkit.runs.play import seating
from simkit.tables.findings import Findings

pytestmark = pytest.mark.slow

CHARMS: dict[str, Any] = {
    "question": "?", "game": "charms", "deals": 12_000, "trace": 12_000, "lineups": ["random*2"],
    "ablate": {"how": "blank", "rate": 0.5},
}  # fmt: skip
EFFECTS = {
    ("crown", "share"): -0.1,
    ("charm", "share"): 0.0,
    ("stone", "share"): 0.0,
    ("clock", "turns"): -1.0,
}


def run_of(folder: Any, **keys: Any) -> Run:
    layout = keys.pop("layout", None)
    return open_run(runner.run(experiment.parse(CHARMS | keys), folder, layout=layout))


@pytest.fixture(scope="module")
def charms(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run_of(tmp_path_factory.mktemp("runs") / "charms")


def near(row: dict[str, Any], expected: float, name: str = "effect") -> bool:
    """Within 4 standard errors."""
    low, high = (row["low"], row["high"]) if name == "effect" else (row[f"{name}_low"], row[f"{name}_high"])
    return abs(row[name] - expected) <= 4 * (high - low) / 2 / 1.96 + 1e-9


def test_planted_effects_are_found(charms: Run) -> None:
    table = Findings(charms).ablation
    for (name, measure), expected in EFFECTS.items():
        row = table.filter(component=name, measure=measure).row(0, named=True)
        assert near(row, expected), (name, measure, row)
        assert (row["p_adjusted"] < 0.05) == (expected != 0)


def test_the_seat_that_it_falls_to_is_told_from_what_goes_with_winning(charms: Run) -> None:
    rows = {row["component"]: row for row in Findings(charms).ablation_owners.rows(named=True)}
    assert near(rows["charm"], -0.08) and near(rows["stone"], 0.0)
    assert near(rows["charm"], 0.08, "gap") and near(rows["stone"], 0.0, "gap")
    assert rows["charm"]["lot"] and rows["charm"]["owned"] == rows["charm"]["owned_changed"] == 1
    assert rows["crown"]["effect"] is None and rows["crown"]["gap"] == 0  # it is always the first seat's
    assert rows["clock"]["gap"] is None and rows["clock"]["owned"] == 0  # nobody owns it


def test_a_component_that_is_out_has_owners_only_where_it_is_in(tmp_path: Any) -> None:
    findings = Findings(run_of(tmp_path / "out", deals=4_000, ablate={"how": "out", "components": ["charm"]}))
    row = findings.ablation_owners.row(0, named=True)
    assert findings.ablation_owners.height == 1 and row["effect"] is None
    assert (row["owned"], row["owned_changed"]) == (1.0, 0.0) and near(row, 0.08, "gap")
    assert row["gap_p"] < 0.05


def test_a_coin_is_a_stream_of_its_own() -> None:
    blocks, labels = np.arange(50), ["king", "queen"]
    expected = coins(7, blocks, labels, 0.3)
    for block in blocks:
        stream = np.zeros(1, np.uint64)
        for place, label in enumerate(labels):
            rng.open_streams(stream, 7, int(block), rng.purposes([f"ablation/{label}"]))
            assert expected[block, place] == (rng.uniform(stream) < 0.3)
    assert (coins(7, blocks, ["ace", *labels], 0.3)[:, 1:] == expected).all()
    assert (expected <= coins(7, blocks, labels, 0.6)).all()  # a higher rate changes more, and the same


def test_deals_of_a_block_have_one_set_of_rules_and_the_log_is_what_their_coins_say(charms: Run) -> None:
    """The clock adds a turn unless its coin has struck it."""
    turns = charms.games().sort("play").select("turns").collect()["turns"].to_numpy()
    struck = coins(1, np.arange(12_000 // BLOCK), ["clock"], 0.5)[:, 0]
    assert (turns.reshape(-1, BLOCK) == np.where(struck, 2, 3)[:, np.newaxis]).all()


def test_the_same_games_come_in_other_batches_and_are_told_again(charms: Run, tmp_path: Any) -> None:
    repeated = run_of(tmp_path / "again", deals=3_000, trace=100, layout=Layout(777, 777))
    first, other = (
        run.games().filter(pl.col("deal") < 3_000).sort("play").collect() for run in (charms, repeated)
    )
    assert first.equals(other)
    lines = [list(narrate.replay(charms, play)) for play in (0, BLOCK, 5 * BLOCK + 3)]
    assert all(lines)


def test_sentences_and_page_say_what_was_found(charms: Run) -> None:
    assert recipe_for(charms) == "ablate"
    report = registry.recipe("ablate").build(charms)
    message = " ".join(figure.text for figure in report.takeaways)
    assert (
        "If “charm” is worth nothing, the seat that it falls to wins" in message and "“stone”" not in message
    )
    assert "If “clock” is worth nothing, a game takes 1.00 turns less (in every deal)" in message
    drawn = [figure.drawing.name for figure in report.figures()]
    assert [name for name in drawn if name.startswith("ablation")] == ["ablation-falls", "ablation-share"]


def test_the_command_prints_effects_and_json_and_finds_its_run_again(simkit: Any) -> None:
    words = ["ablate", "charms", "--deals", 2_000, "--rate", 0.5, "--components", "crown,clock"]
    code, out, _ = simkit(*words)
    assert code == 0 and "crown" in out and "charm " not in out and "simkit report runs/ablate-charms" in out
    document = json.loads(simkit(*words, "--json")[1])
    assert {row["component"] for row in document["effects"]} == {"crown", "clock"}
    assert (document["way"], document["rate"], document["confidence"]) == ("blank", 0.5, 0.95)
    assert simkit(*words)[1] == out


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"kingmaking": 10}, "not played on"),
        ({"until_verdict": True}, "need a fixed number of deals"),
        ({"ablate": {"how": "blank", "rates": 0.5}}, "ablate.rates"),
    ],
)
def test_keys_that_do_not_go_together_are_refused(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_plan(experiment.parse(CHARMS | keys))


def test_an_experiment_with_coins_is_read_back_from_its_file(tmp_path: Any) -> None:
    request = experiment.parse(CHARMS | {"ablate": {"how": "out", "components": ["crown"], "rate": 0.2}})
    (tmp_path / "asked.toml").write_text(request.to_toml(), encoding="utf-8")
    assert load(tmp_path / "asked.toml") == request


def test_the_rules_of_a_game_list_what_may_be_done_to_its_components(simkit: Any) -> None:
    assert (
        "simkit ablate charms --how: blank (worth nothing), out (not there)" in simkit("rules", "charms")[1]
    )
    assert json.loads(simkit("rules", "charms", "--json")[1])["ways"] == {
        "blank": "worth nothing", "out": "not there"
    }  # fmt: skip
    assert "ablate" not in simkit("rules", "pig")[1]


def test_two_strategies_have_their_shares(tmp_path: Any) -> None:
    run = run_of(tmp_path / "two", deals=2_000, lineups=["random, random(blunder=0.5)"])
    rows = Findings(run).ablation.filter(measure="strategy")
    assert set(rows["strategy"]) == {"random"} and rows["mean"].to_list() == pytest.approx([0.5] * 4)
    assert rows["effect"].abs().max() < 0.05  # type: ignore[operator]


SETTINGS = {"red_outpost": {"ruleset": "full_game"}}
WAYS = [(game.name, way.name) for game in registry.games().values() for way in game.components.ways]


@pytest.mark.parametrize(("name", "how"), WAYS)
def test_every_way_changes_every_component_and_leaves_the_printed_rules_alone(name: str, how: str) -> None:
    game = registry.game(name)
    rules = game.rules(SETTINGS.get(name, {}))
    before, plan = rules.tobytes(), ablation.plan_of(game, rules, how, [], None)
    labels = [piece.label for piece in game.pieces.names(rules[0])] if game.pieces else []
    dealt = ablation.AblationRules(plan, rules, labels, 1)
    for place in range(len(plan.parts)):
        changed, named = dealt.change(np.arange(len(plan.parts)) == place)
        idle = (name, plan.labels[place]) == ("charms", "stone")
        assert (changed.tobytes() == before) == (idle and how == "blank") and rules.tobytes() == before
        assert set(named) <= set(labels)
    assert dealt.change(np.zeros(len(plan.parts), bool))[0].tobytes() == before


@pytest.mark.proof("engine", "games")
@pytest.mark.parametrize(("name", "how"), WAYS)
def test_games_under_changed_rules_keep_their_invariants(name: str, how: str) -> None:
    """Games of random players, each under rules of its own, as they stand at the end and as they are told."""
    game = registry.game(name)
    keys = {"game": name, "deals": 5_000, "lineups": [["random"] * game.default_seats], "trace": 0}
    request = experiment.parse(CHARMS | keys | {"ablate": {"how": how}, "options": SETTINGS.get(name, {})})
    (cell,) = make_plan(request).cells
    place = seating(request, cell)
    for deal in range(0, 40 * BLOCK, BLOCK):
        states, _ = narrate.trail(place, deal, 0)
        assert game.problems(states[0], place.table.rules[0]) == []
    assert list(narrate.narrate(request, cell, 3 * BLOCK))


def test_cards_without_bonuses_are_plain_and_cards_left_out_are_in_no_deck() -> None:
    game = registry.game("outpost_seven")
    rules = game.rules()
    labels = [piece.label for piece in game.pieces.names(rules[0])]  # type: ignore[union-attr]
    for how in ("blank", "out", "again"):
        plan = ablation.plan_of(game, rules, how, ["green 5 A..P."], None)
        changed, named = ablation.AblationRules(plan, rules, labels, 1).change(np.array([True]))
        now = [piece.label for piece in game.pieces.names(changed[0])]  # type: ignore[union-attr]
        if how == "blank":
            assert now == ["green 5 ....." if label == "green 5 A..P." else label for label in labels]
            assert named == labels
        else:
            assert now == named and now.count("green 5 A..P.") == (0 if how == "out" else 2)
