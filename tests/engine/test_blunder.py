"""blunder: a weight of every strategy, the probability of a random legal action at a decision."""

import numpy as np
import pytest

from simkit.cli import main
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.stepper import trace_games
from simkit.engine.strategy import Weight, strategy
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.games import pig

DEALS = np.arange(400)
STILL = np.zeros(len(DEALS), np.int64)


def played(lineup, compiled=True, game="pig", deals=DEALS):
    of = registry.game(game)
    players = registry.players(of, parse_lineup(lineup))
    return GameTable(of, of.rules()).play(players, 1, deals, STILL[: len(deals)], compiled=compiled)


def test_without_blunders_nothing_changes():
    assert played("hold_at(blunder=0)*2").tobytes() == played("hold_at*2").tobytes()


def test_who_always_errs_plays_as_random_does_on_average():
    erring, random = (
        played(lineup)["log"]["game"]["decisions"] for lineup in ("hold_at(blunder=1)*2", "random*2")
    )
    spread = np.sqrt((erring.var() + random.var()) / len(DEALS))
    assert abs(erring.mean() - random.mean()) < 4 * spread and not np.array_equal(erring, random)


def test_blunders_come_as_often_as_they_should():
    """hold_at(threshold=1) holds after its first roll; only a blunder rolls again: with 0.3 in 15 % of decisions."""
    trail = np.empty(200_000, np.int64)
    of = registry.game("pig")
    players = registry.players(of, parse_lineup("hold_at(threshold=1, blunder=0.3)*2"))
    table = GameTable(of, of.rules({"goal": 100}))
    states = table.play(players, 1, DEALS, STILL, trail)
    decisions = int(states["log"]["game"]["decisions"].sum())
    holds = int((trail[: _text(table, states, players)] == pig.HOLD).sum())
    rate = 1 - holds / decisions
    assert abs(rate - 0.15) < 4 * np.sqrt(0.15 * 0.85 / decisions)


def _text(table, states, players):
    """How many actions the trail holds: forced rolls begin every turn, so steps are counted by tracing."""
    return sum(int(part.rows["steps"].sum()) for part in trace_games(table, players, 1, DEALS, STILL))


def test_one_seat_errs_while_the_luck_of_the_others_stays():
    """The streams of choices are the same with and without blunders: who does not err draws what it drew."""
    first = played("random, random(blunder=0.5)", deals=DEALS[:50])
    other = played("random, random", deals=DEALS[:50])
    assert first.tobytes() != other.tobytes()
    assert played("random, random(blunder=0)", deals=DEALS[:50]).tobytes() == other.tobytes()


def test_compiled_and_plain_play_err_alike():
    few = DEALS[:20]
    assert (
        played("hold_at(blunder=0.4)*2", True, deals=few).tobytes()
        == played("hold_at(blunder=0.4)*2", False, deals=few).tobytes()
    )


@pytest.mark.parametrize(
    ("text", "message"), [("2", "0 to 1"), ("-0.1", "0 to 1"), ("often", "a number"), ("nan", "0 to 1")]
)
def test_a_blunder_that_is_no_probability_is_refused(text, message):
    with pytest.raises(UsageError, match=message):
        played(f"hold_at(blunder={text})*2")


def test_a_strategy_cannot_have_a_weight_of_that_name():
    def careless(view, w):
        """Errs by itself."""

    with pytest.raises(UsageError, match="every strategy has a weight 'blunder'"):
        strategy(pig.game, blunder=Weight(0.5, 0, 1, "its own"))(careless)


def test_the_list_of_strategies_tells_it_once(capsys):
    with pytest.raises(SystemExit) as done:
        main(["strategies", "pig"])
    assert done.value.code == 0
    text = capsys.readouterr().out
    assert text.count("blunder = 0") == 1 and "Probability of a random legal action" in text
