"""Sentences about who gains and loses by the order of play, for each number of players."""

from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import rounded
from simkit.reporting.text.answer import headline
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import players
from simkit.reporting.text.phrases import Row, listed, number, seat_name
from simkit.reporting.text.verdict_counts import tally

End = tuple[str, str]  # player, and a text on the lineups if it does not hold with all
GAIN = (pl.col("share") - pl.col("fair")).alias("gain")


def size_rows(findings: Findings, setting: str) -> list[Row]:
    """Return for each number of players who gains and loses most over the lineups, and the verdict."""
    rows = list[Row]()
    for seats, part in findings.by_size():
        shares = part.seat_shares.filter(setting=setting)
        verdicts = part.first_player_advantage.filter(setting=setting)["verdict"].to_list()
        means = shares.group_by("seat", maintain_order=True).agg(GAIN.mean()).sort("gain")
        best, worst = (_end_row(shares, means.row(place, named=True)) for place in (-1, 0))
        rows.append(
            {"seats": seats, "gains": best, "loses": worst, "verdict": tally(verdicts, players(part))}
        )
    return rows


def _end_row(shares: pl.DataFrame, mean: Row) -> Row:
    """Add to a seat's mean gain whether its sign is the same with all lineups."""
    gains = shares.filter(seat=mean["seat"]).select(GAIN)["gain"].to_list()
    low, high = min(gains), max(gains)
    both_ways = low < 0 < high and bool(rounded(100 * low)) and bool(rounded(100 * high))
    return mean | {"alike": not both_ways}


def player_of(seat: int, seats: int) -> str:
    """Return the name of a seat; the last of three and more is the "last player".

    >>> player_of(1, 2), player_of(3, 4)
    ('second player', 'last player')
    """
    return "last player" if seats > 2 and seat == seats - 1 else seat_name(seat)


def gain_words(mean: Any, seats: int) -> str:
    """Return a player with the percentage points above or below fair, unless lineups differ in the sign.

    >>> one = {"seat": 0, "gain": 0.047, "alike": True}
    >>> gain_words(one, 2), gain_words(one | {"alike": False}, 2)
    ('first player +4.7', 'depends on who plays')
    """
    if not mean["alike"]:
        return "depends on who plays"
    return f"{player_of(mean['seat'], seats)} {number(100 * mean['gain'], sign=True)}"


def other_setting(findings: Findings, setting: str) -> str:
    """Return the answer for the other setting, where two were played."""
    settings = findings.cells["setting"].unique(maintain_order=True).to_list()
    others = [name for name in settings if name != setting]
    if len(others) != 1:
        return ""
    return headline(findings.only(findings.cells.filter(setting=others[0])["cell"].to_list()))


def who_wins_most(findings: Findings, setting: str) -> str:
    """Return who wins most and least at a setting beyond luck, for each number of players."""
    shares = findings.seat_shares.filter(setting=setting)
    ends = {
        seats: [_end(findings, part, seats, most) for most in (True, False)]
        for (seats,), part in shares.group_by("seats", maintain_order=True)
    }
    if len(ends) == 1:
        ((most, least),) = ends.values()
        return _heading(_both(most, least))
    sizes: dict[End, list[str]] = {}
    for seats, (most, _) in sorted(ends.items()):
        if most[0]:
            sizes.setdefault(most, []).append(str(seats))
    texts = [
        f"{player} wins most with {listed(names)} players{where}" for (player, where), names in sizes.items()
    ]
    if not any(where for _, where in sizes):
        others = list(sizes.items())[1:]
        texts[1:] = [
            f"{player.removesuffix(' player')} with {listed(names)}" for (player, _), names in others
        ]
    return _heading(", ".join(texts))


def _both(most: End, least: End) -> str:
    """Return who wins most and who least at tables of one size."""
    if most[0] and least[0] and most[1] == least[1]:
        return f"{most[0]} wins most, {least[0].removesuffix(' player')} least{most[1]}"
    ends = {"most": most, "least": least}
    return ", ".join(f"{player} wins {kind}{where}" for kind, (player, where) in ends.items() if player)


def _heading(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" if text else "Who wins most is not settled"


def _end(findings: Findings, part: pl.DataFrame, seats: int, most: bool) -> End:
    """Return who wins most (or least) at tables of a size beyond luck, and with which lineups if not all."""
    cells = part.partition_by("cell", maintain_order=True)
    tops = {rows["cell"][0]: _alone(findings, rows, most) for rows in cells}
    sure = sorted({seat for seat in tops.values() if seat is not None})
    if not sure:
        return "", ""
    if len(sure) > 1:
        return "who", " depends on who plays"
    player = f"the {player_of(sure[0], seats)}"
    agreeing = [cell for cell, seat in tops.items() if seat is not None]
    if len(agreeing) == len(tops):
        return player, ""
    if len(agreeing) > 1:
        return player, f" with {len(agreeing)} of {len(tops)} lineups"
    called = labels_of(findings).of_column("lineup") or str
    return player, f" {labels_of(findings).when(called(part.filter(cell=agreeing[0])['lineup'][0]))}"


def _alone(findings: Findings, rows: pl.DataFrame, most: bool) -> int | None:
    """Return the seat that wins most (or least) with one lineup, if its interval excludes all others'."""
    seat = _sure_end(findings, rows, most)
    rest = rows.filter(pl.col("seat") != (-1 if seat is None else seat))
    if seat is None or rest.is_empty():
        return seat
    end = rows.row(by_predicate=pl.col("seat") == seat, named=True)
    above = end["joint_low"] > max(rest["joint_high"])
    return seat if (above if most else end["joint_high"] < min(rest["joint_low"])) else None


def _sure_end(findings: Findings, rows: pl.DataFrame, most: bool) -> int | None:
    """Return the seat that wins most (or least) with one lineup, if it is off its fair share beyond luck."""
    luck = findings.seat_spread.filter(cell=rows["cell"][0])["p_adjusted"][0]
    row = rows.sort("share", "seat", descending=[most, False]).row(0, named=True)
    beyond = row["joint_low"] > row["fair"] if most else row["joint_high"] < row["fair"]
    return int(row["seat"]) if beyond and (luck is None or luck < SURE) else None
