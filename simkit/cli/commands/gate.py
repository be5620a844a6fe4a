"""Checks: Test changed rules against the claims of a lock file."""

from pathlib import Path

import click
from click import option

from simkit.cli.asking import Invocation, asks
from simkit.cli.gated import format_gate_results, print_gate_results
from simkit.cli.options import Output, shared_options
from simkit.cli.output import say
from simkit.questions.gate import gate as question
from simkit.runs.storage import outputs


@asks(question)
@option("--warn", is_flag=True, help="Exit with 0 even if a claim is broken.")
@option("--junit", type=Output(), metavar="FILE", help="Also write JUnit XML: each claim is a test case.")
@option("--markdown", type=Output(), metavar="FILE", help="Also write a summary for a pull request.")
@shared_options("json")
def gate(ask: Invocation, as_json: bool, warn: bool, junit: str | None, markdown: str | None) -> None:
    """Print the verdicts, write them where they are wanted, and exit with 1 if a claim is broken."""
    result, file = ask(), ask.given["file"]
    if ask.given["merge"]:
        say(f"{file}: the histories are joined; test the merged rules with: simkit gate {file}")
        return
    print_gate_results(result, as_json)
    for path, form in ((junit, "xml"), (markdown, "md")):
        if path:
            outputs.put(Path(path), format_gate_results(result, form).encode())
    if result.broken and not (warn or ask.given["accept"]):
        raise click.exceptions.Exit(1)
