"""Landscape of two-seat matchups: which strategies matter, and cycles of strategies that beat each other."""

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit.stats import landscape as stats
from simkit.stats.quantiles import normal
from simkit.tables.findings import Findings, finding
from simkit.tables.players import ranking, win_matrix
from simkit.tables.reading import marked, reals, text_columns, widened

LANDSCAPE_SCHEMA = text_columns("setting", "strategy") | reals("share", "nash", "against_nash")
LANDSCAPE_SCHEMA |= text_columns("dominated_by") | {"strictly": pl.Boolean()}
LANDSCAPE_SCHEMA |= reals("cyclic_part") | text_columns("reason")
CYCLES_SCHEMA = text_columns("setting", "first", "second", "third")
CYCLES_SCHEMA |= reals("first_second", "second_third", "third_first", "strength", "low")
MATCHUPS_SCHEMA = text_columns("setting", "strategy", "opponent", "result") | reals("share", "low", "high")
MAX_CYCLES = 20  # per setting
SEATS_DIFFER = "seats differ"  # result of a pair whose seats cannot be told from its strategies


class Matchups(NamedTuple):
    """Matchups of a setting: shares of row against column with intervals; nan for pairs that never met."""

    names: list[str]
    shares: np.ndarray
    low: np.ndarray
    high: np.ndarray
    balanced: np.ndarray  # whether each strategy of a pair sat in each seat equally often
    reason: str | None  # why there is no landscape


@finding
def landscape(findings: Findings) -> pl.DataFrame:
    """Per setting and strategy of two-seat games: Nash weight (greatest first), dominance and related scores.

    nash: weight in the maximum-entropy Nash equilibrium; against_nash: share against it; dominated_by: null
    if undominated; strictly: better against all by more than noise, else nowhere worse; cyclic_part: 0 for a
    ladder, 1 for rock-paper-scissors; reason: why there are no numbers. For nash a matchup counts as
    even unless its interval excludes 1/2. Intervals hold for all matchups of a setting simultaneously (95 %,
    Bonferroni). A game without winner counts half for each seat. Games of more seats have shares only.
    """
    parts = [_landscape(setting, pairs) for setting, pairs in findings.cached(_matchups).items()]
    if not ranking(findings).is_empty():
        reason = pl.format("games of {} seats have no matchups of two: see the ratings", "seats")
        more = ranking(findings).filter(pl.col("seats") > 2)
        parts.append(more.select("setting", "strategy", "share", reason=reason))
    return pl.concat([pl.DataFrame(schema=LANDSCAPE_SCHEMA), *parts], how="diagonal")


@finding
def cycles(findings: Findings) -> pl.DataFrame:
    """Per setting: three strategies of which each beats the next and the last the first, strongest first.

    strength: the smallest share above 1/2; low: its lower end, as in `landscape`. At most MAX_CYCLES per
    setting.
    """
    rows = []
    for setting, pairs in findings.cached(_matchups).items():
        rings = stats.cycles(pairs.shares, pairs.low, MAX_CYCLES) if pairs.balanced.all() else []
        for (a, b, c), strength in rings:
            ring, names = [(a, b), (b, c), (c, a)], [pairs.names[i] for i in (a, b, c)]
            edges = [float(pairs.shares[edge]) for edge in ring]
            low = float(pairs.low[ring[int(np.argmin(edges))]]) - 0.5
            rows.append((setting, *names, *edges, strength, low))
    return marked(pl.DataFrame(rows, schema=CYCLES_SCHEMA, orient="row"), findings.always)


@finding
def matchups(findings: Findings) -> pl.DataFrame:
    """Per setting and pair: whether the strategy beats its opponent, loses to it, or neither is settled.

    Intervals: as in `landscape`. result: "seats differ" for a pair that did not sit in each seat equally
    often; its share is as played, with the effect of the seats.
    """
    rows = []
    for setting, pairs in findings.cached(_matchups).items():
        for i, j in np.argwhere(~np.isnan(pairs.shares) & ~np.eye(len(pairs.names), dtype=bool)):
            share, low, high = (float(part[i, j]) for part in (pairs.shares, pairs.low, pairs.high))
            result = "beats" if low > 0.5 else "loses to" if high < 0.5 else "not settled"
            result = result if pairs.balanced[i, j] else SEATS_DIFFER
            rows.append((setting, pairs.names[i], pairs.names[j], result, share, low, high))
    return marked(pl.DataFrame(rows, schema=MATCHUPS_SCHEMA, orient="row"), findings.always)


def _matchups(findings: Findings) -> dict[str, Matchups]:
    """Return the matchups of each setting."""
    matrix = win_matrix(findings)
    parts = matrix.partition_by("setting", maintain_order=True) if matrix.width else []
    return {part["setting"][0]: _matchups_of_setting(part) for part in parts}


def _matchups_of_setting(table: pl.DataFrame) -> Matchups:
    names = table["row"].unique(maintain_order=True).to_list()
    shares, low, high = (np.where(np.eye(len(names)), 0.5, np.nan) for _ in range(3))
    balanced = np.ones_like(shares, np.bool_)
    wider = normal(1 - 0.1 / table.height) / normal(0.95)  # one row per direction: 0.05 over height/2 pairs
    for row in table.iter_rows(named=True):
        at = names.index(row["row"]), names.index(row["column"])
        shares[at], low[at], high[at] = row["share"], *widened(row["share"], row["low"], row["high"], wider)
        balanced[at] = row["balanced"]
    both = (shares + 1 - shares.T) / 2
    return Matchups(names, both, low, high, balanced, _reason(table, names, shares))


def _reason(table: pl.DataFrame, names: list[str], shares: np.ndarray) -> str | None:
    """Return why a win matrix has no landscape, or None if it has one."""
    message = "did not sit in each seat as often: seat and strategy cannot be told apart; rotate the lineup"
    for first, second in table.filter(~pl.col("balanced")).select("row", "column").rows():
        return f"{first} and {second} {message}"
    for i, j in np.argwhere(np.isnan(shares)):
        return f"{names[i]} and {names[j]} never met: let every strategy meet every other"
    return None


def _landscape(setting: str, pairs: Matchups) -> pl.DataFrame:
    if pairs.reason is not None:
        return pl.DataFrame({"setting": setting, "strategy": pairs.names, "reason": pairs.reason})
    sure = stats.settled(pairs.shares, pairs.low, pairs.high)
    sure = (sure + 1 - sure.T) / 2
    nash = stats.nash_average(sure)
    margin = float((pairs.high - pairs.low).max()) / 2
    superfluous = {domination.strategy: domination for domination in stats.dominated(pairs.shares, margin)}
    each = [superfluous.get(place) for place in range(len(pairs.names))]
    columns: dict[str, Any] = {"setting": setting, "strategy": pairs.names, "reason": None}
    columns |= {"share": (pairs.shares.sum(axis=1) - 0.5) / max(1, len(pairs.names) - 1)}
    columns |= {"nash": np.round(nash.weights, 9), "against_nash": nash.shares}
    columns |= {"cyclic_part": stats.cyclic_part(pairs.shares)}
    columns["dominated_by"] = [domination and _dominators(pairs.names, domination) for domination in each]
    columns["strictly"] = [domination and domination.strictly for domination in each]
    table = pl.DataFrame(columns, schema_overrides=LANDSCAPE_SCHEMA).select(*LANDSCAPE_SCHEMA)
    return table.sort("nash", "share", descending=True, maintain_order=True)


def _dominators(names: list[str], domination: stats.Dominated) -> str:
    """Return the dominating strategy, or the mix of strategies with percentages."""
    if len(domination.by) == 1:
        return names[next(iter(domination.by))]
    parts = sorted(domination.by.items(), key=lambda item: -item[1])
    return " + ".join(f"{100 * weight:.0f} % {names[place]}" for place, weight in parts)
