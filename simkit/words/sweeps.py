"""What a sweep says as a whole, in sentences: how many cells are fair, which step moves most, the length."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings, axes
from simkit.analysis.compare import wins
from simkit.wording import counted
from simkit.words.answer import side_of
from simkit.words.changes import amount, differs
from simkit.words.labels import labels_of
from simkit.words.phrases import Row, Said, distance, ends, listed


def sweep(found: Findings) -> Iterator[Said]:
    """The verdicts counted; the greatest single step; the greatest change of length."""
    yield _tally(found)
    steps = found.one_step.filter(wins(found.run)) if found.one_step.height else found.one_step
    if len(axes(found.run)) > 1 and steps.height:
        yield _greatest_step(found, labels_of(found).named(steps))
    if found.comparisons.height:
        yield _longer(labels_of(found).named(found.comparisons.filter(measure="turns")))


def _tally(found: Findings) -> Said:
    first, deals = found.first_player_advantage, found.cells["deals"]
    many = {kind: first.filter(verdict=kind).height for kind in side_of(found.run).verdicts}
    kinds = [f"{count} {'is' if count == 1 else 'are'} {kind}" for kind, count in many.items()]
    lineups, settings = first["lineup"].n_unique(), counted(first["setting"].n_unique(), "setting")
    of = f"{settings} with {lineups} lineups each" if lineups > 1 else settings
    wrong = "at most one in 20 of the verdicts given is expected to be wrong"
    more = " More deals (--deals, or --until-verdict) would settle the undecided ones."
    text = f"""Of {counted(first.height, "case")} ({of}), {listed(kinds)} at a margin of
        ±{distance(found.run.experiment.margin)} (n = {ends(f"{min(deals):,}", f"{max(deals):,}")} deals each;
        {wrong}).{more if many["UNDECIDED"] else ""}"""
    return Said(text, "first_player_advantage")


def _largest(rows: pl.DataFrame) -> Row:
    return rows.sort(pl.col("difference").abs(), descending=True, maintain_order=True).row(0, named=True)


def _sure(row: Row) -> str:
    ends = f"{amount(row, 'low')} to {amount(row, 'high')}"
    return f"95 % interval {ends}, n = {row['deals']:,} deals played both ways"


def _greatest_step(found: Findings, steps: pl.DataFrame) -> Said:
    row = _largest(steps)
    noise = "beyond noise" if differs(row) else "this may be noise"
    who = side_of(found.run).name
    text = f"""Of {counted(steps.height, "single step")} from {labels_of(found).baseline} the one that moves
        the {who} most is {row["step"]} ({row["lineup"]}): {amount(row, "difference")} percentage points
        ({_sure(row)}), {noise}."""
    return Said(text, "one_step")


def _longer(turns: pl.DataFrame) -> Said:
    row = _largest(turns)
    text = "No setting changes the number of turns beyond noise."
    if differs(row):
        text = f"""The length changes most at {row["setting"]} ({row["lineup"]}): {amount(row, "difference")}
            turns against {row["base_value"]:.2f} at the baseline ({_sure(row)})."""
    return Said(text, "comparisons.filter(measure='turns')")
