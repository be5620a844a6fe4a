"""Facts of every page: how a run changed components, and what a study searched."""

from simkit.engine import registry
from simkit.formatting import counted
from simkit.page.words.commands import command_again, game_words, lineups, target_words
from simkit.page.words.course import count_different
from simkit.page.words.labels import Labels
from simkit.page.words.numbers import capital, join_names
from simkit.runs.folder import Run

RANDOM = "random"  # nobody's way to play
MAX_OTHERS = 2  # other strategies in the command that asks them, too


def word_of(run: Run) -> str:
    """Return the noun for a component of the game."""
    return run.words.ablation.word if run.words.ablation else "component"


def ablation_sentence(run: Run) -> str:
    """Return the sentence that describes the ablation of a run; empty for runs without one."""
    if (ablation := run.words.ablation) is None:
        return ""
    parts = capital(count_different(len(ablation.parts), ablation.word))
    return f"{parts}: each is {ablation.meaning} in {100 * ablation.rate:g} % of the deals, by its own coin."


# Sentences about a search for a fair value: the value, the check on fresh deals, the doubts.

BETWEEN = "between the values played straight lines stand for the shares"


def search_sentence(run: Run) -> str:
    """Return the ranges, settings and method of a search; empty for other runs."""
    if run.kind != "fair":
        return ""
    options, labels, points = run.search.vary, Labels(run), run.search.points
    ranges = join_names(
        f"{labels.option(name)} from {low} to {high}" for name, (low, high) in options.items()
    )
    settings = {tuple(dict(point)[name] for name in options) for point in points}
    stages = counted(len({point.look for point in points}), "look")
    played = f"{counted(len(settings), 'setting')} in {stages}, each on deals of its own"
    return f"{ranges}; {played}"


def caution_about_players(run: Run) -> str:
    """Return a caution about a single lineup where the project has other strategies for the game."""
    played, game = lineups(run), registry.game(run.experiment.game)
    names = {RANDOM, *(named.name for cell in run.cells for named in cell.lineup)}
    own = [name for name, strategy in registry.scripted(game).items() if strategy.game and name not in names]
    if len(played) > 1 or not own:
        return ""
    tables = [*played, *([name] * run.cells[0].seats for name in own[:MAX_OTHERS])]
    ranges = [f"{name}={low}:{high}" for name, (low, high) in run.search.vary.items()]
    words = [word for text in ranges for word in ("--vary", text)]
    words += [*game_words(run, tables), "--margin", f"{run.experiment.margin:g}", *target_words(run)]
    command = command_again(run, "fair", run.experiment.game, *words)
    return f"one lineup was asked; other strategies of this project ({len(own)}) may disagree: {command}"
