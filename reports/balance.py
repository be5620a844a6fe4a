"""Is the game fair, for whom, and along the options varied: the default page of a run."""

from __future__ import annotations

from reports.sections.components import component_section
from reports.sections.cures import cure_section
from reports.sections.drama import drama_section
from reports.sections.highlights import highlights
from reports.sections.method import WORDS, facts, takeaways, versions
from reports.sections.next_steps import next_section
from reports.sections.options import options_sections
from reports.sections.seats import fairness_sections, seat_section
from reports.sections.shape import ending_section, length_section, load_section, score_section
from reports.sections.stories import story_section
from reports.sections.strategies import strategy_sections
from reports.sections.who import option_notes, who_section
from simkit import analysis
from simkit.report import Report
from simkit.runlog import Run


def build(run: Run) -> Report:
    """The page: answer, seats, options, skill, strategies, length and load, drama, components, endings, games to look at, method."""
    seats = analysis.seat_shares(run)
    answer = analysis.answer(run, seats=seats)
    sections = [
        *who_section(run),
        seat_section(run, seats),
        *options_sections(run, seats),
        *next_section(run, seats),
        *cure_section(run),
        *fairness_sections(run, seats),
        *strategy_sections(run),
        length_section(run),
        load_section(run),
        drama_section(run),
        component_section(run),
        ending_section(run, seats),
        score_section(run),
        story_section(run),
    ]
    return Report(
        title=f"{run.experiment.game.replace('_', ' ')}: balance report",
        question=answer.question,
        takeaways=takeaways(run, answer) + highlights(run),
        warnings=answer.warnings,
        sections=sections,
        command=run.manifest.get("command") or f"simkit run {run.folder.name}/experiment.toml",
        facts=facts(run),
        versions=versions(run),
        words=WORDS,
        notes=option_notes(run),
    )
