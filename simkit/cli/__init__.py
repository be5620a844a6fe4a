"""The command line: functions here marked @command(step), listed from the sources without importing them."""

import ast
import importlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click

from simkit.errors import PlayError, UsageError, look_up

PROJECT = "Folder with your own content: games/ ..."


class Listed(NamedTuple):
    """A command as `simkit --help` lists it."""

    step: int
    name: str
    module: str
    meaning: str  # the first line of its docstring


@cache
def commands() -> dict[str, Listed]:
    found = sorted(one for path in Path(__file__).parent.glob("[a-z]*.py") for one in _listed(path))
    return {one.name: one for one in found}


def _listed(path: Path) -> Iterator[Listed]:
    nodes = ast.parse(path.read_text(encoding="utf-8")).body
    for function in [node for node in nodes if isinstance(node, ast.FunctionDef)]:
        for mark in map(ast.unparse, function.decorator_list):
            if mark.startswith("command("):
                meaning = (ast.get_docstring(function) or "").partition("\n")[0]
                yield Listed(int(mark[8:-1]), function.name, path.stem, meaning)


class Commands(click.Group):
    """The commands, each loaded on use."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(commands())

    def get_command(self, context: click.Context, name: str) -> Any:
        found = commands().get(name)
        return getattr(importlib.import_module(f"simkit.cli.{found.module}"), name) if found else None

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(one.name, one.meaning) for one in commands().values()])

    def resolve_command(self, context: click.Context, args: list[str]) -> Any:
        if args and not args[0].startswith("-"):
            look_up("command", args[0], commands())
        return super().resolve_command(context, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--project", "projects", multiple=True, metavar="DIR", help=PROJECT)
@click.version_option(package_name="simkit")
def cli(projects: tuple[str, ...]) -> None:
    """Is this tabletop game fair, for whom, and what would a rule change do?

    \b
    Try:  simkit play outpost_seven
          simkit run experiments/outpost_seven_opening.toml
          simkit report runs/outpost_seven_opening
    """
    for folder in projects:
        from simkit import catalogue

        catalogue.add_project(folder)


def main(arguments: list[str] | None = None) -> None:
    """Run a command; errors are one line, with exit code 2."""
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
        context = getattr(error, "ctx", None)
        help_of = f" (see {context.command_path} --help)" if context else ""
        code = _fail(error.format_message() + help_of, 2)
    except (UsageError, PlayError) as error:
        code = _fail(str(error), 2)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str, code: int) -> int:
    click.echo(f"simkit: {' '.join(message.split())}", err=True)
    return code
