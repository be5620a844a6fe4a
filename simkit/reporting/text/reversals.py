"""Pairs of strategies whose result other settings reverse."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.groups import place
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, Sentence, games_of_100, listed

MAX_PAIRS_NAMED = 4  # pairs named in a sentence


def turned(findings: Findings, setting: str) -> Iterator[Sentence]:
    """Yield the settings that reverse results of this setting beyond luck, or that there are none."""
    matchups = findings.matchups
    settled = matchups.filter(pl.col("result") == "beats") if matchups.width else matchups
    at_setting, others = settled.filter(setting=setting), settled.filter(pl.col("setting") != setting)
    if at_setting.is_empty() or matchups["setting"].n_unique() == 1:
        return
    lost = at_setting.select(strategy="opponent", opponent="strategy")
    pairs = others.join(lost, on=["strategy", "opponent"], how="semi", maintain_order="left")
    yield Sentence(_summary(findings, pairs), "matchups")


def _summary(findings: Findings, pairs: pl.DataFrame) -> str:
    tables = " at tables of 2" if findings.ranking["seats"].n_unique() > 1 else ""
    if pairs.is_empty():
        return f"No other setting surely reverses a pairing{tables}."
    shown = pairs.head(MAX_PAIRS_NAMED)
    settings = shown.partition_by("setting", maintain_order=True)
    texts = [f"{place(findings, part['setting'][0])} {_pairs(findings, part)}" for part in settings]
    if pairs.height > MAX_PAIRS_NAMED:
        texts.append(f"{pairs.height - MAX_PAIRS_NAMED} more pairings are reversed")
    return f"Who beats whom{tables} depends on the rules: {'; '.join(texts)}."


def _pairs(findings: Findings, part: pl.DataFrame) -> str:
    return listed(_pair(findings, row) for row in part.iter_rows(named=True))


def _pair(findings: Findings, row: Row) -> str:
    winner, loser = (labels_of(findings).strategy(row[role]) for role in ("strategy", "opponent"))
    return f"{winner} beats {loser} ({games_of_100(row['share'])})"
