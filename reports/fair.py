"""The fair-value page: at which value of an option the seats are equal.

The brief has the fair value with its interval, the measured curve and the best whole numbers on fresh deals;
the chapters have the check with every lineup or seat, and all that was measured before.
"""

from collections.abc import Iterator

import polars as pl
import polars.selectors as cs

from simkit.page import charts
from simkit.page.columns import points, table
from simkit.page.document.parts import Figure, Report, Section, Stamp, Step
from simkit.page.document.tables import Show, Table
from simkit.page.pictures import figure, margin, takeaways_of
from simkit.page.recipe import Recipe
from simkit.page.terminal import SEAT_KEYS, TextOrTable, study_document
from simkit.page.words.commands import (
    command_again,
    game_words,
    ladder_command,
    lineups,
    more_command,
    setting_texts,
)
from simkit.page.words.confidence import failures, sureness
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import (
    Summary,
    TableRow,
    about,
    capital,
    fair_of_100,
    games_of_100,
    interval_words,
    join_names,
    number,
    percent,
    prose,
    seat_name,
    span,
    whole,
)
from simkit.page.words.verdicts import beyond_two, more_games, seat_or_side, side_of, value_stamp
from simkit.questions.fair.result import (
    BETWEEN,
    Best,
    FairResults,
    best_of_all,
    best_table,
    fair_curve,
    fair_points,
    fair_values,
    of_each_seat,
    own_bests,
    verdicts_phrase,
)
from simkit.runs.folder import Run
from simkit.stats.verdicts import NOT_SETTLED
from simkit.tables.findings import Findings
from simkit.tables.seats import first_player_advantage, less_bias, seat_shares

from .sections.luck import luck
from .sections.players import who

# Sentences: the value, the check on fresh deals, and the doubts

AGREE = "See whether better players agree."  # next step where one value is best


def fair_answer(findings: Findings) -> Summary:
    """Return whether there is a fair value, how certain it is, and the results on fresh deals."""
    best, own = best_of_all(findings), own_bests(findings)
    checks = [row for best_own in own.values() for row in best_own.rows] or best.rows
    rows = labels_of(findings).label(pl.DataFrame(checks, infer_schema_length=None)).rows(named=True)
    headline = _depends(findings, own) if own else _fair_headline(findings, best)
    sure = [*sureness(findings, rows), BETWEEN]
    warnings = [*failures(findings), *_doubts(findings)]
    if len(lineups(findings.run)) == 1:
        lineup = labels_of(findings).lineup(findings.run.cells[0].labels)
        right = "on target" if findings.run.team else "fair"
        size = f" with {seats} players" if (seats := findings.run.cells[0].seats) > 2 else ""
        others = "Others, and other numbers of players," if size or findings.run.role else "Others"
        warnings.append(
            f"All of this is of one lineup{size}: {lineup}. {others} may find another value {right}."
        )
    return Summary(headline, _fair_advice(findings, best, bool(own)), sure, warnings)


def _fair_headline(findings: Findings, best: Best) -> str:
    """Return what is fair, or what is nearest where nothing is or where that is not settled."""
    right, wins = "on target" if findings.run.team else "fair", _wins_at_best(findings, best)
    if best.bad:
        return f"{capital(_nothing(best))} is {right}: nearest is {best.setting}, where {wins}."
    about, (row, *others) = best.setting, best.values
    size = f" with {findings.run.cells[0].seats} players" if findings.run.role else ""
    if row["value"] is not None and not others:
        value = number(row["value"]).removesuffix(".0")
        about = f"about {value} ({interval_words(row['low'], row['high'])})"
    if best.is_fair:
        return f"{capital(about)} is {right}{size}: {best.there} {wins}."
    checked = f"on fresh deals {best.there} {wins}: {verdicts_phrase(findings, best)}"
    return f"Nearest to {side_of(findings.run).aim} is {about}; {checked}."


def _nothing(best: Best) -> str:
    """Return the noun phrase for "no value is fair"."""
    row = best.values[0]
    several = len(best.values) > 1
    return "nothing in these ranges" if several else f"no whole number from {row['least']} to {row['most']}"


def _depends(findings: Findings, own: dict[str, Best]) -> str:
    """Return the headline for lineups of which some have a fair value but none is fair for all."""
    called, lineups = labels_of(findings).of_column("lineup") or str, dict[str, list[str]]()
    for name, best in own.items():
        where = best.setting if best.is_fair else _nothing(best) if best.bad else f"perhaps {best.setting}"
        lineups.setdefault(where, []).append(called(name))
    texts = join_names(f"{where} for {join_names(names)}" for where, names in lineups.items())
    return f"What is {'on target' if findings.run.team else 'fair'} depends on who plays: {texts}."


def _wins_at_best(findings: Findings, best: Best) -> str:
    """Return the games won of 100 at the best whole numbers on fresh deals, and how many would be fair."""
    shares = [row["share"] for row in best.rows]
    subject = f"the {side_of(findings.run).name}"
    if beyond_two(findings) and best.is_fair:
        cells = [row["cell"] for row in best.rows]
        shares = less_bias(seat_shares(findings).filter(pl.col("cell").is_in(cells)))["share"].to_list()
        subject = "every player"
    elif beyond_two(findings):
        row = max(best.rows, key=lambda check: abs(check["farthest_share"] - check["fair"]))
        subject, shares = f"the {seat_name(row['farthest'])}", [row["farthest_share"]]
    right = "is the target" if side_of(findings.run).has_target else "would be fair"
    fair = f"{fair_of_100(best.rows[0]['fair'])} {right}"
    if not beyond_two(findings):
        low, high = min(row["low"] for row in best.rows), max(row["high"] for row in best.rows)
        fair = f"{whole(low)} to {whole(high)}; {fair}"
    return f"{subject} wins {games_of_100(*shares)} ({fair})"


def _fair_advice(findings: Findings, best: Best, depends: bool) -> str:
    now, usual = ({row["option"]: row[key] for row in best.values} for key in ("best", "usual"))
    book = labels_of(findings).book
    rest = f"({book}: {join_names(map(labels_of(findings).value, usual, usual.values()))})"
    if depends:
        return f"Try what suits those that play like your players {rest}."
    if best.is_fair is False:
        if beyond_two(findings) and len(best.values) < findings.run.cells[0].seats - 1:
            return "Vary one option for each player but one."
        return "Try another option or a wider range."
    return f"That is as in the {book}." if now == usual else f"Try {labels_of(findings).setting(now)} {rest}."


def _doubts(findings: Findings) -> Iterator[str]:
    """Yield the lineups whose fair values differ beyond luck, and those whose curve fits badly."""
    called = labels_of(findings).of_column("lineup") or str
    search = findings.run.answer_of(FairResults)
    if differing := dict.fromkeys(name for pair in search.differing_lineups for name in pair):
        names = join_names(map(called, differing))
        yield f"Players disagree on the value ({names}). Trust the player closest to your audience."
    if search.unfit:
        names = join_names(map(called, search.unfit))
        yield f"Straight lines fit badly ({names}): trust the check more than the value and its interval."


# Figures, tables and the next step


def fair_figures(findings: Findings) -> list[Figure]:
    """Return a figure per option."""
    names = fair_values(findings)["option"].unique(maintain_order=True).to_list()
    return [_option_figure(findings, name, f"fair{place}") for place, name in enumerate(names)]


def _option_figure(findings: Findings, option: str, name: str) -> Figure:
    """Return the shares along an option: a line per seat for three and more, else one per lineup."""
    label, by_seat, side = labels_of(findings).option(option), beyond_two(findings), side_of(findings.run)
    value = fair_values(findings).filter(option=option).row(-1, named=True)
    curve = fair_curve(findings).filter(option=option).with_columns(measured=False)
    rows = pl.concat([curve, _points(findings)], how="diagonal")
    rows = rows.filter(lineup=value["lineup"]) if by_seat else rows.filter(seat=0)
    rows = rows.with_columns(fair=pl.lit(findings.run.answer_of(FairResults).fair))
    marks = [charts.Mark(labels_of(findings).book, value["usual"])]
    if value["value"] is not None:
        ends = (value["low"], value["least"]), (value["high"], value["most"])
        marks.append(charts.Mark("fair value", *(end if end is not None else limit for end, limit in ends)))
    who, line = ("each player", "seat") if by_seat else (f"the {side.name}", "lineup")
    options = {"label": label, "margin": findings.run.experiment.margin, "marks": marks}
    options |= {"unit": f"{capital(who)} wins", "aim": "target" if side.has_target else "fair"}
    alt = f"How often {who} wins by {label}, with intervals"
    return figure(findings, (name, charts.curve), rows, alt, "", {"line": line, "x": "x"}, line, **options)


def _points(findings: Findings) -> pl.DataFrame:
    """Return the measured shares of each look along the only option; empty for several options."""
    option, *others = findings.run.answer_of(FairResults).vary
    columns = {"x": pl.col(option).cast(pl.Float64), "measured": pl.lit(True)}
    rows = fair_points(findings).filter(pl.lit(not others))
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


CHECK_RATIO = 2.5  # the check plays three times the deals of a round; the rest is a reserve


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
    """Return the comparison of the values found with the usual ones; where one lineup was asked, a ladder.

    So, too, where the values are the usual ones.
    """
    run, words = findings.run, list[str]()
    for values in {best.setting: best.values for best in bests}.values():
        setting = ",".join(setting_texts({row["option"]: row["best"] for row in values}))
        words += ["--to", setting] if any(row["best"] != row["usual"] for row in values) else []
    if not words or len(lineups(run)) == 1:
        settings = [{row["option"]: row[key] for row in bests[0].values} for key in ("usual", "best")]
        return _every_role(run, settings) if run.role else Step(AGREE, ladder_command(run, settings))
    command = command_again(run, "compare", run.experiment.game, *words, *game_words(run, lineups(run)))
    return Step("See what else changes.", command)


def _every_role(run: Run, settings: list[TableRow]) -> Step:
    """Return the sweep that shows what every role wins at the usual and at the best value."""
    vary = [f"{name}={','.join(dict.fromkeys(str(each[name]) for each in settings))}" for name in settings[0]]
    played = [word for labels in lineups(run) for word in ("--lineup", ",".join(labels))]
    moved = ["--rotate", "roles"] if run.experiment.rotate == "roles" else []
    words = [*vary, *game_words(run, []), *played, *moved]
    return Step("See what every role wins then.", command_again(run, "sweep", run.experiment.game, *words))


def fair_stamp(best: Best, more: float, lineup_count: int) -> Stamp:
    """Return whether to use a value; if one lineup was asked, the value is for this player only."""
    stamp = value_stamp(best.setting, best.rows, more)
    if stamp.kind == "keep" and lineup_count == 1:
        return Stamp(f"{stamp.text} for this computer player", "open")
    return stamp


# Sections

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
        stamp=fair_stamp(best, more, len(lineups(findings.run))),
        picture=fair_figures(findings)[0],
        glance=_fair_values_table(findings),
        step=_fair_value_step(findings, best),
        warnings=summary.warnings,
        words=FAIR_VALUE_WORDS,
    )


FAIR_CHECK_TEXT = prose("""The best whole numbers were played again on deals of their own until there was a
    verdict, at most {deals:,} deals. The intervals hold at every look; the verdicts are at a margin of
    {margin}.""")


def fair_check(findings: Findings) -> Section:
    """Return the shares of the check."""
    text = FAIR_CHECK_TEXT.format(deals=findings.run.experiment.deals, margin=margin(findings))
    rows, figures = first_player_advantage(findings), list[Figure]()
    names = f"{' '.join(findings.run.answer_of(FairResults).vary)} lineup share low high verdict deals"
    heads: dict[str, str | Show] = {"share": f"{side_of(findings.run).name} wins"}
    if beyond_two(findings):
        rows, names = of_each_seat(findings), "lineup seat share joint_low joint_high fair off n"
        less = "share less the fair share, in percentage points"
        heads = {"off": Show("above or below fair", points, less)}
        parts = {"label": "lineup", "kind": "seat", "low": "joint_low", "high": "joint_high"}
        alt = f"How often each player wins at {best_of_all(findings).setting}, with 95 % intervals"
        figures = [figure(findings, ("fair_seats", charts.forest), rows, alt, "", parts, style_by="seat")]
    return Section("The check", [text], figures, [table(findings, rows, names, "On fresh deals", **heads)])


FAIR_LOOKS_TEXT = prose("""First looks over the whole range are cheap; closer looks measure where the shares
    are near fair, each on deals of its own. The shares (with several options their log ratios) are joined by
    straight lines: where these meet the fair share is the fair value. Its 95 % interval goes from the first
    to the last place at which the fair share lies within the band of the lines.""")


def fair_looks(findings: Findings) -> Section:
    """Return all measurements."""
    rows = fair_points(findings)
    seat = "" if rows["seat"].n_unique() == 1 else " seat"
    names = f"look {' '.join(findings.run.answer_of(FairResults).vary)} lineup{seat} share low high deals"
    listed = table(findings, rows, names, "All that was measured before the check", look=Show("look", "{}"))
    return Section("What was measured", [FAIR_LOOKS_TEXT], fair_figures(findings)[1:], [listed])


# The terminal, the JSON document and the page


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[TextOrTable]:
    """Yield the results at the best whole numbers, and with three or more seats those of every seat."""
    yield ""
    yield rows_at_best(findings)
    if beyond_two(findings):
        yield ""
        yield [_seat(findings, row) for row in of_each_seat(findings).rows(named=True)]


def rows_at_best(findings: Findings) -> list[TableRow]:
    """Return the results at the best whole number of each option and lineup."""
    return [_row(findings, row) for row in findings.cached(best_table).rows(named=True)]


def _row(findings: Findings, row: TableRow) -> TableRow:
    labels, is_checked = labels_of(findings), row["share"] is not None
    lineup = labels.of_column("lineup") or str
    none = "none exactly" if row["whole"] == str(row["best"]) else "none"  # within the margin it may be fair
    value = none if row["value"] is None else f"{row['value']:.1f}"
    front = {"lineup": lineup(row["lineup"]), "option": labels.option(row["option"])}
    front |= {"fair value": value, "95 % interval": row["interval"], "fair whole number": row["whole"]}
    shares_there = {f"{side_of(findings.run).name} there": percent(row["share"]) if is_checked else ""}
    if beyond_two(findings):
        there = seat_shares(findings).filter(pl.col("cell").eq_missing(row["cell"]))
        shares_there = {"all players there": " / ".join(map(percent, there["share"]))}
    checked = {"fresh deals": row["deals"] if is_checked else "", "verdict": row["verdict"] or ""}
    return front | shares_there | checked


def _seat(findings: Findings, row: TableRow) -> TableRow:
    """Return the row of a seat on fresh deals; its interval holds jointly and at every interim analysis."""
    labels = labels_of(findings)
    setting = {labels.option(name): row[name] for name in findings.run.answer_of(FairResults).vary}
    lineup = (labels.of_column("lineup") or str)(row["lineup"])
    interval = span(row["joint_low"], row["joint_high"], scale=100)
    numbers = {"share": percent(row["share"]), "95 % interval": interval, "fair": percent(row["fair"])}
    return {"lineup": lineup, **setting, "player": seat_or_side(findings.run, row["seat"]), **numbers}


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    vary, values = findings.run.answer_of(FairResults).vary, fair_values(findings)
    columns = [*vary, "lineup", "share", "low", "high", "adjusted", "failed", "deals", "verdict"]
    best = values.filter(lineup=values["lineup"][-1]).select("option", "best")
    return study_document(findings, brief) | {
        "vary": vary,
        "margin": findings.run.experiment.margin,
        "fair_values": values.rows(named=True),
        "best": dict(best.iter_rows()),
        "best_is_fair": best_of_all(findings).is_fair,
        "checked": first_player_advantage(findings).select(_existing(columns)).rows(named=True),
        "seats": seat_shares(findings).select(_existing([*vary, "lineup", *SEAT_KEYS])).rows(named=True),
    }


def _existing(names: list[str]) -> cs.Selector:
    """Select the columns that a run has: `failed` exists only if it keeps going."""
    return cs.by_name(*names, require_all=False)


recipe = Recipe(
    "what would be fair",
    brief=[fair_value],
    chapters={"On fresh deals": [fair_check], "What was measured": [fair_looks], "Players": [who, luck]},
    needs="a search of simkit fair",
    fits=lambda findings: findings.run.kind == "fair",
    terminal=terminal,
    document=document,
)
