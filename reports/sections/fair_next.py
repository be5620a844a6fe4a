"""What to do after a search for a fair value: try it, see what else it changes, or search elsewhere."""

from collections.abc import Iterator

from simkit.pages import Findings, Section, Story
from simkit.pages.commands import again, game_words, lineups
from simkit.stats import verdicts
from simkit.words.fairness import OFF, best_of


def section(found: Findings) -> Section | None:
    if not found.fair_values.width:
        return None
    return Section("What to do next", stories=list(_steps(found)))


def _steps(found: Findings) -> Iterator[Story]:
    run, best = found.run, best_of(found, found.fair_values["lineup"][-1])
    game, players, search = run.experiment.game, game_words(run, lineups(run)), run.search
    values = {row["option"]: row["best"] for row in best.values}
    ends = [f"{name}={low}:{high}" for name, (low, high) in search["vary"].items()]
    ranges = [word for text in ends for word in ("--vary", text)]
    kinds = set(best.verdicts)
    if kinds - {*OFF, verdicts.FAIR, verdicts.ON_TARGET}:
        deals = 2 * run.experiment.deals
        more = again(run, "fair", game, *ranges, *players, "--deals", str(deals))
        yield Story("Settle it with more deals", more)
    if kinds <= OFF:
        yield Story("See which other options there are", again(run, "rules", game))
        other = again(run, "fair", game, "--vary", "OPTION=LOW:HIGH", *players)
        yield Story("Search along another option", other)
        return
    setting = ",".join(f"{name}={value}" for name, value in values.items())
    compare = again(run, "compare", game, "--to", setting, *players)
    yield Story("See what else it changes", compare)
    yield Story("Watch a game with it", again(run, "play", game, "--set", setting))
