"""A report as one JSON document: the same sentences and rows, with raw values."""

import json
from collections.abc import Mapping
from typing import Any

from simkit.report.parts import Report, Section, Takeaway
from simkit.report.tables import Table


def render_json(report: Report, pictures: Mapping[str, str]) -> str:
    """The report for a program; `pictures` are the files of the figures by name, where they were written."""
    document = {
        "title": report.title,
        "question": report.question,
        "notes": report.notes,
        "takeaways": [_takeaway(one) for one in report.takeaways],
        "warnings": report.warnings,
        "sections": [_section(section, pictures) for section in report.sections],
        "command": report.command,
        "facts": dict(report.facts),
        "versions": report.versions,
        "words": report.glossary(),
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def _takeaway(takeaway: Takeaway) -> dict[str, Any]:
    rows = {"table": _table(takeaway.table)} if takeaway.table else {}
    return {"text": takeaway.text, "source": takeaway.source} | rows


def _section(section: Section, pictures: Mapping[str, str]) -> dict[str, Any]:
    figures = [
        {"name": name, "alt": figure.alt, "caption": figure.caption, "file": pictures.get(name)}
        for figure in section.figures
        for name in [figure.drawing.name]
    ]
    return {
        "heading": section.heading,
        "text": section.text,
        "figures": figures,
        "tables": [_table(table) for table in section.tables],
        "stories": [story._asdict() for story in section.stories],
    }


def _table(table: Table) -> dict[str, Any]:
    columns = [
        {key: getattr(column, key) for key in ("name", "heading", "meaning")} for column in table.columns
    ]
    return {"caption": table.caption, "columns": columns, "records": table.records()}
