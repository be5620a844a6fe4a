"""Who is chosen in the best mixes, how sure that is, what each wins against the mix of the other side."""

import polars as pl

from simkit.reporting.document import Figure
from simkit.reporting.pages import Findings, Section, Show, at_setting, charts, figure, prose, table
from simkit.reporting.text import seat_name
from simkit.reporting.text.equilibrium import chosen
from simkit.reporting.text.groups import looked_place

TEXT = prose("""A strategy outside a mix may be nearly as good as one in it: the columns say what it wins
    against the best mix of the other side, and in how many resampled halves of the deals it was chosen.""")


def section(findings: Findings) -> Section | None:
    mixes = findings.equilibrium_mixes
    if not mixes.width:
        return None
    heads = {"weight": Show("in the best mix", "{:.0%}", "part of the games in which it is chosen")}
    often = "part of resampled halves of the deals in whose best mix it is"
    heads |= {"often": Show("chosen", "{:.0%}", often)}
    said = "its own share against the best mix of the other side; empty: stopped early, surely worse"
    heads |= {"against": Show("wins against the other's mix", "{:.1%}", said)}
    where = ["setting"] * (mixes["setting"].n_unique() > 1)
    names = [*where, "seat", "strategy", "weight", "often", "against"]
    listed = table(findings, mixes, names, "The best mixes", seat="chosen by the", **heads)
    here = at_setting(findings, mixes)
    said = chosen(findings, here)
    heading = f"{said[:1].upper()}{said[1:]}{looked_place(findings, here)}"
    return Section(heading, [TEXT], [_picture(findings, here)], [listed])


def _picture(findings: Findings, here: pl.DataFrame) -> Figure:
    """The weights, a bar for each seat, of the strategies that are in either mix."""
    matter = here.filter(pl.col("weight").max().over("strategy") > 0)
    nothing = pl.lit(None, pl.Float64)
    kind = pl.col("seat").map_elements(lambda seat: seat_name(int(seat)), return_dtype=pl.String)
    parts = {"label": "strategy", "kind": kind, "value": "weight", "style": "seat"}
    alt = "Weight of each strategy in the best mixes of the two players"
    rows = matter.with_columns(low=nothing, high=nothing)
    return figure(
        findings, ("mixes", charts.bars), rows, alt, "", parts, unit="Part of the games", form="{:.0%}"
    )
