"""Outpost (James Hlavaty, TimJim Games 1991): auctions and factories, 2 to 10 seats, Basic and Expert game.

Chapters: facts (words, options, state, log), tables (cards, upgrades, rule sets), turns (setup, order, end: OP-2, OP-3,
OP-7), market (OP-3.6), hands and production (OP-4), auctions, payments with payer, purchases (OP-5), holdings (what
follows from what is owned), operators (OP-6), terror (OP-8.4), play (which decision is whose: OP-9), sight (what a seat
sees), words (narration), invariants (OP-11).
"""

from pathlib import Path

from simkit.game import Components, Game, Log, Words
from simkit.games.outpost.facts import GAME_LOG, OPTIONS, SEAT_LOG, STATE, TABLES, TRACE_LOG, End
from simkit.games.outpost.invariants import problems
from simkit.games.outpost.play import apply, legal, setup, trace
from simkit.games.outpost.sight import observe, redeal
from simkit.games.outpost.tables import PRODUCT_NAMES, RULESETS, preset, tables
from simkit.games.outpost.words import describe, show

RULES = (Path(__file__).parent / "rules.md").read_text(encoding="utf-8")

game = Game(
    name="outpost",
    title="Outpost",
    seats=(2, 10),
    usual_seats=4,
    summary="auction colony upgrades, build factories, pay without change; 75 victory points end the game",
    end_reasons=End,
    options=OPTIONS,
    presets={"ruleset": {name: preset(name) for name in RULESETS}},
    state=STATE,
    log=Log(GAME_LOG, SEAT_LOG, TRACE_LOG, trace),
    streams=[
        "deal/supply", "deal/first_order", "deal/opening_ore", "deal/opening_water",
        "nature/die", "nature/order", *(f"nature/{name}" for name in PRODUCT_NAMES),
    ],
    components=Components(TABLES, tables),
    words=Words(RULES, score="victory points", turns_of="of the whole table"),
    max_actions=251,
    max_steps=150_000,
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    redeal=redeal,
    problems=problems,
    show=show,
    describe=describe,
)  # fmt: skip
