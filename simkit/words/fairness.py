"""What a search for a fair value answers, in sentences: the value, the check on fresh deals, the doubts."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.fairness import POOLED
from simkit.stats import verdicts
from simkit.words.answer import TEAM, Side, side_of, tally
from simkit.words.labels import labels_of
from simkit.words.phrases import Row, distance, ends, listed, number, prose, seat_name, span

OFF = {verdicts.UNFAIR, verdicts.EASY, verdicts.HARD}
CHECKED = ("share", "farthest", "farthest_share", "deals", "verdict")
UNCHECKED = dict[str, Any].fromkeys(CHECKED)
SMOOTH = "holds if the shares change smoothly from one whole number to the next"


class Fair(NamedTuple):
    """The answer in a sentence, more sentences, what to beware of."""

    sentence: str
    details: list[str]
    warnings: list[str]


class Best(NamedTuple):
    """The best whole numbers of a lineup, or of all together, as they did on fresh deals."""

    values: list[Row]  # per option
    setting: str  # "20" of one option, else with the names of the options
    at: str  # "at 20" of one option, else "there"
    rows: list[Row]  # of the check, per lineup
    won: str  # by the first player (the team): "48 to 52 of 100"
    verdicts: list[str]


def fair_answer(found: Findings) -> Fair:
    """Whether there is a fair value, how sure that is, and how the best whole numbers did on fresh deals."""
    side, best = side_of(found.run), best_of(found, found.fair_values["lineup"][-1])
    apart = _depends(found, side)
    sentence = apart or (_one if len(best.values) == 1 else _several)(found, best, side)
    return Fair(sentence, list(_details(found, best, side)), list(_warnings(found, side)))


def best_of(found: Findings, wanted: str) -> Best:
    values = found.fair_values.filter(lineup=wanted).rows(named=True)
    rows, labels = found.fair_checks.filter(wanted=wanted).rows(named=True), labels_of(found)
    setting, at = f"{values[0]['best']}", f"at {values[0]['best']}"
    if len(values) > 1:
        at = "there"
        setting = labels.setting({row["option"]: row["best"] for row in values})
    won = of_100([row["share"] for row in rows]) if rows else ""
    return Best(values, setting, at, rows, won, [row["verdict"] for row in rows])


def best_table(found: Findings) -> pl.DataFrame:
    """`fair_values` with the shares, deals and verdict of each lineup on fresh deals.

    Of all lineups together the verdicts are counted; of several options the first row has these.
    """
    rows = []
    for (wanted,), values in found.fair_values.group_by("lineup", maintain_order=True):
        for place, value in enumerate(values.rows(named=True)):
            rows.append(value | (_checked(best_of(found, str(wanted))) if not place else UNCHECKED))
    return pl.DataFrame(rows, infer_schema_length=None)


def _checked(best: Best) -> Row:
    if len(best.rows) == 1:
        (row,) = best.rows
        return {name: row[name] for name in CHECKED}
    return UNCHECKED | {"verdict": tally(best.verdicts) if best.rows else "not checked"}


def all_seats(found: Findings) -> bool:
    """Whether one share does not say it all: three and more seats that play against each other."""
    return found.run.cells[0].seats > 2 and not found.run.team


def of_100(shares: list[float]) -> str:
    """Shares as games of a hundred, from the least to the most.

    >>> of_100([0.481, 0.519]), of_100([0.5])
    ('48 to 52 of 100', '50 of 100')
    """
    return f"{ends(f'{100 * min(shares):.0f}', f'{100 * max(shares):.0f}')} of 100"


def value_words(value: float) -> str:
    """A fair value with one decimal, if that says anything.

    >>> value_words(20.04), value_words(20.46)
    ('20', '20.5')
    """
    return number(value).removesuffix(".0")


def interval_words(low: float | None, high: float | None) -> str:
    """A 95 % interval in words; an end that lies beyond the range tried is open.

    >>> interval_words(19.41, 20.7), interval_words(None, 5), interval_words(None, None)
    ('19.4 to 20.7', 'up to 5.0', 'wider than the range tried')
    """
    if low is None:
        return "wider than the range tried" if high is None else f"up to {number(high)}"
    return f"from {number(low)} up" if high is None else span(low, high)


def _one(found: Findings, best: Best, side: Side) -> str:
    """Of one option: which value is fair, or that none is."""
    (row,) = best.values
    kinds, good = set(best.verdicts), side.verdicts[0]
    tried = f"from {row['least']} to {row['most']}"
    if row["value"] is None:
        if kinds == {good}:
            return f"{best.setting} is {_right(side)}, the best {tried}: {_then(found, best, side)}."
        if kinds <= OFF:
            return f"No value {tried} is {_right(side)}: nearest is {_nearest(found, best, side)}."
        return f"No value {tried} is known to be {_right(side)}: nearest is {_nearest(found, best, side)}."
    about = f"About {value_words(row['value'])}"
    sure = f"({interval_words(row['low'], row['high'])})"
    if kinds == {good}:
        return f"{about} is {_right(side)} {sure}: {_then(found, best, side)}."
    if not kinds <= OFF:
        seems = f"is nearest to {side.aim}" if kinds & OFF else f"looks {_right(side)}"
        return f"{about} {seems} {sure}: {_doubted(found, best, side)}."
    if all_seats(found):
        first = f"{about} gives the {seat_name(0)} its fair share {sure}"
        return f"{first}, yet no value {tried} is fair to all: {_farthest(best)}."
    return f"No whole number {tried} is {_right(side)}: nearest is {_nearest(found, best, side)}."


def _several(found: Findings, best: Best, side: Side) -> str:
    kinds, good = set(best.verdicts), side.verdicts[0]
    if kinds == {good}:
        return f"Fair is {best.setting}: {_then(found, best, side)}."
    if kinds <= OFF:
        return f"No values in these ranges are fair: nearest is {best.setting}, where {_farthest(best)}."
    return f"Nearest to fair is {best.setting}: {_doubted(found, best, side)}."


def _depends(found: Findings, side: Side) -> str:
    """Several lineups, each with a value that is fair for it, but none that is fair for all."""
    wanted, good = found.fair_values["lineup"].unique(maintain_order=True).to_list(), side.verdicts[0]
    each = {name: best_of(found, name) for name in wanted if name != POOLED}
    together = best_of(found, wanted[-1])
    own = all(one.verdicts == [good] for one in each.values())
    if len(each) < 2 or not own or set(together.verdicts) == {good}:
        return ""
    called = labels_of(found).of_column("lineup") or str
    said = listed(f"{one.setting} for {called(name)}" for name, one in each.items())
    return f"What is {_right(side)} depends on who plays: {said}."


def _right(side: Side) -> str:
    return "right" if side == TEAM else "fair"


def _then(found: Findings, best: Best, side: Side) -> str:
    if all_seats(found):
        return f"every seat then wins {of_100(seat_shares(found, best))}"
    return f"the {side.name} then wins {best.won}"


def _nearest(found: Findings, best: Best, side: Side) -> str:
    if all_seats(found):
        return f"{best.setting}, where {_farthest(best)}"
    return f"{best.setting}, where the {side.name} wins {best.won}"


def _doubted(found: Findings, best: Best, side: Side) -> str:
    there = f"{best.at} {_then(found, best, side).replace(' then', '')}"
    words = best.verdicts[0] if len(best.rows) == 1 else tally(best.verdicts)
    return f"{there} on fresh deals ({words})"


def _farthest(best: Best) -> str:
    row = max(best.rows, key=lambda one: abs(one["farthest_share"] - one["fair"]))
    fair = f"fair is {100 * row['fair']:.0f}"
    return f"the {seat_name(row['farthest'])} wins {of_100([row['farthest_share']])} ({fair})"


def seat_shares(found: Findings, best: Best) -> list[float]:
    """The shares of all seats at the best whole numbers, on fresh deals."""
    cells = [row["cell"] for row in best.rows]
    return found.seat_shares.filter(pl.col("cell").is_in(cells))["share"].to_list()


def _details(found: Findings, best: Best, side: Side) -> Iterator[str]:
    deals = ends(*(f"{pick(row['deals'] for row in best.rows):,}" for pick in (min, max)))
    sure = span(min(row["low"] for row in best.rows), max(row["high"] for row in best.rows), scale=100)
    usual = labels_of(found).setting({row["option"]: row["usual"] for row in best.values})
    each = "" if len(best.rows) == 1 else "s of the lineups together"
    yield prose(f"""On fresh deals {best.at} the 95 % interval{each} of the {side.name} is {sure} % at any
        look (n = {deals} deals). The rulebook has {usual}.""")
    if any(row["value"] is not None for row in best.values):
        yield f"A value between whole numbers {SMOOTH}; the check on fresh deals holds in any case."


def _warnings(found: Findings, side: Side) -> Iterator[str]:
    called, search = labels_of(found).of_column("lineup") or str, found.run.search
    values = found.fair_values.filter(pl.col("lineup") != POOLED)
    without = values.filter(pl.col("value").is_null())["lineup"].unique(maintain_order=True).to_list()
    named = [[f"{called(name)} ({_value(found, name)})" for name in pair] for pair in search["apart"]]
    pairs = list(map(" and ".join, named))
    if 0 < len(without) < values["lineup"].n_unique():
        pairs += [f"{called(name)} (none in the range)" for name in without]
    if pairs:
        what = "value that is right" if side == TEAM else "fair value"
        yield f"Lineups disagree on the {what}: {'; '.join(pairs)}. Judge by the players you expect."
    if search["unfit"]:
        names = listed(map(called, search["unfit"]))
        yield f"The curve does not fit well ({names}): trust the check more than the value and its interval."


def _value(found: Findings, lineup: str) -> str:
    values = found.fair_values.filter(lineup=lineup)["value"]
    return " / ".join(number(value) for value in values if value is not None and math.isfinite(value))


def title(found: Findings) -> str:
    """The finding in a few words, for a heading."""
    side, best = side_of(found.run), best_of(found, found.fair_values["lineup"][-1])
    kinds, row = set(best.verdicts), best.values[0]
    if kinds <= OFF and best.rows:
        tried = f" from {row['least']} to {row['most']}" if len(best.values) == 1 else " in these ranges"
        return f"No whole number{tried} is {_right(side)}"
    if kinds == {side.verdicts[0]}:
        return f"{best.setting} is {_right(side)}, on fresh deals too"
    return f"Nearest to {side.aim}: {best.setting}"


def seats_said(found: Findings) -> str:
    """Which seat gains most and which loses most at the best whole numbers of all lineups together."""
    best = best_of(found, found.fair_values["lineup"][-1])
    if set(best.verdicts) == {verdicts.FAIR}:
        return f"Every seat is within {distance(found.run.experiment.margin)} of fair"
    cells, off = [row["cell"] for row in best.rows], (pl.col("share") - pl.col("fair")).mean()
    means = found.seat_shares.filter(pl.col("cell").is_in(cells)).group_by("seat").agg(off=off).sort("off")
    (last, low), (first, high) = means.row(0), means.row(-1)
    gains = f"The {seat_name(first)} wins {100 * high:.0f} points more than fair"
    return f"{gains}, the {seat_name(last)} {-100 * low:.0f} less"


def checked_said(found: Findings) -> str:
    checked, good = found.first_player_advantage, side_of(found.run).verdicts[0]
    many, cases = checked.filter(verdict=good).height, checked.height
    if cases == 1:
        return f"On fresh deals: {checked['verdict'][0]}"
    return f"On fresh deals {many} of {cases} cases are {good}"
