"""Which settings a page advises: those that held on fresh deals and with which a ladder agrees."""

import polars as pl

from simkit.page.words.skill import settings_of_agreement
from simkit.page.words.verdicts import holds, side_of
from simkit.stats.verdicts import OFF
from simkit.tables.fairness import confirmed, settings
from simkit.tables.findings import Findings
from simkit.tables.roles import settings_with_unfair_roles
from simkit.tables.seats import first_player_advantage

MAX_ADVISED = 3  # settings


def recommended_settings(findings: Findings) -> list[str]:
    """Return the settings that held on fresh deals and with which a ladder agrees, in the given order."""
    return settings_of_agreement(findings, settings_that_held(findings))


def settings_that_held(findings: Findings) -> list[str]:
    """Return the settings that held on fresh deals, in the order of the experiment."""
    table = confirmed(findings)
    names = table["setting"].unique(maintain_order=True).to_list() if table.width else []
    names = _without_unfair_roles(findings, names)
    return [name for name in names if holds(table.filter(setting=name).rows(named=True))]


def advised_settings(findings: Findings) -> list[str]:
    """Return the settings that held on fresh deals; without a check those worth one, the nearest first.

    Without a check they hold in the run itself, and players of a ladder agree.
    """
    return settings_of_agreement(findings, settings_to_advise(findings))[:MAX_ADVISED]


def settings_to_advise(findings: Findings) -> list[str]:
    """Return the settings that are worth advising by the games of the run and its check."""
    if confirmed(findings).width:
        return settings_that_held(findings)
    cases = first_player_advantage(findings).partition_by("setting", as_dict=True)
    return [name for name in _near(findings) if holds(cases[name,].rows(named=True))]


def _without_unfair_roles(findings: Findings, names: list[str]) -> list[str]:
    """Return the settings at which no role is surely unfair, in the given order."""
    unfair = set() if findings.run.role else settings_with_unfair_roles(findings)
    return [name for name in names if name not in unfair]


def near_fair(findings: Findings) -> list[str]:
    """Return the few settings nearest to fair that are not surely unfair, settled or not."""
    return _near(findings)[:MAX_ADVISED]


def _near(findings: Findings) -> list[str]:
    """Return the settings near fair, nearest first: within the margin, UNFAIR with no lineup.

    No setting is farther from fair than the baseline; where the baseline is fair, it is the only one.
    """
    if first_player_advantage(findings)["setting"].n_unique() < 2 or settings(findings).is_empty():
        return []
    failing = first_player_advantage(findings).filter(pl.col("verdict").is_in(OFF))["setting"]
    near = pl.col("off") <= findings.run.experiment.margin
    close = settings(findings).filter(near & ~pl.col("setting").is_in(failing.to_list()))["setting"].to_list()
    close = _without_unfair_roles(findings, close)
    before = first_player_advantage(findings).filter("baseline")
    if (base := before["setting"].unique().to_list()) and base[0] in close:
        fine = set(before["verdict"]) == {side_of(findings.run).verdicts[0]}
        close = base if fine else close[: close.index(base[0]) + 1]
    return close
