"""Sweeps that might help: other options that treat some seats differently."""

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, Story, labels_of
from simkit.reporting.text.commands import command_again, compensations
from simkit.reporting.text.phrases import capital, join_names


def cures(findings: Findings) -> Section | None:
    """Return a command for each option, or None after a sweep of several options or without candidates."""
    run, commands = findings.run, compensations(findings.run)
    if not commands:
        return None
    names = capital(join_names(map(labels_of(findings).option, commands)))
    rest = command_again(run, "rules", run.experiment.game)
    text = f"{names}. Some work only together with others ({rest} says with which)."
    story = Story("Commands that try each of them", command="\n".join(commands.values()))
    heading = f"{counted(len(commands), 'other rule')} could compensate one player"
    return Section(heading, [text], stories=[story])
