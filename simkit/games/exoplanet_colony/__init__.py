"""Exoplanet Colony (Juan Pablo Vargas Seguel): a team keeps a base alive, 2 to 5 seats.

Facts (words), options, tables (components), state (and log); setup (EX-2), base (EX-4.4, EX-4.5), cards
(EX-4.2, EX-4.3, EX-4.13), deploy (EX-4.4), tokens (EX-4.7, EX-4.8), crew (abilities, items, health issues:
EX-4.9 to EX-4.11, EX-7), plans (EX-4.12), life (EX-5, EX-8), events (EX-6), scoring (EX-9, EX-19); play (the
course of a turn: EX-3, EX-11), sight (what is hidden: EX-12.3), words (the table), story and outcome (what
is done), invariants (EX-12.4). The players are in strategies/exoplanet_colony.
"""

from pathlib import Path

from simkit.engine.components import sources
from simkit.engine.game import Components, Game, Log, Pieces, Role, Team, Words
from simkit.games.exoplanet_colony.facts import CHARACTER_NAMES, DATA, MOST, MOST_LEGAL, Character, End
from simkit.games.exoplanet_colony.invariants import problems
from simkit.games.exoplanet_colony.legal import legal
from simkit.games.exoplanet_colony.named import count_cards, named_cards
from simkit.games.exoplanet_colony.options import OPTIONS, PRESETS
from simkit.games.exoplanet_colony.outcome import PUBLIC
from simkit.games.exoplanet_colony.play import apply
from simkit.games.exoplanet_colony.scoring import note_turn
from simkit.games.exoplanet_colony.sight import observe, redeal
from simkit.games.exoplanet_colony.state import GAME_LOG, SEAT_LOG, STATE, TRACE_LOG
from simkit.games.exoplanet_colony.story import describe
from simkit.games.exoplanet_colony.tables import FILES, TABLES, build
from simkit.games.exoplanet_colony.turn import setup
from simkit.games.exoplanet_colony.ways import WAYS
from simkit.games.exoplanet_colony.words import show

RULES = (Path(__file__).parent / "rules.md").read_text(encoding="utf-8")
SCORE = "on victory 1 + event cards left, on defeat minus the production missing"
PARTS = [  # EX-9.3, the first the one that matters
    "deficit_cut", "turns", "actions", "deploys", "supply_made", "draws", "generates", "tokens_fixed",
    "transfers",
]  # fmt: skip
CALLED = dict(zip((character.name for character in Character), CHARACTER_NAMES, strict=True)) | {
    "self_sustaining": "the base sustains itself", "skull": "the emergency level reached the skull",
    "events_out": "no event was left", "defeat.none": "not lost", "depletion": "supplies that ran out",
    "mixed": "supplies and emergencies together", "clock": "no event was left",
}  # fmt: skip
DEAL = ["deck", "removed", "normals", "criticals", "piles", "characters", "start"]

game = Game(
    name="exoplanet_colony", title="Exoplanet Colony", seats=(2, MOST), usual_seats=3, sides=Team,
    roles=[Role("character")],
    summary="build a base that sustains itself before supplies run out; all win or all lose",
    end_reasons=End, options=OPTIONS, presets=PRESETS, state=STATE, max_actions=MOST_LEGAL, max_steps=20_000,
    action_ids=112, setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=problems, show=show, describe=describe,
    streams=[*(f"deal/{name}" for name in DEAL), "nature/reshuffle"],
    pieces=Pieces(named_cards, count_cards),
    components=Components(TABLES, build, FILES, WAYS),
    log=Log(GAME_LOG, SEAT_LOG, TRACE_LOG, note_turn, public=PUBLIC),
    words=Words(RULES, score_is=SCORE, turns_of="of the whole team", parts=PARTS,
                called=CALLED, provenance=sources(DATA, {"modules": "modules"})),
)  # fmt: skip
