"""Games worth looking at, told in words."""

from __future__ import annotations

import shlex
from typing import Any

import polars as pl

from reports.sections.common import first_cell, here
from reports.sections.who import score_word
from simkit import analysis, narrate
from simkit.errors import PlayError, UsageError
from simkit.report import Section, Story
from simkit.runlog import Run

WHY = {
    "representative": "nearest to the middle in length, lead changes and final margin",
    "median": "of middling length and middling margin",
    "wildest": "most lead changes, latest decision, closest end",
}


def story_section(run: Run) -> Section:
    """A representative, a median and the wildest game of the first lineup, with the command that plays each again."""
    games = first_cell(run, analysis.interesting_games(run))
    kinds = "; ".join(f"{kind}: {why}" for kind, why in WHY.items())
    text = [
        f"Three games to look at, chosen by their course among {games['games'][0]:,}, whoever won. {kinds[0].upper()}{kinds[1:]}.",
        here(run),
    ]
    told = [_told(run, play, rows) for (play,), rows in games.group_by("play", maintain_order=True)]
    refusals = list(dict.fromkeys(said for _, said in told if said))
    return Section(
        "Games to look at",
        [line for line in [*text, *refusals] if line],
        stories=[story for story, _ in told],
    )


def _told(run: Run, play: Any, rows: pl.DataFrame) -> tuple[Story, str]:
    """The story of a game; if it cannot be told any more, why."""
    row = rows.row(0, named=True)
    title = f"{_listed(rows['kind'].to_list())} game: play {play}, {_facts(row, score_word(run))}"
    command = shlex.join(["simkit", "replay", str(run.folder), str(play)])
    try:
        return Story(
            title,
            "\n".join(analysis.seats_named(line, article="") for line in narrate.replay(run, int(play))),
            command,
        ), ""
    except (PlayError, UsageError) as error:
        return Story(
            title, "Not told.", command
        ), f"The games cannot be told here: {str(error).splitlines()[0]}."


def _listed(kinds: list[str]) -> str:
    """The kinds that one game stands for.

    >>> _listed(["representative", "median"])
    'Representative and median'
    """
    text = " and ".join(kinds)
    return text[0].upper() + text[1:]


def _facts(row: dict[str, Any], word: str = "points") -> str:
    """What happened, in a line.

    >>> _facts({"turns": 30, "lead_changes": 1, "winner": 0, "margin": 4})
    '30 turns, 1 lead change, the first seat wins by 4 points'
    """
    changes = row["lead_changes"]
    said = [f"{row['turns']} turns"] + (
        [] if changes is None else [f"{changes} lead change{'' if changes == 1 else 's'}"]
    )
    counted = word.removesuffix("s") if row["margin"] == 1 else word
    return ", ".join(
        [
            *said,
            "no single winner"
            if row["winner"] is None
            else f"the {analysis.seat_name(row['winner'])} wins by {row['margin']} {counted}",
        ]
    )
