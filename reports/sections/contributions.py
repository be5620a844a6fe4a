"""What each seat does of what the team does, against its part of the turns."""

import polars as pl

from simkit.pages import Figure, Findings, Section, charts, figure, here, prose
from simkit.pages.scope import first_and_all, first_cell
from simkit.words import seat_name
from simkit.words.phrases import seats_named

TEXT = prose("""What each seat does of what all do together, in all games: its sum divided by that of all
    seats. Less its part of the turns, this says whether somebody plays the game for the others: 0 means that
    all do alike in each of their turns.""")
LESS = "less its part of turns"
MORE = "part of the sum less part of the turns, in percentage points"


def section(found: Findings) -> Section | None:
    """Nothing where the game does not say what its seats contribute."""
    looked = found.looked()
    if not looked.contributions.width:
        return None
    named = _named(looked)
    names = "component seat per_game part low high more more_low more_high n"
    tables = first_and_all(looked, named, names, "What each seat contributes", component="what", more=LESS)
    return Section("Contributions", [TEXT], [_picture(found, first_cell(found, named))], tables)


def _named(found: Findings) -> pl.DataFrame:
    meanings = found.run.meanings("seats")
    said = [seats_named(meanings.get(name) or name) for name in found.contributions["column"]]
    return found.contributions.with_columns(pl.Series("component", said, dtype=pl.String))


def _picture(found: Findings, rows: pl.DataFrame) -> Figure:
    """A bar for each seat and column but the turns themselves."""
    shown = rows.filter(pl.col("column") != "turns")
    seat = pl.col("seat").map_elements(seat_name, return_dtype=pl.String)
    ends = {"value": "more", "low": "more_low", "high": "more_high"}
    parts = {part: 100 * pl.col(name) for part, name in ends.items()} | {"label": "component", "kind": seat}
    alt = f"By column and seat: {MORE}, with 95 % interval"
    chart = ("contributions", charts.bars)
    return figure(found, chart, shown, alt, here(found), parts, unit=MORE[0].upper() + MORE[1:])
