"""What else could be tried: other options that treat some seats or strategies differently, where one was swept."""

from __future__ import annotations

from simkit.analysis import Findings, axes
from simkit.pages import Section
from simkit.pages.commands import again, game_words, lineups, said, setting_texts
from simkit.report import Story
from simkit.runlog import Run
from simkit.words.labels import Labels

MOST_DEALS = 2_000


def section(found: Findings) -> Section | None:
    """A command for each; nothing if several options were swept, or if there is none."""
    run, labels = found.run, Labels(found.run)
    options, swept = found.run.words.options, [name for axis in axes(run) for name in axis.options]
    treating = [
        name for name, one in options.items() if one.treats and name not in (*swept, *run.experiment.options)
    ]
    ready = [name for name in treating if len(options[name].tries) > 1]
    if len(swept) != 1 or swept[0] not in options or not options[swept[0]].treats or not ready:
        return None
    others = "; ".join(f"{labels.option(name)} ({labels.meaning(name)})" for name in ready)
    text = (
        f"This run varied {labels.option(swept[0])} only, so it cannot say whether another rule would do "
        f"better. Other options of this game that treat one seat apart: {others}. Some work only together "
        f"with others (see {again(run, 'rules', run.experiment.game)})."
    )
    commands = "\n".join(_command(run, name) for name in ready)
    return Section(
        "What else could be tried", [text], stories=[Story("Commands that try each of them", commands)]
    )


def _command(run: Run, name: str) -> str:
    """A sweep of an option over the values worth a try, with what it needs."""
    values = ",".join(map(said, run.words.options[name].tries))
    needed = setting_texts(run.words.unmet(name, run.experiment.options))
    words = [f"{name}={values}", *(word for text in needed for word in ("--set", text))]
    deals = ["--deals", str(min(MOST_DEALS, run.experiment.deals))]
    return again(run, "sweep", run.experiment.game, *words, *game_words(run, lineups(run)), *deals)
