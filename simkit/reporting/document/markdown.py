"""A report as GitHub-flavoured Markdown; special characters are escaped."""

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from simkit.reporting.document.parts import Figure, Report, Section, Story, Tile
from simkit.reporting.document.tables import Table


def render_markdown(report: Report, pictures: Mapping[str, str]) -> str:
    """Return the report as Markdown; figures link to their files in `pictures`, or are described."""
    blocks = list(_brief(report, pictures))
    for chapter in report.chapters:
        blocks.append(f"## {escaped(chapter.title)}")
        for section in chapter.sections:
            blocks += _section(section, pictures)
    blocks += _computed(report)
    if report.glossary():
        blocks += ["## What the words mean", _terms(report.glossary().items())]
    return "\n\n".join(blocks) + "\n"


def _brief(report: Report, pictures: Mapping[str, str]) -> Iterator[str]:
    yield escaped(" · ".join(filter(None, (report.title, report.origin))))
    yield f"# {escaped(report.answer or report.question)}"
    yield f"*{escaped(report.question)}*"
    advice = escaped(" ".join(takeaway.text for takeaway in report.takeaways_of("advice")))
    stamp = f"**{escaped(report.stamp.text)}**" if report.stamp else ""
    yield from filter(None, [" ".join(filter(None, (stamp, advice)))])
    if report.step:
        yield escaped(report.step.text)
        yield from filter(None, [report.step.command and _code(report.step.command)])
    yield from (f"**Beware:** {escaped(warning)}" for warning in report.warnings)
    if report.picture:
        yield from _figure(report.picture, pictures)
    yield from filter(None, [escaped(report.source)])
    yield from filter(None, ["\n".join(_tile(tile) for tile in report.tiles)])
    if report.limits:
        yield "What this cannot tell you:"
        yield "\n".join(f"- {escaped(limit)}" for limit in report.limits)


def _in_brackets(note: str) -> str:
    return note if not note or note.startswith("(") else f"({note})"


def _tile(tile: Tile) -> str:
    lines = (
        " ".join(filter(None, (line.of and f"{line.of}:", line.number, _in_brackets(line.note))))
        for line in tile.lines
    )
    return f"- **{escaped(tile.title)}**: {escaped('; '.join(filter(None, (*lines, tile.note))))}"


def escaped(text: str) -> str:
    r"""Escape a text for Markdown and join it on one line.

    >>> print(escaped("a|b <c> `d` e_f [g](h)"))
    a\|b &lt;c&gt; \`d\` e_f \[g\](h)
    """
    text = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"[\\`*\[\]|~$#]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)
    begins_a_list_or_rules_a_line = r"^(\d*)([.)](?=\s|$)|[-+=](?=\s|[-=]*$))"
    return re.sub(begins_a_list_or_rules_a_line, r"\1\\\2", text)


def _section(section: Section, pictures: Mapping[str, str]) -> Iterator[str]:
    yield f"### {escaped(section.heading)}"
    yield from map(escaped, section.text)
    for figure in section.figures:
        yield from _figure(figure, pictures)
    for table in [table.on_page for table in section.tables if table.rows]:
        if table.caption:
            yield f"**{escaped(table.caption)}**"
        yield _table(table)
    for story in section.stories:
        yield from _story(story, pictures)


def _figure(figure: Figure, pictures: Mapping[str, str]) -> Iterator[str]:
    file, words = pictures.get(figure.drawing.name), escaped(figure.alt)
    yield f"![{words}]({quote(file)})" if file else f"Figure: {words}"
    yield from filter(None, [escaped(figure.caption)])


def _table(table: Table) -> str:
    head = [escaped(column.heading) for column in table.columns]
    sides = ["---:" if column.number else "---" for column in table.columns]
    rows = [head, sides, *(map(escaped, table.rows[place]) for place in sorted(table.shown))]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _story(story: Story, pictures: Mapping[str, str]) -> Iterator[str]:
    yield f"#### {escaped(story.title)}"
    if story.figure:
        yield from _figure(story.figure, pictures)
    if story.points:
        yield "\n".join(f"- {escaped(point)}" for point in story.points)
    yield from (_code(text) for text in (story.text, story.moves, story.board) if text)
    if story.command:
        yield "Replay it:"
        yield _code(story.command)


def _computed(report: Report) -> Iterator[str]:
    facts = [*report.facts, *([("Made with", report.made_with())] if report.versions else [])]
    if facts:
        yield "## How it was computed"
        yield _terms(facts)
    sources = [takeaway for takeaway in report.takeaways if takeaway.source]
    if report.command or sources:
        yield "## Reproduce"
    if report.command:
        yield _code(report.command)
    for takeaway in sources:
        yield f"{escaped(takeaway.text)}\n\n{_code(takeaway.source)}"


def _terms(terms: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- **{escaped(term)}**: {escaped(meaning)}" for term, meaning in terms)


def _code(text: str) -> str:
    """Return a code block between fences longer than any row of backticks within."""
    fence = max(["``", *re.findall("`+", text)], key=len) + "`"
    return f"{fence}\n{text.rstrip()}\n{fence}"
