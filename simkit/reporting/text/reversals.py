"""Which pairs of plans other settings turn round: who loses to whom it beats at the setting looked at."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.groups import place
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, Said, games_of_100, listed

MOST_PAIRS = 4  # that a sentence names


def turned(findings: Findings, setting: str) -> Iterator[Said]:
    """At which other settings those win, beyond luck, who lose at this one; that there are none."""
    met = findings.matchups
    settled = met.filter(pl.col("result") == "beats") if met.width else met
    here, others = settled.filter(setting=setting), settled.filter(pl.col("setting") != setting)
    if here.is_empty() or met["setting"].n_unique() == 1:
        return
    lost = here.select(strategy="opponent", opponent="strategy")
    pairs = others.join(lost, on=["strategy", "opponent"], how="semi", maintain_order="left")
    yield Said(_told(findings, pairs), "matchups")


def _told(findings: Findings, pairs: pl.DataFrame) -> str:
    tables = " at tables of 2" if findings.ranking["seats"].n_unique() > 1 else ""
    if pairs.is_empty():
        return f"No other setting turns who beats whom{tables} beyond luck."
    named = pairs.head(MOST_PAIRS)
    settings = named.partition_by("setting", maintain_order=True)
    told = [f"{place(findings, part['setting'][0])} {_pairs(findings, part)}" for part in settings]
    more = [f"{pairs.height - MOST_PAIRS} more pairs are turned"] if pairs.height > MOST_PAIRS else []
    return f"Who beats whom{tables} hangs on the rules: {'; '.join([*told, *more])}."


def _pairs(findings: Findings, part: pl.DataFrame) -> str:
    return listed(_pair(findings, row) for row in part.iter_rows(named=True))


def _pair(findings: Findings, row: Row) -> str:
    one, other = (labels_of(findings).strategy(row[who]) for who in ("strategy", "opponent"))
    return f"{one} beats {other} ({games_of_100(row['share'])})"
