"""The strongest options in all combinations on fresh deals: effects and interactions of two."""

import polars as pl

from simkit.reporting.document import Table
from simkit.reporting.pages import Findings, Section, Show, labels_of, prose, table
from simkit.reporting.text.screens import (
    SIZE,
    VERDICT_WORDS,
    amount,
    change_words,
    interval_said,
    measure_told,
    pair_said,
)

MAX_PAIRS = 20
TEXT = prose("""The options that change something most by themselves were played in all combinations of their
    two values, all others as in the rulebook, on deals that had no part in picking them. The intervals of
    what each changes by itself hold together at 95 %, and so do all others. What two do together: half of how
    much that which one changes differs between the two values of the other.""")


def section(findings: Findings) -> Section | None:
    """Return the effects and interactions, or None for a run without combinations."""
    if not findings.together.width:
        return None
    singles = findings.together.filter(pl.col("with").is_null())
    pairs = findings.together.filter(pl.col("with").is_not_null())
    strong = pairs.sort(SIZE / pl.col("margin").clip(1e-12), descending=True, maintain_order=True)
    alone = findings.alone_again.with_columns(pl.lit(None, pl.String).alias("with"))
    tables = [_table(findings, alone, "What each changes by itself, all others as in the rulebook")]
    tables += [_table(findings, singles, "What each changes on average over the others")]
    if pairs.height:
        tables.append(_table(findings, strong.head(MAX_PAIRS), "What two do together, the most first"))
    return Section(pair_said(findings) or "What the strongest option changes", [TEXT], tables=tables)


def _table(findings: Findings, rows: pl.DataFrame, caption: str) -> Table:
    labels, records = labels_of(findings), rows.rows(named=True)
    described = rows.with_columns(
        pl.Series("what", [measure_told(findings, row["measure"], row["seat"]) for row in records]),
        pl.Series("change", [change_words(findings, row["option"]) for row in records]),
        pl.Series("other", [row["with"] and labels.option(row["with"]) for row in records], pl.String),
        pl.Series("size", [amount(row) for row in records]),
        pl.Series("interval", [interval_said(row) for row in records]),
        pl.Series("said", [VERDICT_WORDS[row["verdict"]] for row in records]),
    )
    heads = {
        "change": Show("option"),
        "other": Show("with"),
        "size": Show("change"),
        "interval": Show("interval"),
    }
    heads |= {"what": Show("what"), "said": Show("which says")}
    lineup = ["lineup"] if findings.together["lineup"].n_unique() > 1 else []
    other = ["other"] if rows["with"].count() else []
    return table(
        findings, described, ["what", "change", *other, *lineup, "size", "interval", "said"], caption, **heads
    )
