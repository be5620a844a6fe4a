"""The command line: a click group that imports the module of a command when the command is used."""

import atexit
import gc
import importlib
import os
import shlex
import sys
import traceback
from typing import Any

import click

from simkit.cli import interrupts
from simkit.cli.options import PROJECT
from simkit.engine import watchdog
from simkit.engine.limits import shown
from simkit.errors import UNCOMPILED, Crash, PlayError, UsageError, brief, look_up

COMMANDS = {  # in the order of `simkit --help`: the module of a command, and what it does
    "new": ("new", "Start a project of your own with a small game."),
    "games": ("content", "List the games."),
    "rules": ("content", "Show the rules of a game in brief, and its options."),
    "strategies": ("content", "List the strategies of a game with their weights."),
    "state": ("content", "Show what a strategy sees: state, actions, streams of luck."),
    "cards": ("content", "Print a table of a game as CSV, such as its cards."),
    "play": ("narrate", "Play one game and narrate it."),
    "run": ("run", "Play an experiment and print the shares."),
    "sweep": ("run", "Play the values of rule options on the same deals."),
    "compare": ("compare", "Compare rule sets on the same deals."),
    "match": ("match", "Test which of two strategies is stronger, and by how many Elo."),
    "equilibrium": ("equilibrium", "Measure what the first player wins if both choose best."),
    "fair": ("fair", "Find the value of an option at which the seats are equal."),
    "screen": ("screen", "Find the options that matter, and those that do nothing."),
    "design": ("design", "Search for rules that meet several goals."),
    "ablate": ("ablate", "Measure what each component does by changing it at random."),
    "plan": ("plan", "Estimate how many deals a question needs."),
    "report": ("report", "Write the page of a run."),
    "runs": ("runs", "List the runs in a folder with their answers."),
    "status": ("report", "Show how far a run is and how to continue it."),
    "replay": ("narrate", "Narrate a logged game."),
    "check": ("checking", "Check that a game keeps its promises."),
    "validate": ("checking", "Check the statistics against known answers."),
    "bench": ("checking", "Measure speed and compile times."),
}
WRITERS = ("click.utils", "rich.console", __name__)  # modules that write and flush the output


class LazyGroup(click.Group):
    """Group that loads each command on use ("Lazily Loading Subcommands" in the documentation of click)."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> Any:
        module, _ = look_up("command", name, COMMANDS)
        return getattr(importlib.import_module(f"simkit.cli.{module}"), name)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, meaning) for name, (_, meaning) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
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
    """Run a command, by default that of the process; report an error in one line with exit code 2."""
    gc.set_threshold(50_000, 50, 1000)  # imports make no garbage; collections took 7 % of a report
    atexit.register(gc.freeze)  # the collection at exit took 0.45 s of 5.2 s
    if arguments is None:  # otherwise the process belongs to the caller
        _prepare_children()
    words = sys.argv[1:] if arguments is None else arguments
    stop = interrupts.Stop()
    try:
        with stop.listening(), watchdog.heard_by(watchdog.Notices(_notice)):
            interrupts.check_memory()
            " ".join(words).encode()  # raises UnicodeError for bytes that are not UTF-8
            code = cli.main(args=words, prog_name="simkit", standalone_mode=False)
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
        code = _fail(error.format_message() + hint)
    except Crash as crash:
        uncompiled = UNCOMPILED + shlex.join(["simkit", *words])
        code = _fail(f"{crash}; to find the line, run it uncompiled: {uncompiled}")
    except (UsageError, PlayError) as error:
        code = _fail(str(error))
    except UnicodeError as error:
        code = _fail(f"text that is not UTF-8: {error}")
    except BrokenPipeError:  # `simkit ... | head`
        code = interrupts.close_output(1)
    except (MemoryError, OSError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "thread" not in str(error):
            raise  # the others mean that no thread can be started
        code = interrupts.close_output(_fail(_shortage(error)))
    interrupts.end(code if isinstance(code, int) else 0)


def _prepare_children() -> None:
    """Set up child processes: no imports from the current folder, no warnings of joblib at their end."""
    filters = [os.environ.get("PYTHONWARNINGS", ""), "ignore:resource_tracker"]
    os.environ |= {"PYTHONSAFEPATH": "1", "PYTHONWARNINGS": ",".join(filter(None, filters))}


def _shortage(error: Exception) -> str:
    """Return what the system lacks, such as room for the output."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    place = "output" if frame.f_globals["__name__"] in WRITERS else getattr(error, "filename", None)
    return f"{place}: {error.strerror}" if place and isinstance(error, OSError) else brief(error)


def _notice(text: str) -> None:
    click.echo(f"simkit: {text}", err=True)


def _fail(message: str) -> int:
    """Print an error message on stderr; return the exit code of unusable input."""
    from simkit.runs.storage import remote

    _notice(shown(remote.named(message)))
    return 2
