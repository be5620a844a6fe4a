"""The answer to the question of the run; of several lineups together, with a row for each."""

from __future__ import annotations

from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.pages.columns import table
from simkit.pages.commands import confirm_command, query
from simkit.pages.scope import margin
from simkit.report import Section, Table, Takeaway
from simkit.words import Answer, answer, span

MOST_SIDE_BY_SIDE = 4  # lineups whose shares stand beside each other
WORDS = {
    "Nearest to fair": "picked as the best of the settings tried, so it may look a little better than it "
    "is: play it with another seed to confirm."
}


def section(found: Findings) -> Section:
    """The sentences of the answer, each with what gives its numbers again."""
    told = answer(found)
    if told.ranking:
        source = query(found, "ranking", "first_player_advantage")
        return Section(takeaways=[Takeaway(text, source) for text in [told.sentence, *told.details]])
    commands = "\n# ".join(confirm_command(found.run, row["cell"]) for row in told.nearest)
    again = f"\n\n# to see the setting nearest to fair again on fresh deals, in a terminal:\n# {commands}"
    source = query(found, "first_player_advantage") + (again if told.nearest else "")
    rows = None
    if len(told.first_seat) > 1:
        side_by_side = len(told.first_seat) <= MOST_SIDE_BY_SIDE and told.settings
        rows = _by_setting(found, told) if side_by_side else _by_lineup(found, told)
    return Section(takeaways=[Takeaway(told.sentence, source, rows, told.lead)], words=WORDS)


def _by_setting(found: Findings, told: Answer) -> Table:
    """The settings nearest to fair and the baseline: the first seat's share, interval and verdict with each lineup."""
    rows = [
        {"setting": row["setting"] + " (baseline)" * row["baseline"], "off": row["off"]}
        | {
            one["lineup"]: f"{100 * one['share']:.1f} % ({_interval(one)}) {one['verdict']}"
            for one in row["lineups"]
        }
        for row in told.settings
    ]
    lineups = [one["lineup"] for one in told.settings[0]["lineups"]]
    caption = (
        "The first seat wins (95 % interval), at the settings nearest to fair for all lineups. FAIR: surely "
        f"within {margin(found)} of fair; UNFAIR: surely not; UNDECIDED: these games are too few to be sure"
    )
    return table(found, pl.DataFrame(rows), ["setting", *lineups, "off"], caption)


def _by_lineup(found: Findings, told: Answer) -> Table:
    """Each lineup: the first seat where it was looked at, and at the setting nearest to fair."""
    nearest = {row["lineup"]: row for row in told.nearest}
    rows = [
        row | {"interval": _interval(row)} | _nearest(nearest.get(row["lineup"])) for row in told.first_seat
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    there = "nearest nearest_share nearest_interval nearest_verdict" if nearest else ""
    names = f"lineup where share interval games verdict {there}"
    return table(found, frame, names, "Lineup by lineup", share="first seat wins")


def _nearest(row: dict[str, Any] | None) -> dict[str, Any]:
    """The setting nearest to fair, where settings were tried."""
    if row is None:
        return {}
    there = {"nearest": row["setting"], "nearest_share": row["share"], "nearest_interval": _interval(row)}
    return there | {"nearest_verdict": row["verdict"]}


def _interval(row: dict[str, Any]) -> str:
    return f"{span(row['low'], row['high'], scale=100)} %"
