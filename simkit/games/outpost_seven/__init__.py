"""Outpost Seven (Stefan Alexander): salvage cards, repair a station, win its votes. Two players, zero-sum.

Chapters of the rulebook: setup, starting_hands (O7-2), turns (O7-3), salvage (O7-4), repair (O7-5), bonuses
(O7-6), votes (O7-7), ending (O7-8); `play` is their table of contents.
"""

from pathlib import Path

from simkit.engine.components import sources
from simkit.engine.game import Components, Game, Log, Pieces, TableFile, Words

from .cardfile import read_cards
from .facts import End
from .invariants import problems
from .named import SPACES_TOLD, count_cards, named_cards
from .options import OPTIONS
from .play import apply, legal, setup
from .sheet import COLUMNS, fill
from .sight import observe, redeal
from .state import GAME_LOG, SEAT_LOG, STATE, TRACE_LOG
from .tables import DATA, SEATS, TABLES, card_rows, printed, tables
from .votes import trace
from .ways import WAYS
from .words import PUBLIC, describe, show

RULES = (Path(__file__).parent / "rules.md").read_text(encoding="utf-8")

CALLED = {"both_stopped": "neither player can move", "one_stopped": "one player cannot move",
          "empty_salvages": "both players pass"}  # fmt: skip
CARDS = TableFile(read_cards, "card_set", printed, card_rows, COLUMNS, fill)
LEVERS = [
    "dealt_total", "kept_cards", "kept_total", "kept_pairs", "infeasible", "redraws", "mulligan",
    "initial_population",
]  # fmt: skip

game = Game(
    name="outpost_seven", title="Outpost Seven", seats=(2, 2),
    summary="salvage cards, repair a space station, win its votes; the first player keeps 12, the second 16",
    end_reasons=End, options=OPTIONS, state=STATE,
    log=Log(GAME_LOG, SEAT_LOG, TRACE_LOG, trace, public=PUBLIC),
    streams=["deal/population", "deal/colours", "deal/votes", "deal/deck", "deal/redraw", "deal/hands"],
    components=Components(TABLES, tables, {"cards": CARDS}, WAYS),
    words=Words(RULES, SEATS, score="population", called=CALLED, levers=LEVERS,
                provenance=sources(DATA, {"cards": "card_sets"})),
    pieces=Pieces(named_cards, count_cards, note=SPACES_TOLD),
    max_actions=512, max_steps=2_000,
    setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=problems, show=show, describe=describe,
)  # fmt: skip
