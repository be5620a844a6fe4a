"""Kingmaking: games played again, once for each other action that the last-placed seat might have taken."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit import branches
from simkit.branches import NEVER, SEAT, TURN
from simkit.errors import UsageError
from simkit.experiment import Cell, Experiment, cells
from simkit.progress import Progress
from simkit.seating import Seating, seating
from simkit.steps import traced

FILE = "kingmaking.parquet"  # within the folder of the run
LATE = 2 / 3  # of the turns have ended before a decision that is looked at
MOST = 3  # other actions that are tried
LAST, LEADER = "last", "leader"
COUNTS = ("cell", "deal", "rotation", "seat", "turn", "turns", "choices", "tried")
KINDS: dict[str, Any] = dict.fromkeys(COUNTS, pl.Int32) | {"role": pl.String}
KINDS |= dict.fromkeys(("wins", "decides", "others"), pl.Boolean)
Row = dict[str, Any]


class Sample(NamedTuple):
    """A decision of a game: its number, who takes it, what was chosen of how many actions."""

    game: int
    decision: int
    role: str
    seat: int
    turn: int
    choices: int
    chosen: int


def looked_at(experiment: Experiment) -> list[Cell]:
    """The cells in which kings are looked for: of the baseline or first setting, of three seats and more."""
    every = cells(experiment)
    setting = next((cell.varied for cell in every if cell.baseline), every[0].varied)
    found = [cell for cell in every if cell.varied == setting and cell.seats > 2 and cell.target is None]
    if not found:
        raise UsageError("key 'kingmaking' is for competitive games of three seats and more")
    return found


def write(experiment: Experiment, folder: Path, progress: Progress) -> None:
    """Sample the decisions and write them into the folder, unless they are there; whole or not at all."""
    if (folder / FILE).is_file():
        return
    rows = list[Row]()
    for cell in looked_at(experiment):
        place = seating(experiment, cell)
        if not branches.build(place.table.game).ready:
            progress.compiling(f"compiling {cell.game} once more, to play games again")
        rows += _rows(place, min(experiment.kingmaking, cell.deals))
    unfinished = folder / f".{FILE}.tmp"
    pl.DataFrame(rows, schema=KINDS).write_parquet(unfinished)
    os.replace(unfinished, folder / FILE)


def _rows(place: Seating, deals: int) -> list[Row]:
    """A row for each decision that was sampled: one of each role in a game at most, one game per deal."""
    games = np.array([np.arange(deals), np.arange(deals) % place.cell.rotations])
    states, scores = _played(place, games)
    notes = _noted(place, games, states)
    samples = [one for i in range(deals) for one in _samples(place.seed, i, scores[i], notes[i])]
    tries = [(k, action) for k, one in enumerate(samples) for action in _others(place.seed, one)]
    forced = np.array([(samples[k].decision, action) for k, action in tries]).reshape(-1, 2)
    again = games[:, [samples[k].game for k, _ in tries]]
    ends = branches.play(place.table, place.lineup, place.seed, again, forced, np.zeros((0, 4), np.int64))
    after: list[list[Any]] = [[] for _ in samples]
    for (k, _), end in zip(tries, ends, strict=True):
        after[k].append(end)
    return [_row(place, one, scores, states[one.game], after[k]) for k, one in enumerate(samples)]


def _row(place: Seating, one: Sample, scores: list[np.ndarray], before: Any, after: list[Any]) -> Row:
    cell = place.cell
    key = {"cell": cell.index, "deal": one.game, "rotation": one.game % cell.rotations, "role": one.role}
    told = {"seat": one.seat, "turn": one.turn + 1, "turns": len(scores[one.game])}
    counts = {"choices": one.choices, "tried": len(after)}
    return key | told | counts | _compared(before, after, one.seat)


def _played(place: Seating, games: np.ndarray) -> tuple[list[Any], list[np.ndarray]]:
    """Final states, and the scores at the end of each turn: [turn, seat] per game."""
    states, scores = list[Any](), list[np.ndarray]()
    for some in traced(place.table, place.lineup, place.seed, *games):
        states += list(some.states.copy())
        cuts = np.searchsorted(some.rows["game"], np.arange(1, len(some.states)))
        each = np.split(some.rows["score"].copy(), cuts)
        scores += [game.reshape(-1, place.cell.seats) for game in each]
    return states, scores


def _noted(place: Seating, games: np.ndarray, states: list[Any]) -> list[np.ndarray]:
    """What is noted of each decision, per game."""
    many = [int(state["log"]["game"]["decisions"]) for state in states]
    notes, forced = np.zeros((sum(many), 4), np.int64), np.full((len(many), 2), NEVER)
    branches.play(place.table, place.lineup, place.seed, games, forced, notes)
    return np.split(notes, np.cumsum(many)[:-1])


def _samples(seed: int, game: int, scores: np.ndarray, notes: np.ndarray) -> Iterator[Sample]:
    """A late decision of a seat that is last, alone, and one of a seat that leads, alone."""
    for role, rank in ((LAST, 0), (LEADER, -1)):
        fits = [at for at, note in enumerate(notes) if _is(note, scores, rank)]
        if fits:
            at = int(np.random.default_rng([seed, game, rank % 2]).choice(fits))
            turn, seat, choices, chosen = map(int, notes[at])
            yield Sample(game, at, role, seat, turn, choices, chosen)


def _is(note: np.ndarray, scores: np.ndarray, rank: int) -> bool:
    """Whether a decision is late, of the seat with the least (rank 0) or greatest (−1) score, alone."""
    turn = note[TURN]
    if turn < LATE * len(scores) or not turn:
        return False
    now = scores[turn - 1]
    return bool(now[note[SEAT]] == np.sort(now)[rank] and (now == now[note[SEAT]]).sum() == 1)


def _others(seed: int, one: Sample) -> list[int]:
    """The places of the other actions that are tried: all of few, MOST of many at random."""
    others = [place for place in range(one.choices) if place != one.chosen]
    luck = np.random.default_rng([seed, one.game, one.decision])
    return sorted(map(int, luck.permutation(others)[:MOST]))


def _compared(before: Any, after: list[Any], seat: int) -> Row:
    """wins: the seat, with some action; decides: who wins the game; others: who is best of the others."""
    winners = [_best(state) for state in (before, *after)]
    rest = [_best(state, seat) for state in (before, *after)]
    changes = {"decides": len(set(winners)) > 1, "others": len(set(rest)) > 1}
    return {"wins": any(seat in some for some in winners)} | changes


def _best(state: Any, without: int = -1) -> frozenset[int]:
    """The seats with the best rank, of all or of all but one; rank 0 is lost to the game."""
    ranks = {seat: int(state["rank"][seat]) for seat in range(state["seats"]) if seat != without}
    known = [rank for rank in ranks.values() if rank > 0]
    return frozenset(seat for seat, rank in ranks.items() if known and rank == min(known))
