"""Tiles of the brief: who wins, how long games are, how tense, and which components stand out."""

from collections.abc import Callable, Iterator
from functools import partial

import polars as pl

from simkit.page.document.parts import Tile, TileLine
from simkit.page.words.confidence import SURE
from simkit.page.words.labels import labels_of, lower_first, plain
from simkit.page.words.numbers import TableRow, ends, fair_of_100, in_minutes, plural_of, seat_name, whole
from simkit.page.words.verdicts import joint_verdict, seat_or_side, with_not_equal
from simkit.tables import length as length_tables
from simkit.tables.course import decided_at, lead_changes, runaway
from simkit.tables.findings import Findings, cells, cells_to_look_at
from simkit.tables.length import MINUTE, lengths
from simkit.tables.pieces import pieces
from simkit.tables.seats import first_player_advantage, seat_shares
from simkit.tables.teams import contributions

MAX_SEATS_LISTED = 4  # seats whose shares stand side by side
EVEN = 0.05  # distance of a slope from 1 within which leads stay as they are
MIN_USERS = 0.05  # share of the players who use a piece below which it does not stand out
MIN_GAMES = 100  # games with and without a piece below which it does not stand out
USUAL_SECONDS = 10  # a decision, where none are given (--seconds-per-decision)


def tiles(findings: Findings) -> list[Tile]:
    """Return the tiles of a run: of the baseline, else of the first setting."""
    looked = findings.at_baseline()
    turns = lengths(looked).filter(measure="turns")
    usual = "the median; in brackets the middle 90 % of the games"
    length = _by_size(looked, "Length in turns", turns, lambda rows: _length(looked, rows), usual)
    if looked.run.team:
        first, last = first_player_advantage(looked), [*_contributions(looked), *_components(looked)][:1]
        wins = _by_size(looked, "The team wins", first, _range, "games in 100")
        return [*wins, *length, *_endings(looked), *last]
    order = "games in 100, in the order of play"
    both = looked.run.sides or [looked.run.role, "all others"]
    if looked.run.one_side:
        order = f"games in 100: {' and '.join(both)}"
    wins = _by_size(looked, "Who wins", _every_side(looked), _winners, order)
    if cells(looked)["seats"].n_unique() > 1:
        first, note = (
            with_not_equal(first_player_advantage(looked)),
            f"the {both[0] if looked.run.one_side else 'player farthest from its fair share'}",
        )
        called = partial(seat_or_side, looked.run)
        line = partial(verdict_line, called=called)
        wins = _by_size(looked, "Is it fair?", first, line, f"{note}: games in 100")
    traced = looked.run.experiment.trace
    changes = lead_changes(looked) if traced else pl.DataFrame()
    tension = _by_size(looked, "Lead changes", changes, lambda rows: _tension(looked, rows))
    eventful = [tile for tile in tension if any(line.number != "0" for line in tile.lines)]
    return [*wins, *length, *eventful, *_components(looked)]


def _every_side(findings: Findings) -> pl.DataFrame:
    """Return the share of each seat, of both sides, or of a role and all others."""
    rows = seat_shares(findings).select("cell", "seat", "share")
    other = rows.with_columns(seat=1 - pl.col("seat"), share=1 - pl.col("share"))
    return pl.concat([rows, other]) if findings.run.one_side else rows


def _by_size(
    findings: Findings,
    title: str,
    table: pl.DataFrame,
    line: Callable[[pl.DataFrame], TileLine],
    note: str = "",
) -> list[Tile]:
    """Return a tile with a line for each number of players, or none without rows."""
    if table.is_empty():
        return []
    sizes = dict(cells(findings).select("cell", "seats").iter_rows())
    sized = table.with_columns(players=pl.col("cell").replace_strict(sizes, return_dtype=pl.Int64))
    lines = [
        line(rows)._replace(of=f"{size} players" if len(set(sizes.values())) > 1 else "")
        for (size,), rows in sorted(sized.partition_by("players", as_dict=True).items())
    ]
    return [Tile(title, lines, note)]


def _tile_row(table: pl.DataFrame, rows: pl.DataFrame) -> TableRow:
    """Return the row of a table for the first cell of rows, or an empty row."""
    own = table.filter(cell=rows["cell"][0]).rows(named=True) if table.width else []
    return own[0] if own else {}


def _winners(rows: pl.DataFrame) -> TileLine:
    """Return the games won of 100 by each seat, or by the least and the most successful of many seats.

    >>> _winners(pl.DataFrame({"seat": [0, 1, 0, 1], "share": [0.56, 0.44, 0.59, 0.41]})).number
    '56–59 : 41–44'
    >>> _winners(pl.DataFrame({"seat": [0, 1], "share": [0.785, 0.215]})).number
    '79 : 21'
    >>> _winners(pl.DataFrame({"seat": range(5), "share": [0.1, 0.2, 0.15, 0.3, 0.25]}))[:2]
    ('10 to 30', 'by seat; fair is 20')
    """
    by_seat = rows.group_by("seat").agg(low=pl.col("share").min(), high=pl.col("share").max()).sort("seat")
    fair = f"fair is {whole(1 / by_seat.height)}"
    if by_seat.height > MAX_SEATS_LISTED:
        return _range(rows)._replace(note=f"by seat; {fair}")
    ranges = [ends(whole(low), whole(high)).replace(" to ", "–") for _, low, high in by_seat.iter_rows()]
    if by_seat.height == 2 and ranges[0].isdigit() and abs(sum(by_seat["low"]) - 1) < 1e-9:
        ranges[1] = f"{100 - int(ranges[0])}"  # two halves are not both rounded up
    return TileLine(" : ".join(ranges), "" if by_seat.height == 2 else fair)


def verdict_line(rows: pl.DataFrame, called: Callable[[int], str] = seat_name) -> TileLine:
    """Return the verdict at tables of one size, and what the player farthest from its fair share wins.

    >>> row = {"verdict": "UNFAIR", "farthest": 2, "farthest_share": 0.28, "fair": 1 / 3}
    >>> verdict_line(pl.DataFrame([row]))[:2]
    ('UNFAIR', 'third player 28 (fair is 33)')
    """
    off = (pl.col("farthest_share") - pl.col("fair")).abs()
    row = rows.sort(off, descending=True, maintain_order=True).row(0, named=True)
    share = f"{whole(row['farthest_share'])} (fair is {fair_of_100(row['fair'])})"
    return TileLine(joint_verdict(rows["verdict"].to_list()), f"{called(row['farthest'])} {share}")


def _range(rows: pl.DataFrame) -> TileLine:
    shares = rows.select(pl.min("share"), high=pl.max("share")).row(0)
    return TileLine(ends(*map(whole, shares)))


def _length(findings: Findings, rows: pl.DataFrame) -> TileLine:
    """Return the median of turns, the span of nine of ten games, and minutes if given or if there is room."""
    turns, seconds = rows.row(0, named=True), findings.run.experiment.seconds_per_decision
    usual = f"({turns['p5']} to {turns['p95']})" if turns["p5"] < turns["p95"] else "in nearly every game"
    if seconds is None and cells(findings)["seats"].n_unique() > 1:
        return TileLine(str(turns["p50"]), usual)
    decisions = _tile_row(lengths(findings).filter(measure="decisions"), rows)["p50"]
    pace = seconds or USUAL_SECONDS
    time = in_minutes(decisions * pace / MINUTE)
    return TileLine(str(turns["p50"]), f"{usual}, about {time} at {pace:g} s a decision")


def _tension(findings: Findings, rows: pl.DataFrame) -> TileLine:
    """Return the lead changes, when the winner leads for good, and what becomes of leads."""
    part, slope = _tile_row(decided_at(findings), rows).get("mean"), _tile_row(runaway(findings), rows)
    notes = ["" if part is None else f"decided after {whole(part)} % of the game"]
    notes.append(of_leads(*(slope.get(name) for name in ("slope", "low", "high"))))
    return TileLine(str(round(rows["mean"][0])), "; ".join(filter(None, notes)))


def of_leads(slope: float | None, low: float | None, high: float | None) -> str:
    """Return what becomes of leads by the next round; empty where that is unknown.

    >>> of_leads(0.51, 0.48, 0.54), of_leads(1.2, 1.15, 1.25)
    ('leads shrink by 49 % a round', 'leads grow by 20 % a round')
    >>> of_leads(1.01, 0.9, 1.1), of_leads(0.9, 0.7, 1.1), of_leads(None, None, None)
    ('leads stay as they are', 'whether leads grow or shrink is not settled', '')
    """
    if slope is None or low is None or high is None:
        return ""
    if low <= 1 <= high:
        even = abs(slope - 1) <= EVEN
        return "leads stay as they are" if even else "whether leads grow or shrink is not settled"
    return f"leads {'grow' if slope > 1 else 'shrink'} by {whole(min(1.0, abs(slope - 1)))} % a round"


def _endings(findings: Findings) -> Iterator[Tile]:
    """Yield how a team loses: the most common ends of lost games."""
    losses = length_tables.losses(findings)
    if not losses.width:
        return
    rows = losses.filter(cell=cells_to_look_at(findings.run)[0]).sort("share", descending=True).head(2)
    name = labels_of(findings).name
    lines = [TileLine(f"{whole(row['share'])} %", name(row["end_reason"])) for row in rows.rows(named=True)]
    if lines:
        yield Tile("How lost games end", lines)


def _contributions(findings: Findings) -> list[Tile]:
    """Return each seat's part of the main thing that a team does together, with the first lineup."""
    column = next(iter(findings.run.words.parts), "")
    rows = contributions(findings)
    rows = rows.filter(column=column) if rows.width else rows

    def line(own: pl.DataFrame) -> TileLine:
        return _winners(own.filter(cell=own["cell"][0]).with_columns(share="part"))._replace(note="")

    what = lower_first(plain(findings.run.meanings("seats").get(column) or column)) if column else ""
    return _by_size(findings, "Who contributes", rows, line, f"% of all, in the order of play: {what}")


def _components(findings: Findings) -> Iterator[Tile]:
    """Yield the strongest and the weakest component at equal standing, as far as they are beyond luck."""
    if not pieces(findings).height:
        return
    lines = list[TileLine]()
    for row in greatest_and_least(standing_out(first_pieces(pieces(findings))), "difference"):
        more = "more" if row["difference"] > 0 else "fewer"
        lines.append(TileLine(row["piece"], f"{whole(abs(row['difference']))} {more} wins in 100"))
    title = plural_of(findings.run.words.piece).capitalize()
    if lines:
        yield Tile(title, lines, "goes with winning, which need not be its cause")
    else:
        none = TileLine("none surely goes with winning")
        yield Tile(title, [none], f"of those used in {MIN_GAMES} games or more")


def first_pieces(table: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the first cell."""
    return table.filter(cell=table["cell"][0])


def standing_out(table: pl.DataFrame) -> pl.DataFrame:
    """Return the rows used often enough that differ beyond luck, the largest difference first.

    >>> rows = {"piece": ["a", "b", "c"], "difference": [0.1, -0.2, 0.3], "p_adjusted": [0.01, 0.02, 0.03]}
    >>> rows |= {"users": [0.3, 0.04, 0.3], "with_games": [300, 300, 99], "without_games": [300, 300, 300]}
    >>> standing_out(pl.DataFrame(rows))["piece"].to_list()
    ['a']
    """
    often = (pl.col("users") >= MIN_USERS) & (pl.min_horizontal("with_games", "without_games") >= MIN_GAMES)
    beyond = table.filter(often & (pl.col("p_adjusted") < SURE))
    return beyond.sort(pl.col("difference").abs(), descending=True, maintain_order=True)


def greatest_and_least(table: pl.DataFrame, column: str) -> list[TableRow]:
    """Return the row with the greatest value, and that with the least if it is negative and another one."""
    ranked = table.sort(column, descending=True, maintain_order=True).rows(named=True)
    return [*ranked[:1], *(row for row in ranked[1:][-1:] if row[column] < 0)]
