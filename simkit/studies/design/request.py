"""The request of a rule design: wishes and options, and the experiments that it plays."""

import math
import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from simkit.analysis import measures
from simkit.analysis.goals import FAIRNESS, Goal
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import manifest
from simkit.runs.experiment import Experiment
from simkit.runs.log import check_number
from simkit.runs.plan import make_plan
from simkit.studies.study import Deals, Setting, Study, Trials, Value, tied

NUMBER = r"[+-]?\d{1,15}(?:\.\d{1,15})?"
WISH_PATTERN = re.compile(
    rf"(?P<column>[^<>=]+?)\s*(?:=\s*(?P<low>{NUMBER})\s*:\s*(?P<high>{NUMBER})"
    rf"|(?P<sign>>=|<=)\s*(?P<end>{NUMBER}|printed))"
)
WISH_FORMS = "fairness, COLUMN=LOW:HIGH, COLUMN>=NUMBER, COLUMN<=NUMBER, COLUMN>=printed or COLUMN<=printed"
Best = Annotated[int, Field(ge=1, le=20)]
PRINTED = "printed"  # instead of a number: the value under the printed rules


@dataclass(frozen=True)
class Request(Study):
    """The wishes, the options that may change, and the size; `deals` are per setting that is not dropped."""

    vary: dict[str, list[Value]]  # option -> the values that it may take
    wishes: list[str]
    trials: Trials  # settings to try
    best: Best  # settings to confirm
    confirm: Deals  # deals of the confirmation

    def check(self) -> None:
        """Raise UsageError for options with one value, for wishes that nothing measures, and for doubles."""
        self.check_varied(self.vary)
        for name, values in self.vary.items():
            for value in values:
                registry.game(self.game).option(name).number(value)
            if len(set(values)) < max(2, len(values)):
                raise UsageError(f"vary {name}: two or more values are needed, each once")
        if not self.wishes:
            raise UsageError(f"wishes: one or more are needed, of the form {WISH_FORMS}")
        wishes = ["".join(text.split()) for text in self.wishes]
        if duplicates := {text for text in wishes if wishes.count(text) > 1}:
            raise UsageError(f"wish {min(duplicates)}: is given twice")
        self.goals()
        make_plan(self.side_run([self.printed], 1)).check()

    def side_run(self, settings: list[Setting], deals: int) -> Experiment:
        """Return the experiment of a side run; all side runs share their deals."""
        question = f"Which rules come close to {', '.join(self.wishes)}?"
        return self.experiment(question, "design/looks", sweep=tied(self.vary, settings), deals=deals)

    def confirmation(self, settings: list[Setting]) -> Experiment:
        """Return the experiment of the printed rules and the best settings, on deals of its own."""
        question = f"Which rules meet these wishes: {', '.join(self.wishes)}?"
        keys = {"sweep": tied(self.vary, [self.printed, *settings]), "deals": self.confirm}
        return self.experiment(question, "design/check", baseline=self.named(self.printed), **keys)

    def last_run(self) -> Experiment:
        """Return the confirmation of the printed rules."""
        return self.confirmation([])

    @property
    def printed(self) -> Setting:
        """The usual values of the varied options."""
        return self.usual(self.vary)

    def named(self, setting: Setting) -> dict[str, Value]:
        """Return the values of a setting by option."""
        return dict(zip(self.vary, setting, strict=True))

    @property
    def setting_count(self) -> int:
        """Number of settings that may be tried."""
        return math.prod(map(len, self.vary.values()))

    def goals(self) -> list[Goal]:
        """Return the goals of the wishes: a column of the log or the share of a seat, with its limits."""
        columns = manifest.columns_of(self.side_run([self.printed], 1))["games"]
        return [goal for text in self.wishes for goal in self._goals(text.strip(), columns)]

    def _goals(self, text: str, columns: dict[str, str]) -> list[Goal]:
        """Return the goals of one wish."""
        if text == FAIRNESS:
            return self._fair_shares()
        match = WISH_PATTERN.fullmatch(text)
        if match is None:
            raise UsageError(f"wish {text}: is not of the form {WISH_FORMS}")
        column, printed = match["column"].strip(), match["end"] == PRINTED
        measures.check_column(column, {"games": columns, "seats": ()})
        check_number(registry.game(self.game), column)
        if match["sign"]:
            end = 0.0 if printed else float(match["end"])
            low, high = (end, None) if match["sign"] == ">=" else (None, end)
        else:
            low, high = float(match["low"]), float(match["high"])
            if low >= high:
                raise UsageError(f"wish {text}: the range does not go up, as in COLUMN=LOW:HIGH")
        return [Goal(wish=text, measure=column, seat=None, unit="", low=low, high=high, printed=printed)]

    def _fair_shares(self) -> list[Goal]:
        """Return a goal per seat (of two the first, of a team all): its fair share within the margin."""
        seats_judged = 1 if self.team or self.seats == 2 else self.seats
        low, high = self.fair - self.margin, self.fair + self.margin
        keys = {"wish": FAIRNESS, "measure": "share", "unit": "share", "printed": False}
        keys |= {"low": low, "high": high}
        return [Goal.model_validate({**keys, "seat": seat}) for seat in range(seats_judged)]
