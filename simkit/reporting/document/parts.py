"""Parts of a report: first screen, folds of text, figures, tables and replayed games, and origin."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from simkit.reporting.document.tables import Table

Words = Mapping[str, str]  # terms with their meanings; a term may name several: `FAIR, UNFAIR`


class Drawing(Protocol):
    """Figure that is drawn on demand; its name is unique in the report and prefixes its element ids."""

    name: str

    def svg(self, narrow: bool = False) -> str: ...  # an <svg> element, for a desk or for a phone

    def png(self) -> bytes: ...


class Figure(NamedTuple):
    """A drawing with its alternative text."""

    drawing: Drawing
    alt: str
    caption: str = ""


class Takeaway(NamedTuple):
    """A sentence of the first screen, and the code that reproduces its numbers.

    kind: `answer` (the headline), `advice`, `feel` and `sure` (parts of a line each); others stand alone.
    """

    text: str
    source: str = ""
    kind: str = ""


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


@dataclass(frozen=True)
class Section:
    """A heading that states the finding, with its evidence; fields for the first screen need no heading."""

    heading: str = ""
    text: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    stories: list[Story] = field(default_factory=list)
    takeaways: list[Takeaway] = field(default_factory=list)  # for the first screen, like the following fields
    picture: Figure | None = None
    glance: Table | None = None  # small summary table
    steps: list[Step] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    words: Words = field(default_factory=dict)  # for the glossary


class Fold(NamedTuple):
    """Sections that are folded below the first screen; `printed`: open in print."""

    title: str
    sections: list[Section]
    printed: bool = False


@dataclass(frozen=True)
class Report:
    """A page: the first screen (question to warnings), folds, and how it was computed."""

    title: str
    question: str
    takeaways: list[Takeaway] = field(default_factory=list)
    picture: Figure | None = None
    glance: Table | None = None
    steps: list[Step] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    folds: list[Fold] = field(default_factory=list)
    command: str = ""
    facts: list[tuple[str, str]] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)  # simkit, Python, …
    words: Words = field(default_factory=dict)

    @property
    def sections(self) -> list[Section]:
        """Sections of all folds."""
        return [section for fold in self.folds for section in fold.sections]

    def takeaways_of(self, kind: str) -> list[Takeaway]:
        """Return the takeaways of a kind; without an answer the first takeaway counts as one."""
        takeaways = [takeaway for takeaway in self.takeaways if takeaway.kind == kind]
        return takeaways or (self.takeaways[:1] if kind == "answer" else [])

    def others(self) -> list[Takeaway]:
        """Return the takeaways that stand alone."""
        return [
            entry for entry in self.takeaways if not entry.kind and entry not in self.takeaways_of("answer")
        ]

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
        """Return all tables."""
        glance = [self.glance] if self.glance else []
        return [*glance, *(table for section in self.sections for table in section.tables)]

    def glossary(self) -> Words:
        """Return the terms that occur on the page, with their meanings."""
        text = "\n".join(self._texts())
        return {term: meaning for term, meaning in self.words.items() if _stands_in(text, term)}

    def _texts(self) -> Iterator[str]:
        """Yield all texts of the page except replayed games."""
        yield from (self.question, *self.warnings, *(takeaway.text for takeaway in self.takeaways))
        yield from (text for fact in self.facts for text in fact)
        yield from (step.text for step in self.steps)
        yield from (fold.title for fold in self.folds)
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
