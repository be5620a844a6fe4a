"""Every setting that was tried, the nearest to the wishes first, and the pictures for further wishes."""

import math

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, labels_of, prose, table, with_extremes
from simkit.reporting.pages.designs import pictures
from simkit.reporting.text.designs import goals_of, wish_words

TEXT = prose("""{how} A setting was looked at on few deals first, and dropped where even the best ends of its
    intervals were farther from the wishes than the best so far; all settings met the same deals. The numbers
    are those of the lineup that is farthest off. What was picked here looks better than it is: only the
    check on fresh deals counts.""")
SOME = "Settings were proposed by Bayesian optimisation (a tree-structured Parzen estimator, Optuna)."
EVERY = "All settings were tried."


def section(findings: Findings) -> Section | None:
    tried = findings.tried_settings
    if not tried.width:
        return None
    known, labels = findings.run.designed, labels_of(findings)
    wishes = list(dict.fromkeys(goal.wish for goal in goals_of(findings.run)))
    values = {f"v{i}": [row[i] for row in tried["values"].to_list()] for i in range(len(wishes))}
    frame = pl.DataFrame(
        {
            "setting": [labels.short(one["setting"]) for one in known["tried"]],
            **{name: [one["setting"][name] for one in known["tried"]] for name in labels.columns},
            "baseline": [one["setting"] == known["printed"] for one in known["tried"]],
            "loss": tried["loss"],
            **values,
            "deals": tried["deals"],
            "front": ["yes" if one else "" for one in tried["front"]],
        }
    ).sort("loss", maintain_order=True)
    heads = {"loss": Show("distance", "{:.2f}", "from all wishes, in tolerances")}
    heads |= {f"v{i}": Show(wish_words(wish).strip("“”"), "{:.3f}") for i, wish in enumerate(wishes)}
    heads |= {"front": Show("on the front", "{}", "none tried is nearer in all wishes")}
    names = ["setting", "loss", *values, "deals", "front"]
    listed = table(findings, frame, names, "Settings tried, the nearest first", **heads)
    listed = with_extremes(listed, frame, -pl.col("loss"), "the nearest to the wishes")
    vary = known["vary"]
    space = math.prod(len(some) for some in vary.values())
    within = sum(all(one["setting"][name] in some for name, some in vary.items()) for one in known["tried"])
    heading = f"{within:,} of {space:,} settings were tried, {int(tried['dropped'].sum())} dropped early"
    if within < tried.height:
        heading += ", and the printed rules besides"
    text = TEXT.format(how=EVERY if within + known["refused"] >= space else SOME)
    return Section(heading, [text], pictures(findings)[1:], [listed])
