"""Sentences about who gains and loses by the order of play, for each number of players."""

from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import rounded
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, ends, headed, listed, number, seat_name, whole
from simkit.reporting.text.verdict_counts import tally
from simkit.stats.verdicts import BORDERLINE, FAIR, FAULTY, UNFAIR

End = tuple[str, str]  # player, and a text on the lineups if it does not hold with all
GAIN = (pl.col("share") - pl.col("fair")).alias("gain")


def size_rows(findings: Findings, setting: str) -> list[Row]:
    """Return for each number of players who gains and loses most over the lineups, and the verdicts."""
    first = findings.first_player_advantage.filter(setting=setting)
    rows = []
    for (size,), part in findings.seat_shares.filter(setting=setting).group_by("seats", maintain_order=True):
        means = part.group_by("seat", maintain_order=True).agg(GAIN.mean()).sort("gain")
        verdicts = first.filter(seats=size)["verdict"].to_list()
        best, worst = (_end_row(part, means.row(place, named=True)) for place in (-1, 0))
        farthest = _farthest_seat(first.filter(seats=size), part) if size != 2 else 0
        gains = part.filter(seat=farthest).select(GAIN)["gain"].to_list()
        row: Row = {"seats": size, "gains": best, "loses": worst, "verdicts": verdicts}
        rows.append(row | {"farthest": farthest, "each": gains, "verdict": _word(findings, verdicts)})
    return sorted(rows, key=lambda row: row["seats"])


def _end_row(shares: pl.DataFrame, mean: Row) -> Row:
    """Add to a seat's mean gain whether its sign is the same with all lineups."""
    gains = shares.filter(seat=mean["seat"]).select(GAIN)["gain"].to_list()
    return mean | {"alike": not _both_ways(min(gains), max(gains))}


def _both_ways(low: float, high: float) -> bool:
    """Return whether gains include both a loss and a gain in whole points."""
    return low < 0 < high and bool(rounded(100 * low)) and bool(rounded(100 * high))


def _farthest_seat(first: pl.DataFrame, shares: pl.DataFrame) -> int:
    """Return the seat farthest from fair with an UNFAIR lineup, or with any lineup if none is UNFAIR."""
    cells = first.filter(verdict=UNFAIR)["cell"].to_list() or first["cell"].to_list()
    distances = shares.filter(pl.col("cell").is_in(cells)).group_by("seat").agg(GAIN.abs().max())
    return int(distances.sort("gain", "seat")["seat"][-1])


def _word(findings: Findings, verdicts: list[str]) -> str:
    return verdicts[0] if len(verdicts) == 1 else tally(verdicts, _alike(findings))


def _alike(findings: Findings) -> str:
    """Return the noun for the lineups of one number of players."""
    strategies = {cell.labels[0] for cell in findings.run.cells}
    return "computer players" if labels_of(findings).all_alike and len(strategies) > 1 else "lineups"


def sizes_answer(findings: Findings, setting: str) -> str:
    """Return `sizes_said`, preceded by its setting where several were played."""
    text = sizes_said(findings, setting)
    if findings.cells["setting"].n_unique() == 1:
        return text
    labels, base = labels_of(findings), findings.cells.filter("baseline")["setting"].to_list()
    at = labels.with_base(labels.at(setting), setting in base)
    return headed(f"{at[:1].upper()}{at[1:]}", f"{text[:1].lower()}{text[1:]}")


def sizes_said(findings: Findings, setting: str) -> str:
    """Return for each number of players who is farthest from fair; sizes that are fair come last."""
    rows = size_rows(findings, setting)
    fair = [row["seats"] for row in rows if set(row["verdicts"]) == {FAIR}]
    unfair = [row for row in rows if UNFAIR in row["verdicts"]]
    undecided = [row["seats"] for row in rows if row["seats"] not in fair and row not in unfair]
    parts = [_in_turn(unfair)] if unfair else []
    if fair:
        only = "only " if unfair and len(fair) == 1 and not undecided else ""
        parts.append(f"fair {only}with {listed(map(str, fair))} players")
    edge = [row["seats"] for row in rows if row["seats"] in undecided and BORDERLINE in row["verdicts"]]
    others = [row for row in rows if row["seats"] in undecided and row["seats"] not in edge]
    faulty = [row["seats"] for row in others if FAULTY in row["verdicts"]]
    unsettled = [seats for seats in undecided if seats not in [*edge, *faulty]]
    parts += [f"borderline with {listed(map(str, edge))} players"] if edge else []
    parts += [f"too many games failed to judge {listed(map(str, faulty))} players"] if faulty else []
    parts += [f"not settled with {listed(map(str, unsettled))} players"] if unsettled else []
    if not unfair and undecided and (farthest := _most(findings, rows, setting)):
        parts.append(f"so far {farthest}")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _in_turn(rows: list[Row]) -> str:
    """Return who is farthest from fair at each size; repeated subjects appear only once.

    >>> _in_turn([{"seats": 2, "farthest": 0, "each": [0.05]}, {"seats": 3, "farthest": 0, "each": [0.01]}])
    'with 2 players the first player gains 5 percentage points, with 3 players 1'
    """
    text, before = "", ""
    for row in rows:
        subject = f"{player_of(row['farthest'], row['seats'])} {_verb(row)}" if _verb(row) else ""
        repeated = subject and subject == before
        text += ", " if repeated else "; " if text else ""
        text += f"with {row['seats']} players {_between(row) if repeated else _farthest(row)}"
        before = subject
    return text


def _most(findings: Findings, rows: list[Row], setting: str) -> str:
    """Return the seat farthest from fair, among the sizes with a seat off fair beyond luck; else ""."""
    cells = findings.seat_shares.filter(setting=setting).partition_by("cell")
    sure = {part["seats"][0] for part in cells if any(_ends_of(findings, part))}
    if not sure:
        return ""
    row = max((row for row in rows if row["seats"] in sure), key=lambda row: max(map(abs, row["each"])))
    return f"with {row['seats']} players {_farthest(row)}"


def _ends_of(findings: Findings, part: pl.DataFrame) -> list[bool]:
    """Return whether a seat wins most, and whether one wins least, beyond luck with one lineup."""
    return [_sure_end(findings, part, most) is not None for most in (True, False)]


def _farthest(row: Row) -> str:
    """Return the gain or loss of the player farthest from fair, as a range over lineups.

    >>> _farthest({"seats": 4, "farthest": 3, "each": [-0.05, -0.031]})
    'the last player loses 3 to 5 percentage points'
    >>> _farthest({"seats": 2, "farthest": 0, "each": [0.05, -0.02]})
    'the first player loses 2 or gains 5 percentage points, by who plays'
    """
    player = f"the {player_of(row['farthest'], row['seats'])}"
    if verb := _verb(row):
        return f"{player} {verb} {_plural(_between(row))}"
    low, high = _points(min(row["each"])), _points(max(row["each"]))
    return f"{player} loses {low} or gains {high} percentage points, by who plays"


def _verb(row: Row) -> str:
    """Return "gains" or "loses" for the player farthest from fair; empty where lineups differ in sign."""
    low, high = min(row["each"]), max(row["each"])
    return "" if _both_ways(low, high) else "gains" if low + high > 0 else "loses"


def _between(row: Row) -> str:
    """Return the range of gains or losses in whole points."""
    gains = sorted(map(abs, row["each"]))
    return ends(_points(gains[0]), _points(gains[-1]))


def _points(gain: float) -> str:
    return whole(abs(gain))


def _plural(text: str) -> str:
    return f"{text} percentage point{'' if text == '1' else 's'}"


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


def other_settings(findings: Findings, setting: str) -> str:
    """Return the answer for the other setting, where two were played."""
    settings = findings.cells["setting"].unique(maintain_order=True).to_list()
    others = [name for name in settings if name != setting]
    if len(others) != 1:
        return ""
    if sizes_said(findings, others[0]) == sizes_said(findings, setting):
        return f"The same holds at {labels_of(findings).at(others[0])}."
    return sizes_answer(findings, others[0])


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
