"""Questions: See how the answers depend on who plays, and how well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Unpack

from simkit.ask import texts
from simkit.ask.arguments import Common, Seats, Shell, Strategies, Values, Word
from simkit.ask.execution import Execution
from simkit.ask.question import question
from simkit.ask.requests import study_keys, table_of
from simkit.ask.results import Result, answer
from simkit.ask.rungs import LadderStudy
from simkit.ask.study import ManyDeals
from simkit.engine import registry
from simkit.engine.game import Game

MAX_USUAL_VALUES = 3  # of the option that a ladder varies unless told otherwise
FIRST = 0  # seat
CHOICES = Shell(
    metavar="OPTION=VALUES",
    parse=texts.choices,
    of_game=True,
    repeatable=True,
    note="Form: A/B or LOW:HIGH:STEP.",
)


@question(shell=("hours",))
def ladder(
    execution: Execution,
    game: Word,
    rungs: Strategies = (),
    *,
    vary: Annotated[Mapping[str, Values], CHOICES] = {},
    seats: Seats | None = None,
    deals: ManyDeals = 20_000,
    **keywords: Unpack[Common],
) -> Result:
    """See how the answers depend on who plays, and how well.

    You get, for players of several families (scripted, searching, learned), their rating and cost, and what
    each says of the game: the first player's share with a verdict, the length, the lead changes, the fair
    value of the option varied. The rungs are ordered by what they win against the same players. A search
    plays fewer deals, the more it searches: at most as many as give ±1 point.

    Args:
        game: Name of the game.
        rungs: Strategies; by default random, the usual policy, the strongest other scripted strategy, two
            searches, and `learned` and `strong` if the game has them for this number of players.
        vary: Values of an option, all of which every rung plays. With the default rungs it is by default the
            first option that compensates later seats for not moving first.
        seats: Number of players; by default the usual number of the game.
        deals: Deals of a rung that does not search.

    Returns:
        The findings, with `result.rungs` and `result.rung_answers`.

    Raises:
        UsageError: Unknown options or strategies, or fewer than two rungs.

    Example:
        >>> result = ladder("nim", ["random", "search(budget=4)"], deals=100)
        >>> result.rungs["strategy"].to_list()
        ['random', 'search(budget=4)']

    Command line::

        simkit ladder outpost_seven
        simkit ladder outpost_seven --vary start_total_second=16/20
    """
    definition, sweep = registry.game(game), {name: [*values] for name, values in vary.items()}
    lineups = [table_of(game, seats, keywords.get("options", {}))]
    keys = study_keys(game, deals, {**keywords, "lineups": lineups})
    if not (sweep or rungs):
        sweep = usual_sweep(definition, keys["more"].get("options", {}))
    return answer(execution, LadderStudy(sweep=sweep, given=list(rungs), **keys))


def usual_sweep(game: Game, fixed: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the first number that compensates later seats for not moving first, from its usual value up.

    It is empty for a team, for a game without such an option, and if that option is fixed.
    """
    values = game.resolve(fixed)
    for option in game.options if not game.team else ():
        in_force = all(values[other] in allowed for other, allowed in option.at.items())
        if option.kind is int and option.treats and FIRST not in option.treats and in_force:
            upward = [value for value in option.near if value >= option.default]
            return {} if option.name in fixed else {option.name: upward[:MAX_USUAL_VALUES]}
    return {}
