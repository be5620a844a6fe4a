"""Kingmaking: how often the choice of the seat in last place decides who of the others wins."""

import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.runs.extras.kingmaking import FILE
from simkit.stats.deals import difference_from_moments, share_from_moments

ENDS = [f"{name}{end}" for name in ("king", "others", "wins") for end in ("", "_low", "_high")]


@finding
def kingmaking(findings: Findings) -> pl.DataFrame:
    """Per cell of three seats and more, and role: what late choices change; empty unless it was asked for.

    A sample: a decision after two thirds of the turns, by the seat that alone has the least score at the end
    of the last turn (role last) or the best (leader), one of each per deal and game at random. The game is
    played on eight times with the action taken and eight times with each other one (of more than three,
    three at random); luck after the decision is drawn anew, the same eight times for each action. What was
    shuffled before stays as it lay. others: how much more often two such games differ in who is best of the
    others if the actions differ than if not, P(differ | two actions) − P(differ | one action): 0 where it
    hangs on luck alone, 1 where on the action alone (formula: `stats.gaps.between`), the mean over samples.
    king: the same, with 0 for samples in which the seat wins one of these games: who can no longer win makes
    the king. wins: the share of samples in which the seat wins one. NAME_low, NAME_high: 95 %, clustered by
    deal, a deal having one sample of a role. choices: legal actions, mean. games = deals: samples.
    """
    if not findings.run.experiment.kingmaking:
        return pl.DataFrame()
    rows = pl.read_parquet(findings.run.folder / FILE, glob=False)
    groups = rows.sort("cell", "role", descending=[False, True]).partition_by(
        "cell", "role", maintain_order=True
    )
    table = [_row(part) for part in groups]
    kinds = whole("cell") | texts("role") | reals("choices", *ENDS) | whole("games", "deals")
    return findings.with_cells(pl.DataFrame(table, schema=kinds, orient="row"))


def _row(part: pl.DataFrame) -> tuple[object, ...]:
    n, wins = part.height, pl.col("wins").cast(pl.Float64)
    ends = [*_ends(part.select(pl.col("others") * (1 - wins))), *_ends(part.select("others"))]
    share = float(part.select(wins.mean()).item())
    ends += share_from_moments(share, share * (1 - share) * n / max(1, n - 1), n, n)[:3]
    return part["cell"][0], part["role"][0], part["choices"].mean(), *ends, n, n


def _ends(values: pl.DataFrame) -> list[float]:
    """A mean of what cannot be less than 0, but as chance has it, with its interval."""
    mean, spread = float(values.mean().item()), float(values.var().item() or 0)
    estimate = difference_from_moments(mean, spread, 0, values.height, bound=1)
    return [max(0.0, end) for end in estimate[:3]]
