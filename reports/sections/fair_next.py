"""What to do after a search for a fair value: settle it, see what else it changes, or search elsewhere."""

from collections.abc import Iterator

from simkit.pages import Findings, Section
from simkit.pages.commands import again, game_words, lineups
from simkit.report import Step
from simkit.words.fairness import GOOD, OFF, Best, best_of_all
from simkit.words.labels import labels_of


def section(found: Findings) -> Section | None:
    if not found.fair_values.width:
        return None
    best = best_of_all(found)
    return Section(steps=list((_elsewhere if best.bad else _onwards)(found, best)))


def _elsewhere(found: Findings, best: Best) -> Iterator[Step]:
    run, players = found.run, game_words(found.run, lineups(found.run))
    yield Step("See which other options there are.", again(run, "rules", run.experiment.game))
    other = again(run, "fair", run.experiment.game, "--vary", "OPTION=LOW:HIGH", *players)
    yield Step("Search along one of them, or along several.", other)


def _onwards(found: Findings, best: Best) -> Iterator[Step]:
    run, players, game = found.run, game_words(found.run, lineups(found.run)), found.run.experiment.game
    if best.kinds - GOOD - OFF:
        ends = [f"{name}={low}:{high}" for name, (low, high) in run.search["vary"].items()]
        ranges = [word for text in ends for word in ("--vary", text)]
        deals = ["--deals", str(2 * run.experiment.deals)]
        yield Step("Settle it with more deals.", again(run, "fair", game, *ranges, *players, *deals))
    values = {row["option"]: row["best"] for row in best.values}
    setting = ",".join(f"{name}={value}" for name, value in values.items())
    if any(row["best"] != row["usual"] for row in best.values):
        compare = again(run, "compare", game, "--to", setting, *players)
        yield Step("See what else it changes.", compare)
    named = labels_of(found).setting(values)
    yield Step(f"Playtest {named} with people: programs do not play like them.")
