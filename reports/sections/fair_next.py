"""What to do after a search for a fair value: settle it, see what else it changes, or search elsewhere."""

import math
from collections.abc import Iterator

from simkit.pages import Findings, Section
from simkit.pages.commands import again, game_words, lineups
from simkit.report import Step
from simkit.words.fairness import Best, best_of_all
from simkit.words.labels import labels_of

MARGIN, TIMES = 0.02, 2.5  # the usual margin; the check has three times the deals of a look, some to spare


def section(found: Findings) -> Section | None:
    if not found.fair_values.width:
        return None
    best = best_of_all(found)
    return Section(steps=list((_elsewhere if best.bad else _onwards)(found, best)))


def _elsewhere(found: Findings, best: Best) -> Iterator[Step]:
    run, game = found.run, found.run.experiment.game
    yield Step("See which other options there are.", again(run, "rules", game))
    other = again(run, "fair", game, "--vary", "OPTION=LOW:HIGH", *_asked(found))
    yield Step("Search along one of them, or along several.", other)


def _onwards(found: Findings, best: Best) -> Iterator[Step]:
    run, game = found.run, found.run.experiment.game
    if few := [row["needed"] or 2 * row["deals"] for row in best.rows if row["verdict"] == "TOO FEW GAMES"]:
        ends = [f"{name}={low}:{high}" for name, (low, high) in run.search["vary"].items()]
        ranges = [word for text in ends for word in ("--vary", text)]
        deals = ["--deals", str(_two_digits(max(few) / TIMES))]
        yield Step("Settle it with more deals.", again(run, "fair", game, *ranges, *_asked(found), *deals))
    values = {row["option"]: row["best"] for row in best.values}
    if any(row["best"] != row["usual"] for row in best.values):
        setting = ",".join(f"{name}={value}" for name, value in values.items())
        players = game_words(run, lineups(run))
        yield Step("See what else it changes.", again(run, "compare", game, "--to", setting, *players))
    if best.good or all(row["value"] is not None for row in best.values):
        named = labels_of(found).setting(values)
        yield Step(f"Playtest {named} with people: programs do not play like them.")


def _asked(found: Findings) -> list[str]:
    """The rest of the search: who plays, the margin and the target where these are not the usual."""
    run = found.run
    margin = ["--margin", f"{run.experiment.margin:g}"] if run.experiment.margin != MARGIN else []
    target = [] if run.experiment.target is None else ["--target", f"{run.experiment.target:g}"]
    return [*game_words(run, lineups(run)), *margin, *target]


def _two_digits(deals: float) -> int:
    """Up to two digits.

    >>> _two_digits(12_345), _two_digits(950)
    (13000, 950)
    """
    unit: int = 10 ** max(0, len(str(int(deals))) - 2)
    return math.ceil(deals / unit) * unit
