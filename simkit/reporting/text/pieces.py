"""Sentences about the worth of named components: the strongest, the weakest, and those never used."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.phrases import Row, Sentence, games_of_100, in_words, span, whole

IDLE = 0.1  # frequency of use below which a piece is hardly ever used
MIN_DEALS = 29  # deals without any use that show a frequency below IDLE: 0.9 ** 29 < 0.05
MIN_USERS = 0.05  # share of the players who use a piece below which it does not stand out
MIN_GAMES = 100  # games with and without a piece below which it does not stand out
MAX_PIECES_NAMED = 6  # pieces named in a sentence
ASSOCIATION = "Associations: who takes a thing may differ in what the score does not show."
Table = pl.DataFrame


def several(word: str) -> str:
    """Return the plural of an English noun."""
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def plural(count: int, word: str) -> str:
    """Return a count in words with its noun.

    >>> plural(1, "card"), plural(12, "factory"), plural(40, "tile")
    ('one card', '12 factories', '40 tiles')
    """
    return f"{in_words(count)} {word if count == 1 else several(word)}"


def different(count: int, word: str) -> str:
    """Return a count of pieces with different names, of which a deck may hold several copies.

    >>> different(1, "card"), different(51, "card")
    ('one card', '51 different cards')
    """
    return plural(count, word) if count == 1 else f"{in_words(count)} different {several(word)}"


def deck(names: int, copies: int, word: str) -> str:
    """Return how many pieces there are, and how many of them differ.

    >>> deck(51, 54, "card"), deck(13, 13, "upgrade")
    ('54 cards, 51 of them different.', '')
    """
    return (
        f"{plural(copies, word).capitalize()}, {in_words(names)} of them different." if copies > names else ""
    )


def first_pieces(table: Table) -> Table:
    """Return the rows of the first cell."""
    return table.filter(cell=table["cell"][0])


def standing_out(table: Table) -> Table:
    """Return the rows used often enough that differ beyond luck, the largest difference first.

    >>> rows = {"piece": ["a", "b", "c"], "difference": [0.1, -0.2, 0.3], "p_adjusted": [0.01, 0.02, 0.03]}
    >>> rows |= {"users": [0.3, 0.04, 0.3], "with_games": [300, 300, 99], "without_games": [300, 300, 300]}
    >>> standing_out(pl.DataFrame(rows))["piece"].to_list()
    ['a']
    """
    often = (pl.col("users") >= MIN_USERS) & (pl.min_horizontal("with_games", "without_games") >= MIN_GAMES)
    beyond = table.filter(often & (pl.col("p_adjusted") < SURE))
    return beyond.sort(pl.col("difference").abs(), descending=True, maintain_order=True)


def never_used(table: Table) -> Table:
    """Return the rows of pieces never used in enough deals to show that they hardly ever are."""
    return table.filter(pl.col("never").is_not_null() & (pl.col("chances") >= MIN_DEALS))


def idle(findings: Findings, table: Table) -> Table:
    """Return the rows of pieces that seats had in enough deals and hardly ever used."""
    rarely_used = pl.col("never").is_null() & (pl.col("used") < IDLE) & (pl.col("chances") >= MIN_DEALS)
    return table.filter(rarely_used) if findings.run.words.played else table.clear()


def idle_kind(findings: Findings, idle_rows: Table) -> str:
    """Return the kind, such as `value 6`, that comprises all hardly used pieces; empty if there is none."""
    if not findings.piece_kinds.width or idle_rows.is_empty():
        return ""
    rows = first_pieces(findings.piece_kinds).filter(pl.col("copies") == idle_rows["copies"].sum())
    idle_kinds = rows.filter(pl.col("used") < IDLE).rows(named=True)
    return _kind(idle_kinds[0]) if idle_kinds else ""


def heading(findings: Findings) -> str:
    """Return the heading of the section."""
    word, use, rows = findings.run.words.piece, findings.run.words.piece_use, first_pieces(findings.pieces)
    never, idle_rows, outliers = never_used(rows), idle(findings, rows), standing_out(rows)
    if never.height:
        (step, *others) = never["never"].unique().to_list()
        step = "used" if others or step == "available" else use if step == "played" else step
        return f"{_are(never.height, word)} never {step} in {rows['games'][0]:,} games"
    if idle_rows.height:
        kind = idle_kind(findings, idle_rows)
        subject = f"{several(word).capitalize()} of {kind} are" if kind else _are(idle_rows.height, word)
        most = f", {outliers.row(0, named=True)['piece']} stands out" if outliers.height else ""
        return f"{subject} hardly ever {use}{most}"
    if outliers.height:
        row = outliers.row(0, named=True)
        return f"{_owners(findings, row)} win {_points(row)} at equal standing"
    if rows["difference"].is_null().all():
        return f"Too few traced games to compare the {several(word)}"
    return f"No {word} stands out beyond luck"


def _are(count: int, word: str) -> str:
    return f"{plural(count, word).capitalize()} {'is' if count == 1 else 'are'}"


def _owners(findings: Findings, row: Row) -> str:
    return f"Teams that use {row['piece']}" if findings.run.team else f"Owners of {row['piece']}"


def _points(row: Row) -> str:
    """Return a difference of shares in games of 100 more or less.

    >>> _points({"difference": 0.082}), _points({"difference": -0.011})
    ('8 games of 100 more', '1 game of 100 less')
    """
    return f"{games_of_100(abs(row['difference']))} {'more' if row['difference'] > 0 else 'less'}"


def sentences(findings: Findings) -> Iterator[Sentence]:
    """Yield sentences on outliers, kinds of pieces, and pieces never or hardly ever used."""
    word, rows = findings.run.words.piece, first_pieces(findings.pieces)
    outliers, kinds = standing_out(rows), findings.piece_kinds
    for side in (outliers.filter(pl.col("difference") > 0), outliers.filter(pl.col("difference") < 0)):
        if side.height:
            yield Sentence(_strongest(findings, side.row(0, named=True), side.height), "pieces")
        elif outliers.height:
            kind = "stronger" if outliers["difference"][0] < 0 else "weaker"
            yield Sentence(f"No {word} is {kind} than the others beyond luck.", "pieces")
    if outliers.height:
        yield Sentence(ASSOCIATION, "pieces")
    if not outliers.height:
        none = rows["difference"].is_null().all()
        text = f"No {word} {'can be compared' if none else 'stands out beyond luck'} in {_traced(rows)}"
        yield Sentence(f"{text}; more games (--trace) tell {'more' if none else 'finer'}.", "pieces")
    if kinds.width and (beyond := standing_out(first_pieces(kinds))).height:
        yield Sentence(_kinds(beyond, word), "piece_kinds")
    yield from _unused(findings, rows)


def _strongest(findings: Findings, row: Row, count: int) -> str:
    word, owners = findings.run.words.piece, "teams" if findings.run.team else "seats"
    low, high = row["difference_low"], row["difference_high"]
    end = "strongest" if row["difference"] > 0 else "weakest"
    others = f"; {plural(count, word)} of this side {'is' if count == 1 else 'are'} beyond luck"
    return f"""The {end} {word} is {row["piece"]}: {owners} that take it win {_points(row)} than {owners} of
        equal standing that take others (95 % interval {span(low, high, 0, True, 100)} percentage points,
        n = {row["with_games"]:,}{others})."""


def _kinds(beyond: Table, word: str) -> str:
    best, worst = beyond.sort("difference").row(-1, named=True), beyond.sort("difference").row(0, named=True)
    ends = [best] if best["of"] == worst["of"] else [best, worst]
    texts = [f"“{_kind(row)}” {_points(row)}" for row in ends]
    return f"By kinds of {word}, takers win at equal standing with {', with '.join(texts)}."


def _kind(row: Row) -> str:
    """Return the name of a kind.

    >>> _kind({"kind": "sort", "of": "plan"}), _kind({"kind": "value", "of": "3"})
    ('plan', 'value 3')
    """
    return row["of"] if row["kind"] == "sort" else f"{row['kind']} {row['of']}"


def _unused(findings: Findings, rows: Table) -> Iterator[Sentence]:
    use = findings.run.words.piece_use
    for step in ("available", "taken", "played"):
        names = never_used(rows).filter(never=step)["piece"].to_list()
        if names:
            use_text = f"{use if step == 'played' else step} in {_traced(rows)}"
            yield Sentence(f"Never {use_text}: {_listed(names)}.", "pieces")
    idle_rows = idle(findings, rows).sort("used", "piece")
    if idle_rows.height:
        most = whole(idle_rows.row(-1, named=True)["used"])
        frequency = f"at most in {most} of 100 games in which a seat could have it"
        kind, word = idle_kind(findings, idle_rows), findings.run.words.piece
        listing = f"all {several(word)} of {kind}" if kind else _listed(idle_rows["piece"].to_list())
        yield Sentence(f"Hardly ever {use}, {frequency}: {listing}.", "pieces")


def _traced(rows: Table) -> str:
    games = rows["games"][0]
    return f"{games:,} traced game{'' if games == 1 else 's'}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MAX_PIECES_NAMED} more" if len(names) > MAX_PIECES_NAMED + 1 else ""
    return ", ".join(names[:MAX_PIECES_NAMED] if more else names) + more
