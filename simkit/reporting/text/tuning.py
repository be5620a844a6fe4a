"""Sentences about a search for the weights of a strategy: what they gain on fresh deals, if anything."""

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.tuning import AVERAGE, DIRECT, HOLDOUT
from simkit.formatting import counted
from simkit.reporting.text.confidence import reconstructions
from simkit.reporting.text.failed_games import failures
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, Summary, capital, listed, number, percent, span

POINTS = "percentage points"


def tune_answer(findings: Findings) -> Summary:
    """Return what the best weights gain against the panel on fresh deals, and against others."""
    row, results, others = panel_row(findings), findings.run.tuned, _others(findings)
    best, panel = labels_of(findings).strategy(results.tuned), opponent_words(findings, row)
    than = "equal players would" if row["opponent"] == results.strategy else "the defaults"
    share = f"{percent(row['share'])} against {panel}, {_points(row, sign=False)} more than {than}"
    worse = [opponent_words(findings, other) for other in others if other["high"] < 0]
    headline = f"{capital(best)} wins {share}."
    if row["low"] <= 0:
        verb = "less" if row["high"] < 0 else "no more, beyond luck,"
        candidates = f"the best of {counted(len(results.trials) - 1, 'candidate')}"
        headline = (
            f"Nothing gained: {candidates} wins {verb} than the defaults against {panel}: {_points(row)}."
        )
    elif worse:
        headline = f"Gained on the panel alone: {best} wins {share}, but less against {listed(worse)}."
    advice = [*(_against(findings, other) for other in others), f"In a lineup it is {results.tuned}."]
    doubts = [*failures(findings), *reconstructions(findings.run)]
    return Summary(headline, " ".join(advice), _sureness(findings), doubts)


def panel_row(findings: Findings) -> Row:
    """Return the result against the panel, on average over its opponents."""
    return findings.tuned.row(0, named=True)


def has_gained(findings: Findings) -> bool:
    """Return whether the best weights win more against the panel, and not less against anybody else."""
    return bool(panel_row(findings)["low"] > 0) and all(row["high"] >= 0 for row in _others(findings))


def _others(findings: Findings) -> list[Row]:
    """Return the results against opponents that were not in the panel, the defaults among them."""
    return findings.tuned.filter(pl.col("role").is_in([HOLDOUT, DIRECT])).rows(named=True)


def opponent_words(findings: Findings, row: Row) -> str:
    """Return the opponent of a row; the defaults go by this name, and a team has no opponent."""
    if row["role"] == AVERAGE:
        return f"the panel of {len(findings.run.tuned.panel)}"
    if row["opponent"] == findings.run.tuned.strategy:
        return "the defaults"
    return labels_of(findings).strategy(row["opponent"]) if row["opponent"] else "the game"


def opponent_rows(findings: Findings) -> list[Row]:
    """Return a row per opponent: the share of the best weights and of the defaults, and the gain."""
    rows = list[Row]()
    for row in findings.tuned.rows(named=True):
        opponent = opponent_words(findings, row) + (" (not in the panel)" if row["role"] == HOLDOUT else "")
        shares = {"tuned": percent(row["share"]), "defaults": percent(row["base"])}
        interval = span(row["low"], row["high"], sign=True, scale=100)
        gain = {"gain": number(100 * row["gain"], sign=True), "95 % interval": interval}
        rows.append({"against": opponent, **shares, **gain, "fresh deals": f"{row['deals']:,}"})
    return rows


def _points(row: Row, sign: bool = True) -> str:
    """Return a gain with its interval."""
    interval = span(row["low"], row["high"], sign=sign, scale=100)
    return f"{number(100 * row['gain'], sign=sign)} {POINTS} ({interval})"


def _against(findings: Findings, row: Row) -> str:
    """Return the result against an opponent that was not in the panel, or against the defaults."""
    opponent, share = opponent_words(findings, row), percent(row["share"])
    if row["role"] == DIRECT:
        return f"Against {opponent} it wins {share}; equal players would win {percent(row['base'])}."
    return f"Against {opponent}, which was not in the panel, the gain is {_points(row)}."


def _sureness(findings: Findings) -> list[str]:
    results, trials = findings.run.tuned, findings.trials
    candidates = counted(trials.height - 1, "candidate")
    return [
        "programs played, not people",
        f"{candidates} tried, {int(trials['dropped'].sum())} of them dropped early, on at most "
        f"{results.deals:,} common deals each",
        f"the best one and the defaults again on {findings.run.experiment.deals:,} fresh deals, where all "
        "intervals hold together at 95 %",
        "gains are differences deal by deal, every deal played from every seat",
        f"the defaults are {labels_of(findings).strategy(results.strategy)}",
    ]
