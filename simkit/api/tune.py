"""Tuning: the weights of a strategy that win most."""

import os
from collections.abc import Sequence
from typing import Any, Unpack

from simkit.api.execution import conduct, execution_of
from simkit.api.requests import Keywords, keys_of, study_keys
from simkit.api.results import Result, recorded
from simkit.engine import presets, registry
from simkit.engine.game import Game
from simkit.engine.lineups import Named, parse_strategy
from simkit.errors import UsageError
from simkit.reporting.text.tuning import has_gained, labelled
from simkit.studies.proposals import TPE
from simkit.studies.tune import TuneStudy


def tune(
    game: str,
    strategy: str,
    *,
    weights: Sequence[str] = (),
    against: Sequence[str] = (),
    holdout: Sequence[str] = (),
    trials: int = 60,
    sampler: str = TPE,
    deals: int = 2_000,
    confirm: int = 20_000,
    seats: int | None = None,
    save: str = "",
    **keywords: Unpack[Keywords],
) -> Result:
    """Search for the weights of a strategy that win most.

    Args:
        game: Name of the game.
        strategy: Strategy with the weights that the search starts from.
        weights: Weights to tune, "NAME" or "NAME=LOW:HIGH"; by default all.
        against: Opponents of the search; by default the game's other strategies but the holdout.
        holdout: Opponents of the check alone; by default a strategy that is not in the panel.
        trials: Candidates to try.
        sampler: Method of Optuna, "tpe" or "cma-es".
        deals: Deals per promising candidate.
        confirm: Fresh deals of the check.
        seats: Seats at the table; by default the usual number of the game.
        save: Name of the preset in which weights that win more are saved; "tuned" makes them `greedy@tuned`.
        keywords: Further keywords, but no lineups; the manual of the API has a table.

    Returns:
        The findings; `result.tuned` has the check on fresh deals, `result.run.tuned.tuned` the strategy with
        its new weights.

    Raises:
        UsageError: An unknown strategy or weight, or an opponent that is named twice.

    Example:
        >>> result = tune("pig", "hold_at(threshold=5)", trials=2, deals=20, confirm=40)
        >>> result.run.tuned.strategy
        'hold_at(threshold=5)'
    """
    keys = keys_of(keywords, Keywords)
    own: dict[str, Any] = {"trials": trials, "sampler": sampler, "confirm": confirm}
    request = {"weights": weights, "against": against, "holdout": holdout, "deals": deals}
    how = execution_of(keywords, "tune", game, strategy, **request, **own, **keys)
    if save and not presets.NAME.fullmatch(save):
        raise UsageError(f"save {save}: a name has letters, digits and underscores, a letter first")
    definition, start = registry.game(game), _single(strategy)
    own |= {"strategy": str(start), "vary": _varied(definition, start, weights)}
    panel, own["holdout"] = opponents(definition, start, against, holdout)
    rivals = (seats or definition.default_seats) - 1
    keys["lineups"] = [[str(start), *[other] * rivals] for other in panel]
    result = recorded(conduct(how, TuneStudy(**own, **study_keys(game, deals, keys))))
    if save and has_gained(labelled(result)):
        named = _single(result.run.tuned.tuned)
        path = registry.save_preset(definition, save, named)
        how.say(f"saved: {named.name}@{save} in {os.path.relpath(path)}")
    return result


def _single(text: str) -> Named:
    """Return the strategy in a text; UsageError for several."""
    strategies = parse_strategy(text)
    if len(strategies) != 1:
        raise UsageError(f"'{text}' is {len(strategies)} strategies; one is needed")
    return strategies[0]


def _varied(game: Game, own: Named, texts: Sequence[str]) -> dict[str, str]:
    """Return the weights to tune with their ranges as given; by default all, but none of a search."""
    chosen = registry.strategy(game, own.name)
    if not texts and (chosen.searches or not chosen.weights):
        cure = f"name weights with vary: {', '.join(chosen.weights)}" if chosen.searches else "take another"
        why = "searches, and more play-outs only take longer" if chosen.searches else "has no weights"
        raise UsageError(f"{own.name} {why}; {cure}")
    varied: dict[str, str] = {}
    for name, _, text in (part.partition("=") for part in texts or chosen.weights):
        if name in varied:
            raise UsageError(f"vary {name}: is given twice")
        varied[name] = text
    return varied


def opponents(
    game: Game, own: Named, against: Sequence[str], holdout: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Return panel and holdout: by default the game's own strategies, the last as holdout; else random."""
    if game.team:
        if against or holdout:
            raise UsageError(f"{game.name} is co-operative: nobody plays against the team, name no opponents")
        return [str(own)], []
    panel, others = ([str(_single(text)) for text in texts] for texts in (against, holdout))
    scripted = registry.scripted(game).items()
    mine = [name for name, each in scripted if each.game and name != own.name and name not in panel + others]
    if not others:
        others = [mine.pop()] if len(mine) > bool(not panel) else [*({"random"} - {*panel})]
    if both := {*panel} & {*others}:
        raise UsageError(f"{min(both)} is in the panel (--against) and in the holdout; once is enough")
    return panel or mine or [own.name], others
