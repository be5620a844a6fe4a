"""Training of a learned player: epochs of games in fixed chunks, from which a net learns.

All luck of an epoch follows from the seed, the epoch and the chunk, and chunks are joined in order, so the
player is the same for any number of jobs. A course of one teacher lives in a folder:

    samples/E.npz    what epoch E has gathered; the last few are the ring from which the net learns
    checkpoint.npz   the net after an epoch, with the moments of Adam and the curve so far

Both appear whole, by a rename. A course that was stopped, even by a kill, goes on after its checkpoint and
plays no games again whose samples are there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from simkit import system
from simkit.engine import registry
from simkit.engine.learned.file import BASE, TrainedPlayer, file_digests, pack, trained_player
from simkit.engine.learned.net import BLOCK, MOST
from simkit.engine.positions import results
from simkit.engine.rng import sub_seed
from simkit.engine.strategy import RANDOM
from simkit.engine.table import Player
from simkit.questions.learn import fitting
from simkit.questions.learn.fitting import Samples, Weights
from simkit.questions.learn.lessons import CHUNK, CHUNKS, Acquaintance, Gathered, Lesson, Net, acquaint
from simkit.questions.learn.result import Look, Request
from simkit.questions.learn.teachers import Improvement, SelfPlay
from simkit.runs.progress import Progress
from simkit.stats.deals import Share, share_from_moments

Array = np.ndarray
Mapped = Callable[[Callable[[int], Any], int], list[Any]]  # returns function(0) ... function(n - 1)
MakePlayer = Callable[[Weights, Any, list[Look]], TrainedPlayer]  # from weights, teacher, curve
UNITS = 32  # of the embedding
RING, RING_BYTES = 3, 1 << 28  # epochs from which a net learns, for each use of a sample; the most bytes
FIRST_RATE, LAST_RATE = 1e-3, 1e-4
LOOK_COUNT, LOOK_CHUNKS = 12, 6  # interim measurements, and chunks of deals of each
CAUTIONS, CAUTION_CHUNKS = (
    (0.03, 0.06, 0.08, 0.1, 0.15),
    12,
)  # tried after a training, on so many chunks of deals
TRIAL_CHUNKS = 9  # chunks of deals against each of the panel after a trial
KINDS = ("weights", "first", "second")  # what a checkpoint has of each array of a net
TRIAL, TRIAL_GAMES = 0.08, 12_000  # part of the games that a trial takes, and the most


def first_weights(layout: Any, luck: np.random.Generator) -> Weights:
    """Return weights to start with: small, so that rows that are seldom seen stay so."""
    inputs = UNITS + BLOCK * len(layout.places)

    def drawn(deviation: float, *shape: int) -> Array:
        return (deviation * luck.standard_normal(shape)).astype(np.float32)

    rows, token_rows = drawn(0.05, layout.rows, UNITS), drawn(0.2, layout.token_rows, BLOCK)
    hidden, out = drawn(inputs**-0.5, inputs, BLOCK), drawn(0.1, BLOCK, 2)
    return Weights(rows, token_rows, hidden, np.full(BLOCK, 0.1, np.float32), out, np.zeros(2, np.float32))


def integers(weights: Weights) -> dict[str, Array]:
    """Return weights as the integers that a player has, by name of the array."""
    hidden_shift, hidden, hidden_bias = _layer(weights.hidden, weights.hidden_bias)
    out_shift, out, out_bias = _layer(weights.out, weights.out_bias)
    layers = {"hidden": hidden, "hidden_bias": hidden_bias, "out": np.ascontiguousarray(out.T)}
    tables = {"rows": _rounded(weights.rows * 1024), "token_rows": _rounded(weights.token_rows * 1024)}
    shifts = np.array([hidden_shift, out_shift], np.int8)
    return tables | layers | {"out_bias": out_bias, "shifts": shifts}


def in_real_numbers(arrays: dict[str, Array]) -> Weights:
    """Return the weights that a player has as integers."""
    hidden, out = (2.0**shift for shift in arrays["shifts"].tolist())
    units = [1024, 1024, hidden, 256 * hidden, out, 256 * out]
    real = [arrays[name].astype(np.float32) / unit for name, unit in zip(Weights._fields, units, strict=True)]
    return Weights(*real)._replace(out=np.ascontiguousarray(real[4].T))


def _layer(weights: Array, bias: Array) -> tuple[int, Array, Array]:
    """Return the largest shift with which no sum leaves int32, weights and bias of a layer, [input, unit]."""
    shift = 10
    while True:
        scaled, added = _rounded(weights * 2.0**shift), np.rint(bias * 256.0 * 2.0**shift)
        if (np.abs(scaled.astype(np.int64)).sum(axis=0) * MOST + np.abs(added)).max() < 1 << 31:
            return shift, scaled, added.astype(np.int32)
        shift -= 1


def _rounded(weights: Array) -> Array:
    numbers: Array = np.clip(np.rint(weights), -32767, 32767).astype(np.int16)
    return numbers


TEACHERS = {teacher.name: teacher for teacher in (SelfPlay, Improvement)}


class Course:
    """The lessons of one teacher in a folder: the net, and what it still learns from."""

    def __init__(
        self, folder: Path, teacher: Any, weights: Weights, mapped: Mapped, make: MakePlayer
    ) -> None:
        self.folder, self.teacher, self.mapped, self.make = folder, teacher, mapped, make
        self.weights, self.first, self.second = weights, fitting.zeros(weights), fitting.zeros(weights)
        self.steps, self.epoch, self.curve = np.zeros(1, np.int64), 0, list[Look]()
        self.ring = list[Gathered]()
        (folder / "samples").mkdir(parents=True, exist_ok=True)
        if (folder / "checkpoint.npz").exists():
            self._resume()

    def _resume(self) -> None:
        """Take up the course where its checkpoint leaves it."""
        with np.load(self.folder / "checkpoint.npz") as saved:  # which `save` writes over
            for kind in KINDS:
                setattr(self, kind, Weights(*(saved[f"{kind}_{name}"] for name in Weights._fields)))
            self.steps, self.epoch = saved["steps"], int(saved["epoch"])
            self.curve = [Look(**row) for row in json.loads(str(saved["curve"]))]
            self.ring = [self._read(epoch) for epoch in range(int(saved["oldest"]), self.epoch)]

    def save(self) -> None:
        """Write the checkpoint; afterwards delete the samples that nothing learns from any more."""
        arrays = {f"{k}_{n}": array for k in KINDS for n, array in getattr(self, k)._asdict().items()}
        oldest, curve = self.epoch - len(self.ring), json.dumps([look.model_dump() for look in self.curve])
        arrays |= {"steps": self.steps, "epoch": self.epoch, "oldest": oldest, "curve": curve}
        _write(self.folder / "checkpoint.npz", arrays)
        for path in (self.folder / "samples").glob("*.npz"):
            if int(path.stem) < oldest:
                system.remove(path)

    def run(self, until: int, report: Callable[[Course, float], None]) -> None:
        """Go on to an epoch."""
        while self.epoch < until:
            self.ring.append(self._gathered())
            self._shorten()
            loss = self._learn()
            self.epoch += 1
            report(self, loss)
            self.save()

    @property
    def net(self) -> Net:
        """The net as it is now."""
        return Net(self.weights, pack(self.player, self.teacher.lesson.game))

    @property
    def player(self) -> TrainedPlayer:
        """The player as it is now."""
        return self.make(self.weights, self.teacher, self.curve)

    def _gathered(self) -> Gathered:
        """Return the samples of the next epoch, from its file if this is there."""
        path = self.folder / "samples" / f"{self.epoch}.npz"
        if not path.exists():
            net, epoch = self.net, self.epoch
            parts = self.mapped(lambda chunk: self.teacher.gather(net, epoch, chunk), CHUNKS)
            samples, sizes = Gathered.join(parts)
            _write(path, {**samples._asdict(), "sizes": sizes})
        return self._read(self.epoch)

    def _read(self, epoch: int) -> Gathered:
        with np.load(self.folder / "samples" / f"{epoch}.npz") as saved:
            return Gathered(Samples(*(saved[name] for name in Samples._fields)), saved["sizes"])

    def _shorten(self) -> None:
        """Keep the last epochs, fewer if they take too much room."""
        self.ring = self.ring[-RING * self.teacher.uses :]
        while (
            len(self.ring) > 1
            and sum(array.nbytes for part in self.ring for array in part.samples) > RING_BYTES
        ):
            self.ring = self.ring[1:]

    def _learn(self) -> float:
        """Learn from samples of the ring; return the mean loss."""
        samples, sizes = Gathered.join(self.ring)
        count = self.teacher.uses * len(self.ring[-1].sizes)
        order = self.teacher.lesson.luck(f"order/{self.epoch}").permutation(len(sizes))[:count]
        state = self.weights, self.first, self.second, self.steps
        return fitting.learn(state, self.teacher.seen.shape, samples, sizes, order, self._rate())

    def _rate(self) -> float:
        """Return the rate of learning, which falls with the games of the player itself."""
        part = self.teacher.games_after(self.epoch) / self.teacher.games
        return float(FIRST_RATE * (LAST_RATE / FIRST_RATE) ** min(1.0, part))


def _write(path: Path, arrays: dict[str, Any]) -> None:
    """Write arrays to a file that appears whole."""
    half = path.with_suffix(".part")
    with half.open("wb") as file:
        np.savez(file, **arrays)
    system.replace(half, path)


class Trainer:
    """The training of one player: its courses, and what they are measured by."""

    def __init__(self, request: Request, folder: Path, jobs: int, progress: Progress) -> None:
        self.lesson, self.folder, self.jobs, self.progress = Lesson(request), folder, jobs, progress
        self.trial = dict[str, float]()

    def train(self, teacher: str, games: int) -> TrainedPlayer:
        """Return the player that a teacher trains, the better one of a trial if none is named."""
        course = self._course(teacher or self._better(games), games)
        course.run(course.teacher.epochs, self._report)
        player = course.player
        return replace(player, meta=player.meta.model_copy(update={"caution": self._caution(course)}))

    def mapped(self, function: Callable[[int], Any], count: int) -> list[Any]:
        """Return function(0) ... function(count - 1), in order, by as many threads as jobs."""
        return list(Parallel(self.jobs, backend="threading")(delayed(function)(k) for k in range(count)))

    @cached_property
    def seen(self) -> Acquaintance:
        """What some games show; a player that goes on from another one reads what that one reads."""
        seen = acquaint(self.lesson, self.mapped)
        if self._start is None:
            return seen
        return replace(seen, layout=self._start.layout, deviation=self._start.meta.margin_sd)

    @cached_property
    def _start(self) -> TrainedPlayer | None:
        """The player from which this one goes on."""
        request = self.lesson.request
        if not request.start:
            return None
        return registry.learned_player(self.lesson.game, request.start, request.seats)

    @property
    def _first_weights(self) -> Weights:
        if self._start is not None:
            return in_real_numbers(self._start.arrays)
        return first_weights(self.seen.layout, self.lesson.luck("weights"))

    def _course(self, teacher: str, games: int) -> Course:
        """Return the course of a teacher, where it was left."""
        own = TEACHERS[teacher](self.lesson, self.seen, games)
        return Course(self.folder / teacher, own, self._first_weights, self.mapped, self.player)

    def _better(self, games: int) -> str:
        """Return the teacher whose player wins more after a short training by each.

        Play-outs may take far longer than the games of the player itself. They are not tried where it is
        stronger than the best scripted player after a few of its own games.
        """
        path = self.folder / "trial.npz"
        if self.lesson.request.panel[0] == RANDOM:
            return SelfPlay.name
        if not path.exists():
            _write(path, self._trial(games))
        with np.load(path) as saved:
            self.trial = {name: float(saved[name]) for name in saved.files}
        return max(self.trial, key=lambda name: self.trial[name])

    def _trial(self, games: int) -> dict[str, float]:
        """Return the share against the panel after a short training by each teacher that is tried."""
        own = self._course(SelfPlay.name, games)
        shares = {SelfPlay.name: self._try(own)}
        best, fair = self._panel[0], 1 / self.lesson.request.seats
        if self.lesson.game.team or self.match(own, best, TRIAL_CHUNKS, "trial").low < fair:
            shares[Improvement.name] = self._try(self._course(Improvement.name, games))
        return shares

    def _try(self, course: Course) -> float:
        """Return the share of a player against the panel after a part of a course."""
        games = min(TRIAL_GAMES, TRIAL * course.teacher.games)
        course.run(course.teacher.imitated + math.ceil(games / course.teacher.games_of_epoch), self._report)
        own = {"caution": self._caution(course)}
        return fmean(self.match(course, other, TRIAL_CHUNKS, "trial", **own).share for other in self._panel)

    def _caution(self, course: Course) -> float:
        """Return the caution with which the player of a course wins most against its base."""
        if not course.teacher.base:
            return 0.0
        base = "" if self.lesson.game.team else course.teacher.base
        shares = {
            caution: self.match(course, base, CAUTION_CHUNKS, "caution", caution=caution).share
            for caution in CAUTIONS
        }
        return max(CAUTIONS, key=lambda caution: shares[caution])

    @property
    def _panel(self) -> list[str]:
        """The opponents; a team has none."""
        return [""] if self.lesson.game.team else self.lesson.request.panel

    def _report(self, course: Course, loss: float) -> None:
        """Report how far a course is, and measure its player now and then."""
        own, epoch = course.teacher, course.epoch
        now, before = own.games_after(epoch), own.games_after(epoch - 1)
        if LOOK_COUNT * now // own.games > LOOK_COUNT * before // own.games:
            share = self.match(course, self._panel[0], LOOK_CHUNKS, f"looks/{epoch}")
            course.curve.append(Look(games=now, share=share.share, low=share.low, high=share.high, loss=loss))
            self.progress.report_look(self._words(share))
        self.progress.report_games(now, own.games_after(own.epochs))

    def _words(self, share: Share) -> str:
        """Return a share as the line of progress has it."""
        against = f" v {self._panel[0]}" if self._panel[0] else " of games won"
        return f"{100 * share.share:.0f} % ± {50 * (share.high - share.low):.0f}{against}"

    def match(self, course: Course, opponent: str, chunks: int, purpose: str, **weights: float) -> Share:
        """Return the share of the player of a course against an opponent on deals of its own.

        Each deal is played in all rotations; a team has no opponent.
        """
        lineup = course.teacher.lineup(course.net.packed, **weights)
        rotations = 1
        if opponent:
            lineup, rotations = [lineup[0], *self.lesson.scripted(opponent)[1:]], len(lineup)
        played = self.mapped(lambda chunk: self._shares(lineup, rotations, f"{purpose}/{chunk}"), chunks)
        shares = np.concatenate(played)
        mean, variance = float(shares.mean()), float(shares.var(ddof=1))
        return share_from_moments(mean, variance, len(shares), rotations * len(shares))

    def _shares(self, lineup: list[Player], rotations: int, purpose: str) -> Array:
        """Return the share of the first player of a lineup on each deal of a chunk."""
        table, shifts = self.lesson.table(self.lesson.luck(purpose)), np.arange(rotations)
        deals, shifts = np.repeat(np.arange(CHUNK), rotations), np.tile(shifts, CHUNK)
        states = table.play(lineup, sub_seed(self.lesson.request.seed, f"learn/{purpose}"), deals, shifts)
        shares = results(self.lesson.game, states)[0]
        own = shares[np.arange(len(shares)), -shifts % len(lineup)]
        means: Array = own.reshape(CHUNK, rotations).mean(axis=1, dtype=float)
        return means

    def player(self, weights: Weights, teacher: Any, log: list[Look]) -> TrainedPlayer:
        """Return the player with these weights of a net."""
        arrays = self._untrained.arrays | integers(weights)
        meta = {"teacher": teacher.name, "base": teacher.base, "caution": teacher.caution}
        meta |= {"samples": teacher.samples, "games": teacher.games, "trial": self.trial}
        meta |= {"log": [look.model_dump() for look in log]}
        if teacher.base:
            own = registry.base_digest(self.lesson.game, teacher.base)
            meta["digests"] = {**self._untrained.meta.digests, BASE: own}
        return TrainedPlayer(self._untrained.meta.model_copy(update=meta), arrays)

    @cached_property
    def _untrained(self) -> TrainedPlayer:
        """The player before its first lesson, with what no lesson changes."""
        request, game = self.lesson.request, self.lesson.game
        fixed = {
            name: value for name, value in game.resolve(request.fixed).items() if name not in request.vary
        }
        meta = {name: getattr(request, name) for name in ("name", "seed", "command")}
        files = file_digests(request.files)
        meta |= {"rules": {"fixed": fixed, "varied": request.vary, "files": files}}
        meta |= {"margin_sd": self.seen.deviation}
        return trained_player(game, meta, self.seen.layout, integers(self._first_weights))
