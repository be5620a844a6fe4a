"""Games in WebAssembly end with the same states, byte for byte, as in compiled Python."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import wasmtime

from simkit.engine import registry
from simkit.engine.alternatives import value_alternatives
from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import Fault, build
from simkit.engine.lineups import parse_lineup
from simkit.engine.rng import below
from simkit.engine.sights import CHOICES, MOVER, look
from simkit.engine.stepper import trace_games, tracer, trails_for
from simkit.engine.strategy import strategy
from simkit.engine.table import Games, GameTable, Lineup
from simkit.errors import UsageError, WebError
from simkit.verify.check import random_settings
from simkit.web import WebModule, make
from simkit.web.dials import PreparedRules
from tests.made_nets import made_net, made_player
from tests.web.page import Page

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="without the compiler there is no LLVM code")
ROOT = Path(__file__).parents[2]
GAMES, SEED, FIRST = 200, 7, 3  # games of a comparison; seed; first deal
EVERYDAY = {"pig": ["random", "hold_at"], "outpost_seven": ["random", "reference_greedy", "greedy"]}
REDEALING = {"lookahead", "rollout"}  # of whom WebAssembly need not play any


@cache
def module(name: str, *strategies: str) -> WebModule:
    game = registry.game(name)
    return make(game, [registry.strategy(game, own) for own in strategies])


def lineup_of(game: Game, text: str) -> Lineup:
    return registry.players(game, parse_lineup(text))


def pieces(game: Game, rules: np.ndarray) -> int:
    return len(game.pieces.names(rules[0])) if game.pieces else 0


def different(page: Page, game: Game, options: dict[str, Any], lineup: Lineup) -> Iterator[str]:
    """Yield how the games of a page differ from those of a table, for each rotation of some deals."""
    table, seats = GameTable(game, game.rules(options)), len(lineup)
    count = max(1, GAMES // seats)
    deals, shifts = np.repeat(np.arange(FIRST, FIRST + count), seats), np.tile(np.arange(seats), count)
    states, failed = table.attempt(Games(lineup, SEED, deals, shifts))
    ended = failed.game if failed else len(deals)
    page.set_up(table.rules, lineup, SEED, seats)
    case = f"{game.name} {options} {[player.label for player in lineup]}"
    if (played := page.play(FIRST, count)) != ended:
        yield f"{case}: {played} games end, not {ended}"
    elif page.states(ended) != states[:ended].tobytes():
        yield f"{case}: other states"
    elif failed and (page.number("place", "seat"), page.number("place", "deciding")) != (
        failed.seat,
        int(failed.by_strategy and failed.cause is not None),
    ):
        yield f"{case}: another failure than that of game {failed.game}"


def lineups(game: Game, names: list[str], rng: random.Random) -> Iterator[Lineup]:
    """Yield every strategy against itself, and strategies with other weights and random errors mixed."""
    seats = rng.randint(game.seats[0], min(game.seats[1], 4))
    for name in names:
        yield lineup_of(game, f"{name}*{seats}")
    mixed = lineup_of(game, ", ".join(rng.choice(names) for _ in range(seats)))
    yield [
        replace(other_weights(game, player.label, rng), blunder=rng.choice([0.0, 0.2])) for player in mixed
    ]


def other_weights(game: Game, name: str, rng: random.Random) -> Any:
    """Return a player with random values of some weights."""
    given = {}
    for weight, meaning in registry.strategy(game, name).weights.items():
        if rng.random() < 0.5:
            values = meaning.allowed.split(", ") if "," in meaning.allowed else [meaning.default_text]
            given[weight] = rng.choice(values)
    return registry.strategy(game, name).player(game, given)


@pytest.mark.parametrize("name", EVERYDAY)
def test_games_of_random_rules_lineups_weights_and_errors_end_the_same(name: str) -> None:
    game, page, rng = registry.game(name), Page(module(name, *EVERYDAY[name])), random.Random(SEED)
    for options in [{}, *random_settings(game, 6, SEED)]:
        for lineup in lineups(game, EVERYDAY[name], rng):
            assert not list(different(page, game, options, lineup))


SLOW = [("outpost_seven", 2, ""), ("red_outpost", 3, "reference_greedy")]


@cache
def learned_module(name: str, seats: int, base: str, *sizes: float) -> tuple[WebModule, Lineup]:
    """Return a module with players of nets whose weights have these sizes."""
    game = registry.game(name)
    players = [made_player(game, made_net(game, seats, size), seats, base) for size in sizes]
    own = [registry.strategy(game, strategy) for strategy in ("learned", "random")]
    return make(game, own, played=[("learned", player) for player in players]), players


@pytest.mark.parametrize(
    ("name", "seats", "base"),
    [("pig", 2, ""), ("pig", 3, "hold_at"), *(pytest.param(*row, marks=pytest.mark.slow) for row in SLOW)],
)
def test_learned_players_end_their_games_the_same(name: str, seats: int, base: str) -> None:
    game, (web_module, players) = registry.game(name), learned_module(name, seats, base, 200.0, 400.0)
    page, (first, second) = Page(web_module), players
    others = lineup_of(game, "random") * (seats - 2)
    assert not web_module.refused
    for options in [{}, *random_settings(game, 3, SEED)]:
        for lineup in ([first] * seats, [second, replace(first, blunder=0.2), *others]):
            assert not list(different(page, game, options, lineup))


def test_what_players_have_learned_is_not_in_the_module() -> None:
    some, other = (learned_module("pig", 2, "", *sizes)[0] for sizes in ((200.0, 400.0), (300.0, 50.0)))
    assert some.module == other.module and some.layout == other.layout and some.nets != other.nets
    assert len({*some.nets.values()}) == 2


@pytest.mark.parametrize("base", ["", "hold_at(threshold=5)"])
def test_players_that_contain_different_strategies_have_no_module(base: str) -> None:
    game, bases = registry.game("pig"), {2: "hold_at", 3: base}
    players = [made_player(game, made_net(game, seats), seats, own) for seats, own in bases.items()]
    with pytest.raises(WebError, match="players of learned improve on different strategies"):
        make(game, [registry.strategy(game, "learned")], played=[("learned", player) for player in players])


def test_a_traced_game_has_the_rows_and_events_of_the_trace() -> None:
    for name, text in (("pig", "hold_at*3"), ("outpost_seven", "reference_greedy, random")):
        game, page = registry.game(name), Page(module(name, *EVERYDAY[name]))
        table, lineup = GameTable(game, game.rules({})), lineup_of(game, text)
        page.set_up(table.rules, lineup, SEED, pieces=pieces(game, table.rules))
        for deal, shift in ((4, 0), (9, 1)):
            part = next(trace_games(table, lineup, SEED, np.array([deal]), np.array([shift])))
            count = page.trace(deal, shift)
            assert page.read("rows", part.rows.nbytes) == part.rows.tobytes() and count == len(part.rows)
            events = np.frombuffer(page.read("done", 32), "<i8")[3]
            assert page.read("events", part.events.nbytes) == part.events.tobytes()
            assert events == len(part.events)
            assert page.states(1) == part.states.tobytes()


def test_a_game_is_traced_without_the_events_of_its_pieces_where_none_are_wanted() -> None:
    game, page = registry.game("outpost_seven"), Page(module("outpost_seven", *EVERYDAY["outpost_seven"]))
    table, lineup = GameTable(game, game.rules({})), lineup_of(game, "reference_greedy, random")
    page.set_up(table.rules, lineup, SEED, pieces=0)
    part = next(trace_games(table, lineup, SEED, np.array([4]), np.array([0])))
    assert page.trace(4, 0) == len(part.rows) and page.read("rows", part.rows.nbytes) == part.rows.tobytes()
    assert page.read("done", 32)[24:] == bytes(8), "no event"


def test_after_some_actions_the_state_is_that_of_the_game_played_so_far() -> None:
    game, page = registry.game("outpost_seven"), Page(module("outpost_seven", *EVERYDAY["outpost_seven"]))
    table = GameTable(game, game.rules({}))
    page.set_up(table.rules, lineup_of(game, "random*2"), SEED, pieces=pieces(game, table.rules))
    for actions in (0, 1, 30):
        assert page.trace(4, 0, actions) == -1
        trail = np.frombuffer(page.read("trail", 8 * actions), "<i8")
        trails = trails_for(table, 2, SEED, np.array([4]), np.array([0]), trail.copy())
        tracer(game)(trails)
        assert page.read("replayed", trails.states.nbytes) == trails.states.tobytes()


def test_a_game_longer_than_the_trail_is_not_traced() -> None:
    game, page = registry.game("pig"), Page(module("pig", *EVERYDAY["pig"]))
    page.set_up(game.rules({"goal": 1000, "bust": 2}), lineup_of(game, "hold_at(threshold=1)*10"), SEED)
    assert page.play(0, 1) == 1 and page.trace(0, 0) == -1


def test_the_same_deals_are_played_in_any_batches_after_any_games() -> None:
    game, page = registry.game("pig"), Page(module("pig", *EVERYDAY["pig"]))
    page.set_up(game.rules({}), lineup_of(game, "random, hold_at"), SEED)
    size = page.layout["blocks"]["states"]["size"]
    assert page.play(10, 20) == 20
    whole = page.states(20)
    assert page.play(25, 5) == 5 and page.states(5) == whole[15 * size :]
    page.set_up(game.rules({"goal": 30}), lineup_of(game, "random*3"), SEED + 1)
    assert page.play(0, 50) == 50
    page.set_up(game.rules({}), lineup_of(game, "random, hold_at"), SEED)
    assert page.play(10, 20) == 20 and page.states(20) == whole


def test_a_batch_has_at_most_as_many_games_as_there_is_room_for_states() -> None:
    game, page = registry.game("pig"), Page(module("pig", *EVERYDAY["pig"]))
    page.set_up(game.rules({"goal": 20}), lineup_of(game, "hold_at*2"), SEED, rotations=2)
    (room,) = page.layout["blocks"]["states"]["shape"]
    assert page.play(0, room) == room


def test_an_endless_game_stops_at_the_cap_and_says_which_it_is() -> None:
    game, page = registry.game("pig"), Page(module("pig", *EVERYDAY["pig"]))
    page.set_up(game.rules({}), lineup_of(game, "hold_at(threshold=1000)*2"), SEED, rotations=2)
    page.write("rules", np.array((1000, 2, 1), "<i2").tobytes())  # half of the rolls bust: nobody gets there
    assert page.play(5, 3) == 0
    place, faults = page.number("place", "fault"), page.layout["faults"]
    assert place == Fault.too_many_steps and "1000000 actions" in faults[place]
    assert np.frombuffer(page.read("deal", 8), "<i8") == 5 and page.read("shift", 8) == bytes(8)


def test_an_exception_of_the_rules_ends_the_batch_at_its_game() -> None:
    game, page = registry.game("pig"), Page(module("pig", *EVERYDAY["pig"]))
    page.set_up(game.rules({}), lineup_of(game, "hold_at*2"), SEED)
    page.write("rules", np.array((100, 0, 1), "<i2").tobytes())  # a die without faces: `below` raises
    assert page.play(5, 3) == 0
    assert [page.number("place", name) for name in ("fault", "seat", "deciding")] == [0, 0, 0]
    page.set_up(game.rules({}), lineup_of(game, "hold_at*2"), SEED)
    assert page.play(5, 3) == 3


def test_values_of_alternatives_are_those_of_compiled_python() -> None:
    game = registry.game("pig")
    player = made_player(game, made_net(game, 2), 2)
    web_module = make(game, [registry.strategy(game, "learned")], played=[("learned", player)])
    page, table, trail = Page(web_module), GameTable(game, game.rules({})), np.full(4096, -1, np.int64)
    page.set_up(table.rules, [player] * 2, SEED)
    page.write("judge", page.read("nets", 8))
    page.write("judge_size", page.read("net_sizes", 8))
    for deal in (0, 5):
        trail[:] = -1
        table.play([player] * 2, SEED, np.array([deal]), np.zeros(1, np.int64), trail)
        listed, values = value_alternatives(table, player, 2, SEED, deal, trail[trail >= 0])
        assert page.value(deal, 0) == len(listed) > 10
        assert page.read("alternatives", listed.nbytes) == listed.tobytes()
        assert page.read("values", values.nbytes) == values.tobytes()


def test_a_game_is_stepped_through_with_another_action() -> None:
    game = registry.game("pig")
    player = made_player(game, made_net(game, 2), 2)
    page = Page(make(game, [registry.strategy(game, "learned")], played=[("learned", player)]))
    page.set_up(game.rules({}), [player] * 2, SEED)
    page.trace(0, 0, 1)
    rolled = page.read("replayed", game.state_dtype.itemsize)
    (action,) = np.frombuffer(page.read("trail", 8), np.int64)
    page.write("trail", (1 - action).tobytes())
    page.exports["retrace"](page.store, 0, 0, 1)
    assert page.read("replayed", game.state_dtype.itemsize) != rolled


def test_the_layout_is_plain_data_that_says_where_options_and_results_are() -> None:
    web_module = module("pig", *EVERYDAY["pig"])
    assert json.loads(json.dumps(web_module.layout))["strategies"] == web_module.layout["strategies"]
    blocks = web_module.layout["blocks"]
    faces = blocks["rules"]["fields"]["faces"]
    assert [faces[key] for key in ("offset", "shape", "type", "size")] == [2, [], "i2", 2]
    assert blocks["states"]["fields"]["rank"]["shape"] == [10]
    assert blocks["states"]["fields"]["log"]["fields"]["game"]["fields"]["turns"]["type"] == "i4"
    (hold_at,) = [entry for entry in web_module.layout["strategies"] if entry["name"] == "hold_at"]
    assert hold_at["weights"]["threshold"]["low"] == 1 and hold_at["weights"]["threshold"]["whole"]


@pytest.mark.slow
def test_options_without_prepared_records_build_no_tables() -> None:
    game = registry.game("outpost_seven")
    prepared = PreparedRules(game, {}, {}, {}).patches
    assert "card_set" in prepared and "start_total_second" not in prepared
    for option in game.options:
        values = [value for value in option.near if accepts(game, option.name, value)]
        records = [game.rules({option.name: value})[0] for value in values]
        tables = {tuple(record[f.name].tobytes() for f in game.components.fields) for record in records}
        assert option.name in prepared or len(tables) == 1, option.name


def accepts(game: Game, name: str, value: Any) -> bool:
    try:
        game.rules({name: value})
    except UsageError:
        return False
    return True


def test_a_module_is_made_once_and_then_comes_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.game("pig")
    first = make(game, [registry.strategy(game, "random")])
    monkeypatch.setattr("simkit.web.llvm.code", None)
    assert make(game, [registry.strategy(game, "random")]) == first


@strategy(None)
def exponent(legal, rng):
    """Call a function that pages do not have."""
    return legal[int(np.exp(-1.0 - legal.size))]


def test_a_strategy_that_calls_what_pages_lack_is_left_out_with_the_reason() -> None:
    game = registry.game("pig")
    web_module = make(game, [registry.strategy(game, "random"), exponent, registry.strategy(game, "search")])
    assert [entry["name"] for entry in web_module.layout["strategies"]] == ["random"]
    assert web_module.refused == {
        "exponent": "exponent calls exp, which pages lack",
        "search": "plays on with a policy, which takes a page too long",
    }
    with pytest.raises(WebError, match="pig: exponent calls exp, which pages lack"):
        make(game, [exponent])


@strategy(None)
def reshaping(legal, rng):
    """Choose by numbers of arrays in several shapes."""
    table = np.arange(24).reshape((4, 6))
    cells, empty = table.reshape((2, 3, 4)), table[:0].reshape((3, 0))
    far = np.flatnonzero(table > 7)
    return legal[(cells[1, below(rng, 3), 2] + far[below(rng, far.size)] + empty.size) // 5 % legal.size]


def test_arrays_may_take_other_shapes() -> None:
    game, player = registry.game("pig"), reshaping.player(registry.game("pig"))
    page = Page(make(game, [reshaping]))
    assert not list(different(page, game, {}, [player, replace(player, blunder=0.1)]))


def test_what_is_not_compiled_is_left_out_where_nothing_may_be_compiled() -> None:
    game = registry.game("pig")
    for entry in (build(game), registry.strategy(game, "random").player(game).decide):
        assert entry.compiled

    @strategy(game)
    def new(legal):
        """Take the first action."""
        return legal[0]

    web_module = make(game, [registry.strategy(game, "random"), new], compiles=False)
    assert web_module.refused == {"new": "is not compiled yet"}


def test_a_module_imports_nothing_and_exports_its_memory_and_functions() -> None:
    compiled = wasmtime.Module(wasmtime.Engine(), module("pig", *EVERYDAY["pig"]).module)
    assert [export.name for export in compiled.exports] == ["memory", "play", "trace", "sit"]
    assert not compiled.imports


@pytest.mark.slow
@pytest.mark.proof("web", "games", "strategies")
@pytest.mark.parametrize("name", EVERYDAY)
def test_code_without_bounds_checks_as_users_have_it_ends_its_games_the_same(name: str) -> None:
    """The other tests play with bounds checks; a process of its own plays without them."""
    program = (
        "import random\nfrom tests.web.test_module import *\n"
        f"game, page = registry.game({name!r}), Page(module({name!r}, *EVERYDAY[{name!r}]))\n"
        "cases = [(o, l) for o in [{}, *random_settings(game, 6, SEED)]"
        f" for l in lineups(game, EVERYDAY[{name!r}], random.Random(SEED))]\n"
        "assert not [line for case in cases for line in different(page, game, *case)]\n"
    )
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_BOUNDSCHECK"}
    environment["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["pig", "kuhn_poker", "hidden_traitor"])
def test_a_person_sees_in_a_page_what_python_shows_and_nothing_hidden(name: str) -> None:
    game = registry.game(name)
    page, seats, seat = Page(module(name, "random")), game.default_seats, 1
    table, lineup = GameTable(game, game.rules({})), lineup_of(game, f"random*{seats}")
    page.set_up(table.rules, lineup, SEED)
    indices = np.array([page.index(player) for player in lineup], "<i8")
    indices[seat] = page.layout["person"]
    page.write("lineup", indices.tobytes())
    answers, over, rng = list[int](), False, random.Random(name)
    while not over:
        over = page.sit(FIRST, seat, answers)
        trail = [action for action in page.numbers("trail", 4_096) if action >= 0]
        seen = look(table, seats, seat, SEED, FIRST, np.array(trail, np.int64))
        views, actions = page.numbers("shown", 2)
        assert page.read("views", views * game.state_dtype.itemsize) == seen.views[-views:].tobytes()
        assert page.numbers("ids", actions) == seen.legal and over == (not seen.legal)
        futures = page.read("futures", 2 * actions * game.state_dtype.itemsize)
        assert futures == seen.futures.tobytes()
        assert page.numbers("steps", 4 * len(trail)) == seen.steps.ravel().tolist()
        answers += [rng.choice(seen.legal)] if seen.legal else []
    assert len(answers) == ((seen.steps[:, MOVER] == seat) & (seen.steps[:, CHOICES] > 1)).sum() > 0
