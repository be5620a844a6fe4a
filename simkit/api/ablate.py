"""Effects of components, measured by changing them."""

from collections.abc import Sequence
from typing import Unpack

from simkit.api.execution import carry_out, execution_of
from simkit.api.requests import Keywords, ask, keys_of
from simkit.api.results import Result, recorded
from simkit.engine import ablation, registry
from simkit.errors import UsageError

TRACED = 20_000  # default number of deals in which the owners of components are traced


def ablate(
    game: str,
    *,
    how: str = "",
    components: Sequence[str] = (),
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
        keywords: Further keywords; the manual of the API has a table.

    Returns:
        The findings of the run, with `result.ablation` and `result.ablation_owners`.

    Raises:
        UsageError: The game's components cannot be changed, or a name is unknown.

    Example:
        >>> result = ablate("charms", deals=400)
        >>> result.ablation.columns[:2]
        ['cell', 'setting']
    """
    definition, keys = registry.game(game), keys_of(keywords, Keywords)
    execution = execution_of(keywords, "ablate", game, how=how, components=components, deals=deals, **keys)
    if duplicates := [name for place, name in enumerate(components) if name and name in components[:place]]:
        raise UsageError(f"components: {duplicates[0]} is given twice")
    way = ablation.way_of(definition, how)
    has_owners = not definition.team and definition.pieces is not None
    traced = min(deals, TRACED) if trace is None else trace
    changes = {"how": way.name, "components": list(components), "rate": rate}
    keys |= {"ablate": changes, "trace": traced if has_owners else 0, "deals": deals}
    question = f"What do the components of {definition.title} do?"
    return recorded(carry_out(execution, ask(game, question, keys)))
