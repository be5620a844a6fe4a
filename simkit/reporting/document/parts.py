"""What a report is made of: the first screen, folds of text, figures, tables and told games, origin."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from simkit.reporting.document.tables import Table

Words = Mapping[str, str]  # terms with their meanings; a term may name several: `FAIR, UNFAIR`


class Drawing(Protocol):
    """A figure that is drawn when it is needed; its name is unique in the report, the ids begin with it."""

    name: str

    def svg(self, narrow: bool = False) -> str: ...  # an <svg> element, for a desk or for a phone

    def png(self) -> bytes: ...


class Figure(NamedTuple):
    """A drawing with what it shows in words, for those who cannot see it."""

    drawing: Drawing
    alt: str
    caption: str = ""


class Takeaway(NamedTuple):
    """A sentence of the first screen, and what gives its numbers again.

    kind: `answer` (the headline), `advice`, `feel` and `sure` (parts of a line each), else told by itself.
    """

    text: str
    source: str = ""
    kind: str = ""


class Step(NamedTuple):
    """What to do next, and the command that does it."""

    text: str
    command: str = ""


class Story(NamedTuple):
    """Commands to type; or a game told: its course as a picture, what turned it, its moves, its boards."""

    title: str
    text: str = ""
    command: str = ""
    figure: Figure | None = None
    points: list[str] = []  # what turned the game, in words
    moves: str = ""  # a line per turn
    board: str = ""  # the table where the game turned, and at its end


@dataclass(frozen=True)
class Section:
    """A heading that states the finding, what shows it; the rest goes elsewhere and needs no heading."""

    heading: str = ""
    text: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    stories: list[Story] = field(default_factory=list)
    takeaways: list[Takeaway] = field(default_factory=list)  # to the first screen, as the rest
    picture: Figure | None = None
    glance: Table | None = None  # few rows that say it all
    steps: list[Step] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    words: Words = field(default_factory=dict)  # to the glossary


class Fold(NamedTuple):
    """Sections that lie folded below the first screen; `asked`: printed with it."""

    title: str
    sections: list[Section]
    asked: bool = False


@dataclass(frozen=True)
class Report:
    """A page: the first screen (question to warnings), folds, and how all was computed."""

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
    versions: dict[str, str] = field(default_factory=dict)  # of what it was made with: simkit, Python, …
    words: Words = field(default_factory=dict)

    @property
    def sections(self) -> list[Section]:
        return [section for fold in self.folds for section in fold.sections]

    def told(self, kind: str) -> list[Takeaway]:
        """The sentences of a kind; without an answer the first of all is one."""
        some = [one for one in self.takeaways if one.kind == kind]
        return some or (self.takeaways[:1] if kind == "answer" else [])

    def others(self) -> list[Takeaway]:
        """The sentences that stand by themselves."""
        return [one for one in self.takeaways if not one.kind and one not in self.told("answer")]

    def figures(self) -> list[Figure]:
        """All figures; two of one name would share their ids and files."""
        found = [self.picture] if self.picture else []
        for section in self.sections:
            found += [*section.figures, *(story.figure for story in section.stories if story.figure)]
        for name, times in Counter(figure.drawing.name for figure in found).items():
            if times > 1:
                raise ValueError(f"figure {name!r} stands twice in the report; each needs its own name")
        return found

    def tables(self) -> list[Table]:
        glance = [self.glance] if self.glance else []
        return [*glance, *(table for section in self.sections for table in section.tables)]

    def glossary(self) -> Words:
        """The words that stand somewhere on the page, each once."""
        text = "\n".join(self._texts())
        return {term: meaning for term, meaning in self.words.items() if _stands_in(text, term)}

    def _texts(self) -> Iterator[str]:
        """All that is read on the page but told games."""
        yield from (self.question, *self.warnings, *(one.text for one in self.takeaways))
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
        return ", ".join(f"{name} {version}" for name, version in self.versions.items())


def _stands_in(text: str, term: str) -> bool:
    parts = filter(None, map(str.strip, re.split(r"[,()]", term)))
    return any(re.search(rf"(?<!\w){re.escape(part)}", text, re.IGNORECASE) for part in parts)
