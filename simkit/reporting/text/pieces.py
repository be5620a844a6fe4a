"""Sentences about named components: those that stand out, and those never or hardly ever used."""

from collections.abc import Iterator

import polars as pl

from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.numbers import in_words, whole
from simkit.reporting.text.phrases import join_names

IDLE = 0.1  # frequency of use below which a piece is hardly ever used
MIN_UNUSED_DEALS = 29  # deals without any use that show a frequency below IDLE: 0.9 ** 29 < 0.05
MIN_USERS = 0.05  # share of the players who use a piece below which it does not stand out
MIN_GAMES = 100  # games with and without a piece below which it does not stand out
MAX_NAMED_PIECES = 6  # pieces named in a sentence
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


def count_different(count: int, word: str) -> str:
    """Return a count of pieces with different names, of which a deck may hold several copies.

    >>> count_different(1, "card"), count_different(51, "card")
    ('one card', '51 different cards')
    """
    return plural(count, word) if count == 1 else f"{in_words(count)} different {several(word)}"


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


def unused_sentences(rows: Table, use: str) -> Iterator[str]:
    """Yield the pieces never used, and those hardly ever used, in enough deals to show it.

    use: the game's word for using a piece, such as `played`; empty where taking is using.

    >>> rows = {"piece": ["ace", "king", "jack"], "never": ["taken", None, None], "used": [0.0, 0.02, 0.5]}
    >>> rows = pl.DataFrame(rows | {"chances": [40, 40, 40], "games": [80, 80, 80]})
    >>> list(unused_sentences(rows, "played"))
    ['Never taken in 80 traced games: ace.', 'Played in at most 2 of 100 games of those who could: king.']
    """
    rows = rows.filter(pl.col("chances") >= MIN_UNUSED_DEALS)
    for step in ("available", "taken", "played"):
        if names := rows.filter(never=step)["piece"].to_list():
            done = use if step == "played" else step
            never = join_names(names, most=MAX_NAMED_PIECES)
            yield f"Never {done} in {rows['games'][0]:,} traced games: {never}."
    rarely = rows.filter(pl.col("never").is_null() & (pl.col("used") < IDLE)).sort("used", "piece")
    if use and rarely.height:
        often = f"{use.capitalize()} in at most {whole(rarely['used'][-1])} of 100 games of those who could"
        yield f"{often}: {join_names(rarely['piece'], most=MAX_NAMED_PIECES)}."
