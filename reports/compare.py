"""The comparison page: what other rules change, against the baseline on the same deals.

The brief ranks the rule sets and names the one nearest to fair; the chapters have all other changes.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from simkit.page import charts
from simkit.page.columns import (
    DIFFERENCE_WORDS,
    REAL,
    difference_figure,
    difference_table,
    stopping_cautions,
    table,
)
from simkit.page.document.parts import Figure, Report, Section, Stamp, Step
from simkit.page.document.tables import Show, Table, with_extremes
from simkit.page.pictures import figure, takeaways_of
from simkit.page.recipe import Chapters, Recipe
from simkit.page.terminal import (
    MAX_ROWS,
    Part,
    brackets_explained,
    brief_document,
    rows_left_out,
    verdict_column,
)
from simkit.page.tiles import tiles_changed
from simkit.page.words.changes import (
    by_distance,
    confidence,
    differs,
    doubt,
    fair_moves,
    helpful_rules,
    measure_name,
    nearness,
    others,
    rules_answer,
    shares_won,
)
from simkit.page.words.commands import fresh_command
from simkit.page.words.confidence import SURE, different_nearest
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import TableRow, capital
from simkit.page.words.stamps import (
    CHANGE,
    KEEP,
    comparison_stamp,
    fairness_stamp,
    more_games,
    stamp_of_sizes,
)
from simkit.page.words.verdicts import side_of, with_not_equal
from simkit.tables.compare import PRIMARY, comparisons, wins
from simkit.tables.fairness import confirmed, nearest, rule_sets, rules_nearer
from simkit.tables.findings import Findings, cells, setting_words
from simkit.tables.seats import first_player_advantage, seat_shares

from .sections.answer import answer, next_steps, settle
from .sections.changes import changes
from .sections.components import cards_changed, pieces
from .sections.luck import luck
from .sections.players import matchups, who
from .sections.seats import confirmed_settings, cures, seats, verdicts
from .sections.stories import stories
from .sections.tension import drama, endings

# Figures, tables and the next step of the brief


def _decision(findings: Findings) -> tuple[Stamp, str]:
    """Return the stamp, and the best other rule set at a table size that asks for a change, if any does."""
    sizes = {seats: _of_size(part) for seats, part in findings.by_size()}
    changes = [best for stamp, best in sizes.values() if stamp == CHANGE]
    best = [*changes, *others(findings)][0]
    more = more_games(first_player_advantage(findings))
    return stamp_of_sizes({seats: stamp for seats, (stamp, _) in sizes.items()}, more), best


def _of_size(findings: Findings) -> tuple[Stamp, str]:
    """Return the stamp and the best other rule set at tables of one size."""
    first, best = first_player_advantage(findings), others(findings)[0]
    before = first.filter("baseline").rows(named=True)
    stand, count = nearness(findings, best), cells(findings)["lineup"].n_unique()
    return comparison_stamp(fairness_stamp(before) == KEEP, *stand, count, more_games(first)), best


def _ranking(findings: Findings) -> pl.DataFrame:
    """Return a row per rule set and lineup, best first, with the first player's share or the distance."""
    first, name = first_player_advantage(findings), labels_of(findings).rule
    ranks = rule_sets(findings).select("rank", "setting")
    rows = ranks.join(first, on="setting").sort("rank", "cell")
    rows = rows.with_columns(rules=pl.col("setting").map_elements(name, return_dtype=pl.String))
    if not by_distance(findings):
        return rows.with_columns(value="share")
    off = 100 * (pl.col("farthest_share") - pl.col("fair")).abs()
    off = off.round(9)  # so that equal distances are equal floats
    half = 50 * (pl.col("joint_high") - pl.col("joint_low"))
    halves = seat_shares(findings).select("cell", farthest="seat", half=half)
    rows = rows.join(halves, on=["cell", "farthest"], how="left", maintain_order="left")
    ends = {"low": pl.max_horizontal(off - pl.col("half"), 0.0), "high": off + pl.col("half")}
    return rows.with_columns(value=off, fair=pl.lit(0.0), **ends)


MAX_DRAWN_ROWS = 6  # rows of the picture


def _rule_sets_figure(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the best rule sets and the baseline, a dot for each lineup."""
    max_rank, rank = max(2, MAX_DRAWN_ROWS // rows["lineup"].n_unique()), pl.col("rank")
    helpers = [row["setting"] for row in helpful_rules(findings)]
    best = nearest(findings)["setting"].to_list() if findings.run.team else []
    named = pl.col("setting").is_in([*helpers[:1], *best])  # of the answer for a team
    also = named if findings.run.team else rank == rank.max()
    shown = rows.filter((rank <= max_rank) | pl.col("baseline") | also)
    which = "each rule set" if shown.height == rows.height else "the best and worst rules"
    side, far = side_of(findings.run), by_distance(findings)
    unit = "Farthest player from fair, percentage points" if far else f"{capital(side.name)} wins"
    title = f"How far from {side.aim} the farthest player is" if far else f"How often the {side.name} wins"
    how = {"margin": (100 if far else 1) * findings.run.experiment.margin, "unit": unit}
    how |= {"form": "{:.0f}" if far else "{:.0%}", "aim": "target" if findings.run.team else "fair"}
    parts = {"label": pl.col("rules"), "kind": "lineup", **{part: part for part in ("value", "low", "high")}}
    alt = f"{title} with {which}, with 95 % intervals"
    return figure(findings, ("rules", charts.forest), shown, alt, "", parts, "lineup", **how)


def _rule_sets_table(findings: Findings, rows: pl.DataFrame) -> Table:
    """Return a table of all rule sets, with whether each is nearer to fair than the baseline beyond luck."""
    ends = "farthest farthest_share" if by_distance(findings) else "low high"
    sure, side = rules_nearer(findings).filter(pl.col("p_adjusted") < SURE), side_of(findings.run)
    words = dict.fromkeys(sure["cell"], "nearer") | dict.fromkeys(sure["than"], "farther")
    than = pl.col("cell").cast(pl.Int64).replace_strict(words, default="may be luck", return_dtype=pl.String)
    shown = with_not_equal(rows, findings.run.team)
    shown = shown.with_columns(than=pl.when("baseline").then(pl.lit("–")).otherwise(than))
    than_base = Show(f"than the {labels_of(findings).base}", "{}", "beyond luck, allowing for all")
    names, heads = f"rank setting lineup share {ends} verdict than deals", {"share": f"{side.name} wins"}
    caption = f"Rule sets, nearest to {side.aim} first"
    listed = table(findings, shown, names, caption, than=than_base, **heads)
    best = pl.when("baseline").then(1).otherwise(-pl.col("rank").cast(pl.Int64))
    return with_extremes(listed, shown, best, "the best rule sets and the baseline")


def _fresh_step(findings: Findings, best: str) -> Step | None:
    """Return the games that measure a rule set on fresh deals, unless it was measured so."""
    if confirmed(findings).width and best in set(confirmed(findings)["setting"]):
        return None
    command = fresh_command(findings.run, cells(findings).filter(setting=best)["cell"][0])
    return Step(f"Measure {labels_of(findings).at(best)} on fresh deals.", command)


# Sections

RULE_SETS_WORDS = {
    "Rule set": "one choice of values for the options that are compared.",
    "Beyond luck": "luck alone would hardly make one rule set look so much nearer to fair, or to the "
    "target, than another: its adjusted p-value, which allows for all comparisons of rule sets, is "
    "below 0.05.",
}


def rule_sets_answer(findings: Findings) -> Section | None:
    """Return the brief, or None for a run without a comparison."""
    if not comparisons(findings).width:
        return None
    (stamp, best), first = _decision(findings), first_player_advantage(findings)
    labels = labels_of(findings)
    values = f" ({labels.baseline})" if labels.base == "baseline" and len(labels.columns) > 1 else ""
    tiles_of = f"{capital(labels.base)}{values} → {labels.at(best)}"
    if not findings.run.judged:
        return replace(answer(findings), tiles=tiles_changed(findings, best), tiles_of=tiles_of)
    summary = rules_answer(findings)
    rows = _ranking(findings)
    doubts = [] if findings.run.team else [different_nearest(findings)]  # of teams the answer itself says so
    return Section(
        takeaways=takeaways_of(findings, summary, "rule_sets", "rules_nearer", "first_player_advantage"),
        stamp=stamp,
        picture=_rule_sets_figure(findings, rows),
        tiles=tiles_changed(findings, best),
        tiles_of=tiles_of,
        step=(stamp.kind == "open" and settle(findings, first)) or _fresh_step(findings, best),
        glance=_rule_sets_table(findings, rows),
        warnings=[*stopping_cautions(findings), *filter(None, doubts)],
        words=RULE_SETS_WORDS,
    )


def deal_by_deal(findings: Findings) -> Section | None:
    """Return the changes, those that help most on top, or None for a run without a comparison."""
    if not comparisons(findings).width:
        return None
    base = f"{labels_of(findings).base} ({labels_of(findings).baseline})"
    text = f"Change against the {base} on the same deals; {REAL}."
    chosen, heading = pl.col("measure") == "share", "Change of the share of games won"
    if findings.run.team:
        chosen, heading = wins(findings.run), "Change of the team's share"
    elif set(cells(findings)["seats"]) == {2}:  # then the advantage is enough
        chosen, heading = pl.col("measure") == "fpa", "Change of what sitting first is worth"
    worst, order = pl.col("difference").min().over("setting"), ["setting", "cell", "seat"]
    rows = comparisons(findings).filter(chosen)
    rows = rows.sort(worst, *order, descending=[True, False, False, False], maintain_order=True)
    drawn = rows.filter(pl.col("seat").is_null() | (pl.col("seat") == 0))
    owner = " by the first player" if drawn.height < rows.height else ""
    picture = difference_figure(findings, drawn, "deal_by_deal", heading + owner)
    listed = difference_table(findings, rows, heading)
    return Section(heading, [text], [picture], [listed], words=DIFFERENCE_WORDS)


# The terminal and the JSON document

LEVELS = """(An interval that leaves out 0 is beyond luck. Its level is 95 %, or higher where there are
many differences; differences in who wins are counted separately from all others.)"""


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[Part]:
    """Yield the differences, with what their levels mean."""
    shown = rows(findings, findings.run.manifest.asked_columns, whole)
    yield f"\nCompared with {labels_of(findings).baseline}, deal by deal:\n"
    yield shown
    yield from rows_left_out(comparisons(findings).height - len(shown))
    yield LEVELS
    yield from brackets_explained(findings)


def rows(findings: Findings, columns: Sequence[str], whole: bool) -> list[TableRow]:
    """Return the rows of differences that the terminal shows: all (`whole`), or those of a screen."""
    labels, first = labels_of(findings), first_player_advantage(findings)
    verdicts = dict(first.select("cell", pl.struct("verdict", "needed")).iter_rows())
    labelled = labels.label(comparisons(findings))
    won, differences = shares_won(labelled), labelled.rows(named=True)
    if not whole:
        differences = _of_screen(differences, columns, won)
    return [
        labels.in_columns(row["cell"], marked=False)
        | _row(row, won.get(row["cell"], row), verdicts[row["cell"]], whole)
        for row in differences
    ]


def _of_screen(
    differences: list[TableRow], columns: Sequence[str], won: dict[int, TableRow]
) -> list[TableRow]:
    """Return the rows of a screen: who wins, the requested columns, changes beyond luck.

    With two seats no share appears twice, unless the fair share moves: then share and advantage differ.
    """
    requested = tuple(column.partition("=")[0] for column in columns)
    moved = {row["cell"] for row in differences if row["cell"] in won and fair_moves(row, won[row["cell"]])}

    def rank(row: TableRow) -> int:
        is_primary = row["measure"] in PRIMARY
        is_primary |= row["measure"] == "share" and row["seat"] == 0 and row["cell"] in moved
        return 0 if is_primary else 1 if row["measure"].startswith(requested) else 2 if differs(row) else 3

    distinct = [
        row for row in differences if row["measure"] != "share" or row["seats"] > 2 or row["cell"] in moved
    ]
    first = sorted(range(len(distinct)), key=lambda place: rank(distinct[place]))[:MAX_ROWS]
    return [distinct[place] for place in sorted(first)]


def _row(row: TableRow, won: TableRow, case: TableRow, whole: bool) -> TableRow:
    """Return the row of a difference, given the first player's share (`won`) and the cell's verdict (`case`).

    `whole` adds the p-value and the variance reduction by common deals.
    """
    scale, unit, points = (100, " %", " points") if row["unit"] == "share" else (1, "", "")
    lead = row["measure"] == "fpa"
    wins = lead and not whole and not fair_moves(row, won)
    form, after = ("+.2f", points) if lead and not wins else (".2f", unit)
    base, here = (f"{scale * (won if wins else row)[name]:{form}}{after}" for name in ("base_value", "value"))
    low, high = (f"{scale * row[name]:+.2f}" for name in ("low", "high"))
    interval = "-" if math.isnan(row["low"]) else f"{low} to {high}"
    measure = "first player wins" if wins else measure_name(row["measure"], row["seat"])
    named = {"lineup": row["lineup"], "measure": measure}
    values = {"base": base, "here": here, "difference": f"{scale * row['difference']:+.2f}{points}"}
    values |= {"interval": interval, "level": confidence(row["confidence"])}
    values |= {"": doubt(row)}
    verdict = verdict_column(case)
    if row["measure"] not in PRIMARY:
        verdict = dict.fromkeys(verdict, "")
    return named | values | (_precision_columns(row) if whole else {}) | verdict


def _precision_columns(row: TableRow) -> TableRow:
    """Return the adjusted p-value, the deals, and the variance reduction by common deals."""
    has_factor = row["factor"] is not None and not math.isnan(row["factor"])
    factor = "-" if not has_factor else "all" if math.isinf(row["factor"]) else f"{row['factor']:.1f} x"
    chance = "< 0.001" if row["p_adjusted"] < 0.001 else f"{row['p_adjusted']:.3f}"
    return {"p adjusted": chance, "deals": row["deals"], "variance reduced": factor}


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    run = findings.run
    return brief_document(brief) | {
        "run": run.place,
        "base": setting_words(next(cell.varied for cell in run.cells if cell.baseline)),
        "confidence": 0.95,
        "differences": comparisons(findings).rows(named=True),
    }


# The page

OF_RULES: Chapters = {
    "What would be fair": [confirmed_settings, cures],
    "Your own cards": [cards_changed],
    "What else changes": [changes],
    "Deal by deal": [deal_by_deal],
    "Tension": [drama],
    "What goes with winning": [pieces],
    "Games worth a look": [stories],
}
OF_PLAYERS: Chapters = {"Who beats whom": [matchups], "Players and certainty": [verdicts, luck, seats, who]}
recipe = Recipe(
    "comparison of rules",
    brief=[rule_sets_answer, next_steps],
    chapters={**OF_RULES, **OF_PLAYERS},
    of_team={**OF_RULES, "How it ends": [endings], **OF_PLAYERS},
    needs="several settings of the rules and a baseline among them (simkit compare)",
    fits=lambda findings: comparisons(findings).height > 0,
    terminal=terminal,
    document=document,
)
