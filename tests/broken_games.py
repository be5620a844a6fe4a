"""A small sound game with hidden bids, and variants with one fault each, as a newcomer would write them."""

from typing import NamedTuple

SOUND = '''"""Sealed bids: all bid in secret, the highest bid takes the prize, three rounds."""

from enum import IntEnum

from simkit.engine.rng import below
from simkit.engine.fields import Field, scalar
from simkit.engine.game import Game, KnownAnswer, Log, Words
from simkit.engine.rule_helpers import end, observe_open, offer, rank_by_score
from simkit.engine.compile.jit import rule
from simkit.engine.options import integer

MOST, HIDDEN, ROUNDS = 5, -1, 3
End = IntEnum("End", "unfinished rounds_played", start=0)
STATE = [Field("bid", "i1", (3,), "Bid, -1 none or hidden [seat]"), scalar("round_no", "i1", "Round, 0-based")]
LOG = Log(game=[scalar("mean_bid", "f8", "Mean of the last bids")])


@rule
def setup(s, rules, rng):
    s.bid[:] = HIDDEN


@rule
def legal(s, rules, out):
    return offer(out, 1, rules.highest)


@rule
def apply(s, rules, action, rng):
    s.bid[s.seat] = action
    if s.seat < s.seats - 1:
        s.seat += 1
    else:
        reveal(s, rules)


@rule
def reveal(s, rules):
    s.log.game.turns += 1
    best = 0
    for seat in range(s.seats):
        best = max(best, s.bid[seat])
    total = 0
    for seat in range(s.seats):
        total += s.bid[seat]
        if s.bid[seat] == best:
            s.score[seat] += 1
    s.log.game.mean_bid = total / s.seats
    s.bid[:] = HIDDEN
    s.seat = 0
    s.round_no += 1
    if s.round_no == ROUNDS:
        rank_by_score(s)
        end(s, End.rounds_played)


@rule
def observe(s, rules, seat, view):
    observe_open(s, rules, seat, view)
    for other in range(s.seats):
        if other != seat:
            view.bid[other] = HIDDEN


@rule
def redeal(view, rules, seat, stream):
    for other in range(view.seat):
        if other != seat and view.bid[other] == HIDDEN:
            view.bid[other] = 1 + below(stream, rules.highest)


game = Game(
    name="bids", title="Bids", seats=(2, 3), summary="sealed bids", end_reasons=End, state=STATE, log=LOG,
    options=[integer("highest", MOST, 2, MOST, "B-1", "Highest bid")], max_actions=MOST, max_steps=3 * ROUNDS,
    setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal, words=Words("Bid."),
    known_answers=[KnownAnswer("turns", 3, "counted", "random*2"), KnownAnswer("rank", 1, "a guess", "random*2", seat=0)],
)
'''


class Fault(NamedTuple):
    """One fault: the text replaced and its replacement, the message of `simkit check`, and its line."""

    title: str
    right: str
    wrong: str
    says: str
    line: str = ""  # part of that line, "" for none


HIDES = """    for other in range(s.seats):
        if other != seat:
            view.bid[other] = HIDDEN
"""
REDEALS = """

@rule
def redeal(view, rules, seat, stream):
    for other in range(view.seat):
        if other != seat and view.bid[other] == HIDDEN:
"""
BID = 'STATE = [Field("bid", "i1", (3,), "Bid, -1 none or hidden [seat]")'
MORE = "from simkit.engine.fields import members, place, seat\n\n"
FAULTS = [
    Fault(
        "a seat is none", BID, f"{MORE}{BID[:-1]}, value=seat(1))",
        "bid is 5, which is no seat, but is declared to name seats",
    ),
    Fault(
        "a member is none", BID, f'{MORE}{BID[:-1]}, value=members("seat"))',
        "bid has member 7, but axis [seat] has 2 elements",
    ),
    Fault(
        "a place is none", BID, f'{MORE}{BID[:-1]}, value=place("rank"))',
        "of rank, which has 1 places",
    ),
    Fault(
        "the rank of the winner is never set", "        rank_by_score(s)\n", "",
        "all ranks are still 0 at the end", "end(s, End.rounds_played)",
    ),
    Fault(
        "the rank of a draw is never set", "        rank_by_score(s)\n",
        "        if s.score[0] != s.score[1]:\n            rank_by_score(s)\n",
        "all ranks are still 0 at the end: say rank_by_score(s); a draw is rank 1 for all that share it",
        "end(s, End.rounds_played)",
    ),
    Fault(
        "no rank is set in the longest games", "        rank_by_score(s)\n",
        "        if s.seats < 3:\n            rank_by_score(s)\n",
        "all ranks are still 0 at the end", "end(s, End.rounds_played)",
    ),
    Fault(
        "the game never ends", "s.round_no == ROUNDS", "s.round_no > 99",
        "the game goes on after max_steps = 9 actions", "def apply",
    ),
    Fault(
        "a loser is left at rank 0", "        rank_by_score(s)\n",
        "        s.rank[0 if s.score[0] > s.score[1] else 1] = 1\n",
        "are no ranking: the winners have rank 1", "end(s, End.rounds_played)",
    ),
    Fault(
        "ranks leave a gap", "        rank_by_score(s)\n",
        "        s.rank[0], s.rank[1] = 1, 3\n",
        "are no ranking: the winners have rank 1", "end(s, End.rounds_played)",
    ),
    Fault(
        "turns are counted for nobody", "    s.log.game.turns += 1\n", "    s.log.game.turns += 0\n",
        "log.game.turns is 0 at the end", "end(s, End.rounds_played)",
    ),
    Fault(
        "the end reason is left unfinished", "end(s, End.rounds_played)", "end(s, End.unfinished)",
        "log.game.end_reason is still 0 (unfinished) at the end", "end(s, End.unfinished)",
    ),
    Fault(
        "the end reason is none", "end(s, End.rounds_played)", "end(s, 7)",
        "log.game.end_reason = 7 is none of unfinished, rounds_played", "end(s, 7)",
    ),
    Fault(
        "legal writes beyond its end", "    return offer(out, 1, rules.highest)",
        "    for i in range(rules.highest + 1):\n        out[i] = i + 1  # here\n    return rules.highest",
        "legal fails: IndexError: index 5 is out of bounds for axis 0 with size 5", "out[i] = i + 1  # here",
    ),
    Fault(
        "legal changes the state", "    return offer(out, 1, rules.highest)",
        "    s.bid[s.seat] = 0  # here\n    return offer(out, 1, rules.highest)",
        "legal changes the state or the rules, which it may only read", "  # here",
    ),
    Fault(
        "legal says more actions than there may be", "    return offer(out, 1, rules.highest)",
        "    offer(out, 1, rules.highest)\n    return 9", "legal returns 9 legal actions, more than max_actions = 5", "def legal",
    ),
    Fault(
        "legal actions are not ascending", "    return offer(out, 1, rules.highest)",
        "    out[0], out[1] = 2, 1\n    return 2", "legal actions are not ascending: [2, 1]", "def legal",
    ),
    Fault(
        "the log decides when the game ends", "s.round_no == ROUNDS", "s.log.game.turns == ROUNDS",
        "apply reads the log, which must not influence play", "s.log.game.turns == ROUNDS",
    ),
    Fault(
        "the log decides the score", "            s.score[seat] += 1\n", "            s.score[seat] = 2 * s.log.game.turns\n",
        "apply reads the log, which must not influence play", "= 2 * s.log.game.turns",
    ),
    Fault(
        "the log decides the reason for the end", "end(s, End.rounds_played)", "end(s, End.rounds_played if s.log.game.turns == ROUNDS else 2)",
        "apply reads the log, which must not influence play", "End.rounds_played if s.log",
    ),
    Fault(
        "the log decides what is legal", "    return offer(out, 1, rules.highest)",
        "    return offer(out, 1, rules.highest - min(1, s.log.game.turns))",
        "legal reads the log, which must not influence play", "- min(1, s.log.game.turns)",
    ),
    Fault(
        "the log decides which luck is drawn", "    s.bid[s.seat] = action\n",
        "    s.bid[s.seat] = action\n    if s.log.game.turns > 0:\n        below(rng.unused, 2)\n",
        "apply reads the log, which must not influence play", "if s.log.game.turns > 0",
    ),
    Fault("hidden bids are leaked", HIDES, "", "sees bid, which redeal draws at random where it is blank", "def observe"),
    Fault(
        "hidden bids are leaked to the seat that bids last", "if other != seat:",
        "if other != seat and seat < s.seats - 1:", "sees bid, which redeal draws at random where it is blank", "def observe",
    ),
    Fault(
        "hidden bids are leaked that are always dealt anew", HIDES + REDEALS,
        REDEALS.replace(" and view.bid[other] == HIDDEN", ""), "which redeal changes: observe must hide it", "def observe",
    ),
    Fault(
        "the log is leaked", "            view.bid[other] = HIDDEN\n",
        "            view.bid[other] = HIDDEN\n    view.log.game.turns = s.log.game.turns\n",
        "sees the log: observe may copy the fields before it", "def observe",
    ),
    Fault(
        "observe leaves a field as it was", "    observe_open(s, rules, seat, view)\n",
        "    for other in range(3):\n        view.bid[other] = s.bid[other]\n", "observe writes seat of the view only in part, or only at times: write all of it each time",
        "def observe",
    ),
    Fault(
        "observe leaves in a field what another look showed", "    observe_open(s, rules, seat, view)\n",
        "    shown = view.round_no\n    observe_open(s, rules, seat, view)\n    if s.round_no == 2:\n        view.round_no = shown\n",
        "observe writes round_no of the view only in part, or only at times: write all of it each time", "def observe",
    ),
    Fault(
        "a seat is to decide that nobody sits on", "    s.seat = 0\n    s.round_no", "    s.seat = s.seats\n    s.round_no",
        "leaves s.seat = 2 in a game of 2 seats (0 to 1, or OVER)", "s.seat = s.seats",
    ),
    Fault(
        "an index runs over", "        total += s.bid[seat]\n", "        total += s.bid[seat + 2]\n",
        "apply fails: IndexError: index 3 is out of bounds for axis 0 with size 3", "s.bid[seat + 2]",
    ),
    Fault(
        "a number outgrows its field", "s.round_no += 1", "s.round_no += 100", "apply lets a number outgrow its field (overflow encountered in scalar add)", "s.round_no += 100",
    ),
    Fault(
        "a number of the log is infinite", "total / s.seats", "float('inf')", "log.game.mean_bid holds inf at the end",
        "end(s, End.rounds_played)",
    ),
    Fault(
        "the rules are written to", "    s.log.game.turns += 1\n", "    rules.highest = 3  # here\n",
        "apply changes the rules, which it may only read", "  # here",
    ),
    Fault(
        "a known answer has a misspelt column", 'KnownAnswer("turns"', 'KnownAnswer("turn"',
        "unknown column of a known answer of bids 'turn'; did you mean 'turns'?",
    ),
    Fault(
        "a known answer is about a column of the other table", 'seat=0)', 'seat=None)',
        "unknown column of a known answer of bids 'rank'",
    ),
]  # fmt: skip
