"""The brief about upgrades: the upgrade bid up most and the one whose owners win most."""

import polars as pl

from simkit.analysis import cells_to_look_at
from simkit.reporting.pages import Findings, Section, Show, charts, figure, labels_of, table, takeaways_of
from simkit.reporting.pages.columns import points
from simkit.reporting.pages.scope import head_at, looked_at, setting_looked_at, where
from simkit.reporting.text.confidence import sureness, warnings
from simkit.reporting.text.groups import place
from simkit.reporting.text.numbers import number
from simkit.reporting.text.phrases import Summary, TableRow, capital

GAIN = Show("owners win more", points, "than seats of the same place and strategy without one, in points")
MAX_UPGRADES = 6  # upgrades in the small table
CAUTION = "that owners win is correlational, not causal: who is ahead can afford more"


def worth(findings: Findings) -> Section | None:
    """Return the brief, or None for a game that logs no sales."""
    if findings.ownership.is_empty():
        return None
    rows = looked_at(findings, findings.ownership).drop_nulls("over").sort("over", descending=True)
    first = greatest_bid(findings)
    if findings.cells["setting"].n_unique() > 1:
        first = f"{capital(place(findings, setting_looked_at(findings)))}, {first[:2].lower()}{first[2:]}"
    shown = looked_at(findings, findings.first_player_advantage)
    cases = labels_of(findings).label(shown).rows(named=True)
    sure = [*sureness(findings, cases), CAUTION]
    summary = Summary(f"{first}. {_greatest_gain(findings)}", "", sure, warnings(findings))
    heads = {"thing": head_at(findings, "upgrade"), "difference": GAIN}
    heads |= {"over": Show("above printed cost", "{:+.0%}")}
    parts = {"label": "thing", "kind": "lineup", "value": "over"}
    alt, options = "What each upgrade is sold for above its printed cost", {"form": "{:+.0%}"}
    options["unit"] = "Mean winning bid above the printed cost"
    chart = "worth", charts.forest
    picture = figure(findings, chart, rows, alt, where(findings), parts, "lineup", **options)
    columns = "lineup thing printed price over difference"
    glance = table(findings, rows.head(MAX_UPGRADES), columns, "Bid up most", **heads)
    takeaways = takeaways_of(findings, summary, "ownership")
    return Section(takeaways=takeaways, picture=picture, glance=glance, warnings=summary.warnings)


def _most(findings: Findings, column: str) -> tuple[TableRow | None, str]:
    """Return the row with the greatest value over the lineups in view; its lineup if there are several."""
    cells, labels = cells_to_look_at(findings.run), labels_of(findings)
    looked = findings.ownership.filter(pl.col("cell").is_in(cells), pl.col("sold") > 0)
    rows = labels.label(looked.drop_nulls(column).sort(column, descending=True)).rows(named=True)
    return next(iter(rows), None), f" {labels.when(rows[0]['lineup'])}" if rows and len(cells) > 1 else ""


def greatest_bid(findings: Findings) -> str:
    """Return the upgrade bid up most, with the lineup where there are several."""
    row, when = _most(findings, "over")
    if row is None:
        return "No upgrade is sold"
    size = number(100 * row["over"], 0, sign=True)
    return f"“{row['thing'].capitalize()}” is bid up most{when}: {size} % above its printed cost"


def _greatest_gain(findings: Findings) -> str:
    """Return the upgrade whose owners gain most, with the lineup where there are several."""
    row, when = _most(findings, "difference")
    if row is None:
        return "No upgrade has owners to compare with others."
    gain = f"{number(100 * row['difference'], sign=True)} games of 100 against the same seats without it"
    return f"Seats that end with “{row['thing']}” gain most{when}: {gain}."
