"""Each player above or below fair, by the order of play: a small picture for each number of players."""

import polars as pl

from simkit.reporting.pages import (
    Figure,
    Findings,
    Section,
    Table,
    Takeaway,
    charts,
    figure,
    labels_of,
    query,
    table,
)
from simkit.reporting.pages.scope import head_at, looked_at, setting_looked_at
from simkit.reporting.text.answer import answer, headline
from simkit.reporting.text.confidence import sureness
from simkit.reporting.text.ladder import skill_sentence
from simkit.reporting.text.player_counts import gain_words, other_setting, size_rows
from simkit.reporting.text.stamps import answered_stamp
from simkit.reporting.text.who_plays import who_plays

MAX_LINES = 7
GAIN_COLUMNS = {"value": "share", "low": "joint_low", "high": "joint_high"}
WORDS = {
    "Points above or below fair": "the share of the games that a player wins less the fair share (1 divided "
    "by the number of players), in percentage points."
}


def section(findings: Findings) -> Section | None:
    """Return the first screen, or None for a team, whose seats win together."""
    if findings.run.team:
        return None
    setting, source = setting_looked_at(findings), query(findings, "seat_shares", "first_player_advantage")
    takeaways = [Takeaway(headline(findings), source, "answer")]
    others = other_setting(findings, setting)
    takeaways += [Takeaway(others, kind="advice")] if others else []
    takeaways += [
        Takeaway(note, query(findings, "seat_shares"), "advice") for note in who_plays(findings, setting)
    ]
    ladder = skill_sentence(findings)
    takeaways += [Takeaway(ladder, kind="advice")] if ladder else []
    rows = labels_of(findings).named(looked_at(findings, findings.first_player_advantage)).rows(named=True)
    takeaways += [Takeaway(note, kind="sure") for note in sureness(findings, rows)]
    picture, warnings = _picture(findings, setting), findings.cached(answer).warnings
    glance = _glance(findings, setting)
    return Section(
        takeaways=takeaways,
        stamp=answered_stamp(findings),
        picture=picture,
        glance=glance,
        warnings=warnings,
        words=WORDS,
    )


def _picture(findings: Findings, setting: str) -> Figure:
    """Return a panel per number of players, or per lineup of a single number; a line per setting."""
    names_by_cell, cell = _panel_and_line(findings), pl.col("cell").cast(pl.Int64)
    rows = findings.seat_shares.sort("seats", "cell", "seat", maintain_order=True)
    if len({line for _, line in names_by_cell.values()}) > MAX_LINES:
        rows = rows.filter(setting=setting)
    drawn = rows.with_columns(
        *(pl.col(end).sub(pl.col("fair")).alias(part) for part, end in GAIN_COLUMNS.items()),
        *(cell.replace_strict({index: names[place] for index, names in names_by_cell.items()}).alias(part)
          for place, part in enumerate(("panel", "line"))),
        x=pl.col("seat") + 1,
    )  # fmt: skip
    parts = {"line": pl.col("line"), "x": "x", "value": "value", "panel": pl.col("panel")}
    alt = f"Each player above or below fair: {headline(findings)}"
    return figure(
        findings,
        ("sizes", charts.small_multiples),
        drawn,
        alt,
        "",
        parts,
        margin=findings.run.experiment.margin,
    )


def _panel_and_line(findings: Findings) -> dict[int, tuple[str, str]]:
    """Return the panel and the line of each cell, named by what differs between cells."""
    labels, cells = labels_of(findings), findings.run.cells
    players_by_cell = [
        labels.strategy(cell.labels[0]) if len(set(cell.labels)) == 1 else labels.lineup(cell.labels)
        for cell in cells
    ]
    settings_by_cell = [labels.setting(cell.varied) for cell in cells]
    sizes, players, settings = {cell.seats for cell in cells}, {*players_by_cell}, {*settings_by_cell}
    names_by_cell = {}
    for cell, name, setting in zip(cells, players_by_cell, settings_by_cell, strict=True):
        line = [name] if len(sizes) > 1 and len(players) > 1 else []
        line += [setting] if len(settings) > 1 else []
        names_by_cell[cell.index] = (f"{cell.seats} players" if len(sizes) > 1 else name, ", ".join(line))
    return names_by_cell


def _glance(findings: Findings, setting: str) -> Table:
    rows = [
        {
            "players": row["seats"],
            "most": gain_words(row["gains"], row["seats"]),
            "least": gain_words(row["loses"], row["seats"]),
            "verdict": row["verdict"],
        }
        for row in size_rows(findings, setting)
    ]
    several = looked_at(findings, findings.cells).group_by("seats").len()["len"].max() != 1
    points = "percentage points, mean of the lineups" if several else "percentage points"
    heads = {
        "players": head_at(findings, "players"),
        "most": f"gains most, {points}",
        "least": f"loses most, {points}",
        "verdict": "verdict",
    }
    return table(
        findings, pl.DataFrame(rows), "players most least verdict", "Who gains and who loses", **heads
    )
