"""The page of a lock file: every accepted state of a game, with a chart of each balance target."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import polars as pl

from simkit import __version__
from simkit.analysis.claims import BROKEN, UNKNOWN, Claim, parse
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
    table,
)
from simkit.reporting.document.tables import Table
from simkit.runs.schemas.lock import Lock, Result

PRESENT = "not accepted yet"
MAX_TILES = 6
HOW = (
    "Each value is measured on fresh deals. Its interval holds however often the rules are gated (95 %); the "
    "change from the state before is measured on deals that both play. Of all targets that are called broken "
    "over the life of the file at most 5 in 100 are expected to hold (e-LOND)."
)
COLUMNS = {
    "date": Show("date"),
    "reason": Show("reason"),
    "revision": Show("revision"),
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
    title = game.title
    frames = {claim: frame for claim in lock.claims if (frame := states_of(lock, claim)).height}
    last = {claim: frame.row(-1, named=True) for claim, frame in frames.items()}
    figures = {
        claim: _figure(parse(claim, game), frame, place)
        for place, (claim, frame) in enumerate(frames.items())
    }
    first = min(figures, key=lambda claim: last[claim]["verdict"] != BROKEN, default="")
    sections = [
        _section(claim, frames[claim], figures[claim] if claim != first else None) for claim in frames
    ]
    games = sum(sum(frame["games"]) for frame in frames.values())
    return Report(
        title=f"{title}: balance history",
        question="Does the game meet its balance targets, and how did that change?",
        name=title,
        origin=f"{counted(len(lock.history), 'accepted state')} · simkit {__version__}",
        takeaways=[Takeaway(headline([row["verdict"] for row in last.values()]), kind="answer")],
        stamp=_stamp({row["verdict"] for row in last.values()}),
        step=Step("Gate the present rules.", f"simkit gate {name}"),
        picture=figures.get(first),
        source=f"{games:,} games in all; bars are 95 % intervals, the grey band is the target.",
        tiles=[_tile(claim, row) for claim, row in last.items()][:MAX_TILES],
        limits=["How people play: all values are of scripted players."],
        chapters=[Chapter("Target by target", sections)],
        facts=[("How it is measured", HOW)],
        command=f"simkit history {name}",
    )


def states_of(lock: Lock, claim: str) -> pl.DataFrame:
    """Return a row per accepted state in which the claim was measured, and one for what was gated since."""
    rows = [
        {"date": datetime.fromisoformat(entry.date).date().isoformat(), "reason": entry.reason}
        | {"revision": entry.revision} | _numbers(result)
        for entry in lock.history for result in entry.results if result.claim == claim
    ]  # fmt: skip
    since = [result for result in lock.tests if result.claim == claim]
    rows += [{"date": "now", "reason": PRESENT, "revision": ""} | _numbers(result) for result in since[-1:]]
    return pl.DataFrame(rows, infer_schema_length=None)


def _numbers(result: Result) -> dict[str, object]:
    return result.model_dump(include={"value", "low", "high", "change", "games", "verdict"})


def headline(verdicts: list[str]) -> str:
    """Return in one sentence whether all targets hold.

    >>> headline(["HOLDS", "BROKEN", "NOT KNOWN YET"]), headline(["HOLDS"])
    ('1 of 3 targets is broken.', 'All targets hold.')
    """
    for verdict, words in ((BROKEN, "broken"), (UNKNOWN, "not known yet")):
        if number := verdicts.count(verdict):
            return f"{number} of {counted(len(verdicts), 'target')} {'is' if number == 1 else 'are'} {words}."
    return "All targets hold." if verdicts else "No target was measured yet."


def _stamp(verdicts: set[str]) -> Stamp:
    if BROKEN in verdicts:
        return Stamp(BROKEN, "change")
    return Stamp(UNKNOWN, "open") if UNKNOWN in verdicts or not verdicts else Stamp("HOLDS", "keep")


def _section(claim: str, states: pl.DataFrame, figure: Figure | None) -> Section:
    last = states.row(-1, named=True)
    sentence = f"{last['value']:.1f} ({last['low']:.1f} to {last['high']:.1f}): {last['verdict']}."
    listed: Table = table(states, COLUMNS, claim)
    return Section(heading=claim, text=[sentence], figures=[figure] if figure else [], tables=[listed])


def _tile(claim: str, last: Mapping[str, Any]) -> Tile:
    note = f"{last['low']:.1f} to {last['high']:.1f}"
    return Tile(claim, [Line(f"{last['value']:.1f}", note)], last["verdict"].capitalize())


def _figure(claim: Claim, states: pl.DataFrame, place: int) -> Figure:
    """Return the chart of a claim: a dot with its interval per state, over the range of the target."""
    low, high = max(claim.low, 0.0), claim.high
    rows = states.with_row_index("x").with_columns(
        line=pl.lit(""), tick="date", measured=True, fair=pl.lit((low + high) / 2)
    )
    options = {"label": "accepted state", "unit": "", "form": "{:.1f}", "aim": "target"}
    drawn = charts.picture(f"claim-{place}", charts.curve, rows, margin=(high - low) / 2, **options)
    alt = f"{claim.text}: the value of each accepted state, with 95 % intervals"
    return Figure(drawn, alt, title=claim.text)
