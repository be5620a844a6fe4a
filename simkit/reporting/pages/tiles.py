"""Tiles of the brief: who wins, how long games are, how tense, and which components stand out."""

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import counted
from simkit.reporting.document import Line, Tile
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.pacing import feel_cell, in_minutes
from simkit.reporting.text.phrases import Row, ends, number, span, whole
from simkit.reporting.text.pieces import first_pieces, several, standing_out

MAX_SEATS_LISTED = 4  # seats whose shares stand side by side
KEEPS, GROWS = 0.95, 1.05  # slopes between which a lead neither shrinks nor grows


def tiles(findings: Findings) -> list[Tile]:
    """Return the tiles of a run: of the baseline, else of the first setting."""
    looked = findings.at_baseline()
    if looked.run.team:
        return [*_wins_of_team(looked), _length(looked), *_endings(looked), *_components(looked)]
    return [_winners(looked), _length(looked), *_tension(looked), *_components(looked)]


def tiles_changed(findings: Findings, setting: str) -> list[Tile]:
    """Return the tiles of a comparison: each number at the baseline and with a rule set, and its change."""
    rows = findings.comparisons.filter(setting=setting)
    names: dict[str, tuple[str, int | None]] = {"First player wins": ("share", 0)}
    if findings.run.team:
        names = {"Team wins": ("team_wins", None)}
    names |= {"Length": ("turns", None), "Lead changes": ("lead_changes", None), "Score": ("score", 0)}
    made = (_changed(title, rows.filter(*_is(*measure))) for title, measure in names.items())
    return [tile for tile in made if tile.lines]


def _is(measure: str, seat: int | None) -> list[pl.Expr]:
    return [pl.col("measure") == measure, pl.lit(True) if seat is None else pl.col("seat") == seat]


def _changed(title: str, rows: pl.DataFrame) -> Tile:
    several_lineups = rows["lineup"].n_unique() > 1
    return Tile(
        title,
        [change_line(row, row["lineup"] if several_lineups else "") for row in rows.head(3).rows(named=True)],
    )


def change_line(row: Row, of: str = "") -> Line:
    """Return a number before and after a change, and the interval of the difference.

    >>> row = {"unit": "share", "value": 0.54, "base_value": 0.56, "low": -0.05, "high": 0.006}
    >>> change_line(row | {"difference": -0.022})[:2]
    ('56 → 54', 'games in 100; change −5.0 to +0.6')
    """
    if row["unit"] == "share":
        change = span(row["low"], row["high"], sign=True, scale=100)
        return Line(
            f"{whole(row['base_value'])} → {whole(row['value'])}", f"games in 100; change {change}", of
        )
    before, after = (number(row[name]) for name in ("base_value", "value"))
    unit = " turns" if row["measure"] == "turns" else ""
    return Line(f"{before} → {after}{unit}", f"change {span(row['low'], row['high'], 1, sign=True)}", of)


def _by_size(findings: Findings, table: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield the rows of each number of players, which is named where there are several."""
    sizes = sorted(set(findings.cells["seats"]))
    seats = dict(findings.cells.select("cell", "seats").iter_rows())
    own = table.with_columns(table_size=pl.col("cell").replace_strict(seats, return_dtype=pl.Int64))
    for size in sizes:
        yield f"{size} players" if len(sizes) > 1 else "", own.filter(table_size=size)


def _winners(findings: Findings) -> Tile:
    lines = []
    for of, rows in _by_size(findings, findings.seat_shares):
        by_seat = [part["share"].to_list() for part in rows.sort("seat").partition_by("seat")]
        lines.append(winners_line(by_seat, of))
    return Tile("Who wins", lines)


def winners_line(by_seat: Sequence[Sequence[float]], of: str = "") -> Line:
    """Return the games won of 100 by each seat, or by the least and the most successful of many seats.

    by_seat: shares of each seat with each lineup.

    >>> winners_line([[0.56, 0.59], [0.44, 0.41]])[:2]
    ('56–59 : 41–44', 'first player : second player, games in 100')
    >>> winners_line([[0.1], [0.2], [0.15], [0.3], [0.25]], "5 players")
    Line(number='10 to 30', note='games in 100, by seat; fair is 20', of='5 players')
    """
    ranges = ["–".join(dict.fromkeys(map(whole, sorted((min(own), max(own)))))) for own in by_seat]
    fair = f"fair is {whole(1 / len(by_seat))}"
    if len(by_seat) == 2:
        return Line(" : ".join(ranges), "first player : second player, games in 100", of)
    if len(by_seat) <= MAX_SEATS_LISTED:
        return Line(" : ".join(ranges), f"games in 100, in the order of play; {fair}", of)
    shares = [share for own in by_seat for share in own]
    return Line(ends(whole(min(shares)), whole(max(shares))), f"games in 100, by seat; {fair}", of)


def _wins_of_team(findings: Findings) -> Iterator[Tile]:
    lines = [
        Line(ends(whole(rows["share"].min()), whole(rows["share"].max())), "games in 100", of)  # type: ignore[arg-type]
        for of, rows in _by_size(findings, findings.first_player_advantage)
    ]
    yield Tile("The team wins", lines)


def _length(findings: Findings) -> Tile:
    minutes = findings.minutes
    lines = []
    for of, rows in _by_size(findings, findings.lengths.filter(measure="turns")):
        row = rows.row(0, named=True)
        own = minutes.filter(cell=row["cell"]) if minutes.width else minutes
        lines.append(length_line(row, own.row(0, named=True) if own.height else {}, of))
    return Tile("Length", lines)


def length_line(turns: Row, minutes: Row, of: str = "") -> Line:
    """Return the median of turns, the span of nine of ten games, and the minutes where they are known.

    >>> length_line({"p5": 30, "p50": 31, "p95": 33}, {"p50": 25.2, "seconds": 15})[:2]
    ('31 turns', '30 to 33 in nine games of ten; about 25 minutes at 15 s a decision')
    """
    notes = (
        [f"{turns['p5']:g} to {turns['p95']:g} in nine games of ten"] if turns["p5"] < turns["p95"] else []
    )
    if minutes:
        notes.append(f"about {in_minutes(minutes['p50'])} at {minutes['seconds']:g} s a decision")
    return Line(counted(int(turns["p50"]), "turn"), "; ".join(notes), of)


def _tension(findings: Findings) -> Iterator[Tile]:
    if not findings.run.experiment.trace:
        return
    lines, decided, slopes = [], findings.decided_at, findings.runaway
    for of, rows in _by_size(findings, findings.lead_changes):
        row = rows.row(0, named=True)
        own, slope = (table.filter(cell=row["cell"]).rows(named=True) for table in (decided, slopes))
        lines.append(tension_line(row, own[0] if own else {}, slope[0] if slope else {}, of))
    yield Tile("Tension", lines)


def tension_line(changes: Row, decided: Row, slope: Row, of: str = "") -> Line:
    """Return the lead changes, when the winner leads for good, and whether leads shrink or grow.

    >>> tension_line({"mean": 7.9}, {"mean": 0.75}, {"slope": 0.5, "high": 0.55, "low": 0.45})[:2]
    ('8 lead changes', 'the winner leads for good after 75 % of the game; leads shrink by 50 % a round')
    """
    notes = []
    if decided.get("mean") is not None:
        notes.append(f"the winner leads for good after {whole(decided['mean'])} % of the game")
    if slope.get("slope") is not None and slope["high"] < KEEPS:
        notes.append(f"leads shrink by {whole(1 - slope['slope'])} % a round")
    if slope.get("slope") is not None and slope["low"] > GROWS:
        notes.append(f"leads run away: they grow by {whole(slope['slope'] - 1)} % a round")
    return Line(counted(round(changes["mean"]), "lead change"), "; ".join(notes), of)


def _endings(findings: Findings) -> Iterator[Tile]:
    """Yield how a team loses: the most common ends of lost games."""
    if not findings.losses.width:
        return
    rows = findings.losses.filter(cell=feel_cell(findings)).sort("share", descending=True).head(2)
    name = labels_of(findings).name
    lines = [
        Line(f"{whole(row['share'])} %", f"of lost games end by “{name(row['end_reason'])}”")
        for row in rows.rows(named=True)
    ]
    if lines:
        yield Tile("How it is lost", lines)


def _components(findings: Findings) -> Iterator[Tile]:
    """Yield the strongest and the weakest component at equal standing, as far as they are beyond luck."""
    pieces, word = findings.pieces, findings.run.words.piece
    if not pieces.height:
        return
    compared = standing_out(first_pieces(pieces))
    yield Tile(several(word).capitalize(), components_lines(compared.rows(named=True), word))


def components_lines(beyond: Sequence[dict[str, Any]], word: str) -> list[Line]:
    """Return the strongest and the weakest component of those that differ beyond luck.

    >>> rows = [{"piece": "robot", "difference": 0.08}, {"piece": "mine", "difference": -0.03}]
    >>> [line[:2] for line in components_lines(rows, "card")]
    [('robot', 'goes with 8 more wins in 100'), ('mine', 'goes with 3 fewer wins in 100')]
    >>> components_lines([], "card")
    [Line(number='none stands out', note='each card beside those it could be taken for', of='')]
    """
    if not beyond:
        return [Line("none stands out", f"each {word} beside those it could be taken for")]
    ranked = sorted(beyond, key=lambda row: row["difference"])
    chosen = [row for row in (ranked[-1], ranked[0]) if row is ranked[-1] or row["difference"] < 0]
    return [
        Line(row["piece"], f"goes with {whole(abs(row['difference']))} {_more(row)} wins in 100")
        for row in {id(row): row for row in chosen}.values()
    ]


def _more(row: dict[str, Any]) -> str:
    return "more" if row["difference"] > 0 else "fewer"
