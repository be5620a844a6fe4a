"""Questions: Search for the weights of a strategy that win most."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Unpack

from simkit.api.arguments import Common, Pair, Seats, Shell, Texts, Word
from simkit.api.execution import Execution
from simkit.api.question import question
from simkit.api.requests import study_keys
from simkit.api.results import Result, answer
from simkit.engine import lineups as engine_lineups
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import Named, parse_strategy
from simkit.errors import UsageError
from simkit.reporting.text.tuning import has_gained, label_opponents
from simkit.studies.proposals import TPE, Sampler
from simkit.studies.study import Deals, Trials
from simkit.studies.tune import TuneStudy

WEIGHTS = Shell("--vary", metavar="WEIGHT", repeatable=True)
OPPONENTS = Annotated[Texts, Shell(metavar="STRATEGY", repeatable=True)]


@question()
def tune(
    execution: Execution,
    game: Word,
    strategy: Word,
    *,
    weights: Annotated[Texts | Mapping[str, Pair | None], WEIGHTS] = (),
    against: OPPONENTS = (),
    holdout: OPPONENTS = (),
    trials: Trials = 60,
    sampler: Sampler = TPE,
    deals: Deals = 2_000,
    confirm: Deals = 20_000,
    seats: Seats | None = None,
    save: Annotated[str, Shell(metavar="NAME", default="tuned")] = "",
    **keywords: Unpack[Common],
) -> Result:
    """Search for the weights of a strategy that win most.

    Candidates play the same deals against a panel of opponents. The best one and the weights that `strategy`
    starts from then play fresh deals, also against players that were not in the panel. If the best one wins
    more there, and not less outside the panel, its weights are saved as the preset
    that `save` names, for every lineup.

    Args:
        game: Name of the game.
        strategy: Strategy with the weights that the search starts from.
        weights: Weight to tune, also with a range "WEIGHT=LOW:HIGH"; by default all.
        against: Opponent of the search; by default the game's other strategies but the holdout.
        holdout: Opponent of the check alone; by default a strategy that is not in the panel.
        trials: Candidates to try.
        sampler: Method of Optuna.
        deals: Deals per promising candidate.
        confirm: Fresh deals of the check.
        seats: Seats at the table; by default the usual number of the game.
        save: Name of the preset in which weights that win more are saved; "tuned" makes them `greedy@tuned`.

    Returns:
        The findings; `result.tuned` has the check on fresh deals, `result.run.tuned.tuned` the strategy with
        its new weights.

    Raises:
        UsageError: An unknown strategy or weight, or an opponent that is named twice.

    Example:
        >>> ranges = {"threshold": (5, 30)}
        >>> result = tune("pig", "hold_at(threshold=5)", weights=ranges, trials=2, deals=20, confirm=40)
        >>> result.run.tuned.strategy
        'hold_at(threshold=5)'

    Command line::

        simkit tune pig "hold_at(threshold=5)" --trials 20
    """
    if save and not engine_lineups.PRESET_NAME.fullmatch(save):
        raise UsageError(f"save {save}: a name has letters, digits and underscores, a letter first")
    definition, start = registry.game(game), _single(strategy)
    own: dict[str, Any] = {"trials": trials, "sampler": sampler, "confirm": confirm}
    own |= {"strategy": str(start), "vary": _varied(definition, start, weights)}
    panel, own["holdout"] = opponents(definition, start, against, holdout)
    rivals = (seats or definition.default_seats) - 1
    lineups = [[str(start), *[other] * rivals] for other in panel]
    result = answer(execution, TuneStudy(**own, **study_keys(game, deals, {**keywords, "lineups": lineups})))
    if save and has_gained(label_opponents(result)):
        named = _single(result.run.tuned.tuned)
        path = registry.save_preset(definition, save, named)
        execution.say(f"saved: {named.name}@{save} in {os.path.relpath(path)}")
    return result


def _single(text: str) -> Named:
    """Return the strategy in a text; UsageError for several."""
    strategies = parse_strategy(text)
    if len(strategies) != 1:
        raise UsageError(f"'{text}' is {len(strategies)} strategies; one is needed")
    return strategies[0]


def _varied(game: Game, own: Named, given: Mapping[str, Any] | Sequence[str]) -> dict[str, str]:
    """Return the weights to tune with their ranges as given; by default all, but none of a search."""
    chosen = registry.strategy(game, own.name)
    if isinstance(given, Mapping):
        return {name: f"{ends[0]}:{ends[1]}" if ends else "" for name, ends in given.items()}
    if not given and (chosen.searches or not chosen.weights):
        cure = f"name weights: {', '.join(chosen.weights)}" if chosen.searches else "take another"
        why = "searches, and more play-outs only take longer" if chosen.searches else "has no weights"
        raise UsageError(f"{own.name} {why}; {cure}")
    varied: dict[str, str] = {}
    for name, _, text in (part.partition("=") for part in given or chosen.weights):
        if name in varied:
            raise UsageError(f"weight {name} is given twice")
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
        raise UsageError(f"{min(both)} is in the panel and in the holdout; once is enough")
    return panel or mine or [own.name], others
