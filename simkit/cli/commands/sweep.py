"""The sweep command: values of rule options on the same deals."""

import click

from simkit.cli.build import ask, seated
from simkit.cli.execute import carry_out
from simkit.cli.options import Given, command, shared, sweep_of
from simkit.cli.summary import print_summary
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import table_files


@command("Questions")
@click.argument("game")
@click.argument("ranges", nargs=-1, metavar="OPTION=START:STOP[:STEP]|A,B,C ...")
@shared(
    "lineups",
    "deals",
    "until",
    "target",
    "seed",
    "set",
    "files",
    "play",
    "extras",
    "confirm",
    "table",
    "json",
)
def sweep(given: Given, game: str, ranges: tuple[str, ...]) -> None:
    """Try values of a rule option on the same deals.

    Prints the share of each seat with its number of games and interval for every value. Ranges include both
    ends; several options are crossed, and players=2:4 plays with two to four players. A game without options
    is played as it is.

    \b
    Example:  simkit sweep pig goal=20:60:20 faces=6,8 --deals 5000
    """
    definition, swept = registry.game(game), sweep_of(ranges)
    if definition.options and not swept:
        names = ", ".join(option.name for option in definition.options)
        raise UsageError(
            f"nothing to sweep: give OPTION=START:STOP or OPTION=A,B,C (options of {game}: {names})"
        )
    along = f" along {', '.join(ranges)}" if ranges else ""
    question = f"How {'hard' if definition.team else 'fair'} is {game}{along}?"
    given, swept = seated(given, game, swept)
    defaults = definition.resolve(given.settings)
    baseline = {
        name: table_files.PRINTED if table_files.is_file(name) else defaults[definition.option(name).name]
        for name in swept
    }
    is_swept = all(value in swept[name] for name, value in baseline.items())
    request = ask(given, game, question, sweep=swept, baseline=baseline if is_swept else {})
    print_summary(carry_out(given, request), given.as_json, given.whole)
