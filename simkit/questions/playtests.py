"""Questions: Compare games that people played with simulated ones.

The function, the sheet that it reads, and the tables that compare people with players.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Unpack

import numpy as np
import polars as pl

from simkit.ask.arguments import Common, Lineup, Location, Shell, Word
from simkit.ask.execution import Execution, carry_out
from simkit.ask.question import question
from simkit.ask.requests import ask
from simkit.ask.results import Result, record
from simkit.ask.study import tied_sweep
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import parse_lineup
from simkit.engine.sheet_files import SheetRow, quote_cell, read
from simkit.errors import UsageError, suggestion
from simkit.formatting import counted
from simkit.page.words.numbers import join_names
from simkit.runs.experiment import Deals
from simkit.runs.folder import PLAYTESTS
from simkit.runs.plan import Cell
from simkit.runs.storage import checksums
from simkit.runs.storage.downloads import local_copy
from simkit.stats.bounded import mean_interval
from simkit.stats.comparisons import interval_p_value
from simkit.stats.deals import Share, difference_of_shares
from simkit.stats.planning import deals_for_width, deals_needed
from simkit.stats.playtests import ERROR, fits
from simkit.stats.quantiles import Floats
from simkit.tables.findings import Findings, finding
from simkit.tables.players import by_table
from simkit.tables.reading import reals, text_columns, whole

MOST_ROWS = 10  # rows of a sheet that one warning names


@question()
def playtests(
    execution: Execution,
    game: Word,
    file: Annotated[Location, Shell(positional=True, default="")],
    strategies: Annotated[Lineup, Shell(metavar="A,B,...")] = "",
    *,
    deals: Deals = 2_000,
    **keywords: Unpack[Common],
) -> Result:
    """Compare games that people played with simulated ones.

    You get the simulated players that fit, the share of each seat, and how many more games would tell more.
    `file` is a sheet (CSV, TSV or XLSX) with a row for each game; without it the command prints its possible
    columns.

    Args:
        game: Name of the game.
        file: Path or address of a sheet, a row per game. Columns, as far as you have them: date, players,
            seat_1, … (names), score_1, …, winner, turns, minutes, and options of the game.
        strategies: Simulated players, each in all seats; by default all of the game that do not search.
        deals: Simulated games of each player and setting.
        options: Values of rule options where a cell of the sheet is empty, or has no column for them.

    Returns:
        The findings: `result.playtests` (people's games), `playtest_seats` and `playtest_fits`.

    Example:
        >>> playtests("pig", "nowhere.csv")
        Traceback (most recent call last):
        simkit.errors.UsageError: nowhere.csv: no such file; name a sheet (.csv, .tsv or .xlsx)

    Command line::

        simkit playtests pig > table.csv
    """
    definition, given = registry.game(game), {**keywords.get("options", {})}
    refuse_sides(definition)
    sheet = Path(local_copy(str(file)))
    people, note = read_games(definition, sheet, given, given.pop("players", definition.default_seats))
    execution.say(f"{sheet}: {note}")
    names = [*map(str, parse_lineup(str(strategies) or ",".join(registry.scripted(definition))))]
    varied = [option.name for option in definition.options if option.name in people.columns]
    settings = people.select(varied).unique(maintain_order=True).rows()
    keys = {**keywords, "deals": deals, "confirm": False, "report": "playtests"}
    keys |= {"lineups": [[name] * seats for seats in sorted({*people["seats"]}) for name in names]}
    keys |= {"options": {name: value for name, value in given.items() if name not in varied}}
    keys |= {"sweep": tied_sweep(varied, settings) if varied else {}}
    run = carry_out(execution, ask(game, f"Who plays {definition.title} as people do?", keys))
    checksums.attach(run.folder, PLAYTESTS, people, sheet=sheet.name, sha256=checksums.digest(sheet))
    result = record(Result(run))
    if rows := contradictory_rows(result):
        places = f"{'rows' if rows[1:] else 'row'} {join_names(map(str, rows), most=MOST_ROWS)}"
        execution.say(f"{sheet}, {places}: the winner has a worse score than another player")
    return result


# The sheet: a row per game, which becomes a table attached to the run.

# Words for the winner of a competitive game and of a team; the names of a row's players come before them.
SHARED, NOBODY = {"all", "draw", "tie", "tied"}, {"nobody", "none"}
WON, LOST = {"all", "team", "won", "yes"}, {"nobody", "none", "lost", "no"}
SEATS = "name a seat by its number or its player's name, several joined by '&', or write draw or nobody"
TOTALS = re.compile(r"(grand |sub-?)?(totals?|sums?|averages?|means?|medians?)\b", re.IGNORECASE)
MOST = 10**8  # of any number in a sheet
KINDS = {"share": pl.Float64} | dict.fromkeys(("score", "turns", "minutes"), pl.Int64)


def refuse_sides(game: Game) -> None:
    """Raise UsageError for a game between two sides: a sheet has no column for them."""
    if game.rival_sides:
        raise UsageError(f"{game.name} has two sides, and a sheet does not say who was on which")


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


# Tables: games of people beside those of simulated players at the same settings.

NARROW = 0.1  # half the width of an interval that tells something about people's share
MAX_GAMES = 10_000  # simulated games of a player that are compared
SEAT_SCHEMA = (
    whole("cell", "seat", "games") | reals("share", "low", "high", "simulated", "p") | whole("more_games")
)
RESULTS = ("winner", "highest", "gap", "length")
FITS = text_columns("strategy") | reals(*RESULTS, "p") | {"possible": pl.Boolean} | whole("more_games")
# Cells with one setting and number of players; the games of people and of each cell: [game, seat, (share,
# score, turns, play)], nan where people noted nothing.
PlaytestGroup = tuple[list[Cell], Floats, list[Floats]]


@finding
def playtests_table(findings: Findings) -> pl.DataFrame:
    """Per game that people played and seat: what their sheet says. Null: not noted."""
    folder = findings.run.folder
    return (
        pl.read_parquet(folder / PLAYTESTS, glob=False)
        if checksums.valid_files(folder, [PLAYTESTS])
        else pl.DataFrame()
    )


@finding
def playtest_seats(findings: Findings) -> pl.DataFrame:
    """Per cell and seat (of a team: the first): people's share of the win at its setting, and simulated.

    games: of people, with a winner; low, high: 95 % interval of a mean of values from 0 to 1
    (`simkit.stats.bounded`; Clopper and Pearson's where no win is shared); simulated: share in the cell; p:
    of the difference in this seat alone; more_games: that would narrow the interval to about ± 10 points.
    """
    groups = findings.cached(_playtest_groups)
    rows = [row for group in groups for place in range(len(group[0])) for row in seat_rows(group, place)]
    return findings.with_cells(pl.DataFrame(rows, SEAT_SCHEMA, orient="row")) if rows else pl.DataFrame()


@finding
def playtest_fits(findings: Findings) -> pl.DataFrame:
    """Per simulated player: how well it predicts the games of people, the best first.

    winner, highest, gap, length: mean log-loss of who wins, of the highest score, of its distance from the
    lowest and of the turns (null: not noted); p: of the test that people play like this player
    (`simkit.stats.playtests`); possible: p > 0.05, as is the right player in at least 95 % of cases;
    more_games: that would tell a possible player from the best with a chance of 80 %.
    """
    if not (groups := findings.cached(_playtest_groups)):
        return pl.DataFrame()
    result = fits([results_of(group) for group in groups])
    n, rows = sum(len(people) for _, people, _ in groups), list[tuple[Any, ...]]()
    for place in result.order:
        p, lead, more = result.p[place], result.leads[:, place] / n, None
        if p > ERROR and lead.mean() > 1e-4 * max(1, lead.std()):  # others never differ enough
            more = max(1, deals_needed(lead.mean(), n * lead.var() + 1e-9) - n)
        rows.append((groups[0][0][place].labels[0], *result.loss[place], p, bool(p > ERROR), more))
    return pl.DataFrame(rows, FITS, orient="row").with_columns(pl.col(RESULTS).fill_nan(None))


def contradictory_rows(findings: Findings) -> list[int]:
    """Return the rows of the sheet whose winner has a worse score than another seat."""
    plays, rows = list[int](), playtests_table(findings).filter(seat=0)["row"]
    for _, people, simulated in findings.cached(_playtest_groups):
        worse = (people[:, :, 0] > 0) & (shares_by_score(people, score_that_wins(simulated)) == 0)
        plays += people[worse.any(axis=1), 0, 3].astype(int).tolist()
    return sorted(rows[play] for play in plays)


def _playtest_groups(findings: Findings) -> list[PlaytestGroup]:
    """Return the games by setting and number of players, where people played any."""
    groups, run, people = list[PlaytestGroup](), findings.run, playtests_table(findings)
    turns = run.games().filter(pl.col("deal") < MAX_GAMES).select("play", "turns")
    seats = run.seats().select("play", "cell", "seat", "share", "score").join(turns, on="play")
    for cells in by_table(run.cells) if people.width else ():
        count, setting = cells[0].seats, cells[0].varied
        if len(own := by_game(people.lazy().filter(seats=count, **setting), count)):
            simulated = [by_game(seats.filter(cell=cell.index), count) for cell in cells]
            groups.append((cells, with_winners(own, simulated), simulated))
    return groups


def by_game(seats: pl.LazyFrame, count: int) -> Floats:
    """Return rows of seats as games of a `PlaytestGroup`."""
    numbers = seats.sort("play", "seat").select(pl.col("share", "score", "turns", "play").cast(pl.Float64))
    return numbers.collect().to_numpy().reshape(-1, count, 4)


def shares_by_score(games: Floats, sign: int) -> Floats:
    """Return the shares if the highest score wins, the lowest with a sign of −1; nan without scores."""
    scores = np.where(sign, sign * games[:, :, 1], np.nan)
    leaders = np.where(np.isnan(scores), np.nan, scores == scores.max(axis=1, keepdims=True))
    return np.asarray(leaders / leaders.sum(axis=1, keepdims=True))


def score_that_wins(simulated: Sequence[Floats]) -> int:
    """Return 1 if every simulated game is won by a seat with its highest score, −1 with its lowest, or 0."""
    games = np.concatenate(simulated)
    won = games[:, :, 0] > 0
    fitting = [sign for sign in (1, -1) if not (won & (shares_by_score(games, sign) == 0)).any()]
    return fitting[0] if len(fitting) == 1 and won.any(axis=1).all() else 0


def with_winners(people: Floats, simulated: Sequence[Floats]) -> Floats:
    """Return games in which the scores tell the winner where people noted none."""
    games, sign = np.concatenate(simulated), score_that_wins(simulated)
    shares = shares_by_score(people, sign)
    ties_share = np.allclose(shares_by_score(games, sign), games[:, :, 0])
    unknown = np.isnan(people[:, :1, 0]) & (ties_share | (shares == 1).any(axis=1, keepdims=True))
    return np.dstack([np.where(unknown, shares, people[:, :, 0]), people[:, :, 1:]])


def seat_rows(group: PlaytestGroup, place: int) -> list[tuple[float, ...]]:
    """Return the rows of `playtest_seats` for a cell."""
    cells, people, simulated = group
    cell, shares = cells[place], people[~np.isnan(people[:, 0, 0]), :, 0]
    rows = list[tuple[float, ...]]()
    for seat in range(1 if cell.target is not None else cell.seats) if len(shares) else ():
        own, other = share_of(shares[:, seat]), share_of(simulated[place][:, seat, 0])
        p = round(interval_p_value(*difference_of_shares(own, other)[:3]), 4)
        # With two wins and two losses added (Agresti & Coull 1998), and more since the interval is exact.
        needed = deals_for_width(NARROW, np.var([*shares[:, seat], 0, 0, 1, 1])) + round(1 / NARROW)
        more = max(1, needed - own.games) if own.high - own.low > 2 * NARROW else 0
        rows.append((cell.index, seat, own.games, *own[:3], other.share, p, more))
    return rows


def share_of(values: Floats) -> Share:
    """Return the share of a seat in independent games."""
    shares, counts = (part.tolist() for part in np.unique(values, return_counts=True))
    return Share(float(values.mean()), *mean_interval(tuple(shares), tuple(counts)), *[len(values)] * 3)


def results_of(group: PlaytestGroup) -> tuple[Floats, list[Floats]]:
    """Return RESULTS of the games of people and of each cell: the set of winners as a code, and numbers."""
    results = []
    for games in [group[1], *group[2]]:
        shares, scores = games[:, :, 0], games[:, :, 1]
        winners = np.where(np.isnan(shares), np.nan, shares > 0) @ 2.0 ** np.arange(shares.shape[1])
        highest = scores.max(axis=1)
        results.append(np.column_stack([winners, highest, highest - scores.min(axis=1), games[:, 0, 2]]))
    return results[0], results[1:]
