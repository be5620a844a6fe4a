"""The request of a rule design, and the experiments that it plays."""

import re
from typing import Any, NamedTuple

from simkit.analysis import measures
from simkit.analysis.goals import FAIRNESS, Goal
from simkit.engine import registry
from simkit.engine.rng import sub_seed
from simkit.engine.strategy import seats_of
from simkit.errors import UsageError
from simkit.runs import experiment, manifest
from simkit.runs.columns import check_number
from simkit.runs.experiment import Experiment

Value = Any  # value of an option, as written by a person
Setting = tuple[Value, ...]
FIRST_DEALS_DIVISOR = 8  # a setting is first measured on this fraction of all deals
MIN_FIRST_DEALS = 50
WISH_PATTERN = re.compile(r"(?P<column>[^<>=]+?)\s*(?P<sign>>=|<=|=)\s*(?P<value>[^<>=]+)")
PRINTED = "printed"  # instead of a number: the value under the printed rules


class Request(NamedTuple):
    """The wishes for the rules, the options that may change, and the size of the search."""

    game: str
    vary: dict[str, list[Value]]  # option -> the values that it may take
    wishes: list[str]
    lineups: list[list[str]]
    deals: int  # per setting that is not dropped
    trials: int  # settings to try
    best: int  # settings to check
    confirm: int  # deals of the check
    seed: int
    margin: float
    more: dict[str, Any]  # further keys of the experiments: options, files, target

    def experiment(self, question: str, settings: list[Setting], **keys: Any) -> Experiment:
        """Return an experiment with a cell for each lineup and setting."""
        defaults = {"question": question, "game": self.game, "lineups": self.lineups, "margin": self.margin}
        defaults |= {"seed": self.seed}
        rows = [list(setting) if len(setting) > 1 else setting[0] for setting in settings]
        return experiment.parse(defaults | {"sweep": {", ".join(self.vary): rows}} | self.more | keys)

    def look(self, settings: list[Setting], deals: int) -> Experiment:
        """Return the experiment of a side run; all side runs share their deals."""
        question = f"Which rules come close to {self.wanted}?"
        return self.experiment(question, settings, deals=deals, seed=sub_seed(self.seed, "design/looks"))

    def check(self, settings: list[Setting]) -> Experiment:
        """Return the experiment of the printed rules and the best settings, on deals of its own."""
        base = dict(zip(self.vary, self.printed(), strict=True))
        keys = {"deals": self.confirm, "seed": sub_seed(self.seed, "design/check"), "baseline": base}
        return self.experiment(f"Do these rules meet the wishes {self.wanted}?", settings, **keys)

    @property
    def wanted(self) -> str:
        """The wishes as a list in a sentence."""
        return ", ".join(self.wishes)

    @property
    def few(self) -> int:
        """Deals of the first measurement of a setting."""
        return min(self.deals, max(MIN_FIRST_DEALS, self.deals // FIRST_DEALS_DIVISOR))

    def printed(self) -> Setting:
        """Return the usual values of the varied options."""
        usual = registry.game(self.game).resolve(self.more.get("options", {}))
        return tuple(usual[name] for name in self.vary)

    @property
    def settings(self) -> int:
        """Number of settings."""
        count = 1
        for values in self.vary.values():
            count *= len(values)
        return count

    def goals(self) -> list[Goal]:
        """Return the goals of the wishes: a column of the log or the share of a seat, with its limits."""
        columns = manifest.columns_of(self.look([self.printed()], 1))["games"]
        return [goal for text in self.wishes for goal in self._goals(text.strip(), columns)]

    def _goals(self, text: str, columns: dict[str, str]) -> list[Goal]:
        """Return the goals of one wish."""
        if text == FAIRNESS:
            return self._fair()
        match = WISH_PATTERN.fullmatch(text)
        if match is None:
            forms = "fairness, COLUMN=LOW:HIGH, COLUMN>=NUMBER, COLUMN<=NUMBER, COLUMN>=printed"
            raise UsageError(f"--wish {text}: is not of the form {forms}")
        column = match["column"].strip()
        measures.check_column(column, {"games": columns, "seats": ()})
        check_number(registry.game(self.game), column)
        low, high, printed = _ends(text, match["sign"], match["value"].strip())
        return [Goal(text, column, None, "", low, high, printed)]

    def _fair(self) -> list[Goal]:
        """Return a goal per seat (of two the first, of a team all): its fair share within the margin."""
        game, seats = registry.game(self.game), self.seats
        fair = self.more.get("target", experiment.USUAL_TARGET) if game.team else 1 / seats
        seats_judged = 1 if game.team or seats == 2 else seats
        ends = fair - self.margin, fair + self.margin
        return [Goal(FAIRNESS, "share", seat, "share", *ends, False) for seat in range(seats_judged)]

    @property
    def seats(self) -> int:
        """Number of seats of the lineups."""
        return seats_of(self.lineups)


def _ends(text: str, sign: str, value: str) -> tuple[float | None, float | None, bool]:
    """Return the limits of a wish (None where open), and whether they are relative to the printed rules."""
    if value == PRINTED:
        if sign == "=":
            raise UsageError(f"--wish {text}: say >=printed or <=printed")
        return (0.0, None, True) if sign == ">=" else (None, 0.0, True)
    numbers = [_number(text, part) for part in value.split(":")]
    if sign == "=":
        if len(numbers) != 2 or numbers[0] >= numbers[1]:
            raise UsageError(f"--wish {text}: a range LOW:HIGH that goes up is needed")
        return numbers[0], numbers[1], False
    if len(numbers) != 1:
        raise UsageError(f"--wish {text}: one number is needed")
    return (numbers[0], None, False) if sign == ">=" else (None, numbers[0], False)


def _number(text: str, part: str) -> float:
    """Return the number in a part of a wish; raise UsageError where it is none."""
    if not re.fullmatch(r"[+-]?\d{1,15}(\.\d{1,15})?", part.strip()):
        raise UsageError(f"--wish {text}: '{part.strip()}' is not a number")
    return float(part)


def check_asked(request: Request) -> None:
    """Raise UsageError for a request that cannot be searched, before anything is played."""
    game = registry.game(request.game)
    for name, values in request.vary.items():
        option = game.option(name)
        if name in request.more.get("options", {}):
            raise UsageError(f"option {name} is given with --set and with --vary; once is enough")
        for value in values:
            option.number(value)
        if len(values) < 2:
            raise UsageError(f"--vary {name}: two different values are needed at least")
    if not game.team and "target" in request.more:
        raise UsageError(f"--target is for co-operative games; {request.game} is none: leave it out")
    wishes = ["".join(text.split()) for text in request.wishes]
    duplicates = {text for text in wishes if wishes.count(text) > 1}
    if duplicates:
        raise UsageError(f"--wish {min(duplicates)}: is given twice")
    request.goals()
    experiment.check(request.experiment("?", [request.printed()], deals=1))
