"""Ladders: players of rising strength, and what each of them says of the game.

A ladder is a question of its own, and a follow-up of runs with the key skill.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np
import polars as pl

from simkit.ask.requests import alone_among
from simkit.ask.study import Play, Study
from simkit.engine import families, registry
from simkit.engine.families import family_of
from simkit.engine.game import Game
from simkit.engine.lineups import Named, parse_strategy
from simkit.engine.rng import open_streams, purposes
from simkit.engine.rule_helpers import OVER
from simkit.engine.strategy import LEARNED, RANDOM
from simkit.engine.table import GameTable, Player
from simkit.errors import UsageError
from simkit.runs import manifest
from simkit.runs.answers import StudyResults
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
from simkit.tables.rungs import MILLISECONDS, Answers, Estimate, FairAt, Ladder, Rung, Share
from simkit.tables.seats import first_player_advantage, seat_shares

SEARCHES = ("search(budget=50)", "search(budget=200)")
LEARNED_RUNGS = (LEARNED, registry.STRONG)  # the strategy, and the search over it
PRECISE = 9_604  # deals that give 95 % intervals of at most ±1 point: (1.96 / 0.01)² / 4
BUDGET = 10  # a search with this budget would get all deals
OF_LEARNED = 200  # budget of a search that takes about as long as one with a learned player
MIN_DEALS = 100
MATCH_DEALS = 400  # most deals of a match with a search, which says how strong a rung is
SCRIPTED_DEALS = 400  # of the tournament of scripted strategies
PANEL_DEALS = {"panel": 400, "searches": 100}  # side run -> deals of a rung against a member of the panel
MATCH = "match"  # side runs of the rungs against the rung below, numbered from 1
MAX_PANEL = 3  # of rungs that are given
TRACED_DEALS = 200
BEGINNER = {"blunder": "0.3"}  # the part of a beginner's decisions that are random
Pair = tuple[str, str]  # a player, and who sits in all other seats
GAMES_COMPARED = 8  # of the highest rung, whose decisions all rungs take again


@dataclass(frozen=True)
class LadderStudy(Study):
    """A ladder; `deals` is the cap of a rung that does not search, `lineups` fixes the number of seats.

    `side_runs/scripted` finds the strongest scripted strategies of the game. Then every rung meets the same
    panel, in `side_runs/panel` and, where somebody searches, in `side_runs/searches`; its share there orders
    the rungs. For each rung `side_runs/rung0` ... plays the strategy against itself at every setting, and
    `side_runs/match1` ... against the rung below it, in the usual setting. The run in the folder itself plays
    the highest rung against itself. A search plays the deals that give intervals of ±1 point, or fewer, the
    larger its budget is; their number is known before they are played, so that the intervals need not allow
    for stopping.

    A search best-responds to its policy, so that its share against this policy says little about its
    strength. The usual panel therefore has the usual policy, the strongest other scripted strategy and a
    search.
    """

    OPEN_KEYS: ClassVar = {"sweep", "lineups", "deals", "trace"}  # which rung is the highest is measured

    sweep: dict[str, list[Any]]  # as in an experiment
    given: list[str]  # rungs; none for the usual ones

    def check(self) -> None:
        """Raise UsageError for unknown options or strategies, too few rungs, a game without choices."""
        self.check_varied(self.names)
        if registry.game(self.game).max_actions == 1:
            raise UsageError(f"nobody decides anything in {self.game}, so better players change nothing")
        for label in self.given:
            self._player(label)
        game, rungs = registry.game(self.game), [parse_strategy(label)[0] for label in self.given]
        alike = any(registry.same_player(game, *pair, self.seats) for pair in combinations(rungs, 2))
        if alike or len(rungs) == 1:
            raise UsageError("the rungs must be two or more different strategies")

    @property
    def names(self) -> list[str]:
        """Options that vary."""
        return [name.strip() for key in self.sweep for name in key.split(",")]

    def last_run(self) -> Experiment:
        """Return the games of a rung against itself; which one is the highest is not yet known."""
        return self._mirror([*self.given, SEARCHES[-1]][len(self.given) - 1])

    def carry_out(self, play: Play) -> tuple[Experiment, StudyResults]:
        """Play the panel; all rungs but the highest against themselves, and each against the rung below."""
        labels, panel = (self.given, self._given_panel()) if self.given else self._usual(play)
        strengths, rungs = self._against_panel(play, labels, panel), list[Rung]()
        labels = sorted(labels, key=lambda label: strengths[label].value)
        for place, label in enumerate(labels):
            rival = None if self.team or not place else labels[place - 1]
            match = rival and play(self._match(label, rival), f"{MATCH}{place}")
            rung = self._rung(label, rungs[-1] if rungs else None, rival, match or None)
            rung.panel = strengths[label]
            if label != labels[-1]:
                name = f"rung{place}"
                rung = with_answers(rung, play(self._mirror(label), name), name)
            rungs.append(rung)
        met = [] if self.team else panel
        results = Ladder(vary=self.names, panel=met, rungs=self._with_agreement(rungs))
        return self._mirror(labels[-1]), results

    def complete(self, results: StudyResults, run: Run) -> Ladder:
        """Return the results with the answers of the highest rung, which the run of the folder gives."""
        assert isinstance(results, Ladder)
        *below, highest = results.rungs
        return results.model_copy(update={"rungs": [*below, with_answers(highest, run, "")]})

    def solve(self, play: Play) -> Run:
        """Carry out the ladder; the manifest, and no other file, has the times of its decisions."""
        run = super().solve(play)
        table, labels = self._table(), [rung.strategy for rung in run.answer_of(Ladder).rungs]
        times = {each: milliseconds(table, self._player(each), self.seats) for each in labels}
        manifest.note(run.folder, machine=run.manifest.machine | {MILLISECONDS: times})
        return replace(run, manifest=manifest.read(run.folder))

    def _rung(self, label: str, below: Rung | None, rival: str | None, match: Run | None) -> Rung:
        """Return a rung with its strength, from its match."""
        share, player = match and share_of(match, label), self._player(label)
        elo = match and share and above(below, share, even_share(match, label))
        return Rung(
            strategy=label,
            searches=player.search is not None,
            family=family_of(player),
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
        return registry.player(registry.game(self.game), named, self.seats)

    def _usual(self, play: Play) -> tuple[list[str], list[str]]:
        """Return the usual rungs, and of them the panel: usual policy, strongest other strategy, a search."""
        policy = registry.default_policy(registry.game(self.game))
        others = [label for label in scripted_by_strength(self, play) if label != policy]
        panel = [label for label in (policy, *others[:1], SEARCHES[0]) if label != RANDOM]
        return list(dict.fromkeys([RANDOM, *panel, *SEARCHES, *learned_rungs(self)])), panel

    def _given_panel(self) -> list[str]:
        """Return the last of the given rungs that are not random."""
        own = [label for label in self.given if family_of(self._player(label))]
        return (own or self.given)[-MAX_PANEL:]

    def _against_panel(self, play: Play, labels: list[str], panel: list[str]) -> dict[str, Estimate]:
        """Return what each rung wins against the panel in all other seats; of a team, what it wins."""
        pairs = [(label, member) for label in labels for member in ([label] if self.team else panel)]
        even = Estimate(value=1 / self.parties, low=1 / self.parties, high=1 / self.parties)
        won = {} if self.team else {(label, label): even for label in panel}
        open_pairs = [pair for pair in pairs if pair not in won]
        for name, deals in PANEL_DEALS.items():
            mine = [pair for pair in open_pairs if self._is_slow(*pair) == (name == "searches")]
            won |= self._meet(play, name, mine, deals) if mine else {}
        return {label: _mean([won[pair] for pair in pairs if pair[0] == label]) for label in labels}

    def _meet(self, play: Play, name: str, pairs: list[Pair], deals: int) -> dict[Pair, Estimate]:
        """Return what the first of each pair wins where the second sits in all other seats."""
        tables = {self._table_of(pair): alone_among(*pair, self.seats) for pair in pairs}
        question, keys = "How strong is each rung against the same players?", {"deals": deals}
        run = play(self.experiment(question, "ladder/panel", lineups=[*tables.values()], **keys), name)
        parts = {table: run.only([place]) for place, table in enumerate(tables)}
        return {pair: share_of(parts[self._table_of(pair)], pair[0]) for pair in pairs}

    def _table_of(self, pair: Pair) -> Pair | frozenset[str]:
        """Return who meets in the games of a pair; with two seats these are the games of both players."""
        return frozenset(pair) if self.seats == 2 else pair

    def _is_slow(self, *labels: str) -> bool:
        """Return whether one of some players searches."""
        return any(self._player(label).search for label in labels)

    def _mirror(self, label: str) -> Experiment:
        """Return the games of a rung against itself, at every setting."""
        question = "How does the advantage change as these players get better?"
        keys: dict[str, Any] = {"lineups": [[label] * self.seats], "deals": self._deals(label)}
        keys |= {"sweep": self.sweep, "trace": min(TRACED_DEALS, keys["deals"])}
        return self.experiment(question, "ladder/mirror", **keys)  # all rungs meet the same deals

    def _match(self, label: str, rival: str) -> Experiment:
        """Return the games of a rung against the one below it."""
        question, lineup = (
            f"How much stronger is {label} than {rival}?",
            alone_among(label, rival, self.seats),
        )
        deals = min(self._deals(label), self._deals(rival))
        deals = min(deals, MATCH_DEALS) if self._is_slow(label, rival) else deals
        keys: dict[str, Any] = {"lineups": [lineup], "deals": deals}
        return self.experiment(question, f"ladder/{label} against {rival}", **keys)

    def _deals(self, label: str) -> int:
        """Return the deals of a rung; of a search in inverse proportion to its budget, at most PRECISE."""
        player = self._player(label)
        if player.search is None:
            return self.deals
        game = registry.game(self.game)
        search = registry.written_out(game, parse_strategy(label)[0], self.seats)
        budget = registry.strategy(game, search.name).number("budget", search.weights)
        if family_of(player) == families.LEARNED:
            budget = OF_LEARNED
        return min(PRECISE, max(MIN_DEALS, round(BUDGET / budget * self.deals)))


def learned_rungs(study: Study) -> list[str]:
    """Return `learned`, and `strong` if it uses it, if a learned player fits the game and its seats."""
    game = registry.game(study.game)
    try:
        registry.trained_players(game, Named(LEARNED, {}), study.seats)
    except UsageError:
        return []
    players = {label: registry.player(game, parse_strategy(label)[0], study.seats) for label in LEARNED_RUNGS}
    return [label for label, player in players.items() if family_of(player) == families.LEARNED]


def beginner(game: Game, label: str) -> Named:
    """Return a strategy that decides at random as often as a beginner."""
    full = registry.without_preset(game, parse_strategy(label)[0])
    return full._replace(weights={**full.weights, **BEGINNER})


def scripted_by_strength(
    study: Study, play: Play, purpose: str = "ladder/scripted", **more: Any
) -> list[str]:
    """Return the scripted strategies of a game with their presets, the strongest first.

    Each plays with the usual policy in all other seats, in a team by itself. Those that decide by play-outs
    are left out. `more` are further keys of the experiment.
    """
    game = registry.game(study.game)
    policy = registry.default_policy(game)
    own = [name for name, entry in registry.scripted(game).items() if entry.game and not entry.plays_out]
    labels = [label for n in own for label in (n, *(f"{n}@{p}" for p in registry.presets_of(game, n)))]
    if len(labels) < 2:
        return labels
    players = [label for label in labels if study.team or label != policy]
    lineups = [alone_among(label, label if study.team else policy, study.seats) for label in players]
    keys: dict[str, Any] = {"deals": SCRIPTED_DEALS, "lineups": lineups} | more
    question = "Which scripted strategy is the strongest?"
    run = play(study.experiment(question, purpose, **keys), "scripted")
    won = {label: share_of(run.only([place]), label).value for place, label in enumerate(players)}
    even = study.fair if study.team else 1 / study.parties
    return sorted(labels, key=lambda label: won.get(label, even), reverse=True)


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


def even_share(match: Run, label: str) -> float:
    """Return what a strategy would win in the only cell of a run if all players were as good."""
    (cell,) = match.cells
    if not cell.side:
        return 1 / cell.seats
    return float(strategy_shares(Findings(match)).filter(strategy=label)["fair"][0])


def above(below: Rung | None, share: Estimate, even: float) -> Estimate:
    """Return the Elo of a rung above the lowest one, from its share against the rung below.

    It is the sum of the Elo differences of the matches up to the rung, `even` the share if both were as good.
    """
    value, low, high = (
        elo_of_share(min(max(end, EDGE), 1 - EDGE), even) for end in (share.value, share.low, share.high)
    )
    start = (below and below.elo) or Estimate(value=0, low=0, high=0)
    total = start.value + value
    return Estimate(
        value=total,
        low=total - math.hypot(start.value - start.low, value - low),
        high=total + math.hypot(start.high - start.value, high - value),
    )


def _mean(several: list[Estimate]) -> Estimate:
    """Return the mean of estimates from the same deals; its interval holds however they go together."""
    ends = ([getattr(each, end) for each in several] for end in ("value", "low", "high"))
    value, low, high = (float(np.mean(numbers)) for numbers in ends)
    return Estimate(value=value, low=low, high=high)


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
        shares=[_share(row) for row in seat_shares(findings).rows(named=True)],
        verdict=first["verdict"],
        near=first["near"],
        turns=_estimate(lengths(findings).filter(measure="turns").row(0, named=True), "mean"),
        lead_changes=_estimate(changes[0], "mean") if changes else None,
        components=_components(findings),
    )


def _estimate(row: dict[str, Any], name: str) -> Estimate:
    low, high = (row[name] if row[end] is None else row[end] for end in ("low", "high"))
    return Estimate(value=row[name], low=low, high=high)


def _share(row: dict[str, Any]) -> Share:
    ends = {end: row[end] for end in ("ever_low", "ever_high")}
    return Share(**_estimate(row, "share").model_dump(), **ends)


def _components(findings: Findings) -> list[str]:
    """Return the columns of the seats table that surely go with winning, the most certain first."""
    table = components(findings)
    if table.is_empty():
        return []
    surely = table.filter((pl.col("difference_low") > 0) | (pl.col("difference_high") < 0))
    return surely["column"].head(MAX_COMPONENTS).to_list()


def _fair(mirror: Run) -> FairAt | None:
    """Return where the share of the first player or side is fair, if rivals play and one number is varied."""
    varied = axes(mirror)
    if mirror.team or len(varied) != 1 or len(varied[0].options) != 1 or not varied[0].whole_numbers:
        return None
    (option,) = varied[0].options
    first = mirror.judged_rows(mirror.seats()).filter(seat=0)
    counts = deal_counts(first, ["cell"], pl.col("share").mean()).collect()
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
        game.begin(s, rules, rng, 0)
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
