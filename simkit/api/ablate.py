"""Effects of components, measured by changing them."""

from __future__ import annotations

from typing import Unpack

from simkit.api.execution import call_of, carry_out
from simkit.api.requests import Keywords, Texts, ask
from simkit.api.results import Result, recorded
from simkit.engine import ablation, registry
from simkit.errors import UsageError

TRACED = 20_000  # default number of deals in which the owners of components are traced


def ablate(
    game: str,
    *,
    how: str = "",
    components: Texts = (),
    rate: float | None = None,
    deals: int = 20_000,
    trace: int | None = None,
    **keywords: Unpack[Keywords],
) -> Result:
    """Measure the effect of each component (card, tile …) by changing it.

    Coins decide which components are changed in which deals, so that each deal says something about all.

    Args:
        game: Name of the game.
        how: One of the game's ways to change components; by default the first.
        components: Names or kinds of components; by default all.
        rate: Part of the deals in which each component is changed.
        deals: Deals per cell.
        trace: Deals in which the owners of components are traced; by default 20,000.
        keywords: lineups, seed, options, files, margin, target, keep_going, out, jobs, backend, scheduler,
            batch_timeout and progress; the manual of the API has a table.

    Returns:
        The findings of the run, with `result.ablation` and `result.ablation_owners`.

    Raises:
        UsageError: The game's components cannot be changed, or a name is unknown.

    Example:
        >>> result = ablate("charms", deals=400)
        >>> result.ablation.columns[:2]
        ['cell', 'setting']
    """
    execution, keys = call_of(ablate, locals())
    definition, trace = registry.game(game), keys.pop("trace")
    changes = {name: keys.pop(name) for name in ("how", "components", "rate")}
    names = changes["components"]
    if duplicates := [name for place, name in enumerate(names) if name and name in names[:place]]:
        raise UsageError(f"components: {duplicates[0]} is given twice")
    changes["how"] = ablation.way_of(definition, how).name
    has_owners = not definition.team and definition.pieces is not None
    traced = min(keys["deals"], TRACED) if trace is None else trace
    keys |= {"ablate": changes, "trace": traced if has_owners else 0}
    question = f"What do the components of {definition.title} do?"
    return recorded(carry_out(execution, ask(game, question, keys)))
