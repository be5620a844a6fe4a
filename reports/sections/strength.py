"""What the tables of strategies say, in sentences for a designer: each with n and interval, and what it means."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import polars as pl

from simkit import analysis

MATTERS = 0.05  # the least Nash weight of a strategy that a sentence calls needed
Row = dict[str, Any]


class Found(NamedTuple):
    """The tables that the page is made of."""

    ranked: pl.DataFrame
    rated: pl.DataFrame
    pairs: pl.DataFrame
    met: pl.DataFrame
    scape: pl.DataFrame
    circles: pl.DataFrame
    ladders: pl.DataFrame
    ahead: pl.DataFrame
    mirrors: pl.DataFrame

    def at(self, name: str) -> Found:
        """The rows of one setting."""
        return Found(*(part.filter(pl.col("setting") == name) if part.width else part for part in self))


def sentences(here: Found) -> list[tuple[str, str]]:
    """What the tables of one setting say: sentence, and the table of `analysis` that it rests upon."""
    return [
        *((_best(rows), "ranking") for rows in _by_seats(here.ranked)),
        *((_needed(rows, _games(here)), "landscape") for rows in [_known(here.scape)] if rows),
        *((text, "landscape") for text in _superfluous(_known(here.scape), _games(here))),
        *((text, "cycles") for text in _circles(here)),
        *((_ladder(row), "ladder") for row in here.ladders.iter_rows(named=True)),
        *((_luck(row), "favourites") for row in here.ahead.iter_rows(named=True)),
        *((_seat(row), "ratings") for row in _seat_rows(here.rated)),
        *((text, "mirrors") for text in _strength(here.mirrors)),
    ]


def best_by_setting(ranked: pl.DataFrame) -> str:
    """Which strategy is best at each setting, the settings of one strategy together."""
    first = ranked.group_by("setting", "seats", maintain_order=True).first()
    tables = first["seats"].n_unique() > 1
    said: dict[str, list[str]] = {}
    for row in first.iter_rows(named=True):
        said.setdefault(row["strategy"], []).append(
            row["setting"] + (f" with {row['seats']} seats" if tables else "")
        )
    games = f"n = {min(first['games'].to_list()):,} games and more each"
    if len(said) == 1:
        return f"{next(iter(said))} wins most at every setting of the rules ({games}; intervals in the table of the ranking)."
    told = "; ".join(f"{name} at {listed(settings)}" for name, settings in said.items())
    return f"Who wins most depends on the rules: {told} ({games}; intervals in the table of the ranking)."


def _games(here: Found) -> str:
    """How many games the matchups rest on."""
    if here.pairs.is_empty():
        return ""
    games = here.pairs["games"].to_list()
    least, most = min(games), max(games)
    return (
        f"n = {least:,} games per matchup"
        if least == most
        else f"n = {least:,} to {most:,} games per matchup"
    )


def _by_seats(ranked: pl.DataFrame) -> list[list[Row]]:
    return [part.rows(named=True) for part in ranked.partition_by("seats", maintain_order=True)]


def _known(scape: pl.DataFrame) -> list[Row]:
    return scape.filter(pl.col("nash").is_not_null()).rows(named=True)


def _best(rows: list[Row]) -> str:
    """Who wins most, who follows, who is last."""
    best, *rest = rows
    others = "its only opponent" if best["opponents"] == 1 else f"{best['opponents']} opponents"
    table = f" at tables of {best['seats']}" if best["seats"] != 2 else ""
    close = [row["strategy"] for row in rest if row["high"] > best["low"]]
    after = f"; behind it {rest[0]['strategy']} ({percent(rest[0]['share'])})" if rest else ""
    after += f", last {rest[-1]['strategy']} ({percent(rest[-1]['share'])})" if len(rest) > 1 else ""
    doubt = (
        f" Its interval overlaps with that of {listed(close)}: who of them is best is not settled."
        if close
        else ""
    )
    return f"{best['strategy']} does best{table}: it wins {percent(best['share'])} of its games against {others} ({interval(best)}){after}.{doubt}"


def _needed(rows: list[Row], games: str) -> str:
    """The Nash weights and α-rank as a sentence for a designer."""
    needed = [row for row in rows if row["nash"] >= MATTERS]
    number = f"effective number of strategies {rows[0]['effective']:.1f} of {len(rows)}"
    if len(needed) == 1:
        meaning = f"One strategy answers all others: perfect rivals would only ever play {needed[0]['strategy']}, since nothing here beats it"
    else:
        weights = listed(f"{row['strategy']} ({row['nash']:.0%})".replace("%", " %") for row in needed)
        meaning = f"Perfect rivals would mix {weights}, and need nothing else: none of them beats all others beyond noise"
    copied = listed(
        f"{row['strategy']} {100 * row['alpha_rank']:.0f} %" for row in rows if row["alpha_rank"] >= MATTERS
    )
    return f"{meaning} ({number}, {games}). A group that copies whatever wins would play {copied} of the time (α-rank)."


def _superfluous(rows: list[Row], games: str) -> Iterable[str]:
    """Strategies that are never the right choice."""
    never = [row for row in rows if row["strictly"]]
    by = list(dict.fromkeys(row["dominated_by"] for row in never))
    if never:
        are, idea = (
            ("is", "the idea behind it does") if len(never) == 1 else ("are", "the ideas behind them do")
        )
        better = f"{by[0]} does" if len(by) == 1 and " + " not in by[0] else "something else does"
        yield (
            f"{listed(row['strategy'] for row in never)} {are} never the right choice: {better} better against every opponent, beyond noise "
            f"({games}); as played here, {idea} not pay under these rules."
        )


def _circles(here: Found) -> Iterable[str]:
    """Circles, or that the strategies form a ladder."""
    strategies = here.met["strategy"].n_unique() if here.met.width else 0
    for row in here.circles.head(3).iter_rows(named=True):
        shares = (
            f"{percent(row['first_second'])}, {percent(row['second_third'])}, {percent(row['third_first'])}"
        )
        yield (
            f"{row['first']} beats {row['second']}, {row['second']} beats {row['third']}, and {row['third']} beats {row['first']} "
            f"({shares}, {_games(here)}; the weakest link at least {50 + 100 * row['low']:.1f} %): a circle as in rock-paper-scissors, so no choice among them is always right."
        )
    if (
        here.circles.is_empty()
        and strategies > 2
        and not here.scape.is_empty()
        and here.scape["reason"].is_null().all()
    ):
        part = [row["cyclic_part"] for row in _known(here.scape)][:1]
        share = (
            f"; strength alone explains {100 - 100 * part[0]:.0f} % of the differences between matchups"
            if part
            else ""
        )
        yield f"No circle as in rock-paper-scissors was found ({_games(here)}){share}; among pairs that these games do not tell apart there may be one."


def _ladder(row: Row) -> str:
    table = f" at tables of {row['seats']}" if row["seats"] != 2 else ""
    return (
        f"From {row['worst']} up to {row['best']}{table} the ladder has {row['steps']:.1f} steps of 60:40 "
        f"(95 % interval {row['steps_low']:.1f} to {row['steps_high']:.1f}, n = {row['games']:,} games of each); "
        + _rungs(row)
    )


def _rungs(row: Row) -> str:
    """How many strategies stand a whole step apart, with the interval over all of them together."""
    said = (
        f"{row['rungs']} strategies stand a whole step apart"
        if row["rungs"] > 1
        else "no two strategies stand a whole step apart"
    )
    if row["rungs_high"] < 2:
        return f"{said} (nor may they, at 95 %)."
    least = row["rungs_low"] if row["rungs_low"] > 1 else "none"
    return f"{said} (95 % interval {least} to {row['rungs_high']})."


def _luck(row: Row) -> str:
    skill = max(0.0, 100 * (2 * row["share"] - 1))
    return (
        f"Of two of these strategies at one table the stronger finishes ahead in {percent(row['share'])} of the games ({interval(row)}; 50 % would "
        f"be luck alone, 100 % skill alone): as if skill decided {skill:.0f} games of 100 and a coin the others."
    )


def _seat_rows(rated: pl.DataFrame) -> list[Row]:
    return rated.filter(
        (pl.col("kind") == "seat") & (pl.col("name") != "seat 0") & pl.col("elo").is_not_null()
    ).rows(named=True)


def _seat(row: Row) -> str:
    """What a seat is worth, in Elo and between equals."""
    ends = [analysis.share_of(row[end]) for end in ("elo", "low", "high")]
    noise = " This may be noise." if row["low"] < 0 < row["high"] else ""
    return (
        f"{analysis.seats_named(row['name'].capitalize())} is worth {row['elo']:+.0f} Elo against the first".replace(
            "-", "−"
        )
        + f" on average over these pairings, if a seat is worth the same to all (a model): of two equals {analysis.seats_named(row['name'])} would be ahead in {percent(ends[0])} of the games "
        f"(95 % interval {100 * ends[1]:.1f} to {100 * ends[2]:.1f} %, n = {row['games']:,} games).{noise}"
    )


def _strength(mirrors: pl.DataFrame) -> Iterable[str]:
    """The first seat of the strongest against that of the weakest mirror."""
    for part in mirrors.filter(pl.col("elo").is_not_null()).partition_by("seats", maintain_order=True):
        if part.height > 1:
            best, worst = part.row(0, named=True), part.row(-1, named=True)
            apart = best["low"] > worst["high"] or best["high"] < worst["low"]
            so = "the seats depend on how well one plays" if apart else "no difference beyond noise"
            yield (
                f"Where all play alike the first seat wins {percent(best['share'])} with the strongest, {best['strategy']} ({interval(best)}), and "
                f"{percent(worst['share'])} with the weakest, {worst['strategy']} ({interval(worst)}): {so}."
            )


def interval(row: Row) -> str:
    return f"95 % interval {100 * row['low']:.1f} to {100 * row['high']:.1f} %, n = {row['games']:,} games"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def listed(names: Iterable[str]) -> str:
    """Names in a row: a, b and c."""
    *front, last = names
    return f"{', '.join(front)} and {last}" if front else last
