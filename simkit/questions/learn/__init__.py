"""Questions: Train a player that learns the game from its own play."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Unpack

import numpy as np
from pydantic import Field

from simkit.ask import texts
from simkit.ask.arguments import Common, Seats, Shell, Values, Word
from simkit.ask.execution import Execution
from simkit.ask.question import question
from simkit.ask.requests import study_keys, table_of
from simkit.ask.results import Result, answer
from simkit.ask.rungs import milliseconds, scripted_by_strength
from simkit.ask.study import Deals, Play, Playing, Study
from simkit.engine import registry
from simkit.engine.learned.file import TrainedPlayer, load, pack, save
from simkit.engine.learned.layout import OPTION
from simkit.engine.lineups import PRESET_NAME, parse_strategy
from simkit.engine.rule_helpers import observe_open, redeal_nothing
from simkit.engine.strategy import BEST, LEARNED, RANDOM
from simkit.engine.table import GameTable, Player
from simkit.errors import OtherRun, UsageError
from simkit.page.words.commands import setting_texts
from simkit.questions.learn.result import SEARCHES, Learning, Look, Request, Student, is_stronger, label_of
from simkit.questions.learn.settings import best_samples, strong_search
from simkit.runs import manifest, source_digests
from simkit.runs.experiment import Experiment
from simkit.runs.folder import SIDE_RUNS, Run
from simkit.runs.plan import make_plan, read_files
from simkit.runs.storage import atomic
from simkit.system import relative
from simkit.tables.findings import written_value
from simkit.tables.rungs import MILLISECONDS

TRAINING = "training"  # folder beside the side runs
MAX_SCRIPTED = 5  # scripted players of the panel
SEARCH = "search(budget=200)"
MAX_SEARCH_DEALS, MIN_SEARCH_DEALS = 200, 20
USUAL_LENGTH = 60  # decisions of a game; the deals against searches fall with the square of more
SEED = 20_261_129  # of games that only say how long games are
STATES = 3  # scratch states that a learned player needs
Teacher = Literal["self", "improve"]
VARIED = Shell(
    metavar="OPTION=VALUES",
    parse=texts.choices,
    of_game=True,
    repeatable=True,
    note="Form: A/B or LOW:HIGH:STEP.",
)


@question(shell=("hours",))
def learn(
    execution: Execution,
    game: Word,
    *,
    vary: Annotated[Mapping[str, Values], VARIED] = {},
    seats: Annotated[Seats | None, Shell("--players")] = None,
    games: Annotated[int, Field(ge=64, le=10**9)] = 150_000,
    seeds: Annotated[int, Field(ge=1, le=20)] = 1,
    name: str = "",
    start: Annotated[str, Shell("--from", metavar="NAME")] = "",
    teacher: Teacher | None = None,
    confirm: Deals = 1_000,
    **keywords: Unpack[Common],
) -> Result:
    """Train a player that learns the game from its own play.

    A short trial decides who teaches: games of the player against itself, or play-outs, of the best scripted
    player and later its own. The trained player then meets that one, and others, on fresh deals. If it surely
    wins more than its share it is installed, and plays in every lineup under the name that is printed.

    Args:
        game: Name of the game.
        vary: Values of an option that differs from game to game, so that the player knows them all.
        seats: Number of players; by default the usual number of the game.
        games: Games of the training; the usual number takes about ten minutes on two cores, an hour in long
            games with play-outs. With play-outs each game counts as eight.
        seeds: Players to train, each from another seed; their results show how much is chance.
        name: Name of the player in lineups, as in learned(name=late); by default the first of best, best_2,
            best_3, ... that no other training has.
        start: Name of a learned player to go on from.
        teacher: Teacher, instead of the trial: self (its own games) or improve (play-outs).
        confirm: Fresh deals of the check.

    Returns:
        The findings; `result.learned_matches` has the check, `result.learning_curve` the training.

    Raises:
        UsageError: An unknown option, or a name that another learned player has.

    Example:
        >>> learn("pig", name="not a name")
        Traceback (most recent call last):
        simkit.errors.UsageError: name not a name: a name has letters, digits and underscores, a letter first

    Command line::

        simkit learn pig --games 20000
        simkit learn outpost_seven --vary start_total_second=12:24
    """
    if name and not PRESET_NAME.fullmatch(name):
        raise UsageError(f"name {name}: a name has letters, digits and underscores, a letter first")
    lineups = [table_of(game, seats, keywords.get("options", {}))]
    own: dict[str, Any] = {"vary": {option: [*values] for option, values in vary.items()}}
    own |= {"games": games, "seeds": seeds, "name": name, "start": start, "teacher": teacher or ""}
    study = LearnStudy(**own, **study_keys(game, confirm, {**keywords, "lineups": lineups}))
    study = study if name else study.under_free_name()
    result = answer(execution, study)
    for player in study.players:
        if is_stronger(result, player) and (path := study._taken(player)):
            execution.say(f"not installed: {path} holds a player of another training by now")
        elif is_stronger(result, player):
            path = registry.install_learned(trained_file(result.folder, player, game, study.seats))
            execution.say(f"installed: {label_of(player)} in {relative(path)}")
    return result


class Start(source_digests.Origin):
    """What a training begins with, in a file beside it, so that no other one goes on in its place."""

    command: str

    def other(self, file: Path) -> str:
        """Return how the start in a file differs; empty if it does not."""
        stored = Start.model_validate_json(file.read_bytes())
        if stored.command != self.command:
            return f"it was begun by {stored.command}"
        changes = [f"{change.what} changed since" for change in source_digests.others(stored, self)]
        return changes[0] if changes else ""


@dataclass(frozen=True)
class LearnStudy(Study):
    """The training of one or more players; `deals` is that of the check, `lineups` fixes the number of seats.

    `side_runs/scripted` finds the strongest scripted strategy of the game. The trainer keeps its files in
    `side_runs/training/NAME`; beside them lie the trained players, where lineups find them during the study.
    `side_runs/searches` plays them against a search, and the run in the folder itself against the panel:
    scripted strategies, and random.
    """

    vary: dict[str, list[Any]]  # option -> the values that differ from game to game
    games: int
    seeds: int  # players
    name: str  # of the first player
    start: str  # name of a learned player to go on from; empty for none
    teacher: str  # empty for the better one of a trial

    OPEN_KEYS: ClassVar = {"lineups", "called"}

    def check(self) -> None:
        """Raise UsageError for a game that cannot be learned, and for names that other players have."""
        self.check_varied(self.vary)
        game = registry.game(self.game)
        if game.max_actions == 1:
            raise UsageError(f"nobody decides anything in {self.game}, so there is nothing to learn")
        if game.observe is not observe_open and game.redeal is redeal_nothing:
            cure = "declare Game(redeal=...)"
            raise UsageError(f"{self.game} hides things from its seats and cannot redeal them: {cure}")
        if game.scratch < STATES:
            raise UsageError(f"learned players need Game(scratch={STATES}) or more, not {game.scratch}")
        for path in filter(None, map(self._taken, self.players)):
            other = "holds a player of another training: choose another name (--name), or remove it"
            raise UsageError(f"{path}: {other}")
        if self.start:
            self._refuse_unread_options(registry.learned_player(game, self.start, self.seats))
        make_plan(self.last_run()).check()

    def _refuse_unread_options(self, start: TrainedPlayer) -> None:
        """Raise UsageError if a player to go on from does not read an option that varies."""
        for name in self.vary:
            if OPTION + name not in start.layout.read:
                cure = "train without --from"
                raise UsageError(f"{label_of(self.start)} does not read {name}, which varies: {cure}")

    def refuse_other(self, folder: Path, side_run: Experiment | None = None) -> None:
        """Raise OtherRun for a folder with another run, or with another training of a player."""
        super().refuse_other(folder, side_run)
        for name in () if side_run else self.players:
            file = _start_file(folder, name)
            if file.is_file() and (reason := self._start(name).other(file)):
                problem = f"holds another training of {label_of(name)}: {reason}"
                raise OtherRun(f"{folder}: {problem}; choose another folder")

    def begin(self, folder: Path, name: str) -> None:
        """Record with what the training of a player in a folder begins."""
        atomic.put(_start_file(folder, name), self._start(name).model_dump_json().encode())

    def _start(self, name: str) -> Start:
        """Return what the training of a player begins with."""
        lineup = [label_of(self.start) if self.start else RANDOM] * self.seats
        sources = source_digests.digests(make_plan(self._check([lineup])))
        return Start(command=self._command(name, self.players[name]), sources=sources)

    def under_free_name(self) -> LearnStudy:
        """Return the study under the first of best, best_2, ... that no other training has."""
        names = (BEST if number == 1 else f"{BEST}_{number}" for number in count(1))
        studies = (replace(self, name=name) for name in names if name != self.start)
        return next(study for study in studies if not any(map(study._taken, study.players)))

    def _taken(self, name: str) -> Path | None:
        """Return the file of a player to install if it holds one of another training."""
        path = registry.learned_file(registry.own_folder("learned players"), self.game, name, self.seats)
        return path if path.exists() and not self._may_replace(path) else None

    def _may_replace(self, path: Path) -> bool:
        """Return whether a file is damaged, or holds a player of this training."""
        try:
            meta = load(path).meta
        except UsageError:
            return True
        seed = self.players.get(meta.name)
        return seed is not None and meta.command == self._command(meta.name, seed)

    @property
    def players(self) -> dict[str, int]:
        """The names of the players to train, with their seeds."""
        names = [self.name, *(f"{self.name}_{number}" for number in range(2, self.seeds + 1))]
        return {name: self.seed + place for place, name in enumerate(names)}

    @property
    def setting(self) -> dict[str, Any]:
        """The options of the check: the usual values, or where these do not vary the nearest that do."""
        usual = registry.game(self.game).resolve(self.fixed)
        return self.fixed | {name: _nearest(values, usual[name]) for name, values in self.vary.items()}

    def last_run(self) -> Experiment:
        """Return the check of random players."""
        return self._check([[RANDOM] * self.seats])

    def solve(self, play: Play) -> Run:
        """Train the players, then check them; the manifest, and no other file, has the times of decisions."""
        assert isinstance(play, Playing)
        folder = play.folder / SIDE_RUNS / TRAINING
        folder.mkdir(parents=True, exist_ok=True)
        with registry.also(folder):
            panel = self._panel(lambda experiment, name: play(experiment, f"{SIDE_RUNS}/{name}"))
            for name, seed in self.players.items():
                self._train(name, seed, panel, play)
            run = super().solve(play)
            if MILLISECONDS not in run.manifest.machine:
                times = {label: self._milliseconds(label) for label in map(label_of, self.players)}
                manifest.note(run.folder, machine=run.manifest.machine | {MILLISECONDS: times})
        return replace(run, manifest=manifest.read(run.folder))

    def carry_out(self, play: Play) -> tuple[Experiment, Learning]:
        """Play the trained players against a search; return their check against the panel."""
        panel, stages = self._panel(play), list[str]()
        if not self.team:
            play(self._searches(panel[0]), SEARCHES)
            stages = [SEARCHES]
        results = Learning(
            seats=self.seats, games=self.games, fixed=self.fixed, vary=self.vary, panel=panel,
            students=[self._student(*player) for player in self.players.items()], side_runs=stages,
        )  # fmt: skip
        return self._check(self._lineups(panel)), results

    def _panel(self, play: Play) -> list[str]:
        """Return the strategies that measure a player, the best scripted one first, whatever the seed."""
        ranked = scripted_by_strength(self, play, "learn/scripted", seed=SEED)
        return list(dict.fromkeys([*ranked[:MAX_SCRIPTED], RANDOM]))

    def _train(self, name: str, seed: int, panel: list[str], play: Playing) -> None:
        """Train a player and write its file, unless this is there."""
        from simkit.questions.learn.training import Trainer  # imported where it trains: pages do not need it

        path = trained_file(play.folder, name, self.game, self.seats)
        if path.exists():
            return
        self.begin(play.folder, name)
        request = Request(
            game=self.game, seats=self.seats, fixed=self.fixed, vary=self.vary,
            files=self.more.get("files", {}), games=self.games, seed=seed, name=name, start=self.start,
            panel=panel, command=self._command(name, seed),
        )  # fmt: skip
        folder = play.folder / SIDE_RUNS / TRAINING / name
        with play.reporter(f"{play.folder.name}/{name}") as progress:
            player = Trainer(request, folder, play.jobs, progress).train(self.teacher, self.games)
        save(path, self._with_settings(player, panel[0]))
        shutil.rmtree(folder)  # samples and checkpoints, which take up to half a gigabyte

    def _with_settings(self, player: TrainedPlayer, rival: str) -> TrainedPlayer:
        """Return a trained player with the number of samples, and the search, that suit it."""
        game, table, base = registry.game(self.game), self._table(), player.meta.base
        improved, net = self._player(base) if base else None, pack(player, game)

        def learned(samples: int) -> Player:
            given = {"samples": str(samples)}
            return registry.strategy(game, LEARNED).player(game, given, None, net, improved)

        def lineup(samples: int) -> list[Player]:
            own = learned(samples)
            return [own, *[own if self.team else self._player(rival)] * (self.seats - 1)]

        samples = best_samples(table, lineup, player.meta.samples)
        strong = strong_search(table, learned(samples), self.seats, base)
        meta = player.meta.model_copy(update={"samples": samples, "strong": strong})
        return TrainedPlayer(meta, player.arrays)

    def _command(self, name: str, seed: int) -> str:
        """Return the command that trains a player again; workers, folders and check make no difference."""
        varied = {option: _in_words(values) for option, values in self.vary.items()}
        texts = {"--vary": varied, "--set": self.fixed, "--cards": self.more.get("files", {})}
        words = [word for key, own in texts.items() for text in setting_texts(own) for word in (key, text)]
        own = {"--players": self.seats, "--games": self.games, "--seed": seed, "--name": name}
        own |= {key: text for key, text in (("--from", self.start), ("--teacher", self.teacher)) if text}
        words += [word for key, value in own.items() for word in (key, str(value))]
        return shlex.join(["simkit", "learn", self.game, *words])

    def _student(self, name: str, seed: int) -> Student:
        """Return how a player was trained, from its file."""
        meta = registry.learned_player(registry.game(self.game), name, self.seats).meta
        curve = [Look(**row) for row in meta.log]
        return Student(name=name, seed=seed, teacher=meta.teacher, trial=meta.trial, curve=curve)

    def _lineups(self, panel: list[str]) -> list[list[str]]:
        """Return each player among others of the panel; the best team and those of the players."""
        labels, rivals = list(map(label_of, self.players)), self.seats - 1
        if self.team:
            return [[label] * self.seats for label in (panel[0], *labels)]
        return [[label, *[other] * rivals] for label in labels for other in panel]

    def _check(self, lineups: list[list[str]]) -> Experiment:
        """Return the games of the check."""
        question = f"How well do learned players play {registry.game(self.game).title}?"
        return self.experiment(question, "learn/check", lineups=lineups, options=self.setting)

    def _searches(self, scripted: str) -> Experiment:
        """Return the games against a search; where those of the scripted player are long, they are few."""
        length = self._decisions(scripted) / USUAL_LENGTH
        deals = max(MIN_SEARCH_DEALS, round(MAX_SEARCH_DEALS / max(1.0, length * length)))
        keys: dict[str, Any] = {"deals": min(self.deals, deals), "options": self.setting}
        keys["lineups"] = [[label_of(name), *[SEARCH] * (self.seats - 1)] for name in self.players]
        return self.experiment("How do learned players fare against a search?", "learn/searches", **keys)

    def _decisions(self, label: str, deals: int = 20) -> float:
        """Return the mean number of decisions in games of a player against itself."""
        numbers = np.arange(deals)
        states = self._table().play([self._player(label)] * self.seats, SEED, numbers, 0 * numbers)
        return float(states["log"]["game"]["decisions"].mean())

    def _milliseconds(self, label: str) -> float:
        return milliseconds(self._table(), self._player(label), self.seats)

    def _table(self) -> GameTable:
        game = registry.game(self.game)
        return GameTable(game, game.rules(self.setting, read_files(self.last_run())))

    def _player(self, label: str) -> Player:
        return registry.player(registry.game(self.game), parse_strategy(label)[0], self.seats)


def trained_file(run: Path, name: str, game: str, seats: int) -> Path:
    """Return the file of a trained player in the folder of its run, which holds it as a project does."""
    return registry.learned_file(run / SIDE_RUNS / TRAINING, game, name, seats)


def _start_file(run: Path, name: str) -> Path:
    return run / SIDE_RUNS / TRAINING / f"{name}.json"


def _in_words(values: list[Any]) -> str:
    """Return the values of an option as a command has them.

    >>> _in_words([12, 13, 14]), _in_words([20, 40, 60]), _in_words(["old", "new"])
    ('12:14', '20:60:20', 'old/new')
    """
    first, last = values[0], values[-1]
    if len(values) > 2 and all(type(value) is int for value in values):
        step = values[1] - first
        if step > 0 and values == list(range(first, last + 1, step)):
            return f"{first}:{last}" if step == 1 else f"{first}:{last}:{step}"
    return "/".join(map(written_value, values))


def _nearest(values: list[Any], usual: Any) -> Any:
    """Return the usual value if it is among others, else the nearest number or the first name.

    >>> _nearest([20, 50], 100), _nearest([50, 100], 100), _nearest(["old", "older"], "new")
    (50, 100, 'old')
    """
    numbers = all(type(value) is int for value in (*values, usual))
    return min(values, key=lambda value: abs(value - usual) if numbers else value != usual)
