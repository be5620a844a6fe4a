"""The one frame of all pages: a recipe names sections; title, warnings, notes, facts, words."""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import NamedTuple

from simkit import catalogue
from simkit.analysis import Findings, axes
from simkit.provenance import by_source
from simkit.report import Report, Section
from simkit.runlog import Run
from simkit.wording import counted
from simkit.words import answer, distance
from simkit.words.labels import Labels
from simkit.words.phrases import percent

WORDS = {
    "Share": "wins divided by games; a win shared by several seats counts 1/2, 1/3 … for each. No game is "
    "left out.",
    "First seat": "the first in the order of play; the second seat comes next, and so on. In saved data "
    "seats are numbers, from 0.",
    "First-player advantage": "the share of the first seat less the fair share (1 divided by the number of "
    "seats), in percentage points.",
    "95 % interval": "the range in which the true value may be expected: were the whole experiment "
    "repeated on new deals, about 19 of 20 such intervals would contain it. For shares it is Wilson's "
    "interval with the effective number of games, for scores Student's t. It says how well these "
    "strategies under these rules are measured, not how people would play.",
    "Deal": "one shuffle of all luck in the game. All games on one deal count as one observation, since "
    "they share their luck.",
    "Rotation": "a deal is played once for each way of moving the strategies round the seats, so that no "
    "strategy profits from a seat.",
    "Mirror": "a lineup in which the same strategy sits in every seat: what remains is the effect of the "
    "seats.",
    "Baseline": "the setting that the others are compared with.",
    "FAIR, UNFAIR, UNDECIDED": "every seat is within the margin of its fair share (the margin stands under "
    "How it was computed); some seat is farther off; or more deals are needed. Of the verdicts given "
    "together, at most 5 in 100 are expected to be wrong, also if one looks again and again while a run "
    "grows.",
    "Noise": "what luck alone adds or takes. Beyond noise: luck alone would hardly make such a difference.",
}
ABOUT_SEATS = ("First seat", "First-player advantage", "FAIR, UNFAIR, UNDECIDED", "Mirror")
WORDS_OF_TEAM = {name: text for name, text in WORDS.items() if name not in ABOUT_SEATS} | {
    "Share": "games that the team won divided by all games. No game is left out.",
    "ON TARGET, EASY, HARD, UNDECIDED": "the team wins within the margin of the target; more often; less "
    "often; or more deals are needed. Of the verdicts given together, at most 5 in 100 are expected to be "
    "wrong, also if one looks again and again while a run grows.",
}
VERSIONS = {name: name.lower() for name in ("simkit", "Python", "numpy", "numba")}
VERSIONS["sources (SHA-256)"] = "sources"


class Recipe(NamedTuple):
    """A page: the end of its title, and the names of its sections in order (`reports/sections/NAME.py`)."""

    title: str
    sections: str  # names, in order: the files of reports/sections
    instead: str = ""  # names: where the first has something to say, these are the page
    question: str = ""  # in place of the run's; {game} is the game's title
    of_team: str = ""  # names: the page of a co-operative game, where it is another
    of_baseline: bool = False  # whether it is about the cells to look at only

    def build(self, run: Run) -> Report:
        found = Findings(run).looked() if self.of_baseline else Findings(run)
        first = self.instead.split()[:1]
        usual = self.of_team if run.team and self.of_team else self.sections
        sections = _made(found, (self.instead if _made(found, first) else usual).split())
        name, made = run.words.title, run.manifest
        return Report(
            title=f"{name}: {self.title}",
            question=self.question.format(game=name) or run.experiment.question,
            takeaways=[one for section in sections for one in section.takeaways],
            warnings=[one for section in sections for one in section.warnings] + found.kept(answer).warnings,
            sections=[section for section in sections if section.heading],
            command=made.get("command") or f"simkit run {run.folder.name}/experiment.toml",
            facts=list(facts(run)),
            versions={head: str(made[key]) for head, key in VERSIONS.items() if made.get(key)},
            words=reduce(
                or_, (dict(section.words) for section in sections), WORDS_OF_TEAM if run.team else WORDS
            ),
            notes=list(_notes(run)),
        )


def _made(found: Findings, names: list[str]) -> list[Section]:
    """The sections that have something to say, without empty tables."""
    made = [catalogue.section(name)(found) for name in names]
    return [replace(one, tables=[table for table in one.tables if table.rows]) for one in made if one]


def _notes(run: Run) -> Iterator[str]:
    """Each option that the run varies or sets, with its meaning: where its label is read first."""
    labels, options = Labels(run), run.words.options
    names = [*(name for axis in axes(run) for name in axis.options), *run.experiment.options]
    for name in dict.fromkeys(name for name in names if name in options):
        label, usual = labels.option(name), labels.value(name, options[name].default)
        meaning = f" – {labels.meaning(name)}" if labels.meaning(name) else ""
        also = "" if label == name else f" ({name} in commands)"
        yield f"{label}{also}{meaning} (rulebook: {usual})."


def facts(run: Run) -> Iterator[tuple[str, str]]:
    keys, made, labels = run.experiment, run.manifest, Labels(run)
    varied = "; ".join(f"{labels.axis(axis)} = {', '.join(labels.values(axis))}" for axis in axes(run))
    tried = {name for axis in axes(run) for name in axis.options}
    alike = keys.options | {name: value for name, value in run.cells[0].varied.items() if name not in tried}
    rules = f"{keys.game}; options set for all games: {labels.setting(alike) or 'none'}; varied: "
    rest = f"all others as in the rulebook (simkit rules {keys.game})"
    yield "Rules", f"{rules}{varied or 'nothing'}; {rest}"
    games = f"{sum(cell.plays for cell in run.cells):,} in {counted(len(run.cells), 'cell')}"
    deals, rotated = ({getattr(cell, name) for cell in run.cells} for name in ("deals", "rotations"))
    per_deal = f"games per deal (rotations): {_numbers(rotated)}"
    yield "Games", f"{games} of {_numbers(deals)} deals; {per_deal}"
    wrong = "of the verdicts given together, at most 5 in 100 are expected to be wrong"
    fair = f"fair means within {distance(keys.margin)} of the fair share"
    if run.team:
        fair = f"on target means within {distance(keys.margin)} of {percent(run.cells[0].fair)}"
    yield "Margin", f"{fair}; {wrong}"
    if keys.adaptive:
        aims = ["a verdict"] if keys.until_verdict else []
        aims += [f"an interval of {distance(keys.until_width)}"] if keys.until_width else []
        until = f"each cell played until {' and '.join(aims)}, at most {keys.deals:,} deals"
        yield "Stopping", f"{until}; intervals hold at every look"
    if run.words.provenance:
        yield "Component data", "; ".join(by_source(run.words.provenance))
    same = "every cell is played on the same deals, so cells can be compared deal by deal"
    yield "Luck", f"seed {made.get('seed', keys.seed)}; {same}"
    yield "Played", f"{made.get('finished') or made.get('started')}, in {made.get('seconds', 0.0):.0f} s"


def _numbers(values: set[int]) -> str:
    return ", ".join(f"{value:,}" for value in sorted(values))
