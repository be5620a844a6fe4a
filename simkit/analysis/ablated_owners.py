"""Owners of the components of an ablation, and how often owners win: association and effect.

The seat concerned by a change is determined by luck before the coin matters: the seat to which the component
falls, to which it is dealt, or that is on turn when the component is first on offer. Owners are not
determined in this way: taking a component also depends on its coin, so that a weakened card is owned by
seats that are desperate. The seats to which a component falls are the same on both sides of the coin, and
the difference between the sides is the effect of the change on these seats (intention to treat), whether or
not they then take the component; conditioning on anything that the coin may change would undo the
randomisation (Rosenbaum 1984, J. R. Stat. Soc. A 147, 656-666; Frangakis & Rubin 2002, Biometrics 58, 21-29).
The analysis assumes that nobody plays for components that have not appeared yet.
"""

from typing import NamedTuple

import numpy as np
import polars as pl

from simkit.analysis.ablation import OF_BLOCK, Columns, effects_table, parts_of, thrown
from simkit.analysis.deals import COUNT
from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import text
from simkit.engine.ablation import BLOCK
from simkit.runs.folder import Run
from simkit.runs.plan import Cell
from simkit.stats.coins import false_discoveries, gaps, ratio_changes

ONE_SIDED = 0.9  # fraction of a component's falls to one seat from which luck is not taken to choose the seat
STARTING_TURN = 1  # pieces given in this turn may be a seat's own choice of what it starts with
OWNER_KEY = ["play", "piece", "seat"]
Places = dict[tuple[int, str], int]  # index of each pair of seat and strategy


class Log(NamedTuple):
    """Traced games of a cell: seats with place and block, component events, and acting seats by turn."""

    seats: pl.DataFrame
    events: pl.DataFrame
    acting: pl.DataFrame


class Side(NamedTuple):
    """Shares won by some seats, and the number of these seats: two arrays [place, block, component]."""

    won: np.ndarray
    seats: np.ndarray


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
    the coin. low, high, joint_low, joint_high and p_adjusted: as in `ablation`. Formulas and sources:
    `simkit.stats.coins`.
    """
    run = findings.run
    if not (run.words.ablation and run.experiment.trace and run.has_pieces) or run.team:
        return pl.DataFrame()
    tables = [_cell_table(run, cell) for cell in run.cells if parts_of(run, cell.index)]
    return findings.with_cells(pl.concat(tables)) if tables else pl.DataFrame()


def _cell_table(run: Run, cell: Cell) -> pl.DataFrame:
    """Return the rows of `ablation_owners` for one cell."""
    labels, places = parts_of(run, cell.index), _places(cell)
    deals = min(run.experiment.trace, cell.deals)
    log, shape = _log(run, cell, places, deals), (len(places), -(-deals // BLOCK))
    own = log.events.filter(pl.col("event").is_in(_owning(run)))
    everybody = _side(log.seats, (*shape, 1))
    owners, fell = (
        _side(holders.join(log.seats, on=["play", "seat"]), (*shape, len(labels)), labels)
        for holders in (own.select(OWNER_KEY).unique(), _receivers(log))
    )
    changed = thrown(run, cell.index, np.arange(shape[1]))
    gap = gaps(*(values * ~changed for values in (*owners, *everybody)))
    last_turn = dict(own.group_by("piece").agg(pl.col("turn").max()).iter_rows())
    lots = np.array([last_turn.get(label) == 0 for label in labels])
    by_lot = np.where(lots, gap.p, np.nan)
    games = np.minimum(BLOCK, deals - BLOCK * np.arange(shape[1])) * cell.rotations
    numbers = {
        "owned": _per_game(owners, ~changed, games), "owned_changed": _per_game(owners, changed, games),
        "gap": gap.effect, "gap_low": gap.low, "gap_high": gap.high,
        "gap_p": by_lot, "gap_p_adjusted": false_discoveries(by_lot),
    }  # fmt: skip
    front: Columns = {"cell": cell.index, "component": labels, "lot": lots}
    front |= {"fell": fell.seats.sum(axis=(0, 1)).astype(int)}
    front |= {name: pl.Series(values).fill_nan(None) for name, values in numbers.items()}
    by_luck = ~_one_sided(fell, places) & _single(run, labels)
    mean = everybody.won.sum(axis=1, keepdims=True) / everybody.seats.sum(axis=1, keepdims=True)
    beyond = (fell.won - mean * fell.seats).sum(axis=0)
    change = ratio_changes(changed, beyond * by_luck, fell.seats.sum(axis=0) * by_luck)
    return effects_table(front, change)


def _single(run: Run, labels: list[str]) -> np.ndarray:
    """Return a mask of the components with one copy; the receiver of a second copy depends on the first."""
    copies = {part.label: part.copies for part in run.words.ablation.parts} if run.words.ablation else {}
    return np.array([copies[label] == 1 for label in labels])


def _places(cell: Cell) -> Places:
    """Return the distinct pairs of seat and strategy label that the rotations of a cell produce."""
    pairs = dict.fromkeys(
        (seat, cell.labels[(seat + turn) % cell.seats])
        for turn in range(cell.rotations)
        for seat in range(cell.seats)
    )
    return {pair: place for place, pair in enumerate(pairs)}


def _log(run: Run, cell: Cell, places: Places, deals: int) -> Log:
    """Read the traced games of a cell."""
    inside = (pl.col("cell") == cell.index) & (pl.col("deal") < deals)
    part, turn, seat = run.between(0, deals), pl.col("turn").cast(pl.Int64), pl.col("seat").cast(pl.Int64)
    rows = [(*pair, place) for pair, place in places.items()]
    indexed = pl.LazyFrame(rows, schema=["seat", "strategy", "place"], orient="row")
    seats = part.seats().filter(inside).select("play", seat, "share", OF_BLOCK, text("strategy"))
    events = part.pieces().filter(inside).select("play", text("event"), text("piece"), seat, turn)
    acting = part.turns().filter(inside & (pl.col("steps") > 0)).select("play", seat, turn)
    parts = pl.col("piece").is_in(parts_of(run, cell.index))
    tables = [seats.join(indexed, on=["seat", "strategy"]), events.filter(parts), acting]
    return Log(*pl.collect_all(tables, engine="streaming"))


def _side(rows: pl.DataFrame, shape: tuple[int, int, int], labels: list[str] | None = None) -> Side:
    """Return the sums of shares and seats by place, block and component; without labels as one component."""
    number = {label: place for place, label in enumerate(labels or [])}
    piece = pl.col("piece").replace_strict(number, return_dtype=pl.Int64) if labels else pl.lit(0)
    sums = rows.group_by("place", "block", piece.alias("part")).agg(pl.col("share").sum(), n=COUNT)
    index = tuple(sums[name].to_numpy() for name in ("place", "block", "part"))
    side = Side(np.zeros(shape), np.zeros(shape))
    side.won[index], side.seats[index] = sums["share"].to_numpy(), sums["n"].to_numpy()
    return side


def _owning(run: Run) -> list[str]:
    """Return the events by which a seat becomes the owner of a piece."""
    return ["played"] if run.words.played and run.words.piece_use == "played" else ["taken", "given"]


def _receivers(log: Log) -> pl.DataFrame:
    """Return by game the one seat to which a component falls: dealt, drawn, or first to have it on offer."""
    given = log.events.filter((pl.col("event") == "given") & (pl.col("turn") != STARTING_TURN))
    offered = log.events.filter(event="offered").group_by("play", "piece").agg(pl.col("turn").min())
    takers = offered.join(log.acting, on=["play", "turn"])
    rows = pl.concat([part.select(*OWNER_KEY, "turn") for part in (given, takers)])
    first = rows.filter(pl.col("turn") == pl.col("turn").min().over("play", "piece")).unique()
    return first.filter(pl.len().over("play", "piece") == 1).select(OWNER_KEY)


def _one_sided(fell: Side, places: Places) -> np.ndarray:
    """Return a mask of the components that (nearly) always fall to the same seat, not by luck."""
    seats, falls = np.array([seat for seat, _ in places]), fell.seats.sum(axis=1)
    by_seat = np.array([falls[seats == seat].sum(axis=0) for seat in np.unique(seats)])
    return by_seat.max(axis=0) >= ONE_SIDED * np.maximum(by_seat.sum(axis=0), 1)  # type: ignore[no-any-return]


def _per_game(owners: Side, side: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Return the number of owners per game, among the games on one side of the coins."""
    played, owned = (side.T @ games).astype(float), (side * owners.seats.sum(axis=0)).sum(axis=0)
    return owned / np.where(played > 0, played, np.nan)  # type: ignore[no-any-return]
