"""The upgrades page: what each upgrade is sold for, and whether its owners win.

The brief has the upgrade bid up most and the one whose owners win most; the rest is the balance page.
"""

from dataclasses import replace

import polars as pl

from simkit.errors import UsageError
from simkit.page import charts
from simkit.page.columns import points, table
from simkit.page.document.parts import Section
from simkit.page.document.tables import Show
from simkit.page.pictures import figure, head_at, in_points, looked_at, setting_looked_at, takeaways_of, where
from simkit.page.words.confidence import sureness, warnings
from simkit.page.words.labels import labels_of, place
from simkit.page.words.numbers import Summary, TableRow, capital, number, prose
from simkit.tables.components import ownership
from simkit.tables.findings import Findings, cells, cells_to_look_at
from simkit.tables.seats import first_player_advantage

from .balance import recipe as balance
from .sections.answer import next_steps

# Sentences: the greatest bid and the greatest gain


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


def _most(findings: Findings, column: str) -> tuple[TableRow | None, str]:
    """Return the row with the greatest value over the lineups in view; its lineup if there are several."""
    cells, labels = cells_to_look_at(findings.run), labels_of(findings)
    looked = ownership(findings).filter(pl.col("cell").is_in(cells), pl.col("sold") > 0)
    rows = labels.label(looked.drop_nulls(column).sort(column, descending=True)).rows(named=True)
    return next(iter(rows), None), f" {labels.when(rows[0]['lineup'])}" if rows and len(cells) > 1 else ""


# Sections

GAIN = Show("owners win more", points, "than seats of the same place and strategy without one, in points")
MAX_UPGRADES = 6  # upgrades in the small table
CAUTION = "that owners win is correlational, not causal: who is ahead can afford more"


def worth(findings: Findings) -> Section | None:
    """Return the brief, or None for a game that logs no sales."""
    if ownership(findings).is_empty():
        return None
    rows = looked_at(findings, ownership(findings)).drop_nulls("over").sort("over", descending=True)
    first = greatest_bid(findings)
    if cells(findings)["setting"].n_unique() > 1:
        first = f"{capital(place(findings, setting_looked_at(findings)))}, {first[:2].lower()}{first[2:]}"
    shown = looked_at(findings, first_player_advantage(findings))
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


UPGRADES_TEXT = prose("""What is paid for an upgrade, and how often seats win that own one at the end, against
    seats of the same place and strategy that own none. Correlational: who is ahead can afford more, so a
    great difference does not say that buying the upgrade wins; at equal standing it is compared among the
    purchases, where games are traced.""")
OVER = Show("above printed cost", "{:+.0%}", "mean winning bid above the printed cost")


def upgrades(findings: Findings) -> Section:
    """Return prices and owners of each upgrade."""
    rows = ownership(findings)
    if rows.is_empty():
        needed = "the report needs columns sold_X, price_X, printed_X and own_X"
        raise UsageError(f"{findings.run.experiment.game} does not log sales and owners: {needed}")
    names = "cell thing sold printed price over owners difference difference_low difference_high deals"
    heads = {"over": OVER, "difference": "adjusted difference"}
    listed = table(findings, rows, names, "Price and owners of each upgrade", **heads)
    parts = {"label": "thing", "kind": "lineup"} | in_points("difference")
    alt = "By how much owners of each upgrade win more often than others, with 95 % interval"
    options = {"unit": "Games won more than by the same seats without one, of 100", "form": "{:+.1f}"}
    owned = looked_at(findings, rows).drop_nulls("difference").sort("thing", "cell")
    chart = ("owners", charts.forest)
    picture = figure(findings, chart, owned, alt, where(findings), parts, "lineup", **options)
    return Section("Prices and owners", [UPGRADES_TEXT], [picture], [listed])


recipe = replace(
    balance,
    title="upgrades report",
    brief=[worth, next_steps],
    chapters={"Prices and owners": [upgrades], **balance.chapters},
    of_team={},
)
