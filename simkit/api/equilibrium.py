"""The best mixes of strategies, and the value of a game to the first player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Unpack

from simkit.api.execution import call_of, carry_out
from simkit.api.requests import Common, Texts, Values
from simkit.api.results import Result, recorded
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.errors import UsageError
from simkit.runs import experiment as experiments

SEARCH = "search(budget=50)"  # added to the strategies of an equilibrium


def equilibrium(
    game: str,
    strategies: Texts | None = None,
    *,
    with_search: bool = False,
    sweep: Mapping[str, Values] = {},
    even: bool = False,
    deals: int = 5_000,
    question: str = "",
    **keywords: Unpack[Common],
) -> Result:
    """Find the best mix of strategies for each side, and its value.

    For games of two seats: every strategy meets every other and itself, in both seats, on the same deals.

    Args:
        game: Name of the game.
        strategies: Strategies to choose from; by default all of the game.
        with_search: Whether to add `search(budget=50)`, which plays on from each choice.
        sweep: Values of options at each of which the game is solved.
        even: Whether to play all pairings equally often, also those of weak strategies.
        deals: Most deals of a pairing.
        question: Title of the page.
        keywords: seed, options, files, margin, target, keep_going, out, jobs, backend, scheduler,
            batch_timeout and progress; the manual of the API has a table.

    Returns:
        The findings of the run, with `result.equilibrium` (value) and `result.equilibrium_mixes`.

    Raises:
        UsageError: A co-operative game, fewer than two strategies, or two that are the same.

    Example:
        >>> plans = ["hold_at(threshold=20)", "hold_at(threshold=25)"]
        >>> equilibrium("pig", plans, deals=200).equilibrium.height
        1
    """
    how, keys = call_of(equilibrium, locals())
    names = _chosen_strategies(game, keys.pop("strategies"))
    if keys.pop("with_search"):
        names.append(SEARCH)
    along = f" along {', '.join(sweep)}" if sweep else ""
    usual = f"How often does the first player win if both choose their best strategies{along}?"
    keys |= {"round_robin": names, "mirrors": True, "report": "equilibrium"}
    keys |= {"until_outclassed": not keys.pop("even"), "question": question or usual}
    return recorded(carry_out(how, experiments.parse(keys)))


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
