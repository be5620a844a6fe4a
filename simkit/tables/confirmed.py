"""Settings nearest to fair, and what their check on fresh deals says."""

import polars as pl

from simkit.runs import manifest
from simkit.runs.folder import open_run
from simkit.runs.storage.remote import MANIFEST
from simkit.stats.verdicts import GOOD, OFF
from simkit.tables.compare import settings
from simkit.tables.findings import Findings, cells, finding
from simkit.tables.seats import advantage_less_bias, first_player_advantage

CONFIRM_FOLDER = "confirm"  # of a run: its check on fresh deals
NUMBERS = ("fair", "share", "low", "high", "farthest_share")
ROW = ("setting", "lineup", "seats", *NUMBERS, "verdict", "near", "games")


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
    return first.select(*ROW, more_games=more_games)
