"""Questions: Find the value of a rule option at which the seats are equal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Unpack

from simkit.api import texts
from simkit.api.arguments import Keywords, Range, Shell, Word
from simkit.api.execution import Execution
from simkit.api.question import question
from simkit.api.requests import study_keys
from simkit.api.results import Result, answer
from simkit.studies.fair import FairStudy
from simkit.studies.study import ManyDeals

Ranges = Annotated[
    Mapping[str, Range], Shell("--vary", metavar="OPTION=LOW:HIGH", parse=texts.ranges, repeatable=True)
]


@question()
def fair(
    execution: Execution, game: Word, vary: Ranges, *, deals: ManyDeals = 20_000, **keywords: Unpack[Keywords]
) -> Result:
    """Find the value of a rule option at which the seats are equal.

    You get the fair value with its 95 % interval, and the best whole number with its verdict on fresh deals.
    For a co-operative game it is the value at which the team wins as often as `target` says.

    Args:
        game: Name of the game.
        vary: Lowest and highest value of an option. One option is enough for two seats; each further seat
            needs one more.
        deals: Deals per value near the fair value.

    Returns:
        The findings of the check on fresh deals; `result.value` is the fair value, `result.fair_values` has
        its interval and the best whole number.

    Raises:
        UsageError: An option that is no whole number, or a range that does not go up.

    Example:
        >>> fair("pig", {"goal": (2, 40)}, lineups=["random*2"], deals=400).fair_values.height
        1

    Command line::

        simkit fair outpost_seven --vary start_total_second=12:24
    """
    return answer(execution, FairStudy(vary=dict(vary), **study_keys(game, deals, keywords)))
