"""Settings by their distance from fair: which one answers a run, which is nearest, how rule sets rank.

What is picked from many is checked on fresh deals (`confirmed`). Tests of which of two rule sets is closer to
fair, and of whether lineups differ at a setting, take differences deal by deal.
"""

import itertools
import math

import numpy as np
import polars as pl

from simkit.runs import manifest
from simkit.runs.folder import open_run
from simkit.runs.plan import Cell
from simkit.runs.storage.remote import MANIFEST
from simkit.stats.comparisons import difference_p_value, holm
from simkit.stats.quantiles import normal
from simkit.stats.verdicts import GOOD, OFF
from simkit.tables.compare import paired, usual_measures
from simkit.tables.findings import Findings, cells, finding
from simkit.tables.reading import Block, SumsRow, moment, reals, summed, sums_of_deals, text_columns, whole
from simkit.tables.seats import advantage_less_bias, even_deals, first_player_advantage, nobody_wins

NEAREST_LEVEL = 0.95
# Distance from fair of the farthest seat. It ranks settings, so it is rounded: the last digits of a mean
# depend on the order in which threads add up.
OFF_FAIR = (pl.col("farthest_share") - pl.col("fair")).abs().round(12)
CONFIRM_FOLDER = "confirm"  # of a run: its check on fresh deals
NUMBERS = ("fair", "share", "low", "high", "farthest_share")
CONFIRMED_COLUMNS = ("setting", "lineup", "seats", *NUMBERS, "verdict", "near", "games")
RULES_KEY = ["setting", "lineup", "cell"]
Pair = tuple[Cell, Cell]  # a cell, and the cell with the same lineup to compare with


@finding
def answered(findings: Findings) -> pl.DataFrame:
    """Per lineup: the cells of the baseline, else the cell farthest from fair, the farthest first.

    Rows of `first_player_advantage`, and chosen: whether the cell was selected from several settings.
    """
    first = first_player_advantage(findings)
    if first["baseline"].any():
        return first.filter("baseline").with_columns(chosen=False)
    farthest = first.sort(OFF_FAIR, descending=True, maintain_order=True)
    one_each = farthest.unique("lineup", keep="first", maintain_order=True)
    return one_each.with_columns(chosen=first["setting"].n_unique() > 1)


@finding
def nearest(findings: Findings) -> pl.DataFrame:
    """Per lineup: `first_player_advantage` at the setting where all seats are closest to their fair share."""
    ordered = _won(first_player_advantage(findings)).sort(OFF_FAIR, maintain_order=True)
    return ordered.unique("lineup", keep="first", maintain_order=True).sort("cell")


@finding
def settings(findings: Findings) -> pl.DataFrame:
    """Per setting that all lineups played: distance from fair of the worst lineup, closest to fair first.

    off: for the worst lineup; least, most: share less fair, over the lineups; close: whether the games do not
    distinguish it from the first (as if on independent deals; Bonferroni).
    """
    return ranked(_won(first_player_advantage(findings)))


def ranked(first: pl.DataFrame) -> pl.DataFrame:
    """Return `settings` of the given rows of `first_player_advantage`."""
    gain = pl.col("share") - pl.col("fair")
    wider = normal(1 - (1 - NEAREST_LEVEL) / max(1, first["setting"].n_unique() - 1)) / normal(NEAREST_LEVEL)
    noise = ((pl.col("high") - pl.col("low")) / 2).max() * math.sqrt(2) * wider
    columns = {
        "off": OFF_FAIR.max(),
        "least": gain.min(),
        "most": gain.max(),
        "noise": noise,
        "lineups": pl.len(),
    }
    each = first.group_by("setting", maintain_order=True).agg(pl.col("baseline").any(), **columns)
    played = each.filter(pl.col("lineups") == first["lineup"].n_unique()).sort("off", maintain_order=True)
    close = pl.col("off") < (pl.col("off") + pl.col("noise")).first()
    return played.with_columns(close=close).drop("noise", "lineups")


def _won(first: pl.DataFrame) -> pl.DataFrame:
    """Return the cells in which games are won at all, if every lineup has such cells; else all cells."""
    winnable = first.filter(pl.col("fair") > 0)
    return winnable if winnable["lineup"].n_unique() == first["lineup"].n_unique() else first


def candidates(findings: Findings) -> list[str]:
    """Return the settings nearer to fair than the baseline with the worst lineup, the nearest first.

    Those surely unfair with some lineup are left out; where the baseline is fair, there are none.
    """
    first, names = first_player_advantage(findings), settings(findings)["setting"].to_list()
    base = first.filter("baseline")
    if set(base["verdict"]) <= set(GOOD):
        return []
    nearer = names[: names.index(base["setting"][0])] if base["setting"][0] in names else names
    off = set(first.filter(pl.col("verdict").is_in(OFF))["setting"])
    return [setting for setting in nearer if setting not in off]


def check_findings(findings: Findings) -> Findings | None:
    """Return the findings of the check of a run; None without one that is finished."""
    if findings.whole:
        return findings.whole.cached(check_findings)
    folder = findings.run.folder / CONFIRM_FOLDER
    if not (folder / MANIFEST).is_file() or manifest.read(folder).finished is None:
        return None
    return Findings(open_run(folder))


@finding
def confirmed(findings: Findings) -> pl.DataFrame:
    """Per setting and lineup of the check on fresh deals: share of seat 0 (the team), interval, verdict.

    Shares are corrected for the bias of stopping, if it is known; low, high hold at every interim analysis;
    farthest_share: of the seat farthest from fair; near: as in `first_player_advantage`; games: played;
    more_games: further ones that would roughly settle a case without a verdict, null where unknown.
    """
    check = findings.cached(check_findings)
    if check is None:
        return pl.DataFrame()
    first = advantage_less_bias(check)
    games_per_deal = pl.col("games") / pl.col("deals")
    more_games = ((pl.col("needed") - pl.col("deals")) * games_per_deal).round().cast(pl.Int64)
    first = first.filter(pl.col("seats").is_in(cells(findings)["seats"].to_list()))
    return first.select(*CONFIRMED_COLUMNS, more_games=more_games)


@finding
def lineups_apart(findings: Findings) -> pl.DataFrame:
    """Per setting that is closest to fair for a lineup: whether lineups differ beyond luck, deal by deal.

    base, cell: the lineups with the smallest and the greatest share; p_adjusted: Bonferroni over the pairs of
    lineups and all settings. Empty where one setting is closest for all, or numbers of seats differ.
    """
    best, first = nearest(findings), first_player_advantage(findings)
    pairs = first["setting"].n_unique() * math.comb(best.height, 2)
    settings, rows = best["setting"].unique(maintain_order=True), []
    for setting in settings if len(settings) > 1 and best["fair"].n_unique() == 1 else ():
        cells = first.filter(setting=setting).sort("share", maintain_order=True)["cell"]
        p_value = same_share(findings, cells[0], cells[-1])
        rows.append((setting, cells[0], cells[-1], p_value, min(1.0, p_value * pairs)))
    kinds = text_columns("setting") | whole("base", "cell") | reals("p_value", "p_adjusted")
    return pl.DataFrame(rows, schema=kinds, orient="row")


def same_share(findings: Findings, base: int, other: int) -> float:
    """Return the p-value, over common deals, for the first player winning equally often in two cells."""
    share = usual_measures(1)[0]
    plays = min(cell.rotations for cell in findings.only([base, other]).run.cells)
    row = summed(
        findings, [base, other], ["cell"], lambda _, block: paired(block.seats, {other: base}, [share])
    )
    sums = row.row(0, named=True)
    return difference_p_value(*moment(sums, f"d {share.name}"), sums["deals"], share.bound, plays)


@finding
def rule_sets(findings: Findings) -> pl.DataFrame:
    """Per rule set that all lineups played: `settings`, those that nobody wins included; the best first.

    rank: from 1.
    """
    return ranked(first_player_advantage(findings)).drop("close").with_row_index("rank", 1)


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


def _rule_pairs(findings: Findings) -> list[Pair]:
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
    """Return the seats whose shares determine all others: one of two, any of a team."""
    return range(1 if cell.target is not None or cell.seats == 2 else cell.seats)


def _sums(findings: Findings, pairs: list[Pair]) -> pl.DataFrame:
    """Sum over the common deals of each pair the sums and differences of the shares of each two seats.

    Games that nobody won are shared by all seats, so that 1 / seats is fair in both cells.
    """
    seats = range(max(len(_seats(cell)) for cell, _ in pairs))
    lost = bool(findings.cached(nobody_wins))
    indices = [(cell.index, than.index) for cell, than in pairs]
    every = pl.LazyFrame(indices, schema={"cell": pl.Int32, "than": pl.Int32}, orient="row")

    def of_block(_: Findings, block: Block) -> pl.LazyFrame:
        """Return the sums of one block of deals."""
        deals = even_deals(block.deals) if lost else block.deals
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

    return summed(findings, [index for pair in indices for index in pair], ["cell", "than"], of_block)


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
