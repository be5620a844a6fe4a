"""What each seat does of what the team does, against its part of the turns."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, charts, figure, here, prose, table
from simkit.reporting.pages.scope import first_cell
from simkit.reporting.text import seat_name
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.labels import lowered
from simkit.reporting.text.phrases import seats_named

TEXT = prose("""What each seat does of what all do together, in all games: its sum divided by that of all
    seats. Less its part of the turns, this says whether somebody plays the game for the others: 0 means that
    all do alike in each of their turns.""")
OF_ALL = "{}, with every lineup"
LESS = "less its part of turns"
MORE = "part of the sum less part of the turns, in percentage points"


def section(findings: Findings) -> Section | None:
    """Nothing where the game does not say what its seats contribute, or nobody contributed anything."""
    looked = findings.looked()
    if not looked.contributions.width or (looked.contributions["column"] == "turns").all():
        return None
    named = _named(looked)
    first, parts = first_cell(findings, named), findings.run.words.parts
    names = "component seat per_game part low high more more_low more_high n"
    tables = [table(looked, first, names, "What each seat contributes", component="what", more=LESS)]
    if named.height > first.height:
        main = named.filter(column=parts[0])
        tables.append(
            table(
                looked,
                main,
                f"cell {names.removeprefix('component ')}",
                OF_ALL.format(main["component"][0]),
                more=LESS,
            )
        )
    return Section(_heading(first, parts) + of_first(findings), [TEXT], [_picture(findings, first)], tables)


def _heading(rows: pl.DataFrame, parts: list[str]) -> str:
    """Whether somebody does more of what matters most than its turns explain."""
    main = rows.filter(column=parts[0])
    most = main.filter(pl.col("more_low") > 0).sort("more", descending=True)
    what = lowered(str(main["component"][0])) if main.height else "their part"
    if not most.height:
        return f"All seats do their part: {what}"
    return f"The {seat_name(most['seat'][0])} does most: {what}"


def _named(findings: Findings) -> pl.DataFrame:
    meanings = findings.run.meanings("seats")
    said = [seats_named(meanings.get(name) or name) for name in findings.contributions["column"]]
    return findings.contributions.with_columns(pl.Series("component", said, dtype=pl.String))


def _picture(findings: Findings, rows: pl.DataFrame) -> Figure:
    """A bar for each seat and column but the turns themselves."""
    shown = rows.filter(pl.col("column") != "turns")
    seat = pl.col("seat").map_elements(seat_name, return_dtype=pl.String)
    ends = {"value": "more", "low": "more_low", "high": "more_high"}
    parts = {part: 100 * pl.col(name) for part, name in ends.items()} | {"label": "component", "kind": seat}
    alt = f"By column and seat: {MORE}, with 95 % interval"
    chart = ("contributions", charts.bars)
    return figure(findings, chart, shown, alt, here(findings), parts, unit=MORE[0].upper() + MORE[1:])
