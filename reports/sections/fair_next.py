"""What to do after a search for a fair value: settle it, see what else it changes, or search elsewhere."""

from collections.abc import Iterator

from simkit.analysis.table import setting_words
from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.commands import again, game_words, lineups, setting_texts, target_words
from simkit.reporting.text.answer import NOT_SETTLED
from simkit.reporting.text.best_values import Best, best_of_all, own_bests
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, about

MARGIN, TIMES = 0.02, 2.5  # the usual margin; the check has three times the deals of a look, some to spare


def section(findings: Findings) -> Section | None:
    if not findings.fair_values.width:
        return None
    best, own = best_of_all(findings), [one for one in own_bests(findings).values() if one.good]
    if own:
        return Section(steps=list(_each(findings, own)))
    return Section(steps=list((_elsewhere if best.bad else _onwards)(findings, best)))


def _each(findings: Findings, own: list[Best]) -> Iterator[Step]:
    """What is fair depends on who plays: each of the values that are fair for some."""
    run, at = findings.run, {one.setting: one.values for one in own}
    moved = [rows for rows in at.values() if any(row["best"] != row["usual"] for row in rows)]
    if to := [word for rows in moved for word in ("--to", ",".join(setting_texts(_best(rows))))]:
        which = "each of them" if len(moved) > 1 else "it"
        command = again(run, "compare", run.experiment.game, *to, *game_words(run, lineups(run)))
        yield Step(f"See what else {which} changes.", command)
    named = labels_of(findings).settings([setting_words(_best(rows)) for rows in at.values()])
    yield Step(f"Playtest {named} with people: programs do not play like them.")


def _best(rows: list[Row]) -> Row:
    return {row["option"]: row["best"] for row in rows}


def _elsewhere(findings: Findings, best: Best) -> Iterator[Step]:
    run, game = findings.run, findings.run.experiment.game
    yield Step("See which other options there are.", again(run, "rules", game))
    other = again(run, "fair", game, "--vary", "OPTION=LOW:HIGH", *_asked(findings))
    yield Step("Search along one of them, or along several.", other)


def _onwards(findings: Findings, best: Best) -> Iterator[Step]:
    run, game = findings.run, findings.run.experiment.game
    if few := [row["needed"] or 2 * row["deals"] for row in best.rows if row["verdict"] == NOT_SETTLED]:
        ends = [f"{name}={low}:{high}" for name, (low, high) in run.search["vary"].items()]
        ranges = [word for text in ends for word in ("--vary", text)]
        deals = ["--deals", str(about(round(max(few) / TIMES)))]
        yield Step("Settle it with more deals.", again(run, "fair", game, *ranges, *_asked(findings), *deals))
    values = _best(best.values)
    if any(row["best"] != row["usual"] for row in best.values):
        setting = ",".join(setting_texts(values))
        players = game_words(run, lineups(run))
        yield Step("See what else it changes.", again(run, "compare", game, "--to", setting, *players))
    if best.good or all(row["value"] is not None for row in best.values):
        named = labels_of(findings).setting(values)
        yield Step(f"Playtest {named} with people: programs do not play like them.")


def _asked(findings: Findings) -> list[str]:
    """The rest of the search: who plays, the margin and the target where these are not the usual."""
    run = findings.run
    margin = ["--margin", f"{run.experiment.margin:g}"] if run.experiment.margin != MARGIN else []
    return [*game_words(run, lineups(run)), *margin, *target_words(run)]
