"""Roles in words: what factions, characters and other roles win against their fair share."""

from collections.abc import Sequence

from simkit.formatting import counted
from simkit.page.pictures import looked_at
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import TableRow, distance, ends, in_words, join_names, span
from simkit.stats.verdicts import FAIR, NOT_EQUAL, UNFAIR
from simkit.tables.findings import Findings, cells
from simkit.tables.roles import cured_setting, roles

MAX_OTHERS = 2  # other roles named that are off


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
        return f"{_off_sentence(rows, row)} {_others_off(rows, row)}".strip()
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


def _off_sentence(rows: Sequence[TableRow], row: TableRow) -> str:
    """Return how far a role is off its fair share, for each number of players with which it surely is."""
    own = [each for each in rows if each["verdict"] == UNFAIR and _role(each) == _role(row)]
    groups = dict[tuple[bool, int], list[TableRow]]()
    for each in own:
        groups.setdefault((each["difference"] < 0, each["seats"]), []).append(each)
    first, named = row["difference"] < 0, "games of 100"
    alike, opposite = list[str](), list[str]()
    for fewer, seats in sorted(groups, key=lambda key: (key[0] != first, key[1])):
        group = groups[fewer, seats]
        games, place = _games(group), f" with {in_words(len(group))} lineups" if len(group) > 1 else ""
        place = group[0]["place"] if len(group) == 1 or len(groups) > 1 else place
        than = " than its fair share" if named else ""
        kind = f"{named} {'fewer' if fewer else 'more'}{than}".strip()
        (alike if fewer == first else opposite).append(f"{games} {kind}{place}{_within(group)}")
        named = ""
    but = f", but {join_names(opposite)}" if opposite else ""
    return f"The {row['noun']} {row['name']} wins {join_names(alike)}{but}{row['at']}."


def _games(rows: Sequence[TableRow]) -> str:
    """Return how many games of 100 some rows are off."""
    off = [100 * abs(row["difference"]) for row in rows]
    return ends(f"{min(off):.0f}", f"{max(off):.0f}")


def _within(rows: Sequence[TableRow]) -> str:
    """Return the interval of some rows, in brackets."""
    interval = [abs(100 * row[end]) for row in rows for end in ("low", "high")]
    return f" ({span(min(interval), max(interval))})"


def _role(row: TableRow) -> tuple[str, str]:
    return row["noun"], row["name"]


def _others_off(rows: Sequence[TableRow], row: TableRow) -> str:
    """Return the other roles that are surely beyond the margin, the farthest first; empty without any."""
    others = [each for each in rows if each["verdict"] == UNFAIR and _role(each) != _role(row)]
    others.sort(key=lambda each: -abs(each["difference"]))
    texts = [
        f"{each['name']} {_games([each])} {'more' if each['difference'] > 0 else 'fewer'}{each['place']}"
        for each in others[:MAX_OTHERS]
    ]
    if len(others) > MAX_OTHERS:
        texts.append(counted(len(others) - MAX_OTHERS, "further case"))
    return f"Off as well: {join_names(texts)}." if texts else ""


def cured_words(findings: Findings) -> str:
    """Return the setting at which no role is surely unfair, and the farthest role there; empty without it."""
    setting = cured_setting(findings)
    if setting is None:
        return ""
    rows = dealt(findings_at(findings, setting))
    row = max(rows, key=lambda each: abs(each["difference"]))
    more = "more" if row["difference"] > 0 else "fewer"
    interval = span(row["low"], row["high"], sign=True, scale=100)
    farthest = f"{row['name']}, wins {_games([row])} games of 100 {more}{row['place']} ({interval})"
    nouns = join_names(dict.fromkeys(each["noun"] for each in rows), "or")
    where = labels_of(findings).at(setting)
    return f"With {where} no {nouns} is surely unfair; the farthest, {farthest}."


def findings_at(findings: Findings, setting: str) -> Findings:
    """Return the findings of a setting."""
    return findings.only(cells(findings).filter(setting=setting)["cell"].to_list())
