"""Reference measurements of the games that come with simkit (`python -m simkit.verify.reference_games`)."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from simkit.engine import registry
from simkit.page.words.labels import Labels
from simkit.runs import experiment, runner
from simkit.runs.experiment import Experiment
from simkit.runs.folder import open_run
from simkit.runs.plan import load, make_plan
from simkit.tables.findings import Findings
from simkit.tables.length import YARDSTICKS_FILE, yardstick_measures
from simkit.tables.luck import beginners

DEALS, SEATS = 300, (2, 3, 4)
BEGINNERS = [0.1, 0.2, 0.4]
HEAD = """\
# The games that come with simkit, measured: [value, 95 % from, to] of each measure, and the parts of a fair
# share that a player wins who errs in so many decisions. Written by: python -m simkit.verify.reference_games
"""


def experiments(deals: int = DEALS) -> list[Experiment]:
    """Return one experiment per game: rules and players of its shipped experiment with beginners."""
    shipped = (load(path) for path in registry.experiments().values())
    return [_like(loaded, deals) for loaded in shipped if loaded.beginners]


def _like(shipped: Experiment, deals: int) -> Experiment:
    """Return the experiment to measure, with the rules and players of a shipped one."""
    first = {cell.seats: cell.labels for cell in reversed(make_plan(shipped).cells) if cell.seats in SEATS}
    keys = {"question": shipped.question, "game": shipped.game, "deals": deals, "seed": 1, "trace": deals}
    keys |= {"lineups": [first[seats] for seats in sorted(first)], "beginners": BEGINNERS}
    keys |= {"options": make_plan(shipped).first_setting.options, "target": shipped.target}
    kings = not registry.game(shipped.game).team and max(first) > 2
    return experiment.parse(keys | {"kingmaking": deals if kings else 0})


def measured_lines(plan: Experiment, folder: Path) -> Iterator[str]:
    """Yield the lines of the entries of a game, one entry per number of seats."""
    findings = Findings(open_run(runner.run(plan, folder, jobs=-1)))
    for cell in findings.run.cells:
        label = Labels(findings.run).strategy(str(cell.lineup[0]))
        yield "[[measured]]"
        yield f'game = "{plan.game}"\ntitle = "{findings.run.words.title}"\nseats = {cell.seats}'
        yield f'players = "{label}"\ndeals = {cell.deals}'
        for name, ends in yardstick_measures(findings, cell.index).items():
            yield f"{name} = [{', '.join(f'{end:.4g}' for end in ends)}]"
        rows = beginners(findings).filter(seats=cell.seats).rows(named=True)
        curve = [f"[{row['errs']:g}, {row['share'] / row['fair']:.3f}]" for row in rows if row["errs"]]
        yield f"curve = [{', '.join(curve)}]\n"


def main() -> None:
    """Measure all games and write the reference file."""
    with tempfile.TemporaryDirectory() as folder:
        lines = [line for plan in experiments() for line in measured_lines(plan, Path(folder) / plan.game)]
    YARDSTICKS_FILE.write_text("\n".join([HEAD, *lines]), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
