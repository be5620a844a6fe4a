"""Ladders: players of rising strength, and what each of them says of the game.

A ladder is a question of its own, and a follow-up of runs with the key skill.
"""

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit.ask.study import Play, Study
from simkit.engine import registry
from simkit.engine.game import OVER, Game
from simkit.engine.lineups import parse_strategy
from simkit.engine.rng import open_streams, purposes
from simkit.engine.table import GameTable, Player
from simkit.errors import UsageError
from simkit.runs import manifest
from simkit.runs.answers import Search
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.plan import read_files
from simkit.stats import crossing
from simkit.stats.sprt import elo_of_share
from simkit.tables.components import components
from simkit.tables.course import lead_changes
from simkit.tables.findings import Findings, axes
from simkit.tables.length import lengths
from simkit.tables.players import strategy_shares
from simkit.tables.reading import deal_counts, moments
from simkit.tables.rungs import MILLISECONDS, Answers, Estimate, FairAt, Ladder, Rung
from simkit.tables.seats import first_player_advantage, seat_shares

SEARCHES = ("search(budget=50)", "search(budget=200)", "search(budget=800)")
PRECISE = 2_401  # deals that give 95 % intervals of at most ±2 points: (1.96 / 0.02)² / 4
BUDGET = 10  # a search with this budget would get all deals
MIN_DEALS = 100
SCRIPTED_DEALS = 400  # of the tournament of scripted strategies
TRACED_DEALS = 200
MAX_USUAL_VALUES = 3  # of the option that a ladder varies unless told otherwise
FIRST = 0  # seat
GAMES_COMPARED = 8  # of the highest rung, whose decisions all rungs take again


@dataclass(frozen=True)
class LadderStudy(Study):
    """A ladder; `deals` is the cap of a rung that does not search, `lineups` fixes the number of seats.

    `side_runs/scripted` finds the strongest scripted strategy of the game. For each rung `side_runs/rung1`
    ... plays the strategy against itself at every setting, and `side_runs/match1` ... against the rung below
    it, in the usual setting. The run in the folder itself plays the highest rung against itself. A search
    plays the deals that give intervals of ±2 points, or fewer, the larger its budget is; their number is
    known before they are played, so that the intervals need not allow for stopping.

    A search best-responds to its policy, so that its share against this policy says little about its
    strength. The usual scripted rung is therefore another strategy than the usual policy, where the game has
    one.
    """

    sweep: dict[str, list[Any]]  # as in an experiment
    given: list[str]  # rungs, the weakest first; none for the usual ones

    def check(self) -> None:
        """Raise UsageError for unknown options or strategies, too few rungs, a game without choices."""
        self.check_varied(self.names)
        if registry.game(self.game).max_actions == 1:
            raise UsageError(f"nobody decides anything in {self.game}, so better players change nothing")
        for label in self.given:
            self._player(label)
        game, rungs = registry.game(self.game), [parse_strategy(label)[0] for label in self.given]
        alike = any(registry.same_player(game, *pair) for pair in combinations(rungs, 2))
        if alike or len(rungs) == 1:
            raise UsageError("the rungs must be two or more different strategies, the weakest first")

    @property
    def names(self) -> list[str]:
        """Options that vary."""
        return [name.strip() for key in self.sweep for name in key.split(",")]

    def last_run(self) -> Experiment:
        """Return the games of the highest rung against itself."""
        return self._mirror([*self.given, SEARCHES[-1]][len(self.given) - 1])

    def search(self, play: Play) -> tuple[Experiment, Search]:
        """Play all rungs but the highest against themselves, and each against the rung below it."""
        labels, rungs = self.given or self._usual(play), list[Rung]()
        for place, label in enumerate(labels):
            rival = None if self.team or not place else labels[place - 1]
            match = rival and play(self._match(label, rival), f"match{place}")
            rung = self._rung(label, rungs[-1] if rungs else None, rival, match or None)
            if label != labels[-1]:
                name = f"rung{place}"
                rung = with_answers(rung, play(self._mirror(label), name), name)
            rungs.append(rung)
        return self.last_run(), Ladder(vary=self.names, rungs=self._with_agreement(rungs))

    def complete(self, results: Search, run: Run) -> Ladder:
        """Return the results with the answers of the highest rung, which the run of the folder gives."""
        assert isinstance(results, Ladder)
        *below, highest = results.rungs
        return Ladder(vary=self.names, rungs=[*below, with_answers(highest, run, "")])

    def solve(self, play: Play) -> Run:
        """Carry out the ladder; the manifest, and no other file, has the times of its decisions."""
        run = super().solve(play)
        table, labels = self._table(), [rung.strategy for rung in run.answer_of(Ladder).rungs]
        times = {each: milliseconds(table, self._player(each), self.seats) for each in labels}
        manifest.note(run.folder, machine=run.manifest.machine | {MILLISECONDS: times})
        return replace(run, manifest=manifest.read(run.folder))

    def _rung(self, label: str, below: Rung | None, rival: str | None, match: Run | None) -> Rung:
        """Return a rung with its strength, from its match."""
        share = match and share_of(match, label)
        elo = share and above(below, share, self.seats)
        return Rung(
            strategy=label,
            searches=self._player(label).search is not None,
            rival=rival,
            share=share or None,
            elo=elo or None,
        )

    def _with_agreement(self, rungs: list[Rung]) -> list[Rung]:
        """Return the rungs with their agreement with the highest one."""
        table, (*below, highest) = self._table(), [self._player(rung.strategy) for rung in rungs]
        best = list(positions(table, highest, self.seats, GAMES_COMPARED))
        alike = [*(agreement(table, player, best) for player in below), 1.0]
        return [
            rung.model_copy(update={"agreement": agreement})
            for rung, agreement in zip(rungs, alike, strict=True)
        ]

    def _table(self) -> GameTable:
        game = registry.game(self.game)
        return GameTable(game, game.rules(self.fixed, read_files(self.last_run())))

    def _player(self, label: str) -> Player:
        named, *others = parse_strategy(label)
        if others:
            raise UsageError(f"a rung is one strategy, played in all seats: '{label}' names several")
        return registry.player(registry.game(self.game), named)

    def _usual(self, play: Play) -> list[str]:
        """Return the usual rungs: random, the strongest scripted strategy if there is another, searches."""
        return list(dict.fromkeys(["random", self._strongest(play), *SEARCHES]))

    def _strongest(self, play: Play) -> str:
        """Return the strategy of the game that does best against the usual policy, in a team by itself."""
        game = registry.game(self.game)
        policy = registry.default_policy(game)
        names = [n for n, s in registry.scripted(game).items() if s.game is not None and n != policy]
        if len(names) < 2:
            return (names or [policy])[0]
        rivals = self.seats - 1
        keys: dict[str, Any] = {"deals": SCRIPTED_DEALS}
        keys["lineups"] = [[name, *[name if self.team else policy] * rivals] for name in names]
        question = "Which scripted strategy is the strongest?"
        run = play(self.experiment(question, "ladder/scripted", **keys), "scripted")
        shares = {name: share_of(run.only([place]), name).value for place, name in enumerate(names)}
        return max(shares, key=shares.__getitem__)

    def _mirror(self, label: str) -> Experiment:
        """Return the games of a rung against itself, at every setting."""
        question = "How does the advantage change as these players get better?"
        keys: dict[str, Any] = {"lineups": [[label] * self.seats], "deals": self._deals(label)}
        keys |= {"sweep": self.sweep, "trace": min(TRACED_DEALS, keys["deals"])}
        return self.experiment(question, "ladder/mirror", **keys)  # all rungs meet the same deals

    def _match(self, label: str, rival: str) -> Experiment:
        """Return the games of a rung against the one below it."""
        question, lineup = f"How much stronger is {label} than {rival}?", [label, *[rival] * (self.seats - 1)]
        keys: dict[str, Any] = {"lineups": [lineup], "deals": self._deals(label)}
        return self.experiment(question, f"ladder/{label} against {rival}", **keys)

    def _deals(self, label: str) -> int:
        """Return the deals of a rung; of a search in inverse proportion to its budget, at most PRECISE."""
        player = self._player(label)
        if player.search is None:
            return self.deals
        (named,) = parse_strategy(label)
        budget = registry.strategy(registry.game(self.game), named.name).number("budget", named.weights)
        return min(PRECISE, max(MIN_DEALS, round(BUDGET / budget * self.deals)))


def usual_sweep(game: Game, fixed: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the first number that compensates later seats for not moving first, from its usual value up.

    It is empty for a team, for a game without such an option, and if that option is fixed.
    """
    values = game.resolve(fixed)
    for option in game.options if not game.team else ():
        in_force = all(values[other] in allowed for other, allowed in option.at.items())
        if option.kind is int and option.treats and FIRST not in option.treats and in_force:
            upward = [value for value in option.near if value >= option.default]
            return {} if option.name in fixed else {option.name: upward[:MAX_USUAL_VALUES]}
    return {}


# What the games of a rung say: shares with verdicts, length, lead changes, components, fair value.

MAX_COMPONENTS = 3
EDGE = 0.002  # shares nearer to 0 or 1 are moved there before they become Elo


def with_answers(rung: Rung, mirror: Run, name: str) -> Rung:
    """Return a rung with the answers of its games against itself, a side run of this name."""
    return rung.model_copy(update={"run": name, "answers": _answers(mirror), "fair": _fair(mirror)})


def share_of(match: Run, label: str) -> Estimate:
    """Return the share of a strategy in the only cell of a run; of a team, its win rate."""
    findings = Findings(match)
    rows = seat_shares(findings) if match.team else strategy_shares(findings).filter(strategy=label)
    return _estimate(rows.row(0, named=True), "share")


def above(below: Rung | None, share: Estimate, seats: int) -> Estimate:
    """Return the Elo of a rung above the lowest one, from its share against the rung below.

    It is the sum of the Elo differences of the matches up to the rung; in a match of one against n − 1
    rivals, a share p is the difference d with p = 1 / (1 + (n − 1) 10^(−d/400)), the model of Luce (1959).
    """
    value, low, high = (
        elo_of_share(min(max(end, EDGE), 1 - EDGE), seats) for end in (share.value, share.low, share.high)
    )
    start = (below and below.elo) or Estimate(value=0, low=0, high=0)
    total = start.value + value
    return Estimate(
        value=total,
        low=total - math.hypot(start.value - start.low, value - low),
        high=total + math.hypot(start.high - start.value, high - value),
    )


def _answers(mirror: Run) -> list[Answers]:
    return [_answers_of(Findings(mirror.only([cell.index]))) for cell in mirror.cells]


def _answers_of(findings: Findings) -> Answers:
    """Return the answers of the only cell of some findings."""
    (cell,) = findings.run.cells
    (first,) = first_player_advantage(findings).rows(named=True)
    changes = lead_changes(findings).rows(named=True) if not findings.run.team else []
    return Answers(
        setting=cell.varied,
        deals=cell.deals,
        shares=[_estimate(row, "share") for row in seat_shares(findings).rows(named=True)],
        verdict=first["verdict"],
        turns=_estimate(lengths(findings).filter(measure="turns").row(0, named=True), "mean"),
        lead_changes=_estimate(changes[0], "mean") if changes else None,
        components=_components(findings),
    )


def _estimate(row: dict[str, Any], name: str) -> Estimate:
    low, high = (row[name] if row[end] is None else row[end] for end in ("low", "high"))
    return Estimate(value=row[name], low=low, high=high)


def _components(findings: Findings) -> list[str]:
    """Return the columns of the seats table that surely go with winning, the most certain first."""
    table = components(findings)
    if table.is_empty():
        return []
    surely = table.filter((pl.col("difference_low") > 0) | (pl.col("difference_high") < 0))
    return surely["column"].head(MAX_COMPONENTS).to_list()


def _fair(mirror: Run) -> FairAt | None:
    """Return where the first player's share is fair, if rivals play and one whole-number option is varied."""
    varied = axes(mirror)
    if mirror.team or len(varied) != 1 or len(varied[0].options) != 1 or not varied[0].whole_numbers:
        return None
    (option,) = varied[0].options
    counts = deal_counts(mirror.seats().filter(seat=0), ["cell"], pl.col("share").mean()).collect()
    rows = {row["cell"]: row for row in moments(counts.sort("cell", "value"), ["cell"]).rows(named=True)}
    cells = sorted(mirror.cells, key=lambda cell: int(cell.varied[option]))
    x, shares = [int(cell.varied[option]) for cell in cells], [rows[cell.index] for cell in cells]
    errors = [row["variance"] / row["deals"] for row in shares]
    line = crossing.polyline(x, [row["mean"] for row in shares], np.diag(errors))
    point = crossing.crossing(line, mirror.cells[0].fair, near=float(np.mean(x)))
    value, low, high = (None if math.isinf(end) else end for end in point) if point else (None, None, None)
    return FairAt(option=option, value=value, low=low, high=high)


# Decisions of players: how long they take, and how often two players decide alike in the same positions.

SEED = 20_261_126  # of the positions: no run of a ladder plays its deals


class Position(NamedTuple):
    """A decision with several legal actions: what its seat sees, and the action that was taken."""

    view: Any
    legal: np.ndarray
    ply: int
    deal: int
    taken: int


def milliseconds(table: GameTable, player: Player, seats: int, seconds: float = 0.25) -> float:
    """Return the processor time per decision in games of this player against itself; 0 if it decides nothing.

    The games are four times as many until they take so many seconds.
    """
    lineup, deals, spent, decisions = [player] * seats, 1, 0.0, 1
    table.play(lineup, SEED, np.zeros(1, np.int64), np.zeros(1, np.int64))  # loads the compiled code
    while spent < seconds and decisions:
        began = time.process_time()
        states = table.play(lineup, SEED, np.arange(deals), np.zeros(deals, np.int64))
        spent, decisions = time.process_time() - began, int(states["log"]["game"]["decisions"].sum())
        deals *= 4
    return 1000 * spent / decisions if decisions else 0.0


def positions(table: GameTable, player: Player, seats: int, games: int) -> Iterator[Position]:
    """Yield the decisions of games of a player against itself."""
    game, rules, ids = table.game, table.rules[0], np.zeros(table.game.max_actions, np.int64)
    for deal in range(games):
        trail, place = np.zeros(game.max_steps, np.int64), 0
        table.play([player] * seats, SEED, np.array([deal]), np.zeros(1, np.int64), trail)
        s, rng = np.zeros(1, game.state_dtype)[0], table.open_luck(SEED, deal)
        s.seats = seats
        game.setup(s, rules, rng)
        while s.seat != OVER:
            n = game.legal(s, rules, ids)
            if n > 1:
                view = np.zeros(1, game.state_dtype)[0]
                game.observe(s, rules, s.seat, view)
                yield Position(view, ids[:n].copy(), int(s.log.game.decisions), deal, int(trail[place]))
                s.log.game.decisions += 1
            game.step(s, rules, int(trail[place]), rng)
            place += 1


def agreement(table: GameTable, player: Player, several: list[Position]) -> float:
    """Return the part of the positions in which a player takes the action that was taken."""
    alike = [decision(table, player, position) == position.taken for position in several]
    return float(np.mean(alike)) if alike else 1.0


def decision(table: GameTable, player: Player, position: Position) -> int:
    """Return the action of a player in a position, without memory of the game so far."""
    stream = np.zeros(1, np.uint64)
    open_streams(stream, SEED, position.deal, purposes([f"choice/{position.view.seat}"]))
    return table.decide(player, position.view, position.legal, stream, position.ply)
