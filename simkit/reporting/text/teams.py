"""Sentences about the tables of teams."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import counted
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import (
    Row,
    Sentence,
    deal_interval,
    games_of_100,
    in_words,
    listed,
    number,
    percent,
    span,
    whole,
)

MAX_STRATEGIES_NAMED = 4  # strategies named in a sentence


def team_strength(findings: Findings, setting: str) -> Iterator[Sentence]:
    """Yield the best team's strategy at a setting, and the worth of one of its players to others."""
    for name, summarize in {"team_strategies": _best, "mixed_teams": _worth}.items():
        table: pl.DataFrame = getattr(findings, name)
        at_setting = table.filter(setting=setting) if table.width else table
        key = "seats" if name == "team_strategies" else "mix"
        for part in at_setting.partition_by(key, maintain_order=True) if at_setting.width else ():
            yield Sentence(summarize(findings, part.rows(named=True)), name)


def team_sureness(findings: Findings) -> Iterator[Sentence]:
    """Yield a note on certainty: programs, number of games, width of intervals."""
    for name in ("team_strategies", "mixed_teams"):
        table: pl.DataFrame = getattr(findings, name)
        if table.width and table.height:
            half = max((row["high"] - row["low"]) / 2 for row in table.rows(named=True))
            games = f"n = {counted(min(table['games']), 'game')} each"
            yield Sentence(f"programs, not people; ±{whole(half)} games of 100 ({games})", name)
            return


def strongest_team(findings: Findings, rows: pl.DataFrame) -> str:
    """Return a heading on the strongest (else weakest) team that differs from the first one beyond luck."""
    real = rows.filter(pl.col("p_adjusted") < SURE).sort("difference", descending=True, maintain_order=True)
    called = labels_of(findings).strategy
    if real.is_empty():
        first = rows.filter(pl.col("against").is_null())["strategy"]
        others = f"than one of {called(first[0])}" if first.n_unique() == 1 else "than the one listed first"
        return f"Whether a team is stronger or weaker {others} is not settled"
    helps = real["difference"][0] > 0
    row = real.row(0 if helps else -1, named=True)
    games = games_of_100(abs(row["difference"]))
    size = f" of {row['seats']}" if rows["seats"].n_unique() > 1 else ""
    than = f"{'more' if helps else 'less'} than one of {called(row['against'])}"
    return f"A team{size} of {called(row['strategy'])} wins {games} {than}"


def _best(findings: Findings, rows: list[Row]) -> str:
    """Return the best team and those as good; `rows`: the best first.

    Example: `Best team of 3: selective wins 72 games of 100; courier may be as good.`
    """
    called, best = labels_of(findings).strategy, rows[0]
    won = games_of_100(best["share"])
    text = f"Best team of {best['seats']}: {called(best['strategy'])} wins {won}"
    near = [row for row in rows[1:] if row["high"] > best["low"]]
    close = [called(row["strategy"]) for row in near if not _differs(best, row)]
    if not close:
        return f"{text}."
    names = listed(close) if len(close) <= MAX_STRATEGIES_NAMED else f"{in_words(len(close))} others"
    return f"{text}; {names} may be as good."


def _differs(first: Row, second: Row) -> bool:
    """Return whether one of two strategies is compared with the other by deal and differs beyond luck."""
    for row, base in ((first, second), (second, first)):
        if row["against"] == base["strategy"]:
            return bool(row["p_adjusted"] < SURE)
    return False


def _worth(findings: Findings, rows: list[Row]) -> str:
    """Return the worth of one more seat of a strategy to a team of another.

    Example: `The first brinkman is worth +5.1 percentage points (...) to a team of 3 of reference player`.
    """
    called, (without, first, *_), last = labels_of(findings).strategy, rows, rows[-1]
    majority, newcomer = called(first["one"]), called(first["other"])
    seats = first["with_it"] - without["with_it"]
    subject = f"{counted(seats, 'seat')} more of {newcomer} {'is' if seats == 1 else 'are'}"
    if without["with_it"] == 0:
        subject = f"The first {newcomer} is" if seats == 1 else f"The first {seats} seats of {newcomer} are"
    text = f"{subject} worth {_points(first)} to a team of {first['seats']} of {majority}, which then wins"
    text += f" {percent(first['share'])} ({deal_interval(first)})"
    if len(rows) > 2 and last["difference"] is not None:
        seats = last["with_it"] - rows[-2]["with_it"]
        text += f"; the last{'' if seats == 1 else f' {seats}'} to come {_points(last)}"
    return f"{text}."


def _points(row: Row) -> str:
    """Return a difference, `+18.4 percentage points (+16.8 to +19.9)`, and whether it may be luck."""
    value, ends = 100 * row["difference"], (row["difference_low"], row["difference_high"])
    doubt = ", which may be luck" if row["p_adjusted"] >= SURE else ""
    return f"{number(value, sign=True)} percentage points ({span(*ends, sign=True, scale=100)}){doubt}"
