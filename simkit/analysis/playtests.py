"""Games of people beside those of simulated players at the same settings."""

from typing import Any

import numpy as np
import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.strategies import by_table
from simkit.runs.experiment import Cell
from simkit.runs.extras.playtests import FILE
from simkit.runs.storage import checksums
from simkit.stats.planning import deals_needed, deals_to_narrow
from simkit.stats.playtests import MISSING, Codes, fits
from simkit.stats.quantiles import Floats

ERROR = 0.05  # chance that the right player is ruled out
BINS = np.linspace(0, 1, 13)[1:-1]  # quantiles of simulated scores and lengths that part their bins
NARROW = 0.1  # half the width of an interval that tells something about people's share
MAX_GAMES = 10_000  # simulated games of a player that are compared
SEATS = whole("cell", "seat", "games") | reals("share", "low", "high", "simulated", "p") | whole("more_games")
RESULTS = ("winner", "highest", "lowest", "length")
FITS = texts("strategy") | reals(*RESULTS, "p") | {"possible": pl.Boolean} | whole("more_games")
# Cells with one setting and number of players; the games of people and of each cell: [game, seat, (share,
# score, turns)], nan where people noted nothing.
Group = tuple[list[Cell], Floats, list[Floats]]


@finding
def playtests(findings: Findings) -> pl.DataFrame:
    """Per game that people played and seat: what their sheet says. Null: not noted."""
    folder = findings.run.folder
    return pl.read_parquet(folder / FILE, glob=False) if checksums.whole(folder, [FILE]) else pl.DataFrame()


@finding
def playtest_seats(findings: Findings) -> pl.DataFrame:
    """Per cell and seat (of a team: the first): people's share of the win at its setting, and simulated.

    games: of people, with a winner; low, high: exact 95 % interval (Clopper and Pearson: the lower end for
    wins not shared, the upper end for all, so ties widen it); simulated: share in the cell; p: exact test
    (Fisher) that people win as often; more_games: that would narrow the interval to about ± 10 points.
    """
    groups = findings.cached(_groups)
    rows = [row for group in groups for place in range(len(group[0])) for row in seat_rows(group, place)]
    return findings.with_cells(pl.DataFrame(rows, SEATS, orient="row")) if rows else pl.DataFrame()


@finding
def playtest_fits(findings: Findings) -> pl.DataFrame:
    """Per simulated player: how well it predicts the games of people, the best first.

    winner, highest, lowest, length: mean log-loss of who wins, of the highest and lowest score and of the
    turns (null: not noted); p: of the test that people play like this player (`simkit.stats.playtests`);
    possible: p > 0.05, as is the right player in at least 95 % of cases; more_games: that would tell a
    possible player from the best with a chance of 80 %.
    """
    if not (groups := findings.cached(_groups)):
        return pl.DataFrame()
    losses, total, p_values, leads = fits([codes_of(group) for group in groups])
    n, rows = sum(len(people) for _, people, _ in groups), list[tuple[Any, ...]]()
    for place in np.argsort(total, kind="stable"):
        p, lead, more = p_values[place], leads[:, place] / n, None
        if p > ERROR and lead.mean() > 1e-4 * max(1, lead.std()):  # others never differ enough
            more = max(1, deals_needed(lead.mean(), n * lead.var() + 1e-9) - n)
        rows.append((groups[0][0][place].labels[0], *losses[place], p, bool(p > ERROR), more))
    return pl.DataFrame(rows, FITS, orient="row").with_columns(pl.col(RESULTS).fill_nan(None))


def _groups(findings: Findings) -> list[Group]:
    """Return the games by setting and number of players, where people played any."""
    groups, run, people = list[Group](), findings.run, findings.playtests
    turns = run.games().filter(pl.col("deal") < MAX_GAMES).select("play", "turns")
    seats = run.seats().select("play", "cell", "seat", "share", "score").join(turns, on="play")
    for cells in by_table(run.cells) if people.width else ():
        count, setting = cells[0].seats, cells[0].varied
        if len(own := by_game(people.lazy().filter(seats=count, **setting), count)):
            groups.append((cells, own, [by_game(seats.filter(cell=cell.index), count) for cell in cells]))
    return groups


def by_game(seats: pl.LazyFrame, count: int) -> Floats:
    """Return rows of seats as games of a `Group`."""
    numbers = seats.sort("play", "seat").select(pl.col("share", "score", "turns").cast(pl.Float64))
    return numbers.collect().to_numpy().reshape(-1, count, 3)


def seat_rows(group: Group, place: int) -> list[tuple[float, ...]]:
    """Return the rows of `playtest_seats` for a cell."""
    from scipy.stats import binomtest, fisher_exact  # takes 0.5 s to import

    cells, people, simulated = group
    cell, shares, rows = cells[place], people[~np.isnan(people[:, 0, 0]), :, 0], []
    for seat in range(1 if cell.target is not None else cell.seats) if len(shares) else ():
        own, other = shares[:, seat], simulated[place][:, seat, 0]
        low, high = (binomtest(int(won.sum()), len(own)).proportion_ci() for won in (own == 1, own > 0))
        test = fisher_exact(np.array([np.bincount(part > 0, minlength=2) for part in (own, other)]))
        numbers = own.mean(), low.low, high.high, other.mean(), round(test.pvalue, 4)
        more = max(0, deals_to_narrow(len(own), (high.high - low.low) / 2, NARROW) - len(own))
        rows.append((cell.index, seat, len(own), *map(float, numbers), more))
    return rows


def codes_of(group: Group) -> tuple[Codes, list[Codes]]:
    """Return RESULTS of games as codes: of the set of winners, and of the bins of simulated numbers."""
    numbers = []
    for games in [group[1], *group[2]]:
        shares, scores = games[:, :, 0], games[:, :, 1]
        winners = np.where(np.isnan(shares), np.nan, shares > 0) @ 2.0 ** np.arange(shares.shape[1])
        numbers.append(np.column_stack([winners, scores.max(axis=1), scores.min(axis=1), games[:, 0, 2]]))
    edges = [np.unique(np.concatenate(numbers)[:, 0])]
    edges += [np.unique(np.quantile(column, BINS)) for column in np.concatenate(numbers[1:])[:, 1:].T]
    pairs = [zip(edges, part.T, strict=True) for part in numbers]
    people, *simulated = [np.transpose([np.searchsorted(*pair, "right") for pair in part]) for part in pairs]
    return np.where(np.isnan(numbers[0]), MISSING, people), simulated
