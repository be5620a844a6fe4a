"""Checks of the result that a game records when it is over: ranks, end reason, turns, finite numbers."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from simkit.engine.game import OVER, Game
from simkit.verify.check.walking import Array, Walk


def faults(walk: Walk, ids: Array) -> list[str]:
    """Return the problems of the result of a finished game, with the line that ends it."""
    if walk.s.seat != OVER:
        return []
    problems = [*_ranks(walk.game, walk.s), *_log(walk.game, walk.s), *_numbers("", walk.s)]
    location = walk.line_when(lambda s: s.seat == OVER) if problems else ""
    return [problem + location for problem in problems]


def _ranks(game: Game, s: Any) -> Iterator[str]:
    """Yield violations of competition ranking: a rank is one more than the number of better seats."""
    ranks = sorted(s.rank[: s.seats].tolist())
    if game.team:
        if ranks not in ([0] * s.seats, [1] * s.seats):
            yield f"a team wins or loses together, not ranks {ranks}"
    elif not any(ranks):
        if not game.all_may_lose:
            cure = "say rank_by_score(s); a draw is rank 1 for all that share it"
            yield f"all ranks are still 0 at the end: {cure}; Game(all_may_lose=True) if nobody may win"
    elif ranks != [1 + sum(other < rank for other in ranks) for rank in ranks]:
        yield f"ranks {ranks} are no ranking: the winners have rank 1, others 1 + the seats before them"


def _log(game: Game, s: Any) -> Iterator[str]:
    """Yield what is missing in the log: a valid end reason, the number of turns."""
    log, names = s.log.game, {int(member): member.name for member in game.end_reasons}
    reason = int(log.end_reason)
    if reason == 0:
        yield f"log.game.end_reason is still 0 ({names.get(0, 'unfinished')}) at the end: say end(s, REASON)"
    elif reason not in names:
        yield f"log.game.end_reason = {reason} is none of {', '.join(names.values())}"
    if log.turns < 1:
        yield f"log.game.turns is {log.turns} at the end: count each turn with s.log.game.turns += 1"


def _numbers(path: str, part: Any) -> Iterator[str]:
    """Yield the fields that hold infinity or nan."""
    for name in part.dtype.names:
        value, kind = part[name], part.dtype[name].base
        if kind.names:
            for inner in np.atleast_1d(value):
                yield from _numbers(f"{path}{name}.", inner)
        elif kind.kind == "f" and not np.isfinite(value).all():
            yield f"{path}{name} holds {np.asarray(value)[~np.isfinite(value)].flat[0]} at the end"
