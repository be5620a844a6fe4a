"""Every candidate of a tuning with its weights and its gain, the greatest first."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, points, prose, table
from simkit.reporting.pages.columns import yes_no

TEXT = prose("""Candidates were proposed by Optuna ({how}); those clearly worse than the best so far were
    dropped on few deals.""")
SAMPLERS = {"tpe": "a tree-structured Parzen estimator", "cma-es": "CMA-ES, an evolution strategy"}


def section(findings: Findings) -> Section | None:
    """Return the candidates, or None for a run that is no tuning."""
    if not findings.trials.width:
        return None
    results = findings.run.tuned
    weights = {name: [trial.weights[name] for trial in results.trials] for name in results.trials[0].weights}
    columns = {f"w{place}": pl.Series(values) for place, values in enumerate(weights.values())}
    rows = findings.trials.with_columns(**columns).sort("dropped", -pl.col("gain"), maintain_order=True)
    words = findings.run.words.strategies[findings.run.cells[0].lineup[0].name].weights
    heads = {f"w{place}": Show(words[name].label) for place, name in enumerate(weights)}
    heads |= {"gain": Show("gain", points, "over the defaults, in percentage points")}
    heads["dropped"] = Show("dropped early", yes_no)
    names = ["trial", *columns, "gain", "low", "high", "deals", "dropped"]
    listed = table(findings, rows, names, "Candidates, the greatest gain first", **heads)
    heading = f"{rows.height - 1} candidates, {int(rows['dropped'].sum())} of them dropped early"
    return Section(heading, [TEXT.format(how=SAMPLERS[results.sampler])], tables=[listed])
