"""The command line: all functions marked @command(step), listed from the sources without an import."""

import ast
import atexit
import gc
import importlib
import os
import shlex
import sys
import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click

from simkit.cli import interrupts
from simkit.cli.options import PROJECT
from simkit.engine import watchdog
from simkit.engine.limits import shown
from simkit.errors import UNCOMPILED, Crash, PlayError, UsageError, brief, look_up

WRITERS = ("click.utils", "rich.console", __name__)  # modules that write and flush the output
COMPLETE = "_SIMKIT_COMPLETE"  # set by the shell to complete a line


class Listed(NamedTuple):
    """A command as `simkit --help` lists it."""

    step: int
    name: str
    module: str
    meaning: str  # the first line of its docstring


@cache
def commands() -> dict[str, Listed]:
    """Return the commands by name, in the order of their steps."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    listed = sorted(command for path in files for command in _listed_commands(path))
    return {command.name: command for command in listed}


def _listed_commands(path: Path) -> Iterator[Listed]:
    """Yield the commands of a source file."""
    nodes = ast.parse(path.read_text(encoding="utf-8")).body
    for function in [node for node in nodes if isinstance(node, ast.FunctionDef)]:
        for mark in function.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "command":
                meaning = (ast.get_docstring(function) or "").partition("\n")[0]
                yield Listed(ast.literal_eval(mark.args[0]), function.name, path.stem, meaning)


class Commands(click.Group):
    """Command group that loads each command on use."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(commands())

    def get_command(self, context: click.Context, name: str) -> Any:
        listed = commands().get(name)
        return getattr(importlib.import_module(f"simkit.cli.{listed.module}"), name) if listed else None

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(command.name, command.meaning) for command in commands().values()])

    def resolve_command(self, context: click.Context, args: list[str]) -> Any:
        if args and not args[0].startswith("-"):
            look_up("command", args[0], commands())
        return super().resolve_command(context, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--project", "projects", multiple=True, metavar="DIR", help=PROJECT)
@click.version_option(package_name="simkit")
def cli(projects: tuple[str, ...]) -> None:  # projects are loaded by the command (cli/options.py)
    """Is this tabletop game fair, for whom, and what would a rule change do?

    \b
    Try:  simkit play outpost_seven
          simkit run experiments/outpost_seven_opening.toml
          simkit report runs/outpost_seven_opening
    """


def main(arguments: list[str] | None = None) -> None:
    """Run a command, and report an error in one line with exit code 2."""
    gc.set_threshold(50_000, 50, 1000)  # imports make no garbage; collections took 7 % of a report
    atexit.register(gc.freeze)  # the collection at exit took 0.45 s of 5.2 s
    if arguments is None:  # otherwise the process belongs to the caller
        _prepare_children()
    stop = interrupts.Stop()
    if COMPLETE in os.environ:
        from simkit.cli import completion
    try:
        with stop.listening(), watchdog.heard_by(watchdog.Notices(_notice)):
            interrupts.check_memory()
            code = cli.main(args=_texts(arguments), prog_name="simkit", standalone_mode=False)
            sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as help_requested:
        click.echo(help_requested.format_message())
        code = 0
    except click.exceptions.Exit as end:
        code = end.exit_code
    except (click.Abort, KeyboardInterrupt):
        stop.say()
        code = interrupts.INTERRUPTED
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context else ""
        code = _fail(error.format_message() + hint, 2)
    except Crash as crash:
        uncompiled = UNCOMPILED + shlex.join(["simkit", *_texts(arguments)])
        code = _fail(f"{crash}; uncompiled it names its line: {uncompiled}", 2)
    except (UsageError, PlayError) as error:
        code = _fail(str(error), 2)
    except BrokenPipeError:  # `simkit ... | head`
        code = interrupts.close_output(1)
    except (MemoryError, OSError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "thread" not in str(error):
            raise  # the others mean that no thread can be started
        code = interrupts.close_output(_fail(_shortage(error), 2))
    interrupts.end(code if isinstance(code, int) else 0)


def _shortage(error: Exception) -> str:
    """Return what the system lacks, such as room for the output."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    place = "output" if frame.f_globals["__name__"] in WRITERS else getattr(error, "filename", None)
    return f"{place}: {error.strerror}" if place and isinstance(error, OSError) else brief(error)


def _prepare_children() -> None:
    """Set up child processes: no imports from the current folder, no warnings of joblib at their end."""
    filters = [os.environ.get("PYTHONWARNINGS", ""), "ignore:resource_tracker"]
    os.environ |= {"PYTHONSAFEPATH": "1", "PYTHONWARNINGS": ",".join(filter(None, filters))}


def _notice(text: str) -> None:
    click.echo(f"simkit: {text}", err=True)


def _texts(arguments: list[str] | None) -> list[str]:
    """Return the arguments (by default those of the process); raise UsageError for text that is not UTF-8."""
    arguments = sys.argv[1:] if arguments is None else arguments
    for argument in arguments:
        if not argument.isprintable() and any("\ud800" <= letter <= "\udfff" for letter in argument):
            raise UsageError(f"argument {argument!r} is not a text in UTF-8")
    return arguments


def _fail(message: str, code: int) -> int:
    """Print an error message on stderr and return the exit code."""
    from simkit.runs.storage import remote

    click.echo(f"simkit: {shown(remote.named(message))}", err=True)
    return code
