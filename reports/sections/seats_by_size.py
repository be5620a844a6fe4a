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
from simkit.reporting.text.answer import answer
from simkit.reporting.text.confidence import sureness
from simkit.reporting.text.player_counts import gain_words, other_settings, size_rows, sizes_answer
from simkit.reporting.text.who_plays import who_plays

MOST_LINES = 7
GAINS = {"value": "share", "low": "joint_low", "high": "joint_high"}
WORDS = {
    "Points above or below fair": "the share of the games that a player wins less the fair share (1 divided "
    "by the number of players), in percentage points."
}


def section(findings: Findings) -> Section | None:
    """Nothing for a team, whose seats win together."""
    if findings.run.team:
        return None
    setting, source = setting_looked_at(findings), query(findings, "seat_shares", "first_player_advantage")
    said = [Takeaway(sizes_answer(findings, setting), source, "answer")]
    others = other_settings(findings, setting)
    said += [Takeaway(others, kind="advice")] if others else []
    said += [Takeaway(one, query(findings, "seat_shares"), "advice") for one in who_plays(findings, setting)]
    rows = labels_of(findings).named(looked_at(findings, findings.first_player_advantage)).rows(named=True)
    said += [Takeaway(one, kind="sure") for one in sureness(findings, rows)]
    picture, warnings = _picture(findings, setting), findings.kept(answer).warnings
    glance = _glance(findings, setting)
    return Section(takeaways=said, picture=picture, glance=glance, warnings=warnings, words=WORDS)


def _picture(findings: Findings, setting: str) -> Figure:
    """A panel per number of players, or per lineup of the only one; a line per strategy and setting."""
    named, cell = _named(findings), pl.col("cell").cast(pl.Int64)
    rows = findings.seat_shares.sort("seats", "cell", "seat", maintain_order=True)
    if len({line for _, line in named.values()}) > MOST_LINES:
        rows = rows.filter(setting=setting)
    drawn = rows.with_columns(
        *(pl.col(end).sub(pl.col("fair")).alias(part) for part, end in GAINS.items()),
        *(cell.replace_strict({index: one[place] for index, one in named.items()}).alias(part)
          for place, part in enumerate(("panel", "line"))),
        x=pl.col("seat") + 1,
    )  # fmt: skip
    parts = {"line": pl.col("line"), "x": "x", "value": "value", "panel": pl.col("panel")}
    alt = f"Each player above or below fair: {sizes_answer(findings, setting)}"
    return figure(
        findings,
        ("sizes", charts.small_multiples),
        drawn,
        alt,
        "",
        parts,
        margin=findings.run.experiment.margin,
    )


def _named(findings: Findings) -> dict[int, tuple[str, str]]:
    """Of each cell the panel and the line that show it, named by what differs."""
    labels, cells = labels_of(findings), findings.run.cells
    who = [
        labels.strategy(cell.labels[0]) if len(set(cell.labels)) == 1 else labels.lineup(cell.labels)
        for cell in cells
    ]
    at = [labels.setting(cell.varied) for cell in cells]
    sizes, players, settings = ({*some} for some in ([cell.seats for cell in cells], who, at))
    made = {}
    for cell, name, setting in zip(cells, who, at, strict=True):
        line = [name] * (len(sizes) > 1 and len(players) > 1) + [setting] * (len(settings) > 1)
        made[cell.index] = (f"{cell.seats} players" if len(sizes) > 1 else name, ", ".join(line))
    return made


def _glance(findings: Findings, setting: str) -> Table:
    rows = [
        {
            "players": row["seats"],
            "most": gain_words(row["gains"], row["seats"]),
            "least": gain_words(row["loses"], row["seats"]),
            "verdict": row["verdict"].lower(),
        }
        for row in size_rows(findings, setting)
    ]
    several = looked_at(findings, findings.cells).group_by("seats").len()["len"].max() != 1
    points = f"percentage points{', mean of the lineups' * several}"
    heads = {
        "players": head_at(findings, "players"),
        "most": f"gains most, {points}",
        "least": f"loses most, {points}",
        "verdict": "verdict",
    }
    return table(
        findings, pl.DataFrame(rows), "players most least verdict", "Who gains and who loses", **heads
    )
