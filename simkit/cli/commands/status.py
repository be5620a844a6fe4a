"""Runs: Show how far a run is and how to continue it."""

import click

from simkit.cli.answer import simkit_command
from simkit.cli.options import command, shared_options
from simkit.cli.output import print_json, say
from simkit.engine.limits import one_line
from simkit.formatting import counted
from simkit.runs import status as state
from simkit.system import typed_here


@command()
@click.argument("run_folder", metavar="RUN")
@shared_options("json")
def status(run_folder: str, as_json: bool) -> None:
    """Show how far a run is and how to continue it.

    Prints whether the run is playing, stopped, damaged or finished, and the command that continues it.

    \b
    Example:  simkit status runs/pig
    """
    run_status = state.status(run_folder)
    resume = simkit_command("run", f"{run_status.folder}/experiment.toml", "-o", run_status.folder)
    resume_command = None if run_status.search else resume  # which would leave a search without its answer
    if as_json:
        print_json(run_status._asdict() | {"command": resume_command, "begun_with": run_status.command})
        return
    failed = f", {run_status.failed:,} of them failed" if run_status.failed else ""
    say(f"{run_status.folder} is {run_status.state}: {run_status.games:,} of {run_status.of:,} games{failed}")
    if files := run_status.missing_files:
        say(f"{counted(len(files), 'file')} missing or changed, such as {files[0]}")
    if run_status.outstanding:
        say(f"Still to be played, in folders of it: {', '.join(run_status.outstanding)}")
    if run_status.outstanding or run_status.state in (state.STOPPED, state.DAMAGED):
        say(f"Continue with: {resume_command or 'the command of its search'}")
        if run_status.command:
            say(one_line(f"Started with (from the manifest): {typed_here(run_status.command)}"))
