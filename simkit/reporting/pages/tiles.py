"""Tiles of the brief: who wins, how long games are, how tense, and which components stand out."""

from collections.abc import Iterator, Sequence

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.minutes import MINUTE
from simkit.reporting.document import Line, Tile
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of, lowered, plain
from simkit.reporting.text.pacing import feel_cell, in_minutes, of_leads
from simkit.reporting.text.phrases import Row, ends, number, span, whole
from simkit.reporting.text.pieces import first_pieces, several, standing_out

MAX_SEATS_LISTED = 4  # seats whose shares stand side by side
MAX_LINES = 4  # of a tile
MAX_CHANGED = 4  # tiles of a comparison


def tiles(findings: Findings) -> list[Tile]:
    """Return the tiles of a run: of the baseline, else of the first setting."""
    looked = findings.at_baseline()
    if looked.run.team:
        last = [*_contributions(looked), *_components(looked)][:1]
        return [*_wins_of_team(looked), _length(looked), *_endings(looked), *last]
    return [_winners(looked), _length(looked), *_tension(looked), *_components(looked)]


def tiles_changed(findings: Findings, setting: str) -> list[Tile]:
    """Return the tiles of a comparison: each number at the baseline and with a rule set, and its change."""
    rows, seat = findings.comparisons.filter(setting=setting), pl.col("seat")
    rows = rows.filter(seat.is_null() | (seat == 0))
    titles = {"share": "First player wins", "team_wins": "The team wins", "turns": "Length in turns"}
    titles |= {"lead_changes": "Lead changes", "score": "Score of the first player", "draw": "Draws"}
    parts = {title: rows.filter(measure=measure) for measure, title in titles.items()}
    if findings.run.experiment.seconds_per_decision:
        parts["Length in turns"] = pl.concat([parts["Length in turns"], _in_minutes(findings, rows)])
    shown, own = [part for part in parts.items() if part[1].height], [*_components_changed(findings, setting)]
    changed = [_changed(findings, *part) for part in shown[: MAX_CHANGED - len(own)]]
    labels = labels_of(findings)
    sides = f"{labels.base} → {labels.at(setting)}"
    notes = [filter(None, (tile.note, "" if place else sides)) for place, tile in enumerate(changed)]
    return [*(tile._replace(note="; ".join(note)) for tile, note in zip(changed, notes, strict=True)), *own]


def _in_minutes(findings: Findings, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the comparisons of decisions in minutes at the table."""
    seconds = findings.run.experiment.seconds_per_decision or 0
    sizes = pl.col("base_value", "value", "difference", "low", "high") * (seconds / MINUTE)
    measure = pl.lit(f"minutes at {seconds:g} s a decision")
    return rows.filter(measure="decisions").with_columns(sizes, measure=measure)


def _changed(findings: Findings, title: str, rows: pl.DataFrame) -> Tile:
    named = [name for name in ("lineup", "measure") if rows[name].n_unique() > 1]
    lines = [
        change_line(row, ", ".join(row[name] for name in named))
        for row in labels_of(findings).named(rows).head(MAX_LINES).rows(named=True)
    ]
    lines = [line._replace(note="") for line in lines] if len(lines) > 1 else lines  # a brief is one screen
    return Tile(title, lines, "games in 100" if rows["unit"][0] == "share" else "")


def change_line(row: Row, of: str = "") -> Line:
    """Return a number before and after a change, and the interval of the difference.

    >>> row = {"unit": "share", "value": 0.54, "base_value": 0.56, "low": -0.05, "high": 0.006}
    >>> change_line(row)[:2]
    ('56 → 54', '(−5.0 to +0.6)')
    """
    if row["unit"] == "share":
        change = span(row["low"], row["high"], sign=True, scale=100)
        return Line(f"{whole(row['base_value'])} → {whole(row['value'])}", f"({change})", of)
    before, after = (number(row[name]) for name in ("base_value", "value"))
    return Line(f"{before} → {after}", f"({span(row['low'], row['high'], sign=True)})", of)


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
    return Tile("Who wins", lines, "games in 100, in the order of play")


def winners_line(by_seat: Sequence[Sequence[float]], of: str = "") -> Line:
    """Return the games won of 100 by each seat, or by the least and the most successful of many seats.

    by_seat: shares of each seat with each lineup.

    >>> winners_line([[0.56, 0.59], [0.44, 0.41]]).number, winners_line([[0.4], [0.3], [0.3]])[:2]
    ('56–59 : 41–44', ('40 : 30 : 30', 'fair is 33'))
    >>> winners_line([[0.1], [0.2], [0.15], [0.3], [0.25]], "5 players")
    Line(number='10 to 30', note='by seat; fair is 20', of='5 players')
    """
    ranges = ["–".join(dict.fromkeys(map(whole, sorted((min(own), max(own)))))) for own in by_seat]
    fair = f"fair is {whole(1 / len(by_seat))}"
    if len(by_seat) <= MAX_SEATS_LISTED:
        return Line(" : ".join(ranges), "" if len(by_seat) == 2 else fair, of)
    shares = [share for own in by_seat for share in own]
    return Line(ends(whole(min(shares)), whole(max(shares))), f"by seat; {fair}", of)


def _wins_of_team(findings: Findings) -> Iterator[Tile]:
    lines = []
    for of, rows in _by_size(findings, findings.first_player_advantage):
        shares = rows["share"].to_list()
        lines.append(Line(ends(whole(min(shares)), whole(max(shares))), "", of))
    yield Tile("The team wins", lines, "games in 100")


def _length(findings: Findings) -> Tile:
    minutes = findings.minutes
    lines = []
    for of, rows in _by_size(findings, findings.lengths.filter(measure="turns")):
        row = rows.row(0, named=True)
        own = minutes.filter(cell=row["cell"]) if minutes.width else minutes
        lines.append(length_line(row, own.row(0, named=True) if own.height else {}, of))
    return Tile("Length in turns", lines, "in brackets the middle 90 % of the games")


def length_line(turns: Row, minutes: Row, of: str = "") -> Line:
    """Return the median of turns, the span of nine of ten games, and the minutes where they are known.

    >>> length_line({"p5": 30, "p50": 31, "p95": 33}, {"p50": 25.2, "seconds": 15})[:2]
    ('31', '(30 to 33), about 25 minutes at 15 s a decision')
    """
    usual = f"({ends(str(turns['p5']), str(turns['p95']))})"
    time = f", about {in_minutes(minutes['p50'])} at {minutes['seconds']:g} s a decision" if minutes else ""
    return Line(str(turns["p50"]), usual + time, of)


def _tension(findings: Findings) -> Iterator[Tile]:
    if not findings.run.experiment.trace:
        return
    lines, decided, slopes = [], findings.decided_at, findings.runaway
    for of, rows in _by_size(findings, findings.lead_changes):
        row = rows.row(0, named=True)
        own, slope = (table.filter(cell=row["cell"]).rows(named=True) for table in (decided, slopes))
        lines.append(tension_line(row, own[0] if own else {}, slope[0] if slope else {}, of))
    yield Tile("Lead changes", lines)


def tension_line(changes: Row, decided: Row, slope: Row, of: str = "") -> Line:
    """Return the lead changes, when the winner leads for good, and what becomes of leads.

    >>> tension_line({"mean": 7.9}, {"mean": 0.75}, {"slope": 0.5, "high": 0.55, "low": 0.45})[:2]
    ('8', 'decided after 75 % of the game; leads shrink by 50 % a round')
    """
    part = decided.get("mean")
    notes = ["" if part is None else f"decided after {whole(part)} % of the game"]
    notes.append(of_leads(*(slope.get(name) for name in ("slope", "low", "high"))))
    return Line(str(round(changes["mean"])), "; ".join(filter(None, notes)), of)


def _endings(findings: Findings) -> Iterator[Tile]:
    """Yield how a team loses: the most common ends of lost games."""
    if not findings.losses.width:
        return
    rows = findings.losses.filter(cell=feel_cell(findings)).sort("share", descending=True).head(2)
    name = labels_of(findings).name
    lines = [Line(f"{whole(row['share'])} %", name(row["end_reason"])) for row in rows.rows(named=True)]
    if lines:
        yield Tile("How lost games end", lines)


def _contributions(findings: Findings) -> Iterator[Tile]:
    """Yield each seat's part of the main thing that a team does together, with the first lineup."""
    column = next(iter(findings.run.words.parts), "")
    rows = findings.contributions
    if not rows.width or (rows := rows.filter(column=column)).is_empty():
        return
    lines = []
    for of, own in _by_size(findings, rows):
        first = own.filter(cell=own["cell"][0]).sort("seat")
        lines.append(winners_line([[part] for part in first["part"]], of)._replace(note=""))
    what = lowered(plain(findings.run.meanings("seats").get(column) or column))
    yield Tile("Who contributes", lines, f"% of all, in the order of play: {what}")


def _components(findings: Findings) -> Iterator[Tile]:
    """Yield the strongest and the weakest component at equal standing, as far as they are beyond luck."""
    pieces, word = findings.pieces, findings.run.words.piece
    if not pieces.height:
        return
    compared = standing_out(first_pieces(pieces))
    lines = components_lines(compared.rows(named=True))
    yield Tile(several(word).capitalize(), lines, "goes with winning, which need not be its cause")


def components_lines(beyond: Sequence[Row]) -> list[Line]:
    """Return the strongest and the weakest component of those that differ beyond luck.

    >>> rows = [{"piece": "robot", "difference": 0.08}, {"piece": "mine", "difference": -0.03}]
    >>> [line[:2] for line in components_lines(rows)]
    [('robot', '8 more wins in 100'), ('mine', '3 fewer wins in 100')]
    >>> components_lines([])
    [Line(number='none stands out', note='', of='')]
    """
    return [
        Line(row["piece"], f"{whole(abs(size))} {'more' if size > 0 else 'fewer'} wins in 100")
        for row in _greatest_and_least(beyond, "difference")
        for size in [row["difference"]]
    ] or [Line("none stands out")]


def _greatest_and_least(rows: Sequence[Row], key: str) -> list[Row]:
    """Return the row with the greatest value, and that with the least if it is negative and another one."""
    ranked = sorted(rows, key=lambda row: row[key], reverse=True)
    return [*ranked[:1], *(row for row in ranked[1:][-1:] if row[key] < 0)]


def _components_changed(findings: Findings, setting: str) -> Iterator[Tile]:
    """Yield the components whose worth a designer's own table changes most beyond luck, before and after."""
    if not findings.stronger_pieces.width:
        return
    rows = findings.stronger_pieces.filter(pl.col("p_adjusted") < SURE, setting=setting)
    lines = components_changed_lines(rows.rows(named=True))
    note = "wins in 100 that go with each, which need not be its cause"
    yield Tile(several(findings.run.words.piece).capitalize(), lines, note)


def components_changed_lines(beyond: Sequence[Row]) -> list[Line]:
    """Return the components that gained and lost most of those that changed beyond luck.

    >>> ends = {"change": 0.12, "change_low": 0.05, "change_high": 0.19}
    >>> components_changed_lines([{"piece": "mine", "before": -0.03, "now": 0.09} | ends])
    [Line(number='−3 → +9', note='(+5.0 to +19.0)', of='mine')]
    >>> components_changed_lines([])[0].number
    'none surely changed'
    """
    return [
        Line(
            f"{number(100 * row['before'], 0, True)} → {number(100 * row['now'], 0, True)}",
            f"({span(row['change_low'], row['change_high'], sign=True, scale=100)})",
            row["piece"],
        )
        for row in _greatest_and_least(beyond, "change")
    ] or [Line("none surely changed")]
