"""A report as GitHub-flavoured Markdown; whatever is in a name stays text."""

import re
from collections.abc import Iterable, Iterator, Mapping
from textwrap import indent
from urllib.parse import quote

from simkit.report.parts import Report, Section, Story, Takeaway
from simkit.report.tables import Table


def render_markdown(report: Report, pictures: Mapping[str, str]) -> str:
    """The report as text; figures are links where `pictures` has their files by name, else told in words."""
    blocks = [f"# {escaped(report.question)}", *map(escaped, (report.title, *report.notes))]
    blocks += _takeaways(report.takeaways)
    blocks += [f"**Beware:** {escaped(warning)}" for warning in report.warnings]
    for section in report.sections:
        blocks += _section(section, pictures)
    blocks += _computed(report)
    if report.glossary():
        blocks += ["## What the words mean", _terms(report.glossary().items())]
    return "\n\n".join(blocks) + "\n"


def escaped(text: str) -> str:
    r"""A text that Markdown shows as it is, on one line.

    >>> print(escaped("a|b <c> `d` e_f [g](h)"))
    a\|b &lt;c&gt; \`d\` e_f \[g\](h)
    """
    text = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"[\\`*\[\]|~$#]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)
    begins_a_list_or_rules_a_line = r"^(\d*)([.)](?=\s|$)|[-+=](?=\s|[-=]*$))"
    return re.sub(begins_a_list_or_rules_a_line, r"\1\\\2", text)


def _takeaways(takeaways: list[Takeaway]) -> Iterator[str]:
    if takeaways:
        yield "## Key takeaways"
    for takeaway in takeaways:
        source = "\n\n" + indent(_code(takeaway.source), "  ") if takeaway.source else ""
        rows = f"\n\n{indent(_table(takeaway.table), '  ')}" if takeaway.table and takeaway.table.rows else ""
        yield f"- {escaped(takeaway.text)}{rows}{source}"


def _section(section: Section, pictures: Mapping[str, str]) -> Iterator[str]:
    yield f"## {escaped(section.heading)}"
    yield from map(escaped, section.text)
    for figure in section.figures:
        file, words = pictures.get(figure.drawing.name), escaped(figure.alt)
        yield f"![{words}]({quote(file)})" if file else f"Figure: {words}"
        yield from filter(None, [escaped(figure.caption)])
    for table in [one for one in section.tables if one.rows]:
        if table.caption:
            yield f"**{escaped(table.caption)}**"
        yield _table(table)
    for story in section.stories:
        yield from _story(story)


def _table(table: Table) -> str:
    head = [escaped(column.heading) for column in table.columns]
    sides = ["---:" if column.number else "---" for column in table.columns]
    rows = [head, sides, *(map(escaped, row) for row in table.rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _story(story: Story) -> Iterator[str]:
    yield f"### {escaped(story.title)}"
    yield _code(story.text)
    if story.command:
        yield "Replay it:"
        yield _code(story.command)


def _computed(report: Report) -> Iterator[str]:
    facts = [*report.facts, *([("Made with", report.made_with())] if report.versions else [])]
    if report.command or facts:
        yield "## How it was computed"
    if report.command:
        yield "Repeat it:"
        yield _code(report.command)
    if facts:
        yield _terms(facts)


def _terms(terms: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- **{escaped(term)}**: {escaped(meaning)}" for term, meaning in terms)


def _code(text: str) -> str:
    """A block between fences longer than any row of backticks within."""
    fence = max(["``", *re.findall("`+", text)], key=len) + "`"
    return f"{fence}\n{text.rstrip()}\n{fence}"
