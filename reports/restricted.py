"""The page of restricted play: what a thing is worth, by the wins of a player who goes without it.

The rest of the page is that of the comparison page.
"""

from dataclasses import replace

import polars as pl

from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Section, Step
from simkit.page.document.tables import Show, with_extremes
from simkit.page.pictures import figure, looked_at, takeaways_of, where
from simkit.page.tiles import tiles
from simkit.page.words.commands import more_command
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import Summary, TableRow, capital, fair_of_100, games_of_100, join_names
from simkit.tables.findings import Findings
from simkit.tables.landscape import restricted

from .compare import recipe as compare
from .sections.answer import answer, next_steps


def with_things(findings: Findings) -> pl.DataFrame:
    """Return `restricted` with `thing`: what the player of each row goes without."""
    things = [_thing_of(findings, row) for row in restricted(findings).rows(named=True)]
    return restricted(findings).with_columns(pl.Series("thing", things, dtype=pl.String))


def _thing_of(findings: Findings, row: TableRow) -> str:
    """Return what the odd player goes without: the values of its own weights."""
    cell = next(cell for cell in findings.run.cells if cell.index == row["cell"])
    own = next(named.weights for named in cell.lineup if str(named) == row["strategy"])
    rest = next(named.weights for named in cell.lineup if str(named) != row["strategy"])
    values = [str(value).replace("_", " ") for name, value in own.items() if rest.get(name) != value]
    return " ".join(values) or labels_of(findings).strategy(row["strategy"])


PRICE_WORDS = {"less": "under-priced", "more": "over-priced", "not settled": "not settled"}


def price_sentence(rows: pl.DataFrame) -> str:
    """Return what is under- or over-priced, by how often a player without it wins."""
    texts = list[str]()
    for kind, text in PRICE_WORDS.items():
        if (own := rows.filter(result=kind)).height:
            won = games_of_100(*own["share"])
            even = f"who goes without wins {won}; {fair_of_100(rows['fair'][0])} is even"
            texts.append(
                f"{text}: {join_names(own['thing'])} ({won.partition(' games')[0] if texts else even})"
            )
    return f"{capital('; '.join(texts))}."


def _open_step(findings: Findings, rows: pl.DataFrame) -> Step | None:
    """Return the games that may settle what is open; None where all is settled."""
    deals, things = 4 * findings.run.experiment.deals, rows.filter(result="not settled")["thing"].to_list()
    if not things:
        return None
    text = f"Four times as many deals ({deals:,} of each) may settle what is open: {join_names(things)}."
    return Step(text, more_command(findings.run, "--deals", deals))


TOGETHER = "Intervals hold for all things together; a price is settled where fair lies outside."
THING_HEADS = {"thing": "goes without", "share": Show("wins", "{:.1%}"), "result": "than a fair share"}


def restricted_play(findings: Findings) -> Section:
    """Return the brief; the answer about fairness where nobody goes without anything."""
    if not restricted(findings).width:
        return answer(findings)
    every = with_things(findings)
    rows = looked_at(findings, every).sort("share")
    summary = Summary(price_sentence(rows), "", ["intervals hold for all things of a setting together"], [])
    alt = "How often a player wins who goes without each thing, with 95 % intervals and the fair share"
    parts, chart = {"label": "thing", "kind": pl.lit("")}, ("restricted", charts.forest)
    caption, unit = where(findings, TOGETHER), "Who goes without wins"
    picture = figure(findings, chart, rows, alt, caption, parts, unit=unit)
    glance = table(findings, every, "setting thing share low high result", "Who goes without", **THING_HEADS)
    base = pl.coalesce(pl.col("share").filter("baseline").first().over("thing"), "fair")
    selection = f"those farthest from the {labels_of(findings).base}"
    glance = with_extremes(glance, every, (pl.col("share") - base).abs(), selection)
    return Section(
        takeaways=takeaways_of(findings, summary, "restricted"),
        picture=picture,
        glance=glance,
        step=_open_step(findings, rows),
        tiles=tiles(findings)[:3],
    )


recipe = replace(compare, title="restricted play", brief=[restricted_play, next_steps], of_team={})
