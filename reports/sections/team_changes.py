"""What each rule set changes for a team: all of them in one picture, those that help most on top."""

import polars as pl

from simkit.analysis.compare import wins
from simkit.reporting.pages import Figure, Findings, Section, charts, figure, labels_of, prose, table
from simkit.reporting.pages.differences import REAL
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.phrases import Row, number
from simkit.reporting.text.strength import capital

MOST = 40  # bars that a picture can hold
TEXT = prose(f"""By how much the team wins more often than at the baseline, on the same deals; the rule sets
    that help most on top; {REAL}.""")


def section(findings: Findings) -> Section | None:
    """Nothing for a competitive game, whose seats gain from each other."""
    if not findings.run.team or not findings.comparisons.width:
        return None
    rows = findings.comparisons.filter(wins(findings.run))
    least = pl.col("difference").min().over("setting")
    ordered = rows.sort(least, "setting", "cell", descending=[True, False, False], maintain_order=True)
    ordered = ordered.with_columns(share="value", base_share="base_value")
    heads = {"share": "team wins", "base_share": "team at the baseline", "low": "from"}
    names = "setting lineup share base_share difference low high confidence p_adjusted deals"
    listed = table(findings, ordered, names, "Changes of the team's share", **heads)
    return Section(_heading(findings, ordered), [TEXT], [_picture(findings, ordered)], [listed])


def _heading(findings: Findings, rows: pl.DataFrame) -> str:
    """Of the changes beyond luck that which helps most, else that which hurts most; what may do as much."""
    real = rows.filter(pl.col("p_adjusted") < SURE).sort("difference", descending=True)
    if real.is_empty():
        return "No rule set helps or hurts the team beyond luck"
    helps = real["difference"][0] > 0
    row = real.row(0 if helps else -1, named=True)
    said, by = "helps" if helps else "hurts", abs(100 * row["difference"])
    lineup = labels_of(findings).of_column("lineup") or str
    who = f" ({lineup(row['lineup'])})" if rows["lineup"].n_unique() > 1 else ""
    name = capital(labels_of(findings).at(row["setting"]))
    return f"{name} {said} the team most: {number(by)} percentage points{who}{_as_much(findings, rows, row)}"


def _as_much(findings: Findings, rows: pl.DataFrame, most: Row) -> str:
    """Other rule sets with the lineup of the greatest change whose intervals reach into that of it."""
    helps = most["difference"] > 0
    reaches = pl.col("high") > most["low"] if helps else pl.col("low") < most["high"]
    others = rows.filter(reaches, pl.col("setting") != most["setting"], lineup=most["lineup"])["setting"]
    if others.is_empty():
        return ""
    names = labels_of(findings).at(others[0]) if len(others) == 1 else f"{len(others)} others"
    return f"; {names} may {'help' if helps else 'hurt'} as much"


def _picture(findings: Findings, rows: pl.DataFrame) -> Figure:
    ends = {"value": "difference", "low": "low", "high": "high"}
    parts = {part: 100 * pl.col(name) for part, name in ends.items()}
    label = pl.col("setting").map_elements(labels_of(findings).at, return_dtype=pl.String)
    shown, about = rows, ""
    if rows.height > MOST:
        many = MOST // rows["lineup"].n_unique() // 2 * rows["lineup"].n_unique()
        shown, about = pl.concat([rows.head(many), rows.tail(many)]), "The best and the worst rule sets."
    alt = "Change of the team's share by rule set, with interval"
    unit = "Change of the team's share, percentage points"
    how = parts | {"label": label, "kind": "lineup"}
    return figure(findings, ("team_changes", charts.bars), shown, alt, about, how, "lineup", unit=unit)
