"""One against many: the hider hides a number, the seekers name numbers and win together; with exact chances.

The numbers named differ, and nothing tells the seekers which of them is hidden. If each number is hidden
equally often, they find it with the chance (numbers named) / (numbers), whatever they do. With `numbers` =
2 x `guesses` x (seats - 1) both sides have the same chance, though the hider is alone.
"""

from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.fields import CATEGORY, SEAT, scalar
from simkit.engine.game import Game, KnownAnswer, Log, Words
from simkit.engine.options import flag, integer
from simkit.engine.rng import below
from simkit.engine.rule_helpers import OVER, add, end, next_seat, observe_open, offer, rank_by_score

NUMBERS, MOST = 4, 30
UNSEEN = 0
End = IntEnum("End", "unfinished number_named never_named", start=0)
Side = IntEnum("Side", "hider seekers", start=0)


@rule
def setup(s, rules, rng):
    """Draw the hider (ONE-1), who begins."""
    hider = 0 if rules.fixed else below(rng.lot, s.seats)
    for seat in range(s.seats):
        s.log.seat[seat].side = Side.hider if seat == hider else Side.seekers
    s.hider = s.seat = s.first = hider


@rule
def legal(s, rules, out):
    """Write the numbers to hide (ONE-2), or those that nobody has named (ONE-3)."""
    if s.hidden == UNSEEN and s.seat == s.hider:
        return offer(out, 0, rules.numbers - 1)
    n = 0
    for number in range(rules.numbers):
        if s.named >> number & 1 == 0:
            n = add(out, n, number)
    return n


@rule
def apply(s, rules, action, rng):
    """Hide a number (ONE-2), or name one (ONE-3), with which the seekers may win (ONE-4)."""
    if s.seat == s.hider:
        s.hidden = action + 1
        s.seat = next_seat(s)
        return
    s.named |= 1 << action
    s.guesses += 1
    if action + 1 == s.hidden:
        win(s, Side.seekers, End.number_named)
    elif s.guesses == rules.guesses * (s.seats - 1):
        win(s, Side.hider, End.never_named)
    else:
        s.seat = next_seat(s)
        if s.seat == s.hider:
            s.seat = next_seat(s)


@rule
def win(s, side, reason):
    """Let all seats of a side win (ONE-4)."""
    for seat in range(s.seats):
        s.score[seat] = int((seat == s.hider) == (side == Side.hider))
    rank_by_score(s)
    end(s, reason)


@rule
def observe(s, rules, seat, view):
    """Hide the number from the seekers until the end."""
    observe_open(s, rules, seat, view)
    if seat != s.hider and s.seat != OVER:
        view.hidden = UNSEEN


@rule
def redeal(view, rules, seat, stream):
    """Hide any number that nobody has named, once one is hidden."""
    if seat == view.hider or view.seat == view.hider or view.seat == OVER:
        return
    left = below(stream, rules.numbers - view.guesses)
    for number in range(rules.numbers):
        if view.named >> number & 1 == 0:
            if left == 0:
                view.hidden = number + 1
            left -= 1


def problems(s, rules) -> list[str]:
    """Return broken promises: each guess names another number, and the hidden one ends the game."""
    named, over = f"{int(s.named):b}".count("1"), s.seat == OVER
    faults = ["the guesses do not fit the numbers named"] if named != s.guesses else []
    is_named = s.hidden != UNSEEN and bool(s.named >> (s.hidden - 1) & 1)
    return faults + (["the game goes on after the number was named"] if is_named and not over else [])


def show(s, rules) -> str:
    named = ", ".join(str(number + 1) for number in range(rules.numbers) if s.named >> number & 1)
    return f"seat {s.hider} against all; named: {named or 'none'}"


def describe(s, rules, action: int, after) -> str:
    if s.seat == s.hider:
        return "hides a number"
    return f"names {action + 1}{', the hidden number' if action + 1 == s.hidden else ''}"


RULES = """\
ONE-1  A lot says which seat is the hider (with `fixed` always seat 0). All others are the seekers.
ONE-2  The hider hides one of the numbers 1 to `numbers`.
ONE-3  In turn, from the seat after the hider, each seeker names a number that nobody has named.
ONE-4  The seekers win together as soon as the hidden number is named, the hider after `guesses` turns each.
"""

SOURCE = "guesses x (seats - 1) of the numbers are named, any of which is as likely as another to be hidden"
LONG, FIXED = {"numbers": 12, "guesses": 2}, {"numbers": 7, "fixed": True}
KNOWN_ANSWERS = [
    KnownAnswer("end_reason", 2 / 4, SOURCE, "random*3", equals=End.number_named.name),
    KnownAnswer("end_reason", 8 / 12, SOURCE, "random*5", equals=End.number_named.name, options=LONG),
    KnownAnswer("share", 1 - 3 / 7, SOURCE, "random*4", seat=0, options=FIXED),
    KnownAnswer("share", 3 / 7, SOURCE, "random*4", seat=3, options=FIXED),
]

game = Game(
    name="one_against_many", title="One against many", seats=(3, 5), sides=Side,
    summary="one hides a number, the others find it together; chances of both sides known", end_reasons=End,
    options=[integer("numbers", NUMBERS, 2, MOST, "ONE-2", "Numbers to hide one of"),
             integer("guesses", 1, 1, 6, "ONE-4", "Turns of each seeker"),
             flag("fixed", False, "ONE-1", "Seat 0 is always the hider")],
    state=[scalar("hider", "i1", "Seat of the hider", SEAT),
           scalar("hidden", "i1", "Hidden number, 0 = none yet or unseen", CATEGORY),
           scalar("named", "i4", "Numbers named: bit i = number i + 1"),
           scalar("guesses", "i1", "Numbers named so far")],
    log=Log(seat=[scalar("side", Side, "Side of the seat"),
                  scalar("turns", "i4", "Turns taken by the seat")]),
    streams=["deal/lot"], max_actions=MOST, max_steps=MOST + 1,
    setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=problems, show=show, describe=describe,
    words=Words(RULES, score="wins"),
    known_answers=KNOWN_ANSWERS,
)  # fmt: skip
