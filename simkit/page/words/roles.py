"""Roles in words: what factions, characters and other roles win against their fair share."""

from collections.abc import Sequence

from simkit.page.pictures import looked_at
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import TableRow, distance, ends, in_words, join_names, span
from simkit.stats.verdicts import FAIR, NOT_EQUAL, UNFAIR
from simkit.tables.findings import Findings, cells
from simkit.tables.roles import roles


def role_rows(findings: Findings) -> list[TableRow]:
    """Return the rows of `roles` at the cells to look at, with the names of roles and of their columns.

    place: number of players, lineup and setting, where there are several.
    """
    table = roles(findings)
    if not table.width:
        return []
    called, looked = labels_of(findings), looked_at(findings, cells(findings))
    sizes = looked["seats"].n_unique() > 1
    lineups = looked["lineup"].n_unique() > looked["seats"].n_unique()
    settings = cells(findings)["setting"].n_unique() > 1
    labels = {cell.index: cell.labels for cell in findings.run.cells}
    rows = []
    for row in looked_at(findings, table).rows(named=True):
        place = f" with {row['seats']} players" if sizes else ""
        place += f" where {called.lineup(labels[row['cell']])} plays" if lineups else ""
        at = f" with {called.at(row['setting'])}" if settings else ""
        names = {"noun": row["column"].replace("_", " "), "name": called.name(row["role"], row["column"])}
        rows.append(row | names | {"place": place, "at": at})
    return rows


def dealt(findings: Findings) -> list[TableRow]:
    """Return the rows of roles that players do not choose; none where a run is about one role."""
    chosen = set(findings.run.words.chosen)
    rows = [] if findings.run.role else role_rows(findings)
    return [row for row in rows if row["column"] not in chosen]


def farthest_role(rows: Sequence[TableRow]) -> TableRow | None:
    """Return the role that is farthest from its fair share, of those surely beyond the margin, if any."""
    off = [row for row in rows if row["verdict"] == UNFAIR]
    return max(off, key=lambda row: abs(row["difference"]), default=None)


def unfair_role(findings: Findings) -> TableRow | None:
    """Return the row of the role farthest from its fair share at the baseline, if one surely is UNFAIR."""
    return farthest_role(dealt(findings))


def roles_sentence(rows: Sequence[TableRow], margin: float) -> str:
    """Return what is known of roles: the one farthest from its fair share, or that all are near it.

    >>> miners = {"noun": "faction", "name": "miners", "place": "", "verdict": "UNFAIR"}
    >>> miners |= {"difference": 0.061, "low": 0.052, "high": 0.07, "seats": 3, "at": ""}
    >>> guards = miners | {"name": "guards", "difference": -0.02, "verdict": "NOT EQUAL"}
    >>> roles_sentence([miners, guards], 0.02)
    'The faction miners wins 6 games of 100 more than its fair share (5.2 to 7.0).'
    >>> roles_sentence([guards | {"low": -0.03, "high": -0.01}], 0.02)
    'The faction guards does not win its fair share (−3.0 to −1.0 games of 100).'
    >>> roles_sentence([guards | {"verdict": "FAIR"}], 0.02)
    'Every faction is less than 2 percentage points off its fair share.'
    >>> roles_sentence([guards | {"verdict": "NOT SETTLED"}], 0.02)
    'Whether every faction wins its fair share is not settled.'
    """
    if not rows:
        return ""
    nouns = join_names(dict.fromkeys(row["noun"] for row in rows), "or")
    if row := farthest_role(rows):
        return _off_sentence([each for each in rows if _like(each, row)])
    unequal = [row for row in rows if row["verdict"] == NOT_EQUAL]
    if unequal:
        row = max(unequal, key=lambda row: abs(row["difference"]))
        interval = span(row["low"], row["high"], sign=True, scale=100)
        who = f"The {row['noun']} {row['name']}"
        return f"{who} does not win its fair share{row['place']}{row['at']} ({interval} games of 100)."
    at = rows[0]["at"]
    if all(row["verdict"] == FAIR for row in rows):
        return f"Every {nouns} is less than {distance(margin)} off its fair share{at}."
    return f"Whether every {nouns} wins its fair share{at} is not settled."


def _like(row: TableRow, other: TableRow) -> bool:
    """Return whether two rows say of the same role that it wins too much, or that it wins too little."""
    keys = ("noun", "name", "verdict")
    return all(row[key] == other[key] for key in keys) and (row["difference"] > 0) == (
        other["difference"] > 0
    )


def _off_sentence(rows: Sequence[TableRow]) -> str:
    """Return how far a role is off its fair share, over all places where it surely is."""
    first, off = rows[0], [100 * abs(row["difference"]) for row in rows]
    sizes, place = sorted({row["seats"] for row in rows}), first["place"]
    if len(sizes) > 1:
        place = f" with {join_names(map(str, sizes))} players"
    elif len(rows) > 1:
        place = f" with {in_words(len(rows))} lineups"
    games = ends(f"{min(off):.0f}", f"{max(off):.0f}")
    interval = [abs(100 * row[end]) for row in rows for end in ("low", "high")]
    more = "more" if first["difference"] > 0 else "fewer"
    wins = f"The {first['noun']} {first['name']} wins {games} games of 100 {more} than its fair share"
    return f"{wins}{place}{first['at']} ({span(min(interval), max(interval))})."
