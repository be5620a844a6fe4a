"""Every setting tried, the nearest to the wishes first, and a picture of two further wishes."""

import math
from itertools import islice

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, Show, labels_of, table, with_extremes
from simkit.reporting.pages.designs import pictures
from simkit.reporting.text.designs import goals_of, wish_words, wishes_of

TEXT = (
    "{how} Those clearly worse than the best so far were dropped on few deals; the check is on fresh deals."
)
PROPOSED = "Settings were proposed by Bayesian optimisation (a tree-structured Parzen estimator, Optuna)."
EXHAUSTIVE = "All settings were tried."


def section(findings: Findings) -> Section | None:
    """Return all settings tried, or None for a run that is no design search."""
    tried_settings = findings.tried_settings
    if not tried_settings.width:
        return None
    search, labels = findings.run.designed, labels_of(findings)
    wishes = wishes_of(goals_of(findings.run))
    values = {f"v{i}": [row[i] for row in tried_settings["values"].to_list()] for i in range(len(wishes))}
    frame = pl.DataFrame(
        {
            "setting": [labels.short(trial.setting) for trial in search.trials],
            **{name: [trial.setting[name] for trial in search.trials] for name in labels.columns},
            "baseline": [trial.setting == search.printed for trial in search.trials],
            "loss": tried_settings["loss"],
            **values,
            "deals": tried_settings["deals"],
        }
    ).sort("loss", maintain_order=True)
    heads = {"loss": Show("distance", "{:.2f}", "from all wishes, in tolerances")}
    heads |= {f"v{i}": Show(wish_words(wish).strip("“”"), "{:.3f}") for i, wish in enumerate(wishes)}
    listed = table(
        findings, frame, ["setting", "loss", *values, "deals"], "Settings tried, the nearest first", **heads
    )
    listed = with_extremes(listed, frame, -pl.col("loss"), "the nearest to the wishes")
    dropped = int(tried_settings["dropped"].sum())
    heading = f"{counted(len(search.trials), 'setting')} were tried, {dropped} dropped early"
    heading += f", {search.refused} refused by the game" if search.refused else ""
    all_tried = len(search.trials) + search.refused >= math.prod(map(len, search.vary.values()))
    how = EXHAUSTIVE if all_tried else PROPOSED
    return Section(heading, [TEXT.format(how=how)], [*islice(pictures(findings), 1, 2)], [listed])
