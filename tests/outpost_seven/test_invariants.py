"""Invariants after every step of random play under random option settings (O7-12), and what can break them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simkit.games.outpost_seven import game, invariants
from simkit.games.outpost_seven.facts import PAIR, Decision, RemovalRule, Use

from . import model
from .engine import Facts, Play, dealt, reached, rules_of
from .positions import given, given_deal
from .sampling import random_options, settings
from .test_clauses_2_setup import RED, YELLOW

pytestmark = [pytest.mark.slow, pytest.mark.proof("games.outpost_seven", "strategies.outpost_seven")]

SETTINGS = settings(80, seed=20)
BATCH = 16


def counted_problems(s: Any, rules: Any) -> list[str]:
    """Everything that the state keeps although it could be counted: counted again."""
    results = []
    cells, lines = int(rules.cells), int(rules.lines)
    occupied = [c for c in range(cells) if s.grid_card[c] >= 0]
    cubes, colours = np.zeros((2, 12), int), np.zeros((12, 3), int)
    for line in range(lines):
        if s.border_colour[line] >= 0:
            colours[line, s.border_colour[line]] += 1
    for c in occupied:
        for line in (c // rules.cols, rules.rows + c % rules.cols):
            colours[line, rules.colour[s.grid_card[c]]] += 1
            if s.grid_owner[c] >= 0:
                cubes[s.grid_owner[c], line] += int(s.grid_mask[c]).bit_count()
    if (cubes != s.cubes).any() or (colours != s.colours).any():
        results.append("cubes or colours of a line are not what lies there")
    if int(s.occupied) != sum(1 << c for c in occupied):
        results.append("the occupied cells are not those with a module")
    if s.decision >= Decision.main:
        free = [c for c in range(cells) if c not in occupied]
        near = (
            {c for c in free if any(int(rules.neighbours[o]) >> c & 1 for o in occupied)}
            if occupied
            else {c for c in free if int(rules.first_cells) >> c & 1}
        )
        if int(s.frontier) != sum(1 << c for c in near):
            results.append("the frontier is not the free cells next to a module")
        score = [sum(int(s.pop[i]) for i in range(lines) if s.vote[i] == seat) for seat in range(2)]
        if s.decision != Decision.bonus and score != s.score.tolist():
            results.append("the scores are not the population of the voting lines")
    pending = [
        sum(
            int(s.pending[c]) >> i & 1 and rules.bonus[s.grid_card[c], i] == kind
            for c in occupied
            for i in range(6)
        )
        for kind in range(4)
    ]
    if pending != s.pending_n.tolist() or int(s.pending_cells) != sum(
        1 << c for c in range(cells) if s.pending[c]
    ):
        results.append("the counts of pending bonuses are not those of the cells")
    return results + tail_problems(s, rules) + known_problems(s)


def tail_problems(s: Any, rules: Any) -> list[str]:
    """Unused places of arrays hold -1 (O7-10.2: arrays close up), so that nothing can be read there."""
    arrays = [
        ("offer", s.offer, s.offer_n),
        ("pool", s.pool, s.pool_n),
        ("discard", s.discard, s.discard_n),
        ("grid_card", s.grid_card, rules.cells),
    ]
    for seat in range(2):
        arrays += [
            (f"hand {seat}", s.hand[seat], s.hand_n[seat]),
            (f"dealt {seat}", s.dealt[seat], s.dealt_n[seat]),
        ]
    results = [
        f"{name} has a card behind its end" for name, cards, n in arrays if (cards[int(n) :] != -1).any()
    ]
    results += [
        f"{name} has a hole"
        for name, cards, n in arrays
        if name != "grid_card" and (cards[: int(n)] < 0).any()
    ]
    for name in ("pop", "pop_initial", "cubes", "colours"):
        array = s[name].T if name == "cubes" else s[name]
        if array[int(rules.lines) :].any():
            results.append(f"{name} has an entry behind the lines")
    return results


def known_problems(s: Any) -> list[str]:
    """A card whose place is public is marked so; dealt cards and the deck are not (O7-2.6, O7-4.6)."""
    public = [
        *s.offer[: s.offer_n],
        *s.discard[: s.discard_n],
        *s.pool[: s.pool_n],
        *[c for c in s.grid_card if c >= 0],
    ]
    hidden = [
        *s.deck[int(s.deck_pos) : int(s.deck_n)],
        *s.dealt[0, : s.dealt_n[0]],
        *s.dealt[1, : s.dealt_n[1]],
    ]
    result = [] if s.revealed[public].all() else ["a card that lies open is not marked as known"]
    return result if not s.revealed[hidden].any() else [*result, "a hidden card is marked as known"]


def bonus_cubes(s: Any, rules: Any) -> int:
    return sum(
        (int(s.grid_mask[c]) & int(rules.bonus_mask[s.grid_card[c]])).bit_count()
        for c in range(rules.cells)
        if s.grid_card[c] >= 0
    )


def step_problems(was: Any, s: Any, rules: Any, action: int) -> list[str]:
    """What may never happen from one state to the next."""
    seat, result = int(was.seat), []
    if was.decision >= Decision.main and (s.pop < was.pop).any():
        result.append("O7-12.5 a population decreased")
    flipped = s.vote != was.vote
    if (s.vote[flipped] != seat).any():
        result.append("O7-12.6 a token flipped towards the player who is not on turn")
    if (s.stopped < was.stopped).any():
        result.append("O7-12.11 a stopped player came back")
    if bonus_cubes(s, rules) < bonus_cubes(was, rules):
        result.append("O7-12.7 a cube left a bonus space")
    if (was.grid_card >= 0).any() and (
        s.grid_card[was.grid_card >= 0] != was.grid_card[was.grid_card >= 0]
    ).any():
        result.append("a module left its cell")
    if was.decision >= Decision.main and (s.revealed < was.revealed).any():
        result.append("a public card became hidden")
    if was.decision >= Decision.main and (s.hand[1 - seat] != was.hand[1 - seat]).any():
        result.append("the hand of the player who is not on turn changed")
    if (s.discard[: was.discard_n] != was.discard[: was.discard_n]).any():
        result.append("the discard pile changed below its top")
    if was.decision >= Decision.main and not 0 <= s.turn - was.turn <= 1:
        result.append("not one turn at a time")
    if was.decision == Decision.main and action >= PAIR and (s.decision != Decision.cell or s.seat != seat):
        result.append("a pair is not followed by its cell")
    if (
        was.decision == Decision.main
        and action < PAIR
        and s.stopped.sum() == was.stopped.sum() == 0
        and s.seat != (-1 if s.decision == Decision.none else 1 - seat)
    ):
        result.append("O7-3.1 the players do not alternate")
    if s.decision == Decision.bonus and all(rules.bonus[card, 0] for card in range(rules.cards)):
        result.append("O7-12.8 BONUS is asked in a set without plain top spaces")
    return result


def end_problems(s: Any, rules: Any) -> list[str]:
    """O7-12.10: at the end neither player can play, unless the options end it earlier."""
    reason = game.end_reasons(int(s.log.game.end_reason)).name
    if reason == "unfinished":
        return ["the game is over without a reason"]
    if reason != "both_stopped":
        return []
    results = []
    for seat in range(2):
        hand = [int(c) for c in s.hand[seat, : s.hand_n[seat]]]
        room = s.offer_n > 0 and len(hand) < rules.hand_limit
        worth = [
            (m, x)
            for m in hand
            for x in hand
            if m != x
            and rules.value[x] >= rules.value[m]
            and (rules.allow_neutral_play or model.paid(rules, m, x))
        ]
        if room or (worth and s.frontier):
            results.append(f"O7-12.10 the game is over but seat {seat} can play")
    return results


def bonus_answer(action: int) -> Any:
    return action if action < Use.bonus else divmod(action - Use.bonus, 6)


class Watch:
    """A game played at random, with everything checked after every step."""

    def __init__(self, options: dict[str, Any], deal: int) -> None:
        self.play = Play.begin(options, seed=99, deal=deal)
        self.rules = self.play.rule_facts
        self.where = f"deal {deal}, options {options}"
        self.repair: tuple[Any, int, list[Any]] | None = None

    def run(self) -> set[Decision]:
        """Play to the end; returns the phases met."""
        phases, was = set(), copied(self.play.facts)
        self.check(self.problems(was))
        for _, action in self.play.steps(np.random.default_rng(1)):
            phases.add(Decision(was.decision))
            s = self.play.facts
            self.check(
                self.problems(s)
                + step_problems(was, s, self.rules, action)
                + self.model_problems(was, s, action)
            )
            was = copied(s)
        self.check(end_problems(was, self.rules))
        return phases

    def problems(self, s: Any) -> list[str]:
        return game.problems(s, self.rules) + counted_problems(s, self.rules)

    def model_problems(self, was: Any, s: Any, action: int) -> list[str]:
        """A finished repair leaves what the plain account of it leaves."""
        if was.decision == Decision.cell:
            self.repair = (was, action, [])
        elif was.decision == Decision.bonus and self.repair:
            self.repair[2].append(bonus_answer(action))
        if self.repair is None or s.decision == Decision.bonus:
            return []
        (start, cell, answers), self.repair = self.repair, None
        expected = model.repair(start, self.rules, cell, lambda table: model.by_procedure(table, answers))
        result = (
            []
            if expected.outcome() == model.seen(s, self.rules)
            else ["the repair is not that of the plain account"]
        )
        return result + ["a decision was asked that the plain account does not know"] * bool(answers)

    def check(self, result: list[str]) -> None:
        assert not result, (
            f"{result[:3]} in {self.where}, turn {self.play.s.turn}\n{game.show(self.play.s, self.play.rules)}"
        )


def copied(s: Any) -> Any:
    """Facts that stay as they are when the game goes on."""
    return Facts(
        **{name: value.copy() if isinstance(value, np.ndarray) else value for name, value in vars(s).items()}
    )


DECISIONS_MET: set[Decision] = set()


EVERY_DAY = 2 * BATCH
BATCHES = [
    pytest.param(first, marks=[pytest.mark.slow] if first >= EVERY_DAY else [])
    for first in range(0, len(SETTINGS), BATCH)
]


@pytest.mark.parametrize("first", BATCHES)
def test_invariants_in_random_play(first: int) -> None:
    """O7-12 holds after every step of two random games under each of many random option settings."""
    for number in range(first, first + BATCH):
        for deal in range(2):
            DECISIONS_MET.update(Watch(SETTINGS[number], 2 * number + deal).run())


def test_every_decision_is_met() -> None:
    """The random games above meet every decision that the game knows."""
    if len(DECISIONS_MET) > 1:
        assert set(Decision) - {Decision.none} == DECISIONS_MET


BONUS_SETTINGS = [
    {"card_set": s, "bonus_origin": o, "cubes_same_colour": 2}
    for s in ("v40", "plain_top", "late_bonus")
    for o in ("played", "bonus_card")
]


@pytest.mark.parametrize("options", BONUS_SETTINGS, ids=lambda o: f"{o['card_set']} {o['bonus_origin']}")
def test_invariants_where_the_order_matters(options: dict[str, Any]) -> None:
    """O7-12 also where the order of bonuses is often a decision (O7-6.7)."""
    decided = sum(Decision.bonus in Watch(options, deal).run() for deal in range(8))
    assert decided > 0 or options["card_set"] != "plain_top"


@pytest.mark.parametrize("deals", [400, pytest.param(1500, marks=pytest.mark.slow)])
def test_bonus_order_never_matters_in_v42(deals: int) -> None:
    """O7-12.13 resolving pending bonuses in random order gives identical end states in v42."""
    generator = np.random.default_rng(13)
    options = {"cubes_same_colour": 2}
    rules, chains = rules_of(options), 0
    for s in reached(options, deals, 20 + np.arange(deals) % 60, seed=13):
        if s.decision == Decision.cell:
            play = Play(np.array([s]), rules)
            cell = play.legal()[int(generator.integers(len(play.legal())))]
            outcomes = [
                model.repair(s, rules[0], cell, model.at_random(generator)).outcome() for _ in range(4)
            ]
            play.apply(cell)
            chains += play.s.chain > 2
            assert all(outcome == model.seen(play.s, rules[0]) for outcome in outcomes)
    assert chains > deals // 75


def test_default_game_uses_everything_up() -> None:
    """O7-12.10 with default options deck and offer are empty at the end and each hand has at most one card."""
    for s in reached({}, 500):
        assert s.offer_n == 0 and s.deck_pos == s.deck_n and (s.hand_n <= 1).all() and s.stopped.all()


# ------------------------------------------------------------------------------------------ symmetry
# (O7-12.12)


class Mirror:
    """Colours and roles exchanged, the grid transposed (odd side) or turned by 180 degrees (even side)."""

    def __init__(self, side: int) -> None:
        last = side - 1
        self.cell = [
            c * side + r if side % 2 else (last - r) * side + last - c
            for r in range(side)
            for c in range(side)
        ]
        self.line = (
            [side + i if i < side else i - side for i in range(2 * side)]
            if side % 2
            else [last - i if i < side else 3 * side - 1 - i for i in range(2 * side)]
        )

    def bits(self, mask: int, places: list[int]) -> int:
        return sum(1 << places[i] for i in range(len(places)) if int(mask) >> i & 1)

    def action(self, s: Any, action: int) -> int:
        if s.decision == Decision.cell:
            return self.cell[action]
        if s.decision == Decision.bonus and action >= Use.bonus:
            return Use.bonus + 6 * self.cell[(action - Use.bonus) // 6] + (action - Use.bonus) % 6
        return action

    def state(self, states: np.ndarray) -> np.ndarray:
        result = states.copy()
        s, t = states[0], result[0]
        for name in ("seat", "first", "leader"):
            t[name] = 1 - s[name] if s[name] >= 0 else -1
        for name in (
            "rank",
            "score",
            "mulliganed",
            "stopped",
            "hand",
            "hand_n",
            "dealt",
            "dealt_n",
            "cubes",
            "on_grid",
        ):
            t[name] = s[name][::-1]
        t.log.seat[0], t.log.seat[1] = states[0].log.seat[1], states[0].log.seat[0]
        for i, j in enumerate(self.cell):
            for name in ("grid_card", "grid_mask", "pending"):
                t[name][j] = s[name][i]
            t.grid_owner[j] = 1 - s.grid_owner[i] if s.grid_owner[i] >= 0 else -1
        for i, j in enumerate(self.line):
            for name in ("pop", "pop_initial", "border_colour", "colours"):
                t[name][j] = s[name][i]
            t.vote[j] = 1 - s.vote[i] if s.vote[i] >= 0 else -1
            t.cubes[:, j] = s.cubes[::-1, i]
        for name in ("occupied", "frontier", "pending_cells"):
            t[name] = self.bits(s[name], self.cell)
        t.contested = self.bits(s.contested, self.line)
        t.played_cell = self.cell[s.played_cell] if s.played_cell >= 0 else -1
        first = int(s.log.game.first_module_cell)
        t.log.game.first_module_cell = self.cell[first] if first >= 0 else -1
        t.lead[:] = -s.lead
        for name in ("lead_quarter_1", "lead_quarter_2", "lead_quarter_3"):
            t.log.game[name] = -s.log.game[name]
        return result


@pytest.mark.parametrize("side", [3, 4, 5, 6])
def test_symmetry(side: int) -> None:
    """O7-12.12 exchanging colours and roles and mirroring the grid changes nothing, in every step of random
    games.
    """
    mirror, generator = Mirror(side), np.random.default_rng(side)
    fixed = {"rows": side, "cols": side, "cube_supply": 0, "first_cell": "any", "start_choice": "fixed"}
    for deal, options in enumerate(settings(10, seed=side, fixed=fixed)):
        start = reached(options, deal + 1, decision=Decision.main)[deal : deal + 1]
        single, other = Play(start.copy(), rules_of(options)), Play(mirror.state(start), rules_of(options))
        while single.s.seat >= 0:
            ids = single.legal()
            assert sorted(mirror.action(single.s, a) for a in ids) == other.legal(), (
                f"legal actions differ: {options}"
            )
            action = ids[int(generator.integers(len(ids)))]
            mirrored = mirror.action(single.s, action)
            single.apply(action)
            other.apply(mirrored)
            expected, result = mirror.state(single.states), other.states
            differ = [
                name for name in game.state_dtype.names if expected[name].tobytes() != result[name].tobytes()
            ]
            assert not differ, f"{differ} after {action} in turn {single.s.turn}: {options}"


@pytest.mark.parametrize("side", [3, 4, 5, 6])
def test_symmetry_of_the_tokens(side: int) -> None:
    """O7-12.12 the token pattern of the start is its own mirror image on square grids (O7-2.1)."""
    s, mirror = dealt({"rows": side, "cols": side}, 1)[0], Mirror(side)
    assert all(s.vote[mirror.line[i]] == 1 - s.vote[i] for i in range(2 * side))


def test_mirror_is_no_identity() -> None:
    """The mirror of the tests above changes a position, and twice it changes nothing."""
    states = reached({}, 1, 40)
    assert Mirror(5).state(states).tobytes() != states.tobytes()
    assert Mirror(5).state(Mirror(5).state(states)).tobytes() == states.tobytes()


# ------------------------------------------------------------------------------------------ problems() can
# fail


def set_field(name: str, place: Any, value: int) -> Callable[[Any], None]:
    def change(s: Any) -> None:
        if place is None:
            s[name] = value
        else:
            s[name][place] = value

    return change


def empty_offer_slot(s: Any) -> None:
    s.discard[s.discard_n] = s.offer[s.offer_n - 1]
    s.discard_n += 1
    s.offer[s.offer_n - 1] = -1
    s.offer_n -= 1


def add_card_to_hand(s: Any) -> None:
    for _ in range(6):
        s.hand[0, s.hand_n[0]] = s.deck[s.deck_pos]
        s.hand_n[0] += 1
        s.deck_pos += 1


def move_module(s: Any) -> None:
    for name in ("grid_card", "grid_mask", "grid_owner"):
        s[name][24] = s[name][12]
        s[name][12] = -1 if name != "grid_mask" else 0


def count(name: str, by: int, seat: int | None = None) -> Callable[[Any], None]:
    def change(s: Any) -> None:
        log = s.log.game if seat is None else s.log.seat[seat]
        log[name] += by

    return change


BROKEN = [
    ("the places of the cards do not partition the cards", set_field("hand", (0, 0), 53), {}),
    ("a hand exceeds its limit", add_card_to_hand, {}),
    ("the offer is short although the deck is not empty", empty_offer_slot, {}),
    ("cell 12: cubes and owner do not fit", set_field("grid_owner", 12, -1), {}),
    ("cell 12: cubes and owner do not fit", set_field("grid_mask", 12, 0), {}),
    ("cell 0: cubes and owner do not fit", set_field("grid_mask", 0, 1), {}),
    ("cell 12: a cube outside the card's spaces", set_field("grid_mask", 12, 15), {}),
    ("cell 12: a gap between cubes", set_field("grid_mask", 12, 5), {}),
    ("cell 12: a bonus is pending without a cube", set_field("pending", 12, 4), {}),
    ("yellow: cubes on the grid, counted and logged differ", set_field("on_grid", 1, 7), {}),
    ("red: cubes on the grid, counted and logged differ", count("cubes_by_place", 1, 0), {}),
    ("yellow: cubes on the grid, counted and logged differ", set_field("grid_mask", 12, 1), {}),
    ("yellow has more cubes than the supply", set_field("grid_mask", 12, 7), dict(cube_supply=2)),
    ("a bonus is pending between turns", set_field("pending", 12, 1), {}),
    ("a bonus is pending between turns", set_field("pending_n", 1, 1), {}),
    ("a bonus is pending between turns", set_field("pending_cells", None, 4), {}),
    ("a card became neutral in a set without plain top spaces", count("neutralised", 1), {}),
    ("modules on the grid and repairs differ", count("repairs", 1), {}),
    ("the modules are not connected", move_module, {}),
    ("population does not add up", set_field("pop", 3, 9), {}),
    ("population does not add up", count("population_added", 1), {}),
    ("row 3: cubes counted and kept differ", set_field("cubes", (1, 2), 9), {}),
    ("row 3 votes for the player with fewer cubes", set_field("vote", 2, 0), {}),
    ("the scores do not add up to the population", set_field("score", 0, 0), {}),
    ("the discard pile does not add up", empty_offer_slot, {}),
    ("more turns than the bound", count("turns", 60), {}),
    ("more turns than the bound", count("salvages", 60), {}),
]


def whole(options: dict[str, Any]) -> Any:
    """A sound position with modules of both."""
    return given(grid={(2, 2): "20 P.. 2/Y", (2, 3): "39 A... 1/R"}, red=[3, 4, 5], options=options)


@pytest.mark.parametrize(
    ("text", "breaks", "options"), BROKEN, ids=[f"{i} {b[0]}" for i, b in enumerate(BROKEN)]
)
def test_broken_state_is_named(text: str, breaks: Callable[[Any], None], options: dict[str, Any]) -> None:
    """problems() is silent on a sound position and names what is broken."""
    position = whole(options)
    assert position.problems() == []
    breaks(position.s)
    assert any(text in problem for problem in game.problems(position.s, position.rules)), game.problems(
        position.s, position.rules
    )


def test_every_message_of_problems_is_tried() -> None:
    """Each message that problems() may give is among the broken states above."""
    messages = []
    for node in ast.walk(ast.parse(inspect.getsource(invariants))):
        if isinstance(node, ast.FunctionDef):
            for part in ast.walk(node):
                text = (
                    "".join(v.value if isinstance(v, ast.Constant) else "*" for v in part.values)
                    if isinstance(part, ast.JoinedStr)
                    else None
                )
                if (
                    isinstance(part, ast.Constant)
                    and isinstance(part.value, str)
                    and part.value.startswith("O7-")
                    and "\n" not in part.value
                ):
                    text = part.value
                if text and text.startswith("O7-") and not text.startswith(ast.get_docstring(node) or "-"):
                    messages.append(text)
    assert len(messages) >= 15
    attempts = " | ".join(sentence for sentence, _, _ in BROKEN)
    untried = [
        m
        for m in messages
        if not any(piece.strip(" :") in attempts for piece in [max(m.split(" ", 1)[-1].split("*"), key=len)])
    ]
    assert not untried, untried


def test_setup_phases_have_no_false_alarm() -> None:
    """problems() is silent in every decision of the setup."""
    for options in (
        dict(start_rule="draft"),
        dict(mulligan="both"),
        dict(start_choice="player0_chooses"),
        dict(second_bonus_population=3),
    ):
        given_deal(RED, YELLOW, options=options).then()


def test_lock_and_skip_differ() -> None:
    """A gap between cubes is a problem with `lock` only (O7-12.3)."""
    position = whole(dict(removal_rule="skip"))
    position.s.grid_mask[12] = 5
    assert position.rules.removal_rule == RemovalRule.skip and position.problems() == []


def test_random_options_cover_every_value() -> None:
    """The random settings reach the ends of every range."""
    generator = np.random.default_rng(1)
    number = [random_options(generator, changed=0.9) for _ in range(600)]
    for option in game.options:
        values = {o[option.name] for o in number if option.name in o}
        if option.is_choice or option.kind is bool:
            assert len(values) == option.high - option.low + 1, option.name
