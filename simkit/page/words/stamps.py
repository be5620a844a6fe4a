"""The stamp of a page: the decision in a few words."""

import math
from collections.abc import Sequence

import polars as pl

from simkit.page.document.parts import Stamp
from simkit.page.words.numbers import TableRow, capital, join_names, roughly
from simkit.page.words.verdicts import games_that_settle, holds
from simkit.stats.verdicts import BORDERLINE, FAIR, FAULTY, GOOD, INNER, NOT_SETTLED, OFF, OUTER, UNFAIR
from simkit.tables.fairness import answered
from simkit.tables.findings import Findings, cells
from simkit.tables.rungs import rung_answers

CHANGE, KEEP = Stamp("Change it", "change"), Stamp("Keep it", "keep")
NO_DIFFERENCE = Stamp("No meaningful difference", "keep")
MIN_MORE = 100  # fewest further games that a stamp asks for
MAX_RATIO = 100  # widest half interval, in leads, from which the games that settle a match are estimated
STRONGER, NOT_STRONGER = "H1", "H0"  # decisions of the test of a match


def not_known(more: float | None = None, each: bool = False) -> Stamp:
    """Return the stamp of an open question; `more` games would settle it, or so many of each case."""
    count = f"{'up to ' if each else ''}{roughly(math.ceil(more or 0))}"
    games = f" (play {count} more games{' each' if each else ''})" if more else ""
    return Stamp(f"Not known yet{games}", "open")


def fairness_stamp(cases: Sequence[TableRow], more: float | None = None) -> Stamp:
    """Return whether to change or to keep a rule by what is certain of it (`verdict`, `near`) by players.

    One verdict of UNFAIR is enough for a change. A rule that `holds` is kept.
    """
    kinds = {row["verdict"] for row in cases}
    if kinds & set(OFF):
        return CHANGE
    if holds(cases):
        return KEEP
    return not_known(more if kinds & {NOT_SETTLED, FAULTY} else None, each=len(cases) > 1)


def answer_stamp(findings: Findings) -> Stamp | None:
    """Return the stamp of the setting that a run is about; a team without a target has none.

    Nor have games of competitors of whom each kept a seat. If the run has a ladder, its two highest rungs
    decide.
    """
    rows, answers = answered(findings), rung_answers(findings).rows(named=True)
    mixed = cells(findings).filter(~pl.col("balanced"), pl.col("cell").is_in(rows["cell"].implode()))
    if not findings.run.judged or (mixed.height and not findings.run.team):
        return None
    if here := [row for row in answers if row["setting"] in set(rows["setting"])]:
        return stamp_of_rungs(highest_two(here), findings.run.experiment.margin)
    return fairness_stamp(rows.rows(named=True), more_games(rows))


def more_games(rows: pl.DataFrame) -> float:
    """Return the further games that would settle the last open case; 0 where that is unknown."""
    total = games_that_settle(rows) if rows.height else None
    return max(MIN_MORE, total - rows.filter(verdict=NOT_SETTLED)["games"][0]) if total else 0


def games_by_interval(row: TableRow, margin: float) -> float:
    """Return about how many games would settle by its interval how far a share is from fair."""
    off, half = abs(row["share"] - row["fair"]), (row["high"] - row["low"]) / 2
    room = max(abs(off - margin), min(off - INNER * margin, OUTER * margin - off))
    return float(row["deals"] * (half / room) ** 2)


def highest_two(answers: Sequence[TableRow]) -> list[TableRow]:
    """Return the answers of the two highest rungs of a ladder, which decide."""
    highest = max(row["rung"] for row in answers)
    return [row for row in answers if row["rung"] >= highest - 1]


def stamp_of_rungs(answers: Sequence[TableRow], margin: float) -> Stamp:
    """Return the decision by the answers of the highest rungs of a ladder, one or more seats each."""
    more = [games_by_interval(row, margin) - row["deals"] for row in answers if row["verdict"] == NOT_SETTLED]
    cases = [row | {"near": row["verdict"] in (*GOOD, BORDERLINE)} for row in answers]
    return fairness_stamp(cases, max([MIN_MORE, *more]))


def match_stamp(row: TableRow) -> Stamp:
    """Return which of two strategies is stronger, by the interval of the score and the test, if any."""
    if row["same"]:
        return NO_DIFFERENCE
    if row["decision"] == STRONGER or row["low"] > 0.5:
        return Stamp(f"{capital(row['strategy'])} is stronger", "change")
    if row["high"] < 0.5:
        return Stamp(f"{capital(row['opponent'])} is stronger", "change")
    if row["decision"] == NOT_STRONGER:
        return NO_DIFFERENCE
    needed = games_needed(row) if row["decision"] is None else None
    return not_known(needed and needed - row["games"])


def games_needed(row: TableRow) -> int | None:
    """Return about how many games would settle a match if the score stays as it is; None for an even score.

    >>> row = {"score": 0.51, "low": 0.49, "high": 0.53, "games": 2500}
    >>> games_needed(row), games_needed(row | {"score": 0.5})
    (10000, None)
    """
    off = abs(row["score"] - 0.5)
    ratio = (row["high"] - row["low"]) / 2 / off if off else math.inf
    return round(row["games"] * ratio**2) if ratio < MAX_RATIO else None


def value_stamp(value: str, cases: Sequence[TableRow], more: float | None = None) -> Stamp:
    """Return whether to use a value, by what is certain of it on fresh deals."""
    stamp = fairness_stamp(cases, more)
    if stamp == CHANGE:
        return Stamp("No fair value in range", "change")
    return Stamp(f"Use {value}", "keep") if stamp == KEEP else stamp


def comparison_stamp(fair: bool, nearer: int, farther: int, lineups: int, more: float = 0) -> Stamp:
    """Return whether to change to the best other rule set.

    fair: whether the baseline is. nearer, farther: numbers of lineups with which the other rule
    set is nearer to fair than the baseline, or farther, beyond luck. more: games that settle open cases.
    """
    if fair or farther == lineups:
        return KEEP
    return CHANGE if nearer == lineups else not_known(more, each=True)


def stamp_of_sizes(stamps: dict[int, Stamp], more: float | None = None) -> Stamp:
    """Return the stamp of a comparison from that of each number of players; `more` games settle open ones."""
    if len(set(stamps.values())) == 1:
        return next(iter(stamps.values()))
    if change := [str(seats) for seats, stamp in stamps.items() if stamp == CHANGE]:
        return Stamp(f"Change it with {join_names(change)} players", "change")
    return not_known(more, each=True)


def equilibrium_stamp(rows: Sequence[TableRow], margin: float) -> Stamp:
    """Return whether the first player's share is fair if both sides choose best."""
    row = min(rows, key=lambda row: abs(row["share"] - row["fair"]))
    low, high = row["low"] - row["fair"], row["high"] - row["fair"]
    nearest, farthest, verdict = max(low, -high), max(high, -low), NOT_SETTLED
    if nearest > INNER * margin and farthest < OUTER * margin:
        verdict = BORDERLINE
    if nearest > margin or farthest < margin:
        verdict = UNFAIR if nearest > margin else FAIR
    if verdict == NOT_SETTLED:
        return not_known(games_by_interval(row, margin) - row["deals"], each=True)
    cases = [{"verdict": verdict, "near": farthest < OUTER * margin}]
    return fairness_stamp(cases) if len(rows) == 1 else value_stamp(row["setting"], cases)
