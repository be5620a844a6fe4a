"""Questions: Measure the effect of each component (card, tile …).

The function, the table of effects, and the table of owners; formulas and sources: `simkit.stats.coins`.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, Unpack

import numpy as np
import polars as pl

from simkit.ask import texts
from simkit.ask.arguments import Keywords, Shell, Texts, Trace, Word
from simkit.ask.execution import Execution
from simkit.ask.question import question
from simkit.ask.requests import ask
from simkit.ask.results import Result, answer
from simkit.engine import ablation, registry
from simkit.engine.ablation import BLOCK, coins
from simkit.errors import UsageError
from simkit.runs.experiment import Deals, Share
from simkit.runs.folder import Run
from simkit.runs.plan import Cell
from simkit.stats.coins import Effects, false_discoveries, gaps, main_effects, ratio_changes
from simkit.tables.findings import Findings, as_text, finding
from simkit.tables.reading import COUNT, LOG, Block, text_columns, whole

TRACED = 20_000  # default number of deals in which the owners of components are traced


@question(shell=("table",))
def ablate(
    execution: Execution,
    game: Word,
    *,
    how: Annotated[str, Shell(metavar="WAY")] = "",
    components: Annotated[Texts, Shell(metavar="A,B,...", parse=texts.words, repeatable=True)] = (),
    rate: Annotated[Share, Shell(metavar="P")] | None = None,
    deals: Deals = 20_000,
    trace: Trace | None = None,
    **keywords: Unpack[Keywords],
) -> Result:
    """Measure the effect of each component (card, tile …).

    You get the effect of each component on who wins, on the length of a game and on the seat that has it,
    each with its interval, next to how often its owners win. Coins decide which components are changed in
    which deals, so that each deal says something about all of them.

    Args:
        game: Name of the game.
        how: One of the game's ways to change components, which `simkit rules GAME` lists; by default the
            first.
        components: Names or kinds of components; by default all.
        rate: Part of the deals in which each component is changed.
        deals: Deals per cell.
        trace: Deals in which the owners of components are traced; by default 20,000.

    Returns:
        The findings of the run, with `result.ablation` and `result.ablation_owners`.

    Raises:
        UsageError: The game's components cannot be changed, or a name is unknown.

    Example:
        >>> result = ablate("charms", deals=400)
        >>> result.ablation.columns[:2]
        ['cell', 'setting']

    Command line::

        simkit ablate outpost_seven --how blank --deals 50000
    """
    definition = registry.game(game)
    if duplicates := [name for place, name in enumerate(components) if name and name in components[:place]]:
        raise UsageError(f"components: {duplicates[0]} is given twice")
    changes = {"how": ablation.way_of(definition, how).name, "components": components, "rate": rate}
    has_owners = not definition.team and definition.pieces is not None
    traced = min(deals, TRACED) if trace is None else trace
    keys = {**keywords, "deals": deals, "ablate": changes, "trace": traced if has_owners else 0}
    return answer(execution, ask(game, f"What do the components of {definition.title} do?", keys))


# Effects of components. Coins (`engine.ablation`) decide whether a component is changed, and nothing else, so
# that the difference between the two sides of a coin is an effect of the change, whereas the tables of
# components and pieces show associations with winning. The unit is the block of deals with the same coins.

OF_BLOCK = (pl.col("deal") // BLOCK).alias("block")
BLOCKS = [pl.col("cell").cast(pl.Int64), OF_BLOCK]
SHARE, TURNS, STRATEGY = "share", "turns", "strategy"  # measures
Columns = dict[str, Any]


@finding
def ablation_table(findings: Findings) -> pl.DataFrame:
    """Per cell, measure and component: effect of changing the component; only for runs with `ablate`.

    measure: share (of the first player, or of the team, side or role that is judged), turns (of a game),
    strategy (share of `strategy`).
    mean: over all games; changed: deals in which the component was changed; effect: mean with the component
    changed less as printed, averaged over the coins of the other components; low, high: 95 % interval;
    joint_low, joint_high: interval among all components, which excludes 0 where p_adjusted is below 0.05
    (`simkit.stats.coins.false_coverage`); p_adjusted: false discovery rate among the components of this
    measure and cell (Benjamini and Hochberg). Sorted by significance, then by absolute effect.
    """
    if findings.run.words.ablation is None:
        return pl.DataFrame()
    tables = [_effects(findings, cell) for cell in findings.run.cells if parts_of(findings.run, cell.index)]
    return findings.with_cells(pl.concat(tables)) if tables else pl.DataFrame()


def _effects(findings: Findings, cell: Cell) -> pl.DataFrame:
    """Return the rows of `ablation` for one cell."""
    sums = block_sums(findings).filter(pl.col("cell") == cell.index, pl.col("judged") > 0)
    flips, games = flips_of(findings.run, cell.index, sums["block"].to_numpy()), sums["games"]
    measures: list[tuple[str, str | None, pl.Series, pl.Series]]
    measures = [(SHARE, None, sums["share"], sums["judged"]), (TURNS, None, sums["turns"], games)]
    for name in strategies_of(cell):
        own = strategy_sums(findings).filter(cell=cell.index, strategy=name)
        measures.append((STRATEGY, name, own["share"], own["seats"]))
    changed = flips.T.astype(np.int64) @ (games // cell.rotations).to_numpy()
    tables = []
    for measure, strategy, total, counts in measures:
        effects = main_effects(flips, (total / counts).to_numpy(), counts.to_numpy())
        front: Columns = {"cell": cell.index, "measure": measure, "strategy": strategy}
        own_columns: Columns = {"component": parts_of(findings.run, cell.index), "changed": changed}
        mean = float(total.sum()) / float(counts.sum())
        tables.append(effects_table(front | {"mean": mean} | own_columns, effects))
    return pl.concat(tables)


def parts_of(run: Run, cell: int) -> list[str]:
    """Return the labels of the components that were changed in a cell."""
    study = run.words.ablation
    return [part.label for part in study.parts if not part.cells or cell in part.cells] if study else []


def flips_of(run: Run, cell: int, blocks: np.ndarray) -> np.ndarray:
    """Return the coins of blocks of deals, bool[block, component]; true where the component was changed."""
    study = run.words.ablation
    return coins(run.experiment.seed, blocks, parts_of(run, cell), study.rate if study else 0.0)


def strategies_of(cell: Cell) -> list[str]:
    """Return the strategies of a cell whose shares are analysed.

    No strategy of a mirror or a team, the first of two (the other share follows), else all.
    """
    names = list(dict.fromkeys(cell.labels))
    return [] if len(names) == 1 or cell.team else names[:1] if len(names) == 2 else names


@LOG("cell", "block")
def block_sums(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum per block games, their turns, and what seat 0 (or the side or role that is judged) wins.

    judged: the games that count for it, all but those without the role.
    """
    if findings.run.words.ablation is None:
        return None
    games = block.games.group_by(BLOCKS).agg(games=COUNT, turns=pl.col("turns").cast(pl.Float64).sum())
    judged = findings.run.judged_rows(block.seats).filter(pl.col("seat") == 0)
    first = judged.group_by(BLOCKS).agg(share=pl.col("share").sum(), judged=COUNT)
    return pl.concat([games, first], how="diagonal")


@LOG("cell", "block", "strategy")
def strategy_sums(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum per block the seats of each strategy, and the shares that they won."""
    if findings.run.words.ablation is None:
        return None
    return block.seats.group_by(*BLOCKS, as_text("strategy")).agg(seats=COUNT, share=pl.col("share").sum())


def effects_table(columns: Columns, effects: Effects) -> pl.DataFrame:
    """Return columns and effects by component, the most significant and greatest first; nan becomes null."""
    values = effects._asdict() | {"p_adjusted": false_discoveries(effects.p)}
    columns = columns | {name: pl.Series(value).fill_nan(None) for name, value in values.items()}
    keys = ["p_adjusted", pl.col("effect").abs()]
    table = pl.DataFrame(columns, schema_overrides=whole("cell") | text_columns("strategy"))
    return table.sort(keys, descending=[False, True], nulls_last=True, maintain_order=True)


# Owners of components: how often they win, and the effect on the seats to which luck lets a component fall.

ONE_SIDED = 0.9  # fraction of a component's falls to one seat from which luck is not taken to choose the seat
STARTING_TURN = 1  # pieces given in this turn may be a seat's own choice of what it starts with
OWNER_KEY = ["play", "piece", "seat"]
Places = dict[tuple[int, str], int]  # index of each pair of seat and strategy


class TracedGames(NamedTuple):
    """Traced games of a cell: seats with place and block, component events, and acting seats by turn."""

    seats: pl.DataFrame
    events: pl.DataFrame
    acting: pl.DataFrame


class SharesWon(NamedTuple):
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
    changed = flips_of(run, cell.index, np.arange(shape[1]))
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
    by_luck = ~_one_sided_mask(fell, places) & _single(run, labels)
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
        (seat, cell.labels[(seat + turn) % cell.seats]) for turn in cell.turns for seat in range(cell.seats)
    )
    return {pair: place for place, pair in enumerate(pairs)}


def _log(run: Run, cell: Cell, places: Places, deals: int) -> TracedGames:
    """Read the traced games of a cell."""
    inside = (pl.col("cell") == cell.index) & (pl.col("deal") < deals)
    part, turn, seat = run.between(0, deals), pl.col("turn").cast(pl.Int64), pl.col("seat").cast(pl.Int64)
    rows = [(*pair, place) for pair, place in places.items()]
    indexed = pl.LazyFrame(rows, schema=["seat", "strategy", "place"], orient="row")
    seats = part.seats().filter(inside).select("play", seat, "share", OF_BLOCK, as_text("strategy"))
    events = part.pieces().filter(inside).select("play", as_text("event"), as_text("piece"), seat, turn)
    acting = part.turns().filter(inside & (pl.col("steps") > 0)).select("play", seat, turn)
    parts = pl.col("piece").is_in(parts_of(run, cell.index))
    tables = [seats.join(indexed, on=["seat", "strategy"]), events.filter(parts), acting]
    return TracedGames(*pl.collect_all(tables, engine="streaming"))


def _side(rows: pl.DataFrame, shape: tuple[int, int, int], labels: list[str] | None = None) -> SharesWon:
    """Return the sums of shares and seats by place, block and component; without labels as one component."""
    number = {label: place for place, label in enumerate(labels or [])}
    piece = pl.col("piece").replace_strict(number, return_dtype=pl.Int64) if labels else pl.lit(0)
    sums = rows.group_by("place", "block", piece.alias("part")).agg(pl.col("share").sum(), n=COUNT)
    index = tuple(sums[name].to_numpy() for name in ("place", "block", "part"))
    side = SharesWon(np.zeros(shape), np.zeros(shape))
    side.won[index], side.seats[index] = sums["share"].to_numpy(), sums["n"].to_numpy()
    return side


def _owning(run: Run) -> list[str]:
    """Return the events by which a seat becomes the owner of a piece."""
    return ["played"] if run.words.played and run.words.piece_use == "played" else ["taken", "given"]


def _receivers(log: TracedGames) -> pl.DataFrame:
    """Return by game the one seat to which a component falls: dealt, drawn, or first to have it on offer.

    Luck determines this seat before the coin matters. It does not determine owners: taking a component also
    depends on its coin, so that a weakened card is owned by seats that are desperate. The seats to which a
    component falls are the same on both sides of the coin, and the difference between the sides is the effect
    of the change on these seats (intention to treat), whether or not they then take the component.
    Conditioning on anything that the coin may change would undo the randomisation (Rosenbaum 1984, J. R.
    Stat. Soc. A 147, 656-666; Frangakis & Rubin 2002, Biometrics 58, 21-29). This assumes that nobody plays
    for components that have not appeared yet.
    """
    given = log.events.filter((pl.col("event") == "given") & (pl.col("turn") != STARTING_TURN))
    offered = log.events.filter(event="offered").group_by("play", "piece").agg(pl.col("turn").min())
    takers = offered.join(log.acting, on=["play", "turn"])
    rows = pl.concat([part.select(*OWNER_KEY, "turn") for part in (given, takers)])
    first = rows.filter(pl.col("turn") == pl.col("turn").min().over("play", "piece")).unique()
    return first.filter(pl.len().over("play", "piece") == 1).select(OWNER_KEY)


def _one_sided_mask(fell: SharesWon, places: Places) -> np.ndarray:
    """Return a mask of the components that (nearly) always fall to the same seat, not by luck."""
    seats, falls = np.array([seat for seat, _ in places]), fell.seats.sum(axis=1)
    by_seat = np.array([falls[seats == seat].sum(axis=0) for seat in np.unique(seats)])
    return by_seat.max(axis=0) >= ONE_SIDED * np.maximum(by_seat.sum(axis=0), 1)  # type: ignore[no-any-return]


def _per_game(owners: SharesWon, side: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Return the number of owners per game, among the games on one side of the coins."""
    played, owned = (side.T @ games).astype(float), (side * owners.seats.sum(axis=0)).sum(axis=0)
    return owned / np.where(played > 0, played, np.nan)  # type: ignore[no-any-return]
