"""Checks: Write the timeline page of a lock file."""

from simkit.cli.asking import Invocation, asks
from simkit.cli.output import say
from simkit.questions.history import history as question


@asks(question)
def history(ask: Invocation) -> None:
    """Print the last state and the path of the page."""
    page = ask()
    say(f"{page.report.answer}\nHistory: {page}")
