"""The game page: what happens in a game with the rules of the baseline, or with the designer's own tables.

Its own section has the rules: a summary, the rules in brief, and the options in force in the first cell.
"""

import polars as pl

from simkit.page.columns import table
from simkit.page.document.parts import Section, Story
from simkit.page.recipe import Recipe
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import join_names, name_seats
from simkit.runs.table_files import has_own_files
from simkit.tables.findings import Findings

from .sections.answer import answer
from .sections.components import cards_changed, components, pieces
from .sections.length import length, load, yardsticks
from .sections.luck import beginners, luck
from .sections.players import skill, who
from .sections.seats import seats, verdicts
from .sections.stories import stories
from .sections.tension import drama, endings, scores


def rules(findings: Findings) -> Section | None:
    """Return the options in force with their meanings, and the rules in brief."""
    labels, words = labels_of(findings), findings.run.words
    in_force, options = words.in_force(findings.run.cells[0].options), words.options
    changed = {name: in_force[name] for name in options if in_force[name] != options[name].default}
    text = f"As in the {labels.book}."
    if changed:
        text = f"Differing from the {labels.book}: {labels.setting(changed)}."
    others = [labels.setting(cell.varied) for cell in findings.run.cells if has_own_files(cell.varied)]
    if others:
        text += f" Compared with it: {join_names(dict.fromkeys(others))}."
    rows = [
        {"option": name, "here": labels.value(name, in_force[name])}
        | {"rulebook": labels.value(name, option.default), "meaning": name_seats(option.meaning)}
        | {"clause": option.clause, "name": name}
        for name, option in options.items()
    ]
    names = "option here rulebook meaning clause name"
    listing = table(findings, pl.DataFrame(rows), names, "Options in force", meaning="meaning")
    brief = [Story("The rules in brief", name_seats(words.rules.strip()))] if words.rules else []
    about = f"{words.title}: {words.summary}." if words.summary else f"{words.title}."
    return Section("The game", [about, text], [], [listing], brief)


recipe = Recipe(
    "what happens in the game",
    brief=[answer],
    chapters={
        "The rules": [cards_changed, rules],
        "Seats": [seats, verdicts],
        "Players": [who, skill],
        "Length": [length, load],
        "Tension": [drama, yardsticks],
        "Luck and scores": [beginners, luck, endings, scores],
        "What goes with winning": [pieces, components],
        "Games worth a look": [stories],
    },
    question="What happens in a game of {game}?",
    of_baseline=True,
)
