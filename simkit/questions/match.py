"""Questions: Test which of two strategies is stronger, and by how much.

The function and the lineups of a match, its stopping rule, and the tables of its results.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple, Unpack

import numpy as np
import polars as pl

from simkit.ask.arguments import Common, Seats, Shell, Word
from simkit.ask.execution import Execution
from simkit.ask.question import question
from simkit.ask.requests import alone_among, ask, opponents
from simkit.ask.results import Result, answer
from simkit.engine import registry
from simkit.engine.options import PLAYERS
from simkit.errors import UsageError
from simkit.formatting import formed
from simkit.runs.experiment import Deals, Elo, Experiment
from simkit.runs.folder import Run
from simkit.runs.plan import Cell
from simkit.stats import matches, sprt
from simkit.stats.matches import Counts
from simkit.stats.stages import Estimate
from simkit.tables.findings import Findings, as_text, finding
from simkit.tables.players import same_players
from simkit.tables.reading import deal_counts, mark_always, shares_of, text_columns, whole

MATCH_DEALS = 1_000_000  # default limit of a sequential test
ELO0, ELO1 = 0.0, 10.0


@question(hidden=("target",))  # of teams, which cannot play against each other
def match(
    execution: Execution,
    game: Word,
    first: Annotated[str, Shell(metavar="A", positional=True)],
    second: Annotated[str, Shell(metavar="B", positional=True)],
    *,
    deals: Deals | None = None,
    elo0: Annotated[Elo, Shell(metavar="X")] | None = None,
    elo1: Annotated[Elo, Shell(metavar="Y")] | None = None,
    normalized: bool = False,
    seats: Seats | None = None,
    **keywords: Unpack[Common],
) -> Result:
    """Test which of two strategies is stronger, and by how much.

    You get the difference in Elo with its interval. `first` and `second` play every deal in all seats; with
    three or more seats each of them plays alone against a table of the other. The match ends when a
    sequential probability ratio test (SPRT) has decided, or after `deals`.

    Args:
        game: Name of the game.
        first: Strategy, with weights if you like: "hold_at(threshold=20)".
        second: The other strategy.
        deals: Play a fixed number of deals; with `elo0` or `elo1` at most so many.
        elo0: Lower of the two leads of `first` in Elo between which the test decides, with 5 % error
            each; 0 by default.
        elo1: Upper of the two; 10 more by default.
        normalized: Whether to give `elo0` and `elo1` in normalised Elo (347 for each standard deviation of a
            game).
        seats: Seats at the table; by default the usual number of the game.

    Returns:
        The findings of the run; `result.match` has the score, the difference in Elo and its interval.

    Raises:
        UsageError: A co-operative game, an unknown strategy, or twice the same.

    Example:
        >>> match("pig", "hold_at(threshold=20)", "random", deals=200).match["score"].item() > 0.9
        True

    Command line::

        simkit match pig "hold_at(threshold=20)" "hold_at(threshold=15)" --elo1 20
    """
    definition = registry.game(game)
    for name in PLAYERS:
        if number := keywords.get("options", {}).get(name):
            cure = f"--seats {number} sets the number of players"
            raise UsageError(f"{name} = {number} is no rule option; {cure}")
    at_table = seats or definition.default_seats
    sides = opponents(definition, first, second, at_table)
    lineups = match_lineups(*sides, at_table)
    keys = {**keywords, **_test(deals, elo0, elo1, normalized), "lineups": lineups, "report": "match"}
    return answer(execution, ask(game, f"Which is stronger, “{sides[0]}” or “{sides[1]}”?", keys))


def _test(deals: int | None, elo0: float | None, elo1: float | None, normalized: bool) -> dict[str, Any]:
    """Return the keys of a match; no test where only a number of deals is given."""
    keys = {"deals": MATCH_DEALS if deals is None else deals, "normalized_elo": normalized}
    if deals is not None and elo0 is None and elo1 is None:
        return keys
    low = elo0 if elo0 is not None else min(ELO0, elo1 - ELO1) if elo1 is not None and elo1 <= ELO0 else ELO0
    high = elo1 if elo1 is not None else low + ELO1
    if low >= high:
        raise UsageError(f"elo0 {low:g}, elo1 {high:g}: the second must be greater than the first")
    return keys | {"until_elo": [low, high]}


def match_lineups(first: str, second: str, seats: int) -> list[list[str]]:
    """Return the lineups of a match, apart from rotations; with more than two seats, each plays alone once.

    >>> match_lineups("a", "b", 2), match_lineups("a", "b", 3)
    ([['a', 'b']], [['a', 'b', 'b'], ['b', 'a', 'a']])
    """
    alone = alone_among(first, second, seats)
    return [alone] if seats == 2 else [alone, alone_among(second, first, seats)]


def sides_of(played: Sequence[Sequence[str]]) -> tuple[str, str] | None:
    """Return the two strategies of the lineups of a match; None if they are not those of a match.

    >>> sides_of([["a", "b", "b"], ["b", "a", "a"]]), sides_of([["a", "a"]]), sides_of([["a", "b", "b"]])
    (('a', 'b'), None, None)
    """
    first = list(played[0])
    if len(first) < 2 or first[0] == first[-1]:
        return None
    wanted = match_lineups(first[0], first[-1], len(first))
    return (first[0], first[-1]) if [list(lineup) for lineup in played] == wanted else None


# Sequential probability ratio test of a match: scores of deals, state of the test, decision.

STRONGER, NOT_STRONGER, OPEN = "H1", "H0", "continue"
Tallied = dict[float, int]  # score of a deal -> deals


class Standing(NamedTuple):
    """A match after some number of deals."""

    seats: int
    parties: int  # as of a cell
    games: int
    counts: Counts
    elos: tuple[float, float]  # the two hypotheses, H0 and H1
    normalized: bool

    @property
    def deals(self) -> int:
        """The number of deals."""
        return int(self.counts.deals.sum())

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of the test."""
        return matches.llr(self.counts, self.elos, self.parties, self.normalized)

    @property
    def decision(self) -> str:
        """The decision of the test: STRONGER, NOT_STRONGER or OPEN."""
        return sprt.decision(self.llr)

    @property
    def line(self) -> str:
        """The progress line as chess-engine testers write it; its Elo is that of a fixed number of games."""
        low, high = sprt.sprt_bounds()
        interval = matches.fixed(self.counts, self.games)
        value, *ends = (elo_words(sprt.elo_of_score(score, self.parties)) for score in interval)
        counts = ", ".join(map(str, matches.classes(self.counts, self.seats)))
        scale = " normalised" if self.normalized else ""
        return (
            f"LLR {self.llr:.2f} ({low:.2f} to {high:.2f}) [{self.elos[0]:g}, {self.elos[1]:g}]{scale}, "
            f"{self.games:,} games, {100 * self.counts.score:.2f} %, Elo {value} ({' to '.join(ends)}), "
            f"deals by score [{counts}]"
        )


def elo_words(elo: float) -> str:
    """Return an Elo difference as text.

    >>> elo_words(12.34), elo_words(float("inf"))
    ('+12.3', '+∞')
    """
    if abs(elo) == float("inf"):
        return "+∞" if elo > 0 else "-∞"
    return formed("{:+.1f}", elo)


def match_of(run: Run) -> tuple[str, str] | None:
    """Return the two strategies of a match (one setting, all rotations); None if the run is not a match."""
    whole = not run.team and all(cell.rotations == cell.seats for cell in run.cells)
    one_setting = all(cell.varied == run.cells[0].varied for cell in run.cells)
    return sides_of([cell.labels for cell in run.cells]) if whole and one_setting else None


def deal_scores(seats: pl.LazyFrame, cells: list[Cell]) -> pl.LazyFrame:
    """Return the score of the first strategy in each deal of a match; `seats` are rows of the seats table."""
    first, last = cells[0], cells[-1]
    name = pl.col("strategy").cast(pl.String)
    share = pl.col("share").cast(pl.Float64)
    share_of_first = share.filter((pl.col("cell") == first.index) & (name == first.labels[0])).mean()
    alone = first.labels[1] if len(cells) == 1 else last.labels[0]
    share_of_second = share.filter((pl.col("cell") == last.index) & (name == alone)).mean()
    return seats.group_by("deal").agg(score=(0.5 + (share_of_first - share_of_second) / 2).round(9))


class MatchTest:
    """The stopping rule of a match: its sequential test, updated at each analysis."""

    def __init__(self, run: Run) -> None:
        self.cells, self.experiment = run.cells, run.experiment
        self.tallied: Tallied = {}
        self.progress_line = ""

    @staticmethod
    def check(experiment: Experiment, lineups: list[list[str]], rotated: bool) -> None:
        """Refuse an experiment that is no match; `rotated`: whether all rotations are played."""
        ends = experiment.until_elo
        if len(ends) != 2 or ends[0] >= ends[1]:
            raise UsageError(
                f"key 'until_elo': must be two increasing numbers, for example [0, 10], not {ends}"
            )
        if experiment.sweep or not rotated or sides_of(lineups) is None:
            match = "a match is one setting of a game that is not co-operative, two strategies"
            match += " in all rotations"
            raise UsageError(f"key 'until_elo': {match} (three seats: a, b, b and b, a, a); see simkit match")

    def enough(self, more: pl.LazyFrame) -> set[int]:
        """Return the cells to stop after the rows of one more analysis: all of them or none."""
        counted = deal_scores(more, self.cells).group_by("score").agg(deals=pl.len()).sort("score")
        for score, deals in counted.collect(engine="streaming").iter_rows():
            self.tallied[score] = self.tallied.get(score, 0) + deals
        now = standing(self.tallied, self.cells, self.experiment)
        self.progress_line = now.line
        return set() if now.decision == OPEN else {cell.index for cell in self.cells}


def standing(tallied: Tallied, cells: list[Cell], experiment: Experiment) -> Standing:
    """Return the state of a match; `tallied` maps scores of deals to numbers of deals."""
    (low, high), normalized = experiment.until_elo, experiment.normalized_elo
    seats, deals = cells[0].seats, sum(tallied.values())
    counts, games = matches.counted(list(tallied), list(tallied.values()), seats), deals * _games(cells)
    return Standing(seats, cells[0].parties, games, counts, (low, high), normalized)


def _games(cells: Sequence[Cell]) -> int:
    """Return the number of games of a deal of a match."""
    return sum(cell.rotations for cell in cells)


# Results of a match of two strategies: score and Elo of the first, sequential test, results by seat.


@finding
def match_table(findings: Findings) -> pl.DataFrame:
    """Per match: score of `strategy` against `opponent`, Elo difference, and the decision of the test.

    score, low, high; elo, elo_low, elo_high: corrected for sequential stopping where a test stopped the match
    (median-unbiased, 95 %); plain, plain_elo: as played. An infinite Elo is null, and so are all where both
    strategies played every deal alike (`same`). normalized_elo: in standard deviations of a game; normalized:
    whether `elo0` and `elo1` are. decision: H1 (above `elo0`), H0 (below `elo1`), continue; null, as llr and
    its bounds, where the number of deals was fixed.
    """
    sides = match_of(findings.run)
    if sides is None:
        return pl.DataFrame()
    run, scores = findings.run, findings.cached(_deal_scores)
    seats, parties, games = run.cells[0].seats, run.cells[0].parties, sum(cell.plays for cell in run.cells)
    counts = _score_counts(scores, seats)
    estimate, unit = _estimate(run, counts, games), matches.normalized_unit(counts)
    row: dict[str, Any] = {"strategy": sides[0], "opponent": sides[1], "seats": seats}
    row |= {"deals": scores.height, "games": games, "plain": counts.score}
    row |= {"plain_elo": _elo(counts.score, parties)}
    row |= {"score": estimate.value, "low": estimate.low, "high": estimate.high}
    ends = {"elo": estimate.value, "elo_low": estimate.low, "elo_high": estimate.high}
    row |= {name: _elo(score, parties) for name, score in ends.items()}
    row |= {f"normalized_{name}": (score - 0.5) / unit if unit else None for name, score in ends.items()}
    row |= _test_state(counts, run.experiment, parties) | {"same": same_players(findings).height > 0}
    if row["same"]:
        row |= {name: None for name in row if "elo" in name and name not in ("elo0", "elo1")}
    kinds: dict[str, Any] = {name: pl.Float64 for name in row if name not in ("strategy", "opponent")}
    kinds |= whole("seats", "deals", "games") | text_columns("decision")
    kinds |= {"normalized": pl.Boolean, "same": pl.Boolean}
    table = pl.DataFrame([row], schema_overrides=kinds)
    return mark_always(table, findings.always)  # intervals are corrected for sequential stopping


def _deal_scores(findings: Findings) -> pl.DataFrame:
    """Return the score of each deal, in order."""
    rows = deal_scores(findings.run.seats(), findings.run.cells)
    return rows.collect(engine="streaming").sort("deal")


def _score_counts(scores: pl.DataFrame, seats: int) -> Counts:
    values, deals = np.unique(scores["score"].to_numpy(), return_counts=True)
    return matches.counted(values, deals, seats)


def _estimate(run: Run, counts: Counts, games: int) -> Estimate:
    """Return the score with its interval: `stats.matches.stopped`, or `fixed`."""
    keys, deals, parties = run.experiment, int(counts.deals.sum()), run.cells[0].parties
    if not keys.until_elo:
        return matches.fixed(counts, games)
    analyses = [analysis for analysis in run.analyses if analysis <= deals]
    scores = matches.scores_of_test(counts, keys.until_elo, parties, keys.normalized_elo)
    return matches.stopped(counts, analyses, scores, games)


def _elo(score: float, parties: int) -> float | None:
    elo = sprt.elo_of_score(score, parties)
    return elo if math.isfinite(elo) else None


def _test_state(counts: Counts, keys: Experiment, parties: int) -> dict[str, Any]:
    """Return the state of the sequential test; nulls for a match with a fixed number of deals."""
    names = ("elo0", "elo1", "normalized", "llr", "llr_low", "llr_high", "decision")
    if not keys.until_elo:
        return dict.fromkeys(names)
    (low, high), scale = keys.until_elo, keys.normalized_elo
    llr = matches.llr(counts, (low, high), parties, scale)
    return dict(zip(names, (low, high, scale, llr, *sprt.sprt_bounds(), sprt.decision(llr)), strict=True))


@finding
def match_looks(findings: Findings) -> pl.DataFrame:
    """Per interim analysis of a match with a test: deals, games, score so far, LLR and its bounds."""
    keys, run = findings.run.experiment, findings.run
    if not keys.until_elo or match_of(run) is None:
        return pl.DataFrame()
    scores, seats, rows = findings.cached(_deal_scores), run.cells[0].seats, []
    per_deal = _games(run.cells)
    for analysis in [analysis for analysis in run.analyses if analysis <= scores.height]:
        counts = _score_counts(scores.head(analysis), seats)
        tested = _test_state(counts, keys, run.cells[0].parties)
        front = {"deals": analysis, "games": analysis * per_deal, "score": counts.score}
        rows.append(front | {name: tested[name] for name in ("llr", "llr_low", "llr_high")})
    return pl.DataFrame(rows)


@finding
def match_results(findings: Findings) -> pl.DataFrame:
    """Per score of a deal in a match: deals; for two seats pentanomial counts (shared wins rounded)."""
    if match_of(findings.run) is None:
        return pl.DataFrame()
    seats = findings.run.cells[0].seats
    deals = matches.classes(_score_counts(findings.cached(_deal_scores), seats), seats)
    points = np.linspace(0, 1, len(deals)).tolist()
    part = [count / sum(deals) for count in deals]
    return pl.DataFrame({"result": points, "deals": deals, "share": part})


@finding
def match_seats(findings: Findings) -> pl.DataFrame:
    """Per strategy and seat of a match: share won there, alone among copies of the opponent; intervals."""
    sides = match_of(findings.run)
    if sides is None:
        return pl.DataFrame()
    first, last = findings.run.cells[0].index, findings.run.cells[-1].index
    alone = {sides[0]: first, sides[1]: last}
    rows = findings.run.seats().with_columns(as_text("strategy"))
    rows = rows.filter(pl.col("cell") == pl.col("strategy").replace_strict(alone, return_dtype=pl.Int64))
    by = ["strategy", "seat"]
    counts = deal_counts(rows, by, pl.col("share").mean()).collect(engine="streaming").sort(*by, "value")
    table = shares_of(counts, by, findings.always)
    order = pl.col("strategy").replace_strict({name: i for i, name in enumerate(sides)})
    return table.sort(order, "seat").with_columns(fair=pl.lit(1 / findings.run.cells[0].parties))
