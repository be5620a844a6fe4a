"""What other rules change, in sentences: rule sets against the baseline on the same deals."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.words.answer import SURE, tally
from simkit.words.labels import labels_of, rule_sets
from simkit.words.phrases import Row, Said, distance, ends, number, prose, seat_name, shares, span

MOST_TOLD = 4  # further changes in a sentence
NAMES = {"fpa": "first-player advantage", "draw": "drawn games"}
WINS = ("fpa", "team_wins")  # measures that say how often the first player, or the team, wins
IS_WIN, NOT_SEATS = pl.col("measure").is_in(WINS), ~pl.col("measure").is_in(["share", *WINS])


class Change(NamedTuple):
    """What one rule set changes: the sentences, the first of them, the lineup's rows, the findings."""

    text: str
    lead: str
    rows: list[Row]
    rests: tuple[str, str]


def measure_name(measure: str, seat: int | None) -> str:
    """What is compared, in words.

    >>> measure_name("share", 0), measure_name("fpa", 0), measure_name("turns", None)
    ('share of the first player', 'first-player advantage', 'turns')
    """
    name = NAMES.get(measure, measure.replace("_", " "))
    return name if seat is None or measure == "fpa" else f"{name} of the {seat_name(seat)}"


def p_value(value: float) -> str:
    """How often luck alone would do as much.

    >>> p_value(0.00012), p_value(0.0312)
    ('< 0.001', '0.031')
    """
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def differs(row: Row) -> bool:
    """Whether a difference is more than noise, allowing for all differences looked at."""
    return bool(row["p_adjusted"] < SURE)


def amount(row: Row, key: str) -> str:
    """A difference in the unit of its measure."""
    scale, digits = (100, 1) if row["unit"] == "share" else (1, 2)
    return number(scale * row[key], digits, sign=True)


def comparison_sentences(table: pl.DataFrame, gain: bool = True) -> list[str]:
    """What `comparisons` says of the first player (the team); with `gain` what common deals were worth."""
    return [_sentence(row, gain) for row in table.filter(IS_WIN).rows(named=True)]


def _won(row: Row, key: str) -> float:
    """The share of the first player, or of the team."""
    return float(row[key] + 1 / row["seats"] if row["measure"] == "fpa" else row[key])


def _who(row: Row) -> str:
    return "first player" if row["measure"] == "fpa" else "team"


def _sentence(row: Row, gain: bool) -> str:
    here, before = (100 * _won(row, name) for name in ("value", "base_value"))
    change = "no change"
    if row["difference"]:
        more = "more" if row["difference"] > 0 else "less"
        change = f"{abs(100 * row['difference']):.1f} percentage points {more}"
    doubt = "" if differs(row) and not row["low"] <= 0 <= row["high"] else "; this may be luck"
    worth = gain and row["factor"] and math.isfinite(row["factor"])
    paired = f"; common deals were worth {row['factor']:.1f} times as many" if worth else ""
    sure = f"95 % interval {amount(row, 'low')} to {amount(row, 'high')}, n = {row['deals']:,} common deals"
    return prose(f"""With {row["setting"]} the {_who(row)} wins {here:.1f} % instead of {before:.1f} %
        ({row["lineup"]}): {change} ({sure}{doubt}{paired}).""")


def changes(found: Findings) -> Iterator[Change]:
    """For each rule set: what it changes, whether it is fair; of several lineups together."""
    verdicts = dict(found.first_player_advantage.select(pl.col("cell").cast(pl.Int64), "verdict").iter_rows())
    labels, rules = labels_of(found), rule_sets(found.run)
    for (setting,), part in found.comparisons.group_by("setting", maintain_order=True):
        named = labels.named(part).with_columns(setting=pl.lit(labels.setting(rules[part["cell"][0]])))
        cells = {"verdict": pl.col("cell"), "before": pl.col("base")}
        known = {name: cell.replace_strict(verdicts, return_dtype=pl.String) for name, cell in cells.items()}
        rows = named.filter(IS_WIN).with_columns(**known).rows(named=True)
        if len(rows) > 1:
            what, more = _together(rows), _also_everywhere(named)
        else:
            (what,) = comparison_sentences(named, gain=False)
            more = _sure(named.rows(named=True), found.comparisons.height)
        lead = f"{what} {_verdict(found, rows)}"
        rests = f"comparisons.filter(setting={setting!r})", "first_player_advantage"
        yield Change(f"{lead} {more}", lead, rows, rests)


def _verdict(found: Findings, rows: list[Row]) -> str:
    every = [[row[key] for row in rows] for key in ("verdict", "before")]
    here, before = (kinds[0] if len(kinds) == 1 else tally(kinds) for kinds in every)
    return f"Verdict at ±{distance(found.run.experiment.margin)}: {here}; the baseline: {before}."


def _together(rows: list[Row]) -> str:
    """The rule set with all lineups: shares where these can be compared, and their change."""
    deals = [row["deals"] for row in rows]
    many = f"n = {min(deals):,} common deals each{' or more' * (max(deals) > min(deals))}"
    now, was = (shares([_won(row, key) for row in rows]) for key in ("value", "base_value"))
    who = _who(rows[0])
    start = f"With {rows[0]['setting']} the {who} gains or loses: "
    if who == "team" or len({row["seats"] for row in rows}) == 1:
        start = f"With {rows[0]['setting']} the {who} wins {now} % instead of {was} %: "
    points = shares([row["difference"] for row in rows], sign=True)
    around = span(min(row["low"] for row in rows), max(row["high"] for row in rows), sign=True, scale=100)
    luck = sum(not differs(row) for row in rows)
    doubt = f"; with {luck} of them this may be noise" if luck else ""
    return prose(f"""{start}its share changes by {points} percentage points with the {len(rows)} lineups
        (95 % intervals from {around}, {many}{doubt}).""")


def _told(texts: list[str]) -> str:
    more = f"; and {len(texts) - MOST_TOLD} more in the tables" if len(texts) > MOST_TOLD else ""
    return "; ".join(texts[:MOST_TOLD]) + more


def _change(row: Row, by: str) -> str:
    unit = " percentage points" if row["unit"] == "share" else ""
    return f"{measure_name(row['measure'], row['seat'])} {by}{unit}"


def _also_everywhere(part: pl.DataFrame) -> str:
    """What else changes beyond noise with every lineup, from the least to the most; scores come last."""
    others = part.filter(NOT_SEATS).sort(pl.col("measure") == "score", maintain_order=True)
    texts = []
    for some in others.partition_by("measure", "seat", maintain_order=True):
        rows = some.sort("difference").rows(named=True)
        if all(map(differs, rows)):
            least, most = (amount(row, "difference") for row in (rows[0], rows[-1]))
            texts.append(_change(rows[0], ends(least, most)))
    if not texts:
        return "Nothing else changes beyond noise with all of them."
    start = "Also changed beyond noise with every lineup (least to most, intervals in the tables)"
    return f"{start}: {_told(texts)}."


def _sure(rows: list[Row], looked_at: int) -> str:
    """What of the changes is more than noise, allowing for how many were looked at."""
    first = next(row for row in rows if row["measure"] in WINS)
    doubt = ""
    if not (first["low"] <= 0 <= first["high"] or differs(first)):
        p = p_value(first["p_adjusted"])
        luck = f"this may still be luck (adjusted p {p if p.startswith('<') else f'= {p}'})"
        doubt = f"Allowing for all {looked_at} differences looked at {luck}. "
    others = [_also(row) for row in rows if row["measure"] not in ("share", *WINS) and differs(row)]
    if not others:
        return f"{doubt}All else that was compared may be noise."
    return f"{doubt}{'Also c' if differs(first) else 'C'}hanged beyond noise: {_told(others)}."


def _also(row: Row) -> str:
    return f"{_change(row, amount(row, 'difference'))} ({amount(row, 'low')} to {amount(row, 'high')})"


def pairing(found: Findings) -> Said:
    fpa = found.comparisons.filter(IS_WIN & pl.col("factor").is_finite())
    text, rows = "All rule sets were played on the same deals.", fpa.sort("factor").rows(named=True)
    if rows:
        least, most = rows[0]["factor"], rows[-1]["factor"]
        times = f"{ends(f'{least:.1f}', f'{most:.1f}')} times as many deals played apart"
        nothing = "the luck of the deals hardly decides who wins, or the rules change it all"
        who, of = _who(rows[0]), rows[0]["measure"]
        what = "the first player's advantage" if of == "fpa" else "the team's share"
        more = "" if most >= 1.05 else f" (for the {who} it gained nothing: {nothing})"
        many = f"n = {rows[-1]['deals']:,} deals"
        text += f" For {what} that was as good as {times} ({many}){more}."
        return Said(text, f"comparisons.filter(measure='{of}')")
    return Said(text, "comparisons")
