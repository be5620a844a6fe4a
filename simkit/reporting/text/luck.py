"""Sentences about how much the luck of the setup, of play and of choices decides."""

from collections.abc import Iterator

from simkit.analysis import Findings
from simkit.analysis.luck import TOGETHER
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, Sentence, ends, listed, whole

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
LACKS = {"setup": "nothing is shuffled or rolled before play begins", "play": "nothing is drawn during play"}


def heading(findings: Findings) -> str:
    """Return the kind of luck that alone decides most, for the first lineup in view."""
    rows = luck_of_cells(findings)[0]
    if rows[0]["alone"] is None:
        return f"Luck decides nothing of {of_what(findings)}{of_first(findings)}"
    most = max(rows, key=lambda row: float(row["alone"]))
    if most["part"] == TOGETHER:
        return f"{_percent(most)} of who wins hangs on several kinds of luck at once{of_first(findings)}"
    called = CALLED[most["part"]]
    part = f"{_percent(most)} of {of_what(findings)}{of_first(findings)}"
    return f"{called[0].upper()}{called[1:]} alone decides {part}"


def of_what(findings: Findings) -> str:
    """Return the noun for what luck decides."""
    return "wins and losses" if findings.run.team else "who wins"


def luck_of_cells(findings: Findings) -> list[list[Row]]:
    """Return the labelled rows of each cell."""
    rows = labels_of(findings).named(findings.luck_parts)
    return [part.rows(named=True) for part in rows.partition_by("cell", maintain_order=True)]


def luck_said(findings: Findings) -> Iterator[Sentence]:
    """Yield for each cell what each kind of luck decides alone, and what only several together decide."""
    for rows in luck_of_cells(findings):
        lineup = f" ({rows[0]['lineup']})" if findings.luck_parts["cell"].n_unique() > 1 else ""
        if rows[0]["alone"] is None:
            yield Sentence(f"All games end alike{lineup}, whatever luck is drawn anew.", "luck_parts")
            continue
        *kinds, together = rows
        parts = [f"{CALLED[row['part']]} alone decides {_percent(row)} ({_interval(row)})" for row in kinds]
        together_text = f"{_percent(together)} ({_interval(together)}) hangs on several of these at once"
        n = f"n = {together['deals']:,} deals, each played {together['plays']} times"
        text = f"Of {of_what(findings)}{lineup}, {listed([*parts, together_text])} (95 % intervals; {n})."
        yield Sentence(text, "luck_parts")


def what_counts(findings: Findings) -> Iterator[str]:
    """Yield what each kind of luck comprises in this game, with the names of its random streams."""
    rows = luck_of_cells(findings)[0]
    streams = {row["part"]: row["streams"] for row in rows}
    for part, meaning in MEANS.items():
        called = f"{CALLED[part][0].upper()}{CALLED[part][1:]}"
        if part in streams:
            names = f" ({streams[part].replace('_', ' ')})" if streams[part] else ""
            yield f"{called}: what is {meaning}{names}." if names else f"{called}: {meaning}."
        else:
            yield f"{called}: {LACKS[part]} in this game."


def _percent(row: Row) -> str:
    return f"{whole(row['alone'])} %"


def _interval(row: Row) -> str:
    return ends(whole(row["alone_low"]), whole(row["alone_high"]))
