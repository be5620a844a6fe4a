"""What a page about strategies says where it has nothing to rank, and the experiments that would give it something."""

from __future__ import annotations

from typing import Any

from reports.sections import advice
from simkit.report import Section, Story, Takeaway
from simkit.runlog import Run


def takeaway() -> Takeaway:
    text = "In this run no strategy met another, so there is nothing to rank: the commands below play the strategies against each other."
    return Takeaway(text)


def section(run: Run) -> Section:
    game = run.experiment.game
    text = (
        "Type these commands in a terminal: they write an experiment file, play it and write its report. To add more strategies to the file, "
        f"list them with {advice.again(run, 'strategies', game)}; "
        "mirrors = true lets each also play against itself, which shows the seats by strength."
    )
    return Section(
        "What to run instead",
        [text],
        stories=[Story("Commands for a run that ranks strategies", _round_robin(run))],
    )


def _round_robin(run: Run) -> str:
    names = list(dict.fromkeys(label for cell in run.cells for label in cell.labels))
    names += [] if len(names) > 1 else ["random"] if names != ["random"] else ["ANOTHER STRATEGY"]
    seats = max(cell.seats for cell in run.cells)
    keys: dict[str, Any] = {"question": f"Which strategy is best at {run.experiment.game.replace('_', ' ')}?"}
    keys |= {"sweep": {}, "baseline": {}, "rotate": True, "deals": max(2_000, run.experiment.deals)}
    if seats == 2:
        keys |= {"round_robin": names, "mirrors": True, "lineups": []}
    else:
        keys |= {
            "lineups": [[one] * (seats - 1) + [other] for one in names for other in names],
            "round_robin": [],
        }
    return advice.written(run, "strategies", "strategies", **keys)


def with_mirrors(run: Run) -> str:
    """The same run with every strategy in every seat, too."""
    names: dict[int, list[str]] = {seats: [] for seats in sorted({cell.seats for cell in run.cells})}
    for cell in run.cells:
        names[cell.seats] += [label for label in cell.labels if label not in names[cell.seats]]
    if run.experiment.round_robin and not run.experiment.lineups:
        return advice.written(run, "with_mirrors", "strategies", mirrors=True)
    more = [[name] * seats for seats, known in names.items() for name in known]
    return advice.written(run, "with_mirrors", "strategies", lineups=[*run.experiment.lineups, *more])
