"""Sentences about a search for the weights of a strategy: what they gain on fresh deals, if anything."""

from simkit.analysis import Findings
from simkit.analysis.tuning import AVERAGE, DIRECT, HOLDOUT
from simkit.formatting import counted
from simkit.reporting.text.confidence import reconstructions
from simkit.reporting.text.failed_games import failures
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, Summary, capital, number, percent, span

POINTS = "percentage points"


def tune_answer(findings: Findings) -> Summary:
    """Return what the best weights gain against the panel on fresh deals, and against others."""
    row, results, labels = panel_row(findings), findings.run.tuned, labels_of(findings)
    best, panel = labels.strategy(results.tuned), opponent_words(findings, row)
    if has_gained(findings):
        headline = f"{capital(best)} wins {percent(row['share'])} against {panel}, "
        than = "equal players would" if row["opponent"] == results.strategy else "the defaults"
        headline += f"{_points(row, sign=False)} more than {than}."
    else:
        verb = "less" if row["high"] < 0 else "no more, beyond luck,"
        tried = f"the best of {counted(len(results.trials) - 1, 'candidate')}, {best},"
        headline = f"Nothing gained: {tried} wins {verb} than the defaults against {panel}: {_points(row)}."
    others = findings.tuned.rows(named=True)
    advice = [_against(findings, other) for other in others if other["role"] in (HOLDOUT, DIRECT)]
    doubts = [_worse(findings, other) for other in others if other["high"] < 0 and has_gained(findings)]
    doubts += [*failures(findings), *reconstructions(findings.run)]
    return Summary(headline, " ".join(advice), _sureness(findings), doubts)


def panel_row(findings: Findings) -> Row:
    """Return the result against the panel, on average over its opponents."""
    return findings.tuned.row(0, named=True)


def has_gained(findings: Findings) -> bool:
    """Return whether the best weights win more against the panel, beyond luck."""
    return bool(panel_row(findings)["low"] > 0)


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


def _worse(findings: Findings, row: Row) -> str:
    return f"The tuned weights win less than the defaults against {opponent_words(findings, row)}."


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
