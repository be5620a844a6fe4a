"""What a search for a fair value said: values, the check on fresh deals, measured points, curves."""

from typing import Any

import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import lineup_words
from simkit.errors import UsageError

POOLED = "all lineups together"  # in place of a lineup


@finding
def fair_values(findings: Findings) -> pl.DataFrame:
    """Of a search, per lineup (at last all together) and option: the fair value, the best whole number.

    value: null where the range tried, `least` to `most`, surely holds none; low, high: its 95 % interval, of
    one option at values that were played, null at an end that lies beyond the range; usual: the value that
    the game has otherwise.
    """
    search = findings.run.search
    if not search:
        return pl.DataFrame()
    _check(findings, search)
    kinds = texts("lineup", "option") | reals("value", "low", "high") | whole("best")
    option, ranges = pl.col("option"), search["vary"]
    ends = {"least": {name: low for name, (low, _) in ranges.items()}}
    ends |= {"most": {name: high for name, (_, high) in ranges.items()}, "usual": search["usual"]}
    of_option = {head: option.replace_strict(values, return_dtype=pl.Int64) for head, values in ends.items()}
    return pl.DataFrame(search["values"], schema=kinds).with_columns(**of_option)


def _check(findings: Findings, search: dict[str, Any]) -> None:
    """Refuse values of other lineups than those that played, or whose best was not checked."""
    run = (findings.whole or findings).run
    played, last = {lineup_words(cell.labels) for cell in run.cells}, search["values"][-1]["lineup"]
    others = {row["lineup"] for row in search["values"]} - played - {POOLED}
    best = {row["option"]: row["best"] for row in search["values"] if row["lineup"] == last}
    pooled = last == POOLED and len(played) > 1
    if others or not (pooled or played == {last}) or all(cell.varied != best for cell in run.cells):
        raise UsageError(f"{run.place}: search.json is not the answer of a search that this run has checked")


@finding
def fair_checks(findings: Findings) -> pl.DataFrame:
    """Of a search: `first_player_advantage` on fresh deals at the best whole numbers of each lineup.

    wanted: whose best they are; of all lineups together there is a row for every lineup.
    """
    if not findings.fair_values.width:
        return pl.DataFrame()
    first, parts = findings.first_player_advantage, []
    for (wanted,), values in findings.fair_values.group_by("lineup", maintain_order=True):
        best = dict(values.select("option", "best").iter_rows())
        at_best = first.filter(pl.col(name) == value for name, value in best.items())
        own = at_best if wanted == POOLED else at_best.filter(lineup=wanted)
        parts.append(own.select(pl.lit(wanted).alias("wanted"), pl.all()))
    return pl.concat(parts)


@finding
def fair_points(findings: Findings) -> pl.DataFrame:
    """Of a search: the share of each seat (of a team) at each setting of each look, with 95 % interval."""
    return pl.DataFrame(findings.run.search.get("points", []), infer_schema_length=None)


@finding
def fair_curve(findings: Findings) -> pl.DataFrame:
    """Of a search: the fitted share of each seat at places `x` of each option; its 95 % band, if known."""
    kinds = texts("lineup", "option") | whole("seat") | reals("x", "share", "low", "high")
    curve = findings.run.search.get("curve", [])
    return pl.DataFrame(curve, schema=kinds) if curve else pl.DataFrame()
