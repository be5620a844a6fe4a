"""The curves of a search for a fair value: a picture per option, of three and more seats a line for each."""

import polars as pl

from simkit import charts
from simkit.analysis import Findings
from simkit.pages.pictures import figure
from simkit.report import Figure
from simkit.words.answer import side_of
from simkit.words.fairness import all_seats, title
from simkit.words.labels import labels_of

ENDS = ("low", "high")


def fitted(found: Findings) -> list[Figure]:
    names = found.fair_values["option"].unique(maintain_order=True).to_list()
    return [_picture(found, name, f"fair{place}") for place, name in enumerate(names)]


def _picture(found: Findings, option: str, name: str) -> Figure:
    """The shares along an option: of three and more seats a line for each, else one per lineup."""
    labels, every, side = labels_of(found), all_seats(found), side_of(found.run)
    values, curve = found.fair_values, found.fair_curve.filter(option=option)
    shown = curve.filter(lineup=values["lineup"][-1]) if every else curve.filter(seat=0)
    usual, whole = values.filter(option=option)["usual"][0], pl.col("x") == pl.col("x").round()
    rows = shown.with_columns(
        fair=pl.lit(found.run.search["fair"]),
        baseline=whole & (pl.col("x") == usual),
        tick=pl.when(whole).then(pl.col("x").cast(pl.Int64).cast(pl.String)).otherwise(pl.lit("")),
        **{end: pl.coalesce(end, "share") for end in ENDS},
    )
    label, meaning = labels.option(option), labels.meaning(option)
    unit = "Share of each player" if every else f"{side.name[0].upper()}{side.name[1:]} wins"
    how = {"label": f"{label}\n({meaning})" if meaning else label, "margin": found.run.experiment.margin}
    how |= {"unit": unit, "aim": "target" if found.run.team else "fair"}
    line = "seat" if every else "lineup"
    alt = f"{unit}, along {label}: {title(found)}"
    parts = {"line": line, "x": "x", "tick": "tick"}
    return figure(found, (name, charts.curve), rows, alt, "", parts, line, **how)
