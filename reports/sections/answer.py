"""The answer to the question of the run; of several lineups together, with a row for each."""

import polars as pl

from simkit.pages import Findings, Section, Table, Takeaway, labels_of, margin, prose, query, table
from simkit.pages.commands import confirm_command
from simkit.words import Answer, answer, span
from simkit.words.answer import TEAM, side_of
from simkit.words.phrases import Row, percent

MOST_SIDE_BY_SIDE = 4  # lineups whose shares stand beside each other
PICKED = "picked as the best of the settings tried, so it may look a little better than it is: "
WORDS = {"Nearest to fair": f"{PICKED}play it with another seed to confirm."}


def section(found: Findings) -> Section:
    told = found.kept(answer)
    if told.ranking:
        source = query(found, "ranking", "first_player_advantage")
        return Section(takeaways=[Takeaway(text, source) for text in [told.sentence, *told.details]])
    commands = "\n# ".join(confirm_command(found.run, row["cell"]) for row in told.nearest)
    near = f"nearest to {side_of(found.run).aim}"
    again = f"\n\n# to see the setting {near} again on fresh deals, in a terminal:\n# {commands}"
    source = query(found, "first_player_advantage") + (again if told.nearest else "")
    lineups, rows = len(told.first_seat), None
    if lineups > 1:
        side_by_side = lineups <= MOST_SIDE_BY_SIDE and told.settings
        rows = _by_setting(found, told) if side_by_side else _by_lineup(found, told)
    return Section(takeaways=[Takeaway(told.sentence, source, rows, told.lead)], words=WORDS)


def _by_setting(found: Findings, told: Answer) -> Table:
    """The settings nearest to fair and the baseline: how the first seat does with each lineup."""
    labels, rows = labels_of(found), []
    for row in told.settings:
        setting = {"setting": labels.at(row["setting"]) + " (baseline)" * row["baseline"], "off": row["off"]}
        won = {r["lineup"]: f"{percent(r['share'])} ({_interval(r)}) {r['verdict']}" for r in row["lineups"]}
        rows.append(setting | won)
    side = side_of(found.run)
    kinds = f"FAIR: surely within {margin(found)} of fair; UNFAIR: surely not"
    if side == TEAM:
        kinds = f"ON TARGET: surely within {margin(found)} of it; EASY, HARD: surely not"
    caption = prose(f"""The {side.name} wins (95 % interval), at the settings nearest to {side.aim} for all
        lineups. {kinds}; UNDECIDED: these games are too few to be sure""")
    called = labels.of_column("lineup") or str
    heads = {one["lineup"]: called(one["lineup"]) for one in told.settings[0]["lineups"]}
    if side == TEAM:
        heads["off"] = "farthest from the target"
    return table(found, pl.DataFrame(rows), ["setting", *dict.fromkeys([*heads, "off"])], caption, **heads)


def _by_lineup(found: Findings, told: Answer) -> Table:
    """Each lineup: the first seat where it was looked at, and at the setting nearest to fair."""
    names, nearest = "lineup where share interval games verdict", {}
    if told.nearest:
        names += " nearest nearest_share nearest_interval nearest_verdict"
    for row in told.nearest:
        there = {"nearest": labels_of(found).at(row["setting"]), "nearest_interval": _interval(row)}
        nearest[row["lineup"]] = there | {f"nearest_{key}": row[key] for key in ("share", "verdict")}
    rows = [row | {"interval": _interval(row)} | nearest.get(row["lineup"], {}) for row in told.first_seat]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    side = side_of(found.run)
    heads = {"share": f"{side.name} wins"}
    if side == TEAM:
        heads |= {"nearest": "nearest to the target", "nearest_share": "team there"}
    return table(found, frame, names, "Lineup by lineup", **heads)


def _interval(row: Row) -> str:
    return f"{span(row['low'], row['high'], scale=100)} %"
