"""Narration of one game: the kernel plays it, then its actions are stepped through and described."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.game import Game
from simkit.engine.perspective import Perspective
from simkit.engine.rule_helpers import OVER
from simkit.engine.stepper import current_trace
from simkit.errors import PlayError, UsageError
from simkit.runs import source_digests, why
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.plan import Cell
from simkit.runs.play import Seating, seating

Lines = Iterator[str]  # lines of text
Rows = list[dict[str, Any]]  # of the trace, one per seat: score and the game's own trace fields


class Move(NamedTuple):
    """An action and its description."""

    seat: int
    what: str
    action: int  # HIDDEN if the seat that the game is narrated for cannot know it
    step: int = 0  # index among all actions of the game


class Turn(NamedTuple):
    """A narrated turn: its moves and the table at its end. Turn 0 is the setup."""

    number: int
    moves: list[Move]
    table: list[str]
    rows: Rows
    over: list[str]  # how the game ended, after its last turn
    after: list[Rows]  # rows after each move, the last of the turn's end; none if `Log.at_turns_end`


class Telling(NamedTuple):
    """Options of a narration: who observes, one line per turn, the table after every turn, and why."""

    as_seat: int | None = None
    brief: bool = False
    board: bool = True
    why: bool = False  # what decisions were worth, of the seat that observes or of all


FULLY = Telling()


class Recording(NamedTuple):
    """A game that was played, with all of its actions, or with those up to its failure."""

    place: Seating
    deal: int
    rotation: int
    actions: list[int]
    judge: why.Judge | None = None  # None where nobody asks why

    @property
    def labels(self) -> list[str]:
        """The labels of the strategies by seat."""
        seats = self.place.cell.seats
        return [self.place.lineup[(seat + self.rotation) % seats].label for seat in range(seats)]

    def turns(self, as_seat: int | None = None) -> Iterator[Turn]:
        """Yield the turns as `as_seat` sees them; a turn ends with a new turn count or the game's end."""
        table, game = self.place.table, self.place.table.game
        moves, after = list[Move](), list[Rows]()
        s, rules, eyes = np.zeros(1, game.state_dtype)[0], table.rules[0], Perspective(table, as_seat)
        rng = table.open_luck(self.place.seed, self.deal)

        def describe_turn(number: int) -> Turn:
            over = list(_end(game, s, self.labels)) if s.seat == OVER else []
            rows = current_trace(game, s, rules)
            rows_after_moves = [*after[:-1], rows] if after else []
            return Turn(number, list(moves), eyes.show(s).splitlines(), rows, over, rows_after_moves)

        s.seats = self.place.cell.seats
        game.begin(s, rules, rng, self.rotation)
        yield describe_turn(number := 0)
        for step, action in enumerate(self.actions):
            before, luck, count = s.copy(), rng.copy(), int(s.log.game.turns)
            try:
                game.step(s, rules, action, rng)
            except Exception:
                yield from [describe_turn(number + 1)] if moves else []
                raise
            visible, sentence = eyes.describe(before, action, luck, s)
            if sentence:  # empty for a step of a compound decision
                moves.append(Move(int(before["seat"]), sentence, visible, step))
                after += [] if game.log.at_turns_end else [current_trace(game, s, rules)]
            if s.seat == OVER or s.log.game.turns != count:
                yield describe_turn(number := number + 1)
                moves.clear()
                after.clear()
        yield from [describe_turn(number + 1)] if moves else []  # the unfinished turn of a game that failed

    def story(self, telling: Telling) -> Lines:
        """Yield the heading, every move with what it was worth, the table after each turn, and the end."""
        cell, game, as_seat = self.place.cell, self.place.table.game, telling.as_seat
        heading = f"seed {self.place.seed}, deal {self.deal}, rotation {self.rotation}"
        yield f"{game.title}, {cell.seats} seats: {heading}"
        if as_seat is not None:
            yield f"as {_seat(game, as_seat)} sees it"
        if cell.options:
            yield "options: " + ", ".join(f"{name} = {value}" for name, value in cell.options.items())
        yield from (f"{_seat(game, seat)}: {label}" for seat, label in enumerate(self.labels))
        every = self.decisions(as_seat)
        if self.judge:
            yield why.heading(self.judge, every)
        for turn in self.turns(as_seat):
            own = [each for each in every if each.turn == turn.number]
            if telling.brief:
                costly = (each for each in own if each.cost >= why.TRIFLE)
                verdicts = [f"     {game.words.seat(each.seat)}: {why.verdict(each)}" for each in costly]
                yield from _briefly(turn, game, telling, verdicts)
                continue
            for move in turn.moves:
                yield f"{_seat(game, move.seat)} {move.what}"
                yield from (f"  {why.verdict(each)}" for each in own if each.step == move.step)
            yield from _parts(turn, game, own)
            yield from (f"    {line}" for line in turn.table)
            yield from ["", *turn.over]
        if self.judge:
            yield why.turning_sentence(every, partial(_seat, game))

    def decisions(self, as_seat: int | None = None) -> list[why.Decision]:
        """Return the decisions of a seat, or of all, with their alternatives; none where nobody asks why."""
        if self.judge is None:
            return []
        every = why.decisions(self.judge, self.place, self.deal, self.actions, rotation=self.rotation)
        return [each for each in every if as_seat in (None, each.seat)]

    def document(self, s: Any, as_seat: int | None = None) -> dict[str, Any]:
        """Return the game as data: its setting, every described action, its end `s`, and why."""
        game, labels = self.place.table.game, self.labels
        return {
            "game": game.name,
            "seed": self.place.seed,
            "deal": self.deal,
            "rotation": self.rotation,
            "as_seat": as_seat,
            "lineup": labels,
            "options": self.place.cell.options,
            "actions": [
                {"turn": turn.number, "seat": move.seat, "action": move.action, "text": move.what}
                for turn in self.turns(as_seat)
                for move in turn.moves
            ],
            "seats": [
                {"seat": seat, "strategy": label, "rank": int(s.rank[seat]), "score": int(s.score[seat])}
                for seat, label in enumerate(labels)
            ],
            "turns": int(s.log.game.turns),
            "end_reason": game.end_reasons(int(s.log.game.end_reason)).name,
        } | ({"why": why.as_document(self.judge, self.decisions(as_seat))} if self.judge else {})


def trail(place: Seating, deal: int, rotation: int) -> tuple[np.ndarray, np.ndarray]:
    """Play one game; return its final state (an array of length 1) and all actions in order.

    If the game fails, the PlayError has the actions up to the failure.
    """
    place.lay(deal)
    actions = np.full(place.table.game.max_steps, -1, np.int64)
    # One game in plain Python is faster than compiling.
    ready = all(entry.ready for entry in place.table.entries(place.lineup))
    deals, rotations = np.array([deal]), np.array([rotation])
    try:
        states = place.table.play(place.lineup, place.seed, deals, rotations, actions, compiled=ready)
    except PlayError as fault:
        fault.actions = actions[actions >= 0].tolist()
        raise
    return states, actions[actions >= 0]


def narrate(
    experiment: Experiment, cell: Cell, deal: int, rotation: int = 0, telling: Telling = FULLY
) -> Lines:
    """Return the narration of one game."""
    recording, _ = _record(experiment, cell, deal, rotation, telling)
    return recording.story(telling)


def document(experiment: Experiment, cell: Cell, deal: int, telling: Telling = FULLY) -> dict[str, Any]:
    """Return one game as data: its setting, every described action, its end, and why."""
    recording, s = _record(experiment, cell, deal, 0, telling)
    return recording.document(s, telling.as_seat)


def _record(
    experiment: Experiment, cell: Cell, deal: int, rotation: int, telling: Telling
) -> tuple[Recording, Any]:
    """Play one game; return it and its final state. Refuses a seat that the game does not have."""
    as_seat = telling.as_seat
    if as_seat is not None and as_seat >= cell.seats:
        raise UsageError(f"there is no seat {as_seat}: the seats of this game are 0 to {cell.seats - 1}")
    place = seating(experiment, cell)
    states, actions = trail(place, deal, rotation)
    judge = why.judge_of(experiment, place) if telling.why else None
    return Recording(place, deal, rotation, actions.tolist(), judge), states[0]


def replay(run: Run, play: int, telling: Telling = FULLY) -> Lines:
    """Return the narration of a logged play, or of one that failed up to the failure.

    Raises a PlayError if replaying does not give what the log says.
    """
    recording, _, fault = _replay_play(run, play, telling.why)
    return _until(fault, recording.story(telling)) if fault else recording.story(telling)


def replayed(run: Run, play: int, explains: bool = False) -> dict[str, Any]:
    """Return a logged play as data, as `document` does; raises as `replay`."""
    recording, states, fault = _replay_play(run, play, explains)
    if fault:
        raise fault
    return recording.document(states[0])


def _until(fault: PlayError, story: Lines) -> Lines:
    """Yield the narration of a game up to its failure, then raise the failure."""
    try:
        yield from story
    except Exception as error:  # the last action is the one that failed
        raise fault from error
    raise fault


def turns(run: Run, play: int) -> list[Turn]:
    """Return a logged play turn by turn; raises as `replay`."""
    recording, _, fault = _replay_play(run, play)
    if fault:
        raise fault
    return list(recording.turns())


def _replay_play(run: Run, play: int, explains: bool = False) -> tuple[Recording, Any, PlayError | None]:
    """Play a logged play again; raises a PlayError if it differs from the log.

    A play that fails is returned with its failure and the actions up to there; another with its states.
    """
    cell, deal, rotation = run.locate(play)
    try:
        place = seating(run.experiment, cell)
    except UsageError as error:
        missing = f"a replay needs the game and the strategies as they were: {error}"
        raise UsageError(f"{run.place}: {missing} (--project adds a folder of your own)") from error
    try:
        states, actions = trail(place, deal, rotation)
    except PlayError as fault:
        return Recording(place, deal, rotation, fault.actions or []), None, fault
    if not run.manifest.finished and not run.has(play):
        raise UsageError(f"{run.place}: play {play} is not there yet; run it again to finish the run")
    replayed = place.rows(np.array([deal]), np.array([rotation]), states)
    game, seats = run.rows(play)
    now = [*replayed["seats"].to_pylist(), *replayed["games"].to_pylist()]
    for differs in _differences([*seats, game], now):
        raise PlayError(f"play {play}: {differs}: {describe_changes(run)}")
    judge = why.judge_of(run.experiment, place) if explains else None
    return Recording(place, deal, rotation, actions.tolist(), judge), states, None


def describe_changes(run: Run) -> str:
    """Return which versions or sources have changed since a run was played, as a phrase."""
    now = source_digests.Origin(sources=source_digests.digests(run.plan))
    changes = [change.what for change in source_digests.others(run.manifest, now)]
    return f"{' and '.join(changes)} changed since" if changes else "the sources are the same"


def _differences(logged: Rows, replayed: Rows) -> Iterator[str]:
    for was, now in zip(logged, replayed, strict=True):
        seat = f" of seat {was['seat']}" if "seat" in was else ""
        for name in was:
            if was[name] != now[name]:
                yield f"the log says {name}{seat} = {was[name]}, the replay gives {now[name]}"


def _briefly(turn: Turn, game: Game, telling: Telling, verdicts: list[str]) -> Lines:
    """Yield a turn in a line with its moves and score, then verdicts; the table if requested or at the end.

    The score is left out in a narration for one seat, which may not know it.
    """
    each = groupby(turn.moves, key=lambda move: move.seat)
    moves_by_seat = [
        f"{game.words.seat(seat)} {'; '.join(move.what for move in moves)}" for seat, moves in each
    ]
    scores = [str(row["score"]) for row in turn.rows[: 1 if game.team else None]]
    score = f" [{' : '.join(scores)}]" if telling.as_seat is None else ""
    if moves_by_seat:
        yield f"{turn.number:>3}  {' | '.join(moves_by_seat)}{score}"
    yield from verdicts
    if telling.board or turn.over:
        yield from (f"    {line}" for line in turn.table)
    yield from turn.over


def _parts(turn: Turn, game: Game, own: list[why.Decision]) -> Lines:
    """Yield the verdicts on decisions of a turn that no move tells: parts of compound decisions."""
    steps = {move.step for move in turn.moves}
    for each in own:
        if each.step not in steps:
            yield f"{_seat(game, each.seat)}: {each.taken.text}, {why.verdict(each)}"


def _seat(game: Game, seat: int) -> str:
    name = game.words.seat(seat)
    return name if name == f"seat {seat}" else f"seat {seat} ({name})"


def _end(game: Game, s: Any, labels: list[str]) -> Lines:
    yield f"over after {s.log.game.turns} turns: {game.end_reasons(int(s.log.game.end_reason)).name}"
    if game.team:
        yield f"the team {'wins' if s.rank[0] == 1 else 'loses'}, score {s.score[0]}"
        return
    winners, sides = [seat for seat in range(len(labels)) if s.rank[seat] == 1], sides_of(game, s)
    if sides:
        yield f"{winners_in_words(game, s)} won"
    alone = len({sides[seat] if sides else seat for seat in winners}) == 1
    for seat, label in enumerate(labels):
        who = f"{label}, {sides[seat]}" if sides else label
        won = (" wins" if alone else " shares the first place") if seat in winners else ""
        yield f"{_seat(game, seat)} ({who}): rank {s.rank[seat]}, score {s.score[seat]}{won}"


def sides_of(game: Game, s: Any) -> list[str]:
    """Return the name of the side of each seat; none where each seat plays for itself."""
    names = {int(side): game.words.side(side) for side in game.rival_sides}
    return [names[int(s.log.seat[seat].side)] for seat in range(s.seats if names else 0)]


def winners_in_words(game: Game, s: Any) -> str:
    """Return the sides that won a game."""
    sides = dict.fromkeys(side for seat, side in enumerate(sides_of(game, s)) if s.rank[seat] == 1)
    return " and ".join(f"the {side}" for side in sides) or "nobody"
