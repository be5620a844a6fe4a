"""Questions: Search for rules that meet several wishes at once.

The function, its study, and the search over settings; `result.py` has the goals and the tables.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, NamedTuple, Unpack

from pydantic import Field

from simkit.ask import texts
from simkit.ask.arguments import Keywords, Shell, Texts, Values, Word
from simkit.ask.execution import Execution
from simkit.ask.proposals import BATCH_SIZE, MAX_PROPOSALS_PER_TRIAL, Proposals
from simkit.ask.question import question
from simkit.ask.requests import study_keys
from simkit.ask.results import Result, answer
from simkit.ask.study import Deals, Play, SettingValues, Study, Trials, tied_sweep
from simkit.engine import registry
from simkit.engine.lineups import Named, parse_lineup, split
from simkit.errors import UsageError
from simkit.page.words.numbers import join_names
from simkit.questions.design import result
from simkit.questions.design.presets import PRESET_FORM, expand, is_preset
from simkit.questions.design.result import (
    FAIRNESS,
    Goal,
    GoalRow,
    Printed,
    RuleDesign,
    Trial,
    split_wish,
    wish_words,
)
from simkit.runs import manifest
from simkit.runs.experiment import Experiment, labels_of, parse_lineups
from simkit.runs.folder import Run
from simkit.runs.log import check_number
from simkit.runs.plan import make_plan
from simkit.tables.compare import check_column
from simkit.tables.findings import lineup_words

CHOICES = Shell(
    "--vary",
    metavar="OPTION=LOW:HIGH",
    parse=texts.choices,
    of_game=True,
    repeatable=True,
    note="Form: LOW:HIGH:STEP or A/B.",
)
Best = Annotated[int, Field(ge=1, le=20)]


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
    should lie: in a range, or above or below a number or the mean under the printed rules. Every lineup
    has to meet it.

    Wishes about skill name their own players, and are measured only in games of these, in which each deal
    is played in all rotations. "skill=60:70 with A over B": A wins 60 to 70 of 100 games, alone at a table
    of B. "learnable>=55 with A, B, C": each level of skill, the weakest first, wins at least 55 of 100
    games against the level before. "fairness=45:55 with A, B, C": among equal players of each level, every
    seat, or the first of two sides, wins 45 to 55 of 100 games. Even is 100 divided by the number of players.

    "faction<=3", where faction is a column of roles: no faction is more than 3 games of 100 off its fair
    share.

    "target_matrix with A, B, C" stands for the targets of a balancing competition: each level wins 60 to 70
    of 100 games against the level before, and among equal players the first player wins 45 to 55. At larger
    tables, the odds against each rival and the tolerance of a seat stay. Without names, the levels are
    random, a beginner (30 % random decisions) and the usual policy.

    Args:
        game: Name of the game.
        vary: Values of an option that may be chosen.
        wishes: fairness, COLUMN=LOW:HIGH, COLUMN>=NUMBER, COLUMN<=NUMBER, COLUMN>=printed,
            "skill=LOW:HIGH with A over B", "learnable>=NUMBER with A, B, C", "fairness=LOW:HIGH with A, B,
            C", or target_matrix.
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
            --wish fairness --wish turns=25:35 --wish "lead_changes>=printed" \\
            --wish "skill=60:70 with reference_greedy over random"
        simkit design pig --vary goal=20:60:20 --wish target_matrix
    """
    own: dict[str, Any] = {"vary": vary, "wishes": wishes, "trials": trials, "best": best, "confirm": confirm}
    study = DesignStudy(**own, **study_keys(game, deals, keywords))
    return answer(execution, replace(study, wishes=study.expanded_wishes))


# The study: wishes, options that may change, and the settings that it plays.

PRINTED = "printed"  # the printed rules: in a wish their value, and the name of their side run
NUMBER = r"[+-]?\d{1,15}(?:\.\d{1,15})?"
WISH_PATTERN = re.compile(
    rf"(?P<column>[^<>=]+?)\s*(?:=\s*(?P<low>{NUMBER})\s*:\s*(?P<high>{NUMBER})"
    rf"|(?P<sign>>=|<=)\s*(?P<end>{NUMBER}|printed))"
)
WISH_FORMS = "fairness, COLUMN=LOW:HIGH, COLUMN>=NUMBER, COLUMN<=NUMBER, COLUMN>=printed, COLUMN<=printed"
SKILL_FORMS = {"skill": "skill=LOW:HIGH with A over B", "learnable": "learnable>=NUMBER with A, B, C"}
SKILL_FORMS[FAIRNESS] = f"{FAIRNESS}=LOW:HIGH with A, B, C"
WITH_PLAYERS = [*SKILL_FORMS.values(), PRESET_FORM]
WISH_FORMS += f", {', '.join(WITH_PLAYERS[:-1])} or {PRESET_FORM}"


@dataclass(frozen=True)
class DesignStudy(Study):
    """Bayesian optimisation over options for several wishes; `deals` are per setting that is not dropped.

    `side_runs/printed` measures the printed rules; `side_runs/round1` ... play a few settings each on few of
    the same deals; `side_runs/race1` ... play on all deals the settings that are not clearly worse than the
    best. The run in the folder itself plays the best settings and the printed rules.
    """

    vary: dict[str, list[Any]]  # option -> the values that it may take
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

    def side_run(self, settings: list[SettingValues], deals: int) -> Experiment:
        """Return the experiment of a side run; all side runs share their deals."""
        question = f"Which rules come close to {', '.join(self.wishes)}?"
        keys = {"sweep": tied_sweep(self.vary, settings), "deals": deals, "lineups": self.played_lineups}
        return self.experiment(question, "design/looks", **keys)

    def confirmation(self, settings: list[SettingValues]) -> Experiment:
        """Return the experiment of the printed rules and the best settings, on deals of its own."""
        question = f"Which rules meet these wishes: {', '.join(map(wish_words, self.wishes))}?"
        keys = {"sweep": tied_sweep(self.vary, [self.printed, *settings]), "deals": self.confirm}
        keys["lineups"] = self.played_lineups
        return self.experiment(question, "design/check", baseline=self.values_by_option(self.printed), **keys)

    def last_run(self) -> Experiment:
        """Return the confirmation of the printed rules."""
        return self.confirmation([])

    @property
    def printed(self) -> SettingValues:
        """The usual values of the varied options."""
        return self.usual(self.vary)

    def values_by_option(self, setting: SettingValues) -> dict[str, Any]:
        """Return the values of a setting by option."""
        return dict(zip(self.vary, setting, strict=True))

    @property
    def setting_count(self) -> int:
        """Number of settings that may be tried."""
        return math.prod(map(len, self.vary.values()))

    def carry_out(self, play: Play) -> tuple[Experiment, RuleDesign]:
        """Measure settings; return the confirmation of the best."""
        names = [PRINTED]
        base = play(self.side_run([self.printed], self.deals), PRINTED)
        goals = self.goals()
        printed = result.printed_of(base, goals)
        goals = result.with_tolerances(goals, printed)

        def measure(settings: list[SettingValues], deals: int, name: str) -> list[Judged]:
            names.append(name)
            return _judge_settings(goals, printed, play(self.side_run(settings, deals), name), settings)

        (printed_judged,) = _judge_settings(goals, printed, base, [self.printed])
        judged, refused = explore(self, printed_judged, measure)
        results = RuleDesign(
            vary=self.vary,
            goals=goals,
            trials=[self._trial(candidate) for candidate in judged],
            printed=self.values_by_option(self.printed),
            refused=refused,
            deals=self.deals,
            side_runs=names,
        )
        return self.confirmation(self._best(judged)), results

    def _trial(self, judged: Judged) -> Trial:
        """Return a measured setting as `search.json` records it."""
        setting, (_, deals, loss, _, rows) = self.values_by_option(judged.setting), judged
        return Trial.model_validate({"setting": setting, "deals": deals, "loss": loss, "rows": rows})

    def _best(self, judged: list[Judged]) -> list[SettingValues]:
        """Return the best settings other than the printed rules, of those that were measured on all deals."""
        full = [candidate for candidate in judged if candidate.deals == self.deals]
        ranked = sorted(full, key=lambda candidate: candidate.loss)
        settings = [candidate.setting for candidate in ranked if candidate.setting != self.printed]
        return settings[: self.best]

    @property
    def expanded_wishes(self) -> list[str]:
        """The wishes, with those for which presets stand in their place."""
        wishes, game = list[str](), registry.game(self.game)
        for wish in self.wishes:
            wishes += expand(wish.strip(), game, self.seats, self.fair) if is_preset(wish) else [wish]
        return wishes

    def goals(self) -> list[Goal]:
        """Return the goals of the wishes: a column of the log or a share of wins, with its limits.

        Goals about skill are measured on their own lineups, the others on those of the request.
        """
        columns = manifest.columns_of(self.side_run([self.printed], 1))["games"]
        goals = list[Goal]()
        for text in self.wishes:
            goals += self.skill_goals.get(text) or self._goals(text.strip(), columns)
        return goals

    @property
    def own_lineups(self) -> list[list[str]]:
        """The lineups of the request, by seat."""
        return [labels_of(parse_lineups(lineup)) for lineup in self.lineups]

    @property
    def played_lineups(self) -> list[list[str]]:
        """The lineups on which some goal is measured: those of the request, then those of skill."""
        own = self.own_lineups if len(self.skill_goals) < len(self.wishes) else []
        skill = [goal.lineup(self.seats) for goals in self.skill_goals.values() for goal in goals]
        return [list(lineup) for lineup in dict.fromkeys(map(tuple, [*own, *skill]))]

    @cached_property
    def skill_goals(self) -> dict[str, list[Goal]]:
        """The goals of each wish about skill, one for each pair of players."""
        matches = {text: WISH_PATTERN.fullmatch(split_wish(text)[0]) for text in self.wishes}
        skill = {text: match for text, match in matches.items() if match and match["column"] in SKILL_FORMS}
        return {text: self._skill_goals(text.strip(), match) for text, match in skill.items()}

    def _skill_goals(self, text: str, match: re.Match[str]) -> list[Goal]:
        """Return a goal for each pair of players of a wish, the share of wins of the better player.

        Of players at tables of their like, it is the share of each seat that is judged.
        """
        low, high = _ends(text, match)
        given = [end for end in (low, high) if end is not None]
        if match["end"] == PRINTED or not all(0 <= end <= 100 for end in given):
            raise UsageError(f"wish {text}: counts wins in 100 games; give numbers from 0 to 100")
        if self.team:
            raise UsageError(f"wish {text}: {self.game} is co-operative; nobody plays against another in it")
        try:
            pairs = self._pairs(match["column"], split_wish(text)[1])
        except UsageError as error:
            raise UsageError(f"wish {text}: {error}") from None
        keys: dict[str, Any] = {"wish": text, "measure": "share", "unit": "share", "printed": False}
        keys |= {name: None if end is None else end / 100 for name, end in (("low", low), ("high", high))}
        seats = range(self.judged_seats) if match["column"] == FAIRNESS else [None]
        each = [(pair, seat) for pair in pairs for seat in seats]
        goals = [Goal(**keys, seat=seat, strategy=own, opponent=other) for (own, other), seat in each]
        for goal in goals:
            goal.lineups = [lineup_words(goal.lineup(self.seats))]
        return goals

    def _pairs(self, form: str, players: str) -> list[tuple[str, str]]:
        """Return pairs of strategies, the better one first; raises UsageError for names without a contest.

        Equal players are pairs of a strategy with itself.
        """
        parts = players.split(" over ")[::-1] if form == "skill" else split(players)
        least = 1 if form == FAIRNESS else 2
        if not players or len(parts) < least or (form == "skill" and len(parts) > least):
            number = {"skill": "two strategies", FAIRNESS: "a strategy or more"}
            raise UsageError(f"name {number.get(form, 'two strategies or more')}, as in {SKILL_FORMS[form]}")
        levels = list[Named]()
        for part in parts:
            level, *more = parse_lineup(part)
            if more:
                raise UsageError(f"'{part.strip()}' is {1 + len(more)} strategies; name a single one")
            levels.append(level)
        for worse, better in itertools.combinations(levels, 2):
            if registry.same_player(registry.game(self.game), worse, better, self.seats):
                raise UsageError(f"'{better}' and '{worse}' are the same player; name different ones")
        pairs = zip(levels, levels, strict=True) if form == FAIRNESS else itertools.pairwise(levels)
        return [(str(better), str(worse)) for worse, better in pairs]

    def _goals(self, text: str, columns: dict[str, str]) -> list[Goal]:
        """Return the goals of one wish that is not about skill."""
        range_text, players = split_wish(text)
        match = WISH_PATTERN.fullmatch(range_text)
        if match is None and range_text != FAIRNESS:
            raise UsageError(f"wish {text}: is not of the form {WISH_FORMS}")
        if players:
            forms = join_names(form.partition(" with ")[0] for form in WITH_PLAYERS)
            raise UsageError(f"wish {text}: only {forms} name players; leave out 'with'")
        own = list(map(lineup_words, self.own_lineups))
        if match is None:
            return self._fair_shares(own)
        column = match["column"].strip()
        game = registry.game(self.game)
        roles = [role.column for role in game.roles]
        if column in roles:
            return self._role_goals(text, match, own)
        try:
            check_column(column, {"games": [*columns, *roles], "seats": ()})
        except UsageError as error:
            if roles or _ends(text, match)[0] is not None:  # a wish about roles has an upper limit only
                raise
            raise UsageError(f"{error}; {game.name} has no roles") from None
        check_number(game, column)
        (low, high), printed = _ends(text, match), match["end"] == PRINTED
        keys: dict[str, Any] = {"low": low, "high": high, "printed": printed, "lineups": own}
        return [Goal(wish=text, measure=column, seat=None, unit="", **keys)]

    def _role_goals(self, text: str, match: re.Match[str], lineups: list[str]) -> list[Goal]:
        """Return a goal for each role of a column: at most so many games in 100 off its fair share."""
        game, (low, high) = registry.game(self.game), _ends(text, match)
        if low is not None or high is None or match["end"] == PRINTED or not 0 < high <= 100:
            column = match["column"].strip()
            raise UsageError(f"wish {text}: say how far a role may be off, in games of 100: {column}<=3")
        keys: dict[str, Any] = {"wish": text, "measure": match["column"].strip(), "seat": None}
        keys |= {"unit": "share", "printed": False, "lineups": lineups}
        keys |= {"low": -high / 100, "high": high / 100}
        names = game.role_names(keys["measure"])
        return [Goal.model_validate({**keys, "role": name}) for name in names]

    @property
    def judged_seats(self) -> int:
        """Number of seats whose shares are judged; of two it is the first."""
        return 1 if self.one_share or self.seats == 2 else self.seats

    def _fair_shares(self, lineups: list[str]) -> list[Goal]:
        """Return a goal for each share that is judged: fair within the margin."""
        low, high = self.fair - self.margin, self.fair + self.margin
        keys = {"wish": FAIRNESS, "measure": "share", "unit": "share", "printed": False}
        keys |= {"low": low, "high": high, "lineups": lineups}
        return [Goal.model_validate({**keys, "seat": seat}) for seat in range(self.judged_seats)]


def _ends(text: str, match: re.Match[str]) -> tuple[float | None, float | None]:
    """Return the ends of the range of a wish, None where it is open; 0 stands for the printed value."""
    if match["sign"]:
        end = 0.0 if match["end"] == PRINTED else float(match["end"])
        return (end, None) if match["sign"] == ">=" else (None, end)
    low, high = float(match["low"]), float(match["high"])
    if low >= high:
        raise UsageError(f"wish {text}: the range does not go up, as in {match['column'].strip()}=LOW:HIGH")
    return low, high


class Judged(NamedTuple):
    """A setting that was measured."""

    setting: SettingValues
    deals: int
    loss: float  # distance from the wishes in tolerances; below 0 where all are met
    hope: float  # the loss at the best end of every interval
    rows: list[GoalRow]  # measurements by lineup and goal


def _judge_settings(
    goals: list[Goal], printed: Printed, run: Run, settings: list[SettingValues]
) -> list[Judged]:
    """Return each setting with its loss, from the cells of its run."""
    rows = result.measure_goals(run, goals, printed)
    judged = []
    for place, setting in enumerate(settings):
        setting_rows = [row for row in rows if row["setting"] == place]
        loss, hope = (result.loss(goals, setting_rows, hopeful) for hopeful in (False, True))
        judged.append(Judged(setting, run.cells[0].deals, loss, hope, setting_rows))
    return judged


# Search over settings: all of them where they are few, otherwise those that Optuna proposes.

REFUSED_LOSS = 1e6  # reported to Optuna for a setting that the game refuses
# Takes the settings, the deals, and the name of the side run.
MeasureSettings = Callable[[list[SettingValues], int, str], list[Judged]]


def explore(study: DesignStudy, printed: Judged, measure: MeasureSettings) -> tuple[list[Judged], int]:
    """Return the measured settings, the printed rules first, and the number of refused settings.

    Each setting is first played on few deals. It is played on all deals (the same for every setting) unless
    even the best ends of its intervals are worse than the best setting so far. A dropped setting counts with
    its first measurement. The order depends on the seed alone.
    """
    judged: dict[SettingValues, Judged | None] = {printed.setting: printed}
    proposals = _Exhaustive(study) if study.setting_count <= study.trials else _Optuna(study)
    proposed, number = 0, 0
    while len(judged) <= study.trials and proposed < MAX_PROPOSALS_PER_TRIAL * study.trials:
        batch = proposals.next(min(BATCH_SIZE, study.trials + 1 - len(judged)))
        if not batch:
            break
        proposed += len(batch)
        new = [setting for setting in dict.fromkeys(batch) if setting not in judged]
        judged |= {setting: None for setting in new if _refuses(study, setting)}
        fresh = [setting for setting in new if setting not in judged]
        if fresh:
            number += 1
            measured = [candidate for candidate in judged.values() if candidate]
            raced = _race(study, measured, fresh, number, measure)
            judged |= {candidate.setting: candidate for candidate in raced}
        outcomes = [judged[setting] for setting in batch]
        proposals.learn([candidate.loss if candidate else REFUSED_LOSS for candidate in outcomes])
    measured = [candidate for candidate in judged.values() if candidate]
    return measured, len(judged) - len(measured)


def _race(
    study: DesignStudy,
    measured: list[Judged],
    fresh: list[SettingValues],
    number: int,
    measure: MeasureSettings,
) -> list[Judged]:
    """Measure fresh settings on few deals, and those that may still be the best on all deals."""
    first = measure(fresh, study.first_deals, f"round{number}")
    if study.first_deals == study.deals:
        return first
    best = min(candidate.loss for candidate in measured if candidate.deals == study.deals)
    left = [candidate.setting for candidate in first if candidate.hope <= best]
    return first + (measure(left, study.deals, f"race{number}") if left else [])


def _refuses(study: DesignStudy, setting: SettingValues) -> bool:
    """Return whether the game refuses a setting."""
    try:
        make_plan(study.side_run([setting], 1)).check()
    except UsageError:
        return True
    return False


class _Exhaustive:
    """All settings, in order."""

    def __init__(self, study: DesignStudy) -> None:
        self.settings = itertools.product(*study.vary.values())

    def next(self, count: int) -> list[SettingValues]:
        """Return the next settings, `count` at most."""
        return list(itertools.islice(self.settings, count))

    def learn(self, losses: list[float]) -> None:
        """Ignore the losses, which do not change the order."""


class _Optuna:
    """Settings from a tree-structured Parzen estimator, which copes with noise, whole numbers and names."""

    def __init__(self, study: DesignStudy) -> None:
        self.values = study.vary
        space = {name: _distribution(values) for name, values in self.values.items()}
        self.proposals = Proposals(space, study.seed)

    def next(self, count: int) -> list[SettingValues]:
        """Return `count` settings that Optuna proposes."""
        points = self.proposals.next(count)
        return [tuple(self._value(name, point[name]) for name in self.values) for point in points]

    def _value(self, name: str, proposal: Any) -> Any:
        """Return the value of an option; numbers are sampled by index, so gaps between them do not matter."""
        values = self.values[name]
        return values[proposal] if _all_whole(values) else proposal

    def learn(self, losses: list[float]) -> None:
        """Report the losses of the open batch to Optuna."""
        self.proposals.learn(losses)


def _all_whole(values: list[Any]) -> bool:
    """Return whether all values are whole numbers."""
    return all(type(value) is int for value in values)


def _distribution(values: list[Any]) -> Any:
    """Return the distribution of Optuna from which an option is sampled."""
    from optuna.distributions import CategoricalDistribution, IntDistribution

    return IntDistribution(0, len(values) - 1) if _all_whole(values) else CategoricalDistribution(values)
