"""What other rules change, in sentences: rule sets against the baseline on the same deals."""

from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.words import distance, seat_name, span, tally
from simkit.words.compare import SURE, comparison_sentences
from simkit.words.labels import labels_of, rule_sets
from simkit.words.said import Row, Said

MOST_TOLD = 4  # further changes in a sentence
NAMES = {"fpa": "first-player advantage", "draw": "drawn games"}


class Change(NamedTuple):
    """What one rule set changes: the sentences, the first of them, the lineup's rows, the findings."""

    text: str
    lead: str
    rows: list[Row]
    rests: tuple[str, str]


def measure_name(measure: str, seat: int | None) -> str:
    """What is compared, in words.

    >>> measure_name("share", 0), measure_name("fpa", 0), measure_name("turns", None)
    ('share of the first seat', 'first-player advantage', 'turns')
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
    return f"{scale * row[key]:+.{digits}f}".replace("-", "−")


def changes(found: Findings) -> Iterator[Change]:
    """For each rule set: what it changes, whether it is fair; of several lineups together."""
    verdicts = dict(found.first_player_advantage.select(pl.col("cell").cast(pl.Int64), "verdict").iter_rows())
    labels = labels_of(found)
    rules, compared = rule_sets(found.run), labels.named(found.comparisons)
    for (setting,), part in found.comparisons.group_by("setting", maintain_order=True):
        named = compared.filter(pl.col("cell").is_in(part["cell"].unique().to_list()))
        named = named.with_columns(setting=pl.lit(labels.setting(rules[part["cell"][0]])))
        rows = [
            row | {"verdict": verdicts[row["cell"]], "before": verdicts[row["base"]]}
            for row in named.filter(measure="fpa").iter_rows(named=True)
        ]
        rests = f"comparisons.filter(setting={setting!r})", "first_player_advantage"
        if len(rows) > 1:
            lead = f"{_together(rows)} {_verdict(found, rows)}"
            yield Change(f"{lead} {_also_everywhere(named)}", lead, rows, rests)
        else:
            lead = f"{comparison_sentences(named, gain=False)[0]} {_verdict(found, rows)}"
            yield Change(f"{lead} {_sure(named.rows(named=True), compared.height)}", lead, rows, rests)


def _verdict(found: Findings, rows: list[Row]) -> str:
    """Whether the rule set is fair, and whether the baseline is."""
    every = [[row[key] for row in rows] for key in ("verdict", "before")]
    here, before = (kinds[0] if len(kinds) == 1 else tally(kinds) for kinds in every)
    return f"Verdict at ±{distance(found.run.experiment.margin)}: {here}; the baseline: {before}."


def _together(rows: list[Row]) -> str:
    """The rule set with all lineups: shares where these can be compared, and their change."""
    deals = [row["deals"] for row in rows]
    many = f"n = {min(deals):,} common deals each{' or more' * (max(deals) > min(deals))}"
    now, was = (_range([row[key] + 1 / row["seats"] for row in rows]) for key in ("value", "base_value"))
    start = f"With {rows[0]['setting']} the first seat gains or loses: "
    if len({row["seats"] for row in rows}) == 1:
        start = f"With {rows[0]['setting']} the first seat wins {now} % instead of {was} %: "
    change = (
        f"its share changes by {_range([row['difference'] for row in rows], sign=True)} percentage points"
    )
    ends = span(min(row["low"] for row in rows), max(row["high"] for row in rows), sign=True, scale=100)
    luck = sum(not differs(row) for row in rows)
    doubt = f"; with {luck} of them this may be noise" if luck else ""
    return f"{start}{change} with the {len(rows)} lineups (95 % intervals from {ends}, {many}{doubt})."


def _range(shares: list[float], sign: bool = False) -> str:
    """From the least to the most, in percent."""
    texts = [
        f"{100 * share:{'+' if sign else ''}.1f}".replace("-", "−") for share in (min(shares), max(shares))
    ]
    return " to ".join(dict.fromkeys(texts))


def _told(texts: list[str]) -> str:
    more = f"; and {len(texts) - MOST_TOLD} more in the tables" if len(texts) > MOST_TOLD else ""
    return "; ".join(texts[:MOST_TOLD]) + more


def _unit(row: Row) -> str:
    return " percentage points" if row["unit"] == "share" else ""


def _others(part: pl.DataFrame) -> pl.DataFrame:
    """What else than the shares is compared; many seats have many scores, so these come last."""
    return part.filter(~pl.col("measure").is_in(["share", "fpa"])).sort(
        pl.col("measure") == "score", maintain_order=True
    )


def _also_everywhere(part: pl.DataFrame) -> str:
    """What else changes beyond noise with every lineup, from the least to the most."""
    texts = []
    for rows in _others(part).partition_by("measure", "seat", maintain_order=True):
        found = rows.sort("difference").rows(named=True)
        if all(map(differs, found)):
            ends = " to ".join(dict.fromkeys(amount(row, "difference") for row in (found[0], found[-1])))
            texts.append(f"{measure_name(found[0]['measure'], found[0]['seat'])} {ends}{_unit(found[0])}")
    if not texts:
        return "Nothing else changes beyond noise with all of them."
    start = "Also changed beyond noise with every lineup (least to most, intervals in the tables)"
    return f"{start}: {_told(texts)}."


def _sure(rows: list[Row], looked_at: int) -> str:
    """What of the changes is more than noise, allowing for how many were looked at."""
    first = next(row for row in rows if row["measure"] == "fpa")
    doubt = ""
    if (first["low"] > 0 or first["high"] < 0) and not differs(first):
        p = p_value(first["p_adjusted"])
        p = p if p.startswith("<") else f"= {p}"
        doubt = (
            f"Allowing for all {looked_at} differences looked at this may still be luck (adjusted p {p}). "
        )
    others = [_also(row) for row in rows if row["measure"] not in ("share", "fpa") and differs(row)]
    if not others:
        return f"{doubt}All else that was compared may be noise."
    return f"{doubt}{'Also c' if differs(first) else 'C'}hanged beyond noise: {_told(others)}."


def _also(row: Row) -> str:
    ends = f"({amount(row, 'low')} to {amount(row, 'high')})"
    return f"{measure_name(row['measure'], row['seat'])} {amount(row, 'difference')}{_unit(row)} {ends}"


def pairing(found: Findings) -> Said:
    """What the same deals gained for the first seat."""
    rows = found.comparisons.filter((pl.col("measure") == "fpa") & pl.col("factor").is_finite()).sort(
        "factor"
    )
    text = "All rule sets were played on the same deals."
    if rows.height:
        low, high = rows["factor"][0], rows["factor"][-1]
        times = " to ".join(dict.fromkeys(f"{factor:.1f}" for factor in (low, high)))
        deals = f"n = {rows['deals'][-1]:,} deals"
        nothing = "the luck of the deals hardly decides who wins, or the rules change it all"
        more = "" if high >= 1.05 else f" (for the first seat it gained nothing: {nothing})"
        text += (
            f" For the first seat's advantage that was as good as {times} times as many deals played apart "
        )
        text += f"({deals}){more}."
    return Said(text, "comparisons.filter(measure='fpa')")
