"""What rules are wished for, over which options, and the experiments that are played for it."""

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

Value = Any  # of an option, as a person writes it
Setting = tuple[Value, ...]
FEW = 8  # the first look at a setting has this part of all deals
LEAST = 50  # deals of it at least
FORM = re.compile(r"(?P<column>[^<>=]+?)\s*(?P<sign>>=|<=|=)\s*(?P<value>[^<>=]+)")
PRINTED = "printed"  # in place of a number: what the printed rules have


class Asked(NamedTuple):
    """Rules that are to meet wishes."""

    game: str
    vary: dict[str, list[Value]]  # option -> the values that it may take
    wishes: list[str]
    lineups: list[list[str]]
    deals: int  # of a setting that is not dropped
    trials: int  # settings to try
    best: int  # settings to check
    confirm: int  # deals of the check
    seed: int
    margin: float
    more: dict[str, Any]  # further keys of the experiments: options, files, target

    def experiment(self, question: str, settings: list[Setting], **keys: Any) -> Experiment:
        known = {"question": question, "game": self.game, "lineups": self.lineups, "margin": self.margin}
        known |= {"seed": self.seed}
        rows = [list(one) if len(one) > 1 else one[0] for one in settings]
        return experiment.parse(known | {"sweep": {", ".join(self.vary): rows}} | self.more | keys)

    def look(self, settings: list[Setting], deals: int) -> Experiment:
        question = f"Which rules come close to {self.wanted}?"
        return self.experiment(question, settings, deals=deals, seed=sub_seed(self.seed, "design/looks"))

    def check(self, settings: list[Setting]) -> Experiment:
        """The printed rules and the best settings, on deals of their own."""
        base = dict(zip(self.vary, self.printed(), strict=True))
        keys = {"deals": self.confirm, "seed": sub_seed(self.seed, "design/check"), "baseline": base}
        return self.experiment(f"Do these rules meet the wishes {self.wanted}?", settings, **keys)

    @property
    def wanted(self) -> str:
        return ", ".join(self.wishes)

    @property
    def few(self) -> int:
        return min(self.deals, max(LEAST, self.deals // FEW))

    def printed(self) -> Setting:
        """The usual values of the options that are varied."""
        usual = registry.game(self.game).resolve(self.more.get("options", {}))
        return tuple(usual[name] for name in self.vary)

    @property
    def settings(self) -> int:
        """How many settings there are."""
        found = 1
        for values in self.vary.values():
            found *= len(values)
        return found

    def goals(self) -> list[Goal]:
        """What the wishes come to, each column of the log or share of a seat with its ends."""
        columns = manifest.columns_of(self.look([self.printed()], 1))["games"]
        return [goal for text in self.wishes for goal in self._goals(text.strip(), columns)]

    def _goals(self, text: str, columns: dict[str, str]) -> list[Goal]:
        if text == FAIRNESS:
            return self._fair()
        said = FORM.fullmatch(text)
        if said is None:
            forms = "fairness, COLUMN=LOW:HIGH, COLUMN>=NUMBER, COLUMN<=NUMBER, COLUMN>=printed"
            raise UsageError(f"--wish {text}: is not of the form {forms}")
        column = said["column"].strip()
        measures.check_column(column, {"games": columns, "seats": ()})
        check_number(registry.game(self.game), column)
        low, high, printed = _ends(text, said["sign"], said["value"].strip())
        return [Goal(text, column, None, "", low, high, printed)]

    def _fair(self) -> list[Goal]:
        """Every seat (of two the first, of a team all) within the margin of its fair share."""
        of, seats = registry.game(self.game), self.seats
        fair = self.more.get("target", experiment.USUAL_TARGET) if of.team else 1 / seats
        told = 1 if of.team or seats == 2 else seats
        ends = fair - self.margin, fair + self.margin
        return [Goal(FAIRNESS, "share", seat, "share", *ends, False) for seat in range(told)]

    @property
    def seats(self) -> int:
        return seats_of(self.lineups)


def _ends(text: str, sign: str, value: str) -> tuple[float | None, float | None, bool]:
    """The ends of a wish, None where it has none, and whether they count from what the printed rules have."""
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
    if not re.fullmatch(r"[+-]?\d{1,15}(\.\d{1,15})?", part.strip()):
        raise UsageError(f"--wish {text}: '{part.strip()}' is not a number")
    return float(part)


def check_asked(asked: Asked) -> None:
    """Refuse what cannot be searched before anything is played."""
    of = registry.game(asked.game)
    for name, values in asked.vary.items():
        option = of.option(name)
        if name in asked.more.get("options", {}):
            raise UsageError(f"option {name} is given with --set and with --vary; once is enough")
        for value in values:
            option.number(value)
        if len(values) < 2:
            raise UsageError(f"--vary {name}: two different values are needed at least")
    if not of.team and "target" in asked.more:
        raise UsageError(f"--target is for co-operative games; {asked.game} is none: leave it out")
    wishes = ["".join(text.split()) for text in asked.wishes]
    twice = {text for text in wishes if wishes.count(text) > 1}
    if twice:
        raise UsageError(f"--wish {min(twice)}: is given twice")
    asked.goals()
    experiment.check(asked.experiment("?", [asked.printed()], deals=1))
