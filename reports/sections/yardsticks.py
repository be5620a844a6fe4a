"""The feel of the game, compared with the other games measured."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from simkit.analysis.yardsticks import measured_games
from simkit.reporting.pages import Figure, Findings, Section, Show, Table, charts, figure, here, prose, table
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.phrases import Row
from simkit.reporting.text.yardsticks import MEASURES, heading, yardsticks

INTERVAL, RANGE_OF_OTHERS = ("low", "high"), ("least", "most")
METHOD = prose("""Unusual is what lies, with its whole 95 % interval, clearly beyond every other game. The
    others are the games that come with simkit, with 2 to 4 players, 300 deals each; a dot is
    a game with one number of players.""")


def section(findings: Findings) -> Section | None:
    """Return the comparison, or None if no other game has any of the measures."""
    rows = findings.yardsticks.filter(pl.col("others") > 0).rows(named=True)
    if not rows:
        return None
    text = [yardsticks(findings).text, f"{METHOD} {here(findings)}".strip()]
    return Section(
        heading(findings) + of_first(findings), text, [_picture(findings, rows)], [_numbers(findings, rows)]
    )


def _picture(findings: Findings, rows: list[Row]) -> Figure:
    drawn = pl.DataFrame([dot for row in rows for dot in _dots(findings, row)])
    alt = "This game among the others measured here, a strip for each measure from least to most"
    return figure(findings, ("yardsticks", charts.strips), drawn, alt, "", {"row": pl.col("row")})


def _dots(findings: Findings, row: Row) -> Iterator[dict[str, Any]]:
    measure, name = MEASURES[row["measure"]], row["measure"]
    games = [
        entry for entry in measured_games() if entry["game"] != findings.run.experiment.game and name in entry
    ]
    dots = [(_game_label(entry), entry[name][0], False) for entry in games]
    for game, value, this_game in [*dots, (findings.run.words.title, row["value"], True)]:
        dot = {"value": float(value), "text": measure.formatted(value), "mine": this_game}
        yield {"row": measure.name, "game": game} | dot


def _game_label(entry: dict[str, Any]) -> str:
    return f"{entry['title']}, {entry['seats']} players"


def _numbers(findings: Findings, rows: list[Row]) -> Table:
    lines = []
    for row in rows:
        measure = MEASURES[row["measure"]]
        interval, others = (measure.span(row[low], row[high]) for low, high in (INTERVAL, RANGE_OF_OTHERS))
        this_game = {"name": measure.name, "here": measure.formatted(row["value"])}
        lines.append(this_game | {"sure": interval, "others": others, "games": str(row["others"])})
    heads = {
        "name": "measure",
        "here": "here",
        "sure": "95 % interval",
        "others": "other games",
        "games": "games",
    }
    shows = {name: Show(head, str) for name, head in heads.items()}
    return table(findings, pl.DataFrame(lines), list(heads), "Beside the other games measured here", **shows)
