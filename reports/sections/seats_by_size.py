"""Each player above or below fair, by the order of play: a row for each number of players."""

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

MAX_CELLS = 12  # of a picture with all settings
GAIN_COLUMNS = {"value": "share", "low": "joint_low", "high": "joint_high"}
WORDS = {
    "Points above or below fair": "the share of the games that a player wins less the fair share (1 divided "
    "by the number of players), in percentage points."
}


def section(findings: Findings) -> Section | None:
    """Return the brief, or None for a team, whose seats win together."""
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
    """Return a dot per seat, by number of players, and by lineup and setting where there are several."""
    rows = findings.seat_shares.sort("seats", "cell", "seat", maintain_order=True)
    if rows["cell"].n_unique() > MAX_CELLS:
        rows = rows.filter(setting=setting)
    labels, cells = labels_of(findings), findings.run.cells
    alike = len({tuple(set(cell.labels)) for cell in cells}) == 1
    names = {}
    for cell in cells:
        own = [
            f"{cell.seats} players",
            "" if alike else labels.lineup(cell.labels),
            labels.setting(cell.varied),
        ]
        names[cell.index] = ", ".join(filter(None, own))
    parts = {end: 100 * (pl.col(column) - pl.col("fair")) for end, column in GAIN_COLUMNS.items()}
    how = {"label": pl.col("cell").cast(pl.Int64).replace_strict(names), "kind": "seat"}
    alt = "Wins above or below the fair share, by player and number of players, with 95 % intervals"
    unit, margin = "Percentage points above or below fair", 100 * findings.run.experiment.margin
    options = {"unit": f"{unit}; the band is the margin", "margin": margin, "form": "{:+.1f}"}
    return figure(findings, ("sizes", charts.forest), rows, alt, "", parts | how, "seat", **options)


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
