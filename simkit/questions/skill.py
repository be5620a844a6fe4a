"""Questions: See how often the better player wins, seats evened out.

The function, its study, and the tables of levels that met each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import ClassVar, Unpack

import polars as pl

from simkit.ask.arguments import Common, Seats, Strategies, Word
from simkit.ask.execution import Execution
from simkit.ask.pairings import alone_shares, in_order, seat_worths
from simkit.ask.question import question
from simkit.ask.requests import alone_among, opponents, study_keys, table_of
from simkit.ask.results import Result, answer
from simkit.ask.rungs import SEARCHES, beginner, learned_rungs, scripted_by_strength
from simkit.ask.study import ManyDeals, Play, Study
from simkit.engine import registry
from simkit.engine.lineups import Named, parse_strategy
from simkit.engine.strategy import RANDOM
from simkit.errors import UsageError
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.tables.findings import Findings, finding

USUAL_QUESTION = "How often does the better player win?"


@question(hidden=("target", "margin"))  # of teams, whose players win together; of verdicts
def skill(
    execution: Execution,
    game: Word,
    levels: Strategies = (),
    *,
    seats: Seats | None = None,
    deals: ManyDeals = 2_000,
    with_search: bool = False,
    **keywords: Unpack[Common],
) -> Result:
    """See how often the better player wins, seats evened out.

    You get a matrix of what each level of skill wins against each other, and what going first is worth in
    each of these pairings. Every level plays alone against a table of every other, in each seat on the same
    deals, and against itself.

    Args:
        game: Name of the game.
        levels: Strategies, the weakest first; by default random, a beginner (the usual policy with 30 %
            random decisions), the usual policy, the strongest scripted strategy, and `learned` if the game
            has it for this number of players.
        seats: Number of players; by default the usual number of the game.
        deals: Deals of each pairing, and of each level against itself.
        with_search: Whether to add a search; it is `strong`, which searches with a learned player, if the
            game has it.

    Returns:
        The findings, with `result.skill_matrix` and `result.seat_effects`.

    Raises:
        UsageError: A co-operative game, unknown strategies, or fewer than two different ones.

    Example:
        >>> result = skill("pig", ["random", "hold_at"], deals=100)
        >>> result.skill_matrix["row"].to_list()
        ['hold_at', 'random']

    Command line::

        simkit skill outpost_seven
        simkit skill pig --levels "random, hold_at(threshold=10), hold_at"
    """
    lineups = [table_of(game, seats, keywords.get("options", {}))]
    keys = study_keys(game, deals, {**keywords, "lineups": lineups})
    return answer(execution, SkillStudy(levels=list(levels), with_search=with_search, **keys))


@dataclass(frozen=True)
class SkillStudy(Study):
    """A matrix of levels of skill; without levels a side run finds the strongest scripted strategy."""

    OPEN_KEYS: ClassVar = {"lineups"}

    levels: list[str]
    with_search: bool

    def check(self) -> None:
        """Raise UsageError for a team, and for levels that are unknown, the same or fewer than two."""
        game = registry.game(self.game)
        if self.team:
            reason = "nobody plays against another; simkit ladder shows teams of rising strength"
            raise UsageError(f"{game.name} is co-operative: {reason}")
        if self.seats == 1:
            raise UsageError(f"{game.name} with one seat: nobody plays against another")
        for label in self.levels:
            registry.player(game, parse_strategy(label)[0], self.seats)
        for first, second in combinations(self.levels, 2):
            opponents(game, first, second, self.seats)
        if len(self.levels) == 1 and not self.with_search:
            raise UsageError(f"levels: {self.levels[0]} needs another level to meet")

    def last_run(self) -> Experiment:
        """Return the games of the levels; the usual ones are not known yet."""
        return self._games(self.levels or [RANDOM, SEARCHES[0]])

    def carry_out(self, play: Play) -> tuple[Experiment, None]:
        """Return the games of all levels against each other and themselves."""
        return self._games(self._all_levels(play)), None

    def _games(self, levels: list[str]) -> Experiment:
        """Return the games of some levels; those of the last one come first, since pages begin with them."""
        lineups = level_lineups(levels[::-1], self.seats)
        return self.experiment(USUAL_QUESTION, lineups=lineups, report="skill")

    def _all_levels(self, play: Play) -> list[str]:
        """Return the levels given or the usual ones, each once, and a search if it was asked for."""
        labels = self.levels or self._usual(play)
        if self.with_search or len(labels) < 2:
            labels = [*labels, *(learned_rungs(self)[1:] or [SEARCHES[0]])]
        levels, game = list[Named](), registry.game(self.game)
        for (level,) in map(parse_strategy, labels):
            if not any(registry.same_player(game, level, other, self.seats) for other in levels):
                levels.append(level)
        return list(map(str, levels))

    def _usual(self, play: Play) -> list[str]:
        game = registry.game(self.game)
        policy = registry.default_policy(game)
        strongest = scripted_by_strength(self, play, "skill/scripted")[:1]
        usual = strongest if policy == RANDOM else [policy]
        beginners = [str(beginner(game, label)) for label in usual]
        return [RANDOM, *beginners, *usual, *strongest, *learned_rungs(self)[:1]]


def level_lineups(levels: Sequence[str], seats: int) -> list[list[str]]:
    """Return the lineups of all levels, apart from rotations: each against itself, and alone against each.

    >>> level_lineups(["a", "b"], 2)
    [['a', 'a'], ['b', 'b'], ['a', 'b']]
    >>> level_lineups(["a", "b"], 3)[2:]
    [['a', 'b', 'b'], ['b', 'a', 'a']]
    """
    pairs = combinations(levels, 2) if seats == 2 else permutations(levels, 2)
    return [[level] * seats for level in levels] + [alone_among(a, b, seats) for a, b in pairs]


# Tables: rows and columns are levels, the strongest first.


def levels_of(run: Run) -> list[str]:
    """Return the levels that met each other and themselves in all rotations; none in another run.

    The strongest come first.
    """
    seats, played = run.cells[0].seats, [[*cell.labels] for cell in run.cells]
    levels = [labels[0] for labels in played if len({*labels}) == 1]
    rotated = all(cell.rotations == (seats if len({*cell.labels}) > 1 else 1) for cell in run.cells)
    whole = rotated and not run.team and len(levels) > 1 and played == level_lineups(levels, seats)
    return levels if whole else []


@finding
def skill_matrix(findings: Findings) -> pl.DataFrame:
    """Per ordered pair of levels of skill: what `row` wins alone against a table of `column`.

    share, low, high: over all seats of `row`, each on every deal; fair: the share if both were as good, of
    the games that somebody wins. The strongest levels, which were given last, come first.
    """
    levels = levels_of(findings.run)
    return in_order(alone_shares(findings), levels) if levels else pl.DataFrame()


@finding
def seat_effects(findings: Findings) -> pl.DataFrame:
    """Per pair of levels of skill and seat: what the seat is worth to `row` against a table of `column`.

    worth, low, high: share of `row` in the seat less its mean over all seats of the same deal, with a 95 %
    interval. Where `row` and `column` are the same, all seats are theirs.
    """
    levels = levels_of(findings.run)
    return in_order(seat_worths(findings), levels, "seat") if levels else pl.DataFrame()
