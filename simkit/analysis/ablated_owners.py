"""Who owns the components that were changed by coins, and how often owners win: what goes with, what causes.

Whom the change concerns is settled by luck before the coin matters: the seat to which the component falls,
to which it is dealt, or that is on turn when it first comes on offer. Owners are others: who takes a
component also follows from its coin, so that a plain card is owned by the desperate. Seats to which it falls
are the same on both sides of the coin, and what differs between them is the effect of the change on them
(intention to treat), whether they then take it or not; conditioning on what the coin may change would undo
the draw (Rosenbaum 1984, J. R. Stat. Soc. A 147, 656-666; Frangakis & Rubin 2002, Biometrics 58, 21-29). It
assumes that nobody plays for what has not come yet. A coin for all seats cannot be the instrument of Imbens
& Angrist 1994 (Econometrica 62, 467-475) for owning: it changes what all others may own, too.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from simkit.analysis.ablation import OF_BLOCK, Columns, effects_table, parts_of, thrown
from simkit.analysis.deals import MANY
from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import text
from simkit.engine.ablation import BLOCK
from simkit.runs.experiment import Cell
from simkit.runs.run import Run
from simkit.stats.coins import false_discoveries, gaps, ratio_changes

CHUNK = 1024 * BLOCK  # deals whose log is in memory
ONE_SIDED = 0.9  # where so many fall to one seat luck does not say to whom
STARTING_TURN = 1  # the turn in which what a seat has of the start may be what it chose
KEY = ("play", "piece", "seat")
Table = pl.DataFrame


class Log(NamedTuple):
    """Some traced games of a cell: their seats with place and block, events of components, who acts when."""

    seats: Table
    events: Table
    acting: Table


class Side(NamedTuple):
    """What some seats won and how many they were, [place, block, component]."""

    won: np.ndarray
    seats: np.ndarray

    @classmethod
    def joined(cls, parts: list["Side"]) -> "Side":
        return cls(*(np.concatenate(arrays, axis=1) for arrays in zip(*parts, strict=True)))


class Sums(NamedTuple):
    """The sums of blocks of deals, and by component the last turn in which somebody came to own it."""

    everybody: Side  # [place, block, 1]
    owners: Side
    fell: Side
    late: dict[str, int]


@finding
def ablation_owners(findings: Findings) -> pl.DataFrame:
    """Per cell and component: what changing it does to the seat that it falls to, and who wins with it.

    Of traced games. Owners are the seats that play it, where pieces are taken first and played later, else
    those that had it. owned, owned_changed: owners in a game; gap: as printed, how much more often owners
    win than all in their place (seat and strategy): an association, unless `lot`: all owners were dealt it
    in the setup, so that luck says who they are (with gap_p, gap_p_adjusted). fell: games in which it fell
    to a seat, as dealt in the setup, drawn, or first on offer in its turn; effect: how often that seat wins
    with the component changed less as printed, by place; null where it falls to one seat, or to none on a
    side. low, high: 95 %; p_adjusted as in `ablation`. Formulas and sources: `simkit.stats.coins`.
    """
    run = findings.run
    if not (run.words.ablation and run.experiment.trace and run.has_pieces) or run.team:
        return pl.DataFrame()
    tables = [_cell_table(run, cell) for cell in run.cells if parts_of(run, cell.index)]
    return findings.with_cells(pl.concat(tables)) if tables else pl.DataFrame()


def _cell_table(run: Run, cell: Cell) -> Table:
    labels, deals = parts_of(run, cell.index), min(run.experiment.trace, cell.deals)
    places = pl.DataFrame(list(_places(cell)), schema=["seat", "strategy"], orient="row").with_row_index(
        "place"
    )
    parts = [_sums(run, cell, places, (low, min(low + CHUNK, deals))) for low in range(0, deals, CHUNK)]
    everybody = Side.joined([part.everybody for part in parts])
    owners, fell = (
        Side.joined([part.owners for part in parts]), Side.joined([part.fell for part in parts])
    )  # fmt: skip
    changed = thrown(run, cell.index, np.arange(everybody.seats.shape[1]))
    gap = gaps(*(values * ~changed for values in (*owners, *everybody)))
    lots = np.array([_by_lot(parts, label) for label in labels])
    by_lot = np.where(lots, gap.p, np.nan)
    games = np.minimum(BLOCK, deals - BLOCK * np.arange(len(changed))) * cell.rotations
    numbers = {
        "owned": _per_game(owners, ~changed, games), "owned_changed": _per_game(owners, changed, games),
        "gap": gap.effect, "gap_low": gap.low, "gap_high": gap.high,
        "gap_p": by_lot, "gap_p_adjusted": false_discoveries(by_lot),
    }  # fmt: skip
    columns: Columns = {"component": labels, "lot": lots, "fell": fell.seats.sum(axis=(0, 1)).astype(int)}
    columns |= {name: pl.Series(values).fill_nan(None) for name, values in numbers.items()}
    by_luck = ~_one_sided(fell, places["seat"].to_numpy()) & _single(run, labels)
    beyond = (fell.won - _means(everybody) * fell.seats).sum(axis=0)
    change = ratio_changes(changed, beyond * by_luck, fell.seats.sum(axis=0) * by_luck)
    return effects_table({"cell": cell.index}, columns, change, "effect", "low", "high")


def _single(run: Run, labels: list[str]) -> np.ndarray:
    """Which components have one copy: whom a second one falls to hangs on what was done with the first."""
    copies = {part.label: part.copies for part in run.words.ablation.parts} if run.words.ablation else {}
    return np.array([copies[label] == 1 for label in labels])


def _by_lot(parts: list["Sums"], label: str) -> bool:
    """Whether every owner of a component had it from the setup."""
    late = [part.late[label] for part in parts if label in part.late]
    return bool(late) and max(late) == 0


def _places(cell: Cell) -> Iterator[tuple[int, str]]:
    """Who may sit where, each once."""
    yield from dict.fromkeys(
        (seat, cell.labels[(seat + turn) % cell.seats])
        for turn in range(cell.rotations)
        for seat in range(cell.seats)
    )


def _sums(run: Run, cell: Cell, places: Table, span: tuple[int, int]) -> Sums:
    log, labels = _log(run, cell, places, span), parts_of(run, cell.index)
    first, blocks = span[0] // BLOCK, -(-(span[1] - span[0]) // BLOCK)
    shape = (places.height, blocks, len(labels))
    column_of = {label: place for place, label in enumerate(labels)}

    def side(holders: Table) -> Side:
        sums = holders.join(log.seats, on=["play", "seat"]).group_by("place", "block", "piece")
        totals = sums.agg(pl.col("share").sum(), many=MANY)
        component = totals["piece"].replace_strict(column_of, return_dtype=pl.Int64)
        return _scatter(shape, (totals["place"], totals["block"] - first, component), totals)

    all_seats = log.seats.group_by("place", "block").agg(pl.col("share").sum(), many=MANY)
    filled = _scatter(shape[:2], (all_seats["place"], all_seats["block"] - first), all_seats)
    everybody = Side(*(sums[:, :, np.newaxis] for sums in filled))
    own = log.events.filter(pl.col("event").is_in(_owning(run)))
    late = dict(own.group_by("piece").agg(pl.col("turn").max()).iter_rows())
    return Sums(everybody, side(own.select(KEY).unique()), side(_receivers(log)), late)


def _log(run: Run, cell: Cell, places: Table, span: tuple[int, int]) -> Log:
    inside = (pl.col("cell") == cell.index) & pl.col("deal").is_between(*span, closed="left")
    part, turn = run.between(*span), pl.col("turn").cast(pl.Int64)
    seat, block = pl.col("seat").cast(pl.Int64), OF_BLOCK.alias("block")
    seats = part.seats().filter(inside).select("play", seat, "share", block, text("strategy")).collect()
    names = pl.col("event", "piece").cast(pl.String)
    pieces = part.pieces().filter(inside).select("play", names, seat, turn)
    events = pieces.filter(pl.col("piece").is_in(parts_of(run, cell.index))).collect()
    turns = part.turns().filter(inside & (pl.col("steps") > 0))
    acting = turns.select("play", seat, turn).collect()
    return Log(seats.join(places, on=["seat", "strategy"]), events, acting)


def _owning(run: Run) -> list[str]:
    """What happens to a piece when a seat becomes its owner."""
    return ["played"] if run.words.played and run.words.piece_use == "played" else ["taken", "given"]


def _receivers(log: Log) -> Table:
    """The one seat that a component falls to, by game: who is dealt or draws it, or may take it first."""
    given = log.events.filter((pl.col("event") == "given") & (pl.col("turn") != STARTING_TURN))
    offered = log.events.filter(event="offered").group_by("play", "piece").agg(pl.col("turn").min())
    takers = offered.join(log.acting, on=["play", "turn"])
    rows = pl.concat([part.select(*KEY, "turn") for part in (given, takers)], how="vertical_relaxed")
    first = rows.filter(pl.col("turn") == pl.col("turn").min().over("play", "piece")).unique()
    return first.filter(pl.len().over("play", "piece") == 1).select(KEY)


def _one_sided(fell: Side, seat_of_place: np.ndarray) -> np.ndarray:
    """Which components always, or nearly so, fall to one seat: where luck does not say to whom."""
    masks = [seat_of_place == seat for seat in np.unique(seat_of_place)]
    by_seat = np.array([fell.seats[mask].sum(axis=(0, 1)) for mask in masks])
    return by_seat.max(axis=0) >= ONE_SIDED * np.maximum(by_seat.sum(axis=0), 1)  # type: ignore[no-any-return]


def _means(everybody: Side) -> np.ndarray:
    """What a seat wins on average, by place."""
    won, seats = (sums.sum(axis=1, keepdims=True) for sums in everybody)
    return won / seats  # type: ignore[no-any-return]


def _per_game(owners: Side, side: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Owners in a game, of the games on a side of the coins."""
    played, owned = (side.T @ games).astype(float), (side * owners.seats.sum(axis=0)).sum(axis=0)
    return owned / np.where(played > 0, played, np.nan)  # type: ignore[no-any-return]


def _scatter(shape: tuple[int, ...], index: tuple[pl.Series, ...], totals: Table) -> Side:
    """The sums at their places, and zeros."""
    tables = np.zeros(shape), np.zeros(shape)
    for table, name in zip(tables, ("share", "many"), strict=True):
        table[tuple(positions.to_numpy() for positions in index)] = totals[name].to_numpy()
    return Side(*tables)
