"""How long a game takes at the table, if every decision takes so many seconds."""

import polars as pl

from simkit.analysis.findings import Findings, finding

MINUTE = 60.0


@finding
def minutes(findings: Findings) -> pl.DataFrame:
    """Per cell: minutes of a game, if a decision takes `seconds` (key seconds_per_decision), else empty.

    Definition: the decisions of all seats one after the other, each with more than one legal action, times
    the seconds; low, high: 95 % for the mean; p5, p50, p95: of games. wait: seconds between two own turns,
    from the turn trace (null without). Setup, chance and what is done without a choice take no time.
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
