"""Questions: Find the value of a rule option at which the seats are equal.

The function and its study; `measurement.py` plays and measures, `search.py` finds the fair value, and
`result.py` has the schema of the results, their tables and words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Unpack

from pydantic import BeforeValidator

from simkit.ask import texts
from simkit.ask.arguments import Keywords, Shell, Word, pair
from simkit.ask.execution import Execution
from simkit.ask.question import question
from simkit.ask.requests import study_keys
from simkit.ask.results import Result, answer
from simkit.ask.study import ManyDeals, Play, SettingValues
from simkit.errors import UsageError
from simkit.questions.fair.measurement import Data, FairRequest, MeasureRun, Solution, measurements, points
from simkit.questions.fair.result import FairResults
from simkit.questions.fair.search import many_options, one_option
from simkit.runs.experiment import Experiment

MAX_CANDIDATES = 4  # settings that are checked on fresh deals


def _ranges_of(parts: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return the range of each option from texts `option=low:high`."""
    ends_by_option: dict[str, tuple[int, int]] = {}
    for name, values in texts.by_option(parts, "varied").items():
        ends = texts.whole_numbers(values)
        if len(ends) != 2:
            raise UsageError(f"--vary {name}={values}: a range of whole numbers low:high is needed")
        ends_by_option[name] = (ends[0], ends[1])
    return ends_by_option


Range = Annotated[tuple[int, int], BeforeValidator(pair)]
Ranges = Annotated[
    Mapping[str, Range], Shell("--vary", metavar="OPTION=LOW:HIGH", parse=_ranges_of, repeatable=True)
]


@question()
def fair(
    execution: Execution, game: Word, vary: Ranges, *, deals: ManyDeals = 20_000, **keywords: Unpack[Keywords]
) -> Result:
    """Find the value of a rule option at which the seats are equal.

    You get the fair value with its 95 % interval, and the best whole number with its verdict on fresh deals.
    For a co-operative game it is the value at which the team wins as often as `target` says, and between two
    sides that at which the first one does.

    Args:
        game: Name of the game.
        vary: Lowest and highest value of an option. One option is enough for two seats, a team or two sides;
            each further seat needs one more.
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


class FairStudy(FairRequest):
    """A search for the value of an option (or of one option per seat) at which the seats are equal.

    `side_runs/wide` covers the whole range (`wide1` ... where that is too coarse), `side_runs/close` the part
    where the shares are near fair, `close1` ... the values that are still open. The close runs together give
    the fair value. The run in the folder itself plays the best whole numbers until a verdict.

    The fair value of one option is the point at which the shares at whole numbers, joined by straight lines,
    are fair (`simkit/stats/crossing.py`): only whole numbers can be played, and no curve is assumed between
    them. The close runs play every whole number near the fair value; with few deals for a flat curve they
    play every second, fourth, ..., and the answer says which. The ends of the interval are values that were
    played, because nothing is known between two of them.

    Coverage of the 95 % interval (tests/questions/test_fair_coverage.py): one option 96 to 100 % on the
    measured curve of Outpost Seven, on kinks, on steps and on flat curves, with 2,000 and with 20,000 deals.
    One option per seat: 91 to 98 %, with intervals that are sometimes open or very wide.
    """

    def carry_out(self, play: Play) -> tuple[Experiment, FairResults]:
        """Measure the shares along the options; return the confirmation of the best whole numbers."""
        parts: dict[str, Data] = {}

        def measure(experiment: Experiment, name: str) -> Data:
            parts[name] = measurements(self, play(experiment, name))
            return parts[name]

        solution = self.fair_values(measure)
        results = FairResults(
            vary=self.vary,
            usual=dict(zip(self.vary, self.usual(self.vary), strict=True)),
            fair=self.fair,
            values=solution.values,
            points=[point for name, data in parts.items() for point in points(self, name, data)],
            curve=solution.curve,
            differing_lineups=solution.differing,
            unfit=solution.unfit,
        )
        return self.confirmation(_candidates(solution)), results

    def fair_values(self, measure: MeasureRun) -> Solution:
        """Return the fair values before their confirmation."""
        return (one_option if len(self.vary) == 1 else many_options)(self, measure)


def _candidates(solution: Solution) -> list[SettingValues]:
    """Return the best settings, in order: those of all lineups together and of the last lineups first."""
    best: dict[str, SettingValues] = {}
    for row in solution.values:
        best[row.lineup] = (*best.get(row.lineup, ()), row.best)
    return sorted(list(dict.fromkeys(reversed(best.values())))[:MAX_CANDIDATES])
