"""Games worth looking at, told in words: three of the first lineup, each with its command."""

import polars as pl

from simkit import narrate
from simkit.errors import PlayError, UsageError
from simkit.pages import Findings, Section, Story, first_cell, here, prose
from simkit.pages.commands import again
from simkit.wording import counted
from simkit.words import seat_name, seats_named
from simkit.words.phrases import Row, number

KINDS = prose("""Representative: nearest to the middle in length, lead changes and final margin; median: of
    middling length and middling margin; wildest: most lead changes, latest decision, closest end.""")

KINDS_OF_TEAM = prose("""Representative: of wins or defeats, whichever are more, nearest to the middle in
    length and margin; then the win and the defeat with the smallest margin.""")


def section(found: Findings) -> Section:
    games = first_cell(found, found.interesting_games)
    kinds, many = KINDS_OF_TEAM if found.run.team else KINDS, games["games"][0]
    chosen = f"Three games to look at, chosen by their course among {many:,}, whoever won."
    if found.run.team:
        chosen = f"Games to look at, chosen among {many:,}."
    told = [_told(found, rows) for rows in games.partition_by("play", maintain_order=True)]
    refusals = dict.fromkeys(f"The games cannot be told here: {why}." for _, why in told if why)
    text = [f"{chosen} {kinds}", here(found), *refusals]
    return Section("Games to look at", list(filter(None, text)), stories=[story for story, _ in told])


def _told(found: Findings, rows: pl.DataFrame) -> tuple[Story, str]:
    """The story of a game; if it cannot be told any more, why."""
    row, run, kinds = rows.row(0, named=True), found.run, " and ".join(rows["kind"])
    title = f"{kinds.capitalize()} game: play {row['play']}, {_facts(row, run.words.score, run.team)}"
    command = again(run, "replay", str(run.folder), str(row["play"]))
    try:
        lines = [seats_named(line, article="") for line in narrate.replay(run, row["play"])]
    except (PlayError, UsageError) as error:
        return Story(title, "Not told.", command), str(error).splitlines()[0]
    return Story(title, "\n".join(lines), command), ""


def _facts(row: Row, word: str, team: bool = False) -> str:
    """What happened, in a line.

    >>> _facts({"turns": 30, "lead_changes": 1, "winner": 0, "margin": 4}, "points")
    '30 turns, 1 lead change, the first player wins by 4 points'
    """
    said = [counted(row["turns"], "turn")]
    if team:
        return ", ".join(
            [*said, f"the team {'wins' if row['won'] else 'loses'}, {word} {number(row['margin'], 0)}"]
        )
    said += [] if row["lead_changes"] is None else [counted(row["lead_changes"], "lead change")]
    if row["winner"] is None:
        return ", ".join([*said, "no single winner"])
    by = f"{row['margin']} {word.removesuffix('s') if row['margin'] == 1 else word}"
    return ", ".join([*said, f"the {seat_name(row['winner'])} wins by {by}"])
