"""Decisions and waiting from the turn trace, over all seats and by seat."""

from simkit.reporting.pages import Findings, Section, here, prose, table
from simkit.reporting.pages.commands import trace_command
from simkit.reporting.pages.measures import measure_tables
from simkit.reporting.text import headings

MEASURES = {
    "branching": ("possibilities per decision", "{:.1f}"),
    "most": ("most possibilities at one decision", "{:.0f}"),
    "choice": ("actions that were a choice", "{:.0%}"),
    "per_turn": ("decisions in a turn of one's own", "{:.2f}"),
    "wait": ("decisions of others between two turns", "{:.1f}"),
    "wait_p95": ("the same, in all but 5 % of the waits at most", "{:.0f}"),
}
READING = prose("""What a player has to do. Few possibilities and few choices: quick and light, perhaps played
    by the game itself; many: heavier, perhaps slow. Decisions of others between two turns are the wait at the
    table (downtime).""")


def section(findings: Findings) -> Section:
    """Return the tables, or for a run without a trace the command that records one."""
    baseline = findings.at_baseline()
    if baseline.load.is_empty():
        instruction = f"It is counted with a turn trace only: {trace_command(findings.run)}"
        return Section("How much there is to decide was not counted", [instruction])
    if baseline.load["branching"].is_null().all():
        return Section("There was nothing to decide", ["In the games traced every action was forced."])
    measures = [(baseline.load, name, name, *measure) for name, measure in MEASURES.items()]
    numbers = measure_tables(baseline, measures, "Decisions and waiting", "mean")
    names = "cell seat branching choice per_turn wait wait_p95 n"
    longest = {"wait_p95": "others between, 95 % at most"}
    by_seat = table(baseline, baseline.load_by_seat, names, "Decisions and waiting by seat", **longest)
    return Section(
        headings.load(findings), [READING, *filter(None, [here(findings)])], tables=[*numbers, by_seat]
    )
