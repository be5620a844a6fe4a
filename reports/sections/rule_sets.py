"""The brief of a comparison: the rule set nearest to fair, and a ranked picture of all."""

from dataclasses import replace

import polars as pl

from simkit.reporting.document import Stamp, Step
from simkit.reporting.pages import (
    Figure,
    Findings,
    Section,
    Show,
    Table,
    Takeaway,
    charts,
    figure,
    query,
    table,
)
from simkit.reporting.pages.commands import fresh_command, lineups
from simkit.reporting.pages.differences import stopped
from simkit.reporting.pages.ranked import ranked
from simkit.reporting.pages.tiles import tiles_changed
from simkit.reporting.text.confidence import different_nearest
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import capital
from simkit.reporting.text.rules import Standing, by_distance, digits, rules_answer, standing
from simkit.reporting.text.stamps import CHANGE, KEEP, comparison_stamp, fairness_stamp, stamp_of_sizes

from . import answer

MAX_GLANCE_ROWS = 6  # rule sets in the small table: the best and the baseline
MAX_DRAWN_ROWS = 18  # rows of the picture
WORDS = {
    "Rule set": "one choice of values for the options that are compared.",
    "Beyond luck": "luck alone would hardly make one rule set look so much nearer to fair, or to the "
    "target, than another: its adjusted p-value, which allows for all comparisons of rule sets, is "
    "below 0.05.",
}


def section(findings: Findings) -> Section | None:
    """Return the brief, or None for a run without a comparison."""
    if not findings.comparisons.width:
        return None
    if not findings.run.judged:
        _, best = _decision(findings)
        return replace(answer.section(findings), tiles=tiles_changed(findings, best))
    summary, source = (
        rules_answer(findings),
        query(findings, "rule_sets", "rules_nearer", "first_player_advantage"),
    )
    takeaways = [Takeaway(summary.headline, source, "answer")]
    takeaways += [Takeaway(summary.advice, kind="advice")] if summary.advice else []
    takeaways += [Takeaway(note, kind="sure") for note in summary.sure]
    rows = ranked(findings)
    picture, glance = _picture(findings, rows), _glance(findings, rows)
    warnings = [*stopped(findings), *filter(None, [different_nearest(findings)])]
    stamp, best = _decision(findings)
    return Section(
        takeaways=takeaways,
        stamp=stamp,
        picture=picture,
        tiles=tiles_changed(findings, best),
        step=_fresh(findings, best),
        glance=glance,
        warnings=warnings,
        words=WORDS,
    )


def _decision(findings: Findings) -> tuple[Stamp, str]:
    """Return the stamp, and the best other rule set at a table size that asks for a change, if any does."""
    sizes = {seats: _of_size(part) for seats, part in findings.by_size()}
    changes = [best for stamp, best in sizes.values() if stamp == CHANGE]
    best = next(iter([*changes, findings.rule_sets.filter(~pl.col("baseline"))["setting"][0]]))
    return stamp_of_sizes({seats: stamp for seats, (stamp, _) in sizes.items()}), best


def _of_size(findings: Findings) -> tuple[Stamp, str]:
    """Return the stamp and the best other rule set at tables of one size."""
    sets = findings.rule_sets
    base, best = (sets.filter(part)["setting"][0] for part in (pl.col("baseline"), ~pl.col("baseline")))
    before = findings.first_player_advantage.filter(setting=base)["verdict"]
    stand, count = standing(findings, best, base), findings.cells["lineup"].n_unique()
    return comparison_stamp(fairness_stamp(before.to_list()) == KEEP, *stand, count), best


def _fresh(findings: Findings, best: str) -> Step | None:
    """Return the games that measure a rule set on fresh deals, unless it was measured so."""
    if findings.confirmed.width and best in set(findings.confirmed["setting"]):
        return None
    run, cell = findings.run, findings.cells.filter(setting=best)["cell"][0]
    command = fresh_command(run, cell, lineups(run))
    return Step(f"Measure {labels_of(findings).at(best)} on fresh deals.", command)


def _ranked(findings: Findings) -> str:
    return f"Rule sets, nearest to {side_of(findings.run).aim} first"


def _value_format(findings: Findings) -> str:
    return f"{{:.{digits(findings)}{'f' if by_distance(findings) else '%'}}}"


def _picture(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the best rule sets and the baseline, a dot for each lineup."""
    max_rank = max(2, MAX_DRAWN_ROWS // rows["lineup"].n_unique())
    shown = rows.filter((pl.col("rank") <= max_rank) | pl.col("baseline"))
    shown_count, total = shown["setting"].n_unique(), findings.rule_sets.height
    caption = f"The best {shown_count} of {total} rule sets." if shown_count < total else ""
    side, far = side_of(findings.run), by_distance(findings)
    unit = "Farthest player from fair, percentage points" if far else f"{capital(side.name)} wins"
    title = f"How far from {side.aim} the farthest player is" if far else f"How often the {side.name} wins"
    chart_options = {
        "unit": unit,
        "margin": (100 if far else 1) * findings.run.experiment.margin,
        "form": _value_format(findings),
        "aim": "target" if findings.run.team else "fair",
    }
    parts = {"label": pl.col("rules"), "kind": "lineup", **{part: part for part in ("value", "low", "high")}}
    alt = f"{title} with each rule set, with 95 % intervals: {_ranked(findings).lower()}"
    return figure(findings, ("rules", charts.forest), shown, alt, caption, parts, "lineup", **chart_options)


def _glance(findings: Findings, rows: pl.DataFrame) -> Table:
    """Return the best rule sets and the baseline: distances by table size, else whether each is nearer."""
    lineups = rows["lineup"].unique(maintain_order=True).to_list()
    best = pl.col("rank") <= MAX_GLANCE_ROWS - (findings.rule_sets.height > MAX_GLANCE_ROWS)
    shown = rows.filter(best | pl.col("baseline"))
    if by_distance(findings) and shown["seats"].n_unique() > 1:
        form, caption = _value_format(findings), "Farthest player from fair, percentage points"
        wide = shown.pivot("seats", index="setting", values="value", aggregate_function="max")
        columns = {name: Show(f"{name} players", form) for name in wide.columns if name != "setting"}
        return table(findings, wide, ["setting", *columns], caption, **columns)
    settings = shown.group_by("setting", maintain_order=True).agg(
        pl.col("baseline").any(), pl.col("value").min().alias("least"), pl.col("value").max().alias("most")
    )
    base = settings.filter("baseline")["setting"][0]
    words = {
        setting: _comparison_words(standing(findings, setting, base), len(lineups))
        for setting in settings["setting"]
    } | {base: "–"}
    settings = settings.with_columns(word=pl.col("setting").replace_strict(words, return_dtype=pl.String))
    quantity = (
        "farthest player off, percentage points"
        if by_distance(findings)
        else f"{side_of(findings.run).name} wins"
    )
    names = "setting least word" if len(lineups) == 1 else "setting least most word"
    heads = {"word": Show("nearer than the " + labels_of(findings).base)}
    form = _value_format(findings)
    least = quantity if len(lineups) == 1 else f"{quantity}, least"
    heads |= {"least": Show(least, form), "most": Show("most", form)}
    return table(findings, settings, names, _ranked(findings), **heads)


def _comparison_words(tally: Standing, lineups: int) -> str:
    """Return whether a rule set is nearer to fair than the baseline beyond luck.

    >>> _comparison_words(Standing(1, 0), 1), _comparison_words(Standing(0, 0), 2)
    ('beyond luck', 'not beyond luck')
    >>> _comparison_words(Standing(1, 1), 2)
    'beyond luck with 1 of 2, farther with 1'
    >>> _comparison_words(Standing(0, 2), 3), _comparison_words(Standing(0, 3), 3)
    ('farther with 2 of 3', 'farther with all')
    """
    if lineups == 1:
        return "beyond luck" if tally.nearer else "farther" if tally.farther else "not beyond luck"
    parts = [f"beyond luck with {tally.nearer} of {lineups}"] if tally.nearer else []
    suffix = "" if tally.nearer else f" of {lineups}"
    farther = "all" if tally.farther == lineups else f"{tally.farther}{suffix}"
    parts += [f"farther with {farther}"] if tally.farther else []
    return ", ".join(parts) or "not beyond luck"
