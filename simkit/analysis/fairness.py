"""Results of a search for fair values: values, checks on fresh deals, measured points, fitted curves."""

import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.seats import advantage_less_bias

POOLED = "all lineups together"  # stands in the lineup column


@finding
def fair_values(findings: Findings) -> pl.DataFrame:
    """Per lineup (all combined last) and option of a search: the fair value and the best whole number.

    value: null where the searched range, `least` to `most`, surely contains none; low, high: its 95 %
    interval, for a single option at values that were played, null at an end beyond the range; usual: the
    value that the game has otherwise.
    """
    if findings.run.kind != "fair":
        return pl.DataFrame()
    search = findings.run.search
    kinds = texts("lineup", "option") | reals("value", "low", "high") | whole("best")
    option, ranges = pl.col("option"), search.vary
    ends = {"least": {name: low for name, (low, _) in ranges.items()}}
    ends |= {"most": {name: high for name, (_, high) in ranges.items()}, "usual": search.usual}
    of_option = {head: option.replace_strict(values, return_dtype=pl.Int64) for head, values in ends.items()}
    return pl.DataFrame(list(map(dict, search.values)), schema=kinds).with_columns(**of_option)


@finding
def fair_checks(findings: Findings) -> pl.DataFrame:
    """Per cell at the best whole numbers of a lineup: `first_player_advantage` on fresh deals.

    Shares are corrected for the bias of stopping. wanted: the lineup for which these numbers are best; all
    lineups combined have a row for every lineup.
    """
    if not findings.fair_values.width:
        return pl.DataFrame()
    first, parts = advantage_less_bias(findings), []
    for (wanted,), values in findings.fair_values.group_by("lineup", maintain_order=True):
        best = dict(values.select("option", "best").iter_rows())
        at_best = first.filter(pl.col(name) == value for name, value in best.items())
        own = at_best if wanted == POOLED else at_best.filter(lineup=wanted)
        parts.append(own.select(pl.lit(wanted).alias("wanted"), pl.all()))
    return pl.concat(parts)


@finding
def fair_points(findings: Findings) -> pl.DataFrame:
    """Per setting and interim analysis of a search: share of each seat (of a team), with 95 % interval."""
    rows = findings.run.search.points if findings.run.kind == "fair" else []
    return pl.DataFrame(list(map(dict, rows)), infer_schema_length=None)


@finding
def fair_curve(findings: Findings) -> pl.DataFrame:
    """Per option of a search and seat: fitted share at places `x`, and its 95 % band if available."""
    kinds = texts("lineup", "option") | whole("seat") | reals("x", "share", "low", "high")
    rows = findings.run.search.curve if findings.run.kind == "fair" else []
    return pl.DataFrame(list(map(dict, rows)), schema=kinds) if rows else pl.DataFrame()
