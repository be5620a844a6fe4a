"""Speed of play-outs, on which the strength of searches at a given time depends."""

import time
from typing import Any, NamedTuple

import numpy as np

from simkit.engine import registry
from simkit.engine.compile.jit import clone
from simkit.engine.game import Game
from simkit.engine.kernel import WORK
from simkit.engine.lineups import parse_strategy
from simkit.engine.playout import open_luck, playing_on, redealing, usual_choice
from simkit.engine.rng import keyed
from simkit.engine.strategy import Policy, Weight, searching
from simkit.engine.table import GameTable

SAMPLES = 20  # redeals at each decision, each played on once
ROUNDS = 5
DEALS = 4  # at first; more if they take less than a round


class PlayOuts(NamedTuple):
    """Play-outs per second in one game with its default policy: the most of several rounds."""

    game: str
    seats: int
    policy: str
    per_second: float


@searching(
    room=lambda game, w: WORK + game.max_actions,
    policy=Policy("Plays on in all seats, and decides"),
    samples=Weight(SAMPLES, 1, 1_000, "Play-outs at each decision"),
)
def play_outs(game: Game) -> Any:
    """Plays on after the policy's own choice, and takes it, to time the play-outs."""
    redealt, play_on, step = redealing(game), playing_on(game), game.step

    def decide(view, rules, legal, w, rng, scratch, work, lent, ply):  # type: ignore[no-untyped-def]
        key, root, s, ids = keyed(rng, ply, 0), scratch[0], scratch[1], work[WORK:]
        usual = usual_choice(view, rules, legal, lent, key)
        for sample in range(w.samples):
            redealt(root, view, rules, key, sample, lent.streams[:1])
            clone(s, root)
            open_luck(lent, key, sample, 0)
            step(s, rules, usual, lent.luck)
            play_on(s, rules, lent, ids, key, sample, 0)
        return usual

    return decide


def playout_speed(game: Game, seconds: float = 0.5) -> PlayOuts:
    """Return the speed of play-outs from all decisions of games of the default policy."""
    policy, seats = registry.default_policy(game), game.default_seats
    player = play_outs.player(game, policy=registry.player(game, parse_strategy(policy)[0]))
    table, deals = GameTable(game, game.rules()), DEALS
    _timed(table, [player] * seats, 1)  # loads compiled code, which does not count
    while (timed := _timed(table, [player] * seats, deals))[0] < seconds:
        deals *= 2
    rounds = [timed, *(_timed(table, [player] * seats, deals) for _ in range(ROUNDS - 1))]
    return PlayOuts(game.name, seats, policy, max(count / elapsed for elapsed, count in rounds))


def _timed(table: GameTable, players: list[Any], deals: int) -> tuple[float, int]:
    """Play so many games; return the processor time in seconds and the number of play-outs."""
    start = time.process_time()
    states = table.play(players, 1, np.arange(deals), np.zeros(deals, np.int64))
    return time.process_time() - start, SAMPLES * int(states["log"]["game"]["decisions"].sum())
