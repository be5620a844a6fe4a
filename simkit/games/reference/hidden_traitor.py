"""Hidden traitor: one of the seats is a traitor, exiled by a lottery; its equilibrium is known.

A day's lottery takes the sum of numbers that all name in secret. One seat that names a random number makes it
uniform, whatever the others do: the crew can assure themselves of this, and no traitor can do better.
Source: Braverman, Etesami & Mossel, "Mafia: A theoretical study of players and coalitions in a partial
information environment", Ann. Appl. Probab. 18 (2008), 825-846.
"""

from enum import IntEnum

from simkit.engine.compile.jit import rule
from simkit.engine.fields import CATEGORY, Field, scalar
from simkit.engine.game import Game, KnownAnswer, Log, Words
from simkit.engine.options import flag, integer
from simkit.engine.rng import below
from simkit.engine.rule_helpers import add, end, observe_open, offer, rank_by_score

SEATS, DAYS = 9, 8
CREW, TRAITOR, UNSEEN = 0, 1, -1
NONE = -1  # nothing named yet, or nobody
End = IntEnum("End", "unfinished traitor_exiled traitor_left", start=0)
Side = IntEnum("Side", "crew traitor", start=0)


@rule
def setup(s, rules, rng):
    """Deal the card of the traitor to one seat (TRAITOR-1)."""
    s.role[below(rng.roles, s.seats)] = TRAITOR
    for seat in range(s.seats):
        s.log.seat[seat].side = s.role[seat]
        s.named[seat] = NONE
        s.present[seat] = 1
    s.day = 1


@rule
def count_present(s):
    n = 0
    for seat in range(s.seats):
        n += s.present[seat]
    return n


@rule
def legal(s, rules, out):
    """Write the numbers below that of the seats present (TRAITOR-2); at night the other seats (TRAITOR-4)."""
    if not s.night:
        return offer(out, 0, count_present(s) - 1)
    n = 0
    for seat in range(s.seats):
        if s.present[seat] and seat != s.seat:
            n = add(out, n, seat)
    return n


@rule
def apply(s, rules, action, rng):
    """Name a number (TRAITOR-2) or point at a seat (TRAITOR-4); after the last one somebody goes."""
    s.named[s.seat] = action
    seat = s.seat + 1
    while seat < s.seats and not s.present[seat]:
        seat += 1
    if seat < s.seats:
        s.seat = seat
    elif s.night:
        remove(s, pointed_at(s))
        begin_day(s, rules)
    else:
        exile(s, rules)


@rule
def exile(s, rules):
    """Exile the seat that the sum of the numbers points at (TRAITOR-3)."""
    removed = drawn_by_lot(s)
    remove(s, removed)
    if s.role[removed] == TRAITOR:
        win(s, CREW, End.traitor_exiled)
    elif rules.nights and count_present(s) > 2 and s.day < rules.days:
        s.night, s.seat = 1, first_present(s)
    else:
        begin_day(s, rules)


@rule
def drawn_by_lot(s):
    """Return the seat that the sum of the numbers points at, counted round the seats present (TRAITOR-3)."""
    total = 0
    for seat in range(s.seats):
        if s.present[seat]:
            total += s.named[seat]
    place = total % count_present(s)
    for seat in range(s.seats):
        if s.present[seat]:
            if place == 0:
                return seat
            place -= 1
    return NONE


@rule
def pointed_at(s):
    """Return the seat that the traitor points at (TRAITOR-4)."""
    for seat in range(s.seats):
        if s.role[seat] == TRAITOR:
            return s.named[seat]
    return NONE


@rule
def remove(s, removed):
    s.present[removed] = 0
    for seat in range(s.seats):
        s.named[seat] = NONE


@rule
def first_present(s):
    for seat in range(s.seats):
        if s.present[seat]:
            return seat
    return NONE


@rule
def begin_day(s, rules):
    """Begin the next day, unless it was the last one or two seats are left (TRAITOR-5)."""
    s.night = 0
    if s.day == rules.days or count_present(s) <= 2:
        win(s, TRAITOR, End.traitor_left)
    else:
        s.day += 1
        s.seat = first_present(s)


@rule
def win(s, role, reason):
    """Let all seats of a side win, also those that are removed (TRAITOR-5)."""
    for seat in range(s.seats):
        s.score[seat] = int(s.role[seat] == role)
    rank_by_score(s)
    end(s, reason)


@rule
def observe(s, rules, seat, view):
    """Hide the roles of the others who are present, and what they have named."""
    observe_open(s, rules, seat, view)
    for other in range(s.seats):
        if other != seat and s.present[other]:
            view.role[other] = UNSEEN
            view.named[other] = NONE


@rule
def redeal(view, rules, seat, stream):
    """Deal the card of the traitor to somebody else who is present, and let those before name something."""
    place, n = below(stream, count_present(view) - int(view.present[seat])), 0
    for other in range(view.seats):
        if other != seat and view.present[other]:
            view.role[other] = TRAITOR if n == place and view.role[seat] == CREW else CREW
            n += 1
            if other < view.seat:
                view.named[other] = any_name(view, other, stream)


@rule
def any_name(s, seat, stream):
    """Return a number (TRAITOR-2), or at night another seat that is present (TRAITOR-4)."""
    if not s.night:
        return below(stream, count_present(s))
    place = below(stream, count_present(s) - 1)
    for other in range(s.seats):
        if s.present[other] and other != seat:
            if place == 0:
                return other
            place -= 1
    return NONE


def problems(s, rules) -> list[str]:
    """Return broken promises: there is one traitor, who is present until the end."""
    traitors = [seat for seat in range(s.seats) if s.role[seat] == TRAITOR]
    if len(traitors) != 1:
        return [f"there are {len(traitors)} traitors"]
    return ["the game goes on without the traitor"] if s.seat >= 0 and not s.present[traitors[0]] else []


def show(s, rules) -> str:
    present = ", ".join(str(seat) for seat in range(s.seats) if s.present[seat])
    return f"{'night' if s.night else 'day'} {s.day}; present: {present}"


def describe(s, rules, action: int, after) -> str:
    does = "points at a seat" if s.night else "names a number"
    removed = [seat for seat in range(s.seats) if s.present[seat] and not after.present[seat]]
    return f"{does}; seat {removed[0]} goes" if removed else does


RULES = """\
TRAITOR-1  One seat, drawn in secret, is the traitor; the others are the crew.
TRAITOR-2  Each day all seats that are present name a number in secret, from 0 to one less than their number.
TRAITOR-3  The sum, counted round the seats that are present, exiles one of them and shows its role.
TRAITOR-4  With `nights`, all point at another seat in secret after each day. Whom the traitor points at goes.
TRAITOR-5  The crew wins together if the traitor is exiled within `days` days. The traitor wins with the
           last day, or when two seats are left.
"""


def caught(seats: int, days: int = DAYS, nights: bool = False) -> float:
    """Return the chance that the traitor is exiled, at the equilibrium and at random play."""
    if days == 0 or seats <= 2:
        return 0.0
    return 1 / seats + (1 - 1 / seats) * caught(seats - 1 - nights, days - 1, nights)


SOURCE = "recursion over the days: each exiles a seat at random (Braverman, Etesami & Mossel 2008)"
CASES = [(4, DAYS, False), (3, DAYS, True), (5, DAYS, True), (7, 2, False), (9, 3, True)]
KNOWN_ANSWERS = [
    KnownAnswer(
        "end_reason",
        caught(*case),
        SOURCE,
        f"random*{case[0]}",
        equals=End.traitor_exiled.name,
        options={"days": case[1], "nights": case[2]},
    )
    for case in CASES
]

game = Game(
    name="hidden_traitor", title="Hidden traitor", seats=(3, SEATS), usual_seats=4, sides=Side,
    summary="one against the others, who do not know whom to exile; its equilibrium is known",
    end_reasons=End,
    options=[integer("days", DAYS, 1, DAYS, "TRAITOR-5", "Days to find the traitor"),
             flag("nights", False, "TRAITOR-4", "The traitor removes a seat each night")],
    state=[Field("role", "i1", (SEATS,), "Role: 0 = crew, 1 = traitor, -1 = unseen [seat]", value=CATEGORY),
           Field("named", "i1", (SEATS,), "Number named, or seat pointed at; -1 = none or unseen [seat]"),
           Field("present", "i1", (SEATS,), "Whether the seat is present [seat]"),
           scalar("day", "i1", "Day, from 1"), scalar("night", "i1", "Whether it is night")],
    log=Log(seat=[scalar("side", Side, "Side of the seat"),
                  scalar("turns", "i4", "Turns taken by the seat")]),
    streams=["deal/roles"], max_actions=SEATS, max_steps=SEATS * SEATS,
    setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=problems, show=show, describe=describe,
    words=Words(RULES, score="wins"),
    known_answers=KNOWN_ANSWERS,
)  # fmt: skip
