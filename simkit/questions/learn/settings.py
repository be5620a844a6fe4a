"""Settings that suit a trained player: deals of luck averaged at a decision, and the search called `strong`.

Both follow from games and from the number of views that a decision values. A clock would choose other ones on
another machine, and with them another player from the same command.
"""

from collections.abc import Callable

import numpy as np

from simkit.engine.kernel import CHOICES
from simkit.engine.learned.net import ENTRIES, head
from simkit.engine.positions import results
from simkit.engine.table import GameTable, Lineup, Player

SEED = 20_261_129  # of the deals of all this, which nothing else plays
SAMPLES = (4, 16, 64)
LEAST_GAIN, ERRORS = 0.02, 2.0  # share that more samples must add, and its standard errors
DEALS = 200
# Horizon in turns and play-outs of searches, the strongest first.
SEARCHES = ((4, 64), (4, 40), (4, 24), (2, 24), (2, 16), (1, 16), (1, 10), (1, 6))
# Horizon (0: the end) and play-outs of a search that plays on with a scripted base, alone and as a team.
# Such a player learns which action is better, and less what a position is worth. Against the base, 200
# play-outs of four turns win 45 of 100 games at Outpost and 67 at Lunar Outpost, and 24 to the end 92 and
# more. The team of Exoplanet Colony wins 97 with 200 play-outs of four turns, and 79 with 24 to the end.
OF_BASE, OF_TEAM = (0, 24), (4, 200)
TOP = 5  # choices compared beside the player's own
VIEWS = 8_000  # valued at a decision, which takes about 5 ms
# In games in which a tree can prove what is sure. It reads each view anew: so many entries take about 5 ms.
TREE, READ = "tree(policy={policy}, leaf=learned, explore=0.2, caution=0, budget={budget})", 1_500_000
MEASURED_GAMES = 20


def best_samples(table: GameTable, lineup: Callable[[int], Lineup], usual: int) -> int:
    """Return how many samples a player should take at a decision: more as long as they surely win more.

    `lineup(samples)` has the player in its first seat, and others in the rest.
    """
    best, own = usual, _shares(table, lineup(usual))
    for samples in (number for number in SAMPLES if number > usual):
        shares = _shares(table, lineup(samples))
        gains = shares - own
        if gains.mean() < max(LEAST_GAIN, ERRORS * gains.std() / np.sqrt(DEALS)):
            break
        best, own = samples, shares
    return best


def _shares(table: GameTable, lineup: Lineup) -> np.ndarray:
    """Return what the first player of a lineup wins on each deal, on average over all seats."""
    rotations = np.tile(np.arange(len(lineup)), DEALS)
    states = table.play(lineup, SEED, np.repeat(np.arange(DEALS), len(lineup)), rotations)
    own = results(table.game, states)[0][np.arange(rotations.size), -rotations % len(lineup)]
    shares: np.ndarray = own.reshape(DEALS, len(lineup)).mean(axis=1)
    return shares


def strong_search(table: GameTable, player: Player, seats: int, base: str = "") -> str:
    """Return the strongest search of a price with a learned player, which may improve on a base strategy.

    It is a tree where nothing is hidden and nothing left to chance: what can be proven there counts more than
    many play-outs. A search over a player that improves on a base compares the actions that the player values
    most by play-outs of the base.
    """
    policy, (a_turn, a_choice) = base or "learned", choices(table, player, seats)
    if table.game.is_certain and seats == 2:
        views = seats + a_choice  # of a play-out: one by each seat, and those that its policy compares
        budget = READ / (views * head(player.net, ENTRIES))
        return TREE.format(policy=policy, budget=int(float(f"{budget:.2g}")))
    affordable = (pair for pair in SEARCHES if pair[0] * pair[1] * a_turn <= VIEWS)
    horizon, budget = next(affordable, SEARCHES[-1])
    if base:
        horizon, budget = OF_TEAM if table.game.team else OF_BASE
    return f"search(policy={policy}, leaf=learned, horizon={horizon}, top={TOP}, budget={budget})"


def choices(table: GameTable, player: Player, seats: int) -> tuple[float, float]:
    """Return how many actions there are to choose from in a turn, and at a decision.

    They are counted in games of a player against itself.
    """
    numbers, most = np.arange(MEASURED_GAMES), MEASURED_GAMES * table.game.max_steps
    notes = np.zeros((most, 4), np.int64)
    states = table.play([player] * seats, SEED, numbers, 0 * numbers, notes=notes)
    every, turns = notes[:, CHOICES].sum(), states["log"]["game"]["turns"].sum()
    return float(every / max(1, turns)), float(every / max(1, np.count_nonzero(notes[:, CHOICES])))
