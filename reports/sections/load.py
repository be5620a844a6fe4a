"""Decisions and waiting from the turn trace."""

from simkit.reporting.pages import Findings, Section, here
from simkit.reporting.pages.commands import trace_command
from simkit.reporting.pages.measures import measure_table
from simkit.reporting.text import headings

MEASURES = {
    "branching": ("possibilities per decision", "{:.1f}"),
    "most": ("most possibilities at one decision", "{:.0f}"),
    "choice": ("actions that were a choice", "{:.0%}"),
    "per_turn": ("decisions in a turn of one's own", "{:.2f}"),
    "wait": ("decisions of others between two turns", "{:.1f}"),
    "wait_p95": ("longest usual wait (95 % of waits), in decisions", "{:.0f}"),
}


def section(findings: Findings) -> Section:
    """Return the numbers, or for a run without a trace the command that records one."""
    baseline = findings.at_baseline()
    if baseline.load.is_empty():
        instruction = f"It is counted with a turn trace only: {trace_command(findings.run)}"
        return Section("How much there is to decide was not counted", [instruction])
    if baseline.load["branching"].is_null().all():
        return Section("There was nothing to decide", ["In the games traced every action was forced."])
    measures = [(baseline.load, name, name, *measure) for name, measure in MEASURES.items()]
    numbers = measure_table(baseline, measures, "Decisions and waiting", "mean")
    text = " ".join(filter(None, ["What a player has to do, and the wait at the table.", here(findings)]))
    return Section(headings.load(findings), [text], tables=[numbers])
