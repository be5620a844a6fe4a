"""Red Outpost (Raman Hryhoryk, Lifestyle Boardgames 2019): shared workers and their moods, 2 to 4 seats.

Facts (words), options, state (and log), tables (components), trackfile (a designer's own tracks); setup
(RO-2), turns (RO-3), moves (RO-4.1, RO-4.2), moods (RO-4.4), goods (RO-4.8 to RO-4.12), locations, lake and
spaceship (RO-5), cards (RO-6), scoring (RO-7, RO-8); play (whose decision: RO-10), sight (what a seat sees),
words (narration), invariants (RO-13). The players are in strategies/red_outpost.
"""

from pathlib import Path

from simkit.engine.components import sources
from simkit.engine.game import Components, Game, Log, Pieces, Words
from simkit.games.red_outpost.facts import DATA, MOST, End
from simkit.games.red_outpost.invariants import problems
from simkit.games.red_outpost.named import count_cards, named_cards
from simkit.games.red_outpost.options import OPTIONS, PRESETS
from simkit.games.red_outpost.play import apply, legal, setup
from simkit.games.red_outpost.scoring import note_turn
from simkit.games.red_outpost.sight import observe, redeal
from simkit.games.red_outpost.state import GAME_LOG, SEAT_LOG, STATE, TRACE_LOG
from simkit.games.red_outpost.tables import FILES, TABLES, build
from simkit.games.red_outpost.ways import WAYS
from simkit.games.red_outpost.words import PUBLIC, describe, show

RULES = (Path(__file__).parent / "rules.md").read_text(encoding="utf-8")

REPLACED = {"mood_track": "mood", "export_tracks": "export"}  # by a designer's files

game = Game(
    name="red_outpost", title="Red Outpost", seats=(2, MOST), usual_seats=2,
    summary="move shared workers, mind their moods, fill the storehouse; most points after two rounds",
    end_reasons=End, options=OPTIONS, presets={"ruleset": PRESETS["ruleset"]}, state=STATE, max_actions=72,
    max_steps=1000, setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=problems, show=show, describe=describe,
    streams=[*(f"deal/{name}" for name in ("lake", "spaceship", "tokens", "location_cards", "worker_cards")),
             "nature/lake_reshuffle", "nature/spaceship_reshuffle"],
    pieces=Pieces(named_cards, count_cards, word="special card", use="used"),
    components=Components(TABLES, build, FILES, WAYS),
    log=Log(GAME_LOG, SEAT_LOG, TRACE_LOG, note_turn, public=PUBLIC),
    words=Words(RULES, score="victory points", turns_of="of the whole table",
                levers=["location_card", "worker_card", "cards"],
                called={"rounds_played": "all rounds were played"},
                provenance=sources(DATA, REPLACED)),
)  # fmt: skip
