"""Kingmaking: how often the choice of the seat in last place decides which other seat wins."""

import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.runs.kingmaking import FILE
from simkit.stats.deals import difference_from_moments, share_from_moments

KING_ENDS = [f"{name}{end}" for name in ("king", "others", "wins") for end in ("", "_low", "_high")]


@finding
def kingmaking(findings: Findings) -> pl.DataFrame:
    """Per cell of three or more seats and role: effect of late choices; empty unless the run measured it.

    A sample is a decision after two thirds of the turns, by the seat that alone is last (role last) or first
    (leader) at the end of the turn before, one of each per deal, in a random game. The game is continued
    eight times with the action taken and eight times with each alternative (three random ones if more),
    with the same eight redraws of later luck; cards shuffled earlier keep their order. others: how much more
    often the best of the other seats differs between two such games with different actions than with the same
    action, averaged over samples: 0 if luck alone decides, 1 if the action alone (`stats.gaps.between`).
    king: the same, with 0 for samples in which the seat wins one of these games: only a seat that can no
    longer win makes the king. wins: share of samples in which the seat wins one. NAME_low, NAME_high: 95 %
    interval; a deal has one sample of a role. choices: mean number of legal actions. games = deals: samples.
    """
    if not findings.run.experiment.kingmaking:
        return pl.DataFrame()
    rows = pl.read_parquet(findings.run.folder / FILE, glob=False)
    rows = rows.sort("cell", "role", descending=[False, True])
    parts = rows.partition_by("cell", "role", maintain_order=True)
    kinds = whole("cell") | texts("role") | reals("choices", *KING_ENDS) | whole("games", "deals")
    return findings.with_cells(pl.DataFrame(map(_kingmaking_row, parts), schema=kinds, orient="row"))


def _kingmaking_row(part: pl.DataFrame) -> tuple[object, ...]:
    n, wins = part.height, part["wins"].cast(pl.Float64)
    share = float(wins.mean())  # type: ignore[arg-type]
    won = share_from_moments(share, share * (1 - share) * n / max(1, n - 1), n, n)
    ends = *_mean_ends(part["others"] * (1 - wins)), *_mean_ends(part["others"]), *won[:3]
    return part["cell"][0], part["role"][0], part["choices"].mean(), *ends, n, n


def _mean_ends(values: pl.Series) -> list[float]:
    """Return a mean with its interval, cut off at 0, which the true value cannot fall below."""
    mean, variance = float(values.mean()), float(values.var() or 0)  # type: ignore[arg-type]
    estimate = difference_from_moments(mean, variance, 0, values.len(), bound=1)
    return [max(0.0, end) for end in estimate[:3]]
