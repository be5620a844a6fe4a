"""What other rules change besides who wins: length, draws, scores and requested columns."""

import polars as pl

from simkit.reporting.document import Figure
from simkit.reporting.document.page import slug
from simkit.reporting.pages import Axis, Findings, Section, axes, charts, figure, labels_of
from simkit.reporting.pages.differences import WORDS, difference_figure, difference_table, drawn_sometimes
from simkit.reporting.pages.pictures import first_lines
from simkit.reporting.text.changes import NOT_SEATS, also_changed, greatest, greatest_said, measure_name
from simkit.reporting.text.phrases import capital, headed
from simkit.reporting.text.rules import rule_name

MAX_GROUPS = 4  # sentences about rule sets with the same changes
MAX_NAMED = 4  # rule sets with the same changes that are named
OPEN = "Whether a setting changes anything else is not settled"


def section(findings: Findings) -> Section | None:
    """Return the greatest change, a picture of it and all changes, or None without a baseline."""
    if findings.comparisons.is_empty():
        return None
    rest = findings.comparisons.filter(NOT_SEATS & drawn_sometimes())
    figures = [picture for axis in axes(findings.run) for picture in _trends(findings, axis)]
    figures = figures[:1] or _differences(findings, rest)
    listed = difference_table(findings, rest, "Changes on the same deals, the greatest beyond luck first")
    return Section(greatest_said(findings) or OPEN, _sentences(findings), figures, [listed], words=WORDS)


def _sentences(findings: Findings) -> list[str]:
    """Return a sentence for each group of rule sets with the same changes; none where they are many."""
    names_of = dict[str, list[str]]()
    for setting, change in also_changed(findings):
        names_of.setdefault(change, []).append(rule_name(findings)(setting))
    if len(names_of) > MAX_GROUPS:
        return []
    return [f"{capital(headed(_named(names), change))}." for change, names in names_of.items()]


def _named(names: list[str]) -> str:
    return "; ".join(names) if len(names) <= MAX_NAMED else f"{len(names)} rule sets"


def _differences(findings: Findings, rest: pl.DataFrame) -> list[Figure]:
    """Return the picture of the measure with the greatest change; none where nothing changes beyond luck."""
    change = greatest(rest)
    if change is None:
        return []
    rows = rest.filter(pl.col("seat").eq_missing(change["seat"]), measure=change["measure"])
    unit = f"Change of {measure_name(change['measure'], change['seat'])}"
    return [difference_figure(findings, rows, "changes", unit)]


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
    ends = {"value": "difference", "low": "low", "high": "high"}
    moved = moves.select(
        "lineup", x.alias("x"), **{end: scale * pl.col(column) for end, column in ends.items()}
    )
    at_base = [(name, base[option], 0.0, 0.0, 0.0) for name in moved["lineup"].unique(maintain_order=True)]
    baseline_rows = pl.DataFrame(at_base, schema=moved.schema, orient="row")
    tick = pl.col("x").map_elements(lambda value: labels.value(option, value), return_dtype=pl.String)
    parts = {"line": "lineup", "tick": tick}
    alt = f"Change of {name} along {labels.axis(axis)}, with interval"
    drawn, chart = pl.concat([moved, baseline_rows]), (f"changes-{slug(option)}", charts.curve)
    unit = ", percentage points" if scale == 100 else ""
    chart_options = {
        "label": labels.axis(axis),
        "unit": f"{capital(name)} more than at the baseline{unit}",
        "form": "{:+.1f}",
        "marks": [charts.Mark(labels.base, base[option])],
    }
    caption = ". ".join(filter(None, [labels.setting(others), first_lines(moved["lineup"].n_unique())]))
    return [figure(findings, chart, drawn, alt, caption, parts, "lineup", **chart_options)]
