"""The small run beside a run: what a player who errs wins among players who do not."""

from collections.abc import Iterator

from simkit.engine.strategy import Named
from simkit.errors import UsageError
from simkit.runs.experiment import Cell, Experiment, cells

FOLDER = "beginners"  # within the folder of the run
MOST_DEALS, MOST_GAMES = 1_000, 5_000  # of a number of seats and part of errors
ERR = "blunder"  # the weight of every strategy that makes it err


def experiment_of(experiment: Experiment) -> Experiment:
    """The experiment of the small run: one player errs in so many decisions, the others never do.

    The rules are those of the baseline (without one, of the first setting). For each number of seats all
    play the strategy of the first lineup that is not random. A team also plays without any errors.
    """
    setting, players = setting_of(experiment), usual_players(experiment)
    if not players:
        raise UsageError("key 'beginners': random players cannot err; give a lineup of others")
    error_rates = experiment.beginners
    if setting.target is not None:
        error_rates = [0.0, *error_rates]
    return Experiment(
        question="What are the chances of a player who errs among players who do not?",
        game=experiment.game,
        deals=min(MOST_DEALS, MOST_GAMES // max(players), experiment.deals),
        seed=experiment.seed,
        lineups=[list(_lineup(players[seats], seats, rate)) for seats in players for rate in error_rates],
        files=experiment.files_of(setting.varied),
        target=experiment.target,
        keep_going=experiment.keep_going,
        options=setting.options,
    )


def setting_of(experiment: Experiment) -> Cell:
    """The first cell of the baseline, without one of the experiment: whose rules are looked at."""
    played = cells(experiment)
    return next((cell for cell in played if cell.baseline), played[0])


def usual_players(experiment: Experiment) -> dict[int, Named]:
    """Seats -> who plays there, without errors: the first that is not random."""
    players = {cell.seats: named for cell in reversed(cells(experiment)) if (named := player(cell))}
    return dict(sorted(players.items()))


def player(cell: Cell) -> Named | None:
    """Who plays in a cell, without errors: its first strategy that is not random."""
    candidates = (Named(named.name, _steady(named)) for named in cell.lineup)
    return next((named for named in candidates if named.name != "random"), None)


def _steady(named: Named) -> dict[str, str]:
    return {name: text for name, text in named.weights.items() if name != ERR}


def _lineup(usual: Named, seats: int, error_rate: float) -> Iterator[str]:
    yield str(Named(usual.name, {**usual.weights, ERR: f"{error_rate:g}"}) if error_rate else usual)
    yield from [str(usual)] * (seats - 1)


def errors_of(cell: Cell) -> float:
    """How often the player who errs does so, in a cell of the small run; 0 where nobody does."""
    return max(float(named.weights.get(ERR, 0)) for named in cell.lineup)
