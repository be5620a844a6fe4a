"""Questions: Search for rules that meet several wishes at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Unpack

from simkit.api import texts
from simkit.api.arguments import Keywords, Shell, Texts, Values, Word
from simkit.api.execution import Execution
from simkit.api.question import question
from simkit.api.requests import study_keys
from simkit.api.results import Result, answer
from simkit.studies.design import DesignStudy
from simkit.studies.design.request import Best
from simkit.studies.study import Deals, Trials

CHOICES = Shell(
    "--vary",
    metavar="OPTION=LOW:HIGH",
    parse=texts.choices,
    of_game=True,
    repeatable=True,
    note="Also LOW:HIGH:STEP or A/B.",
)


@question()
def design(
    execution: Execution,
    game: Word,
    vary: Annotated[Mapping[str, Values], CHOICES],
    wishes: Annotated[Texts, Shell("--wish", metavar="WISH", repeatable=True)],
    *,
    trials: Trials = 80,
    best: Best = 4,
    confirm: Deals = 20_000,
    deals: Deals = 2_000,
    **keywords: Unpack[Keywords],
) -> Result:
    """Search for rules that meet several wishes at once.

    You get the best settings with a verdict on each wish, measured on fresh deals. A wish is "fairness"
    (every seat wins its share, within `margin`), or it says where the mean of a column of the games table
    should lie: in a range, or above or below a number or the mean under the printed rules. Each of `lineups`
    has to meet it.

    Args:
        game: Name of the game.
        vary: Values of an option that may be chosen.
        wishes: fairness, COLUMN=LOW:HIGH, COLUMN>=NUMBER, COLUMN<=NUMBER or COLUMN>=printed.
        trials: Settings to try.
        best: Settings to check on fresh deals.
        confirm: Fresh deals per checked setting.
        deals: Deals per promising setting.

    Returns:
        The findings, with `result.checked_settings` and `result.wishes`.

    Raises:
        UsageError: An unknown option or column, or a wish that cannot be read.

    Example:
        >>> wishes = ["fairness", "turns=10:20"]
        >>> result = design("pig", {"goal": [20, 30]}, wishes, trials=2, best=1, confirm=40, deals=20)
        >>> result.checked_settings.columns[0]
        'setting_number'

    Command line::

        simkit design outpost_seven --vary start_total_second=16:24 --vary rows=4:6 \\
            --wish fairness --wish turns=25:35 --wish "lead_changes>=printed"
    """
    own: dict[str, Any] = {"vary": vary, "wishes": wishes, "trials": trials, "best": best, "confirm": confirm}
    return answer(execution, DesignStudy(**own, **study_keys(game, deals, keywords)))
