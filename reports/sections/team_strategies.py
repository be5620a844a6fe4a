"""How strong strategies are as teams: one strategy in every seat, compared deal by deal."""

import polars as pl

from simkit.pages import Figure, Findings, Section, at_setting, charts, figure, labels_of, prose, table, where

TEXT = prose("""How often a team wins in which all seats play the same strategy. Teams are compared on the
    same deals with the strategy listed first: an interval that leaves out 0 settles which of the two is
    better.""")


def section(found: Findings) -> Section | None:
    rows = found.team_strategies
    if not rows.width:
        return None
    names = "where strategy share low high against difference difference_low difference_high p_adjusted n"
    heads = {"share": "team wins", "against": "compared with"}
    called = pl.col("against").map_elements(labels_of(found).strategy, return_dtype=pl.String)
    listed = table(found, rows.with_columns(called), names, "Teams of one strategy", **heads)
    return Section("Strategies as teams", [TEXT], _pictures(found, at_setting(found, rows)), [listed])


def _pictures(found: Findings, rows: pl.DataFrame) -> list[Figure]:
    called = pl.col("strategy").map_elements(labels_of(found).strategy, return_dtype=pl.String)
    parts, figures = {"label": called, "kind": pl.lit(""), "style": pl.lit(-1)}, []
    for part in rows.partition_by("seats", maintain_order=True):
        seats = part["seats"][0]
        about = f"Teams of {seats}." if rows["seats"].n_unique() > 1 else ""
        alt = f"Share of teams of {seats} by strategy, with 95 % interval and target"
        chart, how = (f"teams{seats}", charts.forest), {"unit": "Share of the team", "fair": "target"}
        figures.append(figure(found, chart, part, alt, where(found, about), parts, **how))
    return figures
