"""Answers on a terminal and as JSON: what the brief has, the numbers behind it, the rows of a run."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import polars as pl

from simkit.formatting import counted
from simkit.page.document.parts import Report
from simkit.page.document.tables import Table
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import TableRow, ends, percent, roughly, seat_name, span
from simkit.page.words.verdicts import side_of, with_not_equal
from simkit.runs.plan import Cell
from simkit.tables.fairness import settings
from simkit.tables.findings import Findings, cells
from simkit.tables.players import ranking, strategy_shares
from simkit.tables.seats import first_player_advantage, seat_shares

MAX_ROWS = 20  # rows on a screen
MAX_MATCHES = 10  # rows of matches among them
DISTANCE_FROM_FAIR = (pl.col("share") - pl.col("fair")).abs()
SEAT_KEYS = ("seat", "share", "adjusted", "low", "high", "ever_low", "ever_high", "games", "failed", "deals")
SEATS_HEAD, SIDES_HEAD = "Seats, whoever sits there:", "Sides, whoever plays:"

TextOrTable = str | list[TableRow]  # a text or a table of an answer


def numbers_behind(findings: Findings, brief: Report, whole: bool) -> Iterator[TextOrTable]:
    """Yield the tables behind the answer with their captions, as on the page."""
    for each in brief.tables():
        yield from table_in_text(each)


def table_in_text(table: Table) -> Iterator[TextOrTable]:
    """Yield a table of the page with its caption."""
    heads = [column.heading for column in table.columns]
    yield f"\n{table.caption}:\n"
    yield [dict(zip(heads, row, strict=True)) for row in table.rows]


def rows_left_out(rows: int) -> Iterator[TextOrTable]:
    """Yield the number of rows that were left out, if any."""
    if rows:
        yield f"… {counted(rows, 'more row')}: --table"


def rows_of_run(findings: Findings, whole: bool) -> Iterator[TextOrTable]:
    """Yield the tables of a run: all rows (`whole`), or those of a screen."""
    for listing in everything(findings) if whole else screen(findings):
        yield f"\n{listing.head}\n" if listing.head else ""
        yield listing.rows
        yield from rows_left_out(listing.left)
    yield from explain_brackets(findings)


def explain_brackets(findings: Findings) -> Iterator[TextOrTable]:
    """Yield what the numbers in brackets mean, if there are any."""
    if first_player_advantage(findings)["needed"].count():
        yield deals_in_brackets({cell.rotations for cell in findings.run.cells})


def deals_in_brackets(rotations: Iterable[int]) -> str:
    """Return what the numbers in brackets mean, from the games of a deal.

    >>> deals_in_brackets([3, 2])
    '(In brackets: the deals, of 2 to 3 games, that would settle it.)'
    """
    games = sorted(set(rotations))
    size = "" if games == [1] else f", of {ends(str(games[0]), str(games[-1]))} games,"
    return f"(In brackets: the deals{size} that would settle it.)"


def brief_document(brief: Report) -> TableRow:
    """Return the brief as part of a JSON document."""
    step = brief.step._asdict() if brief.step else None
    stamp = brief.stamp.text if brief.stamp else None
    document = {"question": brief.question, "answer": brief.sentence, "stamp": stamp, "step": step}
    lines = brief.by_strength.records() if brief.by_strength else []
    return document | {"by_strength": lines, "limits": brief.limits, "warnings": brief.warnings}


def study_document(findings: Findings, brief: Report) -> TableRow:
    """Return the front of the JSON document of a study."""
    return {"game": findings.run.experiment.game, "confidence": 0.95} | brief_document(brief)


class Listing(NamedTuple):
    """Rows of a table, their heading, and the number of rows left out."""

    rows: list[TableRow]
    head: str = ""
    left: int = 0


def everything(findings: Findings) -> Iterator[Listing]:
    """Yield every match, and every seat of every cell."""
    if matches := _matches(findings):
        yield Listing(matches)
    yield Listing(_every_seat(findings), _head(findings) if matches else "")


def screen(findings: Findings) -> Iterator[Listing]:
    """Yield the matches or best strategies, then the baseline and the fairest and least fair cells."""
    matches, first = _matches(findings), first_player_advantage(findings)
    few = matches if len(matches) <= MAX_MATCHES else _rank_strategies(findings)[:MAX_MATCHES]
    if few:
        yield Listing(few, left=0 if few == matches else len(matches))
    shown_cells = choose_cells(findings, MAX_ROWS - len(few))
    cells = {cell.index: cell for cell in findings.run.cells}
    shown = _verdicts(findings).filter(pl.col("cell").is_in(shown_cells)).rows(named=True)
    rows = [_cell(findings, cells[row["cell"]], row) for row in shown]
    yield Listing(rows, _head(findings) if few else "", first.height - len(rows))


def _head(findings: Findings) -> str:
    if findings.run.role:
        return f"The {findings.run.role}, whoever plays:"
    return SIDES_HEAD if findings.run.sides else SEATS_HEAD


def choose_cells(findings: Findings, most: int) -> set[int]:
    """Return the cells that a screen shows: three quarters close to fair, the rest far from it.

    For a team without a target they are the first, those of the baseline before others.
    """
    first = first_player_advantage(findings)
    if first.height <= most:
        return set(first["cell"])
    if not findings.run.judged:
        return set(first.sort(~pl.col("baseline"), "cell")["cell"].head(most))
    order = dict(zip(settings(findings)["setting"], range(settings(findings).height), strict=True))
    rank = pl.col("setting").replace_strict(order, default=len(order), return_dtype=pl.Int64)
    by_nearness = first.sort(~pl.col("baseline"), rank, DISTANCE_FROM_FAIR, maintain_order=True)["cell"]
    near, rest = by_nearness.head(most * 3 // 4).to_list(), most - most * 3 // 4
    others = first.filter(~pl.col("cell").is_in(near))
    far = others.sort(DISTANCE_FROM_FAIR, descending=True, maintain_order=True)["cell"].head(rest)
    return {*near, *far}


def _verdicts(findings: Findings) -> pl.DataFrame:
    """Return `first_player_advantage` with the verdicts as the page has them."""
    return with_not_equal(first_player_advantage(findings), findings.run.team)


def _cell(findings: Findings, cell: Cell, row: TableRow) -> TableRow:
    """Return a cell in one row; with two seats it has only the first seat's share."""
    columns = labels_of(findings).in_columns(cell.index) | {"lineup": labels_of(findings).lineup(cell.labels)}
    if findings.run.one_share or set(cells(findings)["seats"]) == {2}:
        side = side_of(findings.run).name
        columns |= _share(row, f"{side} wins" if findings.run.one_share else side)
    else:
        seats = seat_shares(findings).filter(cell=row["cell"])
        half = (seats["joint_high"] - seats["joint_low"]).max()
        columns |= {"players win, in order": " / ".join(f"{100 * share:.1f}" for share in seats["share"])}
        columns |= {"±": f"{50 * float(str(half)):.1f}", **_games(row)}
        return columns | verdict_column(row)
    return columns | (_sure(row) if row["verdict"] else {}) | verdict_column(row)


def _every_seat(findings: Findings) -> list[TableRow]:
    """Return the share of each seat, with its strategy where players did not change seats."""
    labels, rows = labels_of(findings), list[TableRow]()
    first = {row["cell"]: row for row in _verdicts(findings).iter_rows(named=True)}
    cells = {cell.index: cell for cell in findings.run.cells}
    for row in seat_shares(findings).iter_rows(named=True):
        cell, verdict = cells[row["cell"]], verdict_column(first[row["cell"]])
        verdict = verdict if row["seat"] == 0 else dict.fromkeys(verdict, "")
        fixed = len(set(cell.labels)) > 1 and not cell.rotates_lineup
        strategy = f" ({labels.strategy(cell.labels[row['seat']])})" if fixed else ""
        columns = labels.in_columns(cell.index) | {"lineup": labels.lineup(cell.labels)}
        columns |= {} if findings.run.one_share else {"seat": seat_name(row["seat"]) + strategy}
        own = f"{side_of(findings.run).name} wins" if findings.run.one_share else "share"
        share = _share(row, own)
        rows.append(columns | share | (_sure(row) if verdict else {}) | verdict)
    return rows


def _share(row: TableRow, name: str) -> TableRow:
    """Return a share with its interval, and adjusted for the bias of stopping where the run has that."""
    columns = {name: percent(row["share"])}
    if "adjusted" in row:
        columns["adjusted"] = "-" if row["adjusted"] is None else percent(row["adjusted"])
    return columns | {"95 % interval": f"{span(row['low'], row['high'], scale=100)} %", **_games(row)}


def _sure(row: TableRow) -> TableRow:
    """Return the interval that the verdict rests on, where it is not the one that the row has already."""
    return {} if "adjusted" in row else {"surely": f"{span(row['ever_low'], row['ever_high'], scale=100)} %"}


def _games(row: TableRow) -> TableRow:
    """Return the number of games; in a run that keeps going also the number that failed."""
    return {"games": row["games"]} | ({"failed": row["failed"]} if "failed" in row else {})


def verdict_column(row: TableRow) -> TableRow:
    """Return a column with the verdict; none for a team without a target."""
    return {} if row["verdict"] is None else {"verdict": verdict_of(row)}


def verdict_of(row: TableRow) -> str:
    """Return a verdict, with the deals that would settle it where it is open."""
    needed = "" if row["needed"] is None else f" ({roughly(row['needed'])})"
    return f"{row['verdict']}{needed}"


def _matches(findings: Findings) -> list[TableRow]:
    """Return the rows of matches between strategies that sat in every seat equally often, the best first."""
    cells = [] if findings.run.team else [cell for cell in findings.run.cells if cell.rotates_lineup]
    if not cells:
        return []
    best_first = strategy_shares(findings).sort("share", descending=True, maintain_order=True)
    ranked = best_first.partition_by("cell", as_dict=True)
    return [row for cell in cells for row in _match(findings, cell, ranked[cell.index,].rows(named=True))]


def _match(findings: Findings, cell: Cell, ranked: list[TableRow]) -> list[TableRow]:
    labels = labels_of(findings)
    names = [labels.strategy(row["strategy"]) for row in ranked]
    texts = [f"{name} among {labels.lineup(cell.labels)}" for name in names]
    if len(names) == cell.seats == 2:
        settled = ranked[0]["low"] > ranked[1]["high"]  # where somebody wins every game: low > 1/2
        texts = [f"{names[0]} beats {names[1]}" if settled else f"{names[0]} against {names[1]}: not settled"]
    return [
        labels.in_columns(cell.index) | {"match": text} | _share(row, "share")
        for text, row in zip(texts, ranked, strict=False)
    ]


def _rank_strategies(findings: Findings) -> list[TableRow]:
    """Return each strategy against all that it met, at the baseline where settings differ."""
    labels, table = labels_of(findings), ranking(findings.at_baseline()).filter("balanced")
    sizes = table["seats"].n_unique() > 1
    return [
        {"strategy": labels.strategy(row["strategy"])}
        | ({"players": row["seats"]} if sizes else {})
        | _share(row, "wins")
        for row in table.iter_rows(named=True)
    ]
