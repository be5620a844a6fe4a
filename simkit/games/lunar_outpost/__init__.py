"""Lunar Outpost (Joel Ek): a map that grows, buildings, troops and events, 2 to 4 seats.

Facts (words), options, tables (components), state (and log); setup (LO-2), events (LO-4, LO-13), conflicts
(LO-5), works (LO-6, LO-7), tiles and hexes (LO-8), spending and stores (LO-9), troops (LO-10), scoring
(LO-11, LO-12); play (the course of a turn: LO-3, LO-15), sight (what a seat sees: LO-16), words (narration),
invariants (LO-17). The players are in strategies/lunar_outpost.
"""

from pathlib import Path

from simkit.engine.components import sources
from simkit.engine.game import Components, Game, Log, Pieces, Role, Words
from simkit.games.lunar_outpost.facts import DATA, ENOUGH, MOST, MOST_CELLS, End
from simkit.games.lunar_outpost.invariants import problems
from simkit.games.lunar_outpost.named import count_things, named_things
from simkit.games.lunar_outpost.options import OPTIONS
from simkit.games.lunar_outpost.play import apply, legal, setup
from simkit.games.lunar_outpost.scoring import note_turn
from simkit.games.lunar_outpost.sight import observe, redeal
from simkit.games.lunar_outpost.state import GAME_LOG, SEAT_LOG, STATE, TRACE_LOG
from simkit.games.lunar_outpost.tables import FILES, TABLES, build
from simkit.games.lunar_outpost.ways import WAYS
from simkit.games.lunar_outpost.words import PUBLIC, describe, show

RULES = (Path(__file__).parent / "rules.md").read_text(encoding="utf-8")

CALLED = {"last_tile": "the last tile was laid", "elimination": "all others were eliminated",
          "points": "enough points were made"}  # fmt: skip

game = Game(
    name="lunar_outpost", title="Lunar Outpost", seats=(2, MOST), usual_seats=3,
    summary="a growing map, production, troops and events; most points when the last tile is drawn",
    end_reasons=End, options=OPTIONS, state=STATE, max_actions=MOST_CELLS, max_steps=60_000,
    action_ids=ENOUGH + 1, setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=problems, show=show, describe=describe,
    streams=["deal/tiles", "deal/events", "deal/order", "nature/put_back"],
    pieces=Pieces(named_things, count_things, word="component", use="used"),
    components=Components(TABLES, build, FILES, WAYS),
    log=Log(GAME_LOG, SEAT_LOG, TRACE_LOG, note_turn, public=PUBLIC),
    roles=[Role("start_tile", chosen=True, numbers=MOST)],
    words=Words(RULES, score="victory points", called=CALLED, levers=["start_tile"],
                provenance=sources(DATA, {"buildings": "buildings", "events": "events"})),
)  # fmt: skip
