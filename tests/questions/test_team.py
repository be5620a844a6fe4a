"""Co-operative games: all seats win or lose together, and everything speaks of the team and its target."""

import dataclasses
import itertools
import json
import re

import polars as pl
import pytest
from made_report import behind
from simkit.content.reports.sections.answer import balance_answer

from simkit.engine import registry
from simkit.engine.compile.jit import rule
from simkit.engine.rule_helpers import end
from simkit.errors import UsageError
from simkit.games.reference.rope_bridge import PLANKS, TURNS, across
from simkit.page.document.files import as_text
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run
from simkit.runs.plan import make_plan
from simkit.tables.findings import Findings
from simkit.verify.check import check

pytestmark = pytest.mark.slow

KEYS = {"question": "How hard is it?", "game": "rope_bridge", "deals": 4_000}


def play(folder, **keys):
    request = experiment.parse({**KEYS, "lineups": [["random", "random"]], **keys})
    return open_run(runner.run(request, folder / "run", jobs=1))


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    keys = {"sweep": {"planks": [5, 6, 7, 9]}, "baseline": {"planks": 7}, "target": 0.6}
    return play(tmp_path_factory.mktemp("swept"), lineups=[["random"] * 2, ["random"] * 3], **keys)


def test_the_known_chance_is_that_of_all_ways_to_play_counted_one_by_one():
    """A random turn moves on by 1, 1, 0 or 2 planks, each as likely."""
    ways = list(itertools.product([1, 1, 0, 2], repeat=TURNS))
    assert across(TURNS) == sum(sum(way) >= PLANKS for way in ways) / len(ways)


def test_all_seats_share_a_win_and_nobody_wins_alone_or_draws(swept):
    seats, games = swept.seats().collect(), swept.games().collect()
    assert set(seats["share"]) == {0.0, 1.0}
    assert seats.group_by("play").agg(pl.col("share").n_unique())["share"].unique().to_list() == [1]
    assert seats.filter(pl.col("share") == 1)["rank"].unique().to_list() == [1]
    assert seats.filter(pl.col("share") == 0)["rank"].unique().to_list() == [0]
    assert games["winner"].is_null().all() and not games["draw"].any()


def test_the_share_of_a_run_is_the_win_rate_of_the_team_beside_its_target(swept):
    table = Findings(swept).first_player_advantage
    assert table.height == 8 and set(table["fair"]) == {0.6}
    for row in table.iter_rows(named=True):
        assert row["low"] - 0.02 < across(TURNS, row["planks"]) < row["high"] + 0.02
    by_name = dict(table.filter(seats=2).select("planks", "verdict").iter_rows())
    right = {5: "TOO EASY", 6: "ON TARGET", 7: "TOO HARD", 9: "TOO HARD"}
    assert by_name in (right, right | {6: "NOT SETTLED"})
    assert Findings(swept).seat_shares["seat"].unique().to_list() == [0]
    assert not [name for name in table.columns if name.startswith("fpa")]  # a team has no first player


def test_the_answer_speaks_of_the_team_and_its_target(swept):
    sentence = balance_answer(Findings(swept))
    text = " ".join([sentence.headline, sentence.advice, *sentence.sure, *sentence.warnings])
    assert sentence.headline.startswith("Planks 7 (usual rules) is TOO HARD with 2")
    assert "planks 6" in sentence.advice
    assert "first player" not in text and "fair" not in text.lower()


def test_without_the_printed_setting_the_nearest_to_the_target_is_said_to_be_too_easy_or_too_hard(tmp_path):
    findings = Findings(play(tmp_path, sweep={"planks": [7, 8, 9]}, target=0.9, lineups=[["runner"] * 2]))
    headline = balance_answer(findings).headline
    assert headline.startswith("Planks 7, the nearest to the target of all settings tried, is TOO HARD: ")


@pytest.mark.parametrize("recipe", ["balance", "sweep", "compare", "game"])
def test_no_page_of_a_team_speaks_of_seats_that_win_or_of_fairness(swept, recipe):
    page = registry.recipe(recipe).build(swept)
    headings = [section.heading for section in page.sections]
    assert not [
        heading for heading in headings if re.search("(first|second) player wins|fair", heading.lower())
    ]
    sentence = [*(first.text for first in page.takeaways), *page.words.values(), *map(str, page.facts)]
    sentence += [text for section in page.sections for text in section.text]
    for text in sentence:
        assert "first player" not in text and "fair share" not in text and "drawn" not in text, text


@pytest.fixture(scope="module")
def without_target(tmp_path_factory):
    keys = {"sweep": {"planks": [5, 7, 9]}, "baseline": {"planks": 7}, "deals": 400}
    return play(tmp_path_factory.mktemp("untargeted"), lineups=[["random"] * 2, ["random"] * 3], **keys)


@pytest.mark.parametrize("recipe", ["balance", "sweep", "compare", "game", "losing"])
def test_without_a_target_nothing_is_judged(without_target, recipe):
    page = registry.recipe(recipe).build(without_target)
    assert page.stamp is None and not page.takeaways_of("advice")[1:]
    text = as_text(page)
    words = (
        "50 is",
        "SETTLED",
        "TOO ",
        "BORDERLINE",
        "on target",
        "the target",
        "verdict",
        "Not known",
        "FAIR",
    )
    assert [word for word in words if word in text] == []


def test_without_a_target_the_grid_of_wins_is_the_answer(without_target):
    page = registry.recipe("sweep").build(without_target)
    (headline,) = page.takeaways_of("answer")
    won = r"(\d+ to )?\d+ games of 100"
    assert re.fullmatch(
        rf"The team wins {won} with planks 7 \(usual rules\). "
        rf"It wins most, {won}, with planks 5, and least, {won}, with planks 9.",
        headline.text,
    )
    assert page.picture.drawing.name == "wins" and page.picture.drawing.table.height == 6
    assert [column.heading for column in behind(page).columns] == ["planks", "2 players", "3 players"]
    assert page.step.text == "Set a target to judge it." and "--target 0.5" in page.step.command


def test_the_terminal_has_no_verdict_without_a_target(simkit):
    _, out, _ = simkit("sweep", "rope_bridge", "planks=5,9", "--deals", 200, "-o", "plain")
    assert "verdict" not in out and "target to judge" in out and "Beware" not in out
    _, out, _ = simkit("sweep", "rope_bridge", "planks=5,9", "--deals", 200, "-o", "plain", "--json")
    assert {cell["verdict"] for cell in json.loads(out)["cells"]} == {None}
    _, out, _ = simkit("sweep", "rope_bridge", "planks=5,9", "--deals", 200, "--target", 0.5, "-o", "judged")
    assert "verdict" in out and "TOO " in out


def test_rule_sets_are_compared_by_the_wins_of_the_team(swept):
    table = Findings(swept).comparisons
    assert set(table["measure"]) == {"team_wins", "score", "turns", "decisions"}
    assert set(table.filter("primary")["measure"]) == {"team_wins"}
    row = table.filter(measure="team_wins", seats=2, setting="planks = 5").row(0, named=True)
    assert row["difference"] == pytest.approx(across(TURNS, 5) - across(TURNS), abs=0.03)


def test_changes_of_the_teams_share_have_a_column_for_each_option_varied(tmp_path):
    keys = {"sweep": {"planks": [5, 7], "rope": [6, 7]}, "baseline": {"planks": 7, "rope": 6}}
    page = registry.recipe("compare").build(play(tmp_path, deals=100, target=0.5, **keys))
    tables = {table.caption: table for table in page.tables()}
    changes, rules = tables["Change of the team's share"], tables["Rule sets, nearest to the target first"]
    assert [column.name for column in changes.columns[:2]] == ["planks", "rope"]
    assert sorted(row[:2] for row in changes.rows) == [["5", "6"], ["5", "7"], ["7", "7"]]
    assert [column.name for column in rules.columns[1:4]] == ["planks", "rope", "baseline"]
    assert [row[1:4] for row in rules.rows if row[3]] == [["7", "6", "yes"]]


def test_cells_stop_at_easy_hard_or_on_target(tmp_path):
    keys = {"sweep": {"planks": [4, 7, 8]}, "target": across(TURNS), "until_verdict": True, "margin": 0.05}
    run = play(tmp_path, **keys, deals=20_000)
    table = Findings(run).first_player_advantage
    assert dict(table.select("planks", "verdict").iter_rows()) == {
        4: "TOO EASY",
        7: "ON TARGET",
        8: "TOO HARD",
    }
    assert (table["deals"] < 20_000).all()


def test_fair_finds_the_value_at_which_the_team_wins_as_often_as_asked(simkit):
    target = f"{across(TURNS, 8):.3f}"
    words = "fair rope_bridge --vary planks=2:12 --lineup random*2 --deals 2000 --json --jobs 1 -o fair"
    code, out, _ = simkit(words, "--target", target)
    document = json.loads(out)
    low, high = document["fair_values"][0]["low"], document["fair_values"][0]["high"]
    assert code == 0 and document["best"] == {"planks": 8} and low < 8.2 and high > 7.8
    assert "the team" in document["answer"] and "fair" not in document["answer"]


def test_a_target_of_a_competitive_experiment_is_refused():
    keys = {**KEYS, "game": "pig", "lineups": [["random", "random"]], "target": 0.4}
    with pytest.raises(UsageError, match="leave it out"):
        make_plan(experiment.parse(keys))


def test_a_story_ends_with_what_became_of_the_team(simkit):
    assert (
        simkit("play", "rope_bridge", "--lineup", "random*2", "--seed", 2)[1].splitlines()[-1]
        == "the team loses, score -1"
    )


@rule
def tear_apart(s, rules, action, rng):
    """The first player wins without the others."""
    s.rank[0] = 1
    s.log.game.turns += 1
    end(s, 1)


def test_check_tells_a_team_of_which_some_win_and_some_lose():
    game = registry.game("rope_bridge")
    assert not any(result.problems for result in check(game))
    torn = dataclasses.replace(
        game, name="torn", apply=tear_apart, problems=lambda s, rules: [], known_answers=[]
    )
    results = [problem for result in check(torn) for problem in result.problems]
    assert any("a team wins or loses together" in problem for problem in results)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["compare", "exoplanet_colony", "--to", "initial_hand=3"], marks=pytest.mark.slow),
        ["fair", "exoplanet_colony", "--vary", "initial_hand=0:4", "--set", "ruleset=introductory"],
        ["sweep", "exoplanet_colony", "initial_hand=2:3"],
    ],
    ids=["compare", "fair", "sweep"],
)
def test_whoever_answers_says_that_data_are_reconstructed(words, simkit):
    code, out, _ = simkit(*words, "--lineup", "builder*2", "--deals", 100, "--jobs", 1, "-o", "run")
    assert code == 0 and out.count("What rests on reconstructed data: amounts, modules") == 1
