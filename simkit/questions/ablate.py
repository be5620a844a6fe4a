"""Questions: Measure the effect of each component (card, tile …)."""

from __future__ import annotations

from typing import Annotated, Unpack

from simkit.api import texts
from simkit.api.arguments import Keywords, Shell, Texts, Trace, Word
from simkit.api.execution import Execution
from simkit.api.question import question
from simkit.api.requests import ask
from simkit.api.results import Result, answer
from simkit.engine import ablation, registry
from simkit.errors import UsageError
from simkit.runs.experiment import Deals, Share

TRACED = 20_000  # default number of deals in which the owners of components are traced


@question(shell=("table",))
def ablate(
    execution: Execution,
    game: Word,
    *,
    how: Annotated[str, Shell(metavar="WAY")] = "",
    components: Annotated[Texts, Shell(metavar="A,B,...", parse=texts.words, repeatable=True)] = (),
    rate: Annotated[Share, Shell(metavar="P")] | None = None,
    deals: Deals = 20_000,
    trace: Trace | None = None,
    **keywords: Unpack[Keywords],
) -> Result:
    """Measure the effect of each component (card, tile …).

    You get the effect of each component on who wins, on the length of a game and on the seat that has it,
    each with its interval, next to how often its owners win. Coins decide which components are changed in
    which deals, so that each deal says something about all of them.

    Args:
        game: Name of the game.
        how: One of the game's ways to change components, which `simkit rules GAME` lists; by default the
            first.
        components: Names or kinds of components; by default all.
        rate: Part of the deals in which each component is changed.
        deals: Deals per cell.
        trace: Deals in which the owners of components are traced; by default 20,000.

    Returns:
        The findings of the run, with `result.ablation` and `result.ablation_owners`.

    Raises:
        UsageError: The game's components cannot be changed, or a name is unknown.

    Example:
        >>> result = ablate("charms", deals=400)
        >>> result.ablation.columns[:2]
        ['cell', 'setting']

    Command line::

        simkit ablate outpost_seven --how blank --deals 50000
    """
    definition = registry.game(game)
    if duplicates := [name for place, name in enumerate(components) if name and name in components[:place]]:
        raise UsageError(f"components: {duplicates[0]} is given twice")
    changes = {"how": ablation.way_of(definition, how).name, "components": components, "rate": rate}
    has_owners = not definition.team and definition.pieces is not None
    traced = min(deals, TRACED) if trace is None else trace
    keys = {**keywords, "deals": deals, "ablate": changes, "trace": traced if has_owners else 0}
    return answer(execution, ask(game, f"What do the components of {definition.title} do?", keys))
