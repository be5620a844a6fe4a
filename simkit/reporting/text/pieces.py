"""What the components with names are worth, in words: the strongest, the weakest, what is never used."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import rounded
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.phrases import Row, Said, in_words, span, whole

IDLE = 0.1  # used less often than this is hardly ever used
ENOUGH = 29  # deals without a thing that say that it happens in less than IDLE of them: 0.9 ** 29 < 0.05
NAMED = 6  # pieces that a sentence names
ASSOCIATION = "Associations: who takes a thing may differ in what the score does not show."
Table = pl.DataFrame


def several(word: str) -> str:
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def plural(many: int, word: str) -> str:
    """A small number in words.

    >>> plural(1, "card"), plural(12, "factory"), plural(40, "tile")
    ('one card', '12 factories', '40 tiles')
    """
    return f"{in_words(many)} {word if many == 1 else several(word)}"


def first_pieces(table: Table) -> Table:
    """The rows of the first cell that is looked at."""
    return table.filter(cell=table["cell"][0])


def standing_out(table: Table) -> Table:
    """The rows that differ beyond luck, the largest difference first."""
    beyond = table.filter(pl.col("p_adjusted") < SURE)
    return beyond.sort(pl.col("difference").abs(), descending=True, maintain_order=True)


def never_used(table: Table) -> Table:
    """The rows of what was never used in so many deals that it hardly ever is."""
    return table.filter(pl.col("never").is_not_null() & (pl.col("chances") >= ENOUGH))


def idle(findings: Findings, table: Table) -> Table:
    """The rows of what is had in enough deals and hardly ever used."""
    few = pl.col("never").is_null() & (pl.col("used") < IDLE) & (pl.col("chances") >= ENOUGH)
    return table.filter(few) if findings.run.words.played else table.clear()


def idle_kind(findings: Findings, few: Table) -> str:
    """The kind that all of what is hardly ever used is, as `value 6`; nothing where there is no such kind."""
    if not findings.piece_kinds.width or few.is_empty():
        return ""
    rows = first_pieces(findings.piece_kinds).filter(pl.col("copies") == few["copies"].sum())
    some = rows.filter(pl.col("used") < IDLE).rows(named=True)
    return _kind(some[0]) if some else ""


def heading(findings: Findings) -> str:
    """What the section says, in few words."""
    word, use, rows = findings.run.words.piece, findings.run.words.piece_use, first_pieces(findings.pieces)
    never, few, out = never_used(rows), idle(findings, rows), standing_out(rows)
    if never.height:
        (how, *others) = never["never"].unique().to_list()
        how = "used" if others or how == "available" else use if how == "played" else how
        return f"{_are(never.height, word)} never {how} in {rows['games'][0]:,} games"
    if few.height:
        kind = idle_kind(findings, few)
        which = f"{several(word).capitalize()} of {kind} are" if kind else _are(few.height, word)
        most = f", {out.row(0, named=True)['piece']} stands out" if out.height else ""
        return f"{which} hardly ever {use}{most}"
    if out.height:
        row = out.row(0, named=True)
        return f"{_owners(findings, row)} win {_points(row)} at equal standing"
    if rows["difference"].is_null().all():
        return f"Too few traced games to compare the {several(word)}"
    return f"No {word} stands out beyond luck"


def _are(many: int, word: str) -> str:
    return f"{plural(many, word).capitalize()} {'is' if many == 1 else 'are'}"


def _owners(findings: Findings, row: Row) -> str:
    return f"Teams that use {row['piece']}" if findings.run.team else f"Owners of {row['piece']}"


def _points(row: Row) -> str:
    """How much more often.

    >>> _points({"difference": 0.082}), _points({"difference": -0.011})
    ('8 games of 100 more', '1 game of 100 less')
    """
    many = int(rounded(100 * abs(row["difference"])))
    size = "less than 1 game" if many == 0 else f"{many} game{'s' if many > 1 else ''}"
    return f"{size} of 100 {'more' if row['difference'] > 0 else 'less'}"


def sentences(findings: Findings) -> Iterator[Said]:
    """What stands out, the kinds of pieces, what is never and hardly ever used."""
    word, rows = findings.run.words.piece, first_pieces(findings.pieces)
    out, kinds = standing_out(rows), findings.piece_kinds
    for side in (out.filter(pl.col("difference") > 0), out.filter(pl.col("difference") < 0)):
        if side.height:
            yield Said(_strongest(findings, side.row(0, named=True), side.height), "pieces")
        elif out.height:
            kind = "stronger" if out["difference"][0] < 0 else "weaker"
            yield Said(f"No {word} is {kind} than the others beyond luck.", "pieces")
    if out.height:
        yield Said(ASSOCIATION, "pieces")
    if not out.height:
        none = rows["difference"].is_null().all()
        text = f"No {word} {'can be compared' if none else 'stands out beyond luck'} in {_traced(rows)}"
        yield Said(f"{text}; more games (--trace) tell {'more' if none else 'finer'}.", "pieces")
    if kinds.width and (beyond := standing_out(first_pieces(kinds))).height:
        yield Said(_kinds(beyond, word), "piece_kinds")
    yield from _unused(findings, rows)


def _strongest(findings: Findings, row: Row, many: int) -> str:
    word, who = findings.run.words.piece, "teams" if findings.run.team else "seats"
    low, high = row["difference_low"], row["difference_high"]
    which = "strongest" if row["difference"] > 0 else "weakest"
    others = f"; {plural(many, word)} of this side {'is' if many == 1 else 'are'} beyond luck"
    return f"""The {which} {word} is {row["piece"]}: {who} that take it win {_points(row)} than {who} of equal
        standing that take others (95 % interval {span(low, high, 0, True, 100)} percentage points,
        n = {row["with_games"]:,}{others})."""


def _kinds(beyond: Table, word: str) -> str:
    best, worst = beyond.sort("difference").row(-1, named=True), beyond.sort("difference").row(0, named=True)
    ends = [best] if best["of"] == worst["of"] else [best, worst]
    said = [f"“{_kind(row)}” {_points(row)}" for row in ends]
    return f"By kinds of {word}, takers win at equal standing with {', with '.join(said)}."


def _kind(row: Row) -> str:
    """What a kind is called.

    >>> _kind({"kind": "sort", "of": "plan"}), _kind({"kind": "value", "of": "3"})
    ('plan', 'value 3')
    """
    return row["of"] if row["kind"] == "sort" else f"{row['kind']} {row['of']}"


def _unused(findings: Findings, rows: Table) -> Iterator[Said]:
    use = findings.run.words.piece_use
    for what in ("available", "taken", "played"):
        some = never_used(rows).filter(never=what)["piece"].to_list()
        if some:
            how = f"{use if what == 'played' else what} in {_traced(rows)}"
            yield Said(f"Never {how}: {_listed(some)}.", "pieces")
    few = idle(findings, rows).sort("used", "piece")
    if few.height:
        most = whole(few.row(-1, named=True)["used"])
        often = f"at most in {most} of 100 games in which a seat could have it"
        kind, word = idle_kind(findings, few), findings.run.words.piece
        which = f"all {several(word)} of {kind}" if kind else _listed(few["piece"].to_list())
        yield Said(f"Hardly ever {use}, {often}: {which}.", "pieces")


def _traced(rows: Table) -> str:
    games = rows["games"][0]
    return f"{games:,} traced game{'' if games == 1 else 's'}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED + 1 else ""
    return ", ".join(names[:NAMED] if more else names) + more
