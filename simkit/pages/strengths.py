"""What the sections on strategies share: where strategies met, in which order, against whom."""

import polars as pl

from simkit import charts
from simkit.analysis import Findings
from simkit.pages.pictures import figure
from simkit.pages.scope import setting_looked_at
from simkit.report import Figure
from simkit.words.labels import labels_of


def at_setting(found: Findings, table: pl.DataFrame) -> pl.DataFrame:
    """The rows of the setting that pictures are about."""
    return table.filter(pl.col("setting") == setting_looked_at(found)) if table.width else table


def order(found: Findings) -> list[str]:
    """The strategies that met at tables of two, the best first."""
    ranked = at_setting(found, found.ranking)
    return ranked.filter(pl.col("seats") == 2)["strategy"].to_list() if ranked.width else []


def place(names: list[str], column: str) -> pl.Expr:
    """The place of a strategy in an order."""
    places = {name: at for at, name in enumerate(names)}
    return pl.col(column).replace_strict(places, default=len(names), return_dtype=pl.Int64)


def matrix(found: Findings, name: str, caption: str = "") -> list[Figure]:
    """Everybody against everybody, from the best to the weakest; two strategies need no picture."""
    names = order(found)
    if len(names) < 3:
        return []
    pairs = at_setting(found, found.win_matrix).sort(place(names, "row"), place(names, "column"))
    alt = "Share of each strategy against each other, the best on top"
    return [figure(found, (name, charts.matrix), pairs, alt, caption, {"row": "row", "column": "column"})]


def tables_of(found: Findings, table: pl.DataFrame) -> list[int]:
    """The numbers of seats at the setting that pictures are about."""
    return at_setting(found, table)["seats"].unique(maintain_order=True).to_list()


def caption(found: Findings, table: pl.DataFrame, seats: int) -> str:
    """What of a table a picture shows."""
    size = f"Tables of {seats} seats." if table["seats"].n_unique() > 1 else ""
    at = labels_of(found).at(setting_looked_at(found))
    setting = f"Shown for {at}; the table has every setting." if table["setting"].n_unique() > 1 else ""
    return f"{size} {setting}".strip()
