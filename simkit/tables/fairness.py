"""Settings by their distance from fair: which one answers a run, which is nearest, how rule sets rank.

What is picked from many is checked on fresh deals (`confirmed`). Tests of whether lineups differ at a setting
take differences deal by deal.
"""

import math

import polars as pl

from simkit.runs import manifest
from simkit.runs.folder import open_run
from simkit.stats.comparisons import difference_p_value
from simkit.stats.quantiles import normal
from simkit.stats.verdicts import GOOD, OFF
from simkit.tables.compare import paired, shares_won
from simkit.tables.findings import Findings, cells, finding
from simkit.tables.reading import moment, reals, sum_over_blocks, text_columns, whole
from simkit.tables.seats import advantage_less_bias, first_player_advantage

NEAREST_LEVEL = 0.95
# Distance from fair of the farthest seat. It ranks settings, so it is rounded: the last digits of a mean
# depend on the order in which threads add up.
OFF_FAIR = (pl.col("farthest_share") - pl.col("fair")).abs().round(12)
CONFIRM_FOLDER = "confirm"  # of a run: its check on fresh deals
NUMBERS = ("fair", "share", "low", "high", "farthest_share")
CONFIRMED_COLUMNS = ("setting", "lineup", "seats", *NUMBERS, "farthest", "verdict", "near", "games")


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
    ordered = _cells_with_wins(first_player_advantage(findings)).sort(OFF_FAIR, maintain_order=True)
    return ordered.unique("lineup", keep="first", maintain_order=True).sort("cell")


@finding
def settings(findings: Findings) -> pl.DataFrame:
    """Per setting that all lineups played: distance from fair of the worst lineup, closest to fair first.

    off: for the worst lineup; least, most: share less fair, over the lineups; close: whether the games do not
    distinguish it from the first (as if on independent deals; Bonferroni).
    """
    return rank_settings(_cells_with_wins(first_player_advantage(findings)))


def rank_settings(first: pl.DataFrame) -> pl.DataFrame:
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


def _cells_with_wins(first: pl.DataFrame) -> pl.DataFrame:
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
    return Findings(open_run(folder)) if manifest.is_finished(folder) else None


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
    """Return the p-value, over common deals, for the first player or side winning as often in two cells."""
    share = shares_won(findings.run, 1)[0]
    plays = min(cell.rotations for cell in findings.only([base, other]).run.cells)
    row = sum_over_blocks(
        findings, [base, other], ["cell"], lambda _, block: paired(block.seats, {other: base}, [share])
    )
    sums = row.row(0, named=True)
    return difference_p_value(*moment(sums, f"d {share.name}"), sums["deals"], share.bound, plays)
