"""How much of who wins is luck of the setup, of draws during play, and of choices."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, Show, charts, figure, here, prose, table
from simkit.reporting.pages.pictures import in_points
from simkit.reporting.pages.scope import first_cell
from simkit.reporting.text.luck import CALLED, luck_sentences

LUCK_METHOD = prose("""Measured by playing deals again with some of the luck held fixed: the setup, the draws
    during play or the chance in choices (ties that strategies break, and mistakes). How strong the players
    are is no part of it.""")
ALONE = "part of its variance that goes with this luck, whatever the others do (first-order index)"
TOTAL = "part that would be gone if this luck were held fixed and all else varied (total index)"


def luck(findings: Findings) -> Section | None:
    """Return the parts of luck, or None for a run without a luck study."""
    if findings.luck_parts.is_empty():
        return None
    rows = findings.luck_parts.with_columns(pl.col("part").replace_strict(CALLED).alias("luck"))
    heads = {"luck": Show("luck"), "streams": Show("streams", str, "names of its random streams")}
    heads |= {"alone": Show("by itself", "{:.1%}", ALONE), "total": Show("has a hand in", "{:.1%}", TOTAL)}
    names = "cell luck streams alone alone_low alone_high total total_low total_high deals games"
    listed = table(findings, rows, names, "What decides who wins", **heads)
    text = [*(sentence.text for sentence in luck_sentences(findings)), LUCK_METHOD]
    first = first_cell(findings, rows)
    figures = [_luck_figure(findings, first)] if first["alone"].count() else []
    return Section("How much is luck", text, figures, [listed])


def _luck_figure(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the picture of what each kind of luck decides by itself and of what it has a hand in."""
    kinds = {"by itself": "alone", "has a hand in": "total"}
    frames = [
        rows.with_columns(**in_points(name), kind=pl.lit(kind)).drop_nulls("value")
        for kind, name in kinds.items()
    ]
    alt = "What each kind of luck decides of who wins, with 95 % intervals"
    parts = {name: name for name in ("value", "low", "high", "kind")} | {"label": "luck"}
    options = {"unit": "Part of the variance of who wins, %", "form": "{:.0f}", "aim": ""}
    chart = ("luck", charts.forest)
    return figure(findings, chart, pl.concat(frames), alt, here(findings), parts, **options)
