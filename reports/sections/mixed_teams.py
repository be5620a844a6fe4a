"""The worth of a strategy to its team: wins by the number of seats that play it."""

import polars as pl

from simkit.reporting.pages import (
    Figure,
    Findings,
    Section,
    at_setting,
    charts,
    figure,
    labels_of,
    prose,
    table,
    where,
)
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.phrases import Row, games_of_100, whole
from simkit.reporting.text.teams import team_strength

TEXT = prose("""How often the team wins as seat after seat plays the second strategy instead of the first, on
    the same deals. The last columns say what the seats replaced last were worth.""")


def section(findings: Findings) -> Section | None:
    """Return the mixed teams, or None for a run without any."""
    rows = findings.mixed_teams
    if not rows.width:
        return None
    heads = {"one": "first strategy", "other": "second strategy", "with_it": "seats with the second"}
    heads |= {"share": "team wins"}
    names = "where one other with_it share low high difference difference_low difference_high p_adjusted n"
    labelled = rows.with_columns(_labelled(findings, "one"), _labelled(findings, "other"))
    listed = table(findings, labelled, names, "Seat by seat", **heads)
    shown = at_setting(findings, rows)
    sentences = [
        prose(sentence.text)
        for sentence in team_strength(findings, shown["setting"][0])
        if sentence.rests == "mixed_teams"
    ]
    return Section(
        _heading(findings, shown),
        [*sentences, TEXT],
        _pictures(findings, at_setting(findings, labelled)),
        [listed],
    )


def _heading(findings: Findings, rows: pl.DataFrame) -> str:
    """Describe the effect of a single seat with another strategy: the greatest significant gain and loss."""
    single = rows.filter(pl.col("with_it") == 1).sort(pl.col("difference").abs(), descending=True)
    if single.is_empty():
        return "What a better player is worth"
    beyond_luck = single.filter(pl.col("p_adjusted") < SURE)
    if beyond_luck.is_empty():
        return "What a single player is worth to a team is not settled"
    row, label = beyond_luck.row(0, named=True), labels_of(findings).strategy
    text = f"One {label(row['other'])} {_verb(row)} a team of {label(row['one'])} {_wins_of_100(row)}"
    same = pl.col("difference").sign() == pl.lit(row["difference"]).sign()
    if (opposite := beyond_luck.filter(~same, pl.col("one") == row["one"])).is_empty():
        return text
    counterpart = opposite.row(0, named=True)
    size = whole(abs(counterpart["difference"]))
    return f"{text}, one {label(counterpart['other'])} {_verb(counterpart)} {size}"


def _verb(row: Row) -> str:
    return "adds" if row["difference"] >= 0 else "costs"


def _wins_of_100(row: Row) -> str:
    return games_of_100(abs(row["difference"])).replace("game", "win")


def _labelled(findings: Findings, column: str) -> pl.Expr:
    return pl.col(column).map_elements(labels_of(findings).strategy, return_dtype=pl.String)


def _pictures(findings: Findings, rows: pl.DataFrame) -> list[Figure]:
    figures = []
    for part in rows.partition_by("seats", maintain_order=True):
        seats = part["seats"][0]
        line, tick = pl.format("{} in teams of {}", "other", "one"), pl.col("with_it").cast(pl.String)
        parts = {
            "line": line,
            "x": "with_it",
            "tick": tick,
            "style": pl.col("mix"),
            "baseline": pl.lit(False),
        }
        caption = f"Teams of {seats}." if rows["seats"].n_unique() > 1 else ""
        alt = f"Share of teams of {seats} by the number of seats with the second strategy, with 95 % interval"
        chart, chart_options = (f"mixed{seats}", charts.curve), {"unit": "Share of the team", "aim": "target"}
        label = "Seats with the second strategy"
        figures.append(
            figure(findings, chart, part, alt, where(findings, caption), parts, label=label, **chart_options)
        )
    return figures
