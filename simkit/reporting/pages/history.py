"""The page of a lock file: every accepted state of a game, with a chart of each balance target."""

from datetime import datetime
from typing import Any

import polars as pl

from simkit.analysis.claims import BROKEN, HOLDS, UNKNOWN, Claim, parse
from simkit.engine import registry
from simkit.formatting import counted
from simkit.reporting import charts
from simkit.reporting.document import (
    Chapter,
    Figure,
    Line,
    Report,
    Section,
    Show,
    Stamp,
    Step,
    Takeaway,
    Tile,
)
from simkit.reporting.document import table as table_of
from simkit.runs.schemas.lock import Lock

MAX_TILES = 6
NUMBERS = {"value", "low", "high", "change", "games", "verdict"}
HOW = "Each value is measured on fresh deals, with an interval that holds however often the rules are gated \
(95 %); the change is measured on deals that both states play. Of all targets ever called broken at most 5 in \
100 are expected to hold (e-LOND)."
COLUMNS = {"date": Show("date"), "reason": Show("reason"), "revision": Show("revision")} | {
    "value": Show("value", "{:.1f}"),
    "low": Show("from", "{:.1f}", "lower end of the 95 % interval"),
    "high": Show("to", "{:.1f}", "upper end of the 95 % interval"),
    "change": Show("change", "{:+.1f}", "from the state before, on the same deals"),
    "games": Show("games", "{:,}"),
    "verdict": Show("verdict"),
}


def history_page(lock: Lock, name: str) -> Report:
    """Return the page of a lock file that is called `name`."""
    game = registry.game(lock.game)
    states = {claim: frame for claim in lock.claims if (frame := states_of(lock, claim)).height}
    last = {claim: frame.row(-1, named=True) for claim, frame in states.items()}
    figures = [_figure(parse(claim, game), frame, n) for n, (claim, frame) in enumerate(states.items())]
    figures.sort(key=lambda figure: last[figure.title]["verdict"] != BROKEN)
    verdicts = [row["verdict"] for row in last.values()]
    worst = next((verdict for verdict in (BROKEN, UNKNOWN) if verdict in verdicts), HOLDS)
    return Report(
        title=f"{game.title}: balance history",
        question="Does the game meet its balance targets, and how did that change?",
        name=game.title,
        origin=counted(len(lock.history), "accepted state"),
        takeaways=[Takeaway(headline(verdicts), kind="answer")],
        stamp=Stamp(worst, {BROKEN: "change", UNKNOWN: "open", HOLDS: "keep"}[worst]) if states else None,
        step=Step("Gate the present rules.", f"simkit gate {name}"),
        picture=figures[0] if figures else None,
        source="Bars are 95 % intervals, the grey band is the target.",
        tiles=[_tile(claim, row) for claim, row in last.items()][:MAX_TILES],
        limits=["How people play: all values are of scripted players."],
        chapters=[Chapter("Target by target", [
            Section(heading=claim, tables=[table_of(frame, COLUMNS, claim)],
                    figures=[figure for figure in figures[1:] if figure.title == claim])
            for claim, frame in states.items()])],
        facts=[("How it is measured", HOW)],
        command=f"simkit history {name}",
    )  # fmt: skip


def states_of(lock: Lock, claim: str) -> pl.DataFrame:
    """Return a row per accepted state in which the claim was measured, and one for what was gated since."""
    measured = [
        (entry.model_dump() | {"date": f"{datetime.fromisoformat(entry.date):%Y-%m-%d}"}, entry.results)
        for entry in lock.history
    ]
    measured.append(({"date": "now", "reason": "not accepted yet", "revision": ""}, lock.tests))
    rows = [
        {name: state[name] for name in ("date", "reason", "revision")} | result.model_dump(include=NUMBERS)
        for state, results in measured
        for result in [result for result in results if result.claim == claim][-1:]
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def headline(verdicts: list[str]) -> str:
    """Return in one sentence whether all targets hold.

    >>> headline(["HOLDS", "BROKEN", "NOT KNOWN YET"]), headline(["HOLDS"])
    ('1 of 3 targets is broken.', 'All targets hold.')
    """
    for verdict, words in ((BROKEN, "broken"), (UNKNOWN, "not known yet")):
        if number := verdicts.count(verdict):
            return f"{number} of {counted(len(verdicts), 'target')} {'is' if number == 1 else 'are'} {words}."
    return "All targets hold." if verdicts else "No target was measured yet."


def _tile(claim: str, row: dict[str, Any]) -> Tile:
    line = Line(f"{row['value']:.1f}", f"{row['low']:.1f} to {row['high']:.1f}")
    return Tile(claim, [line], row["verdict"].capitalize())


def _figure(claim: Claim, states: pl.DataFrame, place: int) -> Figure:
    """Return the chart of a claim: a dot with its interval per state, over the range of the target."""
    low, high = max(claim.low, 0.0), claim.high
    middle = pl.lit((low + high) / 2).alias("fair")
    rows = states.with_row_index("x").with_columns(middle, line=pl.lit(""), tick="date", measured=True)
    options = {"label": "accepted state", "unit": "", "form": "{:.1f}", "aim": "target"}
    drawn = charts.picture(f"claim-{place}", charts.curve, rows, margin=(high - low) / 2, **options)
    alt = f"{claim.text}: the value of each accepted state, with 95 % intervals"
    return Figure(drawn, alt, title=claim.text)
