"""Parts of a report: the brief, chapters with their evidence, and how it was computed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from simkit.page.document.tables import Table

if TYPE_CHECKING:
    from simkit.page.charts.drawing import Picture

Words = Mapping[str, str]  # terms with their meanings; a term may name several: `FAIR, UNFAIR`


class Figure(NamedTuple):
    """A drawing with its alternative text and, in the brief, a title that says what it shows."""

    drawing: Picture  # drawn on demand; its name is unique in the report
    alt: str
    caption: str = ""
    title: str = ""


class Takeaway(NamedTuple):
    """A sentence, and the code that reproduces its numbers.

    kind: `answer` (the headline of the brief) or `advice` (beside the stamp); `sure` (how sure the numbers
    are) and those of no kind stand in the first chapter.
    """

    text: str
    source: str = ""
    kind: str = ""


class Stamp(NamedTuple):
    """The decision in a few words; `kind` (`change`, `keep`, `open`; else neutral) is its colour."""

    text: str
    kind: str


class TileLine(NamedTuple):
    """Line of a tile: a number in large type, its note, and what it is of where a tile has several."""

    number: str
    note: str = ""
    of: str = ""


class Tile(NamedTuple):
    """A fact of the brief: a title, a line for each number of players, and a note on all of them."""

    title: str
    lines: list[TileLine]
    note: str = ""


class Step(NamedTuple):
    """A next step and its command."""

    text: str
    command: str = ""


class Story(NamedTuple):
    """Commands to run, or a replayed game: its course as a figure, turning points, moves and boards."""

    title: str
    text: str = ""
    command: str = ""
    figure: Figure | None = None
    points: list[str] = []  # turning points of the game
    moves: str = ""  # a line per turn
    board: str = ""  # the board at the turning point and at the end


@dataclass(frozen=True, kw_only=True)
class Brief:
    """Parts of a brief. Each section fills in some of them; the report has them all."""

    takeaways: list[Takeaway] = field(default_factory=list)
    stamp: Stamp | None = None
    plays_on: str = ""  # the setting that the stamp leaves open, as in the address of a page with dials
    step: Step | None = None
    picture: Figure | None = None
    by_strength: Table | None = None  # a line per player, the weakest first
    tiles: list[Tile] = field(default_factory=list)
    tiles_of: str = ""  # the setting of the tiles
    limits: list[str] = field(default_factory=list)  # what the page cannot tell
    warnings: list[str] = field(default_factory=list)
    words: Words = field(default_factory=dict)  # for the glossary


@dataclass(frozen=True)
class Section(Brief):
    """A heading that states the finding, with its evidence; parts of the brief need no heading."""

    heading: str = ""
    text: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    stories: list[Story] = field(default_factory=list)
    glance: Table | None = None  # numbers behind the answer, for the first chapter


class Chapter(NamedTuple):
    """Sections that are folded below the brief."""

    title: str
    sections: list[Section]


@dataclass(frozen=True)
class Report(Brief):
    """A page: the brief, chapters, and how it was computed."""

    title: str  # of the page: the game and the kind of report
    question: str
    name: str = ""  # of the game
    origin: str = ""  # games, date and version
    source: str = ""  # games and intervals of the picture
    chapters: list[Chapter] = field(default_factory=list)
    command: str = ""
    facts: list[tuple[str, str]] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)  # simkit, Python, …
    insert: Words = field(default_factory=dict)  # markup, style, script and policy of what follows the brief
    data: Callable[[], Mapping[str, Any]] = dict  # all tables behind the page, for programs

    @property
    def sections(self) -> list[Section]:
        """Sections of all chapters."""
        return [section for chapter in self.chapters for section in chapter.sections]

    @property
    def answer(self) -> str:
        """The headline; empty for a page without one."""
        return next((takeaway.text for takeaway in self.takeaways_of("answer")), "")

    @property
    def sentence(self) -> str:
        """Headline and advice as one text."""
        advice = (takeaway.text for takeaway in self.takeaways_of("advice"))
        return " ".join(filter(None, (self.answer, *advice)))

    def takeaways_of(self, kind: str) -> list[Takeaway]:
        """Return the takeaways of a kind."""
        return [takeaway for takeaway in self.takeaways if takeaway.kind == kind]

    def figures(self) -> list[Figure]:
        """Return all figures; raise ValueError for two of one name, which would share ids and files."""
        figures = [self.picture] if self.picture else []
        for section in self.sections:
            figures += [*section.figures, *(story.figure for story in section.stories if story.figure)]
        for name, times in Counter(figure.drawing.name for figure in figures).items():
            if times > 1:
                raise ValueError(f"figure {name!r} stands twice in the report; each needs its own name")
        return figures

    def tables(self) -> list[Table]:
        """Return all tables that have rows."""
        return [table for section in self.sections for table in section.tables if table.rows]

    def glossary(self) -> Words:
        """Return the terms that occur on the page, with their meanings."""
        text = "\n".join(self._texts())
        return {term: meaning for term, meaning in self.words.items() if _stands_in(text, term)}

    def _texts(self) -> Iterator[str]:
        """Yield all texts of the page except replayed games."""
        yield from (self.question, self.source, *self.limits, *self.warnings)
        yield from (takeaway.text for takeaway in self.takeaways)
        yield from (text for fact in self.facts for text in fact)
        yield from (text for tile in self.tiles for text in (tile.note, *(line.note for line in tile.lines)))
        yield from (chapter.title for chapter in self.chapters)
        for section in self.sections:
            yield from (section.heading, *section.text)
        for figure in self.figures():
            yield from (figure.alt, figure.caption)
        for table in self.tables():
            yield from (table.caption, *(column.heading for column in table.columns))
            yield from (cell for row in table.rows for cell in row)

    def made_with(self) -> str:
        """Return the versions as one text."""
        return ", ".join(f"{name} {version}" for name, version in self.versions.items())


def _stands_in(text: str, term: str) -> bool:
    parts = filter(None, map(str.strip, re.split(r"[,()]", term)))
    return any(re.search(rf"(?<!\w){re.escape(part)}", text, re.IGNORECASE) for part in parts)
