"""The next step after a search for a fair value: settle it, see what else it changes, or search elsewhere."""

from itertools import compress

from simkit.analysis.table import setting_words
from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.commands import command_again, game_words, lineups, setting_texts, target_words
from simkit.reporting.text.best_values import Best, best_of_all, own_bests
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import about
from simkit.reporting.text.verdict_counts import NOT_SETTLED

USUAL_MARGIN = 0.02
CHECK_RATIO = 2.5  # the check plays three times the deals of a round; the rest is a reserve


def section(findings: Findings) -> Section | None:
    """Return the step, or None for a run that is no search for a fair value."""
    if not findings.fair_values.width:
        return None
    best = best_of_all(findings)
    own = [candidate for candidate in own_bests(findings).values() if candidate.good]
    run = findings.run
    if not own and best.bad:
        command = command_again(run, "rules", run.experiment.game)
        return Section(step=Step("See which other options there are.", command))
    return Section(step=(None if own else _settle(findings, best)) or _compare(findings, own or [best]))


def _settle(findings: Findings, best: Best) -> Step | None:
    """Return the search with as many deals as settle the verdict; None where it is settled."""
    run = findings.run
    needed = [row["needed"] or 2 * row["deals"] for row in best.rows if row["verdict"] == NOT_SETTLED]
    if not needed:
        return None
    ends = [f"{name}={low}:{high}" for name, (low, high) in run.search.vary.items()]
    ranges = [word for text in ends for word in ("--vary", text)]
    deals = ["--deals", str(about(round(max(needed) / CHECK_RATIO)))]
    words = [*ranges, *_search_words(findings), *deals]
    return Step("Settle it with more deals.", command_again(run, "fair", run.experiment.game, *words))


def _compare(findings: Findings, bests: list[Best]) -> Step:
    """Return the comparison of the values found with the usual ones; where they are usual, a playtest."""
    run, values = findings.run, {best.setting: best.values for best in bests}.values()
    settings = [{row["option"]: row["best"] for row in rows} for rows in values]
    changed = [any(row["best"] != row["usual"] for row in rows) for rows in values]
    targets = [",".join(setting_texts(setting)) for setting in compress(settings, changed)]
    if not targets:
        named = labels_of(findings).settings(list(map(setting_words, settings)))
        return Step(f"Playtest {named} with people: programs do not play like them.")
    words = [word for target in targets for word in ("--to", target)]
    command = command_again(run, "compare", run.experiment.game, *words, *game_words(run, lineups(run)))
    return Step(f"See what else {'each of them' if len(targets) > 1 else 'it'} changes.", command)


def _search_words(findings: Findings) -> list[str]:
    """Return the command words for who plays, and for the margin and the target if unusual."""
    run = findings.run
    margin = ["--margin", f"{run.experiment.margin:g}"] if run.experiment.margin != USUAL_MARGIN else []
    return [*game_words(run, lineups(run)), *margin, *target_words(run)]
