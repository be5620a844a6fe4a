"""Recipes of pages: sections by chapter, to which the frame adds title, warnings, facts and glossary."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any, TypeVar

import polars as pl
from polars import selectors as cs

from simkit.engine import registry
from simkit.engine.components import group_by_source
from simkit.errors import UsageError
from simkit.formatting import counted
from simkit.page.document.parts import Chapter, Report, Section, Step
from simkit.page.pictures import here
from simkit.page.terminal import TextOrTable, numbers_behind, study_document
from simkit.page.tiles import tiles
from simkit.page.words.commands import command_again
from simkit.page.words.confidence import failures, grounds, limits, measurement_note
from simkit.page.words.labels import Labels, labels_of
from simkit.page.words.numbers import (
    TableRow,
    capital,
    count_different,
    distance,
    in_elo,
    join_names,
    percent,
)
from simkit.page.words.skill import by_strength
from simkit.page.words.verdicts import not_known, side_of, verdict_scale
from simkit.runs.folder import Run
from simkit.runs.source_digests import short
from simkit.runs.table_files import has_own_files
from simkit.stats.verdicts import INNER, NOT_SETTLED, OUTER
from simkit.system import typed_here
from simkit.tables.fairness import CONFIRM_FOLDER
from simkit.tables.findings import Findings, all_findings, axes, cells_to_look_at
from simkit.tables.rungs import LADDER_FOLDER
from simkit.tables.seats import MOST_FAILED

T = TypeVar("T")
SectionFunction = Callable[[Findings], Section | None]
Chapters = dict[str, list[SectionFunction]]  # sections by the title of their chapter
GENERAL_WORDS = {
    "Share": "games won divided by all games; a win shared by several seats counts 1/2, 1/3 … for each.",
    "First player": "the first in the order of play. In saved data seats are numbers, from 0.",
    "First-player advantage": "the share of the first player less the fair share (1 divided by the number of "
    "seats), in percentage points.",
    "95 % interval": "the range in which the true value may be expected: about 19 in 20 of such intervals "
    "would contain it. For shares it is Wilson's interval with the effective number of games, for "
    "scores Student's t. It says how well these strategies are measured, not how people would play.",
    "Deal": "one shuffle of all luck in the game. All games on one deal count as one observation, since "
    "they share their luck.",
    "Rotation": "a deal is played once for each way of moving the strategies, or the roles, round the seats, "
    "so that none profits from a seat.",
    "Mirror": "a lineup in which the same strategy sits in every seat: what remains is the effect of the "
    "seats.",
    "Baseline": "the setting that the others are compared with.",
    "Not equal": "the share is surely not the fair one, by however little. Of the cases said to be so at "
    "most 5 in 100 are expected to be equal.",
    NOT_SETTLED: "what the games do not decide yet; more games will.",
    "Elo": "a scale of strength, 400 times the logarithm (base 10) of the odds to win: of two strategies 70 "
    "points apart the better wins about 60 %, 191 points 75 %, 400 points 91 %.",
    "Fresh deals": "deals that were not used to pick what is checked on them. What was picked as the best of "
    "many looks better than it is; on fresh deals it cannot.",
    "Luck": "what chance alone adds or takes. Beyond luck: chance alone would hardly make such a difference.",
    "games failed": "games that could not be played to their end. The seat whose strategy failed is last and "
    "the others share the win; a team loses; where the rules failed nobody wins.",
    "TOO MANY FAILED": f"more than {percent(MOST_FAILED)} of the games failed: they say too little about the "
    "rules for a verdict.",
}
ABOUT_SEATS = ("First player", "First-player advantage", "Not equal", "Mirror")
VERSIONS = {name: name.lower() for name in ("simkit", "Python", "numpy", "numba")}
WRONG = "of the verdicts given together at most 5 in 100 are expected to be wrong, at every analysis"
FIRST = f"the first that is certain stands. O{WRONG[1:]}."
EVERY_LOOK = "intervals hold at every look, but in tables that say they are for one look only"
WAIT = "Wait for the rest of the run. If it was stopped, the same command goes on."
MAX_LIMITS, MAX_CHAPTERS = 3, 9
MIN_VALUES = 3  # values of a whole-number option that are enough for a line along it
# JSON has finite numbers only; the last digits depend on the order in which threads add up
PORTABLE = pl.when(cs.float().is_finite()).then(cs.float().round_sig_figs(12))


@dataclass(frozen=True)
class Recipe:
    """A page: the end of its title, the sections of its brief, and those of its chapters."""

    title: str
    brief: list[SectionFunction]
    chapters: Chapters = field(default_factory=dict)
    needs: str = ""  # what a run must be for this page; `fits` says whether it is
    fits: Callable[[Findings], bool] = lambda findings: True
    question: str = ""  # replaces the run's question; {game} is the game's title
    of_team: Chapters = field(default_factory=dict)  # chapters of a co-operative game, where they differ
    of_baseline: bool = False  # whether the page covers only the baseline, and the designer's own tables
    # What the command of the question prints below its brief (`whole`: with all rows), and with `--json`.
    terminal: Callable[[Findings, Report, bool], Iterable[TextOrTable]] = numbers_behind
    document: Callable[[Findings, Report], TableRow] = study_document

    def __post_init__(self) -> None:
        """Raise UsageError for names in place of functions, as recipes had them before."""
        if not all(map(callable, self.brief)) or not all(map(callable, _all(self.chapters.values()))):
            example = "Recipe(title, brief=[answer], chapters={'Players': [who]})"
            raise UsageError(f"a recipe lists functions, not names of sections: import them for {example}")

    def build_brief(self, findings: Findings) -> Report:
        """Return the brief of a run, without its tiles; raise UsageError for a run of another kind."""
        run = findings.run
        if not self.fits(findings):
            raise UsageError(f"{run.place}: this page needs {self.needs}")
        sections, name = _build_sections(self.brief, findings), run.words.title
        takeaways = _all(section.takeaways for section in sections)
        headed = [section for section in sections if section.heading]
        unknown = [*_all(section.limits for section in sections), *limits(findings)]
        warnings = [*failures(findings), *_all(section.warnings for section in sections)]
        whole = Report(
            title=f"{name}: {self.title}",
            question=self.question.format(game=name) or labels_of(findings).in_text(run.experiment.question),
            name=name,
            origin=origin(run),
            takeaways=takeaways,
            stamp=_first(section.stamp for section in sections),
            plays_on=_first(section.plays_on for section in sections) or "",
            step=_first(section.step for section in sections),
            picture=_first(section.picture for section in sections),
            by_strength=_first(section.by_strength for section in sections) or by_strength(findings),
            source=measurement_note(findings, " ".join(part.text for part in takeaways)),
            tiles=_first(section.tiles for section in sections) or [],
            tiles_of=_first(section.tiles_of for section in sections) or here(findings, lineup=False),
            limits=list(dict.fromkeys(unknown))[:MAX_LIMITS],
            warnings=list(dict.fromkeys(warnings)),
            chapters=[Chapter("Behind the answer", [*_behind(sections), *headed])],
            words=_words_of(sections),
        )
        return _first_answer(_partly(whole, run), run)

    def build(self, played: Run | Findings) -> Report:
        """Return the page of a run; raise UsageError for a run of another kind."""
        findings = played if isinstance(played, Findings) else Findings(played)
        run = findings.run
        if self.of_baseline:
            own = [cell.index for cell in run.cells if has_own_files(cell.varied)]
            findings = findings.only([*cells_to_look_at(run), *own]) if own else findings.at_baseline()
        brief, manifest = self.build_brief(findings), run.manifest
        chapters = [*brief.chapters]
        for title, functions in (self.of_team if run.team and self.of_team else self.chapters).items():
            sections = _build_sections(functions, findings)
            chapters.append(Chapter(title, [section for section in sections if section.heading]))
        sections = [section for chapter in chapters for section in chapter.sections]
        filled = [chapter for chapter in map(_one_each, chapters) if chapter.sections]
        return replace(
            brief,
            tiles=brief.tiles or tiles(findings),
            chapters=filled[:MAX_CHAPTERS],
            command=typed_here(manifest.command or "") or f"simkit run {run.folder.name}/experiment.toml",
            facts=list(facts(run)),
            versions={head: str(getattr(manifest, key)) for head, key in VERSIONS.items()}
            | {"sources (SHA-256)": short(manifest.sources)},
            words=_words(run) | dict(brief.words) | _words_of(sections),
            data=partial(tables_of, findings),
        )


def _first(parts: Iterable[T | None]) -> T | None:
    return next((part for part in parts if part), None)


def _all(lists: Iterable[list[T]]) -> list[T]:
    return list(chain.from_iterable(lists))


def _partly(brief: Report, run: Run) -> Report:
    """Return the brief of a run; if games of it are missing, it says so, and decides nothing."""
    if run.part == 1:
        return brief
    missing = sum(cell.plays for cell in run.cells) * (1 / run.part - 1) if run.part else None
    step = Step("Finish the run by the same command.", typed_here(run.manifest.command or ""))
    warnings = [_missing_games(run), *brief.warnings]
    return replace(brief, stamp=not_known(missing), plays_on="", step=step, warnings=warnings)


def _first_answer(brief: Report, run: Run) -> Report:
    """Return the brief of a run; while its follow-ups are still to be played, it says so.

    The stamp is open where players of the ladder decide.
    """
    outstanding = run.manifest.outstanding
    if not outstanding:
        return brief
    step = Step(WAIT, typed_here(run.manifest.command or ""))
    brief = replace(brief, step=step, warnings=[outstanding_words(run), *brief.warnings])
    return replace(brief, stamp=not_known(), plays_on="") if LADDER_FOLDER in outstanding else brief


def outstanding_parts(run: Run) -> str:
    """Return what is still to be played after a run."""
    parts = {
        LADDER_FOLDER: "the ladder (players of rising strength)",
        CONFIRM_FOLDER: f"the check on fresh deals (of the settings nearest to {side_of(run).aim})",
    }
    return join_names(parts[name] for name in run.manifest.outstanding)


def outstanding_words(run: Run) -> str:
    """Return what a page lacks whose follow-ups are still to be played, and how it gets that."""
    lacks = f"Still to be played: {outstanding_parts(run)}. Nothing is recommended before that."
    command = command_again(run, "report", run.place)
    return f"This is the first answer. {lacks} Reload this page afterwards, or write it again: {command}"


def _missing_games(run: Run) -> str:
    """Return which part of an unfinished run was played, and which settings and lineups were not at all."""
    labels, names = Labels(replace(run, cells=run.manifest.cells)), dict[str, None]()
    for cell in run.manifest.cells:
        if all(cell.varied != other.varied for other in run.cells):
            names[labels.setting(cell.varied)] = None
        elif all(cell.labels != other.labels for other in run.cells):
            names[labels.lineup(cell.labels)] = None
    unplayed = f", and of none with {'; '.join(names)}" if names else ""
    return f"The run is not finished: this tells of {percent(run.part)} of its games{unplayed}."


def origin(run: Run) -> str:
    """Return the number of games, the date and the version of simkit."""
    day = _date(run.manifest.finished or run.manifest.started).partition(",")[0]
    return f"{run.games_in_all:,} games · {day} · simkit {run.manifest.simkit}"


def tables_of(findings: Findings) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every finding by its name, except those that need what the run did not record."""
    tables = dict[str, list[dict[str, Any]]]()
    for name in sorted(all_findings()):
        with suppress(UsageError):
            tables[name] = getattr(findings, name).with_columns(PORTABLE).rows(named=True)
    return {name: rows for name, rows in tables.items() if rows}


def _words(run: Run) -> dict[str, str]:
    """Return the glossary for a run."""
    half, more = (f"{100 * part * run.experiment.margin:g}" for part in (INNER, OUTER))
    meaning = f"{verdict_scale(run)}. Between {half} and {more} off two of them can be true: {FIRST}"
    verdicts = {", ".join(side_of(run).verdicts[:-2]): meaning} if run.judged else {}
    score = {capital(run.words.score): f"{run.words.score_is}."} if run.words.score_is else {}
    general = {name: text for name, text in GENERAL_WORDS.items() if not (run.team and name in ABOUT_SEATS)}
    return general | verdicts | score


def _build_sections(functions: list[SectionFunction], findings: Findings) -> list[Section]:
    return [section for function in functions if (section := function(findings))]


def _one_each(chapter: Chapter) -> Chapter:
    """Return a chapter with its first figure and its first table; the data have the others."""
    figures, tables, sections = 0, 0, list[Section]()
    for section in chapter.sections:
        drawn, listed = section.figures[: 1 - figures], [part for part in section.tables if part.rows]
        listed = listed[: 1 - tables]
        figures, tables = figures + len(drawn), tables + len(listed)
        if section.text or section.stories or drawn or listed:
            sections.append(replace(section, figures=drawn, tables=listed))
    return Chapter(chapter.title, sections)


def _behind(sections: list[Section]) -> list[Section]:
    """Return further findings, how sure the answer is, and the numbers behind it."""
    takeaways = _all(section.takeaways for section in sections)
    texts = [takeaway.text for takeaway in takeaways if not takeaway.kind]
    sure = [takeaway.text for takeaway in takeaways if takeaway.kind == "sure"]
    texts += [f"How sure: {'; '.join(sure)}."] if sure else []
    tables = [section.glance for section in sections if section.glance]
    return [Section("The numbers behind the answer", texts, tables=tables)] if texts or tables else []


def _words_of(sections: list[Section]) -> dict[str, str]:
    return dict(chain.from_iterable(section.words.items() for section in sections))


def _notes(run: Run) -> Iterator[tuple[str, str]]:
    """Yield each option that the run varies or sets: its label, and its meaning and values."""
    labels, options = Labels(run), run.words.options
    names = [*(name for axis in axes(run) for name in axis.options), *run.experiment.options]
    for name in dict.fromkeys(name for name in names if name in options):
        notes = [labels.meaning(name), f"{name} in commands"]
        notes.append(f"in the {labels.book} {labels.value(name, options[name].default)}")
        if name in run.experiment.options:
            notes.append(f"here {labels.value(name, run.experiment.options[name])}")
        yield labels.option(name), "; ".join(filter(None, notes))


def facts(run: Run) -> Iterator[tuple[str, str]]:
    """Yield how a run was computed, as terms and texts."""
    keys, manifest, labels = run.experiment, run.manifest, Labels(run)
    varied = "; ".join(f"{labels.axis(axis)} = {_values(labels.values(axis))}" for axis in axes(run))
    swept = {name for axis in axes(run) for name in axis.options}
    common = keys.options | {name: value for name, value in run.cells[0].varied.items() if name not in swept}
    rules = f"{keys.game}; options set for all games: {labels.setting(common) or 'none'}; varied: "
    rest = f"all others as in the {labels.book} (simkit rules {keys.game})"
    if run.answer:
        yield from run.answer.facts(labels.option)
    yield "Rules", f"{rules}{varied or 'nothing'}; {rest}"
    if changed := ablation_sentence(run):
        yield "Components", f"{changed} What is told is over all rules of this run, as printed and changed"
    yield from _notes(run)
    games = f"{sum(cell.plays for cell in run.cells):,} in {counted(len(run.cells), 'cell')}"
    games = f"{run.games_in_all:,} in all, of them {games}" if run.kind else games
    deals, rotated = ({getattr(cell, name) for cell in run.cells} for name in ("deals", "rotations"))
    per_deal = f"games per deal (rotations): {_numbers(rotated)}"
    yield "Games", f"{games} of {_numbers(deals)} deals; {per_deal}"
    target = f"; the target is {percent(run.cells[0].fair)}" if side_of(run).has_target else ""
    if run.judged:
        yield "Margin", f"{verdict_scale(run)}{target}; {WRONG}. {grounds(run)}"
    if keys.adaptive:
        aims = ["a verdict"] if keys.until_verdict else []
        aims += [f"an interval of {distance(keys.until_width)}"] if keys.until_width else []
        aims += ["no best mix needs the pairing"] if keys.until_outclassed else []
        scale = keys.normalized_elo
        aims += [f"the test decides between {in_elo(keys.until_elo, scale)}"] if keys.until_elo else []
        until = f"each cell played until {' and '.join(aims)}, at most {keys.deals:,} deals"
        yield "Stopping", f"{until}; {EVERY_LOOK}"
    if run.words.provenance:
        yield "Component data", "; ".join(group_by_source(run.words.provenance))
    if run.words.rulings:
        yield "Rulings", "; ".join(text.rstrip(".") for text in run.words.rulings)
    same = "every cell is played on the same deals, so cells can be compared deal by deal"
    yield "Luck", f"seed {keys.seed}; {same}"
    yield "Played", f"{_date(manifest.finished or manifest.started)}, in {manifest.seconds:.0f} s"


def ablation_sentence(run: Run) -> str:
    """Return the sentence that describes the ablation of a run; empty for runs without one."""
    if (ablation := run.words.ablation) is None:
        return ""
    parts = capital(count_different(len(ablation.parts), ablation.word))
    return f"{parts}: each is {ablation.meaning} in {100 * ablation.rate:g} % of the deals, by its own coin."


def _date(stamp: str) -> str:
    """Return a time of the manifest as a date.

    >>> _date("2026-11-22T18:36:19+00:00")
    '22 November 2026, 18:36 UTC'
    """
    time = datetime.fromisoformat(stamp)
    return f"{time.day} {time:%B %Y, %H:%M %Z}"


def _values(values: list[str]) -> str:
    """Join the values of an axis; values of several options are put in brackets."""
    return ", ".join(f"({value})" if ", " in value else value for value in values)


def _numbers(values: set[int]) -> str:
    return ", ".join(f"{value:,}" for value in sorted(values))


def recipe_for(run: Run) -> str:
    """Return the recipe's name for a run: that of its search, its experiment's own, or one by its cells.

    Rule sets are compared with a baseline where no option has enough values for a line.
    """
    if run.kind:
        return run.kind
    if run.experiment.report:
        return run.experiment.report
    if run.experiment.until_elo or run.experiment.until_outclassed:
        return "match" if run.experiment.until_elo else "equilibrium"
    if run.experiment.ablate:
        return "ablate"
    if axes(run):
        numeric = [axis for axis in axes(run) if len(axis.options) == 1 and axis.whole_numbers]
        along = any(len(axis.values) >= MIN_VALUES for axis in numeric)
        return "compare" if not along and any(cell.baseline for cell in run.cells) else "sweep"
    if any(cell.rotates_lineup for cell in run.cells):
        return "strategies"
    sizes = {cell.seats for cell in run.cells}
    return "seats" if len(sizes) > 1 and "seats" in registry.recipes() else "balance"
