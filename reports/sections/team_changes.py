"""Changes of the team's wins by each rule set, those that help most on top."""

import polars as pl

from simkit.analysis.compare import wins
from simkit.reporting.pages import Figure, Findings, Section, charts, figure, labels_of, prose, table
from simkit.reporting.pages.differences import REAL
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.phrases import Row, capital, number

MAX_ROWS = 40  # rows in a picture
TEXT = prose(f"""By how much the team wins more often than at the baseline, on the same deals; the rule sets
    that help most on top; {REAL}.""")


def section(findings: Findings) -> Section | None:
    """Return the changes, or None for a competitive game, whose seats gain from each other."""
    if not findings.run.team or not findings.comparisons.width:
        return None
    rows = findings.comparisons.filter(wins(findings.run))
    worst_lineup = pl.col("difference").min().over("setting")
    ordered = rows.sort(worst_lineup, "setting", "cell", descending=[True, False, False], maintain_order=True)
    ordered = ordered.with_columns(share="value", base_share="base_value")
    heads = {"share": "team wins", "base_share": "team at the baseline", "low": "from"}
    names = "setting lineup share base_share difference low high confidence p_adjusted deals"
    listed = table(findings, ordered, names, "Changes of the team's share", **heads)
    return Section(_heading(findings, ordered), [TEXT], [_picture(findings, ordered)], [listed])


def _heading(findings: Findings, rows: pl.DataFrame) -> str:
    """Name the rule set that significantly helps most, or else the one that hurts most, and its rivals."""
    beyond_luck = rows.filter(pl.col("p_adjusted") < SURE).sort("difference", descending=True)
    if beyond_luck.is_empty():
        return "Which rule set helps the team is not settled"
    helps = beyond_luck["difference"][0] > 0
    row = beyond_luck.row(0 if helps else -1, named=True)
    verb, size = "helps" if helps else "hurts", abs(100 * row["difference"])
    lineup = labels_of(findings).of_column("lineup") or str
    lineup_suffix = f" ({lineup(row['lineup'])})" if rows["lineup"].n_unique() > 1 else ""
    name = capital(labels_of(findings).at(row["setting"]))
    rivals = _as_much(findings, rows, row)
    return f"{name} {verb} the team most: {number(size)} percentage points{lineup_suffix}{rivals}"


def _as_much(findings: Findings, rows: pl.DataFrame, greatest: Row) -> str:
    """Name the rule sets with intervals that reach into that of the greatest change, same lineup."""
    helps = greatest["difference"] > 0
    reaches = pl.col("high") > greatest["low"] if helps else pl.col("low") < greatest["high"]
    other = pl.col("setting") != greatest["setting"]
    others = rows.filter(reaches, other, lineup=greatest["lineup"])["setting"]
    if others.is_empty():
        return ""
    names = labels_of(findings).at(others[0]) if len(others) == 1 else f"{len(others)} others"
    return f"; {names} may {'help' if helps else 'hurt'} as much"


def _picture(findings: Findings, rows: pl.DataFrame) -> Figure:
    ends = {"value": "difference", "low": "low", "high": "high"}
    parts = {part: 100 * pl.col(name) for part, name in ends.items()}
    label = pl.col("setting").map_elements(labels_of(findings).at, return_dtype=pl.String)
    shown, caption = rows, ""
    if rows.height > MAX_ROWS:
        rows_per_end = MAX_ROWS // rows["lineup"].n_unique() // 2 * rows["lineup"].n_unique()
        shown = pl.concat([rows.head(rows_per_end), rows.tail(rows_per_end)])
        caption = "The best and the worst rule sets."
    alt = "Change of the team's share by rule set, with interval"
    unit = "Change of the team's share, percentage points"
    chart_parts = parts | {"label": label, "kind": "lineup"}
    return figure(
        findings,
        ("team_changes", charts.forest),
        shown,
        alt,
        caption,
        chart_parts,
        "lineup",
        unit=unit,
        form="{:+.1f}",
    )
