"""The brief about best choices: the first player's wins under them, and a picture of all pairings."""

from math import ceil

import polars as pl

from simkit.analysis.table import TWINS
from simkit.reporting.document import Figure, Show, Step, Table
from simkit.reporting.pages import Findings, Section, axes, charts, figure, labels_of, table, takeaways_of
from simkit.reporting.pages.recipe_choice import MIN_VALUES
from simkit.reporting.pages.scope import at_setting, where
from simkit.reporting.text.commands import command_again, fair_command, game_words
from simkit.reporting.text.equilibrium import equilibrium_answer
from simkit.reporting.text.numbers import about
from simkit.reporting.text.phrases import prose
from simkit.reporting.text.stamps import equilibrium_stamp, games_by_interval
from simkit.runs.folder import Run

UNIT = "First player wins if both choose best"
OF_PAIRING = prose("""Each interval is that of one pairing and holds at every look, so it is wider than
    that of the answer, which is computed once.""")
EQUILIBRIUM_WORDS = {
    "Best mix": "how often each strategy is to be chosen so that the other side, knowing these chances, can "
    "do least against it (a maximin strategy; both best mixes together are a Nash equilibrium).",
    "Value": "what the first player wins where both choose by their best mixes.",
}


def equilibrium(findings: Findings) -> Section:
    """Return the brief."""
    summary, rows = equilibrium_answer(findings), findings.equilibrium.rows(named=True)
    stamp = equilibrium_stamp(rows, findings.run.experiment.margin)
    return Section(
        takeaways=takeaways_of(findings, summary, "equilibrium", "equilibrium_mixes"),
        stamp=stamp,
        picture=value_along(findings) or pairings(findings),
        glance=_values_table(findings),
        step=_equilibrium_step(findings, settled=stamp.kind != "open"),
        warnings=summary.warnings,
        words=EQUILIBRIUM_WORDS,
    )


def pairings(findings: Findings) -> Figure:
    """Return the first player's share in every pairing; the strategies chosen most come first."""
    tables = findings.equilibrium_matrix, findings.equilibrium_mixes
    rows, mixes = (at_setting(findings, table) for table in tables)
    orders = {side: mixes.filter(seat=seat)["strategy"] for seat, side in enumerate(("row", "column"))}
    places = [pl.col(side).replace_strict(order, range(len(order))) for side, order in orders.items()]
    options = {"across": "second player", "down": "first player", "middle": "half"}
    options["title"] = "Share of the first player, %"
    alt, parts = "How often the first player wins in every pairing", {"row": "row", "column": "column"}
    chart = ("pairings", charts.heat)
    caption = where(findings, OF_PAIRING if findings.always else "")
    return figure(findings, chart, rows.sort(places), alt, caption, parts, **options)


def value_along(findings: Findings) -> Figure | None:
    """Return the value along the varied option, if it is a single whole number with enough values."""
    swept = [axis for axis in axes(findings.run) if len(axis.options) == 1 and axis.whole_numbers]
    if len(axes(findings.run)) != 1 or not swept or len(swept[0].values) < MIN_VALUES:
        return None
    parts = {"x": swept[0].options[0], "line": pl.lit(""), "style": pl.lit(0)}
    label, margin = labels_of(findings).axis(swept[0]), findings.run.experiment.margin
    alt = f"How often the first player wins if both choose best, by {label}, with 95 % interval"
    chart, rows = ("values", charts.curve), findings.equilibrium
    return figure(findings, chart, rows, alt, "", parts, label=label, unit=UNIT, margin=margin)


def _values_table(findings: Findings) -> Table:
    """Return the value of each setting with its interval."""
    heads = {"share": Show("first player wins", "{:.1%}", "if both choose best: the value")}
    heads |= {"mattered": Show("players that matter", "{}"), "strategies": Show("of", "{}")}
    names = f"{'setting' if findings.equilibrium.height > 1 else ''} share low high mattered strategies deals"
    return table(findings, findings.equilibrium, names, "The value", **heads)


def _equilibrium_step(findings: Findings, settled: bool) -> Step:
    """Return the next step: more deals where the value is open, else a fair value."""
    run, mixes = findings.run, at_setting(findings, findings.equilibrium_mixes)
    row = at_setting(findings, findings.equilibrium).row(0, named=True)
    best, *_ = mixes.filter(seat=0)["strategy"][0].split(TWINS)
    command = fair_command(run, [[best, best]]) or _search_command(run, best)
    if settled and command:
        name = labels_of(findings).strategy(best)
        return Step(f"Find the value that is fair if both choose {name}.", command)
    deals = about(ceil(games_by_interval(row, run.experiment.margin)))
    words = [f"{run.place}/experiment.toml", "--deals", str(deals), "-o", f"{run.place}-longer"]
    text = f"To settle whether the game is fair, play on to about {deals:,} deals of each pairing."
    return Step(text, command_again(run, "run", *words))


def _search_command(run: Run, best: str) -> str | None:
    """Return the command that searches for the fair value of the first number that favours a seat."""
    for name, option in run.words.options.items():
        free = name not in run.experiment.options and option.treats
        if free and option.kind == "integer" and len(option.tries) > 1:
            vary = ["--vary", f"{name}={min(option.tries)}:{max(option.tries)}"]
            words = [*vary, *game_words(run, []), "--lineup", f"{best},{best}"]
            return command_again(run, "fair", run.experiment.game, *words)
    return None
