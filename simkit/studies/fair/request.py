"""The request of a search for a fair value, and the experiments that it plays."""

from dataclasses import dataclass

import numpy as np

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs.experiment import Experiment
from simkit.studies.study import Setting, Study, tied

CHECK_FACTOR = 3  # most deals of the check, in deals of the request
MIN_WIDE_DEALS, WIDE_DIVISOR = 500, 5  # a wide run has a fifth of the deals of the request


@dataclass(frozen=True)
class Request(Study):
    """The options to vary; `deals` are those of each value in the first close run."""

    vary: dict[str, tuple[int, int]]  # option -> range

    def check(self) -> None:
        """Raise UsageError for options that are no whole numbers, and for ranges that do not go up."""
        self.check_varied(self.vary)
        for name, (low, high) in self.vary.items():
            option = registry.game(self.game).option(name)
            if option.kind is not int:
                raise UsageError(f"option {name} is not a whole number; a fair value lies between numbers")
            for end in (low, high):
                option.number(end)
            if low >= high:
                raise UsageError(f"vary {name}={low}:{high}: the range goes up, low:high")
        if self.team and len(self.vary) > 1:
            enough = "one option is enough to make its team win as often"
            raise UsageError(f"{self.game} is co-operative: {enough}")

    def wide(self, settings: list[Setting], number: int = 0) -> Experiment:
        """Return a cheap experiment over a wide part of the range."""
        does = f"does the team come close to {self.aim}" if self.team else "do the seats come close to equal"
        question = f"Where along {', '.join(self.vary)} {does}?"
        deals = max(MIN_WIDE_DEALS, self.deals // WIDE_DIVISOR)
        return self.experiment(question, f"fair/wide{number}", sweep=tied(self.vary, settings), deals=deals)

    def close(self, settings: list[Setting], number: int, times: float = 1) -> Experiment:
        """Return an experiment near the fair value, on `times` the deals of the request."""
        does = f"does the team win {self.aim}" if self.team else "are the seats equal"
        question = f"At which value of {', '.join(self.vary)} {does}?"
        deals = round(times * self.deals)
        return self.experiment(question, f"fair/close{number}", sweep=tied(self.vary, settings), deals=deals)

    def confirmation(self, settings: list[Setting]) -> Experiment:
        """Return the experiment that plays candidates until a verdict, on deals of its own."""
        right = f"does the team win {self.aim}" if self.team else "is the game fair"
        labels = [f"“{registry.game(self.game).option(name).label}”" for name in self.vary]
        question, deals = f"At which {' and '.join(labels)} {right}?", CHECK_FACTOR * self.deals
        keys = {"sweep": tied(self.vary, settings), "deals": deals, "until_verdict": True}
        return self.experiment(question, "fair/check", **keys)

    def last_run(self) -> Experiment:
        """Return the confirmation of the usual values."""
        return self.confirmation([self.usual(self.vary)])

    @property
    def aim(self) -> str:
        """The fair share as a phrase of a question."""
        return f"{100 * self.fair:.1f} % of its games"

    @property
    def ranges(self) -> np.ndarray:
        """The ends of the ranges, as floats [end, option]."""
        return np.array(list(self.vary.values()), float).T
