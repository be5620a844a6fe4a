"""Sentences about the length of games, about components with names, and about luck."""

from collections.abc import Iterator

import polars as pl

from simkit.page.words.confidence import SURE
from simkit.page.words.labels import labels_of, of_first, over
from simkit.page.words.numbers import (
    Sentence,
    TableRow,
    capital,
    ends,
    in_words,
    join_names,
    number,
    percent,
    span,
    whole,
)
from simkit.runs.folder import Run
from simkit.tables import length as length_tables
from simkit.tables.findings import Findings, cells_to_look_at
from simkit.tables.length import load
from simkit.tables.luck import TOGETHER, luck_parts

EVEN = 0.05  # distance of a slope from 1 within which leads stay as they are


def at_the_table(findings: Findings) -> Iterator[str]:
    """Yield a sentence on the duration of games and waits, if seconds per decision were given."""
    minutes = length_tables.minutes(findings.at_baseline())  # reads no trace of other cells
    rows = minutes.filter(cell=cells_to_look_at(findings.run)[0]) if minutes.width else minutes
    for row in rows.rows(named=True):
        wait = "" if row["wait"] is None else f"; between two turns one waits {row['wait']:.0f} seconds"
        yield f"""At {row["seconds"]:g} seconds per decision a game takes about {in_minutes(row["p50"])} (nine
            of ten games {row["p5"]:.0f} to {row["p95"]:.0f}), if all decide one after the
            other{wait}{of_first(findings)}."""


def in_minutes(minutes: float) -> str:
    """Return a duration, rounded as one plans it.

    >>> in_minutes(0.4), in_minutes(1.2), in_minutes(37.4), in_minutes(93)
    ('a minute', 'a minute', '37 minutes', '1½ hours')
    """
    if minutes < 75:
        return "a minute" if minutes < 1.5 else f"{minutes:.0f} minutes"
    halves = round(minutes / 30)
    hours = f"{halves // 2}{'½' if halves % 2 else ''}"
    return "an hour" if halves == 2 else f"{hours} hours"


def of_leads(slope: float | None, low: float | None, high: float | None) -> str:
    """Return what becomes of leads by the next round; empty where that is unknown.

    >>> of_leads(0.51, 0.48, 0.54), of_leads(1.2, 1.15, 1.25)
    ('leads shrink by 49 % a round', 'leads grow by 20 % a round')
    >>> of_leads(1.01, 0.9, 1.1), of_leads(0.9, 0.7, 1.1), of_leads(None, None, None)
    ('leads stay as they are', 'whether leads grow or shrink is not settled', '')
    """
    if slope is None or low is None or high is None:
        return ""
    if low <= 1 <= high:
        even = abs(slope - 1) <= EVEN
        return "leads stay as they are" if even else "whether leads grow or shrink is not settled"
    return f"leads {'grow' if slope > 1 else 'shrink'} by {whole(min(1.0, abs(slope - 1)))} % a round"


def load_sentence(findings: Findings) -> str:
    """Return the decisions per turn and the options per decision, over all lineups in view."""
    rows = load(findings.at_baseline()).drop_nulls("branching")
    turns, wide = rows["per_turn"].drop_nulls().to_list(), rows["branching"].to_list()
    decisions = f"{ends(number(min(turns)), number(max(turns)))} decisions in a turn, " if turns else ""
    among = f"among {ends(number(min(wide), 0), number(max(wide), 0))} possibilities"
    return f"What a player decides: {decisions}{among}{over(findings, rows['cell'].to_list())}"


# Sentences about named components: those that stand out, and those never or hardly ever used.

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


def word_of(run: Run) -> str:
    """Return the noun for a component of the game."""
    return run.words.ablation.word if run.words.ablation else "component"


def ablation_sentence(run: Run) -> str:
    """Return the sentence that describes the ablation of a run; empty for runs without one."""
    if (ablation := run.words.ablation) is None:
        return ""
    parts = capital(count_different(len(ablation.parts), ablation.word))
    return f"{parts}: each is {ablation.meaning} in {100 * ablation.rate:g} % of the deals, by its own coin."


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


# Sentences about how much luck decides, and how often the last player decides who wins (kingmaking).

CALLED = {
    "setup": "the setup",
    "play": "what is drawn during play",
    "choices": "chance in the players' choices",
    TOGETHER: "several of these at once",
}


def luck_sentences(findings: Findings) -> Iterator[Sentence]:
    """Yield for each cell what each kind of luck decides alone, and what only several together decide."""
    parts = labels_of(findings).label(luck_parts(findings)).partition_by("cell", maintain_order=True)
    for *kinds, together in (part.rows(named=True) for part in parts):
        winner = f"who wins ({together['lineup']})" if len(parts) > 1 else "who wins"
        if together["alone"] is None:
            text = f"Luck decides nothing of {winner}: all games end alike, whatever is drawn anew."
            yield Sentence(text, "luck_parts")
            continue
        texts = [f"{CALLED[row['part']]} alone decides {_percent(row)}" for row in kinds]
        texts.append(f"{_percent(together)} hangs on several of these at once")
        n = f"n = {together['deals']:,} deals, each played {together['plays']} times"
        yield Sentence(f"Of {winner}, {join_names(texts)} (95 % intervals; {n}).", "luck_parts")


def _percent(row: TableRow) -> str:
    return f"{whole(row['alone'])} % ({ends(whole(row['alone_low']), whole(row['alone_high']))})"


def king_sentence(row: TableRow) -> str:
    """Return how often the player in last place decides, beyond luck, which of the others wins."""
    interval = span(row["king_low"], row["king_high"], scale=100)
    choices = f"{percent(row['king'])} ({interval}) of the late choices of the last player make a king"
    return f"With {row['seats']} players ({row['lineup']}), {choices}."
