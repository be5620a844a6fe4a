"""What a report is made of: takeaways, sections of text, figures, tables and told games, origin."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from simkit.report.tables import Table

Words = Mapping[str, str]  # terms with their meanings; a term may name several: `FAIR, UNFAIR`


class Drawing(Protocol):
    """A figure that is drawn when it is needed; its name is unique in the report, the ids begin with it."""

    name: str

    def svg(self) -> str: ...  # an <svg> element

    def png(self) -> bytes: ...


class Figure(NamedTuple):
    """A drawing with what it shows in words, for those who cannot see it."""

    drawing: Drawing
    alt: str
    caption: str = ""


class Takeaway(NamedTuple):
    """A sentence with n and interval, what gives its numbers again, a small table if it sums up several."""

    text: str
    source: str = ""
    table: Table | None = None
    lead: str = ""  # the beginning of a long text, which stands out


class Story(NamedTuple):
    """A game told in words, and the command that plays it again."""

    title: str
    text: str
    command: str = ""


@dataclass(frozen=True)
class Section:
    """A heading, what to see there, and what shows it; the rest goes elsewhere and needs no heading."""

    heading: str = ""
    text: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    stories: list[Story] = field(default_factory=list)
    takeaways: list[Takeaway] = field(default_factory=list)  # to the top of the page
    warnings: list[str] = field(default_factory=list)  # to the top of the page
    words: Words = field(default_factory=dict)  # to its glossary


@dataclass(frozen=True)
class Report:
    """A page: question, takeaways, warnings, sections, the command that repeats it, facts, words."""

    title: str
    question: str
    takeaways: list[Takeaway] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    command: str = ""
    facts: list[tuple[str, str]] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)  # of what it was made with: simkit, Python, …
    words: Words = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)  # what must be known to read the takeaways

    def figures(self) -> list[Figure]:
        """All figures; two of one name would share their ids and files."""
        found = [figure for section in self.sections for figure in section.figures]
        for name, times in Counter(figure.drawing.name for figure in found).items():
            if times > 1:
                raise ValueError(f"figure {name!r} stands twice in the report; each needs its own name")
        return found

    def glossary(self) -> Words:
        """The words that stand somewhere on the page, each once."""
        text = "\n".join(self._texts())
        return {term: meaning for term, meaning in self.words.items() if _stands_in(text, term)}

    def _texts(self) -> Iterator[str]:
        """All that is read on the page but told games."""
        yield from (self.question, *self.notes, *self.warnings, *(one.text for one in self.takeaways))
        yield from (text for fact in self.facts for text in fact)
        tables = [one.table for one in self.takeaways if one.table]
        for section in self.sections:
            yield from (section.heading, *section.text)
            yield from (text for figure in section.figures for text in (figure.alt, figure.caption))
            tables += section.tables
        for table in tables:
            yield from (table.caption, *(column.heading for column in table.columns))
            yield from (cell for row in table.rows for cell in row)

    def made_with(self) -> str:
        return ", ".join(f"{name} {version}" for name, version in self.versions.items())


def _stands_in(text: str, term: str) -> bool:
    parts = filter(None, map(str.strip, re.split(r"[,()]", term)))
    return any(re.search(rf"(?<!\w){re.escape(part)}", text, re.IGNORECASE) for part in parts)
