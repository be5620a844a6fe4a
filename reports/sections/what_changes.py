"""Other changes along a sweep against the baseline: length, draws and scores."""

import polars as pl

from simkit.reporting.document import Figure, Table
from simkit.reporting.document.page import slug
from simkit.reporting.pages import Axis, Findings, Section, axes, charts, figure, labels_of, prose
from simkit.reporting.pages.differences import WORDS, difference_tables, drawn_sometimes
from simkit.reporting.pages.pictures import first_lines
from simkit.reporting.text.answer import advised
from simkit.reporting.text.changes import NOT_SEATS, changed, greatest, measure_name
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.phrases import capital, number

BEYOND_LUCK = pl.col("p_adjusted") < SURE
TEXT = prose("""What other things the options change, against the baseline on the same deals. A rule that
    repairs the balance but makes the game much longer shows here.""")


def section(findings: Findings) -> Section | None:
    """Return the changes, or None without a baseline; other sections have the tables by setting."""
    if findings.comparisons.is_empty():
        return None
    rest = findings.comparisons.filter(NOT_SEATS & drawn_sometimes())
    figures = [picture for axis in axes(findings.run) for picture in _trends(findings, axis)]
    return Section(_heading(findings), [TEXT], figures, _tables(findings, rest), words=WORDS)


def _tables(findings: Findings, changes: pl.DataFrame) -> list[Table]:
    """Return all changes of recommended settings and the significant ones of others, or else all."""
    at_recommended = pl.col("setting").is_in(advised(findings))
    if changes.filter(at_recommended).is_empty():
        return difference_tables(findings, changes, "Differences to the baseline on the same deals")
    parts = {
        "At the recommended settings": at_recommended,
        "At other settings, beyond luck": ~at_recommended & BEYOND_LUCK,
    }
    return [
        table
        for title, rows in parts.items()
        for table in difference_tables(findings, changes.filter(rows), title, split_by_lineup=False)
    ]


def _heading(findings: Findings) -> str:
    """Describe the greatest significant change."""
    row = greatest(labels_of(findings).named(findings.comparisons.filter(NOT_SEATS)))
    if row is None:
        besides = " besides who wins" if (findings.comparisons["p_adjusted"] < SURE).any() else ""
        return f"What else{besides} a setting changes is not settled"
    lineup_suffix = f" ({row['lineup']})" if findings.comparisons["lineup"].n_unique() > 1 else ""
    size, grows = number(abs(row["difference"])), row["difference"] > 0
    if row["measure"] == "turns":
        change = f"Games are {size} turns {'longer' if grows else 'shorter'}"
    elif row["measure"] == "decisions":
        change = f"Games take {size} decisions {'more' if grows else 'less'}"
    else:
        change = capital(changed(row, findings.run.words.score))
    return f"{change} at {row['setting']}{lineup_suffix}"


def _trends(findings: Findings, axis: Axis) -> list[Figure]:
    """Return the greatest change, else the turns, along one whole-number option, others at the baseline."""
    cells, labels = findings.run.cells, labels_of(findings)
    base = next(cell.varied for cell in cells if cell.baseline)
    others = {name: value for name, value in base.items() if name not in axis.options}
    along = {cell.index: cell.varied for cell in cells if others.items() <= cell.varied.items()}
    change = greatest(findings.comparisons.filter(NOT_SEATS)) or {
        "measure": "turns",
        "seat": None,
        "unit": "turns",
    }
    selected = pl.col("seat").eq_missing(change["seat"]) & pl.col("cell").is_in(list(along))
    moves = findings.comparisons.filter(selected, measure=change["measure"])
    if not axis.whole_numbers or len(axis.options) != 1 or len(axis.values) < 3 or moves.is_empty():
        return []
    (option,) = axis.options
    x = pl.col("cell").replace_strict(
        {cell: varied[option] for cell, varied in along.items()}, return_dtype=pl.Int64
    )
    scale, name = (100 if change["unit"] == "share" else 1, measure_name(change["measure"], change["seat"]))
    ends = {"share": "difference", "low": "low", "high": "high"}
    moved = moves.select(
        "lineup", x.alias("x"), **{end: scale * pl.col(column) for end, column in ends.items()}
    )
    at_base = [(name, base[option], 0.0, 0.0, 0.0) for name in moved["lineup"].unique(maintain_order=True)]
    baseline_rows = pl.DataFrame(at_base, schema=moved.schema, orient="row")
    tick = pl.col("x").map_elements(lambda value: labels.value(option, value), return_dtype=pl.String)
    parts = {"line": "lineup", "tick": tick, "baseline": pl.col("x") == base[option]}
    alt = f"Change of {name} along {labels.axis(axis)}, with interval"
    drawn, chart = pl.concat([moved, baseline_rows]), (f"changes-{slug(option)}", charts.trend)
    unit = ", percentage points" if scale == 100 else ""
    chart_options = {
        "label": labels.axis_words(axis),
        "unit": f"{capital(name)} more than at the baseline{unit}",
    }
    caption = ". ".join(filter(None, [labels.setting(others), first_lines(moved["lineup"].n_unique())]))
    return [figure(findings, chart, drawn, alt, caption, parts, "lineup", **chart_options)]
