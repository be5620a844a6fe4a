"""What happens in the game: one rule set, with its components and stories in the middle."""

from __future__ import annotations

import polars as pl

from reports.sections.common import cells_looked_at
from reports.sections.components import component_section
from reports.sections.drama import drama_section
from reports.sections.highlights import highlights
from reports.sections.method import WORDS, facts, takeaways, versions
from reports.sections.options import options_sections
from reports.sections.rules import rules_section
from reports.sections.seats import fairness_sections, seat_section
from reports.sections.shape import ending_section, length_section, load_section, score_section
from reports.sections.stories import story_section
from reports.sections.who import option_notes, who_section
from simkit import analysis
from simkit.report import Report
from simkit.runlog import Run


def build(run: Run) -> Report:
    """The page on the cells of the baseline: rules, components, stories, drama, length and load, endings, seats, method."""
    whole, run = run, cells_looked_at(run)
    seats = analysis.seat_shares(whole)
    seats = seats.filter(
        pl.col("cell").is_in([cell.index for cell in run.cells])
    )  # with the verdicts that they have in the whole run
    answer = analysis.answer(run, seats=seats)
    sections = [
        *rules_section(run),
        *who_section(run),
        component_section(run),
        story_section(run),
        drama_section(run),
        length_section(run),
        load_section(run),
        ending_section(run, seats),
        score_section(run),
        seat_section(run, seats),
        *options_sections(run, seats),
        *fairness_sections(run, seats),
    ]
    return Report(
        title=f"{run.experiment.game.replace('_', ' ')}: what happens in the game",
        question=f"What happens in a game of {run.experiment.game.replace('_', ' ')}?",
        takeaways=highlights(run) + takeaways(run, answer),
        warnings=answer.warnings,
        sections=sections,
        command=whole.manifest.get("command") or f"simkit run {whole.folder.name}/experiment.toml",
        facts=facts(whole),
        versions=versions(run),
        words=WORDS,
        notes=option_notes(whole),
    )
