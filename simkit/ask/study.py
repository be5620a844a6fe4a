"""The protocol of studies: questions that play several runs in turn, in one folder.

| step | method | what happens |
| --- | --- | --- |
| request | `check` | a request that cannot be answered is refused before anything is played |
| play, interim analysis | `carry_out` | side runs are played in `side_runs/`; results decide what is next |
| confirm | `solve` | the run in the folder itself plays the candidates on fresh deals |
| record | `solve` | `search.json` holds the results of the side runs |

Candidates are confirmed on fresh deals because selected candidates look better than they are: each purpose
has a sub-seed of its own, so that no run shares deals with another one, with another study or with a plain
run. Every step depends on the request alone. The command of an interrupted study therefore resumes it: runs
that are finished are only opened.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field

from simkit.engine import registry
from simkit.engine.lineups import seats_of
from simkit.engine.rng import sub_seed
from simkit.errors import OtherRun, UsageError
from simkit.runs import experiment
from simkit.runs.answers import StudyResults
from simkit.runs.experiment import Experiment
from simkit.runs.folder import SIDE_RUNS, Run, keep_results, open_unfinished
from simkit.runs.plan import USUAL_TARGET, check_judged
from simkit.runs.progress import Progress

SettingValues = tuple[Any, ...]
Play = Callable[[Experiment, str], Run]  # carries out an experiment in that subfolder; often a `Playing`
# Arguments with their ranges.
Deals = Annotated[int, Field(ge=20, le=10**9)]
ManyDeals = Annotated[int, Field(ge=100, le=10**9)]
Trials = Annotated[int, Field(ge=2, le=10_000)]
FIRST_DEALS_DIVISOR = 8  # a candidate is first measured on this fraction of all deals
MIN_FIRST_DEALS = 50


@dataclass(frozen=True)
class Playing:
    """How the experiments of a study are played in its folder; a call carries out one of them."""

    folder: Path
    jobs: int
    reporter: Callable[[str], AbstractContextManager[Progress]]  # of what has that label
    play: Play

    def __call__(self, experiment: Experiment, name: str) -> Run:
        """Carry out an experiment in that subfolder."""
        return self.play(experiment, name)


@dataclass(frozen=True)
class Study(ABC):
    """A question about a game: what all studies have in common."""

    game: str
    lineups: list[list[str]]
    deals: int
    seed: int
    margin: float
    more: dict[str, Any]  # further keys of the experiments: options, files, target, role, keep_going

    OPEN_KEYS: ClassVar = {"sweep"}  # keys of the last run that are unknown before the search

    @abstractmethod
    def check(self) -> None:
        """Raise UsageError for a request that cannot be answered."""

    @abstractmethod
    def last_run(self) -> Experiment:
        """Return the run of the folder itself; its OPEN_KEYS are placeholders."""

    @abstractmethod
    def carry_out(self, play: Play) -> tuple[Experiment, StudyResults | None]:
        """Play the side runs; return the run that confirms their candidates, and results to keep, if any."""

    def solve(self, play: Play) -> Run:
        """Carry out the study, and return the run of the folder; `play` carries out each experiment."""

        def play_side_run(side_run: Experiment, name: str) -> Run:
            return play(side_run, f"{SIDE_RUNS}/{name}")

        last, results = self.carry_out(play_side_run)
        run = play(last, "")
        if results:
            keep_results(run.folder, self.complete(results, run))
        return run

    def complete(self, results: StudyResults, run: Run) -> StudyResults:
        """Return the results to keep; a study whose last run belongs to its results adds it."""
        return results

    def experiment(self, question: str, purpose: str = "", **keys: Any) -> Experiment:
        """Return an experiment with the keys of the request; `purpose` names the seed of its deals."""
        defaults = {"question": question, "game": self.game, "lineups": self.lineups, "margin": self.margin}
        seed = sub_seed(self.seed, purpose) if purpose else self.seed
        return experiment.parse(defaults | {"deals": self.deals, "seed": seed} | self.more | keys)

    @property
    def fixed(self) -> dict[str, Any]:
        """Options that are set to one value in all runs."""
        return dict(self.more.get("options", {}))

    def usual(self, names: Iterable[str]) -> SettingValues:
        """Return the values that options have if they are not varied."""
        values = registry.game(self.game).resolve(self.fixed)
        return tuple(values[name] for name in names)

    @property
    def first_deals(self) -> int:
        """Deals of the first measurement of a candidate, after which it may be dropped."""
        return min(self.deals, max(MIN_FIRST_DEALS, self.deals // FIRST_DEALS_DIVISOR))

    @property
    def team(self) -> bool:
        """Whether the game is co-operative."""
        return registry.game(self.game).team

    @property
    def parties(self) -> int:
        """The number of sides, or of seats that play for themselves."""
        return len(registry.game(self.game).rival_sides) or self.seats

    @property
    def one_share(self) -> bool:
        """Whether one share is judged: that of a team, of the first of two sides, or of a role."""
        return bool(registry.game(self.game).sides) or "role" in self.more

    @property
    def seats(self) -> int:
        """Number of seats of the lineups."""
        return seats_of(self.lineups)

    @property
    def fair(self) -> float:
        """The share of a seat that counts as fair; for a team, side or role that is judged its target."""
        usual = USUAL_TARGET if self.one_share and "role" not in self.more else 1 / self.seats
        return float(self.more.get("target", usual)) if self.one_share else usual

    def check_varied(self, names: Iterable[str]) -> None:
        """Raise UsageError for unknown or fixed options, unequal lineups, and a target that nothing has."""
        for name in names:
            registry.game(self.game).option(name)
            if name in self.fixed:
                raise UsageError(f"option {name} is both varied and set to one value; once is enough")
        request = self.experiment("?")  # refuses keys beyond their ranges, such as the seed as it was given
        if "role" in self.more:
            check_judged(request, registry.game(self.game))
        _ = self.seats
        if not self.one_share and "target" in self.more:
            why = f"target is for co-operative games and for two sides; {self.game} has neither"
            raise UsageError(f"{why}: leave it out")

    def refuse_other(self, folder: Path, side_run: Experiment | None = None) -> None:
        """Raise OtherRun if a folder holds another run than that side run, or than the last run."""
        try:
            existing = open_unfinished(folder).experiment.keys()
        except UsageError:  # it holds no run, or playing there says what is wrong
            return
        keys = (side_run or self.last_run()).keys()
        ignored = {"files"} if side_run else {"files", *self.OPEN_KEYS}  # files are compared by content later
        for key in {**existing, **keys}:
            if key not in ignored and existing.get(key) != keys.get(key):
                problem = f"holds another search, or another run: its key '{key}' is another"
                raise OtherRun(f"{folder}: {problem}; choose another folder")


def tied_sweep(names: Iterable[str], settings: Iterable[Iterable[Any]]) -> dict[str, list[Any]]:
    """Return the sweep that varies options together through the settings."""
    names, rows = list(names), [list(setting) for setting in settings]
    if not names:
        raise UsageError("vary: name an option or more")
    return {names[0]: [value for (value,) in rows]} if len(names) == 1 else {", ".join(names): rows}
