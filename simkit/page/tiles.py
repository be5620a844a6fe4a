"""Tiles of the brief: who wins, how long games are, how tense, and which components stand out."""

from collections.abc import Callable, Iterator

import polars as pl

from simkit.page.document.parts import Tile, TileLine
from simkit.page.words.confidence import SURE
from simkit.page.words.course import first_pieces, in_minutes, of_leads, several, standing_out
from simkit.page.words.labels import labels_of, lower_first, plain
from simkit.page.words.numbers import TableRow, ends, number, span, whole
from simkit.tables import length as length_tables
from simkit.tables.compare import comparisons
from simkit.tables.course import decided_at, lead_changes, runaway
from simkit.tables.findings import Findings, cells, cells_to_look_at
from simkit.tables.length import MINUTE, lengths
from simkit.tables.own_tables import stronger_pieces
from simkit.tables.pieces import pieces
from simkit.tables.seats import first_player_advantage, seat_shares
from simkit.tables.teams import contributions

MAX_SEATS_LISTED = 4  # seats whose shares stand side by side
MAX_LINES = 4  # of a tile
MAX_CHANGED = 4  # tiles of a comparison
USUAL_SECONDS = 10  # a decision, where none are given (--seconds-per-decision)
CHANGES = {"share": "First player wins", "team_wins": "The team wins", "turns": "Length in turns"}
CHANGES |= {"lead_changes": "Lead changes", "score": "Score of the first player", "draw": "Draws"}


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
    wins = _by_size(looked, "Who wins", seat_shares(looked), _winners, order)
    traced = looked.run.experiment.trace
    changes = lead_changes(looked) if traced else pl.DataFrame()
    tension = _by_size(looked, "Lead changes", changes, lambda rows: _tension(looked, rows))
    return [*wins, *length, *tension, *_components(looked)]


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
    for row in _greatest_and_least(standing_out(first_pieces(pieces(findings))), "difference"):
        more = "more" if row["difference"] > 0 else "fewer"
        lines.append(TileLine(row["piece"], f"{whole(abs(row['difference']))} {more} wins in 100"))
    note = "goes with winning, which need not be its cause" if lines else ""
    none = [TileLine("none surely goes with winning")]
    yield Tile(several(findings.run.words.piece).capitalize(), lines or none, note)


def _greatest_and_least(table: pl.DataFrame, column: str) -> list[TableRow]:
    """Return the row with the greatest value, and that with the least if it is negative and another one."""
    ranked = table.sort(column, descending=True, maintain_order=True).rows(named=True)
    return [*ranked[:1], *(row for row in ranked[1:][-1:] if row[column] < 0)]


def tiles_changed(findings: Findings, setting: str) -> list[Tile]:
    """Return the tiles of a comparison: each number at the baseline and with a rule set, and its change."""
    rows, seat = comparisons(findings).filter(setting=setting), pl.col("seat")
    rows = rows.filter(seat.is_null() | (seat == 0))
    parts = {title: rows.filter(measure=measure) for measure, title in CHANGES.items()}
    if findings.run.experiment.seconds_per_decision or cells(findings)["lineup"].n_unique() == 1:
        parts["Length in turns"] = pl.concat([parts["Length in turns"], _in_minutes(findings, rows)])
    own = [*_components_changed(findings, setting)]
    shown = [_changes_tile(findings, *part) for part in parts.items() if part[1].height]
    return [*shown[: MAX_CHANGED - len(own)], *own]


def _in_minutes(findings: Findings, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the comparisons of decisions in minutes at the table."""
    seconds = findings.run.experiment.seconds_per_decision or USUAL_SECONDS
    sizes = pl.col("base_value", "value", "difference", "low", "high") * (seconds / MINUTE)
    measure = pl.lit(f"minutes at {seconds:g} s a decision")
    return rows.filter(measure="decisions").with_columns(sizes, measure=measure)


def _changes_tile(findings: Findings, title: str, rows: pl.DataFrame) -> Tile:
    named = [name for name in ("lineup", "measure") if rows[name].n_unique() > 1]
    lines = [
        change_line(row, ", ".join(row[name] for name in named))
        for row in labels_of(findings).label(rows).head(MAX_LINES).rows(named=True)
    ]
    lines = [line._replace(note="") for line in lines] if len(lines) > 2 else lines  # a brief is one screen
    return Tile(title, lines, "games in 100" if rows["unit"][0] == "share" else "")


def change_line(row: TableRow, of: str = "") -> TileLine:
    """Return a number before and after a change, and the interval of the difference.

    >>> row = {"unit": "share", "value": 0.54, "base_value": 0.56, "low": -0.05, "high": 0.006}
    >>> change_line(row)[:2]
    ('56 → 54', '(−5.0 to +0.6)')
    """
    scale, digits = (100, 0) if row["unit"] == "share" else (1, 1)
    before, after = (number(scale * row[name], digits) for name in ("base_value", "value"))
    return TileLine(f"{before} → {after}", f"({span(row['low'], row['high'], sign=True, scale=scale)})", of)


def _components_changed(findings: Findings, setting: str) -> Iterator[Tile]:
    """Yield the components whose worth a designer's own table changes most beyond luck, before and after."""
    if not stronger_pieces(findings).width:
        return
    beyond = stronger_pieces(findings).filter(pl.col("p_adjusted") < SURE, setting=setting)
    lines = list[TileLine]()
    for row in _greatest_and_least(beyond, "change"):
        before, now = (number(100 * row[name], 0, sign=True) for name in ("before", "now"))
        change = span(row["change_low"], row["change_high"], sign=True, scale=100)
        name = row["piece"] if row["was"] in ("", row["piece"]) else f"{row['was']} → {row['piece']}"
        lines.append(TileLine(f"{before} → {now}", f"({change})", name))
    note = "wins in 100 that go with each, which need not be its cause"
    yield Tile(
        several(findings.run.words.piece).capitalize(), lines or [TileLine("none surely changed")], note
    )
