"""Tables of measures of different kinds, and of their differences from the baseline on the same deals."""

from collections.abc import Iterable, Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.compare import EFFECT
from simkit.reporting import charts
from simkit.reporting.document import Figure, Show, Table
from simkit.reporting.document.tables import format_ends, format_value, with_extremes
from simkit.reporting.pages.columns import table
from simkit.reporting.pages.pictures import figure
from simkit.reporting.pages.scope import first_cell
from simkit.reporting.text.changes import measure_name
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.phrases import prose

# table, column of the value, prefix of its ends, label, format
MeasureLine = tuple[pl.DataFrame, str, str, str, str]
MAX_ROWS = 48  # rows in a figure
DIFFERENCE_WORDS = {
    "Paired difference": "both rule sets were played on the same deals; the difference is taken deal by "
    "deal, so that common luck cancels out.",
    "Real, beyond luck": "luck alone would hardly give such a difference: its adjusted p-value is below "
    "0.05, and its interval leaves 0 out.",
    "Adjusted p-value": "how often luck alone would give so great a difference, allowing for how many "
    "differences were looked at (Holm 1979).",
}
REAL = "an interval that leaves out 0 is beyond luck, allowing for all such differences of this run"
STOPPED = prose("""The cells of this run stopped by themselves. The intervals and p-values of differences are
    those of a number of deals fixed beforehand, so they are a little too sure here; confirm what matters with
    a run of fixed length and another seed.""")


def stopping_cautions(findings: Findings) -> list[str]:
    """Return a caution about p-values where cells stopped by themselves."""
    tables = findings.comparisons, findings.team_strategies, findings.mixed_teams
    return [STOPPED] if findings.run.experiment.adaptive and any(table.height for table in tables) else []


def difference_table(findings: Findings, frame: pl.DataFrame, caption: str, label: str = "setting") -> Table:
    """Return a table of differences, shares in percentage points."""
    is_share, real = pl.when(pl.col("unit") == "share"), pl.col("p_adjusted") < SURE
    scale = is_share.then(100.0).otherwise(1.0)
    scaled = pl.col("difference", "low", "high", "base_value", "value") * scale
    sure = pl.when(real).then(pl.lit("yes")).otherwise(pl.lit("may be luck"))
    unit = is_share.then(pl.lit("points")).otherwise(pl.lit(""))
    name = pl.struct("measure", "seat").map_elements(lambda row: measure_name(**row), return_dtype=pl.String)
    rows = frame.with_columns(scaled, compared=name, beyond_noise=sure, unit=unit)
    names = f"{label} lineup compared difference low high unit beyond_noise base_value value deals"
    signed, plain = "{:+.2f}", "{:.2f}"
    shows = {
        "difference": Show("change", signed, "here less baseline"),
        "low": Show("from", signed, "lower end of the interval"),
        "high": Show("to", signed, "upper end of the interval"),
        "unit": Show("in", "{}", "shares change by percentage points"),
        "base_value": Show("base", plain, "value at the baseline"),
        "value": Show("here", plain, "value under these rules"),
        "deals": Show("deals", "{:,}", "played under both rule sets"),
    }
    listed = table(findings, rows, names, caption, **shows)
    return with_extremes(listed, rows, pl.when(real).then(EFFECT), "the greatest changes beyond luck")


def difference_figure(
    findings: Findings, changes: pl.DataFrame, name: str, unit: str, label: str = "setting"
) -> Figure:
    """Return one measure about 0: a group per `label` with a row per lineup."""
    part, selection = _greatest(changes, label)
    scale, form = (100, "{:+.1f}") if part["unit"][0] == "share" else (1, "{:+.2f}")
    ends = {end: scale * pl.col(end) for end in ("low", "high")}
    parts = {"label": label, "value": scale * pl.col("difference")} | ends
    parts |= {"kind": "lineup"} if changes["lineup"].n_unique() > 1 else {}
    alt, chart = f"{unit}, with intervals about 0", (name, charts.forest)
    unit = f"{unit}, percentage points" if scale == 100 else unit
    return figure(findings, chart, part, alt, selection, parts, "lineup", unit=unit, form=form)


def _greatest(part: pl.DataFrame, label: str) -> tuple[pl.DataFrame, str]:
    """Return the rule sets with the greatest changes where all would be too many, and a note on that."""
    total = part[label].n_unique()
    most = max(1, MAX_ROWS * total // part.height)
    if most >= total:
        return part, ""
    sizes = part.group_by(label, maintain_order=True).agg(pl.col("difference").abs().max())
    largest = sizes.sort("difference", descending=True, maintain_order=True)[label].head(most)
    selection = f"Of {total} rule sets the {most} with the greatest changes."
    return part.filter(pl.col(label).is_in(largest.to_list())), selection


def measure_table(
    findings: Findings, measures: Iterable[MeasureLine], caption: str, head: str, by_setting: bool = False
) -> Table:
    """Return a table with a row per measure of the cell in view, or of each setting."""
    rows = [row for measure in measures for row in _measure_rows(*measure)]
    texts = dict.fromkeys(("measure", "value", "low", "high"), pl.String())
    numbers = dict.fromkeys(("games", "deals"), pl.Int64())
    frame = pl.DataFrame(rows, schema={"cell": pl.Int64(), **texts, **numbers}, orient="row")
    if not by_setting:
        return table(findings, first_cell(findings, frame), "measure value low high n", caption, value=head)
    frame = frame.join(findings.cells.select(pl.col("cell").cast(pl.Int64), "setting"), on="cell")
    return table(findings, frame, "measure setting value low high n", caption, value=head)


def _measure_rows(
    frame: pl.DataFrame, column: str, prefix: str, words: str, form: str
) -> Iterator[list[object]]:
    names = [f"{prefix}_{end}".removeprefix("_") for end in ("low", "high")]
    for row in frame.drop_nulls(column).iter_rows(named=True):
        low, high = (row.get(name) for name in names)
        texts = [None, None] if low is None or high is None else format_ends(low, high, form)
        yield [row["cell"], words, format_value(row[column], form), *texts, row["games"], row["deals"]]
