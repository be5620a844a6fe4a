"""The page about one game: drama, load, components, stories, verdicts for every kind of run."""

from __future__ import annotations

import html
import re
from itertools import cycle
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from simkit.content.reports.balance import recipe as balance
from simkit.content.reports.game import recipe as game
from simkit.content.reports.game import rules
from simkit.content.reports.sections import stories
from simkit.content.reports.sections.components import components
from simkit.content.reports.sections.players import skill
from simkit.content.reports.sections.tension import drama
from synthetic import Story, made_run, made_stories, noted

from simkit.engine import registry
from simkit.errors import PlayError
from simkit.page import document
from simkit.page.document.parts import Report, Section
from simkit.page.tiles import tiles
from simkit.runs import experiment, narrate, run_metadata, runner
from simkit.runs.folder import Run, open_run
from simkit.tables.course import lead_changes, turning_points
from simkit.tables.findings import Findings, all_findings
from tests.everyday import everyday

RECIPES = {"balance": balance, "game": game}


def words(page: Report) -> str:
    """All that the page says, as plain text; without its drawings and scripts."""
    text = re.sub(r"<(script|style|svg).*?</\1>", "", document.render(page), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).replace("\u00a0", " ").split())


def section(page: Report, heading: str) -> Section:
    return next(first for first in page.sections if first.heading == heading)


def chapter(page: Report, title: str) -> list[Section]:
    return next(first.sections for first in page.chapters if first.title == title)


def rows_of(page: Report, caption: str) -> list[dict[str, Any]]:
    """The values of the first table whose caption begins so."""
    tables = (table for first in page.sections for table in first.tables)
    return next(table.records() for table in tables if table.caption.startswith(caption))


def duel(first: int, second: int, turns: int = 6) -> Story:
    """A game whose scores grow steadily to the end, with the counts of load and a log of its own."""
    scores = [(first * t // turns, second * t // turns) for t in range(1, turns + 1)]
    load = [
        [(1, 3, 3, 1), (0, 0, 0, 0)] if t % 2 == 0 else [(0, 0, 0, 0), (1, 2, 2, 2)] for t in range(turns)
    ]
    share = (0.5, 0.5) if first == second else (float(first > second), float(second > first))
    return Story(scores, share, load=load, log={"cubes": (first % 4, second % 3)})


TRACED = {
    "two seats": [duel(10, 4), duel(3, 9), duel(12, 11), duel(5, 8), duel(7, 2)],
    "one game": [duel(10, 4)],
    "draws only": [duel(6, 6), duel(9, 9), duel(3, 3)],
    "nobody ever behind": [Story([(1, 1), (2, 2)], (0.5, 0.5)), Story([(1, 1), (2, 2)], (0.5, 0.5))],
    "one turn": [Story([(1, 0)], (1, 0)), Story([(0, 1)], (0, 1))],
    "ten seats": [
        Story([tuple(range(s, s + 10)), tuple(range(10))], tuple(float(i == 9) for i in range(10)))
        for s in range(4)
    ],
    "nothing to decide": [Story([(1, 0)], (1, 0), load=[[(0, 0, 0, 1), (0, 0, 0, 0)]])] * 2,
}


CASES = [(kind, recipe) for kind, recipe in zip(TRACED, cycle(RECIPES), strict=False)]
CASES += [(kind, recipe) for kind in TRACED for recipe in RECIPES if (kind, recipe) not in CASES]


@pytest.mark.drawn
@pytest.mark.parametrize(("kind", "recipe"), everyday(CASES, len(TRACED)))
def test_every_kind_of_traced_run_has_a_page(kind: str, recipe: str, tmp_path: Path) -> None:
    page = RECIPES[recipe].build(made_stories(tmp_path, TRACED[kind]))
    text = document.render(page)
    assert not re.findall(r"\bnan\b|\bNone\b|\binf\b", text)
    assert document.as_text(page, "json") and document.as_text(page, "md")
    for first in page.sections:
        assert first.heading and (first.text or first.figures or first.tables), (
            f"{first.heading} has nothing to show"
        )
        assert all(table.rows for table in first.tables), f"{first.heading} shows an empty table"


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_run_without_a_trace_says_how_to_get_one(recipe: str, tmp_path: Path) -> None:
    page = RECIPES[recipe].build(made_run(tmp_path, [["a", "a"]], [0.5], deals=40))
    for heading in ("Who leads when was not recorded", "How much there is to decide was not counted"):
        first = section(page, heading)
        assert f"simkit run {tmp_path}/experiment.toml --trace 1000 -o {tmp_path}-traced" in first.text[0]
        assert len(first.text) == 1 and not first.figures and not first.tables


def test_the_page_goes_in_the_order_of_a_designers_questions(tmp_path: Path) -> None:
    page = balance.build(made_stories(tmp_path, TRACED["two seats"]))
    wanted = ["Length", "Tension", "What goes with winning", "Games worth a look"]
    titles = [first.title for first in page.chapters]
    assert titles[0] == "Behind the answer" and [title for title in titles if title in wanted] == wanted
    about = game.build(made_stories(tmp_path / "b", TRACED["two seats"]))
    assert [first.title for first in about.chapters][1] == "The rules"
    for built in (page, about):
        assert built.picture and built.stamp and built.source
        assert [tile.title for tile in built.tiles] == ["Who wins", "Length in turns"]


@pytest.mark.parametrize(
    ("margin", "message"), [(0.01, "1 percentage point"), (0.035, "3.5 percentage points")]
)
def test_the_margin_is_that_of_the_run(margin: float, message: str, tmp_path: Path) -> None:
    page = balance.build(made_run(tmp_path, [["a", "a"]], [0.5], deals=40, margin=margin))
    assert f"less than {message} off its fair share" in dict(page.facts)["Margin"]


def test_drama_in_numbers_is_that_of_the_analysis(tmp_path: Path) -> None:
    run = made_stories(tmp_path, TRACED["two seats"])
    rows = {row["measure"]: row["value"] for row in drama(Findings(run)).tables[0].records()}
    assert rows["lead changes per game"] == f"{Findings(run).lead_changes['mean'].item():.1f}"
    assert rows["games decided before half-way"] == f"{Findings(run).decided_at['early'].item():.0%}".replace(
        "%", " %"
    )


@pytest.fixture(scope="module")
def stations(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Outpost Seven along an option, some deals traced."""
    sweep = {"start_total_second": [14, 16]}
    request = {
        "question": "?",
        "game": "outpost_seven",
        "deals": 25,
        "trace": 20,
        "lineups": ["random*2", "random, greedy"],
        "sweep": sweep,
    }
    parsed = experiment.parse(
        request | {"baseline": {"start_total_second": 16}, "options": {"card_set": "v40"}}
    )
    return open_run(runner.run(parsed, tmp_path_factory.mktemp("runs") / "run"))


def test_games_worth_a_look_are_told_turn_by_turn_and_replayed(stations: Run) -> None:
    text = stories.stories(Findings(stations).at_baseline()).stories
    plays = {row["play"]: row for row in Findings(stations).interesting_games.filter(cell=2).rows(named=True)}
    assert len(text) == len(plays) and not any(story.moves for story in text[1:])
    for story in text[:1]:
        play = int(story.command.split()[-1])
        assert story.command == f"simkit replay {stations.folder} {play}"
        assert f"{plays[play]['turns']} turns" in story.title
        moves = story.moves.splitlines()
        assert [int(line.split()[0]) for line in moves] == list(range(1, plays[play]["turns"] + 1))
        trace = stations.turns().filter(play=play).sort("turn", "seat").collect()
        logged = trace.group_by("turn", maintain_order=True).agg("score")["score"].to_list()
        assert [line.split("  (")[-1] for line in moves] == [f"{first} : {other})" for first, other in logged]


def test_the_course_of_a_game_is_drawn_as_traced_and_its_points_are_its_turning_points(stations: Run) -> None:
    for story in stories.stories(Findings(stations).at_baseline()).stories[:1]:
        play = int(story.command.split()[-1])
        trace = stations.turns().filter(play=play).sort("turn", "seat").collect()
        drawn = story.figure.drawing  # type: ignore[union-attr]
        seats = {name: place for place, name in enumerate(stations.words.seats)}
        rows = drawn.table.with_columns(seat=pl.col("line").replace_strict(seats)).sort("x", "seat")
        assert rows["value"].to_list() == trace["score"].to_list()
        scores = trace.group_by("turn", maintain_order=True).agg("score")["score"].to_list()
        points = turning_points(scores)
        sentence = [int(text.split(":")[0].removeprefix("Turn ")) for text in story.points]
        assert sentence == [point.turn for point in points]
        assert [mark.x for mark in drawn.how["marks"]] == sentence
        boards = [int(line[11:-1]) for line in story.board.splitlines() if line.startswith("After turn ")]
        assert boards == sorted({*(point.turn for point in points), len(scores)})
        for text, point in zip(story.points, points, strict=False):
            row = scores[point.turn - 1]
            assert f"{row[point.seat]} to {row[1 - point.seat]}" in text
            assert ("red", "yellow")[point.seat] in text


def _points_of(run: Run, play: int) -> tuple[list[str], list[list[int]], int | None]:
    """What is narrated of the turns of a game, the scores at their ends, who won."""
    (game,) = run.games().filter(pl.col("play") == play).collect().rows(named=True)
    narrated = stories.NarratedGame(narrate.turns(run, play), ["red", "yellow"], "population", game["winner"])
    scores = [[seat["score"] for seat in turn.rows] for turn in narrated.turns]
    return [text for _, _, text in stories._score_course(narrated)[1]], scores, game["winner"]


@pytest.mark.slow
def test_a_lead_is_for_good_if_it_is_never_shared_and_wins(stations: Run) -> None:
    plays = stations.games().select("play").collect()["play"].to_list()
    seen = set()
    for play in plays:
        points, scores, winner = _points_of(stations, play)
        for text in points:
            turn, who = int(text.split(":")[0].removeprefix("Turn ")), int("yellow" in text.split()[2])
            later = [row[who] - row[1 - who] for row in scores[turn:]]
            if "takes the lead" in text:
                good = "for good" in text
                assert good == (min(later) > 0 and winner == who)
                turns = re.search(r"not behind for (\d+) turn", text)
                assert good or (turns and min(later[: int(turns[1])]) >= 0)
                seen.add(good)
    assert seen == {True, False}


@pytest.mark.slow
def test_the_moves_told_are_those_that_made_the_points(stations: Run) -> None:
    for play in range(20):
        assert all("places it at row" in text for text in _points_of(stations, play)[0])


def _game(scores: list[tuple[int, int]], winner: int | None) -> stories.NarratedGame:
    """A game of two whose scores are given, without moves."""
    turns = [
        narrate.Turn(number, [], [], [{"score": first} for first in row], [], [])
        for number, row in enumerate([(0, 0), *scores])
    ]
    return stories.NarratedGame(turns, ["red", "yellow"], "points", winner)


@pytest.mark.parametrize(
    ("winner", "last", "duration"),
    [
        (0, (2, 3), "and is not behind for 2 turns"),
        (None, (2, 2), "and is not behind for 2 turns"),
        (1, (2, 3), "for good"),
    ],
)
def test_who_leads_and_does_not_win_took_no_lead_for_good(
    winner: int | None, last: tuple[int, int], duration: str
) -> None:
    _, points = stories._score_course(_game([(1, 0), (1, 2), last], winner))
    assert points[-1][1:] == ("yellow leads", f"Turn 2: yellow takes the lead {duration}, 2 to 1")


def test_a_swing_is_told_by_the_scores_before_and_after_it() -> None:
    steps = [(10 + turn, 10) for turn in range(8)]
    _, points = stories._score_course(_game([*steps, (17, 1), (18, 1)], 0))
    sentence = "Turn 9: red gains 9 points on yellow, 17 to 1 after 17 to 10"
    assert points[-1][1:] == ("red +9", sentence)


def test_games_that_cannot_be_told_are_said_in_one_line(
    stations: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(run: Run, play: int) -> None:
        raise PlayError("the replay gives another game: the sources have changed")

    monkeypatch.setattr(stories.narrate, "turns", refuses)
    first = stories.stories(Findings(stations))
    assert (
        first.text[-1]
        == "The games cannot be told here: the replay gives another game: the sources have changed."
    )
    assert all(story.command and not story.moves for story in first.stories)


def test_reconstructed_data_are_named(stations: Run, tmp_path: Path) -> None:
    message = dict(balance.build(stations).facts)["Component data"]
    assert (
        "card sets v40: reconstructed from the figures of the illustrated rulebook v40" in message
        and "population cards" in message
    )
    assert "Component data" not in dict(
        balance.build(made_run(tmp_path, [["a", "a"]], [0.5], deals=10)).facts
    )


def test_the_recipe_game_is_about_the_baseline_and_tells_the_rules(stations: Run) -> None:
    page = game.build(stations)
    about = section(page, "The game")
    assert about.heading == "The game" and "Repair (O7-5)" in about.stories[0].text
    options = {row["option"]: row for row in about.tables[0].records()}
    here, rulebook = (options["card_set"][key] for key in ("here", "rulebook"))
    assert options["start_total_second"]["here"] == "16"
    assert (here, rulebook) == ("reconstructed v40", "published v42")
    assert about.text[1] == "Differing from the rulebook: card set: reconstructed v40."
    cells = page.data()["cells"]
    assert [row["lineup"] for row in cells] == ["random mirror", "random, greedy"]


@pytest.mark.parametrize("name", registry.games())
def test_the_rules_of_every_game_stand_on_its_page(name: str, tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"]], [0.5], deals=2)
    expected = run_metadata.words_of(registry.game(name), [], [{}], {}, {})
    text = rules(Findings(noted(run, words=expected)))
    rows = text.tables[0].records() if text and text.tables and text.tables[0].rows else []
    assert [row["name"] for row in rows] == [option.name for option in registry.game(name).options]
    assert all(row["here"] == row["rulebook"] for row in rows)


def test_components_speak_in_the_words_of_the_log(stations: Run) -> None:
    first = components(Findings(stations))
    named = {row["component"] for table in first.tables[:2] for row in table.records()}
    assert "Cards kept at the start" in named and "kept_cards" not in named
    assert any("Correlational, not causal" in text for text in first.text)
    assert "lines voting for the player at the end" in " ".join(first.text)


def test_a_run_reduced_to_cells_holds_their_games_only(stations: Run) -> None:
    some = stations.only([1, 3])
    assert (
        sorted(some.games().collect()["cell"].unique())
        == [1, 3]
        == sorted(some.turns().collect()["cell"].unique())
    )
    assert [cell.index for cell in some.cells] == [1, 3] and some.only([3]).locate(
        stations.cells[3].first_play
    )[1:] == (0, 0)


def test_many_lineups_are_ordered_by_strength_and_a_change_of_sign_is_a_bot_artefact(tmp_path: Path) -> None:
    lineups = [["a", "a"], ["b", "b"], ["a", "b"]]
    run = made_run(tmp_path, lineups, [0.2, 0.75, 0.4])
    first = skill(Findings(run))
    assert any(
        "Beware of a bot artefact: the first player is ahead when all play b, but behind with a" in text
        for text in first.text
    )


def test_plain_words_on_the_page(tmp_path: Path) -> None:
    run = made_stories(tmp_path, TRACED["two seats"])
    page = balance.build(run)
    text, length = words(page), Findings(run).lengths.filter(measure="turns").row(0, named=True)
    for message in (
        f"Length in turns {length['p50']} ",
        "Who leads when",
        "At most 0.0 % of the games of a case were draws",
    ):
        assert message in text
    assert not re.search(
        r"\b(cell \d|seat_spread|log_fair|null|polars)\b", text.partition("Commands and Python that")[0]
    )


@pytest.mark.parametrize("recipe", RECIPES)
def test_no_identifier_is_told_to_a_reader(recipe: str, stations: Run) -> None:
    """Identifiers stand in commands, in the grey column of names and in the notes on options."""
    page = RECIPES[recipe].build(stations)
    options, strategies = stations.words.options, stations.words.strategies
    names = {name for cell in stations.cells for name in [*cell.varied, *cell.labels] if "_" in name}
    assert names and names <= {*options, *strategies}
    tables = [table for first in page.sections for table in first.tables]
    texts = [first.text for first in page.takeaways] + page.limits + page.warnings
    texts += [text for first in page.sections for text in (first.heading, *first.text)]
    texts += [text for figure in page.figures() for text in (figure.alt, figure.caption)]
    for table in tables:
        expected = [place for place, column in enumerate(table.columns) if column.name == "name"]
        texts += [column.heading for column in table.columns]
        texts += [cell for row in table.rows for place, cell in enumerate(row) if place not in expected]
    for name in names:
        assert not [text for text in texts if re.search(rf"\b{name}\b", text)]


SEAT_NUMBERS = re.compile(r"\b[Ss]eat \d")


@pytest.mark.parametrize("recipe", RECIPES)
def test_seats_have_one_name_on_a_page(recipe: str, stations: Run) -> None:
    """Numbers of seats are for data: no sentence, table, picture or told game has them."""
    page = RECIPES[recipe].build(stations)
    assert not SEAT_NUMBERS.search(document.as_text(page, "md"))
    assert "red: salvages" in stories.stories(Findings(stations).at_baseline()).stories[0].moves
    tables = [table for first in page.sections for table in first.tables]
    scores = next(table for table in tables if table.caption.endswith(" of each seat"))
    assert "first player" in scores.rows[0] and scores.records()[0]["seat"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES)
def test_who_played_and_what_options_mean_is_said_in_words(recipe: str, stations: Run) -> None:
    page = RECIPES[recipe].build(stations)
    sentence = {row["name"]: row["meaning"] for row in rows_of(page, "Strategies")}
    assert set(sentence) == {label for cell in stations.cells for label in cell.labels}
    assert all(sentence.values()) and "O7-" not in "".join(sentence.values())
    who = " ".join(text for first in chapter(page, "Players") for text in first.text)
    assert "In the words of the game the first player is red, the second player is yellow." in who
    facts, options = dict(page.facts), stations.words.options
    for name in {name for cell in stations.cells for name in cell.varied} | {"card_set"}:
        assert f"{name} in commands; in the rulebook " in facts[options[name].label]
        assert facts[options[name].label] in words(page)


def test_weights_are_told_with_their_meaning(tmp_path: Path) -> None:
    keys = {"question": "?", "game": "pig", "deals": 5, "lineups": [["hold_at(threshold=10)", "hold_at"]]}
    run = open_run(runner.run(experiment.parse(keys), tmp_path / "run"))
    rows = rows_of(balance.build(run), "Strategies")
    assert [row["weights"] for row in rows] == [
        "hold from = 10 (usually 20): hold from this turn total on, points",
        "as usual",
    ]


@pytest.mark.drawn
def test_names_stay_text_in_every_section(tmp_path: Path) -> None:
    odd = "<script>alert(1)</script>"
    run = made_stories(tmp_path, TRACED["two seats"], [odd, odd])
    for recipe in RECIPES.values():
        assert odd not in document.render(recipe.build(run)).replace('<script>"use strict"', "")


def test_a_game_without_lead_changes_has_no_tile_of_them(tmp_path: Path) -> None:
    findings = Findings(made_stories(tmp_path, TRACED["two seats"]))
    counted = lead_changes(findings)
    for mean, shown in ((0.3, False), (3.0, True)):
        findings._cache[all_findings()["lead_changes"]] = counted.with_columns(mean=pl.lit(mean))
        assert ("Lead changes" in [tile.title for tile in tiles(findings)]) == shown
