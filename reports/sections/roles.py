"""Roles, such as factions: what each wins against its fair share, who counters whom, and in which seats."""

from typing import Any

import polars as pl

from simkit.page import charts
from simkit.page.columns import points, table
from simkit.page.document.parts import Section
from simkit.page.document.tables import Show
from simkit.page.pictures import figure, here, label_column, margin
from simkit.page.words.confidence import SURE
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import TableRow, prose, seat_name, span
from simkit.page.words.roles import cured_words, findings_at, role_rows, roles_sentence
from simkit.tables import roles as roles_tables
from simkit.tables.findings import Findings

METHOD = prose("""The fair share of a role is what the same seats win with the same players, whatever their
    role. Intervals are for one role; a verdict allows for all roles of a table. The difference is also given
    corrected, since the best and the worst of several roles look farther from fair than they are.""")
CHOSEN = prose("""Players choose the {noun} during the game. What it wins therefore also says who chooses it,
    and when.""")
ROLE_HEADS = {
    "share": Show("wins", "{:.1%}", "share of the win of a seat with the role"),
    "fair_share": Show(
        "fair share", "{:.1%}", "share of the same seats with the same players, over all roles"
    ),
    "difference": Show("more than fair", points, "in percentage points"),
    "shrunk": Show("corrected", points, "for having been picked as the best or worst of several"),
    "seats": Show("players", "{:,}"),
}
PAIRS_TEXT = prose("""What a role wins above its fair share while another one is at the table, less what the
    strengths of all roles there lead one to expect. Pairs are listed if the difference surely exceeds
    {margin}.""")
MAX_PAIRS = 12  # in a table


def roles(findings: Findings) -> Section | None:
    """Return what each role wins against its fair share, by number of players; None without roles.

    The setting that cures the roles of the usual rules, if there is one, stands beside them.
    """
    rows = role_rows(findings.at_baseline())
    if not rows:
        return None
    nouns = dict.fromkeys(row["noun"] for row in rows)
    texts = [roles_sentence(rows, findings.run.experiment.margin), cured_words(findings), METHOD]
    texts += [
        CHOSEN.format(noun=row["noun"])
        for row in {row["noun"]: row for row in rows}.values()
        if row["column"] in findings.run.words.chosen
    ]
    if cured := roles_tables.cured_setting(findings):
        rows += role_rows(findings_at(findings, cured))
    labelled = pl.DataFrame(rows, infer_schema_length=None)
    several = labelled["lineup"].n_unique() > labelled["seats"].n_unique()
    kinds = [pl.format("{} players", "seats"), *([pl.col("lineup")] if several else [])]
    settings = label_column(findings, "setting")
    kind = pl.concat_str(*kinds, *([settings] if cured else []), separator=", ")
    scaled = {
        end: 100 * pl.col(source)
        for end, source in (("value", "difference"), ("low", "low"), ("high", "high"))
    }
    parts = {
        "label": pl.col("name"),
        "kind": kind if labelled["cell"].n_unique() > 1 else pl.lit(""),
    } | scaled
    alt = f"What each {' and '.join(nouns)} wins above its fair share, with 95 % intervals"
    how: dict[str, Any] = {"unit": "Games of 100 above the fair share", "form": "{:+.1f}"}
    how |= {"margin": 100 * findings.run.experiment.margin} if findings.run.judged else {}
    order = labelled.sort("column", "name", "seats", "cell", maintain_order=True)
    picture = figure(
        findings, ("roles", charts.forest), order, alt, here(findings, lineup=False), parts, **how
    )
    names = "name seats share fair_share difference low high shrunk verdict games"
    if labelled["seats"].n_unique() == 1:
        names = names.replace(" seats", "")
    names = f"setting {names}" if cured else names
    heads = ROLE_HEADS | {"name": Show(" / ".join(nouns))}
    listed = table(findings, labelled, names, "Each role against its fair share", **heads)
    return Section(f"What each {' and '.join(nouns)} wins", [*filter(None, texts)], [picture], [listed])


def counters(findings: Findings) -> Section | None:
    """Return who counters whom beyond luck; None without such pairs."""
    baseline = findings.at_baseline()
    pairs = roles_tables.role_pairs(baseline)
    sure = pairs.filter(pl.col("p_adjusted") < SURE) if pairs.width else pairs
    if sure.is_empty():
        return None
    called = labels_of(findings)
    named = [
        row | {name: called.name(row[name], row["column"]) for name in ("role", "other")}
        for row in sure.rows(named=True)
    ]
    rows = pl.DataFrame(named, schema=sure.schema)
    first = rows.filter(cell=rows["cell"][0], column=rows["column"][0])
    best = rows.sort("difference", descending=True).row(0, named=True)
    parts = {"row": pl.col("role"), "column": pl.col("other"), "value": pl.col("difference")}
    parts |= {"fair": pl.lit(0.0), "low": pl.col("low"), "high": pl.col("high")}
    size = f" with {first['seats'][0]} players" if pairs["seats"].n_unique() > 1 else ""
    alt = f"Games of 100 that a role wins more while another is at the table{size}, with half the intervals"
    how = {"across": "while this one is at the table", "down": "wins more or less", "middle": "expected"}
    picture = figure(findings, ("counters", charts.heat), first, alt, here(findings), parts, **how)
    names = "role seats other difference low high p_adjusted games"
    heads = ROLE_HEADS | {"role": Show("role"), "other": Show("while at the table")}
    heads |= {"difference": Show("more than expected", points, "in percentage points")}
    ordered = rows.sort("difference", descending=True).head(MAX_PAIRS)
    listed = table(findings, ordered, names, "Who counters whom", **heads)
    text = f"Most of all, {best['role']} counters {best['other']} ({_points(best)}{_players(pairs, best)})."
    texts = [text, PAIRS_TEXT.format(margin=margin(findings))]
    return Section("Who counters whom", texts, [picture], [listed])


def roles_by_seat(findings: Findings) -> Section | None:
    """Return the roles that win more or less in some seat than elsewhere, beyond luck; None without any."""
    rows = roles_tables.role_seats(findings.at_baseline())
    sure = rows.filter(pl.col("p_adjusted") < SURE).rows(named=True) if rows.width else []
    if not sure:
        return None
    called = labels_of(findings)
    texts = list[str]()
    for row in sure:
        worth = f"is worth {'more' if row['difference'] > 0 else 'less'} to the {seat_name(row['seat'])}"
        role = f"The {row['column'].replace('_', ' ')} {called.name(row['role'], row['column'])}"
        texts.append(f"{role} {worth}{_players(rows, row)} ({_points(row)}).")
    return Section("Roles that depend on the seat", texts)


def _points(row: TableRow) -> str:
    """Return the interval of a difference in games of 100."""
    return f"{span(row['low'], row['high'], sign=True, scale=100)} games of 100"


def _players(rows: pl.DataFrame, row: TableRow) -> str:
    return f" with {row['seats']} players" if rows["seats"].n_unique() > 1 else ""
