"""Decisions and waiting from the turn trace."""

from simkit.reporting.pages import Findings, Section, here
from simkit.reporting.text.commands import trace_command
from simkit.reporting.text.pacing import load_sentence


def load(findings: Findings) -> Section:
    """Return what a player has to do, or for a run without a trace the command that records it."""
    baseline = findings.at_baseline()
    if baseline.load.is_empty():
        instruction = f"It is counted with a turn trace only: {trace_command(findings.run)}"
        return Section("How much there is to decide was not counted", [instruction])
    if baseline.load["branching"].is_null().all():
        return Section("There was nothing to decide", ["In the games traced every action was forced."])
    text = " ".join(filter(None, ["What a player has to do, and the wait at the table.", here(findings)]))
    return Section(load_sentence(findings), [text])
