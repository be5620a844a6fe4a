"""Skill against luck: the wins of a player who errs among players who do not."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis.yardsticks import measured_games
from simkit.reporting.pages import Figure, Findings, Section, charts, figure, prose, table
from simkit.reporting.text.beginners import beginners, short, told_rows, who_plays

WORDS = {
    "Error": "a random one of the possible actions in place of the strategy's own; now and then it is a good "
    "one. People who begin also err in other ways."
}
READING = prose("""In the picture a flat line means luck: errors hardly matter. A steep one means skill. 100 %
    is the share of one who errs no more than the others. Grey: other games, measured in the same way.""")
READING_OF_TEAM = prose("""In the picture a flat line means that the others make up for one player's errors.
    100 % is what a team wins that does not err.""")


def section(findings: Findings) -> Section | None:
    """Return the curve and the table of a player who errs, or None for a run without beginners."""
    rows = told_rows(findings)
    if not rows:
        return None
    heading = short(rows[0], findings.run.team)
    if len(rows) > 1:
        heading += f", with {rows[0]['seats']} players"
    text = [
        " ".join(prose(sentence.text) for sentence in beginners(findings)),
        f"{_reading(findings)} {_players_sentence(findings)}",
    ]
    heads = {"errs": "errs in", "share": "wins", "fair": "without" if findings.run.team else "fair"}
    listed, seats = _in_percent(findings.beginners), "seats" if len(rows) > 1 else ""
    names = f"{seats} errs share low high fair games"
    numbers = table(findings, listed, names, "Wins of a player who errs", **heads)
    return Section(heading[0].upper() + heading[1:], text, [_picture(findings)], [numbers], words=WORDS)


def _reading(findings: Findings) -> str:
    return READING_OF_TEAM if findings.run.team else READING


def _players_sentence(findings: Findings) -> str:
    return f"All play {who_plays(findings)}; one of them, in every seat as often, errs."


def _in_percent(rows: pl.DataFrame) -> pl.DataFrame:
    percent = (100 * pl.col("errs")).round().cast(pl.Int64)
    return rows.with_columns(errs=pl.format("{} %", percent))


def _curves_of_other_games(findings: Findings, seats: int) -> Iterator[pl.DataFrame]:
    """Yield a line for each other game measured, at the number of seats nearest to `seats`."""
    measured = [game for game in measured_games() if "beginner" in game and not findings.run.team]
    others = [game for game in measured if game["game"] != findings.run.experiment.game]
    nearest_first = sorted(others, key=lambda game: abs(game["seats"] - seats))
    for place, game in enumerate({game["game"]: game for game in reversed(nearest_first)}.values()):
        points = [(0.0, 1.0), *((100 * errs, share) for errs, share in game["curve"])]
        name = game["title"] if game["seats"] == seats else f"{game['title']}, {game['seats']} players"
        x, share = zip(*points, strict=True)
        columns = {"line": name, "x": x, "share": share, "low": share, "high": share, "style": -1 - place}
        yield pl.DataFrame(columns)


def _picture(findings: Findings) -> Figure:
    """Return shares relative to play without errors, a line per number of seats, from no errors on."""
    rows = findings.beginners.filter(pl.col("fair") > 0)
    ends = [(pl.col(end) / pl.col("fair")).alias(end) for end in ("share", "low", "high")]
    start = rows.unique("seats", maintain_order=True).with_columns(
        errs=pl.lit(0.0), share=pl.lit(1.0), low=pl.lit(1.0), high=pl.lit(1.0)
    )
    drawn = pl.concat([start, rows.filter(pl.col("errs") > 0).with_columns(ends)])
    name = pl.format("{}, {} players", pl.lit(findings.run.words.title), "seats")
    style = pl.col("seats").rank("dense").cast(pl.Int64) - 1
    drawn = drawn.with_columns(line=name, x=100 * pl.col("errs"), style=style)
    columns = ["line", "x", "share", "low", "high", "style"]
    lines = [drawn.select(columns), *_curves_of_other_games(findings, int(drawn["seats"][0]))]
    drawn = pl.concat(lines, how="vertical_relaxed").with_columns(fair=pl.lit(1.0))
    outcome = "the team wins" if findings.run.team else "it wins"
    chart_options = {
        "label": "Decisions in which one player errs, %",
        "aim": "",
        "unit": "Games won, 100 %: as many as without errors",
    }
    alt = f"How often {outcome} the more one player errs"
    chart = "beginners", charts.curve
    return figure(findings, chart, drawn, alt, "", {"line": pl.col("line"), "x": "x"}, **chart_options)
