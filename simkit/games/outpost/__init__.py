"""Outpost (James Hlavaty, TimJim Games 1991): auctions and factories, 2 to 10 seats, Basic and Expert game.

Each file names the sections (OP-1 to OP-16) that it holds; the players are in strategies/outpost.
"""

from pathlib import Path

from simkit.engine.components import sources
from simkit.engine.game import Components, Game, Log, Pieces, Words
from simkit.games.outpost.facts import DATA, LIMIT, MOST, PRODUCT_NAMES, End
from simkit.games.outpost.invariants import problems
from simkit.games.outpost.named import count_things, named_things
from simkit.games.outpost.options import OPTIONS, PRESETS
from simkit.games.outpost.play import apply, legal, note, setup
from simkit.games.outpost.sight import observe, redeal
from simkit.games.outpost.state import GAME_LOG, SEAT_LOG, STATE, TRACE_LOG
from simkit.games.outpost.tables import FILES, TABLES, build
from simkit.games.outpost.ways import WAYS
from simkit.games.outpost.words import PUBLIC, describe, show

RULES = (Path(__file__).parent / "rules.md").read_text(encoding="utf-8")
REPLACED = {"upgrades": "upgrade", "factories": "factory"}  # by a designer's files
DEAL = ["supply", "first_order", "opening_ore", "opening_water"]
NATURE = ["die", "order", *PRODUCT_NAMES]

CALLED = {"victory": "enough victory points", "turn_cap": "the turn cap was reached",
          "death_spiral": "the points needed fell until they were reached"}  # fmt: skip

game = Game(
    name="outpost", title="Outpost", seats=(2, MOST), usual_seats=4,
    summary="auction colony upgrades, build factories, pay without change; 75 victory points end the game",
    end_reasons=End, options=OPTIONS, presets=PRESETS, state=STATE, max_actions=LIMIT + 1, max_steps=150_000,
    setup=setup, legal=legal, apply=apply, observe=observe, redeal=redeal,
    problems=problems, show=show, describe=describe,
    streams=[*(f"deal/{name}" for name in DEAL), *(f"nature/{name}" for name in NATURE)],
    pieces=Pieces(named_things, count_things, played=False, word="purchase"),
    components=Components(TABLES, build, FILES, WAYS),
    log=Log(GAME_LOG, SEAT_LOG, TRACE_LOG, note, at_turns_end=True, public=PUBLIC),
    words=Words(RULES, score="victory points", turns_of="of the whole table", called=CALLED,
                levers=["initial_order", "opening_credits"], provenance=sources(DATA, REPLACED)),
)  # fmt: skip
