"""Next steps after a search for a fair value: settle it, see what else it changes, or search elsewhere."""

from collections.abc import Iterator

from simkit.analysis.table import setting_words
from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.commands import command_again, game_words, lineups, setting_texts, target_words
from simkit.reporting.text.best_values import Best, best_of_all, own_bests
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, about
from simkit.stats.verdicts import NOT_SETTLED

USUAL_MARGIN = 0.02
CHECK_RATIO = 2.5  # the check plays three times the deals of a round; the rest is a reserve


def section(findings: Findings) -> Section | None:
    """Return the steps, or None for a run that is no search for a fair value."""
    if not findings.fair_values.width:
        return None
    best = best_of_all(findings)
    own = [candidate for candidate in own_bests(findings).values() if candidate.good]
    if own:
        return Section(steps=list(_steps_for_each_player(findings, own)))
    return Section(steps=list((_search_elsewhere if best.bad else _settle_and_compare)(findings, best)))


def _steps_for_each_player(findings: Findings, own: list[Best]) -> Iterator[Step]:
    """Yield the steps for fair values that depend on who plays, one value per lineup."""
    run, by_setting = findings.run, {candidate.setting: candidate.values for candidate in own}
    changed = [rows for rows in by_setting.values() if any(row["best"] != row["usual"] for row in rows)]
    targets = [",".join(setting_texts(_best_setting(rows))) for rows in changed]
    if targets:
        pronoun = "each of them" if len(changed) > 1 else "it"
        words = [word for target in targets for word in ("--to", target)]
        command = command_again(run, "compare", run.experiment.game, *words, *game_words(run, lineups(run)))
        yield Step(f"See what else {pronoun} changes.", command)
    named = labels_of(findings).settings([setting_words(_best_setting(rows)) for rows in by_setting.values()])
    yield Step(f"Playtest {named} with people: programs do not play like them.")


def _best_setting(rows: list[Row]) -> Row:
    return {row["option"]: row["best"] for row in rows}


def _search_elsewhere(findings: Findings, best: Best) -> Iterator[Step]:
    """Yield the steps after a search without a fair value."""
    run, game = findings.run, findings.run.experiment.game
    yield Step("See which other options there are.", command_again(run, "rules", game))
    other = command_again(run, "fair", game, "--vary", "OPTION=LOW:HIGH", *_search_words(findings))
    yield Step("Search along one of them, or along several.", other)


def _settle_and_compare(findings: Findings, best: Best) -> Iterator[Step]:
    """Yield the steps to settle the verdict, to compare the value with the usual one and to playtest it."""
    run, game = findings.run, findings.run.experiment.game
    if deals_needed := [
        row["needed"] or 2 * row["deals"] for row in best.rows if row["verdict"] == NOT_SETTLED
    ]:
        ends = [f"{name}={low}:{high}" for name, (low, high) in run.search.vary.items()]
        ranges = [word for text in ends for word in ("--vary", text)]
        deals = ["--deals", str(about(round(max(deals_needed) / CHECK_RATIO)))]
        yield Step(
            "Settle it with more deals.",
            command_again(run, "fair", game, *ranges, *_search_words(findings), *deals),
        )
    values = _best_setting(best.values)
    if any(row["best"] != row["usual"] for row in best.values):
        setting = ",".join(setting_texts(values))
        players = game_words(run, lineups(run))
        yield Step(
            "See what else it changes.", command_again(run, "compare", game, "--to", setting, *players)
        )
    if best.good or all(row["value"] is not None for row in best.values):
        named = labels_of(findings).setting(values)
        yield Step(f"Playtest {named} with people: programs do not play like them.")


def _search_words(findings: Findings) -> list[str]:
    """Return the command words for who plays, and for the margin and the target if unusual."""
    run = findings.run
    margin = ["--margin", f"{run.experiment.margin:g}"] if run.experiment.margin != USUAL_MARGIN else []
    return [*game_words(run, lineups(run)), *margin, *target_words(run)]
