"""`simkit check` names the mistakes that people make: in Python and Numba, in rules, in what seats may know."""

from contextlib import nullcontext
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from scipy import stats

from simkit import KnownAnswer, Position, below, ruling
from simkit.engine import registry, tasks
from simkit.engine.compile import jit
from simkit.engine.rule_helpers import redeal_nothing
from simkit.verify.check import CHECKS, Request, _facts, _rules, _run_check, check, random_settings
from simkit.verify.check.coverage import Coverage
from simkit.verify.check.hidden import Hidden, Pairs
from simkit.verify.check.positions import position_faults
from simkit.verify.validate.chances import check_chances, judge_chance
from tests import broken_games, hidden_games
from tests.coding_mistakes import IMPORTS, MISTAKES

SOUND = broken_games.SOUND.replace("from enum import IntEnum\n", IMPORTS, 1)


@pytest.fixture
def load(tmp_path):
    """Load a game from its text: (the game, its file)."""

    numbers = count()

    def load(name, text):
        # In a folder of its own: Python takes a file of the same second and size for the same.
        project = tmp_path / str(next(numbers))
        file = project / "games" / f"{name}.py"
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
        registry.set_projects([])
        registry.add_project(project)
        return registry.game(name), file

    yield load
    registry.set_projects([])


def problems(game, **named):
    return [problem for result in check(game, **named) for problem in result.problems]


@pytest.mark.skipif(not jit.COMPILED, reason="some are mistakes for Numba only")
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.title)
def test_a_coding_mistake_is_told_with_line_and_cure(load, monkeypatch, mistake):
    monkeypatch.setattr(tasks, "LIMIT", 3)
    text = SOUND.replace(mistake.right, mistake.wrong)
    assert SOUND.count(mistake.right) == 1 and mistake.line
    game, file = load("bids", text)
    sentence = problems(game)[0]
    number = next(i for i, line in enumerate(text.splitlines(), 1) if mistake.line in line)
    near = (number - 1, number) if mistake.line.startswith("def") or "end" in mistake.says else (number,)
    assert mistake.says in sentence and any(f"{file}:{line}" in sentence for line in near), sentence


# What seats may know.


def hidden_faults(game, seed):
    return list(Hidden(game, seed).faults([{}, *random_settings(game, 4, seed)]))


@pytest.mark.slow
@pytest.mark.parametrize("base", [hidden_games.SPIES, hidden_games.SILENT], ids=["invariants", "none"])
@pytest.mark.parametrize("fault", hidden_games.FAULTS, ids=lambda fault: fault.title)
def test_a_mistake_with_what_seats_may_know_is_told(load, fault, base):
    assert base.count(fault.right) == 1
    text = base.replace(fault.right, fault.wrong)
    if "leaks" in fault.title:  # with more knowledge that can leak
        text = text.replace(" and s.played[COURIER] == 0", "")
    game, file = load("spies", text)
    sentences = (sentence for seed in range(1, 6) for sentence in hidden_faults(game, seed))
    if "leaks" in fault.title:
        sentences = (sentence for sentence in sentences if fault.says in sentence)
    assert str(file) in next(sentences, "no seed finds it")


def test_a_pair_of_values_on_one_side_names_the_cures():
    pairs, game = Pairs(), registry.game("kuhn_poker")
    pair = ("row", 1, "hand", 2)
    pairs.differ[pair] = 30
    pairs.redealt.add(pair)
    (sentence,) = pairs.faults(game)
    assert sentence.startswith(
        "where row shows 1, hand is 2 in 30 redealt states, but in no true one: redeal must"
    )
    assert ", or observe must hide row (" in sentence
    pairs.true, pairs.redealt = pairs.redealt, pairs.true
    (sentence,) = pairs.faults(game)
    assert "in 30 true states, but in no redealt one: redeal must be able to deal it (" in sentence
    pairs.redealt.add(pair)
    assert not list(pairs.faults(game))


PLUGINS = Path(__file__).parents[1] / "of_games/plugins"
HIDING = [name for name, game in registry.games().items() if game.redeal is not redeal_nothing]


@pytest.mark.slow
@pytest.mark.proof("verify.check", "games", "strategies")
@pytest.mark.parametrize("name", [*HIDING, "market_hands", "deep_mine", "spies"])
def test_right_games_raise_no_false_alarm_in_20_seeds(load, name):
    if name == "spies":
        load(name, hidden_games.SPIES)
    elif name not in HIDING:
        registry.add_project(PLUGINS)
    game = registry.game(name)
    assert [fault for seed in range(1, 21) for fault in hidden_faults(game, seed)] == []


def test_the_right_game_of_hidden_cards_passes_a_quick_check(load):
    game, _ = load("spies", hidden_games.SPIES)
    assert problems(game, quick=True) == []


# Positions, exact chances, coverage.

HIGHEST = """        if s.bid[seat] == best:
            s.score[seat] += 1
"""
ROWS = """
    positions=[
        Position("B-1", then={"legal": [1, 2, 3, 4, 5]}),
        Position("B-1", then={"legal": [1, 2, 3]}, options={"highest": 3}),
        Position("B-2", {"round_no": 2}, [4, 2], {"score": [1, 0], "rank": [1, 2], "end": End.rounds_played}),
        Position("B-2", {"bid[0]": 5, "seat": 1}, then={"view[1].bid": [-1, -1], "view[0].bid[0]": 5}),
    ],
"""
WITH_ROWS = SOUND.replace("words=Words", f"{ROWS.strip()} words=Words").replace(
    "import Field, scalar\n", "import Field, scalar\nfrom simkit import Position\n", 1
)


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("offer(out, 1, rules.highest)", "offer(out, 1, 5)", "legal has 4, 5, which is not expected"),
        (
            "best = max(best, s.bid[seat])",
            "best = min(best, s.bid[seat])",
            "after action 2: score[0] (seat 0) is 0, expected 1",
        ),
        (
            "            view.bid[other] = HIDDEN\n",
            "            view.bid[other] = 0\n",
            "bid[0] (seat 0) is seen by seat 1 as 0, expected -1",
        ),
    ],
    ids=["a rule that is not enforced", "the lowest card wins", "a view"],
)
def test_a_rule_that_is_wrong_is_told_by_a_position(load, right, wrong, says):
    game, file = load("bids", WITH_ROWS)
    assert position_problems(game) == []
    registry.set_projects([])
    assert right in WITH_ROWS
    game, file = load("bids", WITH_ROWS.replace(right, wrong))
    sentence, *_ = position_problems(game)
    assert sentence.startswith("position of B-") and says in sentence and f"({file}:" in sentence


def position_problems(game):
    return _facts(Request(game, [{}], 1, 1, Coverage(game)))[1]


@pytest.mark.parametrize(
    ("position", "says"),
    [
        (
            Position("PIG-4", when=0),
            ": action 0 (holds 0 points, score 0) is not legal for seat 0, only 1 (rolls a …)",
        ),
        (
            Position("PIG-1", {"score": [99, 0], "turn_total": 1, "last_roll": 1}, [0, 1]),
            ": action 1 cannot be taken, since the game is over",
        ),
        (Position("PIG-4", then={"legal": [0]}), ": legal lacks 0 (holds 0 points, score 0), which is expected; has 1 (rolls a …), which is not expected"),
        (
            Position("PIG-4", then={"legal": [0, 1]}),
            ": legal lacks 0 (holds 0 points, score 0), which is expected",
        ),
        (Position("PIG-4", {"turn_totl": 3}), ": unknown field 'turn_totl'; did you mean 'turn_total'?"),
        (Position("PIG-4", then={"score[77]": 3}), ": score[77] fails: IndexError"),
        (Position("PIG-4", then={"view[2].score": [0]}), ": 'view[2].score': there is no seat 2, only 0 to 1"),
        (Position("PIG-4", options={"gaol": 50}), ": unknown option of pig 'gaol'; did you mean 'goal'?"),
        (Position("PIG-4", seats=11), ": seats = 11, but the game has 2 to 10"),
        (
            Position("PIG-1", {"score": [100, 0]}),
            ": given breaks an invariant: a score has reached the goal but the game goes on",
        ),
        (
            Position("PIG-1", when=lambda s, rules, rng: s.score.fill(100)),
            ", after when: the state breaks an invariant: a score has reached the goal but the game goes on",
        ),
        (Position("PIG-4", then={"seat 1 begins": lambda s, rules: s.seat == 1}), ": 'seat 1 begins' is not true"),
        (
            Position("PIG-4", {"turn_total": 7, "last_roll": 3}, 0, {"score": [0, 7]}),
            ", after action 0 (holds 7 points, score 7): score[0] (seat 0) is 7, expected 0; "
            "score[1] (seat 1) is 0, expected 7",
        ),
        (
            Position("PIG-4", {"turn_total": 7, "last_roll": 3}, 0, {"end": 1}),
            ", after action 0 (holds 7 points, score 7): end is unfinished (0), expected goal (1)",
        ),
        (
            Position("PIG-4", {"score": [93, 0], "turn_total": 7, "last_roll": 3}, 0, {"rank": [2, 1]}),
            ", after action 0 (holds 7 points, score 100): rank[0] (seat 0) is 1, expected 2; "
            "rank[1] (seat 1) is 2, expected 1",
        ),
        (Position("PIG-4", then={"log.seat[1].busts": 3}), ": log.seat[1].busts is 0, expected 3"),
        (Position("PIG-4", seats=5, then={"score": [1] * 5}), "score[2] (seat 2) is 0, expected 1; and 2 more places differ"),
        (Position("PIG-4", then={"score": 7}), ": score is [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], expected 7"),
        (Position("PIG-4", then={"view[1].turn_total": 7}), ": turn_total is seen by seat 1 as 0, expected 7"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_position_is_told_in_a_line(position, says):
    (fault,), _ = position_faults(registry.game("pig"), position)
    assert fault.startswith(f"position of {position.clause}") and f"{says}" in fault
    assert f"({__file__}:" in fault


def chance(value):
    answer = KnownAnswer(
        "two dice make 7",
        value,
        "counted",
        holds=lambda s, rules, rng: below(rng.die, 6) + below(rng.die, 6) == 5,
    )
    return replace(registry.game("pig"), known_answers=[answer])


def test_a_known_chance_is_counted():
    (right,), (wrong,) = (list(check_chances(chance(value), 4_000, 1)) for value in (1 / 6, 1 / 4))
    assert right.passed and not wrong.passed and right.measured == wrong.measured
    (sentence,) = position_problems(replace(chance(1 / 4), positions=[]))
    assert sentence.startswith("known answer: two dice make 7: 25.0% expected, counted in 1")


def test_each_deal_of_a_known_chance_is_progress_of_the_check():
    """So that many slow deals are not taken for one that never ends."""
    names = list[str]()

    def calling(name):
        names.append(name)
        return nullcontext()

    list(check_chances(chance(1 / 6), 50, 1, calling))
    assert names == ["the known answer 'two dice make 7'"] * 50


def test_a_right_chance_fails_once_in_16000():
    """Over all counts that a chance may have, the probability of a failure is that of 4 standard errors."""
    game = chance(0.3)
    passes = [judge_chance(game, game.known_answers[0], count, 500).passed for count in range(501)]
    failure = sum(stats.binom.pmf(count, 500, 0.3) for count in range(501) if not passes[count])
    assert 0 < failure <= 1 / 15_000


TIED = SOUND.replace(
    "        rank_by_score(s)\n", "        for seat in range(s.seats):\n            s.rank[seat] = seat + 1\n"
)
BROKEN_TIE = TIED.replace(
    "words=Words", 'positions=[Position("B-2", {"round_no": 2}, [3, 3], {"rank": [1, 2]})], words=Words'
).replace("import Field, scalar\n", "import Field, scalar\nfrom simkit import Position\n", 1)


def notes(game):
    request = Request(game, [{}], 1, 1, Coverage(game))
    _facts(request)
    _rules(request)
    return list(request.coverage.notes())


def test_ties_ranked_by_seat_are_a_question_that_a_position_answers(load):
    hint = "equal scores, different ranks: is there a tie-break? A position that ends so answers this"
    assert hint in notes(load("bids", TIED)[0])
    registry.set_projects([])
    assert hint not in notes(load("bids", BROKEN_TIE)[0])
    assert hint not in notes(registry.game("pig"))


def test_what_was_never_reached_is_noted(load):
    text = SOUND.replace("unfinished rounds_played", "unfinished rounds_played bored").replace(
        "    total = 0\n", "    total = 0\n    if best > 90:\n        total = 7\n"
    )
    number = next(i for i, line in enumerate(text.splitlines(), 1) if "total = 7" in line)
    assert notes(load("bids", text)[0]) == [
        "end reasons never reached: bored",
        "actions reach 5: say Game(action_ids=6), so that simkit.interop knows",
        f"lines of the rules never run: bids.py:{number}",
        "clauses without a position: B-1",
    ]
    assert notes(registry.game("pig")) == []


def test_the_first_of_many_problems_are_told_with_the_number_of_others():
    wrong = [Position("PIG-4", then={"seat": 1})] * 7
    assert problems(replace(registry.game("pig"), positions=wrong))[4:] == [
        f"position of PIG-4: seat is 0, expected 1 ({vars(wrong[0])['line']})",
        "and 2 more problems",
    ]


def test_a_ruling_without_a_position_is_noted():
    game = replace(registry.game("pig"), rulings=[ruling("PIG-3", "One die."), ruling("PIG-9", "No.")])
    assert notes(game) == ["rulings without a position: PIG-9"]


def test_lines_of_a_clause_that_no_position_of_it_runs_are_noted(load):
    """The positions of B-2 reveal bids, but none of them is a 3, which random games bid all the time."""
    text = WITH_ROWS.replace(
        "def reveal(s, rules):\n", 'def reveal(s, rules):\n    """Reveal (B-2)."""\n'
    ).replace(
        "        total += s.bid[seat]\n",
        "        total += s.bid[seat]\n        if s.bid[seat] == 3:\n            total += 0\n",
    )
    number = next(i for i, line in enumerate(text.splitlines(), 1) if "total += 0" in line)
    says = f"lines that no position of their clause runs: bids.py:{number} (B-2)"
    assert says in notes(load("bids", text)[0])
    registry.set_projects([])
    assert says not in notes(load("bids", text.replace("[4, 2]", "[4, 3]"))[0])


LATE = (
    SOUND.replace("ROUNDS = 5, -1, 3", "ROUNDS = 5, -1, 7")
    .replace("s.score[seat] += 1", "s.won[seat] += 1")
    .replace("        rank_by_score(s)\n", "        s.score[:] = s.won[:]\n        rank_by_score(s)\n")
    .replace("STATE = [", 'STATE = [Field("won", "i1", (3,), "Rounds won [seat]"), ')
)


def test_points_that_are_counted_at_the_end_only_are_noted(load):
    early = LATE.replace("        s.score[:] = s.won[:]\n", "").replace(
        "s.won[seat] += 1", "s.score[seat] += 1"
    )
    for text, noted in ((LATE, True), (early, False), (LATE.replace("-1, 7", "-1, 3"), False)):
        hint = [note for note in notes(load("bids", text)[0]) if note.startswith("nobody leads before")]
        assert len(hint) == noted
        registry.set_projects([])


def test_what_is_checked_is_reported():
    activities = list[str]()
    check(registry.game("pig"), quick=True, report=activities.append)
    assert activities == [f"pig: {name}" for name in CHECKS]


def test_a_missing_end_is_told_after_one_game(load):
    text = SOUND.replace("        end(s, End.rounds_played)\n", "        s.round_no = 0\n")
    game, _ = load("bids", text.replace("max_steps=3 * ROUNDS,", ""))
    _, (sentence,) = _run_check(Request(game, [{}], 1, 1, Coverage(game)), _rules)
    assert sentence.startswith("no game has ended, and apply never ends it: say end(s, REASON)")


OPEN_LOG = SOUND.replace("s.round_no == ROUNDS", "s.log.game.turns == ROUNDS").replace(
    "observe=observe, redeal=redeal, ", ""
)


def test_rules_that_read_the_log_are_told_in_the_file_of_the_author(load):
    """Where all is open, the view lacks only the log, and the cure lies in the rules."""
    game, file = load("bids", OPEN_LOG)
    (sentence, *_) = problems(game)
    assert (
        "read" in sentence
        and "the log, which must not influence play" in sentence
        and f"({file}:" in sentence
    )
