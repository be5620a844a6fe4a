"""The next step after a match: more deals where it is open, else a game to look at."""

from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.commands import command_again, game_words
from simkit.reporting.text.match import NOT_STRONGER, STRONGER


def section(findings: Findings) -> Section | None:
    """Return the step, or None for a run that is no match; of the same moves more deals show no more."""
    if not findings.match.width:
        return None
    (row,) = findings.match.rows(named=True)
    run, decided = findings.run, row["decision"] in (STRONGER, NOT_STRONGER)
    if row["same"] or decided or (row["decision"] is None and not row["low"] <= 0.5 <= row["high"]):
        return Section(step=Step("Watch a game of this match.", command_again(run, "replay", run.place, "0")))
    bounds = run.experiment.until_elo
    test_options = ["--elo0", f"{bounds[0]:g}", "--elo1", f"{bounds[1]:g}"] if bounds else []
    test_options += ["--normalized"] if run.experiment.normalized_elo else []
    words = ["--deals", str(10 * row["deals"]), *test_options, *game_words(run, [])]
    names = row["strategy"], row["opponent"]
    command = command_again(run, "match", run.experiment.game, *names, *words)
    return Section(step=Step("Play on, with more deals.", command))
