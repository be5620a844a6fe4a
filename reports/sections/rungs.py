"""The strength of each rung with intervals, and where its shares are fair."""

from simkit.reporting.pages import Findings, Section, Show, labels_of, table
from simkit.reporting.text.phrases import percent


def section(findings: Findings) -> Section | None:
    """Return the ratings and fair values, or None for a run that is no ladder, or for a team."""
    if findings.run.kind != "ladder" or findings.run.team:
        return None
    rows = findings.rungs
    heads = {"strategy": Show("rung", "{}"), "rival": Show("met", "{}", "the rung below, in all other seats")}
    heads |= {
        "share": Show("wins", "{:.1%}"),
        "share_low": Show("from", "{:.1%}"),
        "share_high": Show("to", "{:.1%}"),
    }
    heads |= {
        "elo": Show("Elo", "{:.0f}"),
        "elo_low": Show("from ", "{:.0f}"),
        "elo_high": Show("to ", "{:.0f}"),
    }
    strength = "strategy rival share share_low share_high elo elo_low elo_high"
    tables = [table(findings, rows, strength.split(), "Strength, the lowest rung first", **heads)]
    if option := rows["option"].drop_nulls().unique().to_list():
        values = {"strategy": Show("rung", "{}"), "fair": Show("fair value", "{:.1f}")}
        values |= {"fair_low": Show("from", "{:.1f}", "empty: below the values tried")}
        values |= {"fair_high": Show("to", "{:.1f}", "empty: above the values tried")}
        caption = f"Where the first player's share is fair: {labels_of(findings).option(option[0])}"
        tables.append(table(findings, rows, ["strategy", "fair", "fair_low", "fair_high"], caption, **values))
    best, below = rows.row(-1, named=True), rows.row(-2, named=True)
    heading = f"{best['strategy']} wins {percent(best['share'])} against {below['strategy']}"
    return Section(heading, [], tables=tables)
