"""The rules in brief, and the options in force."""

import polars as pl

from simkit.analysis import Findings
from simkit.pages import Section, table
from simkit.report import Story
from simkit.words import seats_named
from simkit.words.labels import Labels


def section(found: Findings) -> Section | None:
    """What is played: summary, rules in brief, options in force in the first cell."""
    labels = Labels(found.run)
    words = found.run.words
    force = words.in_force(found.run.cells[0].options)
    rows = [
        {
            "label": known.label,
            "here": labels.value(name, force[name]),
            "rulebook": labels.value(name, known.default),
        }
        | {"meaning": seats_named(known.meaning), "clause": known.clause, "option": name}
        for name, known in words.options.items()
    ]
    if not words.summary:
        return None
    changed = {row["option"]: force[row["option"]] for row in rows if row["here"] != row["rulebook"]}
    text = f"Differing from the rulebook: {labels.setting(changed)}." if changed else "As in the rulebook."
    heads = {"label": "option", "meaning": "meaning", "option": "in commands"}
    options = table(
        found, pl.DataFrame(rows), "label here rulebook meaning clause option", "Options in force", **heads
    )
    brief = [Story("The rules in brief", seats_named(words.rules.strip()))] if words.rules else []
    return Section("The game", [f"{words.title}: {words.summary}.", text], [], [options], brief)
