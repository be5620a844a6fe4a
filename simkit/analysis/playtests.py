"""Games of people beside those of simulated players at the same settings."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.strategies import by_table
from simkit.runs.folder import PLAYTESTS
from simkit.runs.plan import Cell
from simkit.runs.storage import checksums
from simkit.stats.bounded import mean_interval
from simkit.stats.comparisons import interval_p_value
from simkit.stats.deals import Share, difference_of_shares
from simkit.stats.planning import deals_for_width, deals_needed
from simkit.stats.playtests import ERROR, fits
from simkit.stats.quantiles import Floats

NARROW = 0.1  # half the width of an interval that tells something about people's share
MAX_GAMES = 10_000  # simulated games of a player that are compared
SEATS = whole("cell", "seat", "games") | reals("share", "low", "high", "simulated", "p") | whole("more_games")
RESULTS = ("winner", "highest", "gap", "length")
FITS = texts("strategy") | reals(*RESULTS, "p") | {"possible": pl.Boolean} | whole("more_games")
# Cells with one setting and number of players; the games of people and of each cell: [game, seat, (share,
# score, turns, play)], nan where people noted nothing.
Group = tuple[list[Cell], Floats, list[Floats]]


@finding
def playtests(findings: Findings) -> pl.DataFrame:
    """Per game that people played and seat: what their sheet says. Null: not noted."""
    folder = findings.run.folder
    return (
        pl.read_parquet(folder / PLAYTESTS, glob=False)
        if checksums.valid_files(folder, [PLAYTESTS])
        else pl.DataFrame()
    )


@finding
def playtest_seats(findings: Findings) -> pl.DataFrame:
    """Per cell and seat (of a team: the first): people's share of the win at its setting, and simulated.

    games: of people, with a winner; low, high: 95 % interval of a mean of values from 0 to 1
    (`simkit.stats.bounded`; Clopper and Pearson's where no win is shared); simulated: share in the cell; p:
    of the difference in this seat alone; more_games: that would narrow the interval to about ± 10 points.
    """
    groups = findings.cached(_playtest_groups)
    rows = [row for group in groups for place in range(len(group[0])) for row in seat_rows(group, place)]
    return findings.with_cells(pl.DataFrame(rows, SEATS, orient="row")) if rows else pl.DataFrame()


@finding
def playtest_fits(findings: Findings) -> pl.DataFrame:
    """Per simulated player: how well it predicts the games of people, the best first.

    winner, highest, gap, length: mean log-loss of who wins, of the highest score, of its distance from the
    lowest and of the turns (null: not noted); p: of the test that people play like this player
    (`simkit.stats.playtests`); possible: p > 0.05, as is the right player in at least 95 % of cases;
    more_games: that would tell a possible player from the best with a chance of 80 %.
    """
    if not (groups := findings.cached(_playtest_groups)):
        return pl.DataFrame()
    result = fits([results_of(group) for group in groups])
    n, rows = sum(len(people) for _, people, _ in groups), list[tuple[Any, ...]]()
    for place in result.order:
        p, lead, more = result.p[place], result.leads[:, place] / n, None
        if p > ERROR and lead.mean() > 1e-4 * max(1, lead.std()):  # others never differ enough
            more = max(1, deals_needed(lead.mean(), n * lead.var() + 1e-9) - n)
        rows.append((groups[0][0][place].labels[0], *result.loss[place], p, bool(p > ERROR), more))
    return pl.DataFrame(rows, FITS, orient="row").with_columns(pl.col(RESULTS).fill_nan(None))


def contradictory_rows(findings: Findings) -> list[int]:
    """Return the rows of the sheet whose winner has a worse score than another seat."""
    plays, rows = list[int](), findings.playtests.filter(seat=0)["row"]
    for _, people, simulated in findings.cached(_playtest_groups):
        worse = (people[:, :, 0] > 0) & (shares_by_score(people, score_that_wins(simulated)) == 0)
        plays += people[worse.any(axis=1), 0, 3].astype(int).tolist()
    return sorted(rows[play] for play in plays)


def _playtest_groups(findings: Findings) -> list[Group]:
    """Return the games by setting and number of players, where people played any."""
    groups, run, people = list[Group](), findings.run, findings.playtests
    turns = run.games().filter(pl.col("deal") < MAX_GAMES).select("play", "turns")
    seats = run.seats().select("play", "cell", "seat", "share", "score").join(turns, on="play")
    for cells in by_table(run.cells) if people.width else ():
        count, setting = cells[0].seats, cells[0].varied
        if len(own := by_game(people.lazy().filter(seats=count, **setting), count)):
            simulated = [by_game(seats.filter(cell=cell.index), count) for cell in cells]
            groups.append((cells, with_winners(own, simulated), simulated))
    return groups


def by_game(seats: pl.LazyFrame, count: int) -> Floats:
    """Return rows of seats as games of a `Group`."""
    numbers = seats.sort("play", "seat").select(pl.col("share", "score", "turns", "play").cast(pl.Float64))
    return numbers.collect().to_numpy().reshape(-1, count, 4)


def shares_by_score(games: Floats, sign: int) -> Floats:
    """Return the shares if the highest score wins, the lowest with a sign of −1; nan without scores."""
    scores = np.where(sign, sign * games[:, :, 1], np.nan)
    leaders = np.where(np.isnan(scores), np.nan, scores == scores.max(axis=1, keepdims=True))
    return np.asarray(leaders / leaders.sum(axis=1, keepdims=True))


def score_that_wins(simulated: Sequence[Floats]) -> int:
    """Return 1 if every simulated game is won by a seat with its highest score, −1 with its lowest, or 0."""
    games = np.concatenate(simulated)
    won = games[:, :, 0] > 0
    fitting = [sign for sign in (1, -1) if not (won & (shares_by_score(games, sign) == 0)).any()]
    return fitting[0] if len(fitting) == 1 and won.any(axis=1).all() else 0


def with_winners(people: Floats, simulated: Sequence[Floats]) -> Floats:
    """Return games in which the scores tell the winner where people noted none."""
    games, sign = np.concatenate(simulated), score_that_wins(simulated)
    shares = shares_by_score(people, sign)
    ties_share = np.allclose(shares_by_score(games, sign), games[:, :, 0])
    unknown = np.isnan(people[:, :1, 0]) & (ties_share | (shares == 1).any(axis=1, keepdims=True))
    return np.dstack([np.where(unknown, shares, people[:, :, 0]), people[:, :, 1:]])


def seat_rows(group: Group, place: int) -> list[tuple[float, ...]]:
    """Return the rows of `playtest_seats` for a cell."""
    cells, people, simulated = group
    cell, shares = cells[place], people[~np.isnan(people[:, 0, 0]), :, 0]
    rows = list[tuple[float, ...]]()
    for seat in range(1 if cell.target is not None else cell.seats) if len(shares) else ():
        own, other = share_of(shares[:, seat]), share_of(simulated[place][:, seat, 0])
        p = round(interval_p_value(*difference_of_shares(own, other)[:3]), 4)
        # With two wins and two losses added (Agresti & Coull 1998), and more since the interval is exact.
        needed = deals_for_width(NARROW, np.var([*shares[:, seat], 0, 0, 1, 1])) + round(1 / NARROW)
        more = max(1, needed - own.games) if own.high - own.low > 2 * NARROW else 0
        rows.append((cell.index, seat, own.games, *own[:3], other.share, p, more))
    return rows


def share_of(values: Floats) -> Share:
    """Return the share of a seat in independent games."""
    shares, counts = (part.tolist() for part in np.unique(values, return_counts=True))
    return Share(float(values.mean()), *mean_interval(tuple(shares), tuple(counts)), *[len(values)] * 3)


def results_of(group: Group) -> tuple[Floats, list[Floats]]:
    """Return RESULTS of the games of people and of each cell: the set of winners as a code, and numbers."""
    results = []
    for games in [group[1], *group[2]]:
        shares, scores = games[:, :, 0], games[:, :, 1]
        winners = np.where(np.isnan(shares), np.nan, shares > 0) @ 2.0 ** np.arange(shares.shape[1])
        highest = scores.max(axis=1)
        results.append(np.column_stack([winners, highest, highest - scores.min(axis=1), games[:, 0, 2]]))
    return results[0], results[1:]
