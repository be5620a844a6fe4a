"""Questions: Find the options that matter, and those that do nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Unpack

from pydantic import Field

from simkit.api import texts
from simkit.api.arguments import Keywords, Pair, Shell, Texts, Word
from simkit.api.execution import Execution
from simkit.api.question import question
from simkit.api.requests import study_keys
from simkit.api.results import Result, answer
from simkit.errors import UsageError
from simkit.studies.screening import ScreenStudy
from simkit.studies.screening.request import Small, Strongest
from simkit.studies.study import Deals

SAMPLES = [2**power for power in range(4, 15)]  # numbers of points of Sobol indices
LEVELS = Shell(
    "--options", metavar="NAME,NAME=LOW:HIGH,NAME=A/B,...", parse=texts.levels, of_game=True, repeatable=True
)


@question()
def screen(
    execution: Execution,
    game: Word,
    vary: Annotated[Mapping[str, Pair | None], LEVELS] = {},
    *,
    measures: Annotated[Texts, Shell("--measure", metavar="COLUMN", repeatable=True)] = (),
    strongest: Strongest = 5,
    sobol: Annotated[int, Field(ge=0, le=SAMPLES[-1]), Shell(metavar="N")] = 0,
    small: Small = 0.05,
    deals: Deals = 2_000,
    **keywords: Unpack[Keywords],
) -> Result:
    """Find the options that matter, and those that do nothing.

    You get the effect of every option on who wins and on the length of a game, by itself and averaged over
    the others. The strongest options are then played in all combinations, on fresh deals.

    Args:
        game: Name of the game.
        vary: Options to screen, each with two values or with the usual ones; by default all.
        measures: Column of the log to measure besides the shares; by default turns and lead_changes.
        strongest: Options to play in all combinations.
        sobol: Points from which Sobol indices are estimated, a power of 2 such as 256; 0 for none.
        small: Change of other measures that does not matter, as a part of their mean.
        deals: Deals per setting.
        margin: Change of a share that does not matter; 0.02 by default.

    Returns:
        The findings; `result.dials` (effects of all options), `result.together` (effects of the strongest).

    Raises:
        UsageError: An unknown option, or a sample that is no power of 2.

    Example:
        >>> result = screen("pig", {"goal": (50, 100), "faces": (6, 8)}, strongest=2, deals=20)
        >>> sorted(set(result.dials["option"]))
        ['faces', 'goal']

    Command line::

        simkit screen pig --options goal=50:100,faces=6:8,bust
    """
    if sobol not in [0, *SAMPLES]:
        raise UsageError(f"sobol {sobol}: a sample is a power of 2 from {SAMPLES[0]} to {SAMPLES[-1]}")
    own: dict[str, Any] = {"measures": measures, "small": small, "strongest": strongest}
    own |= {"options": vary, "sample": sobol}
    return answer(execution, ScreenStudy(**own, **study_keys(game, deals, keywords)))
