"""Games with a person at the table, kept in a folder that pages read like the folder of any run."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from simkit.engine import registry
from simkit.engine.kernel import random_error
from simkit.engine.perspective import Perspective
from simkit.engine.rng import open_streams, purposes
from simkit.engine.rule_helpers import OVER
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.formatting import counted
from simkit.runs import manifest, why
from simkit.runs.experiment import Experiment
from simkit.runs.log import write_tables
from simkit.runs.plan import make_plan, shards, usual_layout
from simkit.runs.play import Seating
from simkit.runs.storage import checksums

STATES = "states.npy"  # final states of all games in the folder, in the order of play
UNDO, WHY = -1, -2  # in place of an action; WHY asks what the actions are worth
Words = list[str]
# The table and the legal actions in words, whether a decision can be undone -> index, UNDO or WHY.
Ask = Callable[[Words, Words, bool], int]


class Sitting:
    """One game, stepped through in plain Python, in which a person decides for a seat."""

    def __init__(
        self,
        place: Seating,
        deal: int,
        seat: int,
        ask: Ask,
        report: Callable[[str], None],
        judge: Callable[[], why.Judge],
    ) -> None:
        self.place, self.deal, self.judge, self.actions = place, deal, judge, list[int]()
        self.table, self.lineup, self.seat = place.table, place.lineup, seat
        self.ask, self.report = ask, report
        self.game, self.rules, seats = self.table.game, self.table.rules[0], place.cell.seats
        self.states, self.memos = np.zeros(1, self.game.state_dtype), np.zeros_like(self.table.memos)
        self.eyes, self.s, self.choices = Perspective(self.table, seat), self.states[0], self.table.choices
        self.rng, self.s.seats = self.table.open_luck(place.seed, deal), seats
        names = purposes([f"{kind}/{number}" for kind in ("choice", "blunder") for number in range(seats)])
        open_streams(self.choices, place.seed, deal, names)
        # What stood before each decision of the person's turn, and the number of actions until then.
        self.turn: list[tuple[tuple[np.ndarray, ...], int]] = []

    def play(self) -> np.ndarray:
        """Play to the end; return the final state, an array of length 1."""
        self.game.begin(self.s, self.rules, self.rng, 0)
        while self.s.seat != OVER:
            seat, before = int(self.s.seat), (self.states, self.table.rng, self.choices, self.memos)
            saved, legal = tuple(part.copy() for part in before), self.eyes.legal(self.s)
            action = legal[0]
            if len(legal) > 1:
                self.s.log.game.decisions += 1
                action = self._ask(legal) if seat == self.seat else self._bot(np.array(legal), seat)
            if action == UNDO:
                parts, count = self.turn.pop()
                for part, old in zip(before, parts, strict=True):
                    part[:] = old
                del self.actions[count:]
                continue
            if seat != self.seat:
                self.turn.clear()
            elif len(legal) > 1:
                self.turn.append((saved, len(self.actions)))
            self._step(action, seat)
        return self.states

    def _step(self, action: int, seat: int) -> None:
        before, luck = self.s.copy(), self.rng.copy()
        self.actions.append(int(action))
        self.game.step(self.s, self.rules, action, self.rng)
        if self.rng.tobytes() != luck.tobytes():
            self.turn.clear()  # luck that was seen is not drawn anew
        if words := self.eyes.describe(before, action, luck, self.s)[1]:
            self.report(f"{'you' if seat == self.seat else self.game.words.seat(seat)}: {words}")

    def _ask(self, legal: list[int]) -> int:
        words = [self.eyes.offer(self.s, action) for action in legal]
        table = self.eyes.show(self.s).splitlines()
        while (chosen := self.ask(table, words, bool(self.turn))) == WHY:
            actions, number = [*self.actions, legal[0]], int(self.s.log.game.decisions) - 1
            (decision,) = why.decisions(self.judge(), self.place, self.deal, actions, number)
            self.report(f"chance of winning in percent, by what you see: {why.hint(decision)}")
        return UNDO if chosen == UNDO else legal[chosen]

    def review(self) -> list[str]:
        """Return what the person's decisions were worth that cost something, and the turning point."""
        judge = self.judge()
        every = why.decisions(judge, self.place, self.deal, self.actions)
        own = [each for each in every if each.seat == self.seat]
        costly = (each for each in own if each.cost >= why.TRIFLE)
        lines = [f"turn {each.turn}: {each.taken.text}, {why.verdict(each)}" for each in costly]
        return [why.heading(judge, own), *lines, why.turning_sentence(own, lambda _: "you")]

    def _bot(self, legal: np.ndarray, seat: int) -> int:
        """Return the action of a strategy, as the kernel asks it."""
        player, seats = self.lineup[seat], int(self.s.seats)
        error = random_error(self.choices[seats + seat :], player.blunder, len(legal))
        if error >= 0:
            return int(legal[error])
        view, luck = np.zeros(1, self.game.state_dtype)[0], self.choices[seat : seat + 1]
        self.game.observe(self.s, self.rules, seat, view)
        ply = int(self.s.log.game.decisions) - 1
        return self.table.decide(player, view, legal, luck, ply, self.memos[seat])


def play(
    experiment: Experiment,
    folder: Path,
    seat: int,
    ask: Ask,
    report: Callable[[str], None],
    explains: bool = False,
) -> np.ndarray:
    """Play the next game of a folder with a person in a seat, and keep it; return its final state.

    With `explains`, report what the person's decisions were worth.
    """
    game = registry.game(experiment.game)
    plan = make_plan(experiment, usual_layout(game, []))
    (cell,) = plan.cells
    states = _states(folder, manifest.new(plan, None))
    rules = plan.rules(cell)
    place = Seating(cell, GameTable(game, rules), registry.players(game, cell.lineup), experiment.seed)
    sitting = Sitting(place, len(states), seat, ask, report, cache(lambda: why.judge_of(experiment, place)))
    last = sitting.play()
    _keep(experiment, folder, seat, np.concatenate([states, last]), place)
    for line in sitting.review() if explains else []:
        report(line)
    return last


def _states(folder: Path, requested: Any) -> np.ndarray:
    """Return the final states of the games in a folder; refuse a folder of other rules or players."""
    if not (folder / STATES).is_file():
        return np.zeros(0, registry.game(requested.experiment.game).state_dtype)
    stored = manifest.read(folder)
    if (stored.sources, stored.cells[0].labels) != (requested.sources, requested.cells[0].labels):
        raise UsageError(
            f"{folder}: holds games with other rules or players; choose another folder with --out"
        )
    return np.asarray(np.load(folder / STATES), registry.game(requested.experiment.game).state_dtype)


def _keep(experiment: Experiment, folder: Path, seat: int, states: np.ndarray, place: Seating) -> None:
    """Write all games of a folder as a run: their number is the number of deals."""
    question = f"{counted(len(states), 'game')} with a person in seat {seat + 1}: who wins?"
    full = experiment.with_keys(deals=len(states), question=question)
    plan = make_plan(full, usual_layout(place.table.game, []))
    (cell,), new = plan.cells, manifest.new(plan, None)
    folder.mkdir(parents=True, exist_ok=True)
    manifest.begin(folder, full, new)
    np.save(folder / STATES, states)
    digests = dict[str, str]()
    for shard in shards([cell], plan.layout, [len(states)], 0):
        deals = np.arange(shard.parts[0].first, shard.parts[0].last)
        rows = place._replace(cell=cell).rows(deals, np.zeros_like(deals), states[deals])
        digests |= write_tables(folder, shard, rows)
    checksums.settle(folder, digests)
    manifest.note(folder, finished=new.started, games=len(states))
