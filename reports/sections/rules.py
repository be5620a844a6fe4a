"""The rules played: summary, rules in brief, options in force in the first cell."""

import polars as pl

from simkit.analysis.table import typed
from simkit.reporting.pages import Findings, Section, Story, labels_of, table
from simkit.reporting.text import seats_named
from simkit.reporting.text.phrases import listed
from simkit.runs.table_files import has_own_files


def section(findings: Findings) -> Section | None:
    """Return the options in force with their meanings, and the rules in brief."""
    labels, words = labels_of(findings), findings.run.words
    in_force = words.in_force(findings.run.cells[0].options)
    rows = [
        {"option": name, "here": typed(in_force[name]), "rulebook": typed(option.default)}
        | {"meaning": seats_named(option.meaning), "clause": option.clause, "name": name}
        for name, option in words.options.items()
    ]
    changed = {row["name"]: in_force[row["name"]] for row in rows if row["here"] != row["rulebook"]}
    labelled = [
        row
        | {"here": labels.value(row["name"], in_force[row["name"]])}
        | {"rulebook": labels.value(row["name"], words.options[row["name"]].default)}
        for row in rows
    ]
    text = f"As in the {labels.book}."
    if changed:
        text = f"Differing from the {labels.book}: {labels.setting(changed)}."
    others = [labels.setting(cell.varied) for cell in findings.run.cells if has_own_files(cell.varied)]
    if others:
        text += f" Compared with it: {listed(dict.fromkeys(others))}."
    names = "option here rulebook meaning clause name"
    caption, frames = "Options in force", map(pl.DataFrame, (rows, labelled))
    values, texts = (table(findings, frame, names, caption, meaning="meaning") for frame in frames)
    tables = [texts._replace(values=values.values)]
    brief = [Story("The rules in brief", seats_named(words.rules.strip()))] if words.rules else []
    about = f"{words.title}: {words.summary}." if words.summary else f"{words.title}."
    return Section("The game", [about, text], [], tables, brief)
