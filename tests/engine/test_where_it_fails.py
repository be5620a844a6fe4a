"""Faults in games and strategies say where: the author's line, what is wrong there, what would be right."""

import inspect
import os
import re
import runpy
from dataclasses import replace

import numpy as np
import pytest

from simkit.engine import kernel
from simkit.engine.compile.jit import COMPILED, rule
from simkit.engine.compile.messages import LONGEST, author_line
from simkit.engine.rng import below
from simkit.engine.strategy import Weight, random, strategy
from simkit.engine.table import GameTable
from simkit.errors import PlayError, UsageError
from simkit.games import pig
from simkit.runs import narrate, runner
from simkit.runs.experiment import parse
from simkit.runs.folder import open_unfinished
from tests.projects import project_of

DEALS, STILL = np.arange(30), np.zeros(30, np.int64)


def undecorated(view):
    return pig.ROLL


@rule
def makes_an_array(view):
    return np.zeros(3)


@rule
def of_two(first, other):
    return first + other


def line_of(function, words):
    """FILE:LINE of the line of a function that holds these words."""
    lines, first = inspect.getsourcelines(function)
    (place,) = [first + i for i, line in enumerate(lines) if words in line]
    return f"{__file__}:{place}"


def calls_undecorated(view):
    """Asks a function that is no rule."""
    return undecorated(view)


def calls_an_allocator(view):
    """Asks a rule that makes an array without saying so."""
    return int(makes_an_array(view)[0])


def an_undeclared_weight(view, w):
    """Reads a weight that it has not."""
    return pig.ROLL if w.limit > 1 else pig.HOLD


def a_misspelt_field(view):
    """Reads a field that is not there."""
    return pig.ROLL if view.turn_totl > 1 else pig.HOLD


def a_misspelt_name(view):
    """Reads a name that is not there."""
    return ROLLL if view.turn_total > 1 else pig.HOLD  # noqa: F821


def two_kinds(view):
    """Calls two kinds of values by one name."""
    x = 1
    if view.turn_total > 1:
        x = "roll"  # two kinds
    return x


def too_few_arguments(view):
    """Asks a rule with too little."""
    return of_two(view.seat)


def a_fraction(view):
    """Returns a number with a fraction."""
    return 1.0


def a_way_without_return(view):  # noqa: RET503
    """Returns nothing on one way through."""
    if view.turn_total > 20:
        return pig.HOLD


def writes_to_legal(view, legal):
    """Changes what may only be read."""
    legal[0] = 5
    return pig.ROLL


TABLE = {1: 2}


def reads_a_dictionary(view):
    """Reads what compiled code cannot hold."""
    return TABLE[1]


def reads_a_field_of_an_array(view):
    """Reads a field of what has none."""
    return view.score.total


def adds_a_state(view):
    """Adds a whole record, whose type is long in words."""
    return of_two(view, 1)


def unpacks_too_much(view):
    """Unpacks more than there is."""
    first, other, third = view.seat, 2  # three
    return first + other + third


@rule
def misspells(view):
    if view.turn_total > 1:
        return viewer.seat  # noqa: F821
    return pig.ROLL


def calls_what_misspells(view):
    """Asks a rule that reads a name that is not there."""
    return misspells(view)


REFUSED = [  # body, the function and the words of the line, what the message names
    (calls_undecorated, calls_undecorated, "return undecorated", "undecorated': Cannot determine"),
    (calls_an_allocator, makes_an_array, "np.zeros", "@rule(allocates=True)"),
    (an_undeclared_weight, an_undeclared_weight, "w.limit", "'limit'"),
    (a_misspelt_field, a_misspelt_field, "turn_totl", "no field 'turn_totl'; did you mean 'turn_total'"),
    (a_misspelt_name, a_misspelt_name, "def a_", "'ROLLL' is not defined"),
    (two_kinds, two_kinds, "return x", "for 'x"),
    (too_few_arguments, too_few_arguments, "of_two", "missing a required argument: 'other'"),
    (a_fraction, a_fraction, "def a_", "an action is a whole number, one of `legal`, not float64"),
    (a_way_without_return, a_way_without_return, "def a_", "nothing is returned on some way through"),
    (writes_to_legal, writes_to_legal, "legal[0]", "readonly array"),
    (reads_a_dictionary, reads_a_dictionary, "def reads", "global TABLE of type dict"),
    (reads_a_field_of_an_array, reads_a_field_of_an_array, "view.score", "'total'"),
    (adds_a_state, of_two, "return first + other\n", "add(record, ...)"),
    (unpacks_too_much, unpacks_too_much, "# three", "expected 3, got 2"),
    (calls_what_misspells, calls_what_misspells, "return misspells", "'viewer' is not defined"),
]


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.parametrize("body, at, words, named", REFUSED, ids=[body.__name__ for body, *_ in REFUSED])
def test_what_does_not_compile_is_told_in_a_line_with_the_authors_line_and_the_name(body, at, words, named):
    weights = {"lim": Weight(1, 0, 3, "A weight")} if "weight" in body.__name__ else {}
    player = strategy(pig.game, **weights)(body).player(pig.game)
    with pytest.raises(UsageError) as caught:
        _ = player.decide.compiled
    message = str(caught.value)
    assert message.startswith(f"{line_of(getattr(at, 'py_func', at), words)}: ") and named in message
    assert message.isprintable() and not re.search(r"kernel\.py|0x[0-9a-f]{4}|Record\(", message)
    assert len(re.sub(r"/\S+:\d+", "", message)) <= LONGEST


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_function_of_a_game_without_rule_is_told():
    def legal(s, rules, out):
        return 1

    game = replace(pig.game, name="undecorated_pig", legal=legal)
    with pytest.raises(UsageError, match=r"'legal'.*decorate .* with @rule \(kernel undeco"):
        _ = kernel.build(game).compiled


@rule
def raises_late(view):
    if view.score[0] > 20:
        raise ValueError("no such luck")
    return pig.ROLL


@strategy(pig.game)
def raises(view):
    """Raises in a rule of its own."""
    return raises_late(view)


@strategy(pig.game)
def divides(view):
    """Divides by zero."""
    return pig.ROLL // view.score[0]


@strategy(pig.game)
def illegal(view):
    """Returns what is not legal."""
    if view.score[0] == 0:
        return pig.ROLL
    return 7


@strategy(pig.game)
def beyond_legal(view, legal):
    """Looks beyond the legal actions."""
    return legal[5]


@strategy(pig.game)
def beyond_memo(memo):
    """Writes far beyond its memo."""
    memo[40_000_000] = 5
    return pig.ROLL


@rule
def sixth(legal):
    return legal[5]


@strategy(pig.game)
def beyond_legal_in_a_rule(legal):
    """Has a rule look beyond the legal actions."""
    return sixth(legal)


@strategy(pig.game)
def draws_of_none(legal, rng):
    """Draws a number below 0."""
    return legal[below(rng, legal.size - 2)]


@strategy(pig.game)
def writes_rules(view, rules):
    """Bends the rules, late."""
    if view.score[0] > 20:
        rules.goal = 5
    return pig.ROLL


FAILS = [
    (
        raises,
        line_of(raises_late.py_func if COMPILED else raises_late, "raise ValueError"),
        "ValueError: no such luck",
    ),
    (divides, line_of(divides.body, "//"), "Error: .*(zero|divide)"),
    (illegal, line_of(illegal.body, "@strategy"), "chose the illegal action 7"),
    (beyond_legal, line_of(beyond_legal.body, "legal[5]"), "index 5 is out of bounds"),
    (beyond_memo, line_of(beyond_memo.body, "memo[40"), "index 40000000 is out of bounds .* size 16"),
    (
        beyond_legal_in_a_rule,
        line_of(sixth.py_func if COMPILED else sixth, "legal[5]"),
        "index 5 is out of bounds",
    ),
    (draws_of_none, line_of(draws_of_none.body, "below("), r"below\(rng, n\) needs n from 1 to 2\*\*32 - 1"),
    (writes_rules, line_of(writes_rules.body, "rules.goal"), "the rules record was written to"),
]


@pytest.mark.parametrize("bad, place, message", FAILS, ids=[bad.name for bad, *_ in FAILS])
def test_a_strategy_that_fails_is_told_with_its_line_deal_and_seat(bad, place, message):
    table = GameTable(pig.game, pig.game.rules())
    before = table.rules.tobytes()
    with pytest.raises(PlayError) as caught:
        table.play([bad.player(pig.game), random.player(pig.game)], 3, DEALS, STILL + 1)
    text = rf"pig: seed 3, deal \d+, rotation 1, seat 1, strategy {bad.name}: .*{message}.* \({place}\)"
    assert re.fullmatch(text, str(caught.value)) and caught.value.deal in DEALS
    assert table.rules.tobytes() == before


def test_the_line_of_a_fault_in_the_standard_library_is_that_of_its_caller(tmp_path):
    (tmp_path / "mine.py").write_text("import json\n\n\ndef bad():\n    return json.loads('')\n")
    names = runpy.run_path(str(tmp_path / "mine.py"))
    with pytest.raises(ValueError, match="Expecting value") as raised:
        names["bad"]()
    assert author_line(raised.value) == f"{tmp_path / 'mine.py'}:5"


def test_the_line_of_a_fault_is_never_one_of_the_machinery():
    with pytest.raises(IndexError) as caught:
        kernel.is_legal(1, np.zeros(1), 2)
    assert author_line(caught.value).startswith(__file__)


PROJECT = '''"""A strategy that fails after some turns."""
from simkit.games.pig import ROLL, game
from simkit.engine.strategy import strategy

@strategy(game)
def fails(view, rules):
    """Fails."""
    if max(view.score) > 20:
        raise ValueError("no such luck")
    return ROLL if view.turn_total < 8 else 0
'''


def test_a_run_that_fails_names_the_command_that_tells_the_game_up_to_the_fault(tmp_path):
    """The game fails while it is told, too: the story ends with the fault."""
    with project_of(tmp_path, {"strategies/mine.py": PROJECT}):
        keys = {"question": "?", "game": "pig", "deals": 20, "lineups": [["fails", "random"]]}
        experiment = parse(keys)
        with pytest.raises(PlayError) as caught:
            runner.run(experiment, tmp_path / "run")
        command = re.search(
            rf"simkit --project {os.path.relpath(tmp_path)} replay {tmp_path}/run (\d+)$", str(caught.value)
        )
        assert command and f"mine.py:{8 + 1}" in str(caught.value)
        lines, story = [], narrate.replay(open_unfinished(tmp_path / "run"), int(command[1]))
        with pytest.raises(PlayError) as error:
            lines.extend(iter(lambda: next(story), None))
        assert str(caught.value).startswith(str(error.value))
    assert any("turn total" in line for line in lines) and any("rolls a" in line for line in lines)
