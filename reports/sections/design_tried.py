"""Every setting tried, the nearest to the wishes first, and the pictures of further wishes."""

import math

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, labels_of, prose, table, with_extremes
from simkit.reporting.pages.designs import pictures
from simkit.reporting.text.designs import goals_of, wish_words

TEXT = prose("""{how} A setting was looked at on few deals first, and dropped where even the best ends of its
    intervals were farther from the wishes than the best so far; all settings met the same deals. The numbers
    are those of the lineup that is farthest off. What was picked here looks better than it is: only the
    check on fresh deals counts.""")
PROPOSED = "Settings were proposed by Bayesian optimisation (a tree-structured Parzen estimator, Optuna)."
EXHAUSTIVE = "All settings were tried."


def section(findings: Findings) -> Section | None:
    """Return all settings tried, or None for a run that is no design search."""
    tried_settings = findings.tried_settings
    if not tried_settings.width:
        return None
    search, labels = findings.run.designed, labels_of(findings)
    wishes = list(dict.fromkeys(goal.wish for goal in goals_of(findings.run)))
    values = {f"v{i}": [row[i] for row in tried_settings["values"].to_list()] for i in range(len(wishes))}
    frame = pl.DataFrame(
        {
            "setting": [labels.short(trial.setting) for trial in search.trials],
            **{name: [trial.setting[name] for trial in search.trials] for name in labels.columns},
            "baseline": [trial.setting == search.printed for trial in search.trials],
            "loss": tried_settings["loss"],
            **values,
            "deals": tried_settings["deals"],
            "front": ["yes" if on_front else "" for on_front in tried_settings["front"]],
        }
    ).sort("loss", maintain_order=True)
    heads = {"loss": Show("distance", "{:.2f}", "from all wishes, in tolerances")}
    heads |= {f"v{i}": Show(wish_words(wish).strip("“”"), "{:.3f}") for i, wish in enumerate(wishes)}
    heads |= {"front": Show("on the front", "{}", "none tried is nearer in all wishes")}
    names = ["setting", "loss", *values, "deals", "front"]
    listed = table(findings, frame, names, "Settings tried, the nearest first", **heads)
    listed = with_extremes(listed, frame, -pl.col("loss"), "the nearest to the wishes")
    ranges = search.vary
    space = math.prod(len(levels) for levels in ranges.values())
    within = sum(
        all(trial.setting[name] in levels for name, levels in ranges.items()) for trial in search.trials
    )
    dropped = int(tried_settings["dropped"].sum())
    heading = f"{within:,} of {space:,} settings were tried, {dropped} dropped early"
    if within < tried_settings.height:
        heading += ", and the printed rules besides"
    text = TEXT.format(how=EXHAUSTIVE if within + search.refused >= space else PROPOSED)
    return Section(heading, [text], pictures(findings)[1:], [listed])
