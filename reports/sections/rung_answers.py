"""What the games of each rung say: shares, verdicts, length, lead changes, components."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, labels_of, table
from simkit.reporting.text import seat_name
from simkit.reporting.text.phrases import in_words, listed


def section(findings: Findings) -> Section | None:
    """Return a row per setting, rung and seat, or None for a run that is no ladder."""
    if findings.run.kind != "ladder":
        return None
    labels, rows = labels_of(findings), findings.rung_answers
    shown = rows.with_columns(
        pl.col("setting").map_elements(labels.at, return_dtype=pl.String).alias("at"),
        pl.col("verdict").str.to_lowercase(),
        pl.col("components").map_elements(
            lambda names: listed(map(labels.name, names)) if len(names) else "", return_dtype=pl.String
        ),
        pl.col("seat").map_elements(
            lambda seat: "team" if findings.run.team else seat_name(seat), return_dtype=pl.String
        ),
    ).sort("at", "seat", "rung", maintain_order=True)
    heads = {"at": Show("setting", "{}"), "strategy": Show("rung", "{}"), "seat": Show("player", "{}")}
    heads |= {"share": Show("wins", "{:.1%}"), "low": Show("from", "{:.1%}"), "high": Show("to", "{:.1%}")}
    heads |= {
        "verdict": Show("verdict", "{}"),
        "deals": Show("deals", "{:,}"),
        "turns": Show("turns", "{:.1f}"),
    }
    heads |= {"lead_changes": Show("lead changes", "{:.1f}")}
    heads |= {
        "components": Show("goes with winning", "{}", "columns of the seats table, the most certain first")
    }
    names = ["at", "strategy", "seat", "share", "low", "high", "verdict", "deals", "turns"]
    names += ["lead_changes"] if rows["lead_changes"].is_not_null().any() else []
    listed_rows = table(
        findings, shown, [*names[not findings.run.ladder.vary :], "components"], "Every rung", **heads
    )
    return Section(f"What {in_words(rows['strategy'].n_unique())} rungs say", [], tables=[listed_rows])
