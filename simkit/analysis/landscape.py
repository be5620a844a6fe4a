"""What the matchups of strategies say together: which matter, which are superfluous, who beats whom in a circle. Two seats."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from simkit.analysis.strategies import ranking, win_matrix
from simkit.stats import landscape as stats
from simkit.stats.alpha_rank import alpha_rank_limit

if TYPE_CHECKING:
    from simkit.runlog import Run

SCHEMA = {
    "setting": pl.String,
    "strategy": pl.String,
    "share": pl.Float64,
    "nash": pl.Float64,
    "against_nash": pl.Float64,
    "alpha_rank": pl.Float64,
    "dominated_by": pl.String,
    "strictly": pl.Boolean,
    "effective": pl.Float64,
    "cyclic_part": pl.Float64,
    "reason": pl.String,
}
CYCLES = {
    "setting": pl.String,
    "first": pl.String,
    "second": pl.String,
    "third": pl.String,
    "first_second": pl.Float64,
    "second_third": pl.Float64,
    "third_first": pl.Float64,
    "strength": pl.Float64,
    "low": pl.Float64,
}


MET = {
    "setting": pl.String,
    "strategy": pl.String,
    "opponent": pl.String,
    "result": pl.String,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


class Matchups(NamedTuple):
    """The matchups of a setting: share of the row against the column, with the ends of its interval; nan where they never met."""

    names: list[str]
    shares: np.ndarray
    low: np.ndarray
    high: np.ndarray
    reason: str | None  # why nothing follows from them


def landscape(run: Run) -> pl.DataFrame:
    """Per setting and strategy of games of two seats, the greatest Nash weight first.

    Columns: setting, strategy, share (mean against all others), nash (weight in the most even Nash equilibrium), against_nash (share
    against it), alpha_rank (mass), dominated_by (null: nothing), strictly (better against all by more than noise; else nowhere worse by
    the shares seen), effective (number of strategies), cyclic_part (0 a ladder, 1 rock-paper-scissors), reason (why there are no numbers).
    For nash and alpha_rank a matchup counts as even unless its interval leaves 1/2 out. Intervals hold for all matchups of a setting
    together (95 %, Bonferroni). A game that nobody won counts half for each.
    """
    found = [_landscape(setting, one) for setting, one in _matchups(run).items()]
    parts = [
        part.sort("nash", "share", descending=True, nulls_last=True, maintain_order=True) for part in found
    ]
    return pl.concat([*parts, _more_seats(run)]) if parts else _more_seats(run)


def cycles(run: Run, most: int = 20) -> pl.DataFrame:
    """Per setting: three strategies of which each beats the next and the last the first, beyond noise; the strongest first.

    Columns: setting, first, second, third, the three shares, strength (the least share above 1/2), low (the lower end of that).
    Noise: as `landscape`. At most `most` per setting.
    """
    rows = []
    for setting, found in _matchups(run).items():
        if found.reason is None or "never met" in found.reason:
            for cycle in stats.cycles(found.shares, found.low, most):
                ring = list(zip(cycle.strategies, (*cycle.strategies[1:], cycle.strategies[0]), strict=True))
                edges = [float(found.shares[edge]) for edge in ring]
                weakest = ring[int(np.argmin(edges))]
                rows.append(
                    (
                        setting,
                        *(found.names[i] for i in cycle.strategies),
                        *edges,
                        cycle.strength,
                        float(found.low[weakest]) - 0.5,
                    )
                )
    return pl.DataFrame(rows, schema=CYCLES, orient="row")


def matchups(run: Run) -> pl.DataFrame:
    """Per setting and pair: whether the strategy beats its opponent, loses to it, or neither beyond noise ("even").

    Columns: setting, strategy, opponent, result, share, low, high. Intervals hold for all matchups of a setting together, as `landscape`.
    Pairs that were not rotated are as they were played, seats and all.
    """
    rows = []
    for setting, found in _matchups(run).items():
        for i, j in np.argwhere(~np.isnan(found.shares) & ~np.eye(len(found.names), dtype=bool)):
            share, low, high = (float(part[i, j]) for part in (found.shares, found.low, found.high))
            result = "beats" if low > 0.5 else "loses to" if high < 0.5 else "even"
            rows += [(setting, found.names[i], found.names[j], result, share, low, high)]
    return pl.DataFrame(rows, schema=MET, orient="row")


def _matchups(run: Run) -> dict[str, Matchups]:
    """The matchups by setting."""
    table = win_matrix(run)
    settings = table["setting"].unique(maintain_order=True).to_list() if table.height else []
    return {setting: _matrix(table.filter(pl.col("setting") == setting)) for setting in settings}


def _matrix(table: pl.DataFrame) -> Matchups:
    names = table["row"].unique(maintain_order=True).to_list()
    places = {name: place for place, name in enumerate(names)}
    shares, low, high = (np.full((len(names),) * 2, np.nan) for _ in range(3))
    for part in (shares, low, high):
        np.fill_diagonal(part, 0.5)
    wider = NormalDist().inv_cdf(1 - 0.05 / table.height) / NormalDist().inv_cdf(
        0.975
    )  # a row per direction: 0.05/2 over height/2 pairs
    for row in table.iter_rows(named=True):
        at = places[row["row"]], places[row["column"]]
        shares[at] = row["share"]
        low[at] = max(0.0, row["share"] - wider * (row["share"] - row["low"]))
        high[at] = min(1.0, row["share"] + wider * (row["high"] - row["share"]))
    return Matchups(names, (shares + 1 - shares.T) / 2, low, high, _reason(table, names, shares))


def _reason(table: pl.DataFrame, names: list[str], shares: np.ndarray) -> str | None:
    fixed = table.filter(~pl.col("balanced")).select("row", "column").rows()
    if fixed:
        return f"{fixed[0][0]} and {fixed[0][1]} did not sit in each seat as often: seat and strategy cannot be told apart; rotate the lineup"
    apart = np.argwhere(np.isnan(shares))
    if len(apart):
        return f"{names[apart[0][0]]} and {names[apart[0][1]]} never met: let every strategy meet every other"
    return None


def _landscape(setting: str, found: Matchups) -> pl.DataFrame:
    if found.reason is not None:
        return _without(setting, found.names, found.reason)
    sure = stats.settled(found.shares, found.low, found.high)
    sure = (sure + 1 - sure.T) / 2
    nash, masses = stats.nash_average(sure), alpha_rank_limit(sure).limit
    margin = float((found.high - found.low).max()) / 2
    superfluous = {one.strategy: one for one in stats.dominated(found.shares, margin)}
    others = max(1, len(found.names) - 1)
    columns: dict[str, Any] = {
        "setting": [setting] * len(found.names),
        "strategy": found.names,
        "share": (found.shares.sum(axis=1) - 0.5) / others,
        "nash": np.round(nash.weights, 9),
        "against_nash": nash.shares,
        "alpha_rank": np.round(masses, 9),
        "dominated_by": [_by(found.names, superfluous.get(place)) for place in range(len(found.names))],
        "strictly": [
            superfluous[place].strictly if place in superfluous else None for place in range(len(found.names))
        ],
        "effective": [nash.effective] * len(found.names),
        "cyclic_part": [stats.decompose(found.shares).cyclic_part] * len(found.names),
        "reason": [None] * len(found.names),
    }
    return pl.DataFrame(columns, schema=SCHEMA)


def _by(names: list[str], one: stats.Dominated | None) -> str | None:
    """What dominates a strategy, in words."""
    if one is None:
        return None
    if len(one.by) == 1:
        return names[next(iter(one.by))]
    return " + ".join(
        f"{100 * weight:.0f} % {names[place]}"
        for place, weight in sorted(one.by.items(), key=lambda item: -item[1])
    )


def _without(setting: str, names: list[str], reason: str) -> pl.DataFrame:
    rows = [{"setting": setting, "strategy": name, "reason": reason} for name in names]
    return pl.DataFrame(rows, schema_overrides=SCHEMA).select(
        *(
            pl.col(name)
            if name in ("setting", "strategy", "reason")
            else pl.lit(None, dtype=kind).alias(name)
            for name, kind in SCHEMA.items()
        )
    )


def _more_seats(run: Run) -> pl.DataFrame:
    """Strategies of games of three seats and more: their shares only."""
    ranked = ranking(run)
    if not ranked.height or ranked["seats"].max() == 2:
        return pl.DataFrame(schema=SCHEMA)
    parts = []
    for (setting, seats), rows in ranked.filter(pl.col("seats") > 2).group_by(
        "setting", "seats", maintain_order=True
    ):
        blank = _without(
            str(setting),
            rows["strategy"].to_list(),
            f"games of {seats} seats have no matchups of two: see the ratings",
        )
        parts.append(blank.with_columns(rows["share"].alias("share")))
    return pl.concat(parts)
