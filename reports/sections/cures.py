"""What else could be tried: other options that treat some seats differently, where one was swept."""

from simkit.analysis.table import typed
from simkit.pages import Findings, Section, Story, axes, labels_of, prose
from simkit.pages.commands import again, game_words, lineups, setting_texts
from simkit.runlog import Run

MOST_DEALS = 2_000


def section(found: Findings) -> Section | None:
    """A command for each; nothing if several options were swept, or if there is none."""
    run, labels = found.run, labels_of(found)
    swept = [name for axis in axes(run) for name in axis.options]
    treating = {name: one for name, one in run.words.options.items() if one.treats}
    given = {*swept, *run.experiment.options}
    ready = [name for name, one in treating.items() if len(one.tries) > 1 and name not in given]
    if run.team or len(swept) != 1 or swept[0] not in treating or not ready:
        return None
    others = "; ".join(f"{labels.option(name)} ({labels.meaning(name)})" for name in ready)
    text = prose(f"""This run varied {labels.option(swept[0])} only, so it cannot say whether another rule
        would do better. Other options of this game that treat one seat apart: {others}. Some work only
        together with others (see {again(run, "rules", run.experiment.game)}).""")
    commands = Story("Commands that try each of them", "\n".join(_command(run, name) for name in ready))
    return Section("What else could be tried", [text], stories=[commands])


def _command(run: Run, name: str) -> str:
    values = ",".join(map(typed, run.words.options[name].tries))
    needed = setting_texts(run.words.unmet(name, run.experiment.options))
    words = [f"{name}={values}", *(word for text in needed for word in ("--set", text))]
    deals = ["--deals", str(min(MOST_DEALS, run.experiment.deals))]
    return again(run, "sweep", run.experiment.game, *words, *game_words(run, lineups(run)), *deals)
