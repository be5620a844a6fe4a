"""The fair value with its interval, the measured curve and the best whole numbers on fresh deals."""

import polars as pl

from simkit.reporting.document import Figure, Step, Table
from simkit.reporting.pages import Findings, Section, Show, charts, figure, labels_of, table, takeaways_of
from simkit.reporting.text.commands import command_again, game_words, lineups, more_command, setting_texts
from simkit.reporting.text.fairness import Best, best_of_all, best_table, fair_answer, own_bests
from simkit.reporting.text.numbers import about
from simkit.reporting.text.perspective import beyond_two, side_of
from simkit.reporting.text.phrases import capital
from simkit.reporting.text.stamps import more_games, value_stamp
from simkit.reporting.text.verdict_counts import NOT_SETTLED

CHECK_RATIO = 2.5  # the check plays three times the deals of a round; the rest is a reserve
FAIR_VALUE_WORDS = {
    "Fair value": "where the shares, joined by straight lines, meet the fair share; it may lie between whole "
    "numbers."
}


def fair_value(findings: Findings) -> Section:
    """Return the brief."""
    summary, best = fair_answer(findings), best_of_all(findings)
    more = more_games(pl.DataFrame(best.rows, infer_schema_length=None))
    return Section(
        takeaways=takeaways_of(findings, summary, "fair_values", "fair_checks"),
        stamp=value_stamp(best.setting, best.rows, more),
        picture=fair_figures(findings)[0],
        glance=_fair_values_table(findings),
        step=_fair_value_step(findings, best),
        warnings=summary.warnings,
        words=FAIR_VALUE_WORDS,
    )


def fair_figures(findings: Findings) -> list[Figure]:
    """Return a figure per option."""
    names = findings.fair_values["option"].unique(maintain_order=True).to_list()
    return [_option_figure(findings, name, f"fair{place}") for place, name in enumerate(names)]


def _option_figure(findings: Findings, option: str, name: str) -> Figure:
    """Return the shares along an option: a line per seat for three and more, else one per lineup."""
    label, by_seat, side = labels_of(findings).option(option), beyond_two(findings), side_of(findings.run)
    value = findings.fair_values.filter(option=option).row(-1, named=True)
    curve = findings.fair_curve.filter(option=option).with_columns(measured=False)
    rows = pl.concat([curve, _points(findings)], how="diagonal")
    rows = rows.filter(lineup=value["lineup"]) if by_seat else rows.filter(seat=0)
    rows = rows.with_columns(fair=pl.lit(findings.run.search.fair))
    marks = [charts.Mark(labels_of(findings).book, value["usual"])]
    if value["value"] is not None:
        ends = (value["low"], value["least"]), (value["high"], value["most"])
        marks.append(charts.Mark("fair value", *(end if end is not None else limit for end, limit in ends)))
    who, line = ("each player", "seat") if by_seat else (f"the {side.name}", "lineup")
    options = {"label": label, "margin": findings.run.experiment.margin, "marks": marks}
    options |= {"unit": f"{capital(who)} wins", "aim": "target" if findings.run.team else "fair"}
    alt = f"How often {who} wins by {label}, with intervals"
    return figure(findings, (name, charts.curve), rows, alt, "", {"line": line, "x": "x"}, line, **options)


def _points(findings: Findings) -> pl.DataFrame:
    """Return the measured shares of each look along the only option; empty for several options."""
    option, *others = findings.run.search.vary
    columns = {"x": pl.col(option).cast(pl.Float64), "measured": pl.lit(True)}
    rows = findings.fair_points.filter(pl.lit(not others))
    return rows.select("lineup", "seat", "share", "low", "high", **columns)


def _fair_values_table(findings: Findings) -> Table:
    rows = findings.cached(best_table)
    meaning = "where the lines through the shares meet the fair share; empty: nowhere in the range exactly"
    heads = {"value": Show("fair value", "{:.1f}", meaning), "whole": Show("fair whole number", "{}")}
    heads["share"] = Show(f"{side_of(findings.run).name} wins", "{:.0%}", "at the best whole number")
    heads["verdict"] = Show("verdict", "{}", "on fresh deals")
    keys = " ".join(name for name in ("lineup", "option") if rows[name].n_unique() > 1)
    caption = "The fair value, and the best whole number on fresh deals"
    return table(findings, rows, f"{keys} value interval whole share verdict", caption, **heads)


def _fair_value_step(findings: Findings, best: Best) -> Step:
    """Return the next step: settle the value, see what else it changes, or look for another option."""
    own = [candidate for candidate in own_bests(findings).values() if candidate.is_fair]
    if not own and best.is_fair is False:
        command = command_again(findings.run, "rules", findings.run.experiment.game)
        return Step("See which other options there are.", command)
    needed = [row["needed"] or 2 * row["deals"] for row in best.rows if row["verdict"] == NOT_SETTLED]
    if needed and not own:
        deals = about(round(max(needed) / CHECK_RATIO))
        return Step("Settle it with more deals.", more_command(findings.run, "--deals", deals))
    return _compare(findings, own or [best])


def _compare(findings: Findings, bests: list[Best]) -> Step:
    """Return the comparison of the values found with the usual ones; where they are usual, better players."""
    run, words = findings.run, list[str]()
    for values in {best.setting: best.values for best in bests}.values():
        setting = ",".join(setting_texts({row["option"]: row["best"] for row in values}))
        words += ["--to", setting] if any(row["best"] != row["usual"] for row in values) else []
    if not words:
        command = command_again(run, "ladder", run.experiment.game, *game_words(run, []))
        return Step("See whether better players agree.", command)
    command = command_again(run, "compare", run.experiment.game, *words, *game_words(run, lineups(run)))
    return Step("See what else changes.", command)
