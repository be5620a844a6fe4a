"""The brief of a comparison: the rule set nearest to fair, and a ranked picture and table of all."""

from dataclasses import replace

import polars as pl

from simkit.reporting.document import Figure, Stamp, Step, Table, with_extremes
from simkit.reporting.pages import Findings, Section, Show, charts, figure, labels_of, table, takeaways_of
from simkit.reporting.pages.differences import stopping_cautions
from simkit.reporting.pages.tiles import tiles_changed
from simkit.reporting.text import stamps
from simkit.reporting.text.commands import fresh_command
from simkit.reporting.text.confidence import SURE, different_nearest
from simkit.reporting.text.losses import helpful_rules
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import capital
from simkit.reporting.text.rules import by_distance, nearness, others, rules_answer
from simkit.reporting.text.stamps import CHANGE, KEEP, comparison_stamp, fairness_stamp, more_games
from simkit.reporting.text.verdict_counts import with_not_equal

from .answer import answer
from .next_steps import settle

MAX_DRAWN_ROWS = 6  # rows of the picture
RULE_SETS_WORDS = {
    "Rule set": "one choice of values for the options that are compared.",
    "Beyond luck": "luck alone would hardly make one rule set look so much nearer to fair, or to the "
    "target, than another: its adjusted p-value, which allows for all comparisons of rule sets, is "
    "below 0.05.",
}


def rule_sets(findings: Findings) -> Section | None:
    """Return the brief, or None for a run without a comparison."""
    if not findings.comparisons.width:
        return None
    (stamp, best), first = _decision(findings), findings.first_player_advantage
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


def _decision(findings: Findings) -> tuple[Stamp, str]:
    """Return the stamp, and the best other rule set at a table size that asks for a change, if any does."""
    sizes = {seats: _of_size(part) for seats, part in findings.by_size()}
    changes = [best for stamp, best in sizes.values() if stamp == CHANGE]
    best = [*changes, *others(findings)][0]
    more = more_games(findings.first_player_advantage)
    return stamps.stamp_of_sizes({seats: stamp for seats, (stamp, _) in sizes.items()}, more), best


def _of_size(findings: Findings) -> tuple[Stamp, str]:
    """Return the stamp and the best other rule set at tables of one size."""
    first, best = findings.first_player_advantage, others(findings)[0]
    before = first.filter("baseline").rows(named=True)
    stand, count = nearness(findings, best), findings.cells["lineup"].n_unique()
    return comparison_stamp(fairness_stamp(before) == KEEP, *stand, count, more_games(first)), best


def _fresh_step(findings: Findings, best: str) -> Step | None:
    """Return the games that measure a rule set on fresh deals, unless it was measured so."""
    if findings.confirmed.width and best in set(findings.confirmed["setting"]):
        return None
    command = fresh_command(findings.run, findings.cells.filter(setting=best)["cell"][0])
    return Step(f"Measure {labels_of(findings).at(best)} on fresh deals.", command)


def _ranking(findings: Findings) -> pl.DataFrame:
    """Return a row per rule set and lineup, best first, with the first player's share or the distance."""
    first, name = findings.first_player_advantage, labels_of(findings).rule
    rows = findings.rule_sets.select("rank", "setting").join(first, on="setting").sort("rank", "cell")
    rows = rows.with_columns(rules=pl.col("setting").map_elements(name, return_dtype=pl.String))
    if not by_distance(findings):
        return rows.with_columns(value="share")
    off = 100 * (pl.col("farthest_share") - pl.col("fair")).abs()
    off = off.round(9)  # so that equal distances are equal floats
    half = 50 * (pl.col("joint_high") - pl.col("joint_low"))
    halves = findings.seat_shares.select("cell", farthest="seat", half=half)
    rows = rows.join(halves, on=["cell", "farthest"], how="left", maintain_order="left")
    ends = {"low": pl.max_horizontal(off - pl.col("half"), 0.0), "high": off + pl.col("half")}
    return rows.with_columns(value=off, fair=pl.lit(0.0), **ends)


def _rule_sets_figure(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the best rule sets and the baseline, a dot for each lineup."""
    max_rank, rank = max(2, MAX_DRAWN_ROWS // rows["lineup"].n_unique()), pl.col("rank")
    helpers = [row["setting"] for row in helpful_rules(findings)]
    nearest = findings.nearest["setting"].to_list() if findings.run.team else []
    named = pl.col("setting").is_in([*helpers[:1], *nearest])  # of the answer for a team
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
    sure, side = findings.rules_nearer.filter(pl.col("p_adjusted") < SURE), side_of(findings.run)
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
