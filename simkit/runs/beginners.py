"""Side run for the chances of a beginner: one player errs at random, the others do not."""

from simkit.engine.lineups import Named
from simkit.errors import UsageError
from simkit.runs.experiment import parse
from simkit.runs.plan import Cell, Plan, make_plan

FOLDER = "beginners"  # inside the run folder
MOST_DEALS, MOST_GAMES = 1_000, 5_000  # limits per number of seats and error rate
ERR = "blunder"  # the weight of every strategy that sets its error rate


def side_plan(plan: Plan) -> Plan | None:
    """Return the plan of the side run: one player errs in a given part of decisions, the others never.

    The rules are those of the baseline (without a baseline, of the first setting). For each number of seats
    all players use the strategy of the first lineup that is not random. A team also plays without errors.
    None without the key.
    """
    experiment = plan.experiment
    if not experiment.beginners:
        return None
    setting, players = setting_of(plan), _usual_players(plan)
    if not players:
        raise UsageError("key 'beginners': random players cannot err; give a lineup of others")
    error_rates = experiment.beginners if setting.target is None else [0.0, *experiment.beginners]
    lineups = [
        [str(_erring(named, rate)), *[str(named)] * (seats - 1)]
        for seats, named in players.items()
        for rate in error_rates
    ]
    keys = experiment.model_dump(include={"game", "seed", "target", "keep_going"}, exclude_none=True)
    keys |= {"question": "What are the chances of a player who errs among players who do not?"}
    keys |= {"deals": min(MOST_DEALS, MOST_GAMES // max(players), experiment.deals), "lineups": lineups}
    files = experiment.files_of(setting.varied)
    return make_plan(parse(keys | {"files": files, "options": setting.options})).check()


def setting_of(plan: Plan) -> Cell:
    """Return the first cell of the baseline setting; without a baseline, the first cell."""
    return next((cell for cell in plan.cells if cell.baseline), plan.cells[0])


def _usual_players(plan: Plan) -> dict[int, Named]:
    """Return the error-free strategy of each number of seats: the first one that is not random."""
    players = {cell.seats: named for cell in reversed(plan.cells) if (named := player(cell))}
    return dict(sorted(players.items()))


def player(cell: Cell) -> Named | None:
    """Return the first strategy of a cell that is not random, without errors; None if all are random."""
    named = next((named for named in cell.lineup if named.name != "random"), None)
    return named and _erring(named, 0.0)


def _erring(named: Named, error_rate: float) -> Named:
    """Return a strategy with another error rate."""
    weights = {name: text for name, text in named.weights.items() if name != ERR}
    return named._replace(weights=weights | ({ERR: f"{error_rate:g}"} if error_rate else {}))


def errors_of(cell: Cell) -> float:
    """Return the error rate of the erring player in a cell of the side run; 0 if nobody errs."""
    return max(float(named.weights.get(ERR, 0)) for named in cell.lineup)
