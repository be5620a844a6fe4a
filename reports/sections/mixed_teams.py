"""What a strategy is worth to its team: how often the team wins by the number of seats that play it."""

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
    rows = findings.mixed_teams
    if not rows.width:
        return None
    heads = {"one": "first strategy", "other": "second strategy", "with_it": "seats with the second"}
    heads |= {"share": "team wins"}
    names = "where one other with_it share low high difference difference_low difference_high p_adjusted n"
    called = rows.with_columns(_called(findings, "one"), _called(findings, "other"))
    listed = table(findings, called, names, "Seat by seat", **heads)
    here = at_setting(findings, rows)
    said = [
        prose(one.text) for one in team_strength(findings, here["setting"][0]) if one.rests == "mixed_teams"
    ]
    return Section(
        _heading(findings, here), [*said, TEXT], _pictures(findings, at_setting(findings, called)), [listed]
    )


def _heading(findings: Findings, rows: pl.DataFrame) -> str:
    """What the first seat of another strategy is worth, where it matters most beyond luck, up and down."""
    one = rows.filter(pl.col("with_it") == 1).sort(pl.col("difference").abs(), descending=True)
    if one.is_empty():
        return "What a better player is worth"
    first = one.filter(pl.col("p_adjusted") < SURE)
    if first.is_empty():
        return "No single player changes how often a team wins beyond luck"
    row, called = first.row(0, named=True), labels_of(findings).strategy
    text = f"One {called(row['other'])} {_moves(row)} a team of {called(row['one'])} {_wins(row)}"
    same = pl.col("difference").sign() == pl.lit(row["difference"]).sign()
    if (rest := first.filter(~same, one=row["one"])).is_empty():
        return text
    against = rest.row(0, named=True)
    size = whole(abs(against["difference"]))
    return f"{text}, one {called(against['other'])} {_moves(against)} {size}"


def _moves(row: Row) -> str:
    return "adds" if row["difference"] >= 0 else "costs"


def _wins(row: Row) -> str:
    return games_of_100(abs(row["difference"])).replace("game", "win")


def _called(findings: Findings, column: str) -> pl.Expr:
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
        about = f"Teams of {seats}." if rows["seats"].n_unique() > 1 else ""
        alt = f"Share of teams of {seats} by the number of seats with the second strategy, with 95 % interval"
        chart, how = (f"mixed{seats}", charts.curve), {"unit": "Share of the team", "aim": "target"}
        label = "Seats with the second strategy"
        figures.append(figure(findings, chart, part, alt, where(findings, about), parts, label=label, **how))
    return figures
