"""A report as one JSON document: the same sentences and rows, with raw values."""

import json
from collections.abc import Mapping
from typing import Any

from simkit.report.parts import Report, Section
from simkit.report.tables import Table


def render_json(report: Report, pictures: Mapping[str, str]) -> str:
    """The report for a program; `pictures` are the files of the figures by name, where they were written."""
    document = {
        "title": report.title,
        "question": report.question,
        "notes": report.notes,
        "takeaways": [
            {"text": one.text, "source": one.source} | ({"table": _table(one.table)} if one.table else {})
            for one in report.takeaways
        ],
        "warnings": report.warnings,
        "sections": [_section(section, pictures) for section in report.sections],
        "command": report.command,
        "facts": dict(report.facts),
        "versions": report.versions,
        "words": report.glossary(),
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def _section(section: Section, pictures: Mapping[str, str]) -> dict[str, Any]:
    figures = [
        {"name": drawing.name, "alt": alt, "caption": caption, "file": pictures.get(drawing.name)}
        for drawing, alt, caption in section.figures
    ]
    return {
        "heading": section.heading,
        "text": section.text,
        "figures": figures,
        "tables": [_table(table) for table in section.tables],
        "stories": [story._asdict() for story in section.stories],
    }


def _table(table: Table) -> dict[str, Any]:
    keys = ("name", "heading", "meaning")
    columns = [{key: getattr(column, key) for key in keys} for column in table.columns]
    return {"caption": table.caption, "columns": columns, "records": table.records()}
