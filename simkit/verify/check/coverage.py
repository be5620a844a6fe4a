"""Coverage of a check: what its games and positions never reached, as notes rather than faults."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import CodeType
from typing import Any

from simkit.engine.compile.fingerprint import functions
from simkit.engine.compile.messages import is_content
from simkit.engine.game import CLAUSE, Game, Position
from simkit.engine.rule_helpers import OVER
from simkit.verify.check.walking import Array, Walk, tracing

SHOWN = 8  # things of a kind that a note lists
MOST_IDS = 1_000  # action ids of a game whose actions are listed
FEW_TURNS = 2  # of each seat: nobody asks who leads in so short a game
TIE = "equal scores, different ranks"
NO_LEADS = "nobody leads before a game ends, so pages say nothing of leads"


class Coverage:
    """Lines of the rules, actions, end reasons and clauses that were reached."""

    def __init__(self, game: Game) -> None:
        self.game = game
        reached = [f for root in (game.setup, game.legal, game.apply) for f, _ in functions(root)]
        self.functions = [f for f in reached if is_content(Path(f.__code__.co_filename))]
        self.missing = {f.__code__: _lines(f.__code__) for f in self.functions}
        self.of_positions = self.missing  # lines that no position runs
        self.offered, self.reasons, self.ties = set[int](), set[int](), False
        self.tie_break, self.clauses = False, set[str]()
        self.leads, self.points, self.turns = False, set[int](), 0.0  # most turns of a seat in one game

    def lines(self) -> AbstractContextManager[None]:
        """Note the lines of the rules that run; a function whose lines have all run costs nothing more."""
        missing = self.missing
        if not any(missing.values()):
            return nullcontext()

        def line(frame: Any, event: str, argument: Any) -> Callable[..., Any]:
            missing[frame.f_code].discard(frame.f_lineno)
            return line

        def call(frame: Any, event: str, argument: Any) -> Callable[..., Any] | None:
            return line if missing.get(frame.f_code) else None

        return tracing(call)

    def look(self, walk: Walk, ids: Array) -> None:
        """Note what is offered, or how the game has ended."""
        self.offered.update(ids.tolist())
        scores = walk.s.score[: walk.s.seats].tolist()
        if walk.s.seat == OVER:
            self.reasons.add(int(walk.s.log.game.end_reason))
            self.ties |= self._breaks_tie(walk.s)
            self.points.update(scores)
            self.turns = max(self.turns, float(walk.s.log.game.turns / walk.s.seats))
        else:
            self.leads |= min(scores) < max(scores)

    def show(self, position: Position, walk: Walk) -> None:
        """Note what a position shows."""
        self.clauses.update(position.clauses)
        self.tie_break |= bool(walk.s.seat == OVER and self._breaks_tie(walk.s))
        if walk.s.seat == OVER:
            self.reasons.add(int(walk.s.log.game.end_reason))
        self.of_positions = {code: set(missing) for code, missing in self.missing.items()}

    def _breaks_tie(self, s: Any) -> bool:
        """Return whether seats with equal scores have different ranks at the end."""
        if self._joint:
            return False
        results = {(int(s.score[seat]), int(s.rank[seat])) for seat in range(s.seats)}
        return len(results) > len({score for score, _ in results})

    @property
    def _joint(self) -> bool:
        """Whether seats win together."""
        return bool(self.game.team or self.game.sides)

    def notes(self) -> Iterator[str]:
        """Yield what was never reached, in words."""
        if self.ties and not self.tie_break:
            yield f"{TIE}: is there a tie-break? A position that ends so answers this"
        if not self.leads and len(self.points) > 2 and self.turns > FEW_TURNS and not self._joint:
            yield f"{NO_LEADS}: keep s.score up during play if points can be counted"
        if names := [reason.name for reason in self.game.end_reasons if reason not in {0, *self.reasons}]:
            yield f"end reasons never reached: {', '.join(names)}"
        yield from self._actions()
        if lines := [place for code, missing in self.missing.items() for place in _places(code, missing)]:
            yield f"lines of the rules never run: {first_names(sorted(set(lines)))}"
        rulings = {ruling.clause for ruling in self.game.rulings} - self.clauses
        for kind, clauses in (("clauses", self._clauses() - self.clauses - rulings), ("rulings", rulings)):
            if clauses:
                yield f"{kind} without a position: {first_names(sorted(clauses, key=_in_order))}"
        if lines := list(self._half_tested()):
            yield f"lines that no position of their clause runs: {first_names(lines)}"

    def _half_tested(self) -> Iterator[str]:
        """Yield lines that positions leave out of a function that they run, and whose clauses they show."""
        for function in self.functions:
            code, clauses = function.__code__, set(re.findall(CLAUSE, function.__doc__ or ""))
            left_out = self.of_positions[code] - self.missing[code]
            if clauses and clauses <= self.clauses and left_out and self.of_positions[code] < _lines(code):
                names = ", ".join(sorted(clauses, key=_in_order))
                yield f"{_places(code, {min(left_out)})[0]} ({names})"

    def _actions(self) -> Iterator[str]:
        """Yield the actions that were never offered, if their ids are few."""
        ids, most = self.game.action_ids or self.game.max_actions, max(self.offered, default=0)
        if most >= ids:
            yield f"actions reach {most}: say Game(action_ids={most + 1}), so that simkit.interop knows"
        elif ids <= MOST_IDS and (missing := sorted(set(range(ids)) - self.offered)):
            yield f"actions never offered: {first_names(list(map(str, missing)))}"

    def _clauses(self) -> set[str]:
        """Return the clauses in docstrings of the rules, in options and in the rules in brief."""
        texts = [f.__doc__ or "" for f in self.functions]
        texts += [self.game.words.rules, *(option.clause or "" for option in self.game.options)]
        return {clause for text in texts for clause in re.findall(CLAUSE, text)}


def _lines(code: CodeType) -> set[int]:
    """Return the numbers of the lines of a function below its head."""
    head = min((line for _, _, line in code.co_lines() if line), default=0)
    return {line for _, _, line in code.co_lines() if line and line > max(head, code.co_firstlineno)}


def _places(code: CodeType, missing: set[int]) -> list[str]:
    return [f"{Path(code.co_filename).name}:{line}" for line in sorted(missing)]


def first_names(names: list[str]) -> str:
    """Return names with commas, the first few of many.

    >>> first_names(list("abcdefghijk"))
    'a, b, c, d, e, f, g, h and 3 more'
    """
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def _in_order(clause: str) -> list[Any]:
    """Return a key that sorts clauses by their numbers."""
    name, _, numbers = clause.partition("-")
    return [name, *map(int, numbers.split("."))]
