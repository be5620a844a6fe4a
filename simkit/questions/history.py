"""Checks: Write the timeline page of a lock file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import polars as pl

from simkit.ask.arguments import Location, Shell
from simkit.ask.claims import BROKEN, HOLDS, UNKNOWN, Claim, judge, parse, state
from simkit.ask.lock_file import AcceptedState, ClaimResult, Lock, read
from simkit.ask.question import checked
from simkit.ask.report import Page
from simkit.engine import registry
from simkit.formatting import counted
from simkit.page import charts, document
from simkit.page.document.parts import Chapter, Figure, Report, Section, Stamp, Step, Takeaway, Tile, TileLine
from simkit.page.document.tables import Show
from simkit.page.document.tables import table as table_of
from simkit.runs.storage import outputs


@checked
def history(
    lock: Annotated[Location, Shell(metavar="LOCK", positional=True)],
    file: Annotated[Location, Shell("-o --out", metavar="FILE", output=True)] | None = None,
) -> Page:
    """Write the timeline page of a lock file.

    The page has every accepted state and a chart of each claim.

    Args:
        lock: The lock file.
        file: Page to write; its ending (html, md, json, pdf) is the format. By default it is beside the lock
            file.

    Returns:
        The page, with the path of its file.

    Example:
        >>> history("nowhere.lock")
        Traceback (most recent call last):
        simkit.errors.UsageError: nowhere.lock: cannot be read: No such file or directory

    Command line::

        simkit history balance.lock
    """
    page = history_page(read(str(lock)), str(lock))
    path = Path(file or Path(lock).with_suffix(".html"))
    outputs.check(path, [str(lock)])
    document.write(page, path, document.format_of(path))
    return Page(page, path)


# The page: every accepted state of a game, with a chart of each balance target.

MAX_TILES = 6
State = tuple[AcceptedState, ClaimResult]
HOW = "Each value is measured on fresh deals, with an interval that holds however often the rules are gated; \
the change is measured on deals that both states play. Of all claims ever called broken on a branch at most \
5 in 100 are expected to hold (e-LOND): BROKEN needs a stricter level than the 95 % of the interval, so that \
NOT KNOWN YET may stand beside an interval outside the target."
HISTORY_COLUMNS = {"date": Show("date"), "reason": Show("reason"), "revision": Show("revision")} | {
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
    claims = [parse(text, game) for text in lock.claims]
    states = {claim: rows for claim in claims if (rows := states_of(lock, claim))}
    last = [rows[-1][1] for rows in states.values()]
    figures = [_figure(claim, rows, place) for place, (claim, rows) in enumerate(states.items())]
    broken = [claim.text for claim, rows in states.items() if rows[-1][1].verdict == BROKEN]
    figures.sort(key=lambda figure: figure.title not in broken)
    verdicts = {result.verdict for result in last}
    worst = next((verdict for verdict in (BROKEN, UNKNOWN) if verdict in verdicts), HOLDS)
    return Report(
        title=f"{game.title}: balance history",
        question="Does the game meet its balance targets, and how did that change?",
        name=game.title,
        origin=counted(len(lock.history), "accepted state"),
        takeaways=[Takeaway(f"{state(last)}." if last else "No claim was measured yet.", kind="answer")],
        stamp=Stamp(worst, {BROKEN: "change", UNKNOWN: "open", HOLDS: "keep"}[worst]) if last else None,
        step=Step("Test the present rules against these targets.", f"simkit gate {name}"),
        picture=figures[0] if figures else None,
        source="Bars are 95 % intervals, the grey band is the target.",
        tiles=[Tile(its.claim, [TileLine(f"{its.value:.1f}", f"{its.low:.1f} to {its.high:.1f}")],
                    its.verdict.capitalize()) for its in last[:MAX_TILES]],
        limits=["How people play: all games were played by computer players."],
        chapters=[Chapter("Claim by claim", [
            Section(heading=claim.text, tables=[table_of(_frame(rows), HISTORY_COLUMNS, claim.text)],
                    figures=[figure for figure in figures[1:] if figure.title == claim.text])
            for claim, rows in states.items()])],
        facts=[("How it is measured", HOW)],
        command=f"simkit history {name}",
    )  # fmt: skip


def states_of(lock: Lock, claim: Claim) -> list[State]:
    """Return the accepted states, and what was gated since, with results of the claim in any range.

    The last one is judged by the present range, the others by that of their time.
    """
    measured = [(entry, entry.results) for entry in lock.history]
    measured.append((AcceptedState(date="now", reason="not accepted yet"), lock.tests))
    states = [
        (entry, of_claim[-1])
        for entry, results in measured
        if (of_claim := [own for own in results if own.subject == claim.subject])
    ]
    return [*states[:-1], *((entry, judge(claim, result)) for entry, result in states[-1:])]


def _frame(states: list[State]) -> pl.DataFrame:
    rows = [entry.model_dump() | result.model_dump() for entry, result in states]
    rows = [{name: row[name] for name in HISTORY_COLUMNS} for row in rows]
    table = pl.DataFrame(rows, infer_schema_length=None)
    return table.with_columns(pl.col("date").str.slice(0, 10))


def _figure(claim: Claim, states: list[State], place: int) -> Figure:
    """Return the chart of a claim: a dot with its interval per state, over the range of the target."""
    low, high = max(claim.low, 0.0), claim.high
    middle = pl.lit((low + high) / 2).alias("fair")
    rows = (
        _frame(states).with_row_index("x").with_columns(middle, line=pl.lit(""), tick="date", measured=True)
    )
    options = {"label": "rules accepted on", "unit": "", "form": "{:.1f}", "aim": "target", "ranged": True}
    drawn = charts.picture(f"claim-{place}", charts.curve, rows, margin=(high - low) / 2, **options)
    alt = f"{claim.text}: the value of each accepted state, with 95 % intervals"
    return Figure(drawn, alt, title=claim.text)
