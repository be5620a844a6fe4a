"""Sentences about how much luck decides."""

from collections.abc import Iterator

from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import Sentence, TableRow, ends, join_names, whole
from simkit.tables.findings import Findings
from simkit.tables.luck import TOGETHER, luck_parts

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
