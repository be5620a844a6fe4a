"""The best mixes: the weight of each strategy, its certainty, and its wins against the other side's mix."""

import polars as pl

from simkit.reporting.document import Figure
from simkit.reporting.pages import Findings, Section, Show, at_setting, charts, figure, prose, table, where
from simkit.reporting.text import seat_name

TEXT = prose("""A strategy outside a mix may be nearly as good as one in it: the columns say what it wins
    against the best mix of the other side, and in how many resampled halves of the deals it was chosen.""")


def section(findings: Findings) -> Section:
    """Return the mixes of all settings."""
    mixes = findings.equilibrium_mixes
    heads = {"weight": Show("in the best mix", "{:.0%}", "part of the games in which it is chosen")}
    meaning = "part of resampled halves of the deals in whose best mix it is"
    heads |= {"often": Show("chosen", "{:.0%}", meaning)}
    meaning = "its own share against the best mix of the other side; empty: stopped early, surely worse"
    heads |= {"against": Show("wins against the other's mix", "{:.1%}", meaning)}
    setting = ["setting"] if mixes["setting"].n_unique() > 1 else []
    names = [*setting, "seat", "strategy", "weight", "often", "against"]
    listed = table(findings, mixes, names, "The best mixes", seat="chosen by the", **heads)
    shown = at_setting(findings, mixes)
    return Section("Who is chosen how often", [TEXT], [_picture(findings, shown)], [listed])


def _picture(findings: Findings, shown: pl.DataFrame) -> Figure:
    """Return a row per seat and strategy for the weights in the mixes, without strategies in neither mix."""
    weighted = shown.filter(pl.col("weight").max().over("strategy") > 0)
    kind = pl.col("seat").map_elements(lambda seat: seat_name(int(seat)), return_dtype=pl.String)
    parts = {"label": "strategy", "kind": kind, "value": "weight", "style": "seat"}
    alt = "Weight of each strategy in the best mixes of the two players"
    chart, unit = ("mixes", charts.forest), "Part of the games"
    return figure(findings, chart, weighted, alt, where(findings), parts, unit=unit, aim="")
