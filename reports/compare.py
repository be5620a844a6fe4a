"""What do other rules change? Rule sets against the baseline on the same deals: for any run with a baseline among several settings."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.sections import advice
from reports.sections.common import COUNT, query
from reports.sections.differences import (
    amount,
    baseline,
    columns_asked,
    compared,
    difference_figures,
    difference_tables,
    differs,
    of_shares,
    p_text,
    stopped,
)
from reports.sections.page import page
from reports.sections.seats import seat_section
from simkit import analysis
from simkit.report import Figure, Report, Section, Show, Story, Takeaway, table
from simkit.runlog import Run

Row = dict[str, Any]
ADVANTAGE = "first-player advantage"
LENGTH = ("turns", "decisions")
MOST_TOLD = 4  # further changes in a sentence

MORE_WORDS = [
    ("Rule set", "one choice of values for the options that are compared."),
    (
        "Paired difference",
        "both rule sets were played on the same deals; the difference is taken deal by deal, so that common luck cancels out.",
    ),
    ("Real, beyond noise", "luck alone would hardly give such a difference: its adjusted p-value is below 0.05."),
    (
        "Adjusted p-value",
        "how often luck alone would give so great a difference, allowing for how many differences were looked at (Holm 1979): of the many "
        "differences on this page some would look great by luck. Intervals hold for one difference each.",
    ),
    ("Gain", "variance reduction: by pairing, these deals say as much about the difference as this many times the deals, played apart."),
]


def build(run: Run) -> Report:
    """The page: a sentence per rule set and lineup, differences by kind of measure, what the pairing gained, seats."""
    seats = analysis.seat_shares(run)
    warnings = [*stopped(run), *analysis.answer(run, seats=seats).warnings]
    changes = compared(run)
    if changes.is_empty():
        return page(run, "comparison of rules", [_instead()], warnings, [_what_to_run(run), seat_section(run, seats)], MORE_WORDS)
    takeaways = [Takeaway(text, query(run, f"{_asked(run)}.filter(cell={cell})")) for cell, text in sentences(changes)]
    sections = [*_sections(run, changes), _gained(changes), seat_section(run, seats)]
    return page(run, "comparison of rules", [*takeaways, _pairing(run, changes)], warnings, sections, MORE_WORDS)


def _asked(run: Run) -> str:
    """The query for all differences."""
    columns = columns_asked(run)
    return f"comparisons(run, {columns!r})" if columns else "comparisons(run)"


def sentences(changes: pl.DataFrame) -> list[tuple[int, str]]:
    """One per rule set and lineup: its cell, and what changes."""
    cells = changes.filter(pl.col("measure") == ADVANTAGE)["cell"].to_list()
    parts = {cell: changes.filter(pl.col("cell") == cell).rows(named=True) for cell in cells}
    told = analysis.comparison_sentences(changes)
    return [(cell, f"{text} {_sure(parts[cell], changes.height)}") for cell, text in zip(cells, told, strict=True)]


def _sure(rows: list[Row], looked_at: int) -> str:
    """What of the changes is more than noise, allowing for how many were looked at."""
    first = next(row for row in rows if row["measure"] == ADVANTAGE)
    others = [row for row in rows if not row["measure"].startswith("share of") and row["measure"] != ADVANTAGE and differs(row)]
    outside = first["low"] > 0 or first["high"] < 0
    doubt = (
        f"Allowing for all {looked_at} differences looked at this may still be luck (adjusted p {_p(first)}). "
        if outside and not differs(first)
        else ""
    )
    others.sort(key=lambda row: row["measure"].startswith("score"))  # many seats have many scores
    more = f"; and {len(others) - MOST_TOLD} more in the tables" if len(others) > MOST_TOLD else ""
    told = f"{'Also c' if differs(first) else 'C'}hanged beyond noise: {'; '.join(_also(row) for row in others[:MOST_TOLD])}{more}."
    return doubt + (told if others else "Nothing else changes beyond noise.")


def _p(row: Row) -> str:
    text = p_text(row["p_adjusted"])
    return text if text.startswith("<") else f"= {text}"


def _also(row: Row) -> str:
    unit = " points" if of_shares(row["measure"]) else ""
    return f"{row['measure']} {amount(row, 'difference', True)}{unit} ({amount(row, 'low', True)} to {amount(row, 'high', True)})"


def _pairing(run: Run, changes: pl.DataFrame) -> Takeaway:
    """What the same deals gained for the first seat."""
    rows = changes.filter((pl.col("measure") == ADVANTAGE) & pl.col("factor").is_finite()).sort("factor")
    text = "All rule sets were played on the same deals."
    if rows.height:
        low, high = rows["factor"][0], rows["factor"][-1]
        times = f"{low:.1f}" if f"{low:.1f}" == f"{high:.1f}" else f"{low:.1f} to {high:.1f}"
        deals = rows["deals"].to_list()[-1]
        more = (
            ""
            if high >= 1.05
            else " (for the first seat it gained nothing: the luck of the deals hardly decides who wins, or the rules change it all)"
        )
        text += f" For the first seat's advantage that was as good as {times} times as many deals played apart (n = {deals:,} deals){more}."
    return Takeaway(text, query(run, f"comparisons(run).filter(measure={ADVANTAGE!r})"))


def _sections(run: Run, changes: pl.DataFrame) -> list[Section]:
    """Differences by kind: seats, scores, length, draws, whatever else was compared."""
    drawn = (pl.col("measure") == "drawn games") & (pl.col("base_value") == 0) & (pl.col("value") == 0)
    names = changes.filter(~drawn)["measure"].unique(maintain_order=True).to_list()
    shares = [name for name in names if name.startswith("share")]
    scores = [name for name in names if name.startswith("score")]
    length = [name for name in names if name in LENGTH]
    draws = [name for name in names if name.startswith("drawn")]
    rest = [name for name in names if name not in (ADVANTAGE, *shares, *scores, *length, *draws)]
    two = len(shares) == 2 and len({cell.seats for cell in run.cells}) == 1
    seats = Section(
        "What changes for the seats",
        [
            f"Change against the baseline ({baseline(run)}) on the same deals, with 95 % intervals about 0. The first seat's advantage is its "
            "share less the fair share: a bar to the left takes something from the first seat."
        ],
        _pictures(
            changes,
            "seats-change",
            [ADVANTAGE] if two else shares,
            "Change of the first seat's advantage, points" if two else "Change of shares, points",
        ),
        difference_tables(changes.filter(pl.col("measure").is_in([ADVANTAGE, *shares])), "Change of the seats"),
    )
    kinds = [("Scores", scores, "Change of scores"), ("Length", length, "Change per game"), ("Draws", draws, "Change of draws, points")]
    kinds += [(name.replace("_", " ").capitalize(), [name], f"Change of {name}") for name in rest]
    return [seats, *(_section(changes, place, *kind) for place, kind in enumerate(kinds) if kind[1])]


def _section(changes: pl.DataFrame, place: int, heading: str, measures: list[str], unit: str) -> Section:
    part = changes.filter(pl.col("measure").is_in(measures))
    text = f"{heading} against the baseline on the same deals; real?: beyond noise, allowing for all differences of this run."
    return Section(
        heading, [text], _pictures(changes, f"change{place}-", measures, unit), difference_tables(part, f"Change of {heading.lower()}")
    )


def _pictures(changes: pl.DataFrame, name: str, measures: list[str], unit: str) -> list[Figure]:
    labelled = changes.with_columns(pl.col("setting").alias("label"), pl.col("measure").alias("kind"))
    return difference_figures(labelled, name, measures, unit)


def _gained(changes: pl.DataFrame) -> Section:
    """The variance-reduction factor of every measure."""
    text = [
        "Every deal was played under both rule sets, so most of its luck is the same on both sides and cancels out of the difference. The gain says "
        "by how much: at 1.8 the interval is as narrow as if 1.8 times as many deals had been played for each rule set apart. A gain near 1 "
        "means that the luck of a deal plays out quite differently under the two rule sets; below 1 pairing would have cost something.",
    ]
    shown = changes.with_columns((pl.col("factor") * pl.col("deals")).alias("apart"))
    columns = {"setting": Show("rules"), "lineup": Show("lineup"), "measure": Show("measure"), "factor": Show("gain", "× {:.2f}")}
    columns |= {"deals": Show("deals played", COUNT), "apart": Show("as good as deals apart", "{:,.0f}", "gain × deals")}
    return Section("What the same deals gained", text, [], [table(shown, columns, "Gain by measure")])


def _instead() -> Takeaway:
    text = "This run has no baseline with other rule sets beside it, so there is nothing to compare: the commands below play rule sets on the same deals."
    return Takeaway(text)


def _what_to_run(run: Run) -> Section:
    swept = bool(analysis.axes(run))
    text = (
        "The first setting of this run as the base, the others against it:"
        if swept
        else "Pick an option from the list and a value to compare with the rulebook's:"
    )
    return Section("What to run instead", [text], stories=[Story("Commands for a run that compares rules", _commands(run))])


def _commands(run: Run) -> str:
    """The comparison that this run could have been; without a sweep with a place to fill in."""
    game, lineups = run.experiment.game, advice.game_words(run, advice.lineups(run)[:2])
    settings = list({tuple(cell.varied.items()): cell.varied for cell in run.cells}.values())
    if len(settings) < 2:
        return f"{advice.again(run, 'rules', game)}\n{advice.again(run, 'compare', game, '--to', 'OPTION=VALUE', *lineups)}"
    base, *others = (advice.setting_texts(one) for one in settings)
    words = [word for text in base for word in ("--base", text)] + [word for one in others for word in ("--to", ",".join(one))]
    return advice.again(run, "compare", game, *words, *lineups)
