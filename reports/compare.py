"""What do other rules change? Rule sets against the baseline on the same deals: for any run with a baseline among several settings."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.sections import advice
from reports.sections.common import COUNT, HIGH, LOW, PERCENT, margin_points, points, query
from reports.sections.differences import (
    DIFFERENCE_WORDS,
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
from reports.sections.next_steps import next_section
from reports.sections.page import page
from reports.sections.seats import seat_section, verdict_section
from reports.sections.who import score_word
from simkit import analysis
from simkit.report import Figure, Report, Section, Show, Story, Table, Takeaway, table
from simkit.runlog import Run

Row = dict[str, Any]
ADVANTAGE = "first-player advantage"
LENGTH = ("turns", "decisions")
MOST_TOLD = 4  # further changes in a sentence

MORE_WORDS = [("Rule set", "one choice of values for the options that are compared."), *DIFFERENCE_WORDS]


def build(run: Run) -> Report:
    """The page: a sentence per rule set and lineup, differences by kind of measure, what the pairing gained, seats."""
    seats = analysis.seat_shares(run)
    warnings = [*stopped(run), *analysis.answer(run, seats=seats).warnings]
    changes = compared(run)
    if changes.is_empty():
        return page(
            run,
            "comparison of rules",
            [_instead()],
            warnings,
            [_what_to_run(run), seat_section(run, seats)],
            MORE_WORDS,
        )
    first = analysis.first_player_advantage(run, seats=seats)
    takeaways = [
        _answer(run, part, changes, first) for part in changes.partition_by("setting", maintain_order=True)
    ]
    words = {cell: _words(run, cell) for cell in changes["cell"].unique()}
    shown = changes.with_columns(
        pl.col("cell").replace_strict(words, return_dtype=pl.String).alias("setting")
    )
    changed, *others = _sections(run, shown)
    sections = [
        changed,
        verdict_section(run, first),
        *next_section(run, seats),
        *others,
        _gained(shown),
        seat_section(run, seats),
    ]
    return page(
        run, "comparison of rules", [*takeaways, _pairing(run, changes)], warnings, sections, MORE_WORDS
    )


def _asked(run: Run) -> str:
    """The query for all differences."""
    columns = columns_asked(run)
    return f"comparisons(run, {columns!r})" if columns else "comparisons(run)"


def _answer(run: Run, part: pl.DataFrame, changes: pl.DataFrame, first: pl.DataFrame) -> Takeaway:
    """What one rule set changes, and whether it is fair; of several lineups together, with a row for each."""
    verdicts: dict[int, str] = dict(first.select(pl.col("cell").cast(pl.Int64), "verdict").iter_rows())
    rows = part.filter(pl.col("measure") == ADVANTAGE).with_columns(
        pl.lit(_words(run, part["cell"][0])).alias("setting")
    )
    found = [
        row | {"verdict": verdicts[row["cell"]], "before": verdicts[row["base"]]}
        for row in rows.iter_rows(named=True)
    ]
    source = f"{_asked(run)}.filter(setting={part['setting'][0]!r})", "first_player_advantage(run)"
    if len(found) > 1:
        lead = _together(run, found)
        return Takeaway(f"{lead} {_also_everywhere(part)}", query(run, *source), _by_lineup(found), lead)
    lead = f"{analysis.comparison_sentences(rows, gain=False)[0]} {_verdict(run, found)}"
    return Takeaway(f"{lead} {_sure(part.rows(named=True), changes.height)}", query(run, *source), lead=lead)


def _words(run: Run, cell: int) -> str:
    """What a rule set has other than the baseline."""
    base = next(one.varied for one in run.cells if one.baseline)
    here = next(one.varied for one in run.cells if one.index == cell)
    return analysis.setting_words({name: value for name, value in here.items() if base.get(name) != value})


def _verdict(run: Run, found: list[Row]) -> str:
    """Whether the rule set is fair, and whether the baseline is."""
    here, before = (analysis.tally([row[key] for row in found]) for key in ("verdict", "before"))
    one = len(found) == 1
    here, before = (found[0]["verdict"], found[0]["before"]) if one else (here, before)
    return f"Verdict at ±{margin_points(run)}: {here}; the baseline: {before}."


def _together(run: Run, found: list[Row]) -> str:
    """The rule set with all lineups: shares where these can be compared, their change, the verdicts."""
    row, deals = found[0], [row["deals"] for row in found]
    many = f"n = {min(deals):,} common deals each{' or more' * (max(deals) > min(deals))}"
    now, was = ([one[key] + 1 / one["seats"] for one in found] for key in ("value", "base_value"))
    shares = (
        f"the first seat wins {_range(now)} % instead of {_range(was)} %"
        if len({one["seats"] for one in found}) == 1
        else ""
    )
    change = (
        f"its share changes by {_range([one['difference'] for one in found], sign=True)} percentage points"
    )
    ends = analysis.span(
        min(one["low"] for one in found), max(one["high"] for one in found), sign=True, scale=100
    )
    luck = sum(not differs(one) for one in found)
    doubt = f"; with {luck} of them this may be noise" if luck else ""
    start = (
        f"With {row['setting']} {shares}: "
        if shares
        else f"With {row['setting']} the first seat gains or loses: "
    )
    return f"{start}{change} with the {len(found)} lineups (95 % intervals from {ends}, {many}{doubt}). {_verdict(run, found)}"


def _also_everywhere(part: pl.DataFrame) -> str:
    """What else changes beyond noise with every lineup, from the least to the most."""
    rest = part.filter(~pl.col("measure").str.starts_with("share of") & (pl.col("measure") != ADVANTAGE))
    said = []
    for rows in rest.partition_by("measure", maintain_order=True):
        found = rows.rows(named=True)
        if all(differs(row) for row in found):
            found.sort(key=lambda row: row["difference"])
            texts = dict.fromkeys(amount(row, "difference", True) for row in (found[0], found[-1]))
            unit = " percentage points" if of_shares(found[0]["measure"]) else ""
            said.append(f"{analysis.seats_named(found[0]['measure'])} {' to '.join(texts)}{unit}")
    more = f"; and {len(said) - MOST_TOLD} more in the tables" if len(said) > MOST_TOLD else ""
    none = "Nothing else changes beyond noise with all of them."
    return (
        f"Also changed beyond noise with every lineup (least to most, intervals in the tables): {'; '.join(said[:MOST_TOLD])}{more}."
        if said
        else none
    )


def _range(shares: list[float], sign: bool = False) -> str:
    """From the least to the most, in percent."""
    texts = [
        f"{100 * share:{'+' if sign else ''}.1f}".replace("-", "−") for share in (min(shares), max(shares))
    ]
    return " to ".join(dict.fromkeys(texts))


def _by_lineup(found: list[Row]) -> Table:
    """A row for each lineup: the first seat here and at the baseline, the change, the verdicts, what else changed."""
    rows = [
        {key: row[key] for key in ("lineup", "difference", "low", "high", "verdict", "before", "deals")}
        | {"share": row["value"] + 1 / row["seats"], "base_share": row["base_value"] + 1 / row["seats"]}
        for row in found
    ]
    shown = {
        "lineup": Show("lineup"),
        "share": Show("first seat wins", PERCENT),
        "base_share": Show("first seat at the baseline", PERCENT),
    }
    shown |= {
        "difference": Show("change, percentage points", points),
        "low": Show("95 % from", points, LOW),
        "high": Show("to", points, HIGH),
    }
    shown |= {
        "verdict": Show("verdict"),
        "before": Show("verdict at the baseline"),
        "deals": Show("deals", COUNT),
    }
    return table(pl.DataFrame(rows), shown, f"Lineup by lineup: {found[0]['setting']}")


def _sure(rows: list[Row], looked_at: int) -> str:
    """What of the changes is more than noise, allowing for how many were looked at."""
    first = next(row for row in rows if row["measure"] == ADVANTAGE)
    others = _others(rows)
    outside = first["low"] > 0 or first["high"] < 0
    doubt = (
        f"Allowing for all {looked_at} differences looked at this may still be luck (adjusted p {_p(first)}). "
        if outside and not differs(first)
        else ""
    )
    told = f"{'Also c' if differs(first) else 'C'}hanged beyond noise: {others}."
    return doubt + (told if others else "All else that was compared may be noise.")


def _others(rows: list[Row]) -> str:
    """What else than the shares changes beyond luck; many seats have many scores."""
    found = [
        row
        for row in rows
        if not row["measure"].startswith("share of") and row["measure"] != ADVANTAGE and differs(row)
    ]
    found.sort(key=lambda row: row["measure"].startswith("score"))
    more = f"; and {len(found) - MOST_TOLD} more in the tables" if len(found) > MOST_TOLD else ""
    return "; ".join(_also(row) for row in found[:MOST_TOLD]) + more


def _p(row: Row) -> str:
    text = p_text(row["p_adjusted"])
    return text if text.startswith("<") else f"= {text}"


def _also(row: Row) -> str:
    unit = " percentage points" if of_shares(row["measure"]) else ""
    return f"{analysis.seats_named(row['measure'])} {amount(row, 'difference', True)}{unit} ({amount(row, 'low', True)} to {amount(row, 'high', True)})"


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
            "Change of the first seat's advantage, percentage points"
            if two
            else "Change of shares, percentage points",
        ),
        difference_tables(
            changes.filter(pl.col("measure").is_in([ADVANTAGE, *shares])), "Change of the seats"
        ),
    )
    kinds = [
        ("Scores", scores, f"Change of scores ({score_word(run)})"),
        ("Length", length, "Change per game"),
        ("Draws", draws, "Change of draws, percentage points"),
    ]
    kinds += [(name.replace("_", " ").capitalize(), [name], f"Change of {name}") for name in rest]
    return [seats, *(_section(changes, place, *kind) for place, kind in enumerate(kinds) if kind[1])]


def _section(changes: pl.DataFrame, place: int, heading: str, measures: list[str], unit: str) -> Section:
    part = changes.filter(pl.col("measure").is_in(measures))
    text = f"{heading} against the baseline on the same deals; real?: beyond noise, allowing for all differences of this run."
    return Section(
        heading,
        [text],
        _pictures(changes, f"change{place}-", measures, unit),
        difference_tables(part, f"Change of {heading.lower()}"),
    )


def _pictures(changes: pl.DataFrame, name: str, measures: list[str], unit: str) -> list[Figure]:
    labelled = changes.with_columns(
        pl.col("setting").alias("label"),
        pl.col("measure").map_elements(analysis.seats_named, return_dtype=pl.String).alias("kind"),
    )
    return difference_figures(labelled, name, measures, unit)


def _gained(changes: pl.DataFrame) -> Section:
    """The variance-reduction factor of every measure."""
    text = [
        "Every deal was played under both rule sets, so most of its luck is the same on both sides and cancels out of the difference. The gain says "
        "by how much: at 1.8 the interval is as narrow as if 1.8 times as many deals had been played for each rule set apart. A gain near 1 "
        "means that the luck of a deal plays out quite differently under the two rule sets; below 1 pairing would have cost something."
    ]
    shown = changes.with_columns((pl.col("factor") * pl.col("deals")).alias("apart"))
    columns = {
        "setting": Show("rules"),
        "lineup": Show("lineup"),
        "measure": Show("measure", analysis.seats_named),
        "factor": Show("gain", "× {:.2f}"),
    }
    columns |= {
        "deals": Show("deals played", COUNT),
        "apart": Show("as good as deals apart", "{:,.0f}", "gain × deals"),
    }
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
    return Section(
        "What to run instead",
        [text],
        stories=[Story("Commands for a run that compares rules", _commands(run))],
    )


def _commands(run: Run) -> str:
    """The comparison that this run could have been; without a sweep with a place to fill in."""
    game, lineups = run.experiment.game, advice.game_words(run, advice.lineups(run)[:2])
    settings = list({tuple(cell.varied.items()): cell.varied for cell in run.cells}.values())
    if len(settings) < 2:
        return f"{advice.again(run, 'rules', game)}\n{advice.again(run, 'compare', game, '--to', 'OPTION=VALUE', *lineups)}"
    base, *others = (advice.setting_texts(one) for one in settings)
    words = [word for text in base for word in ("--base", text)] + [
        word for one in others for word in ("--to", ",".join(one))
    ]
    return advice.again(run, "compare", game, *words, *lineups)
