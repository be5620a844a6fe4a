"""Games that people played: a sheet with a row per game becomes a table attached to a run."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from simkit.engine.game import Game
from simkit.engine.sheet_files import SheetRow, quote_cell, read
from simkit.errors import UsageError, suggestion
from simkit.formatting import counted

# Words for the winner of a competitive game and of a team; the names of a row's players come before them.
SHARED, NOBODY = {"all", "draw", "tie", "tied"}, {"nobody", "none"}
WON, LOST = {"all", "team", "won", "yes"}, {"nobody", "none", "lost", "no"}
SEATS = "name a seat by its number or its player's name, several joined by '&', or write draw or nobody"
TOTALS = re.compile(r"(grand |sub-?)?(totals?|sums?|averages?|means?|medians?)\b", re.IGNORECASE)
MOST = 10**8  # of any number in a sheet
KINDS = {"share": pl.Float64} | dict.fromkeys(("score", "turns", "minutes"), pl.Int64)


def columns_of(game: Game) -> list[str]:
    """Return the columns that a sheet of playtests may have."""
    by_seat = [f"{name}_{seat + 1}" for name in ("seat", "score") for seat in range(game.seats[1])]
    return ["date", "players", *by_seat, "winner", "turns", "minutes", *(part.name for part in game.options)]


def read_games(game: Game, path: Path, options: Mapping[str, Any], seats: int) -> tuple[pl.DataFrame, str]:
    """Return a row per game and seat, and a note on columns; `options` and `seats` fill empty cells."""
    columns = columns_of(game)
    game.resolve(options)  # refuses a mistake in them, which is none in the sheet
    sheet = read(path, columns, ",".join(columns))
    totals = {row.number: label for row in sheet.rows if (label := _label_of_total(row))}
    played = [row for row in sheet.rows if row.number not in totals]
    games = enumerate(_seats(game, row, options, seats) for row in played)
    rows = [{"play": number} | seat for number, game_seats in games for seat in game_seats]
    ignored = [f"column {n} is not used{suggestion(n, columns)}" for n in sheet.columns if n not in columns]
    ignored += [f"row {n} ('{quote_cell(t)}') is left out, as it is not a game" for n, t in totals.items()]
    note = "; ".join([counted(len(played), "game"), *ignored])
    if all(row["share"] is row["score"] is row["turns"] is None for row in rows):
        raise UsageError(f"{sheet.place}: no game has winner, score_1, score_2, … or turns; {note}")
    return pl.DataFrame(rows, schema_overrides=KINDS, infer_schema_length=None), sheet.summarize(note)


def _setting(game: Game, row: SheetRow, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that have a column."""
    names = [option.name for option in game.options if option.name in row.cells]
    try:
        values = game.resolve({**options, **{name: row[name] for name in names if row[name]}})
    except UsageError as error:
        raise UsageError(f"{row.place}: {error}") from None
    return {name: values[name] for name in names}


def _seats(game: Game, row: SheetRow, options: Mapping[str, Any], usual: int) -> Iterator[dict[str, Any]]:
    """Yield what is noted of each seat of a game, and of the game."""
    filled = [n for n in range(1, game.seats[1] + 1) if row[f"seat_{n}"] or row[f"score_{n}"]]
    least = max([game.seats[0], *filled])
    seats = row.integer("players", least, game.seats[1]) if row["players"] else least if filled else usual
    front = {"row": row.number, "date": row["date"], "seats": seats} | _setting(game, row, options)
    front |= {name: row.integer(name, 1, MOST) if row[name] else None for name in ("turns", "minutes")}
    for seat, share in enumerate(_shares(game, row, [row[f"seat_{n + 1}"] for n in range(seats)])):
        score = row.integer(f"score_{seat + 1}", -MOST, MOST) if row[f"score_{seat + 1}"] else None
        yield front | {"seat": seat, "name": row[f"seat_{seat + 1}"], "share": share, "score": score}


def _label_of_total(row: SheetRow) -> str:
    """Return the first text in a row of totals or means; empty if the row is a game."""
    first = next(filter(None, row.cells.values()), "")
    return "" if row["winner"] or not TOTALS.match(first) else first


def _shares(game: Game, row: SheetRow, names: list[str]) -> list[float | None]:
    """Return the share of the win by seat; None where no winner is noted."""
    if not row["winner"]:
        return [None] * len(names)
    winners = _winners(game, row, [_plain(name) for name in names])
    if game.team and 0 < len(winners) < len(names):
        raise row.fault("winner", "the players of this game win together", "write won or lost")
    part = 1.0 if game.team else 1 / max(1, len(winners))
    return [part * (seat in winners) for seat in range(len(names))]


def _winners(game: Game, row: SheetRow, names: list[str]) -> set[int]:
    """Return the seats that won: a name of the row comes before a word, and both before a list."""
    text, winners = _plain(row["winner"]), set[int]()
    everybody, nobody = (WON, LOST) if game.team else (SHARED, NOBODY)
    if text not in names and text in everybody | nobody:
        return set(range(len(names)) if text in everybody else ())
    for word in [text] if text in names else re.split(r"\s*(?:[/&+,;]| and )\s*", text):
        numbered = [n for n in range(len(names)) if word in (f"{n + 1}", f"seat {n + 1}")]
        called = [n for n, name in enumerate(names) if name == word] or numbered
        if len(called) != 1 or called[0] in winners:
            wrong = "is there twice" if len(called) == 1 else f"names {len(called)} seats"
            cure = "write won or lost" if game.team else SEATS
            raise row.fault("winner", f"'{quote_cell(word)}' {wrong}", cure)
        winners.update(called)
    return winners


def _plain(text: str) -> str:
    """Return a name or word without regard to capitals and to how accents are stored."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())
