"""The command line: a click group of the commands in the folder `commands`."""

import atexit
import faulthandler
import gc
import importlib
import os
import re
import shlex
import sys
from contextlib import suppress
from importlib.util import find_spec
from pkgutil import iter_modules
from pydoc import source_synopsis

import click
from click.shell_completion import CompletionItem

import simkit
from simkit import questions
from simkit.cli import commands, interrupts, streams
from simkit.cli.options import PROJECT, Command
from simkit.engine import watchdog
from simkit.engine.limits import one_line
from simkit.errors import UNCOMPILED, Crash, OtherRun, PlayError, UsageError, closest, look_up

SECTIONS = ("Games", "Questions", "Runs", "Checks")  # in the order of `simkit --help`


class LazyGroup(click.Group):
    """Group of the commands in `simkit/cli/commands` and of the questions, each named after its module.

    A module is imported when its command is used ("Lazily Loading Subcommands" in the documentation of
    click). `simkit --help` imports none: the first line of a module has the section and the summary.
    """

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted({module.name for module in iter_modules([*commands.__path__, *questions.__path__])})

    def get_command(self, context: click.Context, name: str) -> Command:
        look_up("command", name, dict.fromkeys(self.list_commands(context)))
        if find_spec(f"{commands.__name__}.{name}"):
            own: Command = getattr(importlib.import_module(f"{commands.__name__}.{name}"), name)
            return own
        from simkit.cli.asking import command_of

        return command_of(getattr(importlib.import_module(f"{questions.__name__}.{name}"), name))

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in sections, each with its summary."""
        names = self.list_commands(context)
        width = max(map(len, names))
        sections: dict[str, list[tuple[str, str]]] = {section: [] for section in SECTIONS}
        for name in names:
            section, _, summary = _first_line(name).partition(": ")
            sections[section].append((name.ljust(width), summary))
        for section, rows in sections.items():
            with formatter.section(section):
                formatter.write_dl(rows)

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the names of commands without their help, which click would import them for."""
        names = [name for name in self.list_commands(context) if name.startswith(incomplete)]
        return [*map(CompletionItem, names), *click.Command.shell_complete(self, context, incomplete)]


def _first_line(name: str) -> str:
    """Return the first line of the docstring of the module of a command, without importing it."""
    package = commands if find_spec(f"{commands.__name__}.{name}") else questions
    spec = find_spec(f"{package.__name__}.{name}")
    assert spec and spec.origin
    with open(spec.origin, encoding="utf-8") as file:
        return source_synopsis(file) or ""


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.option("--project", "projects", multiple=True, metavar="DIR", help=PROJECT)
@click.version_option(simkit.__version__)
def cli(projects: tuple[str, ...]) -> None:  # projects are loaded by the command (cli/options.py)
    """Is this tabletop game fair, for whom, and what would a rule change do?

    \b
    Try:  simkit play outpost_seven
          simkit run experiments/outpost_seven_opening.toml
          simkit report runs/outpost_seven_opening
    """


def main(arguments: list[str] | None = None) -> None:
    """Run a command, by default that of the process; report an error in one line with exit code 2."""
    gc.set_threshold(50_000, 50, 1000)  # imports make no garbage; collections took 7 % of a report
    atexit.register(gc.freeze)  # the collection at exit took 0.45 s of 5.2 s
    if arguments is None:  # otherwise the process belongs to the caller
        _prepare_children()
    words = sys.argv[1:] if arguments is None else arguments
    stop = interrupts.Stop()
    try:
        with stop.listening(), watchdog.listen(watchdog.Notices(_notice)):
            if arguments is None:
                streams.prepare()
                if sys.platform != "linux":  # where tasks turn a crash of compiled code into a message
                    faulthandler.enable()
            interrupts.check_memory()
            " ".join(words).encode()  # raises UnicodeError for bytes that are not UTF-8
            code = cli.main(args=words, prog_name="simkit", standalone_mode=False)
            sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as help_requested:
        click.echo(help_requested.format_message())
        code = 0
    except click.exceptions.Exit as end:
        code = end.exit_code
    except SystemExit:  # click's own after a closed pipe, `simkit ... | head`
        code = streams.NO_READER
    except (click.Abort, KeyboardInterrupt):
        stop.say()
        code = interrupts.INTERRUPTED
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context else ""
        code = _fail(_click_message(error) + hint + _quoting_hint(words))
    except Crash as crash:
        uncompiled = UNCOMPILED + shlex.join(["simkit", *words])
        code = _fail(f"{crash}; to find the line, run it uncompiled: {uncompiled}")
    except OtherRun as error:
        code = _fail(f"{error} (--into DIR)")
    except (UsageError, PlayError) as error:
        code = _fail(str(error) + _quoting_hint(words))
    except UnicodeError as error:
        code = _fail(f"text that is not UTF-8: {error}")
    except (MemoryError, OSError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "thread" not in str(error):
            raise  # the others mean that no thread can be started
        code, message = streams.end_of(error)
        if message:
            _fail(message)
    interrupts.end(code if isinstance(code, int) else 0)


def _prepare_children() -> None:
    """Set up child processes: no imports from the current folder, no warnings of joblib at their end."""
    filters = [os.environ.get("PYTHONWARNINGS", ""), "ignore:resource_tracker"]
    os.environ |= {"PYTHONSAFEPATH": "1", "PYTHONWARNINGS": ",".join(filter(None, filters))}


def _click_message(error: click.ClickException) -> str:
    """Return the message of an error of click, with near names of options only.

    >>> _click_message(click.NoSuchOption("--role", possibilities=["--project"]))
    "No such option '--role'."
    >>> _click_message(click.NoSuchOption("--deal", possibilities=["--deals"]))
    "No such option '--deal'. Did you mean '--deals'?"
    """
    if isinstance(error, click.NoSuchOption):
        names = [name for name in error.possibilities or () if closest(*_bare(error.option_name, name))]
        error = click.NoSuchOption(error.option_name, error.message, names)
    return error.format_message()


def _bare(option: str, name: str) -> tuple[str, list[str]]:
    return option.lstrip("-"), [name.lstrip("-")]


def _quoting_hint(words: list[str]) -> str:
    """Return the cure for a list that the shell has split at its blanks; empty for other words.

    >>> _quoting_hint(["play", "pig", "--lineup", "hold_at,", "random"])
    '; quote a text with blanks: "hold_at, random"'
    """
    split = re.search(r"[^\n]*[^\n,](?:(?:\n?,\n|\n,)(?!-)[^\n]*[^\n,])+", "\n".join(words))
    return f'; quote a text with blanks: "{" ".join(split[0].split())}"' if split else ""


def _notice(text: str) -> None:
    with suppress(OSError):  # the exit code still tells
        click.echo(f"simkit: {text}", err=True)


def _fail(message: str) -> int:
    """Print an error message on stderr; return the exit code of unusable input."""
    from simkit.runs.storage import remote

    _notice(one_line(remote.show_addresses(message)))
    return 2
