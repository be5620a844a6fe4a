"""Presets of wishes: a name that stands for several wishes."""

from simkit.ask.requests import lineups_of
from simkit.ask.rungs import beginner
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import split
from simkit.engine.strategy import RANDOM
from simkit.errors import UsageError
from simkit.questions.design.result import split_wish

TARGET_MATRIX = "target_matrix"
PRESET_FORM = f"{TARGET_MATRIX} with A, B, C"
BETTER_WINS = (0.6, 0.7)  # what the better of two players wins against the level before
SEAT_TOLERANCE = 0.1  # how far off its fair share a seat may be among equal players, relative to it


def is_preset(wish: str) -> bool:
    """Return whether a wish is the name of a preset, with or without players."""
    return split_wish(wish)[0] == TARGET_MATRIX


def expand(wish: str, game: Game, seats: int, fair: float) -> list[str]:
    """Return the wishes for which a preset stands; raises UsageError where players cannot meet each other."""
    if game.team:
        raise UsageError(f"wish {wish}: {game.name} is co-operative; nobody plays against another in it")
    players = split_wish(wish)[1]
    levels = [part.strip() for part in split(players)] if players else _usual_levels(wish, game)
    if len(levels) < 2:
        raise UsageError(f"wish {wish}: name two strategies or more, the weakest first, as in {PRESET_FORM}")
    return target_matrix(levels, seats, fair)


def target_matrix(levels: list[str], seats: int, fair: float) -> list[str]:
    """Return wishes for a matrix of win rates between levels of skill, and for the rate of the first player.

    Of two players, each wins 60 to 70 of 100 games against the level before. At a table of n, the odds
    against each rival stay: w / (w + n − 1) with w = p / (1 − p) (Luce 1959). Among equal players, each seat
    wins its fair share to within a tenth. These are the targets of the Tabletop Games Balancing Competition
    (IEEE Conference on Games 2025): a matrix, and a rate of the first player; it has other numbers per game.

    >>> target_matrix(["random", "hold_at"], 2, 0.5)
    ['skill=60:70 with hold_at over random', 'fairness=45:55 with random, hold_at']
    >>> target_matrix(["random", "hold_at"], 4, 0.25)
    ['skill=33.3:43.8 with hold_at over random', 'fairness=22.5:27.5 with random, hold_at']
    """
    odds = [share / (1 - share) for share in BETTER_WINS]
    low, high = (_percent(ratio / (ratio + seats - 1)) for ratio in odds)
    steps = [f"skill={low}:{high} with {levels[i]} over {levels[i - 1]}" for i in range(1, len(levels))]
    least, most = (_percent(fair * (1 + off)) for off in (-SEAT_TOLERANCE, SEAT_TOLERANCE))
    return [*steps, f"fairness={least}:{most} with {', '.join(levels)}"]


def _usual_levels(wish: str, game: Game) -> list[str]:
    """Return random, a beginner, and the usual policy or, if that is random, the first own strategy."""
    policy = registry.default_policy(game)
    if policy == RANDOM:
        ((policy, *_),) = lineups_of(game.name, ())
    if policy == RANDOM:
        problem = f"{game.name} has no strategy of its own; name players, the weakest first"
        raise UsageError(f"wish {wish}: {problem}, as in {PRESET_FORM}")
    return [RANDOM, str(beginner(game, policy)), policy]


def _percent(share: float) -> str:
    """Return a share in percent; what is a half but for rounding errors is rounded up."""
    return f"{round(100 * share + 1e-9, 1):g}"
