"""Who gains and who loses by the order of play, for each number of players, in sentences."""

from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.stats.verdicts import BORDERLINE, FAIR, FAULTY, UNFAIR
from simkit.wording import rounded
from simkit.words.answer import tally
from simkit.words.labels import labels_of
from simkit.words.phrases import Row, ends, headed, listed, number, seat_name, whole

GAIN = (pl.col("share") - pl.col("fair")).alias("gain")


def size_rows(found: Findings, setting: str) -> list[Row]:
    """Per number of players at a setting, over its lineups: who gains and loses most, and the verdicts."""
    first = found.first_player_advantage.filter(setting=setting)
    rows = []
    for (size,), part in found.seat_shares.filter(setting=setting).group_by("seats", maintain_order=True):
        means = part.group_by("seat", maintain_order=True).agg(GAIN.mean()).sort("gain")
        verdicts = first.filter(seats=size)["verdict"].to_list()
        best, worst = means.row(-1, named=True), means.row(0, named=True)
        farthest = max((worst, best), key=lambda one: abs(one["gain"]))["seat"] if size != 2 else 0
        gains = part.filter(seat=farthest).select(GAIN)["gain"].to_list()
        known: Row = {"seats": size, "gains": best, "loses": worst, "verdicts": verdicts}
        rows.append(known | {"farthest": farthest, "each": gains, "verdict": _word(found, verdicts)})
    return sorted(rows, key=lambda row: row["seats"])


def _word(found: Findings, verdicts: list[str]) -> str:
    return verdicts[0] if len(verdicts) == 1 else tally(verdicts, _alike(found))


def _alike(found: Findings) -> str:
    """What the lineups of one number of players are called."""
    strategies = {cell.labels[0] for cell in found.run.cells}
    return "computer players" if labels_of(found).all_alike and len(strategies) > 1 else "line-ups"


def sizes_said(found: Findings, setting: str) -> str:
    """For every number of players who is farthest from fair; those at which it is fair come last."""
    rows = size_rows(found, setting)
    fair = [row["seats"] for row in rows if set(row["verdicts"]) == {FAIR}]
    bad = [row for row in rows if UNFAIR in row["verdicts"]]
    rest = [row["seats"] for row in rows if row["seats"] not in fair and row not in bad]
    said = [f"with {row['seats']} players {_farthest(row)}" for row in bad]
    if fair:
        only = "only " if bad and len(fair) == 1 and not rest else ""
        said.append(f"fair {only}with {listed(map(str, fair))} players")
    edge = [row["seats"] for row in rows if row["seats"] in rest and BORDERLINE in row["verdicts"]]
    others = [row for row in rows if row["seats"] in rest and row["seats"] not in edge]
    faulty = [row["seats"] for row in others if FAULTY in row["verdicts"]]
    few = [seats for seats in rest if seats not in [*edge, *faulty]]
    said += [f"borderline with {listed(map(str, edge))} players"] if edge else []
    said += [f"too many games failed to judge {listed(map(str, faulty))} players"] if faulty else []
    said += [f"too few games to judge {listed(map(str, few))} players"] if few else []
    if not bad and rest:
        said.append(f"so far {_most(rows)}")
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}."


def _most(rows: list[Row]) -> str:
    """Of all numbers of players who is farthest from fair."""
    row = max(rows, key=lambda one: max(abs(one["gains"]["gain"]), abs(one["loses"]["gain"])))
    return f"with {row['seats']} players {_farthest(row)}"


def _farthest(row: Row) -> str:
    """What the player gains or loses who is farthest from fair, from lineup to lineup.

    >>> _farthest({"seats": 4, "farthest": 3, "each": [-0.05, -0.031]})
    'the last player loses 3 to 5 percentage points'
    >>> _farthest({"seats": 2, "farthest": 0, "each": [0.05, -0.02]})
    'the first player loses 2 or gains 5 percentage points, by who plays'
    """
    who = f"the {player_of(row['farthest'], row['seats'])}"
    low, high = min(row["each"]), max(row["each"])
    if low < 0 < high and rounded(100 * low) and rounded(100 * high):
        return f"{who} loses {_points(low)} or gains {_points(high)} percentage points, by who plays"
    verb = "gains" if low + high > 0 else "loses"
    least, most = sorted((abs(low), abs(high)))
    return f"{who} {verb} {_plural(ends(_points(least), _points(most)))}"


def _points(gain: float) -> str:
    return whole(abs(gain))


def _plural(text: str) -> str:
    return f"{text} percentage point{'' if text == '1' else 's'}"


def player_of(seat: int, seats: int) -> str:
    """The last of three and more is called so.

    >>> player_of(1, 2), player_of(3, 4)
    ('second player', 'last player')
    """
    return "last player" if seats > 2 and seat == seats - 1 else seat_name(seat)


def gain_words(one: Any, seats: int) -> str:
    """Who, and how many points above or below fair."""
    return f"{player_of(one['seat'], seats)} {number(100 * one['gain'], sign=True)}"


def other_settings(found: Findings, setting: str) -> str:
    """The same of the other setting, where two were played."""
    settings = found.cells["setting"].unique(maintain_order=True).to_list()
    others = [one for one in settings if one != setting]
    if len(others) != 1:
        return ""
    said = sizes_said(found, others[0])
    at = labels_of(found).at(others[0])
    return headed(f"{at[:1].upper()}{at[1:]}", f"{said[:1].lower()}{said[1:]}")


def who_wins_most(found: Findings, setting: str) -> str:
    """Who wins most and least at a setting, for each number of players; nobody where it may be luck."""
    ends = {
        seats: _most_and_least(part, seats)
        for (seats,), part in found.seat_shares.filter(setting=setting).group_by("seats", maintain_order=True)
    }
    if len(ends) == 1:
        ((most, least),) = ends.values()
        texts = [f"{who} wins {how}" for who, how in ((most, "most"), (least, "least")) if who]
        both = f"{most} wins most, {least.removesuffix(' player')} least"
        return _heading(both if len(texts) == 2 else "".join(texts))
    sizes: dict[str, list[str]] = {}
    for seats, (most, _) in sorted(ends.items()):
        if most:
            sizes.setdefault(most, []).append(str(seats))
    first, *others = [(who, listed(some)) for who, some in sizes.items()] or [("", "")]
    said = [f"{first[0]} wins most with {first[1]} players" if first[0] else ""]
    said += [f"{who.removesuffix(' player')} with {some}" for who, some in others]
    return _heading(", ".join(said))


def _heading(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" if text else "No player wins more than others beyond luck"


def _most_and_least(part: pl.DataFrame, seats: int) -> tuple[str, str]:
    """Who gains and who loses most over the lineups, beyond luck in one of them and in none the other way."""
    above, below = (pl.col("joint_low") > pl.col("fair")), (pl.col("joint_high") < pl.col("fair"))
    rows = part.group_by("seat").agg(GAIN.mean(), above=above.any(), below=below.any()).sort("gain", "seat")
    best, worst = rows.row(-1, named=True), rows.row(0, named=True)
    most = f"the {player_of(best['seat'], seats)}" if best["above"] and not best["below"] else ""
    least = f"the {player_of(worst['seat'], seats)}" if worst["below"] and not worst["above"] else ""
    return most, least
