"""Questions: Try values of rule options on the same deals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Unpack

from simkit.ask import texts
from simkit.ask.arguments import Shell, Stopping, Values, Word
from simkit.ask.execution import Execution
from simkit.ask.question import question
from simkit.ask.requests import along, ask, with_seats
from simkit.ask.results import Result, answer
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import table_files
from simkit.runs.experiment import Deals

SWEPT = Shell(
    metavar="OPTION=START:STOP[:STEP]|A,B,C ...", parse=texts.sweep, repeatable=True, positional=True
)


@question(shell=("table", "page"), page="sweep")
def sweep(
    execution: Execution,
    game: Word,
    vary: Annotated[Mapping[str, Values], SWEPT] = {},
    *,
    deals: Deals = 2_000,
    question: Annotated[str, Shell(hidden=True)] = "",
    **keywords: Unpack[Stopping],
) -> Result:
    """Try values of rule options on the same deals.

    You get the share of each seat with its number of games and interval for every value. Several options are
    crossed. Ranges include both ends, and players=2:4 plays with two to four players. A game without options
    is played as it is.

    Args:
        game: Name of the game.
        vary: Values of each option; "players" is the number of seats.
        deals: Deals per cell.
        question: Title of the page, in place of "How fair is …?".

    Returns:
        The findings of the run; `result.seat_shares` is the share of each seat by setting.

    Raises:
        UsageError: Unknown game, option, strategy, or a value out of range.

    Example:
        >>> result = sweep("pig", {"goal": [50, 100]}, deals=200)
        >>> result.seat_shares.height
        4

    Command line::

        simkit sweep pig goal=20:60:20 faces=6,8 --deals 5000
    """
    definition = registry.game(game)
    if definition.options and not vary:
        names = ", ".join(option.name for option in definition.options)
        low, high = definition.seats
        players = f", or numbers of players, such as players={low}:{high}" if low < high else ""
        cure = f"name options with their values{players}"
        raise UsageError(f"nothing to sweep: {cure} (options of {game}: {names})")
    varied = {name: [*values] for name, values in vary.items()}
    keys, swept = with_seats(game, {**keywords, "deals": deals}, varied)
    defaults = definition.resolve(keys["options"])
    baseline = {
        name: table_files.PRINTED if table_files.is_file(name) else defaults[definition.option(name).name]
        for name in swept
    }
    is_swept = all(value in swept[name] for name, value in baseline.items())
    keys |= {"sweep": swept, "baseline": baseline if is_swept else {}}
    usual = f"How {'hard' if definition.team else 'fair'} is {definition.title}{along(definition, vary)}?"
    return answer(execution, ask(game, question or usual, keys))
