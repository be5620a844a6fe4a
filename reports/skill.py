"""The skill page: how often the better player wins, and what going first is worth between unequal players.

The brief has the wins of every level against every other and what each wins against the level below; the
chapters have every pairing, and what each seat is worth in it.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor

import polars as pl

from simkit.page.columns import points, table
from simkit.page.document.parts import Report, Section, Stamp, Step
from simkit.page.document.tables import Show, Table
from simkit.page.pictures import takeaways_of
from simkit.page.recipe import Recipe
from simkit.page.terminal import study_document
from simkit.page.words.commands import command_again, game_words, more_command
from simkit.page.words.confidence import warnings
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import (
    Summary,
    TableRow,
    about,
    fair_of_100,
    in_words,
    join_names,
    number,
    quoted,
    span,
    whole,
)
from simkit.page.words.strength import same_players_sentences
from simkit.page.words.verdicts import games_needed, not_known
from simkit.questions.skill import seat_effects, skill_matrix
from simkit.stats.quantiles import normal
from simkit.tables.findings import Findings
from simkit.tables.reading import ALWAYS

from .sections.luck import luck
from .sections.pairings import distinct_pairings, seats_by_pairing, wins_figure, wins_table
from .sections.players import who

# Results about players ask for no change of the rules, so they have no colour.
BETTER, NOT_BETTER = Stamp("Each level beats the one below", ""), Stamp("Not in the order given", "")
ROOM = 5  # games of 100 beyond the interval that a claim about skill allows

# Sentences


def steps_of(matrix: pl.DataFrame) -> list[TableRow]:
    """Return of a matrix the pairings of each level with the one below it, the weakest first."""
    pairs = pairwise(matrix["row"].unique(maintain_order=True))
    return [matrix.row(by_predicate=_pairing(*pair), named=True) for pair in pairs][::-1]


def _pairing(row: str, column: str) -> pl.Expr:
    return (pl.col("row") == row) & (pl.col("column") == column)


def wins_of_levels(steps: Sequence[TableRow], seats: int) -> str:
    """Return what each level wins against the one below.

    >>> step = {"row": "b", "column": "a", "share": 0.7, "fair": 0.5}
    >>> wins_of_levels([step], 2)
    '“b” wins 70 games of 100 against “a”.'
    >>> wins_of_levels([step, step | {"share": 0.9}], 2)
    'Each level wins 70 and 90 games of 100 against the level below.'
    """
    won = f"{join_names(whole(step['share']) for step in steps)} games of 100"
    alone = "" if seats == 2 else " alone"
    even = "" if seats == 2 else f", where {fair_of_100(steps[0]['fair'])} would be even"
    if len(steps) == 1:
        (step,) = steps
        return f"{quoted(step['row'])} wins {won}{alone} against {_rivals(step['column'], seats)}{even}."
    below = "the level below" if seats == 2 else f"{in_words(seats - 1)} of the level below"
    return f"Each level wins {won}{alone} against {below}{even}."


def _rivals(level: str, seats: int) -> str:
    return quoted(level) if seats == 2 else f"{in_words(seats - 1)} {quoted(level)}"


def going_first(equal: TableRow, unequal: TableRow, seats: int) -> str:
    """Return what going first is worth to the highest level, among its like and against the level below.

    >>> row = {"row": "b", "column": "b", "worth": 0.05, "low": 0.04, "high": 0.06}
    >>> text = going_first(row, row | {"column": "a", "worth": 0.01, "low": 0.005, "high": 0.015}, 2)
    >>> text.partition(", and ")[0]
    'Going first is worth +5.0 percentage points (+4.0 to +6.0) between two “b”'
    >>> text.partition(", and ")[2]
    '+1.0 (+0.5 to +1.5) to “b” against “a”.'
    """
    first, second = (number(100 * row["worth"], sign=True) for row in (equal, unequal))
    ends, ends_against = (span(row["low"], row["high"], sign=True, scale=100) for row in (equal, unequal))
    alike = f"between {in_words(seats)} {quoted(equal['row'])}"
    against = f"to {quoted(unequal['row'])} against {_rivals(unequal['column'], seats)}"
    worth = f"Going first is worth {first} percentage points ({ends}) {alike}"
    return f"{worth}, and {second} ({ends_against}) {against}."


def farthest_worth(worths: Sequence[TableRow]) -> TableRow:
    """Return the pairing in which going first changes most, with an interval that holds for all of them."""
    farthest = max(worths, key=lambda row: abs(row["worth"]))
    wider = normal(1 - 0.05 / len(worths)) / normal(0.95)  # Dunn 1961
    ends = {end: farthest["worth"] + wider * (farthest[end] - farthest["worth"]) for end in ("low", "high")}
    return farthest | ends


def most_worth(row: TableRow, seats: int) -> str:
    """Return in which pairing going first is worth most, if that is surely anything.

    >>> row = {"row": "b", "column": "a", "worth": 0.09, "low": 0.07, "high": 0.11}
    >>> most_worth(row, 2), most_worth(row | {"low": -0.01, "high": 0.19}, 2)
    ('It is worth most to “b” against “a”: +9.0 (+7.0 to +11.0).', '')
    """
    if row["low"] <= 0 <= row["high"]:
        return ""
    who = f"to {quoted(row['row'])} against {_rivals(row['column'], seats)}"
    if row["row"] == row["column"]:
        who = f"between {in_words(seats)} {quoted(row['row'])}"
    worth = f"{number(100 * row['worth'], sign=True)} ({span(row['low'], row['high'], sign=True, scale=100)})"
    return f"It {'is worth' if row['low'] > 0 else 'costs'} most {who}: {worth}."


def open_steps(steps: Sequence[TableRow]) -> list[TableRow]:
    """Return the steps in which it is not sure which level is better."""
    return [step for step in steps if step["low"] <= step["fair"] <= step["high"]]


def worse_steps(steps: Sequence[TableRow]) -> list[TableRow]:
    """Return the steps in which the upper level is surely worse."""
    return [step for step in steps if step["high"] < step["fair"]]


def not_better(steps: Sequence[TableRow]) -> list[str]:
    """Return warnings on the levels that are not surely better than the one below."""
    kinds = {"Worse than the level below": worse_steps(steps)}
    kinds["Not shown to be better than the level below"] = open_steps(steps)
    return [
        f"{text}: {join_names(quoted(row['row']) for row in rows)}." for text, rows in kinds.items() if rows
    ]


def more_games(steps: Sequence[TableRow]) -> int:
    """Return about how many more games of a pairing show who is better, where that is open; 0 if unknown."""
    rows = open_steps(steps)
    needed = [games_needed(row | {"score": 0.5 + row["share"] - row["fair"]}) or 0 for row in rows]
    return max((count - row["games"] for count, row in zip(needed, rows, strict=True)), default=0)


def skill_stamp(steps: Sequence[TableRow]) -> Stamp:
    """Return whether every level is surely better than the one below."""
    if open_steps(steps):
        return not_known(max(0, more_games(steps)), each=True)
    return NOT_BETTER if worse_steps(steps) else BETTER


def claim_of(step: TableRow, seats: int) -> str:
    """Return a claim that a level wins about as much as it did, with room for the interval.

    >>> claim_of({"row": "b", "column": "a", "low": 0.655, "high": 0.745}, 2)
    'better player wins 60 to 80 with b over a in players 2'
    """
    low, high = floor(100 * step["low"]) - ROOM, ceil(100 * step["high"]) + ROOM
    over = f"{step['row']} over {step['column']} in players {seats}"
    return f"better player wins {max(0, low)} to {min(100, high)} with {over}"


# Figures, tables and the next step


LEVEL_HEADS = {
    "row": "level",
    "column": "level below",
    "share": Show("wins against it", "{:.1%}"),
    "worth": Show("going first at this level", points, "worth where all play so, in percentage points"),
}


def _levels_table(findings: Findings) -> Table:
    """Return a row per level: its wins against the level below, and what going first is worth to its like."""
    steps = pl.DataFrame(steps_of(skill_matrix(findings)), infer_schema_length=None)
    equal = seat_effects(findings).filter(pl.col("row") == pl.col("column"), seat=0).select("row", "worth")
    rows = steps.join(equal, on="row", maintain_order="left")
    names = "row column share low high games worth"
    return table(findings, rows, names, "From level to level, the weakest first", **LEVEL_HEADS)


def _skill_step(findings: Findings) -> Step:
    """Return more deals where a step is open, another order of levels, or a claim to lock."""
    run, steps = findings.run, steps_of(skill_matrix(findings))
    if open_steps(steps):
        each = steps[0]["games"] // steps[0]["deals"]
        deals = max(2 * run.experiment.deals, about(run.experiment.deals + max(0, more_games(steps)) // each))
        text = f"To see which levels differ, play on to {deals:,} deals of each pairing."
        return Step(text, more_command(run, "--deals", deals))
    if worse_steps(steps):
        wins = skill_matrix(findings).group_by("row").agg(pl.col("share").mean()).sort("share", "row")["row"]
        words = ["--levels", ", ".join(wins), "--seats", str(run.cells[0].seats), *game_words(run, [])]
        return Step(
            "Give the levels in this order.", command_again(run, "skill", run.experiment.game, *words)
        )
    top, labels = steps[-1], labels_of(findings)
    better, other = (quoted(labels.strategy(top[side])) for side in ("row", "column"))
    words = ["--claim", claim_of(top, run.cells[0].seats), *game_words(run, [])]
    text = f"Keep what {better} wins against {other}, with room for chance, as a target for changed rules."
    return Step(text, command_again(run, "lock", run.experiment.game, *words))


# Sections

SKILL_WORDS = {
    "Level": "a player of some skill. The levels are in the order in which they were given; figures have the "
    "strongest first.",
    "Wins": "the share of a player who sits alone among players of the other level, in each seat on the same "
    "deals, so that no level profits from its seats. A shared win counts its part.",
    "Worth of going first": "the share of a player in the first seat less its share over all seats of the "
    "same deals: +3 points between two equal players are 53 games of 100 for the first and 47 for the other.",
}


def skill_answer(findings: Findings) -> Section:
    """Return the brief."""
    seats, label = findings.run.cells[0].seats, labels_of(findings).label
    steps = label(pl.DataFrame(steps_of(skill_matrix(findings)))).rows(named=True)
    first = label(seat_effects(findings).filter(seat=0))
    top, below = steps[-1]["row"], steps[-1]["column"]
    equal, unequal = (first.row(by_predicate=_pairing(top, rival), named=True) for rival in (top, below))
    farthest = farthest_worth(distinct_pairings(first, seats).rows(named=True))
    texts = [going_first(equal, unequal, seats)]
    if {farthest["row"], farthest["column"]} not in ({top}, {top, below}):
        texts.append(most_worth(farthest, seats))
    doubts = [*not_better(steps), *same_players_sentences(findings), *warnings(findings)]
    summary = Summary(wins_of_levels(steps, seats), " ".join(filter(None, texts)), [], doubts)
    return Section(
        takeaways=takeaways_of(findings, summary, "skill_matrix", "seat_effects"),
        stamp=skill_stamp(steps),
        picture=wins_figure(findings),
        glance=_levels_table(findings),
        step=_skill_step(findings),
        warnings=summary.warnings,
        words=SKILL_WORDS,
    )


def every_pairing(findings: Findings) -> Section:
    """Return the wins of every level against every other."""
    return Section("All pairings", tables=[wins_table(findings)])


# The JSON document and the page


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    return study_document(findings, brief) | {
        "seed": findings.run.experiment.seed,
        "matrix": skill_matrix(findings).drop(ALWAYS, strict=False).rows(named=True),
        "seat_effects": seat_effects(findings).drop(ALWAYS, strict=False).rows(named=True),
    }


recipe = Recipe(
    "how often the better player wins",
    brief=[skill_answer],
    chapters={
        "What a seat is worth": [seats_by_pairing],
        "Every pairing": [every_pairing],
        "Players": [who, luck],
    },
    needs="a run of simkit skill",
    fits=lambda findings: skill_matrix(findings).width > 0,
    document=document,
)
