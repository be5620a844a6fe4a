"""O7-2 Setup: the docstring of each test begins with its clause."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import stats

from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.facts import Decision

from .chances import fits, share, uniform
from .engine import Play, dealt, luck, reached, rules_of
from .positions import Position, given_deal

RED, YELLOW = [12, 13, 7, 3, 4, 0, 1], [48, 49, 43, 39, 40, 36, 37]  # both 6 6 5 4 4 3 3
VALUES = [6, 6, 5, 4, 4, 3, 3]
SIXES, FIVES = [13, 14, 15, 16, 17, 30, 31], [25, 26, 27, 28, 29, 43, 44]


def subsets(values: list[int]) -> dict[int, tuple[int, int]]:
    """Total and number of cards by mask."""
    n = len(values)
    chosen = {mask: [values[i] for i in range(n) if mask >> i & 1] for mask in range(1 << n)}
    return {mask: (sum(v), len(v)) for mask, v in chosen.items()}


def second(red: list[int], yellow: list[int], **options: Any) -> Position:
    """The moment at which the second player chooses his hand."""
    position = given_deal(red, yellow, options=options)
    position.apply(position.legal()[-1])
    return position


def test_players() -> None:
    """O7-2.1 player 0 is red, player 1 is yellow, and player 0 is the first player."""
    assert game.words.seats == ["red", "yellow"]
    for s in dealt({}, 20):
        assert s.first == 0 and s.seat == 0


def test_border_is_shuffled() -> None:
    """O7-2.2 the population cards are shuffled and the i-th goes to line i: every line has 1, 2 or 3 alike."""
    pop = np.array([s.pop[:10].copy() for s in dealt({}, 6000)])
    for line in range(10):
        fits([np.sum(pop[:, line] == icons) for icons in (1, 2, 3)], [1, 1, 1])
    for a, b in ((0, 1), (0, 9), (4, 5)):  # dealt without replacement: of 14 other cards 4 are alike
        share(pop[:, a] == pop[:, b], 4 / 14)
    assert max(np.sum(pop == icons, axis=1).max() for icons in (1, 2, 3)) == 5


@pytest.mark.parametrize("rows", [3, 4, 5, 6])
@pytest.mark.parametrize("cols", [3, 4, 5, 6])
def test_size_of_the_grid(rows: int, cols: int) -> None:
    """O7-2.2 the grid has 3 to 6 rows and columns, R + C population cards are laid."""
    s = dealt({"rows": rows, "cols": cols}, 1)[0]
    assert np.count_nonzero(s.pop) == rows + cols
    assert rules_of({"rows": rows, "cols": cols})[0].cells == rows * cols


def test_border_colours() -> None:
    """O7-2.2 with border_colours each line gets a uniformly random colour, independent of the others;
    without, none.
    """
    colours = np.array([s.border_colour[:10].copy() for s in dealt({"border_colours": True}, 6000)])
    for line in range(10):
        uniform(colours[:, line].tolist(), range(3))
    share(colours[:, 0] == colours[:, 1], 1 / 3)
    assert all((s.border_colour == -1).all() and not s.colours.any() for s in dealt({}, 5))


def test_initial_population() -> None:
    """O7-2.3 a line starts with the icons of its card, or every line with uniform_population."""
    for s in dealt({}, 50):
        assert all(1 <= p <= 3 for p in s.pop[:10]) and (s.pop == s.pop_initial).all()
    for n in (1, 6):
        assert all(
            s.pop[:10].tolist() == [n] * 10 and s.pop_initial[:10].tolist() == [n] * 10
            for s in dealt({"uniform_population": n}, 5)
        )


def test_initial_votes() -> None:
    """O7-2.4 tokens alternate along the border, line i belongs to player i mod 2; `swapped` the other way
    round; `none` no owner.
    """
    for rows, cols in ((5, 5), (3, 6)):
        size = {"rows": rows, "cols": cols}
        lines = rows + cols
        assert dealt(size, 1)[0].vote[:lines].tolist() == [i % 2 for i in range(lines)]
        assert dealt(size | {"initial_votes": "swapped"}, 1)[0].vote[:lines].tolist() == [
            1 - i % 2 for i in range(lines)
        ]
        assert dealt(size | {"initial_votes": "none"}, 1)[0].vote[:lines].tolist() == [-1] * lines


def test_random_initial_votes() -> None:
    """O7-2.4 `random`: the same tokens shuffled over the lines, every distribution alike."""
    votes = [
        tuple(s.vote[:6].tolist()) for s in dealt({"rows": 3, "cols": 3, "initial_votes": "random"}, 6000)
    ]
    possible = [tuple(int(i in chosen) for i in range(6)) for chosen in combinations(range(6), 3)]
    uniform(votes, possible)


def test_deal() -> None:
    """O7-2.5 each player is dealt seven cards of the shuffled 54, hidden."""
    for s in dealt({}, 30):
        assert s.dealt_n.tolist() == [7, 7] and s.hand_n.tolist() == [0, 0]
        assert not s.revealed[s.dealt[0, :7]].any() and not s.revealed[s.dealt[1, :7]].any()
    assert dealt({"deal_size": 3}, 1)[0].dealt_n.tolist() == [3, 3]


def test_shuffle_of_the_deck() -> None:
    """O7-2.5 every card is equally likely at every place of the deal, the discards, the offer and the deck."""
    states = dealt({}, 5400)
    order = np.array(
        [[*s.dealt[0, :7], *s.dealt[1, :7], *s.discard[:10], *s.offer[:5], *s.deck[29:54]] for s in states]
    )
    assert (np.sort(order, axis=1) == np.arange(54)).all()
    table = np.array([np.bincount(order[:, place], minlength=54) for place in range(54)])
    statistic = ((table - 100.0) ** 2 / 100.0).sum()
    p = stats.chi2.sf(statistic, 53 * 53)
    assert 1e-4 < p < 1 - 1e-4, f"p = {p}"
    share(order[:, 0] < order[:, 1], 0.5)
    share(order[:, 1] + 1 == order[:, 2], 1 / 54)


def test_initial_discards() -> None:
    """O7-2.6 the next ten cards go face up to the discard pile; all of it is public."""
    for s in dealt({}, 30):
        assert s.discard_n == 10 and s.revealed[s.discard[:10]].all()
    assert dealt({"initial_discards": 0}, 1)[0].discard_n == 0
    play = Play.begin({})
    assert all((play.view(seat)[0].discard == play.s.discard).all() for seat in range(2))


def test_offer() -> None:
    """O7-2.7 five cards are turned up before hands are chosen; 25 are the deck."""
    for s in dealt({}, 30):
        assert s.offer_n == 5 and s.deck_n - s.deck_pos == 25 and s.revealed[s.offer[:5]].all()
        assert s.decision == Decision.keep
    s = dealt({"faceup": 8, "initial_discards": 30}, 1)[0]
    assert s.offer_n == 8 and s.deck_n - s.deck_pos == 2


def test_first_chooses_then_second() -> None:
    """O7-2.8 the first player chooses and discards the rest face up, then the second, who sees it."""
    position = given_deal(RED, YELLOW).then(decision="keep", on_turn="red")
    pile = position.fact("discard")
    position.when("red keeps 12 13").then(
        decision="keep", on_turn="yellow", red=[12, 13], discard=[*pile, 7, 3, 4, 0, 1]
    )
    assert position.s.revealed[[7, 3, 4, 0, 1]].all() and not position.s.revealed[[12, 13]].any()
    assert set(position.view(1)[0].discard[:15].tolist()) >= {7, 3, 4, 0, 1}
    position.when("yellow keeps 48 49 39").then(decision="main", on_turn="red", yellow=[48, 49, 39])


def test_second_chooses_first() -> None:
    """O7-2.8 start_order second_then_first: the other way round, each with his own target."""
    position = given_deal(RED, YELLOW, options=dict(start_order="second_then_first")).then(
        decision="keep", on_turn="yellow"
    )
    position.when("yellow keeps 48 49 39").then(on_turn="red", decision="keep").when("red keeps 12 13").then(
        decision="main", on_turn="red"
    )


def test_chooser_does_not_see_the_other_deal() -> None:
    """O7-2.8 the chooser knows his own cards, not those dealt to the opponent."""
    view = given_deal(RED, YELLOW).view(0)[0]
    assert view.dealt[0, :7].tolist() == RED and (view.dealt[1] == -1).all()


@pytest.mark.parametrize(("first_total", "second_total"), [(12, 16), (9, 22), (0, 31)])
def test_keep_exact(first_total: int, second_total: int) -> None:
    """O7-2.9 any subset with exactly the target, and no other."""
    options = dict(start_total_first=first_total, start_total_second=second_total)
    assert given_deal(RED, YELLOW, options=options).legal() == [
        m for m, (total, _) in subsets(VALUES).items() if total == first_total
    ]
    assert second(RED, YELLOW, **options).legal() == [
        m for m, (total, _) in subsets(VALUES).items() if total == second_total
    ]


def test_keep_exact_within_the_hand_limit() -> None:
    """O7-2.9 a starting hand has at most hand_limit cards."""
    legal = second(RED, YELLOW, hand_limit=3).legal()
    assert legal == [m for m, (total, n) in subsets(VALUES).items() if total == 16 and n <= 3]


def test_closest_below() -> None:
    """O7-2.10 without an exact subset the largest reachable total below the target counts."""
    assert given_deal(FIVES, RED).legal() == [m for m, (total, _) in subsets([5] * 7).items() if total == 10]
    assert given_deal(SIXES, YELLOW, options=dict(start_total_first=5)).legal() == [0]
    assert given_deal(SIXES, YELLOW, options=dict(start_total_first=24, hand_limit=3)).legal() == [
        m for m, (total, _) in subsets([6] * 7).items() if total == 18
    ]


def test_closest() -> None:
    """O7-2.10 `closest`: the smallest distance, the lower total on ties."""
    for target, total in ((15, 12), (16, 18), (17, 18), (14, 12), (3, 0), (4, 6)):
        legal = given_deal(
            SIXES, YELLOW, options=dict(start_infeasible="closest", start_total_first=target)
        ).legal()
        assert legal == [m for m, (t, _) in subsets([6] * 7).items() if t == total], f"target {target}"
    legal = given_deal(
        SIXES, YELLOW, options=dict(start_infeasible="closest", start_total_first=16, hand_limit=2)
    ).legal()
    assert legal == [m for m, (t, _) in subsets([6] * 7).items() if t == 12]


def test_redraw_until_feasible() -> None:
    """O7-2.10 `redraw`: infeasible hands are shuffled into the deck for seven new ones, here for the 1.91 %
    and 3.54 % of the table.
    """
    options = {"start_infeasible": "redraw"}
    states = reached(options, 20_000, 1)
    log = states["log"]["seat"]
    first, other = log["redraws"].T
    share(first > 0, 0.0191)
    share(other > 0, 0.0354)
    share(first > 1, 0.0191**2)
    assert (states["keep_total"] == 16).all()
    assert (log["infeasible"][:, 0] == (first > 0)).all()


def test_redraw_leaves_offer_and_discards() -> None:
    """O7-2.10 a redraw takes new cards from the deck behind the offer: discards and offer stay; the cards
    still partition.
    """
    with_redraw, without = dealt({"start_infeasible": "redraw"}, 2000), dealt({}, 2000)
    redrawn = [i for i in range(2000) if with_redraw[i].log.seat[0].redraws]
    assert len(redrawn) > 10
    rules = rules_of({"start_infeasible": "redraw"})[0]
    for i in redrawn:
        new, old = with_redraw[i], without[i]
        assert (
            (new.offer == old.offer).all()
            and (new.discard == old.discard).all()
            and new.deck_pos == old.deck_pos == 29
        )
        assert game.problems(new, rules) == [] and sorted(new.dealt[0, :7]) != sorted(old.dealt[0, :7])


def test_redraw_gives_up() -> None:
    """O7-2.10 after 20 redraws closest_below holds."""
    options = dict(start_infeasible="redraw", deal_size=1)
    rules = rules_of(options)[0]
    for s in dealt(options, 20):
        assert s.log.seat[0].redraws == 20 and s.keep_total == rules.value[s.dealt[0, 0]]


def test_keep_at_most() -> None:
    """O7-2.11 keep_at_most: any subset up to the target, the empty one included, within the hand limit."""
    assert given_deal(RED, YELLOW, options=dict(start_rule="keep_at_most")).legal() == [
        m for m, (t, _) in subsets(VALUES).items() if t <= 12
    ]
    legal = second(RED, YELLOW, start_rule="keep_at_most", hand_limit=2).legal()
    assert legal == [m for m, (t, n) in subsets(VALUES).items() if t <= 16 and n <= 2]


def test_keep_count() -> None:
    """O7-2.11 keep_count: exactly so many cards, capped by deal_size and hand_limit."""
    assert len(given_deal(RED, YELLOW, options=dict(start_rule="keep_count")).legal()) == comb(7, 2)
    assert second(RED, YELLOW, start_rule="keep_count").legal() == [
        m for m, (_, n) in subsets(VALUES).items() if n == 3
    ]
    assert given_deal(
        RED[:3], YELLOW[:3], options=dict(start_rule="keep_count", start_count_first=8)
    ).legal() == [7]
    assert len(
        given_deal(
            RED, YELLOW, options=dict(start_rule="keep_count", start_count_first=6, hand_limit=4)
        ).legal()
    ) == comb(7, 4)


def test_deal_count() -> None:
    """O7-2.11 deal_count: the first that many dealt cards are kept, without a choice, the others discarded."""
    position = given_deal(RED, YELLOW, options=dict(start_rule="deal_count"))
    position.then(decision="main", red=[12, 13], yellow=[48, 49, 43])
    assert position.fact("discard")[10:] == [7, 3, 4, 0, 1, 39, 40, 36, 37]
    given_deal(RED, YELLOW, options=dict(start_rule="deal_count", start_count_second=8, hand_limit=5)).then(
        red=[12, 13], yellow=YELLOW[:5]
    )


def test_random_exact() -> None:
    """O7-2.11 random_exact: a uniformly random one of the subsets that keep_exact would allow, without a
    choice.
    """
    start = given_deal(RED, YELLOW, options=dict(start_rule="random_exact", start_choice="player0_chooses"))
    stored = []
    for deal in range(2400):
        position = Position(start.states.copy(), start.rules_array, luck(7, deal))
        position.apply(0)
        assert position.s.decision == 5
        stored.append((frozenset(position.fact("red")), frozenset(position.fact("yellow"))))
    legal = {t: [frozenset(cards[i] for i in range(7) if m >> i & 1) for m, (total, _) in subsets(VALUES).items() if total == t]
             for t, cards in ((12, RED), (16, YELLOW))}  # fmt: skip
    uniform([red for red, _ in stored], legal[12])
    uniform([yellow for _, yellow in stored], legal[16])
    uniform(stored, [(a, b) for a in legal[12] for b in legal[16]])


def test_random_exact_infeasible() -> None:
    """O7-2.11 random_exact includes O7-2.10: without an exact subset one of the nearest below."""
    start = given_deal(SIXES, FIVES, options=dict(start_rule="random_exact"))
    assert len(start.fact("red")) == 2 and len(start.fact("yellow")) == 3


def test_draft() -> None:
    """O7-2.11 draft: one open pool, player 0's cards first; the second player picks first; slots close up."""
    position = given_deal(RED, YELLOW, options=dict(start_rule="draft")).then(
        decision="draft", on_turn="yellow", legal=list(range(14))
    )
    assert position.s.pool[:14].tolist() == RED + YELLOW and position.s.revealed[RED + YELLOW].all()
    position.when("yellow drafts 13").then(on_turn="red", yellow=[13], legal=list(range(13)))
    assert position.s.pool[:14].tolist() == [c for c in RED + YELLOW if c != 13] + [-1]
    position.when("red drafts 12").when("yellow drafts 48").when(
        "red drafts 43"
    )  # red has 11 of 12, yellow 12 of 16
    position.then(on_turn="yellow").when("yellow drafts 39")  # 16: yellow is done; red cannot add to 11
    pool = [c for c in RED + YELLOW if c not in (13, 12, 48, 43, 39)]
    position.then(decision="main", on_turn="red", red=[12, 43], yellow=[13, 48, 39])
    assert position.fact("discard")[10:] == pool and position.s.pool_n == 0 and (position.s.pool == -1).all()


def test_draft_passes_over() -> None:
    """O7-2.11 draft: who cannot pick is passed over, the other goes on; no exactness; total and hand limit
    bind each pick.
    """
    options = dict(start_rule="draft", start_total_first=3)
    position = (
        given_deal(RED, YELLOW, options=options)
        .when("yellow drafts 12")
        .then(on_turn="red", legal=[4, 5, 11, 12])
    )
    position.when("red drafts 0").then(on_turn="yellow").when("yellow drafts 13").then(
        on_turn="yellow", decision="draft"
    )
    position.when("yellow drafts 36").then(decision="main", red=[0], yellow=[12, 13, 36])
    position = given_deal(
        RED,
        YELLOW,
        options=dict(start_rule="draft", hand_limit=2, start_total_first=48, start_total_second=48),
    )
    position.when("yellow drafts 36").when("red drafts 37").when("yellow drafts 0").when("red drafts 1")
    position.then(decision="main", red=[37, 1], yellow=[36, 0])


def test_other_rules_keep_the_length_of_the_game() -> None:
    """O7-2.11 under every rule deal_size cards per player leave the deck and what is not kept is discarded."""
    for rule in ("keep_exact", "keep_at_most", "keep_count", "deal_count", "random_exact", "draft"):
        for s in reached({"start_rule": rule}, 20, decision=5):
            assert s.deck_n - s.deck_pos == 25 and s.offer_n == 5 and s.discard_n == 10 + 14 - s.hand_n.sum()


def test_mulligan_question() -> None:
    """O7-2.12 directly before he chooses, a player may redraw once; `second` and `both` say who; `none`
    nobody.
    """
    position = given_deal(RED, YELLOW, options=dict(mulligan="both")).then(
        decision="mulligan", on_turn="red", legal=[0, 1]
    )
    position.when("red stays with the deal").then(decision="keep", on_turn="red").when(
        "red keeps 12 13"
    ).then(decision="mulligan", on_turn="yellow")
    position.when("yellow redraws").then(decision="keep", on_turn="yellow")
    position = (
        given_deal(RED, YELLOW, options=dict(mulligan="second"))
        .then(decision="keep", on_turn="red")
        .when("red keeps 12 13")
    )
    position.then(decision="mulligan", on_turn="yellow").when("yellow stays with the deal").then(
        decision="keep"
    )
    assert position.s.dealt[1, :7].tolist() == YELLOW
    given_deal(RED, YELLOW).when("red keeps 12 13").then(decision="keep", on_turn="yellow")


def test_mulligan_follows_the_role() -> None:
    """O7-2.12 `second` is the second player, also where player 0 chose to be it."""
    options = dict(mulligan="second", start_choice="player0_chooses")
    given_deal(RED, YELLOW, options=options).when("red goes second").then(decision="keep", on_turn="yellow")


@pytest.mark.parametrize(
    ("rule", "question"),
    [
        ("keep_at_most", True),
        ("keep_count", True),
        ("random_exact", True),
        ("deal_count", False),
        ("draft", False),
    ],
)
def test_mulligan_by_rule(rule: str, question: bool) -> None:
    """O7-2.12 the mulligan belongs to the rules keep_* and random_exact."""
    position = given_deal(RED, YELLOW, options=dict(mulligan="both", start_rule=rule))
    assert (position.decision.name == "mulligan") == question


def test_mulligan_redraw_is_a_shuffle() -> None:
    """O7-2.12 the dealt cards go into the deck, and as many new ones come from all of these, uniformly."""
    start = given_deal(RED, YELLOW, options=dict(mulligan="both"))
    deck = set(start.fact("deck"))
    counts: Counter[int] = Counter()
    for deal in range(1600):
        position = Position(start.states.copy(), start.rules_array, luck(3, deal)).when("red redraws")
        new = position.s.dealt[0, :7].tolist()
        assert set(new) | set(position.fact("deck")) == deck | set(RED) and len(set(new)) == 7
        counts.update(new)
    fits([counts[c] for c in sorted(deck | set(RED))], [1] * 32)
    position.then(log={}, red_log=dict(mulligan=1), yellow_log=dict(mulligan=0))


def test_mulligan_cost() -> None:
    """O7-2.12 the redraw lowers the target by mulligan_cost, not below 0, and only for who redrew."""
    for cost, total in ((0, 12), (3, 9), (6, 6)):
        position = given_deal(RED, YELLOW, options=dict(mulligan="both", mulligan_cost=cost)).when(
            "red redraws"
        )
        values = [int(position.rules.value[c]) for c in position.s.dealt[0, :7]]
        best = max(t for t, _ in subsets(values).values() if t <= total)
        assert position.legal() == [m for m, (t, _) in subsets(values).items() if t == best]
        position.apply(position.legal()[0])
        position.when("yellow stays with the deal").then(
            legal=[m for m, (t, _) in subsets(VALUES).items() if t == 16]
        )
    given_deal(RED, YELLOW, options=dict(mulligan="both", mulligan_cost=6, start_total_first=4)).when(
        "red redraws"
    ).then(legal=[0])


def test_mulligan_cost_lowers_totals_only() -> None:
    """O7-2.12 mulligan_cost does not touch the counts of keep_count."""
    position = given_deal(
        RED, YELLOW, options=dict(mulligan="both", mulligan_cost=6, start_rule="keep_count")
    ).when("red redraws")
    assert len(position.legal()) == comb(7, 2)


def test_player_0_chooses_who_starts() -> None:
    """O7-2.13 after the offer is turned up, player 0 goes first or second; totals and order follow the roles."""
    options = dict(start_choice="player0_chooses")
    position = given_deal(RED, YELLOW, options=options).then(decision="side", on_turn="red", legal=[0, 1])
    assert position.s.offer_n == 5 and (position.view(0)[0].dealt[1] == -1).all()
    first = (
        position.copy_position()
        .when("red goes first")
        .then(decision="keep", on_turn="red", first=0, keep_total=12)
    )
    first.when("red keeps 12 13").then(keep_total=16).when("yellow keeps 48 49 39").then(
        on_turn="red", decision="main"
    )
    other = (
        position.copy_position()
        .when("red goes second")
        .then(decision="keep", on_turn="yellow", first=1, keep_total=12)
    )
    other.when("yellow keeps 48 49").then(on_turn="red", keep_total=16).when("red keeps 12 13 3").then(
        on_turn="yellow", decision="main"
    )


def test_player_0_starts_without_the_choice() -> None:
    """O7-2.13 `fixed`: nobody is asked."""
    given_deal(RED, YELLOW).then(decision="keep", first=0)


def test_roles_of_counts_and_draft() -> None:
    """O7-2.13 counts and the draft's order follow the roles too."""
    counts = dict(start_choice="player0_chooses", start_rule="deal_count")
    given_deal(RED, YELLOW, options=counts).when("red goes second").then(
        red=RED[:3], yellow=YELLOW[:2], on_turn="yellow"
    )
    draft = dict(start_choice="player0_chooses", start_rule="draft", start_total_second=3)
    given_deal(RED, YELLOW, options=draft).when("red goes second").then(on_turn="red", legal=[5, 6, 12, 13])


def test_second_bonus_population() -> None:
    """O7-2.14 after both hands are chosen the second player adds population to a line that shows his colour."""
    position = (
        given_deal(RED, YELLOW, options=dict(second_bonus_population=4))
        .when("red keeps 12 13")
        .when("yellow keeps 48 49 39")
    )
    position.then(decision="bonuspop", on_turn="yellow", legal=[1, 3, 5, 7, 9])
    before = position.s.pop.copy()
    position.when("yellow adds population to line 3").then(
        decision="main", on_turn="red", pop={3: before[3] + 4, 1: before[1], 5: before[5]}
    )
    assert position.s.score[1] == before[[1, 3, 5, 7, 9]].sum() + 4


def test_second_bonus_population_without_own_line() -> None:
    """O7-2.14 any line, if none shows his colour; nobody is asked with 0."""
    options = dict(second_bonus_population=1, start_rule="deal_count", initial_votes="none")
    given_deal(RED, YELLOW, options=options).then(
        decision="bonuspop", on_turn="yellow", legal=list(range(10))
    )
    given_deal(RED, YELLOW, options=dict(start_rule="deal_count")).then(decision="main")


def test_second_bonus_population_follows_the_role() -> None:
    """O7-2.14 the second player by role."""
    options = dict(second_bonus_population=1, start_rule="deal_count", start_choice="player0_chooses")
    given_deal(RED, YELLOW, options=options).when("red goes second").then(
        decision="bonuspop", on_turn="red", legal=[0, 2, 4, 6, 8]
    )
