"""How games run and end: who leads when, the reasons for the end, and the final scores."""

from collections.abc import Iterable, Iterator

import polars as pl

from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Figure, Section
from simkit.page.document.tables import Show, Table, format_ends, format_value, with_extremes
from simkit.page.pictures import drawn_cells, figure, first_cell, label_column, where, where_drawn
from simkit.page.words.commands import trace_command
from simkit.page.words.labels import labels_of, lower_first
from simkit.page.words.numbers import capital, percent, prose, seat_name
from simkit.runs.table_files import has_own_files
from simkit.tables import length as length_tables
from simkit.tables.course import decided_at, lead_changes, predictability, runaway
from simkit.tables.findings import Findings, cells, cells_to_look_at
from simkit.tables.length import end_reasons, end_winners, outcomes

CURVE_READING = prose("""The curve says how often whoever leads at that moment goes on to win. Flat and low:
    anything can happen. Steep early: decided early. Measured on the first {deals:,} deals of each lineup.""")
DRAMA_WORDS = {
    "Decided": "the part of the game after which its winner is in the lead for good.",
    "Runaway slope": "what becomes of a lead by the next round of the table: 1, it stays; above 1 it grows; "
    "below 1 it shrinks. A lead is the best score at the end of a turn, alone.",
}
MAX_RULE_SETS = 3  # rule sets that are shown next to the baseline
# Table, column of the value, prefix of its ends, label, format.
MeasureLine = tuple[pl.DataFrame, str, str, str, str]


def drama(findings: Findings) -> Section | None:
    """Return the curve and the numbers of the turn trace, or None for a team, in which no seat leads."""
    run = findings.run
    if run.team:
        return None
    if not run.experiment.trace:
        return Section("Who leads when was not recorded", [f"A turn trace tells: {trace_command(run)}"])
    deals = min(run.experiment.trace, max(cell.deals for cell in findings.at_baseline().run.cells))
    shown = _with_other_rules(findings)
    compared = cells(shown)["setting"].n_unique() > 1
    decided = decided_at(shown).drop("games").rename({"single": "games"})
    measures = [
        (lead_changes(shown), "mean", "", "lead changes per game", "{:.1f}"),
        (lead_changes(shown), "none", "none", "games in which the lead never changes", "{:.0%}"),
        (decided, "mean", "", "part of the game after which the winner leads for good", "{:.0%}"),
        (decided, "early", "early", "games decided before half-way", "{:.0%}"),
        (runaway(shown), "slope", "", "runaway slope (1: leads neither grow nor shrink)", "{:.2f}"),
    ]
    numbers = _measure_table(shown, measures, "Drama in numbers", "value", compared)
    played = (100 * pl.col("progress_high")).round().cast(pl.Int64)
    curve = predictability(shown).with_columns(played=played).drop("fair")
    line, caption = ("setting", "") if compared else ("lineup", where(findings))
    how = {"label": "Part of the game played, %", "unit": "Leader goes on to win"}
    chart, alt = ("predictability", charts.curve), "How often the leader at a moment goes on to win"
    picture = figure(findings, chart, curve, alt, caption, {"line": line, "x": "played"}, line, **how)
    text = CURVE_READING.format(deals=deals)
    return Section("Who leads when", [text], [picture], [numbers], words=DRAMA_WORDS)


def _with_other_rules(findings: Findings) -> Findings:
    """Return the findings of the first cell in view and of the same lineup under the few rule sets compared.

    Without other rule sets, or with more than MAX_RULE_SETS, those of the cells in view.
    """
    by_index = {cell.index: cell for cell in findings.run.cells}
    base = by_index[cells_to_look_at(findings.run)[0]]
    others = [place for place, cell in by_index.items() if cell.labels == base.labels and not cell.baseline]
    own = [place for place in others if has_own_files(by_index[place].varied)] or others
    few = base.baseline and 1 <= len(own) <= MAX_RULE_SETS
    return findings.only([base.index, *own]) if few else findings.at_baseline()


def _measure_table(
    findings: Findings, measures: Iterable[MeasureLine], caption: str, head: str, by_setting: bool = False
) -> Table:
    """Return a table with a row per measure of the cell in view, or of each setting."""
    rows = [row for measure in measures for row in _measure_rows(*measure)]
    texts = dict.fromkeys(("measure", "value", "low", "high"), pl.String())
    numbers = dict.fromkeys(("games", "deals"), pl.Int64())
    frame = pl.DataFrame(rows, schema={"cell": pl.Int64(), **texts, **numbers}, orient="row")
    if not by_setting:
        return table(findings, first_cell(findings, frame), "measure value low high n", caption, value=head)
    frame = frame.join(cells(findings).select(pl.col("cell").cast(pl.Int64), "setting"), on="cell")
    return table(findings, frame, "measure setting value low high n", caption, value=head)


def _measure_rows(
    frame: pl.DataFrame, column: str, prefix: str, words: str, form: str
) -> Iterator[list[object]]:
    names = [f"{prefix}_{end}".removeprefix("_") for end in ("low", "high")]
    for row in frame.drop_nulls(column).iter_rows(named=True):
        low, high = (row.get(name) for name in names)
        texts = [None, None] if low is None or high is None else format_ends(low, high, form)
        yield [row["cell"], words, format_value(row[column], form), *texts, row["games"], row["deals"]]


MAX_CASES = 48  # rows of a picture


def endings(findings: Findings) -> Section:
    """Return end reasons and draws, with a table and a picture only where games end in several ways."""
    reasons, draws = end_reasons(findings).filter(pl.col("share") > 0), length_tables.draws(findings)
    drawn = f"At most {percent(max(draws['share']))} of the games of a case were draws"
    texts = [] if findings.run.team else [f"{drawn} (n = {draws['games'].sum():,} games)."]
    if reasons["end_reason"].n_unique() == 1:
        return Section(f"All games end by “{labels_of(findings).name(reasons['end_reason'][0])}”", texts)
    figures = _outcome_figures(findings) if findings.run.one_share else [_winners_figure(findings)]
    listed = table(findings, reasons, "cell end_reason share low high n", "End reasons")
    return Section("How games end", texts, figures, [listed])


def _outcome_figures(findings: Findings) -> list[Figure]:
    """Return a picture of the first logged column of names, a row for each case as far as they fit."""
    if not outcomes(findings).width:
        return []
    column, all_fit = outcomes(findings)["column"][0], outcomes(findings).height <= MAX_CASES
    shown = outcomes(findings) if all_fit else drawn_cells(findings, outcomes(findings))
    rows, label = shown.filter(pl.col("share") > 0, column=column), labels_of(findings).name
    name = pl.col("name").map_elements(lambda text: label(text, column), return_dtype=pl.String)
    several = ["setting", "lineup"] if rows["setting"].n_unique() > 1 else ["lineup"]
    case = pl.concat_str([label_column(findings, part) for part in several], separator=", ")
    parts = {"label": case, "kind": name, "style": (pl.col("name").rank("dense") - 1).cast(pl.Int64)}
    title = f"How games end: {lower_first(findings.run.meanings('games').get(column) or column)}"
    chart, about = (f"ends_{column}", charts.forest), "" if all_fit else where_drawn(findings)
    return [figure(findings, chart, rows, title, about, parts, unit="Share of games", aim="")]


def _winners_figure(findings: Findings) -> Figure:
    """Return the ends of games by the winner, a row for each."""
    rows = drawn_cells(findings, end_winners(findings)).filter(pl.col("share") > 0)
    names = {seat: f"{seat_name(seat)} wins" for seat in range(max(cells(findings)["seats"]))}
    wins = pl.col("winner").replace_strict(names | {-1: "shared or nobody"}, return_dtype=pl.String)
    reason = pl.col("end_reason").cast(pl.String)
    ended = reason.map_elements(labels_of(findings).name, return_dtype=pl.String)
    label = pl.concat_str([label_column(findings, "lineup"), ended], separator=": ")
    parts = {"label": label, "kind": wins, "style": pl.col("winner").cast(pl.Int64)}
    alt, chart = "How games end, and who wins then", ("ends", charts.forest)
    return figure(findings, chart, rows, alt, where_drawn(findings), parts, unit="Share of games", aim="")


def scores(findings: Findings) -> Section:
    """Return the mean score of each seat, of a team the common one, with its standard deviation."""
    words, scores, team = findings.run.words, length_tables.scores(findings), findings.run.team
    scores = scores.filter(seat=0) if team else scores
    heads = {"mean": Show(f"mean of the {words.score}", "{:.2f}")}
    heads |= {"sd": Show("sd", "{:.2f}", "standard deviation")}
    name = capital(words.score)
    names, caption = ("cell", name) if team else ("cell seat", f"{name} of each seat")
    listed = table(findings, scores, f"{names} mean low high sd n", caption, **heads)
    deviation = (pl.col("mean") - pl.col("mean").mean()).abs()
    listed = with_extremes(listed, scores, deviation, "the highest and the lowest scores")
    text = [f"{name}: {words.score_is}."] if words.score_is else []
    return Section(name, text, tables=[listed])
