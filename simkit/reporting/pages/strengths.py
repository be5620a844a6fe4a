"""Parts shared by sections on strategies: their order, the matrix of matches, tables of each size."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.reporting import charts
from simkit.reporting.document import Figure
from simkit.reporting.pages.pictures import figure
from simkit.reporting.pages.scope import at_setting, setting_looked_at, where
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.meetings import DIFFERENT, met_at


def order(findings: Findings) -> list[str]:
    """Return the strategies that met at tables of two, the best first."""
    ranked = at_setting(findings, findings.ranking)
    return ranked.filter(seats=2)["strategy"].to_list() if ranked.width else []


def matrix(findings: Findings, name: str, caption: str = "") -> list[Figure]:
    """Return the matrix of all matches, best first; two strategies need no figure."""
    places = {strategy: place for place, strategy in enumerate(order(findings))}
    if len(places) < 3:
        return []
    best_first = pl.col("row", "column").replace_strict(places, default=len(places), return_dtype=pl.Int64)
    pairs = at_setting(findings, findings.win_matrix).sort(best_first)
    alt = "Share of each plan against each other, the best on top"
    return [figure(findings, (name, charts.matrix), pairs, alt, caption, {"row": "row", "column": "column"})]


def by_size(findings: Findings, table: pl.DataFrame) -> Iterator[tuple[int, pl.DataFrame, str]]:
    """Yield each number of seats at the setting in view, with its rows and a note on what they are."""
    at = labels_of(findings).at(setting_looked_at(findings))
    setting = f"Shown for {at}." if table["setting"].n_unique() > 1 else ""
    for part in at_setting(findings, table).partition_by("seats", maintain_order=True):
        seats = part["seats"][0]
        size = f"Tables of {seats} seats." if table["seats"].n_unique() > 1 else ""
        yield seats, part, f"{size} {setting}".strip()


def ranking_figures(findings: Findings) -> list[Figure]:
    """Return figures of how often each strategy wins, for each table size."""
    parts, figures = {"label": "strategy", "kind": pl.lit(""), "style": pl.lit(-1)}, []
    for seats, shown, about in by_size(findings, findings.ranking):
        alt = f"Share of games won by each plan at a table of {seats}, with 95 % interval"
        chart, fair = (f"ranking{seats}", charts.forest), {"fair": pl.lit(1 / seats)}
        if not met_at(at_setting(findings, findings.meetings), seats).everybody:
            about = f"{DIFFERENT} {about}".strip()
        figures.append(figure(findings, chart, shown, alt, about, parts | fair, fair="if all were equal"))
    return figures


def team_figures(findings: Findings) -> list[Figure]:
    """Return figures of how often teams of one strategy win, for each team size."""
    rows = at_setting(findings, findings.team_strategies)
    if not rows.width:
        return []
    called = pl.col("strategy").map_elements(labels_of(findings).strategy, return_dtype=pl.String)
    parts, figures = {"label": called, "kind": pl.lit(""), "style": pl.lit(-1)}, []
    for part in rows.partition_by("seats", maintain_order=True):
        seats = part["seats"][0]
        about = f"Teams of {seats}." if rows["seats"].n_unique() > 1 else ""
        alt = f"Share of teams of {seats} by strategy, with 95 % interval and target"
        chart, options = (f"teams{seats}", charts.forest), {"unit": "Share of the team", "fair": "target"}
        figures.append(figure(findings, chart, part, alt, where(findings, about), parts, **options))
    return figures
