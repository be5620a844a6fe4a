"""The fair value with its interval, the fitted curve, the check of the best whole numbers on fresh deals."""

import polars as pl

from simkit.pages import Figure, Findings, Section, Show, Takeaway, charts, figure, labels_of, query, table
from simkit.report import Table
from simkit.words.answer import side_of
from simkit.words.fairness import all_seats, best_table, fair_answer, interval_words, title

ENDS = ["low", "high"]
WORDS = {
    "Fair value": "where the fitted curve meets the fair share; it may lie between whole numbers.",
    "Fresh deals": "deals that were not used to pick the value. What was picked as the best of many looks "
    "better than it is; on fresh deals it cannot.",
}


def section(found: Findings) -> Section | None:
    if not found.fair_values.width:
        return None
    told, names = fair_answer(found), found.fair_values["option"].unique(maintain_order=True).to_list()
    figures = [_picture(found, name, f"fair{place}") for place, name in enumerate(names)]
    source = query(found, "fair_values", "fair_checks")
    takeaways = [Takeaway(told.sentence, source)]
    shown = [_table(found)]
    return Section(title(found), told.details, figures, shown, [], takeaways, told.warnings, WORDS)


def _table(found: Findings) -> Table:
    best, side = found.kept(best_table), side_of(found.run).name
    several = " option" if best["option"].n_unique() > 1 else ""
    sure = pl.struct(ENDS).map_elements(lambda row: interval_words(**row), return_dtype=pl.String)
    rows = best.with_columns(pl.when(pl.col("value").is_not_null()).then(sure).alias("interval"))
    share = "farthest farthest_share" if all_seats(found) else "share"
    names = f"lineup{several} value interval best {share} verdict deals"
    heads = {
        "value": Show("fair value", "{:.1f}", "where the fitted curve meets the fair share; empty: nowhere"),
        "best": Show("best whole number", "{}"),
        "share": Show(f"{side} there", "{:.1%}", "on fresh deals"),
        "deals": Show("fresh deals", "{:,}"),
    }
    return table(found, rows, names, "The fair value, and the best whole number on fresh deals", **heads)


def _picture(found: Findings, option: str, name: str) -> Figure:
    """The fitted shares along an option: of three and more seats a line for each, else one per lineup."""
    labels, curve, values = labels_of(found), found.fair_curve.filter(option=option), found.fair_values
    every = all_seats(found)
    last = values["lineup"][-1]
    shown = curve.filter(lineup=last) if every else curve.filter(seat=0)
    usual = values.filter(option=option)["usual"][0]
    whole = pl.col("x") == pl.col("x").round()
    rows = shown.with_columns(
        fair=pl.lit(found.run.search["fair"]),
        baseline=whole & (pl.col("x") == usual),
        tick=pl.when(whole).then(pl.col("x").cast(pl.Int64).cast(pl.String)).otherwise(pl.lit("")),
        **{end: pl.coalesce(end, "share") for end in ENDS},
    )
    side, label = side_of(found.run), labels.option(option)
    who = "each seat" if every else f"the {side.name}"
    meaning = labels.meaning(option)
    how = {"label": f"{label}\n({meaning})" if meaning else label, "margin": found.run.experiment.margin}
    unit = f"Share of {who}"
    alt = f"{unit} along {label}: {title(found)}"
    chart, line = (name, charts.curve), "seat" if every else "lineup"
    how |= {"unit": unit, "aim": "target" if found.run.team else "fair"}
    return figure(found, chart, rows, alt, "", {"line": line, "x": "x", "tick": "tick"}, line, **how)
