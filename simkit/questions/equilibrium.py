"""Questions: Find the best mix of strategies for each side, and its value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, Unpack

from simkit.api import texts
from simkit.api.arguments import Common, Shell, Strategies, Values, Word
from simkit.api.execution import Execution
from simkit.api.question import question
from simkit.api.results import Result, answer
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.errors import UsageError
from simkit.runs import experiment as experiments
from simkit.runs.experiment import Deals

SEARCH = "search(budget=50)"  # added to the strategies of an equilibrium
SWEPT = Shell(metavar="OPTION=VALUES", parse=texts.sweep, repeatable=True, note="A,B or LOW:HIGH:STEP.")


def _question_along(swept: Iterable[str]) -> str:
    """Return the usual question of an equilibrium."""
    along = f" along {', '.join(swept)}" if swept else ""
    return f"How often does the first player win if both choose their best strategies{along}?"


def _question_of_command(given: Mapping[str, Any]) -> str:
    """Return the question of a command, which names the values as they are typed."""
    return _question_along(given["sweep"])


@question()
def equilibrium(
    execution: Execution,
    game: Word,
    strategies: Strategies | None = None,
    *,
    with_search: bool = False,
    sweep: Annotated[Mapping[str, Values], SWEPT] = {},
    even: bool = False,
    deals: Deals = 5_000,
    question: Annotated[str, Shell(hidden=True, default=_question_of_command)] = "",
    **keywords: Unpack[Common],
) -> Result:
    """Find the best mix of strategies for each side, and its value.

    You get the value of the game with its interval, and the mix of strategies that secures it for each side.
    For games of two seats: every strategy meets every other and itself, in both seats, on the same deals.
    Pairings that the mixes do not depend on stop early.

    Args:
        game: Name of the game.
        strategies: Strategies to choose from; by default all of the game.
        with_search: Whether to add search(budget=50), which plays on from each choice.
        sweep: Values of an option at each of which the game is solved.
        even: Whether to play all pairings equally often, also those of weak strategies.
        deals: Most deals of a pairing.
        question: Title of the page.

    Returns:
        The findings of the run, with `result.equilibrium` (value) and `result.equilibrium_mixes`.

    Raises:
        UsageError: A co-operative game, fewer than two strategies, or two that are the same.

    Example:
        >>> plans = ["hold_at(threshold=20)", "hold_at(threshold=25)"]
        >>> equilibrium("pig", plans, deals=200).equilibrium.height
        1

    Command line::

        simkit equilibrium outpost_seven --strategies reference_greedy,hoarder
    """
    names = _chosen_strategies(game, strategies) + ([SEARCH] if with_search else [])
    keys = {**keywords, "game": game, "question": question or _question_along(sweep), "sweep": sweep}
    keys |= {"deals": deals, "round_robin": names, "mirrors": True, "report": "equilibrium"}
    return answer(execution, experiments.parse(keys | {"until_outclassed": not even}))


def _chosen_strategies(game: str, given: Sequence[str] | None) -> list[str]:
    """Return the strategies that may be chosen, by default the game's own."""
    definition = registry.game(game)
    if definition.team or not definition.seats[0] <= 2 <= definition.seats[1]:
        reason = "is co-operative" if definition.team else "has no table of two seats"
        raise UsageError(f"{game} {reason}: only games of two seats against each other have an equilibrium")
    if given is None:
        strategies = registry.strategies(definition).items()
        names = [name for name, strategy in strategies if strategy.game is not None]
        if len(names) < 2:
            example = ",".join([*(names or ["NAME"]), "random"])
            problem = f"{game} has fewer than two strategies of its own"
            raise UsageError(f"{problem}: name two or more strategies, such as {example}")
        return names
    chosen = [named for text in given for named in parse_lineup(text)]
    if len(chosen) < 2:
        raise UsageError(f"strategies {', '.join(given)}: two or more strategies are needed")
    for first, second in combinations(chosen, 2):
        if registry.same_player(definition, first, second):
            raise UsageError(f"strategies: {first} and {second} are the same strategy; leave one out")
    return list(map(str, chosen))
