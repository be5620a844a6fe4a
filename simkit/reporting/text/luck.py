"""Sentences about how much luck decides, and how often the last player decides who wins (kingmaking)."""

from collections.abc import Iterator

from simkit.analysis import Findings
from simkit.analysis.luck import TOGETHER
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import ends, percent, span, whole
from simkit.reporting.text.phrases import Sentence, TableRow, join_names

CALLED = {
    "setup": "the setup",
    "play": "what is drawn during play",
    "choices": "chance in the players' choices",
    TOGETHER: "several of these at once",
}


def luck_sentences(findings: Findings) -> Iterator[Sentence]:
    """Yield for each cell what each kind of luck decides alone, and what only several together decide."""
    parts = labels_of(findings).label(findings.luck_parts).partition_by("cell", maintain_order=True)
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
