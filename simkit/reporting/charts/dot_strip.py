"""A strip per measure: this game among others, from the lowest to the highest value."""

from typing import Any

import polars as pl

from simkit.reporting.charts import palette
from simkit.reporting.charts.letters import ASCENT, LEADING, SIZE, SMALL, widest
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import key
from simkit.reporting.charts.scales import Scale

HERE, OTHERS = "this game", "other games"
STRIP = 20.0  # height of a strip below its name, in points


def strips(paper: Paper, table: pl.DataFrame) -> None:
    """Draw a line per `row` from the least to the greatest `value`, with `text` at both ends; mark `mine`."""
    key(paper, [HERE, OTHERS], lambda x, y, name: _dot(paper, x + 11, y, name == HERE, ""))
    parts = [part.sort("value").rows(named=True) for part in table.partition_by("row", maintain_order=True)]
    left = widest([rows[0]["text"] for rows in parts], SMALL) + 10
    right = widest([rows[-1]["text"] for rows in parts], SMALL) + 10
    for rows in parts:
        _strip(paper, rows, left, paper.width - right)


def _strip(paper: Paper, rows: list[dict[str, Any]], left: float, right: float) -> None:
    (mine,) = (row for row in rows if row["mine"])
    paper.text(0, paper.height + ASCENT * SIZE, mine["row"])
    paper.text(paper.width, paper.height + ASCENT * SIZE, mine["text"], "end", bold=True)
    y = paper.height + LEADING * SIZE + STRIP / 3
    least, most = rows[0]["value"], rows[-1]["value"]
    x = Scale(least, most if most > least else least + 1, left, right)
    paper.line([(left, y), (right, y)], "edge", 1)
    for row in sorted(rows, key=lambda row: row["mine"]):
        _dot(paper, x(row["value"]), y, row["mine"], f"{row['game']}: {row['text']}")
    paper.middle(left - 8, y, rows[0]["text"], "end", colour="faint", size=SMALL)
    paper.middle(right + 8, y, rows[-1]["text"], colour="faint", size=SMALL)
    paper.height += LEADING * SIZE + STRIP


def _dot(paper: Paper, x: float, y: float, mine: bool, tip: str) -> None:
    paper.dot(x, y, "D" if mine else "o", palette.colour(0) if mine else "edge", tip, 4.4 if mine else 2.8)
