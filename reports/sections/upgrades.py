"""Upgrades sold and owned: prices above the printed cost, and wins of their owners."""

from simkit.errors import UsageError
from simkit.reporting.pages import Findings, Section, Show, charts, figure, looked_at, prose, table, where
from simkit.reporting.pages.pictures import in_points

UPGRADES_TEXT = prose("""What is paid for an upgrade, and how often seats win that own one at the end, against
    seats of the same place and strategy that own none. Correlational: who is ahead can afford more, so a
    great difference does not say that buying the upgrade wins; at equal standing it is compared among the
    purchases, where games are traced.""")
OVER = Show("above printed cost", "{:+.0%}", "mean winning bid above the printed cost")


def upgrades(findings: Findings) -> Section:
    """Return prices and owners of each upgrade."""
    rows = findings.ownership
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
