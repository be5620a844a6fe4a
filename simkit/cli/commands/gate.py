"""The gate command: test changed rules against the claims of a lock file."""

from pathlib import Path
from typing import Any

import click
from click import option

from simkit.api import gate as api
from simkit.cli.execution import execution_of
from simkit.cli.gated import print_gated, written
from simkit.cli.options import Given, Output, command, shared
from simkit.cli.output import say
from simkit.runs.storage import outputs

ACCEPT = "Accept the present rules, for this reason: measure all claims anew and add a line to the history."
MERGE = "Join the histories and budgets of both sides of a conflict that Git left in the file."


@command("Checks")
@click.argument("file", default="balance.lock")
@option("--accept", show_default=False, metavar="REASON", help=ACCEPT)
@option("--merge", is_flag=True, help=MERGE)
@option("--warn", is_flag=True, help="Exit with 0 even if a claim is broken.")
@option("--junit", type=Output(), metavar="FILE", help="Also write JUnit XML: each claim is a test case.")
@option("--markdown", type=Output(), metavar="FILE", help="Also write a summary for a pull request.")
@shared("workers", "json")
def gate(given: Given, file: str, accept: str | None, merge: bool, warn: bool, **reports: str | None) -> None:
    """Test changed rules against the claims of a lock file.

    You get a verdict for each claim: HOLDS, CHANGED BUT HOLDS, BROKEN or NOT KNOWN YET, with the change since
    the accepted rules. Nothing is played while rules, cards and players are those of the lock file. Exit code
    1 if a claim is broken, 2 if the question cannot be answered. Of all claims called broken on a branch at
    most 5 % are expected to be false alarms, as long as the lock file, which records what was tested, is
    committed with every change. Every other branch that was gated apart and is merged adds at most 5 %.

    \b
    Example:  simkit gate balance.lock
    """
    how: dict[str, Any] = {"execution": execution_of(given)}
    result = api.gate(file, accept=accept, merge=merge, **how)
    if merge:
        say(f"{file}: the histories are joined; test the merged rules with: simkit gate {file}")
        return
    print_gated(result, given.as_json)
    for name, form in (("junit", "xml"), ("markdown", "md")):
        if path := reports[name]:
            outputs.put(Path(path), written(result, form).encode())
    if result.broken and not (warn or accept):
        raise click.exceptions.Exit(1)
