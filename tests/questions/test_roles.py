"""Questions about roles: what a faction wins is found, sized and cured; claims, wishes and replays."""

from dataclasses import replace

import polars as pl
import pytest

import simkit as sk
from simkit.ask import claims
from simkit.engine import registry
from simkit.engine.compile.jit import rule
from simkit.engine.game import Role
from simkit.engine.options import integer
from simkit.errors import UsageError
from simkit.page.document.parts import Report
from simkit.questions.design.result import RuleDesign
from simkit.runs import experiment, narrate, runner
from simkit.runs.folder import open_run
from simkit.runs.plan import make_plan
from simkit.tables.findings import Findings
from simkit.verify.check.inspections import role_faults

STRONG = {"faces": 12, "bonus_traders": 1}
HOW = {"rotate": "roles", "lineups": ["random*3"]}


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    keys = {"options": STRONG, "deals": 1_500, "confirm": False, **HOW}
    return sk.sweep(
        "factions", {"counter": [0, 1]}, out=str(tmp_path_factory.mktemp("swept") / "run"), **keys
    )


def test_a_page_says_first_which_faction_wins_too_much_and_how_to_cure_it(swept):
    page: Report = registry.recipe("sweep").build(swept.run)
    headline = page.takeaways[0].text
    assert "The faction traders wins " in headline
    assert "games of 100 more than its fair share (" in headline and ") with counter 0." in headline
    assert page.stamp and page.stamp.kind == "change"
    assert page.step and page.step.text == "Find the value at which the faction traders wins its fair share."
    words = "--vary bonus_traders=-10:11 --set faces=12 --set counter=0 --lineup random,random,random"
    assert page.step.command == f"simkit fair factions {words} --rotate roles --role traders"
    assert {"Roles"} <= {chapter.title for chapter in page.chapters}


def test_fair_finds_the_value_at_which_a_faction_wins_its_fair_share(tmp_path):
    options = {"faces": 12, "bonus_pilots": 1, "bonus_guards": 1, "bonus_miners": 1}
    how = {"options": options, "role": "traders", "deals": 400, **HOW}
    result = sk.fair("factions", {"bonus_traders": (-6, 8)}, out=str(tmp_path / "run"), **how)
    row = result.fair_values.row(0, named=True)
    assert row["low"] <= 1 <= row["high"] and row["high"] - row["low"] <= 2
    assert result.run.role == "faction traders" and set(result.first_player_advantage["fair"]) == {1 / 3}


def test_a_page_names_the_setting_that_cures_a_faction_and_shows_every_faction_there(tmp_path):
    options = {"faces": 12, "bonus_pilots": 2, "bonus_guards": 2, "bonus_miners": 2}
    keys = {"options": options, "deals": 1_500, "confirm": False, "out": str(tmp_path / "run"), **HOW}
    page: Report = registry.recipe("sweep").build(sk.sweep("factions", {"bonus_traders": [0, 2]}, **keys).run)
    assert "The faction traders wins " in page.takeaways[0].text and " fewer than" in page.takeaways[0].text
    text = " ".join(part.text for part in page.takeaways)
    assert "With bonus traders 2 no faction is surely unfair; the farthest, " in text
    assert page.step and " fair " not in page.step.command
    (chapter,) = (chapter for chapter in page.chapters if chapter.title == "Roles")
    (listed,) = chapter.sections[0].tables
    assert len(listed.rows) == 2 * 4 and {row[0] for row in listed.rows} == {"0 (baseline)", "2"}


def test_a_run_about_a_faction_proposes_its_fair_value(tmp_path):
    keys = {"options": STRONG, "deals": 1_500, "confirm": False, "out": str(tmp_path / "run"), **HOW}
    result = sk.sweep("factions", {"counter": [0]}, role="traders", **keys)
    page: Report = registry.recipe("balance").build(result.run)
    text = "Find the value at which the faction traders wins its fair share."
    assert page.step and page.step.text == text and "--vary bonus_traders=" in page.step.command


def test_a_comparison_is_about_the_deals_in_which_the_faction_sits(tmp_path):
    how = {"deals": 300, "role": "miners", "lineups": ["random*2"], "out": str(tmp_path / "run")}
    result = sk.compare("factions", {"bonus_miners": 2}, options={"faces": 12}, **how)
    row = result.comparisons.filter(measure="side_wins").row(0, named=True)
    held = result.run.seats().filter(pl.col("faction").cast(pl.String) == "miners", cell=0).collect()
    assert row["deals"] == held["deal"].n_unique() < 200
    assert row["base_value"] == pytest.approx(held.sort("play")["share"].mean())
    assert row["difference"] > 0.1 and row["p_adjusted"] < 0.001


def test_effects_of_options_on_a_faction_are_those_of_games_in_which_it_sits(tmp_path):
    how = {"deals": 200, "role": "miners", "lineups": ["random*3"], "out": str(tmp_path / "run")}
    levels = {"bonus_miners": (0, 4), "bonus_pilots": (0, 4), "faces": (10, 14)}
    result = sk.screen("factions", levels, **how)
    shares = result.dials.filter(measure="share")
    effects = dict(shares.select("option", "effect").iter_rows())
    assert effects["bonus_miners"] > 0.2 and effects["bonus_pilots"] < -0.05 and abs(effects["faces"]) < 0.06


@pytest.mark.parametrize(("off", "holds"), [(1, False), (40, True)])
def test_a_claim_about_all_factions_is_about_the_farthest(swept, off, holds):
    game = registry.game("factions")
    claim = claims.parse(f"no faction is off by more than {off} games in 100", game)
    run = swept.only([0]).run
    observed, is_share = claims.claim_outcomes(run, claim)
    estimate = claims.estimate(claim, observed, is_share)
    assert estimate.piece == "traders" and (estimate.low > off, estimate.high < off) == (not holds, holds)


def test_a_wish_about_all_factions_is_a_goal_for_each(tmp_path):
    how = {"options": {"faces": 12}, "deals": 120, "trials": 6, "confirm": 200, **HOW}
    result = sk.design(
        "factions", {"bonus_traders": [0, 1, 2]}, ["faction<=4"], out=str(tmp_path / "run"), **how
    )
    design = result.run.answer_of(RuleDesign)
    goals = design.goals
    assert [goal.role for goal in goals] == ["miners", "traders", "pilots", "guards"]
    assert {goal.ends for goal in goals} == {(-0.04, 0.04)}
    best = min(design.trials, key=lambda trial: trial.loss)
    assert best.setting == {"bonus_traders": 0}


def test_a_game_with_moved_roles_is_replayed_and_traced_as_it_was_played(tmp_path):
    keys = {"question": "?", "game": "factions", "deals": 6, "rotate": "roles", "trace": 6}
    keys |= {"lineups": [["random*3"], ["random", "random(blunder=1)", "random(blunder=1)"]]}
    run = open_run(runner.run(experiment.parse(keys), tmp_path / "run", jobs=1))
    assert [cell.rotations for cell in run.cells] == [3, 9]
    games, turns = run.games().collect(), run.turns().collect()
    assert games["play"].n_unique() == games.height == 6 * 12
    last = turns.group_by("play", "seat").agg(pl.col("score").last())
    both = last.join(run.seats().collect(), on=["play", "seat"])
    assert both.height == 6 * 12 * 3 and (both["score"] == both["score_right"]).all()
    for play in games["play"].to_list()[::5]:
        assert games.filter(play=play)["rotation"][0] == run.locate(play)[2]
        assert list(narrate.replay(run, play))


def test_strategies_and_roles_move_apart(tmp_path):
    lineup = [["random", "random(blunder=1)"]]
    keys = {"question": "?", "game": "factions", "deals": 1, "rotate": "roles", "lineups": lineup}
    cells = make_plan(experiment.parse(keys)).cells
    assert list(cells[0].turns) == [0, 1, 2, 3]
    run = open_run(runner.run(experiment.parse(keys), tmp_path / "run", jobs=1))
    rows = run.seats().sort("rotation", "seat").collect()
    pairs = set(rows.filter(seat=0).select(pl.col("strategy", "faction").cast(pl.String)).iter_rows())
    assert len(pairs) == 4


def test_a_role_that_the_log_never_has_is_refused_in_one_line(tmp_path, monkeypatch):
    game = registry.game("factions")
    logged = replace(game, roles=[Role("faction")], setup=_without_log(game.setup))
    monkeypatch.setattr(registry, "game", lambda name: logged)
    keys = {"question": "?", "game": "factions", "deals": 4, "lineups": [["random*3"]], "role": "guards"}
    run = open_run(runner.run(experiment.parse(keys), tmp_path / "run", jobs=1))
    with pytest.raises(UsageError, match="in some case nobody is the faction guards: the column faction"):
        _ = Findings(run).seat_shares


def _without_log(setup):
    @rule
    def silent(s, rules, rng):
        setup(s, rules, rng)
        for seat in range(s.seats):
            s.log.seat[seat].faction = 0

    return silent


def test_an_option_that_treats_an_unknown_role_is_refused():
    game = registry.game("factions")
    option = integer("bonus_miner", 0, 0, 3, "X-1", "Bonus of the miners", treats=("miner",))
    with pytest.raises(UsageError, match="role of factions, for treats= of option bonus_miner 'miner'"):
        replace(game, options=[option])


def test_check_notices_roles_that_are_not_logged():
    game = registry.game("factions")
    problems = list(role_faults(replace(game, setup=_without_log(game.setup))))
    assert problems == ["after the setup seats share a role in column faction: log what deal_roles has dealt"]
    assert not list(role_faults(game))


def test_a_column_of_numbers_holds_roles(tmp_path):
    """Lunar Outpost: seats choose a starting tile by its number (LO-2.7)."""
    how = {"options": {"start_choice": "random"}, "deals": 200, "seed": 3, "confirm": False, "jobs": 1}
    how |= {"lineups": ["random*3"], "out": str(tmp_path / "run")}
    result = sk.sweep("lunar_outpost", {"starting_resources": [2]}, **how)
    assert sorted(result.roles["role"]) == ["0", "1", "2"] and set(result.roles["column"]) == {"start_tile"}
    assert result.roles["games"].sum() == 3 * 200
