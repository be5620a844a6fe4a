"""Helpers for the rules of games: legal actions, turns, roles, ranks, and the end."""

from simkit.engine.compile.jit import clone_before, lowest_bit, rule
from simkit.engine.rng import below

OVER = -1  # the value of `s.seat` when the game is over


@rule
def next_seat(s):  # type: ignore[no-untyped-def]
    """Return the seat after the one to decide, round the table.

    >>> from types import SimpleNamespace
    >>> next_seat(SimpleNamespace(seat=2, seats=3))
    0
    """
    return (s.seat + 1) % s.seats


@rule
def deal_roles(s, stream, roles, count):  # type: ignore[no-untyped-def]
    """Deal different roles to the seats, each of 0 to count − 1 (at most 62) with the same chance.

    With `rotate = "roles"` a deal is played once for each place from which the roles are dealt round the
    table: the seat after one that had a role has it in the next rotation.

    >>> from types import SimpleNamespace
    >>> import numpy as np
    >>> s, roles = SimpleNamespace(seats=3, role_shift=0), [0] * 3
    >>> deal_roles(s, np.array([7], np.uint64), roles, 4)
    >>> turned = SimpleNamespace(seats=3, role_shift=1), [0] * 3
    >>> deal_roles(turned[0], np.array([7], np.uint64), turned[1], 4)
    >>> turned[1] == roles[-1:] + roles[:-1]
    True
    """
    free = (1 << count) - 1
    for place in range(s.seats):
        skip, left = below(stream, count - place), free
        for _ in range(skip):
            left &= left - 1
        role = lowest_bit(left)
        free &= ~(1 << role)
        roles[(place + s.role_shift) % s.seats] = role


@rule
def offer(out, low, high):  # type: ignore[no-untyped-def]
    """Write the action ids low to high into `out` and return their number.

    >>> import numpy as np
    >>> out = np.zeros(4, np.int64)
    >>> offer(out, 2, 4), out.tolist()
    (3, [2, 3, 4, 0])
    """
    for i in range(high - low + 1):
        out[i] = low + i
    return max(0, high - low + 1)


@rule
def offer_set(out, members, first=0):  # type: ignore[no-untyped-def]
    """Write the members of a set (bit i = action id first + i) into `out`, ascending; return their number.

    >>> import numpy as np
    >>> out = np.zeros(4, np.int64)
    >>> offer_set(out, 0b1010, first=20), out.tolist()
    (2, [21, 23, 0, 0])
    """
    n = 0
    while members != 0:
        out[n] = first + lowest_bit(members)
        members &= members - 1
        n += 1
    return n


@rule
def add(out, n, action):  # type: ignore[no-untyped-def]
    """Add an action to the n ids in `out`, which stay ascending and different; return their number.

    In `legal`, ids may so be added in any order, several times, and after `offer`: `n = add(out, n, action)`.

    >>> import numpy as np
    >>> out = np.zeros(4, np.int64)
    >>> n = add(out, 0, 7)
    >>> n = add(out, n, 3)
    >>> n = add(out, n, 7)
    >>> n, out.tolist()
    (2, [3, 7, 0, 0])
    """
    if n >= out.size:
        return n + 1  # more than `max_actions`, which is reported; nothing is written behind the array
    if n == 0 or out[n - 1] < action:  # in the usual order no search slows the game down
        out[n] = action
        return n + 1
    place = n
    while place > 0 and out[place - 1] > action:
        place -= 1
    if place > 0 and out[place - 1] == action:
        return n
    for i in range(n, place, -1):
        out[i] = out[i - 1]
    out[place] = action
    return n + 1


@rule
def rank_by_score(s):  # type: ignore[no-untyped-def]
    """Rank the seats by score: 1 plus the number of seats with a higher score, so that ties share a rank.

    >>> from types import SimpleNamespace
    >>> s = SimpleNamespace(seats=3, score=[5, 9, 5], rank=[0, 0, 0])
    >>> rank_by_score(s)
    >>> s.rank
    [2, 1, 2]
    """
    for seat in range(s.seats):
        s.rank[seat] = 1
        for other in range(s.seats):
            if s.score[other] > s.score[seat]:
                s.rank[seat] += 1


@rule
def end(s, reason):  # type: ignore[no-untyped-def]
    """End the game for a reason, a member of the game's `end_reasons`.

    >>> from types import SimpleNamespace
    >>> s = SimpleNamespace(seat=0, log=SimpleNamespace(game=SimpleNamespace(end_reason=0)))
    >>> end(s, 1)
    >>> s.seat == OVER, s.log.game.end_reason
    (True, 1)
    """
    s.log.game.end_reason = reason
    s.seat = OVER


@rule
def end_turn(s):  # type: ignore[no-untyped-def]
    """Count the turn of the seat to decide as over, before another seat, or the same again, is to decide.

    A game whose `apply` calls it counts every turn so. Without it a turn ends when another seat is to decide,
    and two turns of a seat in a row, such as the last of a round and the first of the next, are one.

    >>> from types import SimpleNamespace
    >>> seats = [SimpleNamespace(turns=0), SimpleNamespace(turns=0)]
    >>> s = SimpleNamespace(seat=1, log=SimpleNamespace(game=SimpleNamespace(turns=0), seat=seats))
    >>> end_turn(s)
    >>> s.log.game.turns, seats[1].turns
    (1, 1)
    """
    if s.seat == OVER:
        raise ValueError("the game is over: say end_turn(s) before end(s, REASON)")
    s.log.game.turns += 1
    s.log.seat[s.seat].turns += 1


@rule
def count_turn_of_game(s, seat):  # type: ignore[no-untyped-def]
    """Count a turn of a game whose seats do not log their turns."""
    s.log.game.turns += 1


@rule
def count_turn(s, seat):  # type: ignore[no-untyped-def]
    """Count a turn of the game and of a seat."""
    s.log.game.turns += 1
    s.log.seat[seat].turns += 1


@rule
def observe_open(s, rules, seat, view):  # type: ignore[no-untyped-def]
    """Copy the state except the log: in an open game a seat sees everything.

    >>> from simkit.games import pig  # whose seats see everything
    >>> pig.game.observe is observe_open
    True
    """
    clone_before(view, s, "log")


@rule
def redeal_nothing(view, rules, seat, stream):  # type: ignore[no-untyped-def]
    """Redeal nothing: an open game hides nothing."""
