"""Sentences about how much the luck of the setup, of play and of choices decides."""

from collections.abc import Iterator

from simkit.analysis import Findings
from simkit.analysis.luck import TOGETHER
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, Sentence, capital, ends, listed, whole

CALLED = {
    "setup": "the setup",
    "play": "what is drawn during play",
    "choices": "chance in the players' choices",
    TOGETHER: "several of these at once",
}
MEANS = {
    "setup": "shuffled or rolled before play begins, which counts as setup also where it is turned up later",
    "play": "rolled, drawn or shuffled again while the game is played",
    "choices": "how strategies break ties or choose at random, and mistakes where they are asked for",
}


def of_what(findings: Findings) -> str:
    """Return the noun for what luck decides."""
    return "wins and losses" if findings.run.team else "who wins"


def luck_said(findings: Findings) -> Iterator[Sentence]:
    """Yield for each cell what each kind of luck decides alone, and what only several together decide."""
    parts = labels_of(findings).named(findings.luck_parts).partition_by("cell", maintain_order=True)
    for rows in (part.rows(named=True) for part in parts):
        lineup = f" ({rows[0]['lineup']})" if len(parts) > 1 else ""
        yield Sentence(luck_sentence(rows, f"{of_what(findings)}{lineup}"), "luck_parts")


def luck_sentence(rows: list[Row], of: str) -> str:
    """Return what each kind of luck decides alone, and several together, of a cell."""
    *kinds, together = rows
    if together["alone"] is None:
        return f"Luck decides nothing of {of}: all games end alike, whatever is drawn anew."
    texts = [f"{CALLED[row['part']]} alone decides {_percent(row)}" for row in kinds]
    texts.append(f"{_percent(together)} hangs on several of these at once")
    n = f"n = {together['deals']:,} deals, each played {together['plays']} times"
    return f"Of {of}, {listed(texts)} (95 % intervals; {n})."


def what_counts(rows: list[Row]) -> Iterator[str]:
    """Yield what each kind of luck of a cell comprises, with the names of its random streams."""
    for row in rows:
        if row["part"] in MEANS:
            names = f" ({row['streams'].replace('_', ' ')})" if row["streams"] else ""
            yield f"{capital(CALLED[row['part']])}: {MEANS[row['part']]}{names}."


def _percent(row: Row) -> str:
    return f"{whole(row['alone'])} % ({ends(whole(row['alone_low']), whole(row['alone_high']))})"
