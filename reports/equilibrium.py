"""The equilibrium page: what the first player wins if both sides choose their strategies best.

The brief has the value of each setting, with a figure along the option or of all pairings; the chapters have
the best mixes and every pairing. Sentences about the value are those of `sections/best_choices.py`.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any

import polars as pl

from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Figure, Report, Section, Stamp, Step
from simkit.page.document.tables import Show, Table
from simkit.page.pictures import at_setting, figure, takeaways_of, where
from simkit.page.recipe import MIN_VALUES, Recipe
from simkit.page.terminal import TextOrTable, study_document
from simkit.page.words.commands import command_again, game_words, ladder_command
from simkit.page.words.labels import Labels, labels_of
from simkit.page.words.numbers import TableRow, about, percent, prose, quoted, seat_name, whole
from simkit.page.words.verdicts import fairness_stamp, games_by_interval, not_known, value_stamp
from simkit.questions.equilibrium import MIN_DEALS, equilibrium_matrix, equilibrium_mixes, equilibrium_table
from simkit.runs.folder import Run
from simkit.stats.verdicts import BORDERLINE, FAIR, INNER, NOT_SETTLED, OUTER, UNFAIR
from simkit.tables.findings import TWINS, Findings, axes, cells, setting_words
from simkit.tables.reading import ALWAYS

from .sections.best_choices import equilibrium_answer
from .sections.players import mirrors, who

# Figures, tables and the next step

OF_PAIRING = prose("""Each interval is that of one pairing and holds at every look, so it is wider than
    that of the answer, which is computed once.""")


def pairings(findings: Findings) -> Figure:
    """Return the first player's share in every pairing; the strategies chosen most come first."""
    tables = equilibrium_matrix(findings), equilibrium_mixes(findings)
    rows, mixes = (at_setting(findings, table) for table in tables)
    orders = {side: mixes.filter(seat=seat)["strategy"] for seat, side in enumerate(("row", "column"))}
    places = [pl.col(side).replace_strict(order, range(len(order))) for side, order in orders.items()]
    options = {"across": "second player", "down": "first player", "middle": "half"}
    options["title"] = "Share of the first player, %"
    alt, parts = "How often the first player wins in every pairing", {"row": "row", "column": "column"}
    chart = ("pairings", charts.heat)
    caption = where(findings, OF_PAIRING if findings.always else "")
    return figure(findings, chart, rows.sort(places), alt, caption, parts, **options)


UNIT = "First player wins if both choose best"


def value_along(findings: Findings) -> Figure | None:
    """Return the value along the varied option, if it is a single whole number with enough values."""
    swept = [axis for axis in axes(findings.run) if len(axis.options) == 1 and axis.whole_numbers]
    if len(axes(findings.run)) != 1 or not swept or len(swept[0].values) < MIN_VALUES:
        return None
    parts = {"x": swept[0].options[0], "line": pl.lit(""), "style": pl.lit(0)}
    label, margin = labels_of(findings).axis(swept[0]), findings.run.experiment.margin
    alt = f"How often the first player wins if both choose best, by {label}, with 95 % interval"
    chart, rows = ("values", charts.curve), equilibrium_table(findings)
    return figure(findings, chart, rows, alt, "", parts, label=label, unit=UNIT, margin=margin)


def _values_table(findings: Findings) -> Table:
    """Return the value of each setting with its interval."""
    heads = {"share": Show("first player wins", "{:.1%}", "if both choose best: the value")}
    heads |= {"mattered": Show("players that matter", "{}"), "strategies": Show("of", "{}")}
    values = equilibrium_table(findings)
    setting = "setting" if values.height > 1 else ""
    names = f"{setting} share low high mattered strategies deals"
    return table(findings, values, names, "The value", **heads)


def nearest_row(rows: Sequence[TableRow]) -> TableRow:
    """Return the row of the setting nearest to fair, which the stamp is about."""
    return min(rows, key=lambda row: abs(row["share"] - row["fair"]))


def deals_to_settle(rows: Sequence[TableRow], margin: float) -> int:
    """Return about how many deals of each pairing settle whether the setting nearest to fair is fair."""
    return about(ceil(games_by_interval(nearest_row(rows), margin)))


def _equilibrium_step(findings: Findings, stamp: Stamp) -> Step:
    """Return more deals where the value is open, better players where it is fair, else a search."""
    run, rows = findings.run, equilibrium_table(findings).rows(named=True)
    if stamp.kind == "open":
        deals = deals_to_settle(rows, run.experiment.margin)
        words = [f"{run.place}/experiment.toml", "--deals", str(deals), "-o", f"{run.place}-longer"]
        text = f"To settle whether the game is fair, play on to about {deals:,} deals of each pairing."
        return Step(text, command_again(run, "run", *words))
    setting = nearest_row(rows)["setting"]
    varied = next(cell.varied for cell in run.cells if setting_words(cell.varied) == setting)
    if stamp.kind == "keep":
        return Step("See whether better players agree.", ladder_command(run, [varied]))
    mixes = equilibrium_mixes(findings).filter(setting=setting, seat=0)
    best, *_ = mixes["strategy"][0].split(TWINS)
    if command := _search_command(run, best, varied):
        name = labels_of(findings).strategy(best)
        return Step(f"Find the value that is fair if both choose {quoted(name)}.", command)
    options = command_again(run, "rules", run.experiment.game)
    return Step("See which other options there are.", options)


def _search_command(run: Run, best: str, varied: Mapping[str, Any]) -> str | None:
    """Return the search, at a setting, for the fair value of the first other number that favours a seat."""
    for name, option in run.words.options.items():
        free = name not in {*run.experiment.options, *varied} and option.seats
        if free and option.kind == "integer" and len(option.tries) > 1:
            vary = ["--vary", f"{name}={min(option.tries)}:{max(option.tries)}"]
            words = [*vary, *game_words(run, [[best, best]], varied)]
            return command_again(run, "fair", run.experiment.game, *words)
    return None


def equilibrium_stamp(rows: Sequence[TableRow], margin: float) -> Stamp:
    """Return whether the first player's share is fair if both sides choose best."""
    row = nearest_row(rows)
    low, high = row["low"] - row["fair"], row["high"] - row["fair"]
    nearest, farthest, verdict = max(low, -high), max(high, -low), NOT_SETTLED
    if nearest > INNER * margin and farthest < OUTER * margin:
        verdict = BORDERLINE
    if nearest > margin or farthest < margin:
        verdict = UNFAIR if nearest > margin else FAIR
    if verdict == NOT_SETTLED:
        return not_known(games_by_interval(row, margin) - row["deals"], each=True)
    cases = [{"verdict": verdict, "near": farthest < OUTER * margin}]
    return fairness_stamp(cases) if len(rows) == 1 else value_stamp(row["setting"], cases)


# Sections

EQUILIBRIUM_WORDS = {
    "Best mix": "how often each strategy is to be chosen so that the other side, knowing these chances, can "
    "do least against it (a maximin strategy; both best mixes together are a Nash equilibrium).",
    "Value": "what the first player wins where both choose by their best mixes.",
}


def equilibrium(findings: Findings) -> Section:
    """Return the brief."""
    summary, rows = equilibrium_answer(findings), equilibrium_table(findings).rows(named=True)
    stamp = equilibrium_stamp(rows, findings.run.experiment.margin)
    return Section(
        takeaways=takeaways_of(findings, summary, "equilibrium", "equilibrium_mixes"),
        stamp=stamp,
        picture=value_along(findings) or pairings(findings),
        glance=_values_table(findings),
        step=_equilibrium_step(findings, stamp),
        warnings=summary.warnings,
        words=EQUILIBRIUM_WORDS,
    )


MIXES_TEXT = prose("""A strategy outside a mix may be nearly as good as one in it: the columns say what it
    wins against the best mix of the other side, and in how many resampled halves of the deals it was
    chosen.""")
AGAINST_MIX = "its own share against the best mix of the other side; empty: stopped early, surely worse"
MIX_HEADS = {
    "weight": Show("in the best mix", "{:.0%}", "part of the games in which it is chosen"),
    "often": Show("chosen", "{:.0%}", "part of resampled halves of the deals in whose best mix it is"),
    "against": Show("wins against the other's mix", "{:.1%}", AGAINST_MIX),
}


def best_mixes(findings: Findings) -> Section:
    """Return the mixes of all settings."""
    mixes = equilibrium_mixes(findings)
    setting = "setting" if mixes["setting"].n_unique() > 1 else ""
    names = f"{setting} seat strategy weight often against"
    listed = table(findings, mixes, names, "The best mixes", seat="chosen by the", **MIX_HEADS)
    return Section("Who is chosen how often", [MIXES_TEXT], tables=[listed])


PAIRINGS_TEXT = prose("""Games that nobody won count half for either side. Pairings that cannot matter were
    played less often.""")


def every_pairing(findings: Findings) -> Section:
    """Return all pairings."""
    rows = equilibrium_matrix(findings)
    names = f"{'setting' if rows['setting'].n_unique() > 1 else ''} row column share low high games"
    heads = {"row": "first player", "column": "second player", "share": "first player wins"}
    listed = table(findings, rows.sort("setting", maintain_order=True), names, "Every pairing", **heads)
    # Without values along an option the brief shows the pairings.
    pictures = [pairings(findings)] if value_along(findings) else []
    return Section("All pairings", [PAIRINGS_TEXT], pictures, [listed])


# The terminal, the JSON document and the page


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[TextOrTable]:
    """Yield the best mixes of both sides."""
    mattered = equilibrium_mixes(findings).filter(pl.col("against").is_not_null())
    indices = dict(cells(findings).select("setting", "cell").iter_rows())
    rows = mattered.rows(named=True)
    yield ""
    yield [_mix_row(labels_of(findings), row, indices[row["setting"]]) for row in rows]


def _mix_row(labels: Labels, row: TableRow, cell: int) -> TableRow:
    front = {"chosen by": seat_name(row["seat"]), "strategy": labels.strategy(row["strategy"])}
    shares = {"in the best mix": f"{whole(row['weight'])} %"}
    shares |= {"chosen in halves": f"{whole(row['often'])} %"}
    return labels.in_columns(cell) | front | shares | {"wins against the mix": percent(row["against"])}


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    return study_document(findings, brief) | {
        "seed": findings.run.experiment.seed,
        "values": equilibrium_table(findings).drop(ALWAYS, strict=False).rows(named=True),
        "mixes": equilibrium_mixes(findings).rows(named=True),
        "pairings": equilibrium_matrix(findings).drop(ALWAYS, strict=False).rows(named=True),
    }


recipe = Recipe(
    "best choices report",
    brief=[equilibrium],
    chapters={
        "Who is chosen": [best_mixes],
        "Every pairing": [every_pairing],
        "What the seats are worth": [mirrors],
        "Players": [who],
    },
    needs=f"a run of simkit equilibrium, with {MIN_DEALS} deals or more of each pairing",
    fits=lambda findings: equilibrium_table(findings).width > 0,
    terminal=terminal,
    document=document,
)
