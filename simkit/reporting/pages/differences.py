"""Differences to the baseline on the same deals: tables, pictures and words of sections that show some."""

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.compare import EFFECT
from simkit.reporting import charts
from simkit.reporting.document import Figure, Section, Show, Table
from simkit.reporting.document.tables import MOST_ROWS, Form
from simkit.reporting.pages.columns import points, table, with_extremes
from simkit.reporting.pages.pictures import by_lineup, figure
from simkit.reporting.text.changes import greatest_change, measure_name
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import listed, prose
from simkit.reporting.text.strength import capital

MOST_TABLES = 4  # lineups that get a table each
MOST_BARS = 48  # that a picture can hold
WORDS = {
    "Paired difference": "both rule sets were played on the same deals; the difference is taken deal by "
    "deal, so that common luck cancels out.",
    "Real, beyond luck": "luck alone would hardly give such a difference: its adjusted p-value is below "
    "0.05, and its interval leaves 0 out.",
    "Adjusted p-value": "how often luck alone would give so great a difference, allowing for how many "
    "differences were looked at (Holm 1979): of many differences some look great by luck. Who wins "
    "is the first question of a comparison and adjusted for the number of rule sets and lineups only; all "
    "other differences are adjusted among themselves.",
    "Level of an interval": "95 %, or higher and so wider, the more differences may be luck: the chance that "
    "any interval leaves out 0 by luck alone is at most 5 %, for who wins and for all else.",
    "Gain": "variance reduction: by pairing, these deals say as much about the difference as this many "
    "times the deals, played apart.",
}
REAL = "an interval that leaves out 0 is beyond luck, allowing for all such differences of this run"
STOPPED = prose("""The cells of this run stopped by themselves. The intervals and p-values of differences are
    those of a number of deals fixed beforehand, so they are a little too sure here; confirm what matters with
    a run of fixed length and another seed.""")


def stopped(findings: Findings) -> list[str]:
    """What to beware of where cells stopped by themselves."""
    tables = findings.comparisons, findings.team_strategies, findings.mixed_teams
    return [STOPPED] if findings.run.experiment.adaptive and any(table.height for table in tables) else []


def drawn_sometimes() -> pl.Expr:
    """All but draws where there are none."""
    return ~((pl.col("measure") == "draw") & (pl.col("base_value") == 0) & (pl.col("value") == 0))


def compared() -> pl.Expr:
    name = pl.struct("measure", "seat").map_elements(lambda row: measure_name(**row), return_dtype=pl.String)
    return name.alias("compared")


def difference_tables(
    findings: Findings, changes: pl.DataFrame, caption: str, label: str = "setting", apart: bool = True
) -> list[Table]:
    """By lineup where these are few, if `apart`; the first-player advantage, shares and all else apart."""
    share, fpa = pl.col("unit") == "share", pl.col("measure") == "fpa"
    kind = pl.when(fpa).then(pl.lit("fpa")).when(share).then(pl.lit("shares")).otherwise(pl.lit("amounts"))
    rows, few = changes.with_columns(kind.alias("kind")), apart and _fits(changes)
    tables, front = [], label if few else f"{label} lineup"
    for part in rows.partition_by("lineup", maintain_order=True) if few else [rows]:
        lineup = f": {labels_of(findings).named(part)['lineup'][0]}" if few else ""
        for some in part.partition_by("kind", maintain_order=True):
            which = "First-player advantage" if some["kind"][0] == "fpa" else f"{caption}, {some['kind'][0]}"
            title = caption if part["kind"].n_unique() == 1 else which
            tables.append(_difference_table(findings, some, title + lineup, front))
    return tables


def _fits(changes: pl.DataFrame) -> bool:
    """Whether a table for each lineup is not too much for a page."""
    return changes["lineup"].n_unique() <= MOST_TABLES and changes.height <= MOST_ROWS


def _difference_table(findings: Findings, part: pl.DataFrame, caption: str, front: str) -> Table:
    kind = part["kind"][0]
    value: Form = {"shares": "{:.1%}", "amounts": "{:.2f}"}.get(kind, points)
    gap: Form = "{:+.2f}" if kind == "amounts" else points
    sure = pl.when(pl.col("p_adjusted") < SURE).then(pl.lit("yes")).otherwise(pl.lit("unsure"))
    varies = pl.any_horizontal(pl.col("difference", "low", "high") != 0)
    sure = pl.when(varies).then(sure).otherwise(pl.lit("no"))
    rows = part.with_columns(compared(), sure.alias("beyond_noise"))
    measured = "" if kind == "fpa" else "compared"
    names = f"{front} {measured} difference low high confidence beyond_noise base_value value factor "
    names += "p_adjusted deals"
    shows = {
        "low": Show("from", gap, "lower end of the interval"),
        "high": Show("to", gap, "upper end of the interval"),
        "difference": Show("change", gap, "here less baseline; shares in data as fractions, here in points"),
        "base_value": Show("base", value, "value at the baseline"),
        "value": Show("here", value, "value under these rules"),
        "deals": Show("deals", "{:,}", "played under both rule sets"),
    }
    listed, real = table(findings, rows, names, caption, **shows), pl.col("p_adjusted") < SURE
    return with_extremes(listed, rows, pl.when(real).then(EFFECT), "the greatest changes beyond luck")


def difference_figures(
    findings: Findings, changes: pl.DataFrame, name: str, unit: str, label: str = "setting"
) -> list[Figure]:
    """Bars about 0, a picture per lineup: a group per `label`, in it a bar per measure of the same unit."""
    figures, kinds = [], changes.select(compared().n_unique()).item() if changes.height else 0
    for number, lineup, every in by_lineup(findings, changes):
        part, some = _greatest(every, label)
        scale, form = (100, "{:+.1f}") if part["unit"][0] == "share" else (1, "{:+.2f}")
        ends = {"value": "difference", "low": "low", "high": "high"}
        parts = {end: scale * pl.col(column) for end, column in ends.items()} | {"label": label}
        parts |= {"kind": compared()} if kinds > 1 else {}
        alt, chart = f"{unit} with intervals about 0, {lineup}", (f"{name}{number}", charts.bars)
        caption = ". ".join(filter(None, [lineup, some]))
        figures.append(figure(findings, chart, part, alt, caption, parts, "measure", unit=unit, form=form))
    return figures


def _greatest(part: pl.DataFrame, label: str) -> tuple[pl.DataFrame, str]:
    """The rule sets with the greatest changes, in their order, where all would be too many; what that is."""
    every = part[label].n_unique()
    most = MOST_BARS * every // part.height
    if part.height <= MOST_BARS or most < 1:
        return part, ""
    far = part.group_by(label, maintain_order=True).agg(pl.col("difference").abs().max())
    kept = far.sort("difference", descending=True, maintain_order=True)[label].head(most)
    some = f"Of {every} rule sets the {most} with the greatest changes."
    return part.filter(pl.col(label).is_in(kept.to_list())), some


def change_section(findings: Findings, name: str, what: str, changes: pl.DataFrame, unit: str) -> Section:
    """What other rules change in something, by its name (`draws`), headed by what they change most.

    Of what no rule set changes in any deal it is only said that it stays.
    """
    base, moved = labels_of(findings).base, changes.filter(~_same())
    still = changes.filter(_same())["measure"].unique(maintain_order=True).to_list()
    stays = listed(measure_name(one, None) for one in still) if still else ""
    text = [f"{capital(stays)}: as with the {base}."] if still else []
    if moved.is_empty():
        return Section(greatest_change(findings, what, changes), text)
    if still and moved["measure"].n_unique() == 1:
        what = measure_name(moved["measure"][0], None)
        unit = unit.replace("Change", f"Change of {what}", 1)
    figures = []
    for number, part in enumerate(parts := moved.partition_by("measure", maintain_order=True)):
        of = measure_name(part["measure"][0], None)  # each has its own scale
        part, alike = part.filter(~_same("lineup")), labels_of(findings).named(part.filter(_same("lineup")))
        if alike.height:
            lineups = listed(alike["lineup"].unique(maintain_order=True).to_list())
            text.append(f"{capital(of)} with {lineups}: as with the {base}.")
        scale = unit.replace("Change", f"Change of {of}", 1) if len(parts) > 1 else unit
        figures += difference_figures(findings, part, f"{name}{number}-" if len(parts) > 1 else name, scale)
    tables = difference_tables(findings, moved, f"Change of {what}")
    text.append(f"Against the {base} on the same deals; {REAL}.")
    return Section(greatest_change(findings, what, moved), text, figures, tables)


def _same(*apart: str) -> pl.Expr:
    """Measures that no rule set changes in any deal; `apart`: for each lineup by itself."""
    none = (pl.col("difference") == 0) & (pl.col("low") == 0) & (pl.col("high") == 0)
    return none.fill_null(False).all().over("measure", *apart)
