"""The brief of a design search: the setting that meets all wishes on fresh deals, or comes nearest."""

import polars as pl

from simkit.reporting.document import Step, Table
from simkit.reporting.pages import Findings, Section, Show, Takeaway, query, table
from simkit.reporting.pages.commands import command_again, game_words, lineups, more_command
from simkit.reporting.pages.designs import picture
from simkit.reporting.text.commands import setting_texts
from simkit.reporting.text.designs import (
    chosen,
    deals_to_settle,
    design_advice,
    design_headline,
    labelled,
    meets,
    open_wishes,
    setting_rows,
    wish_words,
)
from simkit.reporting.text.phrases import Row, about, listed

WORDS = {
    "Tolerance": "how distances from wishes are made comparable: half a range (of fairness the margin), "
    "of a wish with one end a tenth of that number. The distance from several wishes is the sum over those "
    "that are not met.",
    "Fresh deals": "deals that were not used to pick the settings. What was picked as the best of many looks "
    "better than it is; on fresh deals it cannot.",
}


def section(findings: Findings) -> Section | None:
    """Return the brief, or None for a run that is no design search."""
    if not findings.wishes.width:
        return None
    settings, source = labelled(findings), query(findings, "checked_settings", "wishes")
    answer = Takeaway(design_headline(settings), source, "answer")
    return Section(
        takeaways=[answer, Takeaway(design_advice(settings), source, "advice")],
        picture=picture(findings),
        glance=_glance(findings, settings),
        step=_step(findings, chosen(settings)),
        words=WORDS,
    )


def _glance(findings: Findings, settings: list[Row]) -> Table:
    frame = pl.DataFrame(setting_rows(settings))
    heads = {f"c{place}": name for place, name in enumerate(frame.columns)}
    frame = frame.rename({name: column for column, name in heads.items()})
    shows = {column: Show(name) for column, name in heads.items()}
    return table(findings, frame, list(heads), "On fresh deals, the nearest to the wishes first", **shows)


def _step(findings: Findings, best: Row) -> Step:
    """Return the next step: settle what is open, else see all that the rules change, or search longer."""
    run, wishes = findings.run, open_wishes(best)
    if wishes:
        deals = about(deals_to_settle(best, run.experiment.deals))
        open_words = listed(map(wish_words, wishes))
        return Step(f"Settle {open_words} with more fresh deals.", more_command(run, "--confirm", deals))
    if best["printed"] or not meets(best):
        command = more_command(run, "--trials", 4 * len(run.designed.trials))
        return Step("More deals would settle nothing. Search longer, or widen the ranges.", command)
    cells = (findings.whole or findings).run.cells
    varied = next(cell.varied for cell in cells if cell.index == best["cell"])
    rules = ["--to", ",".join(setting_texts(varied))]
    command = command_again(run, "compare", run.experiment.game, *rules, *game_words(run, lineups(run)))
    return Step("No wish is open. See everything that these rules change.", command)
