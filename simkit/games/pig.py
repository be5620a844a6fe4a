"""Pig: roll a die as often as you dare, add it up, lose the turn's points on a 1; first to the goal wins.

Rules: Knizia, "Dice Games Properly Explained" (1999); Neller & Presser, "Optimal play of the dice game Pig",
UMAP Journal 25 (2004). The tutorial game: facts, state, setup, legal, apply, end.
"""

from enum import IntEnum

from simkit import (
    OVER,
    Game,
    KnownAnswer,
    Log,
    Position,
    Words,
    below,
    end,
    integer,
    next_seat,
    offer,
    rank_by_score,
    rule,
    scalar,
)

HOLD, ROLL = 0, 1

End = IntEnum("End", "unfinished goal", start=0)

OPTIONS = [
    integer("goal", 100, 1, 1000, "PIG-1", "Points that win", label="points that win"),
    integer("faces", 6, 2, 20, "PIG-2", "Faces of the die", label="faces of the die"),
    integer("bust", 1, 0, 20, "PIG-3", "Face that loses the turn's points, 0 = none", label="losing face"),
]

STATE = [
    scalar("turn_total", "i4", "Points rolled in this turn"),
    scalar("last_roll", "i1", "Last face rolled, 0 = none in this turn"),
]

GAME_LOG = [scalar("rolls", "i4", "Dice rolled"), scalar("busts", "i4", "Turns lost to the bust face")]
SEAT_LOG = [
    scalar("turns", "i4", "Turns taken by the seat"),
    scalar("busts", "i4", "Turns of the seat lost to the bust face"),
    scalar("best_turn", "i4", "Most points banked in one turn"),
]


@rule
def setup(s, rules, rng):
    """Set all scores to 0; seat 0 begins."""
    begin_turn(s, 0)


@rule
def begin_turn(s, seat):
    """Begin the turn of a seat."""
    s.seat = seat
    s.turn_total = s.last_roll = 0
    s.log.game.turns += 1
    s.log.seat[seat].turns += 1


@rule
def legal(s, rules, out):
    """Write the legal actions: a turn begins with a roll, then hold or roll (PIG-4)."""
    return offer(out, ROLL if s.last_roll == 0 else HOLD, ROLL)


@rule
def apply(s, rules, action, rng):
    """Carry out one action."""
    if action == HOLD:
        hold(s, rules)
    else:
        roll(s, rules, below(rng.die, rules.faces) + 1)


@rule
def hold(s, rules):
    """Bank the turn's points (PIG-4); the seat that reaches the goal wins (PIG-1)."""
    s.score[s.seat] += s.turn_total
    log = s.log.seat[s.seat]
    log.best_turn = max(log.best_turn, s.turn_total)
    s.turn_total = 0
    if s.score[s.seat] >= rules.goal:
        rank_by_score(s)
        end(s, End.goal)
    else:
        begin_turn(s, next_seat(s))


@rule
def roll(s, rules, face):
    """Add the face, or lose the turn's points and the turn on the bust face (PIG-3)."""
    s.log.game.rolls += 1
    s.last_roll = face
    if face == rules.bust:
        s.log.game.busts += 1
        s.log.seat[s.seat].busts += 1
        begin_turn(s, next_seat(s))
    else:
        s.turn_total += face


def problems(s, rules) -> list[str]:
    """Return broken promises: scores stay below the goal; a turn total exists only during a turn."""
    faults = []
    if s.seat != OVER and max(s.score) >= rules.goal:
        faults.append("a score has reached the goal but the game goes on")
    if s.seat == OVER and max(s.score) < rules.goal:
        faults.append("the game is over but no score has reached the goal")
    if s.turn_total > 0 and s.last_roll == 0:
        faults.append("points without a roll")
    return faults


def show(s, rules) -> str:
    """Return the scores, and the turn total at risk."""
    scores = "  ".join(f"seat {seat}: {s.score[seat]}" for seat in range(s.seats))
    return f"{scores}  | turn total {s.turn_total}"


def describe(s, rules, action: int, after) -> str:
    """Return the action and its outcome in words."""
    if action == HOLD:
        return f"holds {s.turn_total} points, score {after.score[s.seat]}"
    if after.log.game.busts > s.log.game.busts:
        return f"rolls a {rules.bust} and loses {s.turn_total} points"
    return f"rolls a {after.last_roll}, turn total {after.turn_total}"


RULES = """\
PIG-1  The first seat to hold `goal` points wins.
PIG-2  The die has `faces` faces.
PIG-3  Rolling `bust` loses the points of the turn and ends it.
PIG-4  A turn starts with a roll; then roll again (adding the face to the total) or hold (bank the total).
"""

POSITIONS = [
    Position("PIG-1", {"score": [95, 0], "turn_total": 5, "last_roll": 5}, HOLD,
             {"end": End.goal, "score": [100, 0], "rank": [1, 2]}),
    Position("PIG-2, PIG-4", {"turn_total": 5, "last_roll": 5}, lambda s, rules, rng: roll(s, rules, 6),
             {"turn_total": 11, "seat": 0, "legal": [HOLD, ROLL]}),
    Position("PIG-3", {"turn_total": 5, "last_roll": 5}, lambda s, rules, rng: roll(s, rules, 1),
             {"turn_total": 0, "score": [0, 0], "seat": 1, "log.game.busts": 1}),
    Position("PIG-3", {"turn_total": 5, "last_roll": 5}, lambda s, rules, rng: roll(s, rules, 1),
             {"turn_total": 6, "seat": 0}, options={"bust": 0}),
    Position("PIG-4", then={"legal": [ROLL]}),
    Position("PIG-4", {"turn_total": 7, "last_roll": 3}, HOLD, {"score": [7, 0], "turn_total": 0, "seat": 1}),
]  # fmt: skip

EXACT = "dynamic programming; Neller & Presser 2004 print .5347"
KNOWN_ANSWERS = [KnownAnswer("share", 0.53469833, EXACT, "hold_at*2", seat=0)]

game = Game(
    name="pig", title="Pig", seats=(2, 10),
    summary="press-your-luck dice; the tutorial game with a known exact answer",
    end_reasons=End, options=OPTIONS, state=STATE, log=Log(GAME_LOG, SEAT_LOG), streams=["nature/die"],
    max_actions=2, max_steps=1_000_000,
    setup=setup, legal=legal, apply=apply, problems=problems, show=show, describe=describe,
    words=Words(RULES, called={"goal": "a player reaches the goal"}), known_answers=KNOWN_ANSWERS,
    positions=POSITIONS,
)  # fmt: skip
