"""O7-11 and O7-15: each strategy's stated idea explains its choices; the docstring of a test begins with its
clause.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit.engine import registry, rng
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.facts import PAIR, Decision

from .choices import after, best, cards_taken, pick, picks, plans, player, positions, value
from .engine import Play
from .positions import Position, given

pytestmark = [pytest.mark.slow, pytest.mark.proof("games.outpost_seven", "strategies.outpost_seven")]

NAMES = [
    "random", "cube_rush", "hoarder", "greedy", "reference_greedy", "line_banker", "colour_engine", "saboteur", "tempo_planner",
    "lookahead",
]  # fmt: skip
REFERENCE = "reference_greedy"
SLOW = pytest.mark.slow
QUICK = ("random", "greedy", REFERENCE)  # whose compiling everyday tests wait for
EVERYBODY = [pytest.param(name, marks=() if name in QUICK else SLOW) for name in NAMES]
CENTRE = {"first_cell": "centre"}
POOR_CROSS = dict(
    pop="99299|99299", votes="RYYYR|YRYRY"
)  # row 2 and column 2 have little population and vote yellow


def repairs(play: Play, text: str) -> bool:
    """Whether the strategy repairs, whatever its luck."""
    kinds = {action >= PAIR for action in picks(text, play)}
    assert len(kinds) == 1
    return kinds.pop()


def taken(position: Position, text: str) -> set[tuple[int, ...]]:
    """The cards that the strategy may salvage."""
    actions = picks(text, position)
    assert max(actions) < PAIR
    return {
        tuple(int(c) for slot, c in enumerate(position.s.offer) if action >> slot & 1) for action in actions
    }


def final(lineup: list[str], deals: int, options: dict[str, Any] | None = None, shift: int = 0) -> np.ndarray:
    """Final states of games."""
    return GameTable(game, game.rules(options or {})).play(
        [player(text) for text in lineup], 3, np.arange(deals), np.full(deals, shift)
    )


def test_all_are_there() -> None:
    """O7-15 the nine strategies and the reference player are found by name, each with the weight `hand`."""
    result = registry.scripted(game)
    assert set(NAMES) == {name for name, first in result.items() if first.game is game}
    assert all("hand" in result[name].weights for name in NAMES)


@pytest.mark.parametrize("name", EVERYBODY[1:])
def test_strategies_leave_their_stream_where_it_is(name: str) -> None:
    """O7-11.2 O7-15 what a strategy draws belongs to the choice, so that no choice shifts a later one."""
    table, names = GameTable(game, game.rules({})), rng.purposes(["choice/0", "choice/1"])
    for text in (name, f"{name}(hand=uniform)"):
        table.play([player(text)] * 2, 3, np.array([5]), np.array([0]))
        assert list(table.choices[:2]) == [rng.start(3, 5, int(seat)) for seat in names]


def test_random() -> None:
    """O7-11.1 O7-15.1 random takes every legal action, here six times in expectation each."""
    position = given(red=[3, 4, 5], offer=[0, 1, 18, 19, 36])
    legal = position.legal()
    assert picks("random", position, seeds=20 * len(legal)) == set(legal)
    assert len(picks(REFERENCE, position)) < 10


def test_reference_greedy() -> None:
    """O7-11.2 the reference player's choices in played positions are the best ones, counted in plain Python."""
    for play in positions([REFERENCE, "random"], deals=3, every=4):
        wanted = best(plans(play))
        chosen = picks(REFERENCE, play, seeds=6)
        assert chosen <= {plan[0] for plan in wanted}
        for action in chosen:
            if action >= PAIR:
                assert picks(REFERENCE, after(play, action), seeds=6) <= {
                    plan[1] for plan in wanted if plan[0] == action
                }


def test_greedy_is_the_reference() -> None:
    """O7-15.4 with its default weights greedy plays exactly the reference player's games."""
    for shift in (0, 1):
        assert (
            final(["greedy", REFERENCE], 200, shift=shift).tobytes() == final([REFERENCE] * 2, 200).tobytes()
        )


def test_greedy_caution() -> None:
    """O7-15.4 caution: own votes on a lead of at most one cube count less; counted in plain Python."""
    differs = 0
    for play in positions([REFERENCE, REFERENCE], deals=3, every=3):
        wanted = best(plans(play, lambda first, seat: value(first, seat, caution=1)))
        chosen = picks("greedy(caution=1)", play, seeds=4)
        assert chosen <= {plan[0] for plan in wanted}
        differs += not chosen <= {plan[0] for plan in best(plans(play))}
    assert differs


@pytest.mark.parametrize(
    "weights", ["sign=3", "margin_cap=0", "card=30", "pair=30", "caution=1", "hand=fewest_cards"]
)  # fmt: skip
def test_greedy_weights(weights: str) -> None:
    """O7-15.4 every weight of greedy changes play."""
    assert final([f"greedy({weights})"] * 2, 20).tobytes() != final(["greedy"] * 2, 20).tobytes()


@SLOW
def test_cube_rush() -> None:
    """O7-15.2 it repairs for the cubes where a salvage is worth more, with the pair that pays most, in any
    cell.
    """
    position = given(pop="11111|11111", red=[3, 4, 12], offer=[0, 1, 18, 19, 36])
    assert not repairs(position, REFERENCE)
    (action,) = {position.pair(3, 12), position.pair(4, 12)} & picks("cube_rush", position, 1)
    assert picks("cube_rush", position) <= {position.pair(3, 12), position.pair(4, 12)}  # 3 cubes and a PLACE
    assert picks("cube_rush", after(position, action), 400) == set(range(25))


@SLOW
def test_cube_rush_bonuses() -> None:
    """O7-15.2 of pairs with equal cubes the one whose cubes trigger a PLACE or REMOVE rather than a POP; then
    the cheapest scrap.
    """
    position = given(red=[2, 1, 0, 18, 19, 20])  # the 3s P.., R.., A.. of blue and green; one cube each
    hand = [2, 1, 0, 18, 19, 20]
    chosen = {(hand[(a - PAIR) // 10], hand[(a - PAIR) % 10]) for a in picks("cube_rush", position, 60)}
    assert chosen and {module for module, _ in chosen} == {0, 1, 18, 19}
    weighty = {hand[(a - PAIR) // 10] for a in picks("cube_rush(population=50)", position, 60)}
    assert weighty == {2, 20}
    assert taken(given(red=[], offer=[12, 13, 0, 1, 7]), "cube_rush") == {
        (0, 1, 7)
    }  # the cheapest, as many as fit


@SLOW
def test_hoarder() -> None:
    """O7-15.3 it salvages as much as it can where a repair gains far more; without room or offer for two it
    repairs.
    """
    rich = dict(pop="99999|99999", votes="YYYYY|YYYYY")
    position = given(**rich, red=[3, 4], offer=[0, 1, 18, 19, 36])
    assert repairs(position, REFERENCE)
    assert taken(position, "hoarder") == {(0, 1, 18, 19)}  # four cards, two pairs; with 36 only one
    assert repairs(position, "hoarder(room=6)")
    assert repairs(given(**rich, red=[3, 4, 5, 6, 7, 8], offer=[0, 1, 18, 19, 36]), "hoarder")
    assert repairs(given(**rich, red=[3, 4], offer=[12], deck=[]), "hoarder")
    assert repairs(
        given(**rich, red=[3, 4], offer=[12, 13, 14], deck=[], options={"salvage_limit": 11}), "hoarder"
    )


@SLOW
def test_line_banker() -> None:
    """O7-15.5 it gives up a repair that flips two lines, because they are not among the six that it fights
    for.
    """
    position = given(**POOR_CROSS, red=[3, 4], offer=[12], options=CENTRE)
    assert repairs(position, REFERENCE)
    assert taken(position, "line_banker") == {(12,)}
    assert repairs(position, "line_banker(lines=12)")
    assert not repairs(
        position, "line_banker(lines=12, rise=5)"
    )  # a lead of 2 for 2 + 2 people: 2 * 2 * (0.9 + 0.3) = 4.8


@SLOW
def test_line_banker_margins() -> None:
    """O7-15.5 leads beyond three cubes are worth nothing to it; to the reference player the fourth cube is."""
    grid = {(2, 2): "12 4/R"}
    options = {"rows": 3, "cols": 3, "card_set": "no_bonus"}
    position = given(grid=grid, pop="111|119", votes="RRR|RRR", red=[4, 5], offer=[], options=options)
    pair = after(position, position.pair(4, 5))
    assert {divmod(c, 3) for c in picks("line_banker(majority=0)", pair)} == {
        (1, 2),
        (2, 1),
    }  # one cube, a new line of 1 each
    assert {divmod(c, 3) for c in picks("greedy(margin_cap=6)", pair)} == {(1, 2)}


@SLOW
def test_colour_engine() -> None:
    """O7-15.6 it takes the colour that hand, offer and own lines show most, not the one that pairs in hand."""
    position = given(
        grid={(2, 1): "12 1/R", (2, 2): "13 1/R"},
        red=[21],
        yellow=[],
        offer=[3, 4, 22],
        options={"hand_limit": 2},
    )
    assert taken(position, REFERENCE) == {(22,)}
    assert taken(position, "colour_engine") == {(3,), (4,)}
    assert taken(position, "colour_engine(colour=0)") == {(3,), (4,), (22,)}


@SLOW
def test_colour_engine_builds() -> None:
    """O7-15.6 of cells that gain alike it takes the one beside its own card of the same colour."""
    position = given(
        grid={(2, 1): "4 A... 2/R", (2, 2): "21 A... 2/R"},
        votes="RYRYR|YRRRY",
        pop="22122|12221",
        red=[3, 12],
        offer=[],
        deck=[],
    )
    pair = after(position, position.pair(3, 12))
    assert {divmod(c, 5) for c in picks(REFERENCE, pair)} == {(1, 1), (1, 2), (3, 1), (3, 2)}
    assert {divmod(c, 5) for c in picks("colour_engine", pair)} == {(1, 1), (3, 1)}


@SLOW
def test_saboteur_denies() -> None:
    """O7-15.7 it takes the card that pairs in the opponent's known hand; what he keeps unseen it cannot know."""
    row = dict(red=[21], yellow=[5, 6], offer=[3, 22], options={"hand_limit": 2})
    assert taken(given(**row, public=(5, 6)), REFERENCE) == {(22,)}
    assert taken(given(**row, public=(5, 6)), "saboteur") == {(3,)}
    assert taken(given(**row), "saboteur") == {(3,), (22,)}


@SLOW
def test_saboteur_votes() -> None:
    """O7-15.7 taking votes from the opponent is worth more to it than two cards."""
    position = given(**POOR_CROSS, red=[3, 4], yellow=[1], offer=[0, 2], deck=[], options=CENTRE)
    assert not repairs(position, REFERENCE)
    assert repairs(position, "saboteur")
    assert not repairs(position, "saboteur(opposing=1, voted_away=0)")


@SLOW
def test_saboteur_removes() -> None:
    """O7-15.7 a REMOVE that takes a cube and changes no vote is worth 20 more to it than to the reference
    player.
    """
    position = given(
        grid={(2, 2): "3 A... 4/Y"},
        pop="11111|11111",
        votes="YYYYY|YYYYY",
        red=[6, 5],
        offer=[12],
        options={"adjacency": "king"},
    )
    pair = after(position, position.pair(6, 5))  # one cube on R: a REMOVE
    neighbour = {(1, 2), (2, 1), (2, 3), (3, 2)}
    assert {divmod(c, 5) for c in picks(REFERENCE, pair)}.isdisjoint(
        neighbour
    )  # two lines flipped by the corner
    assert {divmod(c, 5) for c in picks("saboteur(removed=40)", pair)} <= neighbour
    assert {divmod(c, 5) for c in picks("saboteur(removed=0)", pair)}.isdisjoint(neighbour)


@SLOW
def test_tempo_planner_last_repair() -> None:
    """O7-15.8 mid-game it scores as the reference player does, but salvages for the last repair of the game."""
    position = given(
        **POOR_CROSS,
        red=[3, 4, 18],
        yellow=[1],
        offer=[12],
        deck=[13, 14, 15, 16, 17],
        options=CENTRE | {"faceup": 1},
    )
    assert repairs(
        position, REFERENCE
    )  # 88 against 60 + 4; his 2 + 2 repairs after a salvage are more than yellow's 0 + 3
    assert taken(position, "tempo_planner") == {(12,)}
    assert repairs(position, "tempo_planner(last=0)")


@SLOW
def test_tempo_planner_phases() -> None:
    """O7-15.8 early, cards count 75 and votes 6; when the deck is empty, votes count 20 and leads beyond one
    nothing.
    """
    early = given(
        **POOR_CROSS,
        red=[3, 4],
        yellow=[1],
        offer=[12],
        deck=[*range(40, 49)],
        options=CENTRE | {"faceup": 1},
    )
    assert repairs(early, REFERENCE)
    assert not repairs(early, "tempo_planner(last=0)")
    assert repairs(early, "tempo_planner(last=0, early=9)")
    late = given(**POOR_CROSS, red=[3, 4], yellow=[1], offer=[0, 2], deck=[], options=CENTRE)
    assert not repairs(late, REFERENCE)
    assert repairs(late, "tempo_planner(last=0)")
    assert not repairs(late, "tempo_planner(last=0, late_sign=10, late_cap=4)")


def own_plans(play: Play) -> dict[tuple[int, ...], float]:
    """The plans as lookahead counts them: of pairs with one module and equally many cubes only the first."""
    result, expected = {}, set()
    for plan, score in plans(play).items():
        key = (
            plan
            if len(plan) == 1
            else ((plan[0] - PAIR) // 10, int(after(play, plan[0]).s.sel_cubes), plan[1])
        )
        if key not in expected:
            expected.add(key)
            result[plan] = score
    return result


def less_the_answer(play: Play, plan: tuple[int, ...], score: float) -> float:
    """A plan's score less that of the opponent's best plan after it (all cards known, no deck)."""
    then = after(play, plan[0])
    then = after(then, plan[1]) if len(plan) == 2 else then
    return score - max(plans(then).values()) if then.s.seat == 1 - play.s.seat else score


@SLOW
@pytest.mark.parametrize(("least", "others"), [(3, 0), (20, 2)])
def test_lookahead(least: int, others: int) -> None:
    """O7-15.9 in endings with all cards open its plan is best after the opponent's best greedy answer,
    counted in plain Python.
    """
    looked, differs = 0, 0
    for play in positions([REFERENCE, REFERENCE], deals=25):
        s = play.s
        if (
            s.deck_pos < s.deck_n
            or (play.view(int(s.seat))[0].hand[1 - s.seat, : s.hand_n[1 - s.seat]] < 0).any()
            or s.stopped.any()
        ):
            continue
        scores = own_plans(play)
        if len(scores) > 64:  # as many as it looks into
            continue
        looked += 1
        action = pick("lookahead(plans=64, samples=1)", play)
        assert action in {
            plan[0]
            for plan in best({plan: less_the_answer(play, plan, score) for plan, score in scores.items()})
        }
        differs += action not in {plan[0] for plan in best(scores)}
        if looked > least and differs > others:
            return
    raise AssertionError(f"{looked} positions, in {differs} of them another plan than the reference player's")


@SLOW
def test_lookahead_alone() -> None:
    """O7-15.9 once the opponent has stopped there is no answer to fear: it plays as the reference player."""
    alone = 0
    for play in positions([REFERENCE, "hoarder"], deals=12):
        if play.s.stopped[1 - play.s.seat]:
            alone += 1
            assert picks("lookahead", play, 6) <= {plan[0] for plan in best(plans(play))}
    assert alone


@SLOW
def test_lookahead_carries_its_plan_through() -> None:
    """O7-15.9 the cell is the one planned with the pair, without looking again; another turn's plan does not
    count.
    """
    carried = 0
    for play in positions([REFERENCE, REFERENCE], deals=3, every=3):
        memo = np.zeros(game.memo, np.int64)
        action = pick("lookahead", play, 1, memo)
        if action < PAIR:
            continue
        carried += 1
        chosen = after(play, action)
        assert {pick("lookahead", chosen, seed, memo.copy()) for seed in range(6)} == {int(memo[2])}
        for cell in chosen.legal():
            planned = memo.copy()
            planned[2] = cell
            assert pick("lookahead", chosen, 1, planned) == cell
        stale = memo.copy()
        stale[0] += 1
        assert pick("lookahead", chosen, 1, stale) == pick("lookahead", chosen, 1)
    assert carried > 3


@SLOW
def test_lookahead_weights() -> None:
    """O7-15.9 every weight of lookahead changes play."""
    usual = final(["lookahead"] * 2, 6).tobytes()
    for weights in ("plans=1", "samples=1", "card=30", "pair=20", "cards=0"):
        assert final([f"lookahead({weights})"] * 2, 6).tobytes() != usual, weights


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("greedy(sign=101)", "greedy(sign) = 101 is out of range: 0 to 100"),
        ("greedy(sign=1.5)", "greedy(sign) takes a whole number from 0 to 100, not '1.5'"),
        ("greedy(caution=-0.1)", "greedy(caution) = -0.1 is out of range: 0 to 1"),
        ("lookahead(plans=0)", "lookahead(plans) = 0 is out of range: 1 to 64"),
        ("lookahead(samples=many)", "lookahead(samples) takes a whole number from 1 to 64, not 'many'"),
        ("hoarder(romm=2)", "unknown weight of hoarder 'romm'"),
        ("saboteur(hand=most)", "unknown choice for saboteur(hand) 'most'"),
    ],
)
def test_bounds(text: str, sentence: str) -> None:
    """O7-15 a weight out of range, of the wrong kind or unknown is refused in one clear line."""
    with pytest.raises(UsageError) as refused:
        player(text)
    assert sentence in str(refused.value)


POLICIES = ["own", "most_cards", "fewest_cards", "most_pairs", "best_opening", "with_offer", "uniform"]
SETTINGS = [
    {}, {"start_rule": "draft"}, {"bonus_origin": "bonus_card", "card_set": "v40", "removal_rule": "skip"},
    {"mulligan": "both", "mulligan_cost": 2, "start_infeasible": "redraw"},
    {"start_choice": "player0_chooses", "start_order": "second_then_first"},
    {"faceup": 8, "hand_limit": 10, "salvage_limit": 30, "start_rule": "keep_at_most", "deal_size": 8},
    {"faceup": 1, "hand_limit": 2, "deal_size": 2, "start_rule": "keep_count"}, {"deal_size": 0, "initial_discards": 30},
    {"start_rule": "deal_count", "first_turn_salvage_limit": 6}, {"start_rule": "random_exact"},
]  # fmt: skip


@pytest.mark.parametrize("options", SETTINGS, ids=lambda o: ",".join(o) or "defaults")
def test_every_hand_policy_keeps_a_legal_hand(options: dict[str, Any]) -> None:
    """O7-9 O7-15 in both seats, however hands are dealt and chosen."""
    for shift in (0, 1):
        for policy in POLICIES:
            for s in final([f"{REFERENCE}(hand={policy})", REFERENCE], 3, options, shift):
                assert s.seat == -1 and not game.problems(s, game.rules(options)[0])


def test_cards_are_counted() -> None:
    """O7-11.2 the plain count of salvages used above: 60 a card, 2 a pair."""
    position = given(red=[3], offer=[4, 5, 21])
    assert [cards_taken(position, mask) for mask in (1, 3, 4, 7)] == [62, 126, 60, 186]
    assert Decision(int(position.s.decision)) == Decision.main
