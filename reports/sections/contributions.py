"""Each seat's part of what the team does, against its part of the turns."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, charts, figure, here, prose, table
from simkit.reporting.pages.scope import first_cell
from simkit.reporting.text import seat_name
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.labels import lowered
from simkit.reporting.text.phrases import seats_named

TEXT = prose("""Each seat's part of what all do together, less its part of the turns: 0 means that nobody
    plays the game for the others.""")
MORE_HEAD = "less its part of turns"
MORE_MEANING = "part of the sum less part of the turns, in percentage points"


def section(findings: Findings) -> Section | None:
    """Return the parts by seat, or None where the log holds no contributions."""
    baseline = findings.at_baseline()
    if not baseline.contributions.width or (baseline.contributions["column"] == "turns").all():
        return None
    labelled = _labelled(baseline)
    first, parts = first_cell(findings, labelled), findings.run.words.parts
    names = "component seat per_game part low high more more_low more_high n"
    caption, heads = "What each seat contributes", {"component": "what", "more": MORE_HEAD}
    tables = [table(baseline, first, names, caption, **heads)]
    return Section(_heading(first, parts) + of_first(findings), [TEXT], [_picture(findings, first)], tables)


def _heading(rows: pl.DataFrame, parts: list[str]) -> str:
    """Name the seat whose part of the main contribution significantly exceeds its part of the turns."""
    main = rows.filter(column=parts[0])
    above_turns = main.filter(pl.col("more_low") > 0).sort("more", descending=True)
    contribution = lowered(str(main["component"][0])) if main.height else "their part"
    if not above_turns.height:
        return f"All seats do their part: {contribution}"
    return f"The {seat_name(above_turns['seat'][0])} does most: {contribution}"


def _labelled(findings: Findings) -> pl.DataFrame:
    meanings = findings.run.meanings("seats")
    labels = [seats_named(meanings.get(name) or name) for name in findings.contributions["column"]]
    return findings.contributions.with_columns(pl.Series("component", labels, dtype=pl.String))


def _picture(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return a row for each seat and column except the turns themselves."""
    shown = rows.filter(pl.col("column") != "turns")
    seat = pl.col("seat").map_elements(seat_name, return_dtype=pl.String)
    ends = {"value": "more", "low": "more_low", "high": "more_high"}
    parts = {part: 100 * pl.col(name) for part, name in ends.items()} | {"label": "component", "kind": seat}
    alt = f"By column and seat: {MORE_MEANING}, with 95 % interval"
    chart = ("contributions", charts.forest)
    unit = MORE_MEANING[0].upper() + MORE_MEANING[1:]
    return figure(findings, chart, shown, alt, here(findings), parts, unit=unit, form="{:+.1f}")
