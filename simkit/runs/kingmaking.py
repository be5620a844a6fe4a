"""Kingmaking: replay games from late decisions, several times with each of some actions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit.engine.kernel import SAME, SEAT, TURN
from simkit.engine.stepper import trace_games
from simkit.errors import UsageError
from simkit.runs.experiment import Experiment
from simkit.runs.plan import Cell, Plan
from simkit.runs.play import Seating, seating
from simkit.runs.storage import checksums
from simkit.stats.gaps import between

FILE = "late_choices.parquet"  # inside the run folder
LATE = 2 / 3  # part of the turns that must be over before a decision counts as late
MAX_ALTERNATIVES = 3  # other actions compared with the chosen one
REPEATS = 8  # times that a game is continued with each action, each time with other luck
BATCH_GAMES = 2000  # games whose final states are held in memory
LAST, LEADER = "last", "leader"
COUNTS = ("cell", "deal", "rotation", "seat", "turn", "turns", "choices", "alternatives")
KINDS: dict[str, Any] = dict.fromkeys(COUNTS, pl.Int32) | {"role": pl.String}
KINDS |= {"wins": pl.Boolean, "others": pl.Float64}
Row = dict[str, Any]


class Sample(NamedTuple):
    """A decision of a game: its number in the game, the seat and role of the player, the action chosen."""

    game: int
    decision: int
    role: str
    seat: int
    turn: int
    choices: int
    chosen: int


def cells_to_sample(plan: Plan) -> list[Cell]:
    """Return the cells of the baseline or first setting with three seats or more; [] without the key."""
    experiment, every = plan.experiment, plan.cells
    if not experiment.kingmaking:
        return []
    if experiment.keep_going:
        raise UsageError(
            "key 'kingmaking': a game that fails cannot be played on; leave out key 'keep_going'"
        )
    setting = next((cell.varied for cell in every if cell.baseline), every[0].varied)
    eligible = [cell for cell in every if cell.varied == setting and cell.seats > 2 and cell.target is None]
    if not eligible:
        raise UsageError(f"key 'kingmaking': {_why_not_sampled(every[0])}")
    return eligible


def _why_not_sampled(cell: Cell) -> str:
    """Return why no seat of a game can make another one the winner, and what to change."""
    if cell.target is None:
        return (
            f"needs three seats or more, but the lineups have {cell.seats}; give a longer one or leave it out"
        )
    if cell.role:
        return "does not go with key 'role': leave one of them out"
    alone = "needs a game in which each seat plays for itself"
    return f"{alone}, but seats of {cell.game} win together; leave it out"


def write(experiment: Experiment, cells: list[Cell], folder: Path) -> None:
    """Sample decisions of some cells and write FILE, unless it is there with a valid checksum."""
    if checksums.valid_files(folder, [FILE]):
        return
    rows = list[Row]()
    for cell in cells:
        place = seating(experiment, cell)
        rows += _rows(place, min(experiment.kingmaking, cell.deals))
    checksums.attach(folder, FILE, pl.DataFrame(rows, schema=KINDS))


def _rows(place: Seating, deals: int) -> list[Row]:
    """Return one row per sampled decision: one game per deal, at most one decision per role in a game."""
    games = np.array([np.arange(deals), np.resize(place.cell.turns, deals)])
    states, scores = _play_traced(place, games)
    notes = _decision_notes(place, games, states)
    samples = [sample for i in range(deals) for sample in _samples(place.seed, i, scores[i], notes[i])]
    actions = [_actions_to_compare(place.seed, sample) for sample in samples]
    cuts = np.cumsum([len(choices) for choices in actions])[:-1]
    ranks = np.split(_ranks(place, games, samples, actions), cuts)
    return [_row(place.cell, sample, len(scores[sample.game]), ranks[k]) for k, sample in enumerate(samples)]


def _ranks(place: Seating, games: np.ndarray, samples: list[Sample], actions: list[list[int]]) -> np.ndarray:
    """Return the final ranks of all continued games, sample after sample: int64[action, luck, seat]."""
    plays = [
        (sample.game, sample.decision, action, luck)
        for sample, choices in zip(samples, actions, strict=True)
        for action in choices
        for luck in range(SAME + 1, SAME + 1 + REPEATS)
    ]
    seats = place.cell.seats
    forced, ranks = np.array(plays, np.int64).reshape(-1, 4), [np.zeros((0, seats), np.int64)]
    for first in range(0, len(forced), BATCH_GAMES):
        part = forced[first : first + BATCH_GAMES]
        deals, shifts = games[:, part[:, 0]]
        states = place.table.play(place.lineup, place.seed, deals, shifts, forced=part[:, 1:])
        ranks.append(states["rank"][:, :seats].astype(np.int64))
    return np.concatenate(ranks).reshape(-1, REPEATS, seats)


def _row(cell: Cell, sample: Sample, turns: int, ranks: np.ndarray) -> Row:
    """Return the row of a sample.

    `wins`: the seat wins some continuation. `others`: how much the action decides who of the others is best.
    """
    key = {"cell": cell.index, "deal": sample.game, "rotation": cell.turns[sample.game % cell.rotations]}
    moment = {"role": sample.role, "seat": sample.seat, "turn": sample.turn + 1, "turns": turns}
    counts = {"choices": sample.choices, "alternatives": len(ranks) - 1}
    rest = np.delete(ranks, sample.seat, axis=2)
    wins = (_best(ranks) >> sample.seat & 1).any()
    return key | moment | counts | {"wins": bool(wins), "others": between(_best(rest))}


def _play_traced(place: Seating, games: np.ndarray) -> tuple[list[Any], list[np.ndarray]]:
    """Play games; return their final states and the scores at the end of each turn, [turn, seat] per game."""
    states, scores = list[Any](), list[np.ndarray]()
    for batch in trace_games(place.table, place.lineup, place.seed, *games):
        states += list(batch.states.copy())
        cuts = np.searchsorted(batch.rows["game"], np.arange(1, len(batch.states)))
        each = np.split(batch.rows["score"].copy(), cuts)
        scores += [game.reshape(-1, place.cell.seats) for game in each]
    return states, scores


def _decision_notes(place: Seating, games: np.ndarray, states: list[Any]) -> list[np.ndarray]:
    """Return the kernel's notes on every decision, one array per game."""
    counts = [int(state["log"]["game"]["decisions"]) for state in states]
    notes = np.zeros((sum(counts), 4), np.int64)
    place.table.play(place.lineup, place.seed, games[0], games[1], notes=notes)
    return np.split(notes, np.cumsum(counts)[:-1])


def _samples(seed: int, game: int, scores: np.ndarray, notes: np.ndarray) -> Iterator[Sample]:
    """Yield one late decision of a seat that is last alone, and one of a seat that leads alone."""
    for role, rank in ((LAST, 0), (LEADER, -1)):
        fits = [at for at, note in enumerate(notes) if _is_late_and_alone(note, scores, rank)]
        if fits:
            at = int(np.random.default_rng([seed, game, rank % 2]).choice(fits))
            turn, seat, choices, chosen = map(int, notes[at])
            yield Sample(game, at, role, seat, turn, choices, chosen)


def _is_late_and_alone(note: np.ndarray, scores: np.ndarray, rank: int) -> bool:
    """Return whether a decision is late and its seat alone has the lowest (rank 0) or highest (−1) score."""
    turn = note[TURN]
    if turn < LATE * len(scores) or not turn:
        return False
    now = scores[turn - 1]
    return bool(now[note[SEAT]] == np.sort(now)[rank] and (now == now[note[SEAT]]).sum() == 1)


def _actions_to_compare(seed: int, sample: Sample) -> list[int]:
    """Return the chosen action and up to MAX_ALTERNATIVES others, drawn at random, as indices."""
    others = [place for place in range(sample.choices) if place != sample.chosen]
    rng = np.random.default_rng([seed, sample.game, sample.decision])
    return [sample.chosen, *sorted(map(int, rng.permutation(others)[:MAX_ALTERNATIVES]))]


def _best(ranks: np.ndarray) -> np.ndarray:
    """Return the seats with the best rank of each game as a bit mask; rank 0 means lost to the game."""
    placed = np.where(ranks > 0, ranks, np.iinfo(np.int64).max)
    best = (placed == placed.min(axis=-1, keepdims=True)) & (ranks > 0)
    return (best << np.arange(ranks.shape[-1])).sum(axis=-1)  # type: ignore[no-any-return]
