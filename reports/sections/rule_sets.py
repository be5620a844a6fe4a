"""Rule sets compared: which is nearest to fair, a ranked picture of all, what the same deals say of each."""

import polars as pl

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
from simkit.reporting.pages.differences import stopped
from simkit.reporting.pages.ranked import ranked
from simkit.reporting.text.confidence import different_nearest
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.rules import Standing, by_distance, digits, rules_answer, rules_said, standing

MOST_AT_A_GLANCE = 6  # rule sets in the small table; of more the best, and the baseline
MOST_DRAWN = 24  # rows of the picture
WORDS = {
    "Rule set": "one choice of values for the options that are compared.",
    "Beyond luck": "luck alone would hardly make one rule set look so much nearer to fair, or to the "
    "target, than another: its adjusted p-value, which allows for all comparisons of rule sets, is "
    "below 0.05.",
}


def section(findings: Findings) -> Section | None:
    if not findings.comparisons.width:
        return None
    told, source = (
        rules_answer(findings),
        query(findings, "rule_sets", "rules_nearer", "first_player_advantage"),
    )
    said = [Takeaway(told.headline, source, "answer")]
    said += [Takeaway(told.advice, kind="advice")] if told.advice else []
    said += [Takeaway(one, kind="sure") for one in told.sure]
    rows = ranked(findings)
    picture, glance = _picture(findings, rows), _glance(findings, rows)
    beware = [*stopped(findings), *filter(None, [different_nearest(findings)])]
    return Section(takeaways=said, picture=picture, glance=glance, warnings=beware, words=WORDS)


def _form(findings: Findings) -> str:
    return f"{{:.{digits(findings)}{'f' if by_distance(findings) else '%'}}}"


def _picture(findings: Findings, rows: pl.DataFrame) -> Figure:
    """The best rule sets and the baseline, a dot for each lineup."""
    most = max(2, MOST_DRAWN // rows["lineup"].n_unique())
    shown = rows.filter((pl.col("rank") <= most) | pl.col("baseline"))
    few, many = shown["setting"].n_unique(), findings.rule_sets.height
    about = f"The best {few} of {many} rule sets." if few < many else ""
    who = side_of(findings.run).name
    unit = (
        "Farthest player from fair, percentage points"
        if by_distance(findings)
        else f"{who[0].upper()}{who[1:]} wins"
    )
    parts = {"label": pl.col("rules"), "value": "value", "note": pl.col("note"), "kind": "lineup"}
    scale = 100 if by_distance(findings) else 1
    how = {
        "unit": unit,
        "margin": scale * findings.run.experiment.margin,
        "form": _form(findings),
        "aim": "target" if findings.run.team else "fair",
    }
    alt = f"{rules_said(findings)}: {unit.lower()}, with 95 % intervals"
    return figure(findings, ("rules", charts.dots), shown, alt, about, parts, "lineup", **how)


def _glance(findings: Findings, rows: pl.DataFrame) -> Table:
    """The best and the baseline: who wins with each lineup, and whether that is nearer beyond luck."""
    lineups = rows["lineup"].unique(maintain_order=True).to_list()
    best = pl.col("rank") <= MOST_AT_A_GLANCE - (findings.rule_sets.height > MOST_AT_A_GLANCE)
    few = rows.filter(best | pl.col("baseline"))
    made = few.group_by("setting", maintain_order=True).agg(
        pl.col("baseline").any(), pl.col("value").min().alias("least"), pl.col("value").max().alias("most")
    )
    base = made.filter("baseline")["setting"][0]
    words = {one: _word(standing(findings, one, base), len(lineups)) for one in made["setting"]} | {base: "–"}
    made = made.with_columns(word=pl.col("setting").replace_strict(words, return_dtype=pl.String))
    who = (
        "farthest player off, percentage points"
        if by_distance(findings)
        else f"{side_of(findings.run).name} wins"
    )
    names = "setting least word" if len(lineups) == 1 else "setting least most word"
    heads = {"word": Show("nearer than the " + labels_of(findings).base)}
    form = _form(findings)
    heads |= {"least": Show(f"{who}{', least' * (len(lineups) > 1)}", form), "most": Show("most", form)}
    return table(findings, made, names, rules_said(findings), **heads)


def _word(stand: Standing, lineups: int) -> str:
    """Whether a rule set is nearer than the baseline beyond luck.

    >>> _word(Standing(1, 0), 1), _word(Standing(0, 0), 2), _word(Standing(1, 1), 2)
    ('beyond luck', 'not beyond luck', 'beyond luck with 1 of 2, farther with 1')
    >>> _word(Standing(0, 2), 3), _word(Standing(0, 3), 3)
    ('farther with 2 of 3', 'farther with all')
    """
    if lineups == 1:
        return "beyond luck" if stand.nearer else "farther" if stand.farther else "not beyond luck"
    said = [f"beyond luck with {stand.nearer} of {lineups}"] * (stand.nearer > 0)
    of = "" if stand.nearer else f" of {lineups}"
    many = "all" if stand.farther == lineups else f"{stand.farther}{of}"
    said += [f"farther with {many}"] * (stand.farther > 0)
    return ", ".join(said) or "not beyond luck"
