"""Questions: See how the answers depend on who plays, and how well."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Unpack

import polars as pl

from simkit.ask import texts
from simkit.ask.arguments import Common, Seats, Shell, Strategies, Values, Word
from simkit.ask.execution import Execution
from simkit.ask.pairings import PAIRING, alone_shares, in_order, seat_worths
from simkit.ask.question import question
from simkit.ask.requests import study_keys, table_of
from simkit.ask.results import Result, answer
from simkit.ask.rungs import MATCH, PANEL_DEALS, LadderStudy
from simkit.ask.study import ManyDeals
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.runs.folder import SIDE_RUNS, Run, open_run
from simkit.runs.plan import Cell
from simkit.runs.run_metadata import OptionWords
from simkit.tables.findings import Findings, finding
from simkit.tables.rungs import Ladder

MAX_USUAL_VALUES = 3  # of the option that a ladder varies unless told otherwise
FIRST = 0  # seat
CHOICES = Shell(
    metavar="OPTION=VALUES",
    parse=texts.choices,
    of_game=True,
    repeatable=True,
    note="Form: A/B or LOW:HIGH:STEP.",
)


@question(shell=("hours",))
def ladder(
    execution: Execution,
    game: Word,
    rungs: Strategies = (),
    *,
    vary: Annotated[Mapping[str, Values], CHOICES] = {},
    seats: Seats | None = None,
    deals: ManyDeals = 20_000,
    **keywords: Unpack[Common],
) -> Result:
    """See how the answers depend on who plays, and how well.

    You get, for players of several families (scripted, searching, learned), their rating and cost, and what
    each says of the game: the first player's share with a verdict, the length, the lead changes, the fair
    value of the option varied. The rungs are ordered by what they win against the same players. These games
    also give a matrix of what the rungs win against each other. A search plays fewer deals, the more it
    searches: at most as many as give ±1 point.

    Args:
        game: Name of the game.
        rungs: Strategies; by default random, the usual policy, the strongest other scripted strategy, two
            searches, and `learned` and `strong` if the game has them for this number of players.
        vary: Values of an option, all of which every rung plays. With the default rungs it is by default the
            first option that compensates later seats for not moving first.
        seats: Number of players; by default the usual number of the game.
        deals: Deals of a rung that does not search.

    Returns:
        The findings, with `result.rungs`, `result.rung_answers`, `result.rung_matrix` and
            `result.rung_seat_effects`.

    Raises:
        UsageError: Unknown options or strategies, or fewer than two rungs.

    Example:
        >>> result = ladder("nim", ["random", "search(budget=4)"], deals=100)
        >>> result.rungs["strategy"].to_list()
        ['random', 'search(budget=4)']

    Command line::

        simkit ladder outpost_seven
        simkit ladder outpost_seven --vary start_total_second=16/20
    """
    definition, sweep = registry.game(game), {name: [*values] for name, values in vary.items()}
    lineups = [table_of(game, seats, keywords.get("options", {}))]
    keys = study_keys(game, deals, {**keywords, "lineups": lineups})
    if not (sweep or rungs):
        (lineup,) = keys["lineups"]
        sweep = usual_sweep(definition, keys["more"].get("options", {}), len(lineup))
    return answer(execution, LadderStudy(sweep=sweep, given=list(rungs), **keys))


def usual_sweep(game: Game, fixed: Mapping[str, Any], seats: int) -> dict[str, list[Any]]:
    """Return the first number that compensates later seats for not moving first, from its usual value up.

    It is empty for a team, for a game without such an option, and if that option is fixed.
    """
    values = game.resolve(fixed)
    for option in game.options if not game.team else ():
        compensates = option.kind is int and option.seats and FIRST not in option.seats
        if compensates and option.has_effect(values, seats):
            upward = [value for value in option.near if value >= option.default]
            return {} if option.name in fixed else {option.name: upward[:MAX_USUAL_VALUES]}
    return {}


# Tables: what the rungs won against each other. No game is played for them: matches and panel have them.


@finding
def rung_matrix(findings: Findings) -> pl.DataFrame:
    """Per ordered pair of rungs of a ladder that met: what `row` wins alone against a table of `column`.

    share, low, high: over all seats of `row`, each on every deal, by the usual rules; fair: the share if both
    were as good, of the games that somebody wins. Neighbours met on fresh deals, others in the games with the
    panel, which also gave the order. The strongest come first.
    """
    return _met(findings, alone_shares, findings.cached(_meetings))


@finding
def rung_seat_effects(findings: Findings) -> pl.DataFrame:
    """Per pair of rungs of a ladder that met, and seat: what it is worth to `row` at a table of `column`.

    worth, low, high: share of `row` in the seat less its mean over all seats of the same deal, with a 95 %
    interval, by the usual rules. Where `row` and `column` are the same, all seats are theirs.
    """
    return _met(findings, seat_worths, [*findings.cached(_meetings), *findings.cached(_mirrors)], "seat")


def _met(
    findings: Findings, tabulate: Callable[[Findings], pl.DataFrame], runs: list[Findings], *more: str
) -> pl.DataFrame:
    """Return the tables of some runs as a single table, with each pairing from the first run that has it."""
    if not runs:
        return pl.DataFrame()
    rungs = [rung.strategy for rung in findings.run.answer_of(Ladder).rungs]
    tables = pl.concat(tabulate(run) for run in runs)
    return in_order(tables.unique([*PAIRING, *more], keep="first"), rungs[::-1], *more)


def _meetings(findings: Findings) -> list[Findings]:
    """Return the games of the rungs of a ladder against each other, those of neighbours first."""
    if findings.run.kind != "ladder" or findings.run.team:
        return []
    matches = [f"{MATCH}{place}" for place in range(1, len(findings.run.answer_of(Ladder).rungs))]
    return [Findings(run) for run in _side_runs(findings.run, [*matches, *PANEL_DEALS])]


def _mirrors(findings: Findings) -> list[Findings]:
    """Return the games of each rung of a ladder against itself, by the usual rules where they were played."""
    if not findings.cached(_meetings):
        return []
    options, mirrors = findings.run.words.options, list[Findings]()
    for run in [*_side_runs(findings.run, findings.run.answer_of(Ladder).stages), findings.run]:
        cells = [cell.index for cell in run.cells if _at_usual_rules(cell, options)]
        mirrors += [Findings(run.only(cells))] if cells else []
    return mirrors


def _at_usual_rules(cell: Cell, options: Mapping[str, OptionWords]) -> bool:
    """Return whether all options that vary have their usual values in a cell."""
    varied = cell.varied.items()
    return all(name in options and value == options[name].default for name, value in varied)


def _side_runs(run: Run, names: list[str]) -> list[Run]:
    """Return the side runs of these names that are there."""
    folders = [run.folder / SIDE_RUNS / name for name in names]
    return [open_run(folder) for folder in folders if (folder / "manifest.json").is_file()]
