"""How fair is the game along the options varied, which setting is nearest to fair, and what else changes: for runs with a sweep."""

from __future__ import annotations

import polars as pl

from reports.sections import advice
from reports.sections.common import margin_points, query
from reports.sections.cures import cure_section
from reports.sections.differences import (
    DIFFERENCE_WORDS,
    amount,
    baseline,
    compared,
    differs,
    stopped,
    tornado_section,
)
from reports.sections.method import takeaways
from reports.sections.next_steps import next_section
from reports.sections.options import options_sections
from reports.sections.page import page
from reports.sections.seats import seat_section
from reports.sections.sweeping import change_section, confirmed, grid_sections, map_section, nearest_section
from simkit import analysis
from simkit.report import Report, Section, Story, Takeaway
from simkit.runlog import Run

MORE_WORDS = [
    ("Setting", "one choice of values for the options varied."),
    *DIFFERENCE_WORDS,
    (
        "One step",
        "from the baseline to the next smaller or greater value tried of a number, or to any other value of a named choice.",
    ),
    (
        "Confirm",
        "a setting picked as the best of many looks better than it is; only fresh deals tell how good it is.",
    ),
]


def build(run: Run) -> Report:
    """The page: answer, curves, map of verdicts, nearest to fair, single steps, what else changes, seats."""
    seats = analysis.seat_shares(run)
    answer = analysis.answer(run, seats=seats)
    if not analysis.axes(run):
        return page(
            run,
            "sweep report",
            [_instead()],
            answer.warnings,
            [_what_to_run(run), seat_section(run, seats)],
            MORE_WORDS,
        )
    first = analysis.first_player_advantage(run, seats=seats)
    changes = compared(run)
    steps = analysis.one_step(run, changes) if changes.height else changes
    tornado = tornado_section(run, steps)
    sections = [
        *options_sections(run, seats),
        map_section(run, first),
        nearest_section(run, answer.nearest),
        *grid_sections(run, first),
        *([tornado] if tornado else []),
        change_section(run, changes),
        *next_section(run, seats),
        *cure_section(run),
        seat_section(run, seats),
    ]
    said = [*_answers(run, answer), _tally(run, first), *_greatest(run, steps), *_longer(run, changes)]
    return page(
        run,
        "sweep report",
        said,
        [*answer.warnings, *(stopped(run) if changes.height else [])],
        sections,
        MORE_WORDS,
    )


def _answers(run: Run, answer: analysis.Answer) -> list[Takeaway]:
    """How fair the baseline is and which setting is nearest to fair, with what plays that on fresh deals."""
    commands = "\n# ".join(confirmed(run, row) for row in answer.nearest)
    return takeaways(
        run,
        answer,
        f"\n\n# to see the setting nearest to fair again on fresh deals, in a terminal:\n# {commands}",
    )


def _tally(run: Run, first: pl.DataFrame) -> Takeaway:
    """How many cells are fair."""
    counts = {kind: int((first["verdict"] == kind).sum()) for kind in ("FAIR", "UNFAIR", "UNDECIDED")}
    tables = f"{first['setting'].n_unique()} settings" + (
        f" with {lineups} lineups each" if (lineups := first["lineup"].n_unique()) > 1 else ""
    )
    deals = sorted({cell.deals for cell in run.cells})
    each = f"{deals[0]:,}" if len(deals) == 1 else f"{deals[0]:,} to {deals[-1]:,}"
    more = (
        " More deals (--deals, or --until-verdict) would settle the undecided ones."
        if counts["UNDECIDED"]
        else ""
    )
    text = (
        f"Of {first.height} cases ({tables}), {counts['FAIR']} are FAIR, {counts['UNFAIR']} UNFAIR and {counts['UNDECIDED']} UNDECIDED at a margin of "
        f"±{margin_points(run)} (n = {each} deals each; at most one in 20 of the verdicts given is expected to be wrong).{more}"
    )
    return Takeaway(text, query(run, "first_player_advantage(run)"))


def _greatest(run: Run, steps: pl.DataFrame) -> list[Takeaway]:
    """The single step that moves the first seat most."""
    first = steps.filter(pl.col("measure") == "share of seat 0") if steps.height else steps
    if len(analysis.axes(run)) < 2 or first.is_empty():
        return []
    row = first.sort(pl.col("difference").abs(), descending=True, maintain_order=True).row(0, named=True)
    sure = "beyond noise" if differs(row) else "this may be noise"
    text = (
        f"Of {first.height} single steps from {baseline(run)} the one that moves the first seat most is {row['step']} ({row['lineup']}): {amount(row, 'difference', True)} percentage points "
        f"(95 % interval {amount(row, 'low', True)} to {amount(row, 'high', True)}, n = {row['deals']:,} deals played both ways), {sure}."
    )
    return [Takeaway(text, query(run, "one_step(run)"))]


def _longer(run: Run, changes: pl.DataFrame) -> list[Takeaway]:
    """The setting that changes the length most."""
    turns = changes.filter(pl.col("measure") == "turns") if changes.height else changes
    if turns.is_empty():
        return []
    row = turns.sort(pl.col("difference").abs(), descending=True, maintain_order=True).row(0, named=True)
    if not differs(row):
        return [
            Takeaway(
                "No setting changes the number of turns beyond noise.",
                query(run, "comparisons(run).filter(measure='turns')"),
            )
        ]
    text = (
        f"The length changes most at {row['setting']} ({row['lineup']}): {amount(row, 'difference', True)} turns against {amount(row, 'base_value')} at the "
        f"baseline (95 % interval {amount(row, 'low', True)} to {amount(row, 'high', True)}, n = {row['deals']:,} deals played both ways)."
    )
    return [Takeaway(text, query(run, "comparisons(run).filter(measure='turns')"))]


def _instead() -> Takeaway:
    text = "This run has one setting of the rules, so there is nothing to see along options: the commands below list the options and vary one."
    return Takeaway(text)


def _what_to_run(run: Run) -> Section:
    text = "Pick an option from the list, put it in place of OPTION and the range to try in place of LOW:HIGH, and write the report of that run."
    return Section(
        "What to run instead", [text], stories=[Story("Commands for a run along an option", _commands(run))]
    )


def _commands(run: Run) -> str:
    game = run.experiment.game
    lineups = advice.game_words(run, advice.lineups(run)[:2])
    return (
        f"{advice.again(run, 'rules', game)}\n{advice.again(run, 'sweep', game, 'OPTION=LOW:HIGH', *lineups)}"
    )
