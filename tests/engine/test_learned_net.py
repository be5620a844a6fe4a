"""What a net reads of a view, and its values: compiled, in plain Python, changed by what an action changes."""

import numpy as np
import pytest

from simkit.engine.compile.jit import COMPILED
from simkit.engine.game import Game
from simkit.engine.learned import net
from simkit.engine.learned.layout import Layout, observe_values
from simkit.engine.learned.packing import Packing
from simkit.engine.registry import game
from simkit.engine.table import GameTable
from simkit.verify.check.walking import Walk


def random_views(of: Game, seats: int, games: int) -> tuple[np.ndarray, np.ndarray]:
    """Return views of random games by random seats, and these seats."""
    rng, views, seen_by = np.random.default_rng(7), [], []
    for deal in range(games):
        walk = Walk(GameTable(of, of.rules()))
        for _ in walk.positions(deal, seats):
            seen_by.append(int(rng.integers(seats)))
            views.append(walk.view(walk.states, seen_by[-1])[0].copy())
    return np.array(views, of.state_dtype), np.array(seen_by, np.int64)


def random_arrays(layout: Layout) -> dict[str, np.ndarray]:
    """Return weights as large as those of trained players."""
    rng = np.random.default_rng(8)
    inputs = 32 + net.BLOCK * len(layout.places)
    logits = (np.arange(net.SHARES) - net.SHARES // 2) / 256
    return {
        "rows": rng.integers(-2000, 2000, (layout.rows, 32)).astype(np.int16),
        "token_rows": rng.integers(-2000, 2000, (layout.token_rows, net.BLOCK)).astype(np.int16),
        "hidden": rng.integers(-300, 300, (inputs, net.BLOCK)).astype(np.int16),
        "hidden_bias": rng.integers(-100_000, 100_000, net.BLOCK).astype(np.int32),
        "out": rng.integers(-300, 300, (2, net.BLOCK)).astype(np.int16),
        "out_bias": np.array([5, -7], np.int32),
        "sigmoid": np.round(net.WIN / (1 + np.exp(-logits))).astype(np.int16),
    }


class Views:
    """Views of random games and a net of random weights for them."""

    def __init__(self, name: str, seats: int, games: int) -> None:
        self.game = game(name)
        self.views, self.seats = random_views(self.game, seats, games)
        self.bytes = self.views.view(np.uint8).reshape(len(self.views), -1)
        self.rules = self.game.rules().view(np.uint8)
        layout = observe_values(self.game, self.seats, self.game.rules(), self.views)
        self.layout, self.arrays = layout, random_arrays(layout)
        self.head = {net.HIDDEN_SHIFT: 10, net.OUT_SHIFT: 10, net.POINTS: 6553}
        self.net = Packing(self.game, layout, self.arrays).net(self.head)

    def sums(self, i: int, seat: int) -> np.ndarray:
        """Return the sums of view i for a seat, by plain Python."""
        sums = np.zeros(net.sums_of(self.net), np.int32)
        net.begin(self.net, self.views[i], self.rules, seat, sums)
        return sums


GAMES = [("tic_tac_toe", 2, 20), ("high_card", 3, 20), ("pig", 3, 3), ("kuhn_poker", 2, 20)]
LARGE = [("outpost_seven", 2, 3), ("red_outpost", 3, 2), ("exoplanet_colony", 3, 2), ("outpost", 4, 1)]
SLOW = [pytest.param(*row, marks=pytest.mark.slow) for row in LARGE]


@pytest.mark.parametrize(("name", "seats", "games"), [*GAMES, *SLOW])
def test_changed_sums_are_those_of_the_new_view(name, seats, games):
    views, rng = Views(name, seats, games), np.random.default_rng(9)
    for old, new in rng.integers(len(views.views), size=(30, 2)):
        seat = int(rng.integers(seats))
        sums = views.sums(old, seat)
        net.change(views.net, views.views[old], views.views[new], seat, sums)
        assert (sums == views.sums(new, seat)).all()


@pytest.mark.parametrize(("name", "seats", "games"), [*GAMES, *SLOW])
def test_compiled_values_are_those_of_plain_python(name, seats, games):
    views, wins, margins = Views(name, seats, games), *np.zeros((2, 10_000), np.int64)
    net.values(views.bytes, views.rules, views.seats, views.net, wins, margins)
    for i in range(0, len(views.views), 1 + len(views.views) // 30):
        value = net.value(views.net, views.sums(i, int(views.seats[i])))
        assert value == (wins[i], margins[i])
    assert not COMPILED or len(set(wins[: len(views.views)].tolist())) > 3
