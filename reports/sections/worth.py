"""The brief about upgrades: the upgrade bid up most and the one whose owners win most."""

from simkit.reporting import charts
from simkit.reporting.pages import Findings, Section, Show, Takeaway, figure, labels_of, query, table
from simkit.reporting.pages.columns import points
from simkit.reporting.pages.scope import head_at, looked_at, where
from simkit.reporting.text.confidence import sureness, warnings
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.upgrades import bid_up_most, win_most

GAIN = Show("owners win more", points, "than seats of the same place and strategy without one, in points")
MAX_UPGRADES = 6  # upgrades in the small table
CAUTION = "that owners win is correlational, not causal: who is ahead can afford more"


def section(findings: Findings) -> Section | None:
    """Return the brief, or None for a game that logs no sales."""
    if findings.ownership.is_empty():
        return None
    rows = looked_at(findings, findings.ownership).drop_nulls("over").sort("over", descending=True)
    place, bid = looked_place(findings, rows.clear()).removeprefix(", "), bid_up_most(findings)
    first = f"{place[:1].upper()}{place[1:]}, {bid[:2].lower()}{bid[2:]}" if place else bid
    takeaways = [Takeaway(f"{first}. {win_most(findings)}", query(findings, "ownership"), "answer")]
    shown = looked_at(findings, findings.first_player_advantage)
    cases = labels_of(findings).named(shown).rows(named=True)
    takeaways += [Takeaway(note, kind="sure") for note in (*sureness(findings, cases), CAUTION)]
    heads = {"thing": head_at(findings, "upgrade"), "difference": GAIN}
    heads |= {"over": Show("above printed cost", "{:+.0%}")}
    parts = {"label": "thing", "kind": "lineup", "value": "over"}
    alt, options = "What each upgrade is sold for above its printed cost", {"form": "{:+.0%}"}
    options["unit"] = "Mean winning bid above the printed cost"
    chart = "worth", charts.forest
    picture = figure(findings, chart, rows, alt, where(findings), parts, "lineup", **options)
    columns = "lineup thing printed price over difference"
    glance = table(findings, rows.head(MAX_UPGRADES), columns, "Bid up most", **heads)
    return Section(takeaways=takeaways, picture=picture, glance=glance, warnings=warnings(findings, cases))
