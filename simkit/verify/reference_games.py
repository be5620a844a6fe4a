"""Measure the games that come with simkit, for comparison (`python -m simkit.verify.reference_games`)."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from simkit.analysis import Findings
from simkit.analysis.yardsticks import FILE, measures
from simkit.engine import registry
from simkit.reporting.text.labels import Labels
from simkit.runs import experiment, runner
from simkit.runs.experiment import Experiment
from simkit.runs.extras.beginners import setting_of
from simkit.runs.run import open_run

DEALS, SEATS = 300, (2, 3, 4)
BEGINNERS = [0.1, 0.2, 0.4]
HEAD = """\
# The games that come with simkit, measured: [value, 95 % from, to] of each measure, and the parts of a fair
# share that a player wins who errs in so many decisions. Written by: python -m simkit.verify.reference_games
"""


def asked(deals: int = DEALS) -> list[Experiment]:
    """One experiment per game: rules and players of the shipped one that asks for beginners."""
    shipped = (experiment.load(path) for path in registry.experiments().values())
    return [_like(one, deals) for one in shipped if one.beginners]


def _like(one: Experiment, deals: int) -> Experiment:
    first = {cell.seats: cell.labels for cell in reversed(experiment.cells(one)) if cell.seats in SEATS}
    keys = {"question": one.question, "game": one.game, "deals": deals, "seed": 1, "trace": deals}
    keys |= {"lineups": [first[seats] for seats in sorted(first)], "beginners": BEGINNERS}
    keys |= {"options": setting_of(one).options, "target": one.target}
    kings = not registry.game(one.game).team and max(first) > 2
    return experiment.parse(keys | {"kingmaking": deals if kings else 0})


def measured(one: Experiment, folder: Path) -> Iterator[str]:
    """The entries of a game, a text for each number of seats."""
    found = Findings(open_run(runner.run(one, folder, jobs=-1)))
    for cell in found.run.cells:
        label = Labels(found.run).strategy(str(cell.lineup[0]))
        yield "[[measured]]"
        yield f'game = "{one.game}"\ntitle = "{found.run.words.title}"\nseats = {cell.seats}'
        yield f'players = "{label}"\ndeals = {cell.deals}'
        for name, ends in measures(found, cell.index).items():
            yield f"{name} = [{', '.join(f'{end:.4g}' for end in ends)}]"
        rows = found.beginners.filter(seats=cell.seats).rows(named=True)
        curve = [f"[{row['errs']:g}, {row['share'] / row['fair']:.3f}]" for row in rows if row["errs"]]
        yield f"curve = [{', '.join(curve)}]\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        lines = [line for one in asked() for line in measured(one, Path(folder) / one.game)]
    FILE.write_text("\n".join([HEAD, *lines]), encoding="utf-8")


if __name__ == "__main__":
    main()
