"""Playing time at the table, for a given number of seconds per decision."""

import polars as pl

from simkit.analysis.findings import Findings, finding

MINUTE = 60.0


@finding
def minutes(findings: Findings) -> pl.DataFrame:
    """Per cell: minutes per game at `seconds` per decision (key seconds_per_decision); empty without the key.

    Definition: the decisions of all seats in sequence, each with more than one legal action, times the
    seconds; low, high: 95 % interval of the mean; p5, p50, p95: over games. wait: seconds between two own
    turns, from the turn trace (null without). Setup, chance and forced actions take no time.
    """
    seconds = findings.run.experiment.seconds_per_decision
    if seconds is None:
        return pl.DataFrame()
    rows = findings.lengths.filter(measure="decisions").drop("measure")
    ends = [pl.col(name) * seconds / MINUTE for name in ("mean", "low", "high", "sd", "p5", "p50", "p95")]
    table = rows.with_columns(*ends, seconds=pl.lit(float(seconds)))
    if findings.load.is_empty():
        return table.with_columns(wait=pl.lit(None, pl.Float64))
    waits = findings.load.select(pl.col("cell").cast(table.schema["cell"]), wait=pl.col("wait") * seconds)
    return table.join(waits, on="cell", how="left", maintain_order="left")
