"""Owners of the components of an ablation, and how often owners win: association and effect.

The seat concerned by a change is determined by luck before the coin matters: the seat to which the component
falls, to which it is dealt, or that is on turn when the component is first on offer. Owners are not
determined in this way: taking a component also depends on its coin, so that a weakened card is owned by
seats that are desperate. The seats to which a component falls are the same on both sides of the coin, and
the difference between the sides is the effect of the change on these seats (intention to treat), whether or
not they then take the component; conditioning on anything that the coin may change would undo the
randomisation (Rosenbaum 1984, J. R. Stat. Soc. A 147, 656-666; Frangakis & Rubin 2002, Biometrics 58, 21-29).
The analysis assumes that nobody plays for components that have not appeared yet. A coin that applies to all
seats cannot be the instrument of Imbens & Angrist 1994 (Econometrica 62, 467-475) for owning a component: it
also changes what all other seats may own.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from simkit.analysis.ablation import OF_BLOCK, Columns, effects_table, parts_of, thrown
from simkit.analysis.deals import COUNT
from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import text
from simkit.engine.ablation import BLOCK
from simkit.runs.experiment import Cell
from simkit.runs.run import Run
from simkit.stats.coins import false_discoveries, gaps, ratio_changes

CHUNK = 1024 * BLOCK  # deals whose log is held in memory
ONE_SIDED = 0.9  # fraction of a component's falls to one seat from which luck is not taken to choose the seat
STARTING_TURN = 1  # pieces given in this turn may be a seat's own choice of what it starts with
KEY = ("play", "piece", "seat")
Table = pl.DataFrame


class Log(NamedTuple):
    """Traced games of a cell: seats with place and block, component events, and acting seats by turn."""

    seats: Table
    events: Table
    acting: Table


class Side(NamedTuple):
    """Shares won by some seats, and the number of these seats: two arrays [place, block, component]."""

    won: np.ndarray
    seats: np.ndarray

    @classmethod
    def joined(cls, parts: list["Side"]) -> "Side":
        """Return the sums of several ranges of deals, concatenated along the blocks."""
        return cls(*(np.concatenate(arrays, axis=1) for arrays in zip(*parts, strict=True)))


class Sums(NamedTuple):
    """Sums over blocks of deals, and by component the last turn in which a seat came to own it."""

    everybody: Side  # [place, block, 1]
    owners: Side
    fell: Side
    late: dict[str, int]


@finding
def ablation_owners(findings: Findings) -> pl.DataFrame:
    """Per cell and component: effect of the change on the seat to which it falls, and win rate of owners.

    Computed from traced games. Owners are the seats that play the component, where pieces are taken first and
    played later, else the seats that had it. owned, owned_changed: owners per game, as printed and changed;
    gap: win share of owners less that of all seats in the same place (seat and strategy), as printed: an
    association, unless `lot`: all owners were dealt the component in the setup, so that luck determines them
    (with gap_p and gap_p_adjusted). fell: games in which the component fell to a seat, as dealt in the setup,
    drawn, or first on offer in the seat's turn; effect: win share of that seat with the component changed
    less as printed, by place; null where the component falls to one seat only, or to no seat on one side of
    the coin. low, high: 95 % interval; p_adjusted: as in `ablation`. Formulas and sources:
    `simkit.stats.coins`.
    """
    run = findings.run
    if not (run.words.ablation and run.experiment.trace and run.has_pieces) or run.team:
        return pl.DataFrame()
    tables = [_cell_table(run, cell) for cell in run.cells if parts_of(run, cell.index)]
    return findings.with_cells(pl.concat(tables)) if tables else pl.DataFrame()


def _cell_table(run: Run, cell: Cell) -> Table:
    """Return the rows of `ablation_owners` for one cell."""
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
    """Return a mask of the components with one copy; the receiver of a second copy depends on the first."""
    copies = {part.label: part.copies for part in run.words.ablation.parts} if run.words.ablation else {}
    return np.array([copies[label] == 1 for label in labels])


def _by_lot(parts: list["Sums"], label: str) -> bool:
    """Return whether every owner of a component had it from the setup."""
    late = [part.late[label] for part in parts if label in part.late]
    return bool(late) and max(late) == 0


def _places(cell: Cell) -> Iterator[tuple[int, str]]:
    """Yield each distinct pair of seat and strategy label that the rotations of a cell produce."""
    yield from dict.fromkeys(
        (seat, cell.labels[(seat + turn) % cell.seats])
        for turn in range(cell.rotations)
        for seat in range(cell.seats)
    )


def _sums(run: Run, cell: Cell, places: Table, span: tuple[int, int]) -> Sums:
    """Return the sums of everybody, owners and receivers over the blocks of a range of deals."""
    log, labels = _log(run, cell, places, span), parts_of(run, cell.index)
    first, blocks = span[0] // BLOCK, -(-(span[1] - span[0]) // BLOCK)
    shape = (places.height, blocks, len(labels))
    column_of = {label: place for place, label in enumerate(labels)}

    def side(holders: Table) -> Side:
        """Return the sums of the seats and components in `holders`, with zeros elsewhere."""
        sums = holders.join(log.seats, on=["play", "seat"]).group_by("place", "block", "piece")
        totals = sums.agg(pl.col("share").sum(), n=COUNT)
        component = totals["piece"].replace_strict(column_of, return_dtype=pl.Int64)
        return _scatter(shape, (totals["place"], totals["block"] - first, component), totals)

    all_seats = log.seats.group_by("place", "block").agg(pl.col("share").sum(), n=COUNT)
    filled = _scatter(shape[:2], (all_seats["place"], all_seats["block"] - first), all_seats)
    everybody = Side(*(sums[:, :, np.newaxis] for sums in filled))
    own = log.events.filter(pl.col("event").is_in(_owning(run)))
    late = dict(own.group_by("piece").agg(pl.col("turn").max()).iter_rows())
    return Sums(everybody, side(own.select(KEY).unique()), side(_receivers(log)), late)


def _log(run: Run, cell: Cell, places: Table, span: tuple[int, int]) -> Log:
    """Read the traced games of a cell within a range of deals."""
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
    """Return the events by which a seat becomes the owner of a piece."""
    return ["played"] if run.words.played and run.words.piece_use == "played" else ["taken", "given"]


def _receivers(log: Log) -> Table:
    """Return by game the one seat to which a component falls: dealt, drawn, or first to have it on offer."""
    given = log.events.filter((pl.col("event") == "given") & (pl.col("turn") != STARTING_TURN))
    offered = log.events.filter(event="offered").group_by("play", "piece").agg(pl.col("turn").min())
    takers = offered.join(log.acting, on=["play", "turn"])
    rows = pl.concat([part.select(*KEY, "turn") for part in (given, takers)], how="vertical_relaxed")
    first = rows.filter(pl.col("turn") == pl.col("turn").min().over("play", "piece")).unique()
    return first.filter(pl.len().over("play", "piece") == 1).select(KEY)


def _one_sided(fell: Side, seat_of_place: np.ndarray) -> np.ndarray:
    """Return a mask of the components that (nearly) always fall to the same seat, not by luck."""
    masks = [seat_of_place == seat for seat in np.unique(seat_of_place)]
    by_seat = np.array([fell.seats[mask].sum(axis=(0, 1)) for mask in masks])
    return by_seat.max(axis=0) >= ONE_SIDED * np.maximum(by_seat.sum(axis=0), 1)  # type: ignore[no-any-return]


def _means(everybody: Side) -> np.ndarray:
    """Return the mean share won by a seat, by place."""
    won, seats = (sums.sum(axis=1, keepdims=True) for sums in everybody)
    return won / seats  # type: ignore[no-any-return]


def _per_game(owners: Side, side: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Return the number of owners per game, among the games on one side of the coins."""
    played, owned = (side.T @ games).astype(float), (side * owners.seats.sum(axis=0)).sum(axis=0)
    return owned / np.where(played > 0, played, np.nan)  # type: ignore[no-any-return]


def _scatter(shape: tuple[int, ...], index: tuple[pl.Series, ...], totals: Table) -> Side:
    """Return arrays of the given shape with the sums at their indices and zeros elsewhere."""
    tables = np.zeros(shape), np.zeros(shape)
    for table, name in zip(tables, ("share", "n"), strict=True):
        table[tuple(positions.to_numpy() for positions in index)] = totals[name].to_numpy()
    return Side(*tables)
