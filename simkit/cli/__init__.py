"""The command line: each command is a thin layer over the library function of the same name."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from simkit.errors import PlayError, UsageError

# Command -> the module that holds it; loaded on use, so that `simkit --help` starts at once.
COMMANDS = {
    "games": "content",
    "rules": "content",
    "strategies": "content",
    "play": "playing",
    "run": "playing",
    "sweep": "playing",
    "replay": "playing",
    "compare": "looking",
    "fair": "solving",
    "plan": "solving",
    "report": "looking",
    "check": "checking",
    "validate": "checking",
    "bench": "checking",
}


class Commands(click.Group):
    """The commands, listed in the order of work and loaded on use."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"simkit.cli.{COMMANDS[name]}")
        command: click.Command = getattr(module, name)
        return command

    def resolve_command(self, context: click.Context, args: list[str]) -> Any:
        from simkit.errors import unknown

        if args and self.get_command(context, args[0]) is None and not args[0].startswith("-"):
            raise unknown("command", args[0], COMMANDS)
        return super().resolve_command(context, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--project",
    "projects",
    multiple=True,
    metavar="DIR",
    help="Folder with your own strategies/, games/, experiments/, reports/.",
)
@click.version_option(package_name="simkit")
def cli(projects: tuple[str, ...]) -> None:
    """Is this tabletop game fair, for whom, and what would a rule change do?

    Try:  simkit play outpost_seven   ·   simkit run experiments/outpost_seven_opening.toml   ·   simkit report runs/outpost_seven_opening
    """
    if projects:
        from simkit import catalogue

        for folder in projects:
            catalogue.add_project(folder)


def main(arguments: list[str] | None = None) -> None:
    """Run a command; whatever is wrong is told in one line, exit code 2."""
    try:
        code = cli.main(args=arguments, prog_name="simkit", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as asked:
        click.echo(asked.format_message())
        code = 0
    except click.exceptions.Exit as end:
        code = end.exit_code
    except (click.Abort, KeyboardInterrupt):
        code = _fail("stopped; finished parts of a run are kept, run the same command again to go on", 130)
    except click.ClickException as error:
        code = _fail(f"{error.format_message()}{_see_help(error)}", 2)
    except (UsageError, PlayError) as error:
        code = _fail(str(error), 2)
    sys.exit(code if isinstance(code, int) else 0)


def _see_help(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f" (see {context.command_path} --help)" if context else ""


def _fail(message: str, code: int) -> int:
    click.echo(f"simkit: {' '.join(message.split())}", err=True)
    return code
