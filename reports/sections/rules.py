"""The rules in brief, and the options in force."""

from typing import Any

import polars as pl

from simkit.pages import Findings, Section, Story, labels_of, table
from simkit.pages.commands import said
from simkit.runwords import OptionWords
from simkit.words import seats_named


def section(found: Findings) -> Section | None:
    """What is played: summary, rules in brief, options in force in the first cell."""
    labels, words = labels_of(found), found.run.words
    if not words.summary:
        return None
    force = words.in_force(found.run.cells[0].options)
    rows = [_row(name, known, force[name]) for name, known in words.options.items()]
    changed = {row["name"]: force[row["name"]] for row in rows if row["here"] != row["rulebook"]}
    named = [row | {key: labels.value(row["name"], row[key]) for key in ("here", "rulebook")} for row in rows]
    text = f"Differing from the rulebook: {labels.setting(changed)}." if changed else "As in the rulebook."
    names = "option here rulebook meaning clause name"
    values, texts = (
        table(found, pl.DataFrame(some), names, "Options in force", meaning="meaning")
        for some in (rows, named)
    )
    brief = [Story("The rules in brief", seats_named(words.rules.strip()))] if words.rules else []
    return Section(
        "The game",
        [f"{words.title}: {words.summary}.", text],
        [],
        [texts._replace(values=values.values)],
        brief,
    )


def _row(name: str, known: OptionWords, value: Any) -> dict[str, str]:
    """An option with its value here and in the rulebook."""
    values = {"here": said(value), "rulebook": said(known.default)}
    told = {"meaning": seats_named(known.meaning), "clause": known.clause}
    return {"option": name, **values, **told, "name": name}
