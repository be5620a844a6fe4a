"""Results of a match of two strategies: score and Elo of the first, sequential test, results by seat."""

import math
from typing import Any

import numpy as np
import polars as pl

from simkit.analysis.deals import deal_counts, marked, shares_of, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import text
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.stopping import sprt_monitor
from simkit.stats import matches as scored
from simkit.stats import sprt
from simkit.stats.matches import Counts
from simkit.stats.stages import Estimate


@finding
def match(findings: Findings) -> pl.DataFrame:
    """Per match: score of `strategy` against `opponent`, Elo difference, and the decision of the test.

    score, low, high; elo, elo_low, elo_high: corrected for sequential stopping where a test stopped the match
    (median-unbiased, 95 %); plain, plain_elo: as played. An infinite Elo is null, and so are all where both
    strategies played every deal alike (`same`). normalized_elo: in standard deviations of a game; normalized:
    whether `elo0` and `elo1` are. decision: H1 (above `elo0`), H0 (below `elo1`), continue; null, as llr and
    its bounds, where the number of deals was fixed.
    """
    sides = sprt_monitor.match_of(findings.run)
    if sides is None:
        return pl.DataFrame()
    run, scores = findings.run, findings.cached(_deal_scores)
    seats, games = run.cells[0].seats, sum(cell.plays for cell in run.cells)
    counts = _score_counts(scores, seats)
    estimate, unit = _estimate(run, counts, games), scored.normalized_unit(counts, seats)
    row: dict[str, Any] = {"strategy": sides[0], "opponent": sides[1], "seats": seats}
    row |= {"deals": scores.height, "games": games, "plain": counts.score}
    row |= {"plain_elo": _elo(counts.score, seats)}
    row |= {"score": estimate.value, "low": estimate.low, "high": estimate.high}
    ends = {"elo": estimate.value, "elo_low": estimate.low, "elo_high": estimate.high}
    row |= {name: _elo(score, seats) for name, score in ends.items()}
    row |= {f"normalized_{name}": (score - 0.5) / unit if unit else None for name, score in ends.items()}
    row |= _tested(counts, run.experiment, seats) | {"same": findings.same_players.height > 0}
    if row["same"]:
        row |= {name: None for name in row if "elo" in name and name not in ("elo0", "elo1")}
    kinds: dict[str, Any] = {name: pl.Float64 for name in row if name not in ("strategy", "opponent")}
    kinds |= whole("seats", "deals", "games") | texts("decision")
    kinds |= {"normalized": pl.Boolean, "same": pl.Boolean}
    table = pl.DataFrame([row], schema_overrides=kinds)
    return marked(table, findings.always)  # intervals are corrected for sequential stopping


def _deal_scores(findings: Findings) -> pl.DataFrame:
    """Return the score of each deal, in order."""
    rows = sprt_monitor.deal_scores(findings.run.seats(), findings.run.cells)
    return rows.collect(engine="streaming").sort("deal")


def _score_counts(scores: pl.DataFrame, seats: int) -> Counts:
    values, deals = np.unique(scores["score"].to_numpy(), return_counts=True)
    return scored.counted(values, deals, seats)


def _estimate(run: Run, counts: Counts, games: int) -> Estimate:
    """Return the score with its interval: `stats.matches.stopped`, or `fixed`."""
    keys, deals, seats = run.experiment, int(counts.deals.sum()), run.cells[0].seats
    if not keys.until_elo:
        return scored.fixed(counts, games)
    analyses = [analysis for analysis in run.analyses if analysis <= deals]
    scores = scored.scores_of_test(counts, keys.until_elo, seats, keys.normalized_elo)
    return scored.stopped(counts, analyses, scores, games)


def _elo(score: float, seats: int) -> float | None:
    elo = sprt.elo_of_score(score, seats)
    return elo if math.isfinite(elo) else None


def _tested(counts: Counts, keys: Experiment, seats: int) -> dict[str, Any]:
    """Return the state of the sequential test; nulls for a match with a fixed number of deals."""
    names = ("elo0", "elo1", "normalized", "llr", "llr_low", "llr_high", "decision")
    if not keys.until_elo:
        return dict.fromkeys(names)
    (low, high), scale = keys.until_elo, keys.normalized_elo
    llr = scored.llr(counts, (low, high), seats, scale)
    return dict(zip(names, (low, high, scale, llr, *sprt.sprt_bounds(), sprt.decision(llr)), strict=True))


@finding
def match_looks(findings: Findings) -> pl.DataFrame:
    """Per interim analysis of a match with a test: deals, games, score so far, LLR and its bounds."""
    keys, run = findings.run.experiment, findings.run
    if not keys.until_elo or sprt_monitor.match_of(run) is None:
        return pl.DataFrame()
    scores, seats, rows = findings.cached(_deal_scores), run.cells[0].seats, []
    per_deal = sum(cell.rotations for cell in run.cells)
    for analysis in [analysis for analysis in run.analyses if analysis <= scores.height]:
        counts = _score_counts(scores.head(analysis), seats)
        tested = _tested(counts, keys, seats)
        front = {"deals": analysis, "games": analysis * per_deal, "score": counts.score}
        rows.append(front | {name: tested[name] for name in ("llr", "llr_low", "llr_high")})
    return pl.DataFrame(rows)


@finding
def match_results(findings: Findings) -> pl.DataFrame:
    """Per score of a deal in a match: deals; for two seats pentanomial counts (shared wins rounded)."""
    if sprt_monitor.match_of(findings.run) is None:
        return pl.DataFrame()
    seats = findings.run.cells[0].seats
    deals = scored.classes(_score_counts(findings.cached(_deal_scores), seats), seats)
    points = np.linspace(0, 1, len(deals)).tolist()
    part = [count / sum(deals) for count in deals]
    return pl.DataFrame({"result": points, "deals": deals, "share": part})


@finding
def match_seats(findings: Findings) -> pl.DataFrame:
    """Per strategy and seat of a match: share won there, alone among copies of the opponent; intervals."""
    sides = sprt_monitor.match_of(findings.run)
    if sides is None:
        return pl.DataFrame()
    first, last = findings.run.cells[0].index, findings.run.cells[-1].index
    alone = {sides[0]: first, sides[1]: last}
    rows = findings.run.seats().with_columns(text("strategy"))
    rows = rows.filter(pl.col("cell") == pl.col("strategy").replace_strict(alone, return_dtype=pl.Int64))
    by = ["strategy", "seat"]
    counts = deal_counts(rows, by, pl.col("share").mean()).collect(engine="streaming").sort(*by, "value")
    table = shares_of(counts, by, findings.always)
    order = pl.col("strategy").replace_strict({name: i for i, name in enumerate(sides)})
    return table.sort(order, "seat").with_columns(fair=pl.lit(1 / findings.run.cells[0].seats))
