"""What other rules change: besides who wins, and one step from the baseline at a time."""

import polars as pl

from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Figure, Section
from simkit.page.document.tables import Show, Table, with_extremes
from simkit.page.pictures import figure
from simkit.page.words.confidence import SURE
from simkit.page.words.labels import labels_of, measure_name
from simkit.page.words.numbers import TableRow, prose
from simkit.page.words.verdicts import side_of
from simkit.tables.compare import EFFECT, PRIMARY, comparisons, one_step, wins
from simkit.tables.findings import Findings, axes, cells

NOT_SEATS = ~pl.col("measure").is_in(["share", *PRIMARY])

# Which changes are beyond luck


def greatest_sure_change(changes: pl.DataFrame) -> TableRow | None:
    """Return the greatest change beyond luck, of the measure with the largest standardized effect."""
    real = changes.filter(pl.col("p_adjusted") < SURE).sort(EFFECT, descending=True, maintain_order=True)
    same = real.filter(pl.col("measure") == pl.col("measure").first())
    sizes = same.sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    return sizes.row(0, named=True) if sizes.height else None


def sure_changes(findings: Findings, measure: pl.Expr) -> list[TableRow]:
    """Return the settings that surely change a measure with every lineup, sorted from rise to fall.

    difference: the smallest over the lineups; most: the largest.
    """
    if not comparisons(findings).width:
        return []
    rows = comparisons(findings).filter(measure)
    size, sign = pl.col("difference").abs(), pl.col("difference").sign()
    parts = rows.group_by("setting", maintain_order=True).agg(
        pl.col("difference").sort_by(size).first(),
        most=pl.col("difference").sort_by(size).last(),
        sure=(pl.col("p_adjusted") < SURE).all() & (sign.n_unique() == 1),
    )
    return parts.filter("sure").sort("difference", descending=True).rows(named=True)


def helpful_rules(findings: Findings) -> list[TableRow]:
    """Return the rules that surely change how often every team wins, the most helpful first."""
    return sure_changes(findings, wins(findings.run)) if findings.run.team else []


def single_changes(findings: Findings) -> pl.DataFrame:
    """Return the comparisons of shares with each rule set that changes one of several options.

    sure: whether a rule set surely changes somebody's share.
    """
    columns, rows = labels_of(findings).columns, cells(findings).rows(named=True)
    base = next((row for row in rows if row["baseline"]), None)
    if len(columns) < 2 or findings.run.team or base is None:
        return pl.DataFrame()
    single = {row["setting"] for row in rows if sum(row[name] != base[name] for name in columns) == 1}
    shares = comparisons(findings).filter(pl.col("setting").is_in(single), measure="share")
    return shares.with_columns(sure=(pl.col("p_adjusted") < SURE).any().over("setting"))


# Table and figure of differences from the baseline on the same deals

DIFFERENCE_WORDS = {
    "Paired difference": "both rule sets were played on the same deals; the difference is taken deal by "
    "deal, so that common luck cancels out.",
    "Real, beyond luck": "luck alone would hardly give such a difference: its adjusted p-value is below "
    "0.05, and its interval leaves 0 out.",
    "Adjusted p-value": "how often luck alone would give so great a difference, allowing for how many "
    "differences were looked at (Holm 1979).",
}
MAX_ROWS_DRAWN = 48  # rows in a figure
REAL = "an interval that leaves out 0 is beyond luck, allowing for all such differences of this run"


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
    part, selection = _with_greatest_changes(changes, label)
    scale, form = (100, "{:+.1f}") if part["unit"][0] == "share" else (1, "{:+.2f}")
    ends = {end: scale * pl.col(end) for end in ("low", "high")}
    parts = {"label": label, "value": scale * pl.col("difference")} | ends
    parts |= {"kind": "lineup"} if changes["lineup"].n_unique() > 1 else {}
    alt, chart = f"{unit}, with intervals about 0", (name, charts.forest)
    unit = f"{unit}, percentage points" if scale == 100 else unit
    return figure(findings, chart, part, alt, selection, parts, "lineup", unit=unit, form=form)


def _with_greatest_changes(part: pl.DataFrame, label: str) -> tuple[pl.DataFrame, str]:
    """Return the rule sets with the greatest changes where all would be too many, and a note on that."""
    total = part[label].n_unique()
    most = max(1, MAX_ROWS_DRAWN * total // part.height)
    if most >= total:
        return part, ""
    sizes = part.group_by(label, maintain_order=True).agg(pl.col("difference").abs().max())
    largest = sizes.sort("difference", descending=True, maintain_order=True)[label].head(most)
    selection = f"Of {total} rule sets the {most} with the greatest changes."
    return part.filter(pl.col(label).is_in(largest.to_list())), selection


# Sections


def changes(findings: Findings) -> Section | None:
    """Return all changes besides who wins, with a picture of the greatest; None without a baseline."""
    if comparisons(findings).is_empty():
        return None
    no_draws = (pl.col("measure") == "draw") & (pl.col("base_value") == 0) & (pl.col("value") == 0)
    rows, figures = comparisons(findings).filter(NOT_SEATS & ~no_draws), []
    if change := greatest_sure_change(rows):
        drawn = rows.filter(pl.col("seat").eq_missing(change["seat"]), measure=change["measure"])
        name = f"Change of {measure_name(change['measure'], change['seat'])}"
        figures.append(difference_figure(findings, drawn, "changes", name))
    listed = difference_table(findings, rows, "Changes on the same deals, the greatest beyond luck first")
    return Section("What else changes", [], figures, [listed], words=DIFFERENCE_WORDS)


def tornado(findings: Findings) -> Section | None:
    """Return the effect of each single step on the first player; None for a sweep of one option."""
    if len(axes(findings.run)) < 2 or one_step(findings).is_empty():
        return None
    steps = one_step(findings).filter(wins(findings.run))
    if steps.is_empty():
        return None
    step = pl.col("cell").replace_strict(_steps(findings), return_dtype=pl.String)
    ordered = steps.sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    ordered = ordered.with_columns(step.alias("step"))
    text = prose(f"""From the baseline ({labels_of(findings).baseline}) one option is changed at a time: a
        number to the next value tried, a named choice to any other. Dots are paired differences on the same
        deals; {REAL}. Of those the dots farthest from 0 are the rules worth turning first.""")
    unit = f"Change of the {side_of(findings.run).name}'s share"
    picture = difference_figure(findings, ordered, "tornado", unit, "step")
    listed = difference_table(findings, ordered, "One step from the baseline", "step")
    return Section("One step from the baseline", [text], [picture], [listed], words=DIFFERENCE_WORDS)


def _steps(findings: Findings) -> dict[int, str]:
    """Return the option and the step of each cell one step from the baseline, in labels."""
    cells, labels = findings.run.cells, labels_of(findings)
    swept = {axis.label: axis for axis in axes(findings.run)}
    base, names = next(cell.varied for cell in cells if cell.baseline), {}
    for index, name in one_step(findings).select("cell", "axis").unique(maintain_order=True).iter_rows():
        axis, varied = swept[name], next(cell.varied for cell in cells if cell.index == index)
        names[index] = f"{labels.axis(axis)} {labels.on_axis(axis, base)} → {labels.on_axis(axis, varied)}"
    return names
