"""The match page: which of two strategies is stronger, and by how many Elo.

The brief has the winner, its lead and the shares by seat; the chapter has the course of the test and the
deals by score.
"""

from collections.abc import Iterator

import polars as pl

from simkit.formatting import counted
from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Figure, Report, Section, Stamp, Step
from simkit.page.document.tables import Show, Table
from simkit.page.pictures import figure, takeaways_of
from simkit.page.recipe import Recipe
from simkit.page.terminal import TextOrTable, study_document
from simkit.page.words.commands import command_again, game_words
from simkit.page.words.confidence import failures
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import (
    Summary,
    TableRow,
    about,
    in_elo,
    interval_words,
    number,
    percent,
    prose,
    quoted,
    roughly,
    seat_name,
    span,
)
from simkit.page.words.strength import same_players_sentences
from simkit.page.words.verdicts import games_needed, not_known
from simkit.questions.match import (
    NOT_STRONGER,
    STRONGER,
    match_looks,
    match_results,
    match_seats,
    match_table,
)
from simkit.tables.findings import Findings
from simkit.tables.reading import ALWAYS

from .sections.luck import luck
from .sections.players import who

# Sentences: who is stronger, by how much and how certainly

ERRORS = "such a test is wrong in at most about one match of 20"
STOPPED = "share and Elo are corrected for stopping: too high as often as too low"
FIXED = "the number of deals was fixed before, as the interval requires"
AT_TABLES = "Elo is of how often each wins alone among the others; 50 % is as good alone as the other"
NO_DIFFERENCE = Stamp("No meaningful difference", "")


def match_answer(findings: Findings) -> Summary:
    """Return the result of a match with its certainty and warnings."""
    (row,) = labels_of(findings).label(match_table(findings)).rows(named=True)
    tested = row["decision"] is not None
    sure = [ERRORS, STOPPED] if tested else [FIXED]
    sure += [AT_TABLES] if row["seats"] > 2 else []
    doubts = failures(findings)
    if row["same"]:
        return Summary(" ".join(same_players_sentences(findings)), "", [], doubts)
    return Summary((_of_test if tested else _of_elo)(row), _measurement(row), sure, doubts)


def _of_test(row: TableRow) -> str:
    """Return the result of a sequential test of the first strategy's lead."""
    first, second, games = quoted(row["strategy"]), quoted(row["opponent"]), f"{row['games']:,} games"
    scale = "normalised Elo" if row["normalized"] else "Elo"
    least, most = number(row["elo0"]), f"{number(row['elo1'])} {scale}"
    if row["decision"] == STRONGER:
        lead = f"leads {second} by more than {least} {scale}" if row["elo0"] else f"is stronger than {second}"
        return f"{first} {lead}, settled in {games}."
    if row["decision"] == NOT_STRONGER:
        return f"{first} is not stronger than {second} by {most} or more, settled in {games}."
    return f"It is not settled after {games} whether {first} leads {second} by {least} or by {most}."


def _of_elo(row: TableRow) -> str:
    """Return which strategy is stronger beyond luck, for a fixed number of deals."""
    first, second = quoted(row["strategy"]), quoted(row["opponent"])
    if row["low"] > 0.5 or row["high"] < 0.5:
        first, second = (first, second) if row["low"] > 0.5 else (second, first)
        return f"{first} is stronger than {second}."
    needed = games_needed(row)
    more = f": about {roughly(needed)} games would settle it" if needed else ""
    return f"It is not settled whether {first} or {second} is stronger{more}."


def _measurement(row: TableRow) -> str:
    """Return the share of the first strategy with its Elo."""
    share = f"{percent(row['score'])} ({span(row['low'], row['high'], scale=100)} %)"
    games = "of the games between them" if row["seats"] == 2 else "against one half where both are equal"
    verb = "wins" if row["seats"] == 2 else "scores"
    elos = f"Elo {elo_interval(row)}"
    if row["normalized"] and row["normalized_elo"] is not None:
        elos += f", normalised Elo {elo_interval(row, 'normalized_elo')}"
    return f"{quoted(row['strategy'])} {verb} {share} {games}, {elos}."


def elo_interval(row: TableRow, key: str = "elo") -> str:
    """Return the Elo of a match with its interval; missing ends have no bound.

    >>> elo_interval({"elo": 20.04, "elo_low": 10.0, "elo_high": 30.0})
    '+20.0 (10.0 to 30.0)'
    >>> elo_interval({"elo": None, "elo_low": 400.0, "elo_high": None})
    'without bound (from 400.0 up)'
    """
    low, high = row[f"{key}_low"], row[f"{key}_high"]
    value = "without bound" if row[key] is None else number(row[key], sign=True)
    return f"{value} ({'open' if low is None and high is None else interval_words(low, high)})"


def is_settled(row: TableRow) -> bool:
    """Return whether it is known who is stronger, or that more deals would show no more."""
    beyond = row["decision"] is None and not row["low"] <= 0.5 <= row["high"]
    return bool(row["same"] or beyond or row["decision"] in (STRONGER, NOT_STRONGER))


def match_stamp(row: TableRow) -> Stamp:
    """Return which of two strategies is stronger, by the interval of the score and the test, if any.

    A result about players asks for no change of the rules, so it has no colour.
    """
    if row["same"]:
        return NO_DIFFERENCE
    if row["decision"] == STRONGER or row["low"] > 0.5:
        return Stamp(f"{quoted(row['strategy'])} is stronger", "")
    if row["high"] < 0.5:
        return Stamp(f"{quoted(row['opponent'])} is stronger", "")
    if row["decision"] == NOT_STRONGER:
        return NO_DIFFERENCE
    needed = games_needed(row) if row["decision"] is None else None
    return not_known(needed and needed - row["games"])


# Figures, tables and the next step


def _match_figure(findings: Findings) -> Figure:
    """Return the shares of each strategy in each seat."""
    parts = {"label": "strategy", "kind": "seat", "style": "seat"}
    alt, chart = "How often each strategy wins in each seat, with 95 % interval", ("match", charts.forest)
    return figure(findings, chart, match_seats(findings), alt, "", parts, aim="if all were equal")


def _match_table(findings: Findings) -> Table:
    meaning = "of all games; corrected for stopping where the test stopped"
    score = Show("wins" if match_table(findings)["seats"][0] == 2 else "scores", "{:.1%}", meaning)
    names = "strategy score low high elo elo_low elo_high"
    return table(findings, match_table(findings), names, "The match", score=score)


LINES = {"llr": "log-likelihood ratio", "llr_high": "upper bound", "llr_low": "lower bound"}


def _course_figure(findings: Findings) -> Figure:
    """Return the log-likelihood ratio and its two bounds along the deals."""
    rows = match_looks(findings).unpivot(list(LINES), index="deals", variable_name="which")
    style = pl.when(pl.col("which") == "llr").then(0).otherwise(-1)
    parts = {"line": pl.col("which").replace_strict(LINES), "x": "deals", "style": style}
    alt = "Log-likelihood ratio of the match at each analysis, with the bounds at which the test ends"
    options = {"label": "Deals", "unit": "Log-likelihood ratio", "form": "{:+.2f}"}
    return figure(findings, ("course", charts.curve), rows, alt, "", parts, **options)


def _match_step(findings: Findings) -> Step:
    """Return the next step: more deals where the match is open, else a game to watch."""
    run, (row,) = findings.run, match_table(findings).rows(named=True)
    if is_settled(row):
        return Step("Watch a game of this match.", command_again(run, "replay", run.place, "0"))
    bounds = run.experiment.until_elo
    needed = 0 if row["decision"] else games_needed(row) or 0
    each, played = row["games"] // row["deals"], row["deals"]
    # The interval of a few deals may have no width, as if no more were needed.
    deals = max(about(needed // each), 2 * played) if needed > row["games"] else 10 * played
    words = ["--deals", str(deals)]
    words += ["--elo0", f"{bounds[0]:g}", "--elo1", f"{bounds[1]:g}"] if bounds else []
    words += ["--normalized"] if run.experiment.normalized_elo else []
    names = row["strategy"], row["opponent"]
    command = command_again(run, "match", run.experiment.game, *names, *words, *game_words(run, []))
    return Step(f"Play on, to {deals:,} deals of {counted(each, 'game')}.", command)


# Sections

MATCH_WORDS = {
    "Normalised Elo": "347 times the lead over one half in points per game, in standard deviations of a "
    "game: it says how many games show who is stronger, whatever part of them luck decides.",
    "LLR": "log-likelihood ratio of the two differences that the test decides between: at its upper bound "
    "the greater is taken, at its lower bound the smaller.",
}


def match(findings: Findings) -> Section:
    """Return the brief."""
    summary = match_answer(findings)
    return Section(
        takeaways=takeaways_of(findings, summary, "match"),
        stamp=match_stamp(labels_of(findings).label(match_table(findings)).row(0, named=True)),
        picture=_match_figure(findings),
        glance=_match_table(findings),
        step=_match_step(findings),
        warnings=summary.warnings,
        words=MATCH_WORDS,
    )


TEST_TEXT = prose("""The test decides between {alternatives}. It is analysed after 200 deals and then after
    every 5 % more (at least 50), so that neither the clock nor the number of workers decides where it
    stops.""")


def match_course(findings: Findings) -> Section:
    """Return the course of the test and the deals by score."""
    heads = {"result": Show("score of the deal", "{:.1%}"), "share": Show("part", "{:.1%}", "of all deals")}
    caption = "Deals by the score of the first strategy"
    results = table(findings, match_results(findings), "result deals share", caption, **heads)
    if not match_looks(findings).width:
        return Section("Deals by their score", tables=[results])
    bounds = findings.run.experiment.until_elo, findings.run.experiment.normalized_elo
    text = TEST_TEXT.format(alternatives=in_elo(*bounds))
    heading = "The course of the test, and deals by their score"
    return Section(heading, [text], [_course_figure(findings)], [results])


# The terminal, the JSON document and the page


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[TextOrTable]:
    """Yield the shares by strategy and seat, and the deals by score."""
    yield ""
    yield [_row(row) for row in labels_of(findings).label(match_seats(findings)).rows(named=True)]
    yield f"\nDeals by score, from 0 to 1: {', '.join(map(str, match_results(findings)['deals']))}."


def _row(row: TableRow) -> TableRow:
    interval = span(row["low"], row["high"], scale=100)
    front = {"strategy": row["strategy"], "as": seat_name(row["seat"]), "share": percent(row["share"])}
    return front | {"95 % interval": interval, "games": row["games"]}


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    (row,) = match_table(findings).drop(ALWAYS, strict=False).rows(named=True)
    counts = match_results(findings).select("result", "deals").rows(named=True)
    seats = match_seats(findings).drop(ALWAYS, strict=False).rows(named=True)
    front = study_document(findings, brief) | {"seed": findings.run.experiment.seed}
    return front | {**row, "results": counts, "seats_won": seats}


recipe = Recipe(
    "match report",
    brief=[match],
    chapters={"The match": [match_course], "Players": [who, luck]},
    needs="a run of simkit match",
    fits=lambda findings: match_table(findings).width > 0,
    terminal=terminal,
    document=document,
)
