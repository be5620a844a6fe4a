"""Questions: Compare rule sets on the same deals.

Its tables rank the rule sets, and test which ones are closer to fair than the baseline.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Unpack

import numpy as np
import polars as pl

from simkit.ask import texts
from simkit.ask.arguments import Logging, Shell, Texts, Word
from simkit.ask.execution import Execution, carry_out
from simkit.ask.question import question
from simkit.ask.requests import ask, with_seats
from simkit.ask.results import Result, record
from simkit.ask.study import tied_sweep
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.errors import UsageError, look_up
from simkit.runs import manifest, table_files
from simkit.runs.experiment import Deals
from simkit.runs.plan import Cell
from simkit.runs.run_metadata import Setting
from simkit.stats.comparisons import difference_p_value, holm
from simkit.tables.compare import check_column, comparisons
from simkit.tables.fairness import rank_settings
from simkit.tables.findings import Findings, cells, finding
from simkit.tables.reading import Block, SumsRow, moment, reals, sum_over_blocks, sums_of_deals, whole
from simkit.tables.seats import even_deals, first_player_advantage, nobody_wins


def _settings_of_each(given: Iterable[str]) -> list[dict[str, Any]]:
    """Return a rule set for each text `option=value,option=value`."""
    return [texts.settings([text]) for text in given]


OTHERS = Shell("--to", metavar="OPTION=VALUE,...", parse=_settings_of_each, repeatable=True)
BASE = Shell(metavar="OPTION=VALUE", parse=texts.settings, repeatable=True)


@question(shell=("table",))
def compare(
    execution: Execution,
    game: Word,
    *others: Annotated[Mapping[str, Any], OTHERS],
    base: Annotated[Mapping[str, Any], BASE] = {},
    columns: Annotated[Texts, Shell("--column", metavar="NAME|NAME=VALUE", repeatable=True)] = (),
    deals: Deals = 2_000,
    **keywords: Unpack[Logging],
) -> Result:
    """Compare rule sets on the same deals.

    You get what each rule set changes in who wins, in the length of games and in other columns of the log, as
    differences with intervals. Rules of `options` hold in all rule sets; players=2:4 there
    plays all of them with two to four players.

    Args:
        game: Name of the game.
        others: Rule set to compare, as the options that differ; without one, the cards of `files` are
            compared with the printed ones.
        base: Options of the rule set to compare with, if it is not the usual one.
        columns: Further column of the log to compare, or NAME=VALUE: how often it has this value.
        deals: Deals per cell.

    Returns:
        The findings of the run; `result.comparisons` has the differences, with intervals.

    Raises:
        UsageError: Unknown options, or two rule sets that are the same.

    Example:
        >>> result = compare("pig", {"goal": 60}, deals=200)
        >>> result.comparisons["measure"].unique(maintain_order=True).to_list()[:2]
        ['share', 'fpa']

    Command line::

        simkit compare pig --to goal=60 --to goal=80,faces=8
    """
    keys, _ = with_seats(game, {**keywords, "deals": deals}, {})
    what, rules = "other rules", [dict(other) for other in others]
    if not rules and keys.get("files"):
        what = f"{' and '.join(keys['files'])} of your own"
        rules = [{f"{table_files.HEAD}{name}": path for name, path in keys.pop("files").items()}]
    if not rules:
        raise UsageError("name a rule set to compare, or files with cards of your own")
    sets = keys_of_rule_sets(game, dict(base), rules, keys["options"])
    title = f"What do {what} change in {registry.game(game).title}?"
    experiment = ask(game, title, keys | {"report": "compare"} | sets)
    for name in columns:
        check_column(name, manifest.columns_of(experiment))
    run = carry_out(execution, experiment)
    result = Result(replace(run, manifest=run.manifest.model_copy(update={"asked_columns": columns})))
    if comparisons(result).height:  # the columns can be compared
        manifest.ask(run.folder, tuple(columns))
    return record(result)


def keys_of_rule_sets(game: str, base: Setting, others: list[Setting], fixed: Setting) -> dict[str, Any]:
    """Return the keys of an experiment whose cells are the base rule set and the others."""
    definition = registry.game(game)
    for rule_set in [base, *others]:
        _check(definition, rule_set)
    names = list(dict.fromkeys(name for rule_set in [base, *others] for name in rule_set))
    if twice := sorted(set(names) & set(fixed)):
        raise UsageError(f"option {twice[0]} is given for all rule sets and for some of them; once is enough")
    in_force = [_in_force(definition, fixed | base | rule_set) for rule_set in [{}, *others]]
    rows = [[values[name] for name in names] for values in in_force]
    if any(rows.count(row) > 1 for row in rows):
        raise UsageError("two rule sets are the same: each must differ from the base and from the others")
    return {"sweep": tied_sweep(names, rows), "baseline": dict(zip(names, rows[0], strict=True))}


def _in_force(game: Game, given: Setting) -> Setting:
    """Return the values of all options, and the files that replace tables of the game."""
    files = {table_files.HEAD + name: table_files.PRINTED for name in game.components.files}
    files |= {name: value for name, value in given.items() if table_files.is_file(name)}
    return files | game.resolve({name: value for name, value in given.items() if name not in files})


def _check(game: Game, given: Setting) -> None:
    """Raise UsageError for an unknown option or table, or for a file beside the option that it replaces."""
    for name in given:
        if not table_files.is_file(name):
            game.option(name)
            continue
        table = name.removeprefix(table_files.HEAD)
        file = look_up(f"table of {game.name} that a file may replace", table, game.components.files)
        file.refuse_replaced(name, given)


# Tables: how the rule sets rank, and which ones are closer to fair than the baseline

RULES_KEY = ["setting", "lineup", "cell"]
CellPair = tuple[Cell, Cell]  # a cell, and the cell with the same lineup to compare with


@finding
def rule_sets(findings: Findings) -> pl.DataFrame:
    """Per rule set that all lineups played: the columns of `settings`, the best rule set first.

    Rule sets under which nobody wins are included. rank: from 1.
    """
    return rank_settings(first_player_advantage(findings)).drop("close").with_row_index("rank", 1)


@finding
def rules_nearer(findings: Findings) -> pl.DataFrame:
    """Per lineup and pair of rule sets: test on common deals of which one is closer to fair.

    cell, than: the closer and the farther one, of a rule set and the baseline; p_value: for such a result if
    it is not closer; p_adjusted: Holm's adjustment over the rows of a table size, times the number of sizes.
    Formula: with b and a the signed distances from fair of the worst player in `than` and of any in `cell`:
    the greater p-value of b - a = 0 and b + a = 0. Source: Berger 1982, Technometrics 24, 295-300
    (intersection-union).
    """
    if len(sizes := findings.by_size()) > 1:
        tables = [rules_nearer(part) for _, part in sizes]
        return pl.concat([table for table in tables if table.width] or tables)
    pairs = _rule_pairs(findings)
    if not pairs:
        return pl.DataFrame()
    sums = {(row["cell"], row["than"]): row for row in _sums(findings, pairs).rows(named=True)}
    rows = []
    for cell, than in pairs:
        closer, farther = _p_values(sums[cell.index, than.index], cell, than)
        order = (than, cell) if farther < closer else (cell, than)
        rows.append((*(side.index for side in order), min(closer, farther)))
    table = pl.DataFrame(rows, schema=whole("cell", "than") | reals("p_value"), orient="row")
    count = cells(findings.whole or findings)["seats"].n_unique()
    adjusted = pl.Series("p_adjusted", (count * holm(table["p_value"].to_numpy())).clip(max=1.0))
    front = cells(findings).select("cell", "setting", "lineup").cast({"cell": pl.Int64})
    return front.join(table.with_columns(adjusted), on="cell", how="right", maintain_order="right")


def _rule_pairs(findings: Findings) -> list[CellPair]:
    """Return the pairs to test, by lineup: each rule set and the baseline."""
    ranked = rule_sets(findings)["setting"].to_list()
    first, cells = first_player_advantage(findings), {cell.index: cell for cell in findings.run.cells}
    base = next(iter(first.filter("baseline")["setting"]), None)
    wanted = [(setting, base) for setting in ranked if base and setting != base]
    cell_at = {
        (setting, lineup): cells[cell] for setting, lineup, cell in first.select(RULES_KEY).iter_rows()
    }
    lineups = first["lineup"].unique(maintain_order=True)
    return [
        (cell_at[setting, lineup], cell_at[than, lineup]) for setting, than in wanted for lineup in lineups
    ]


def _seats(cell: Cell) -> range:
    """Return the seats (or sides) whose shares determine all others: one of two, any of a team."""
    return range(1 if cell.judged_shares <= 2 else cell.seats)


def _sums(findings: Findings, pairs: list[CellPair]) -> pl.DataFrame:
    """Sum over the common deals of each pair the sums and differences of the shares of each two seats.

    Games that nobody won are shared by all seats, so that 1 / seats is fair in both cells.
    """
    seats = range(max(len(_seats(cell)) for cell, _ in pairs))
    lost = bool(findings.cached(nobody_wins))
    indices = [(cell.index, than.index) for cell, than in pairs]
    every = pl.LazyFrame(indices, schema={"cell": pl.Int32, "than": pl.Int32}, orient="row")

    def of_block(_: Findings, block: Block) -> pl.LazyFrame:
        """Return the sums of one block of deals."""
        deals = even_deals(block.deals) if lost else block.judged
        shares = {f"{seat}": pl.col("share").filter(pl.col("seat") == seat).first() for seat in seats}
        wide = deals.group_by("cell", "deal").agg(**shares)
        other = wide.rename({f"{seat}": f"than {seat}" for seat in seats} | {"cell": "than"})
        both = every.join(wide, on="cell").join(other, on=["than", "deal"])
        columns = {}
        for b, a in itertools.product(seats, repeat=2):
            columns[f"less {b} {a}"] = pl.col(f"than {b}") - pl.col(f"{a}")
            columns[f"more {b} {a}"] = pl.col(f"than {b}") + pl.col(f"{a}")
        single_deals = both.select("cell", "than", "deal", rows=pl.lit(1), **columns)
        return sums_of_deals(single_deals, ["cell", "than"], list(columns))

    return sum_over_blocks(
        findings, [index for pair in indices for index in pair], ["cell", "than"], of_block
    )


def _p_values(row: SumsRow, cell: Cell, than: Cell) -> tuple[float, float]:
    """Return the p-values for `cell` being closer to fair than `than`, and for it being farther.

    b, a: signed distances from fair of a seat in `than` and in `cell`; b is the greater one where b - a and
    b + a have the same sign.
    """
    seats, plays = _seats(cell), min(cell.rotations, than.rotations)
    closer, farther = np.ones((2, len(seats), len(seats)))  # [seat in than, seat in cell]
    for at in itertools.product(seats, repeat=2):
        less, less_variance = moment(row, "less {} {}".format(*at))
        more, more_variance = moment(row, "more {} {}".format(*at))
        less, more = less - (than.fair - cell.fair), more - (than.fair + cell.fair)
        of_less = difference_p_value(less, less_variance, row["deals"], 1.0, plays)
        of_more = difference_p_value(more, more_variance, row["deals"], 1.0, plays)
        if less * more != 0:
            (closer if less * more > 0 else farther)[at] = max(of_less, of_more)
    chances = closer.max(axis=1).min(), farther.max(axis=0).min()
    return min(1.0, len(seats) * float(chances[0])), min(1.0, len(seats) * float(chances[1]))
