"""The design page: the rules that meet several wishes, checked on fresh deals.

The brief names the setting that meets all wishes, or the nearest one; the chapters compare it with the
printed rules.
"""

import math
from collections.abc import Sequence
from typing import Any

import polars as pl

from simkit.page import charts
from simkit.page.document.parts import Figure, Report, Section, Stamp, Step, Takeaway
from simkit.page.document.tables import Show
from simkit.page.document.tables import table as table_of
from simkit.page.pictures import figure, query
from simkit.page.recipe import Recipe
from simkit.page.terminal import study_document
from simkit.page.tiles import tiles
from simkit.page.words.commands import command_again, game_words, lineups, more_command, setting_texts
from simkit.page.words.labels import labels_of, measure_name
from simkit.page.words.numbers import (
    TableRow,
    about,
    capital,
    ends,
    join_names,
    number,
    percent,
    seat_name,
    span,
)
from simkit.page.words.verdicts import KEEP, not_known, side_of
from simkit.questions.design.result import (
    FAIRNESS,
    MET,
    MISSED,
    OPEN,
    Goal,
    RuleDesign,
    at_lineups,
    checked_settings,
    wish_words,
    wishes,
)
from simkit.tables.findings import Findings

from .sections.changes import changes
from .sections.players import who
from .sections.seats import seats

# Sentences: the settings checked, by which wishes they meet

WISH_VERDICTS = {MET: "met", MISSED: "not met", OPEN: "not settled"}
MAX_DEALS_FACTOR = 100.0  # greatest multiple of the deals played that a next step asks for


def label_settings(findings: Findings) -> list[TableRow]:
    """Return the settings checked on fresh deals in words, the nearest to the wishes first.

    name: of the setting; varied, columns: its options; verdicts: by wish, over all lineups and seats;
    measured: rows of `wishes` with what, amount and ends in words, and how many times the deals would settle
    an open one.
    """
    goals = findings.run.answer_of(RuleDesign).goals
    labels = labels_of(findings.whole or findings)
    called, side, settings = labels.of_column("lineup") or str, side_of(findings.run).name, list[TableRow]()
    all_varied = {cell.index: cell.varied for cell in labels.run.cells}
    printed = "the printed rules" if labels.book == "rulebook" else "the usual rules"
    for setting in checked_settings(findings).rows(named=True):
        measured = [
            row | measurement_words(goals[row["goal"]], row, side) | {"lineup": called(row["lineup"])}
            for row in wishes(findings).filter(setting=setting["setting_number"]).rows(named=True)
        ]
        kinds: dict[str, set[str]] = {goal.wish: set() for goal in goals}
        for row in measured:
            kinds[row["wish"]].add(row["verdict"])
        verdicts = {
            wish: MISSED if MISSED in own else MET if own == {MET} else OPEN for wish, own in kinds.items()
        }
        varied = all_varied[setting["cell"]]
        name = printed if setting["printed"] else labels_of(findings).short(varied)
        words = {"name": name, "varied": varied, "columns": labels.in_columns(setting["cell"])}
        settings.append(setting | words | {"verdicts": verdicts, "measured": measured})
    return settings


def measurement_words(goal: Goal, row: TableRow, side: str) -> TableRow:
    """Return the measure of a goal, its value, and its interval, signed if it is of a change."""
    share, digits = goal.unit == "share", 1 if goal.unit == "share" else 2
    interval = span(row["low"], row["high"], digits, goal.printed, 100 if share else 1)
    off = min(abs(row["mean"] - end) for end in goal.ends)
    half = (row["high"] - row["low"]) / 2
    amount = percent(row["value"]) if share else number(row["value"], 2)
    if goal.role:
        interval = span(row["low"], row["high"], digits, True, 100)
        amount = f"{number(100 * row['value'], sign=True)} points"
    return {
        "what": goal_words(goal, side),
        "amount": amount,
        "ends": f"{interval} %" if share and not goal.role else interval,
        "of_change": goal.printed,
        "times": min(MAX_DEALS_FACTOR, (half / off) ** 2) if off else MAX_DEALS_FACTOR,
    }


def goal_words(goal: Goal, side: str) -> str:
    """Return the subject of a wish: the first player wins, turns ..."""
    if goal.strategy and goal.seat is not None:
        return f"share of the {seat_name(goal.seat) if goal.seat else side} where all play {goal.strategy}"
    if goal.strategy:
        return f"share of {goal.strategy} against {goal.opponent}"
    if goal.role:
        return f"{goal.measure} {goal.role} above its fair share".replace("_", " ")
    if goal.wish == FAIRNESS:
        return f"the {side} wins" if not goal.seat else measure_name("share", goal.seat)
    return measure_name(goal.measure, None)


def best_setting(settings: Sequence[TableRow]) -> TableRow:
    """Return the setting that the answer names: it meets all wishes, or misses none, or is the nearest."""
    hopeful = [row for row in settings if MISSED not in row["verdicts"].values()]
    return (meeting(settings) or hopeful or list(settings))[0]


def meeting(settings: Sequence[TableRow]) -> list[TableRow]:
    """Return the settings that meet all wishes, the printed rules last."""
    return sorted(filter(meets, settings), key=lambda row: bool(row["printed"]))


def meets(setting: TableRow) -> bool:
    """Return whether a setting meets all wishes."""
    return set(setting["verdicts"].values()) == {MET}


def open_wishes(setting: TableRow) -> list[str]:
    """Return the wishes that are open at a setting; none where another one is missed, which decides."""
    verdicts = setting["verdicts"]
    return [] if MISSED in verdicts.values() else [wish for wish in verdicts if verdicts[wish] == OPEN]


def deals_to_settle(setting: TableRow, deals: int) -> int:
    """Return about how many fresh deals would settle the open wishes of a setting checked on `deals`."""
    times: float = max(row["times"] for row in setting["measured"] if row["verdict"] == OPEN)
    return round(deals * times)


def design_stamp(settings: Sequence[TableRow]) -> Stamp:
    """Return which setting to use, if one meets all wishes."""
    best = best_setting(settings)
    if meets(best):
        return KEEP if best["printed"] else Stamp(f"Use {best['name']}", "keep")
    return not_known() if open_wishes(best) else Stamp("No rules meet every wish", "change")


def design_headline(settings: Sequence[TableRow]) -> str:
    """Return the settings that meet all wishes on fresh deals, or one that misses none, or the nearest."""
    best = best_setting(settings)
    if meets(best):
        wishes = join_names(map(wish_words, best["verdicts"]))
        return f"With {best['name']}, every wish is met on fresh deals: {wishes}."
    if MISSED not in best["verdicts"].values():
        return f"{capital(best['name'])} may meet every wish ({_standing(best)})."
    return f"No setting checked meets every wish. The nearest is {best['name']} ({_standing(best)})."


def _standing(setting: TableRow) -> str:
    """Return the wishes by their verdicts: those that are met first."""
    wishes = dict[str, list[str]]()
    for wish, verdict in setting["verdicts"].items():
        wishes.setdefault(verdict, []).append(wish_words(wish))
    kinds = [kind for kind in WISH_VERDICTS if kind in wishes]
    return "; ".join(f"{WISH_VERDICTS[kind]}: {join_names(wishes[kind])}" for kind in kinds)


MAX_NAMED_SETTINGS = 3  # settings named in the answer


def design_advice(settings: Sequence[TableRow]) -> str:
    """Return the measures there and with the printed rules, and what else meets all wishes."""
    best, printed = best_setting(settings), next(row for row in settings if row["printed"])
    there, before = (_ranges(row["measured"]) for row in (best, printed))
    notes = {what: [] if best["printed"] else [f"printed {value}"] for what, value in before.items()}
    for row in best["measured"] if len(best["measured"]) == len(there) else []:
        if not row["of_change"]:
            notes[row["what"]].insert(0, row["ends"])
    texts = (
        f"{what} {value} ({'; '.join(notes[what])})".removesuffix(" ()") for what, value in there.items()
    )
    others = [row["name"] for row in meeting(settings)[1:]]
    also = f" Every wish is also met with {'; with '.join(others[:MAX_NAMED_SETTINGS])}." if others else ""
    return f"On average there: {'; '.join(texts)}.{also}"


def _ranges(measured: Sequence[TableRow]) -> dict[str, str]:
    """Return by measure the range of its values over lineups."""
    rows = dict[str, list[TableRow]]()
    for row in measured:
        rows.setdefault(row["what"], []).append(row)
    ordered = {what: sorted(own, key=lambda row: row["value"]) for what, own in rows.items()}
    return {what: ends(own[0]["amount"], own[-1]["amount"]) for what, own in ordered.items()}


def setting_rows(settings: Sequence[TableRow]) -> list[TableRow]:
    """Return a row per checked setting and lineup with a column per goal: value, interval, verdict.

    The columns of goals about skill name their players, so these goals have no row of their own.
    """
    rows = list[TableRow]()
    for setting in settings:
        own = [row["lineup"] for row in setting["measured"] if row["strategy"] is None]
        by_lineup = {lineup: setting["columns"] | {"lineup": lineup} for lineup in own}
        first_row = by_lineup[own[0]] if own else by_lineup.setdefault("", dict(setting["columns"]))
        wishes = {(row["what"], row["wish"]) for row in setting["measured"]}
        for row in setting["measured"]:
            cells = first_row if row["strategy"] else by_lineup[row["lineup"]]
            several = sum(row["what"] == what for what, _ in wishes) > 1
            words = wish_words(row["wish"]).strip("“”")
            head = (f"{row['what']}, {words}" if row["strategy"] else words) if several else row["what"]
            cells[head] = f"{row['amount']} ({row['ends']}), {WISH_VERDICTS[row['verdict']]}"
        rows += by_lineup.values()
    return rows


def search_words(best: TableRow, all_tried: bool) -> str:
    """Return the next step after a search whose nearest setting is `best`, where no wish is open."""
    verdicts = best["verdicts"]
    missed = [wish for wish in verdicts if verdicts[wish] != MET]
    wishes = join_names(map(wish_words, missed or verdicts))
    rules = f"{'rules' if missed else 'other rules'} that meet {wishes}"
    if all_tried:
        return f"All settings were tried. Widen the ranges, or vary other options, to find {rules}."
    return f"More deals would settle nothing. Search longer for {rules}, or widen the ranges."


# Figures and the next step


def all_settings_tried(search: RuleDesign) -> bool:
    """Return whether a search left out no setting of its ranges."""
    return len(search.trials) + search.refused >= math.prod(map(len, search.vary.values()))


def _wish_figure(findings: Findings, settings: list[TableRow]) -> Figure:
    """Return the measure of the first wish at each checked setting, with the range that was wished for."""
    search = findings.run.answer_of(RuleDesign)
    goal = search.goals[0]
    ends = [end for end in (goal.low, goal.high) if end is not None]
    measured = [row | {"name": own["name"]} for own in settings for row in own["measured"]]
    rows = pl.DataFrame(measured, infer_schema_length=None).filter(goal=0)
    rows = rows.select("name", "lineup", "mean", "low", "high", fair=sum(ends) / len(ends))
    in_text = labels_of(findings).in_text
    form, wish = "{:.1%}" if goal.unit == "share" else "{:.1f}", in_text(wish_words(goal.wish))
    name = in_text(goal_words(goal, side_of(findings.run).name))
    unit = f"{name} more than printed" if goal.printed else name
    alt = f"How the checked settings meet {wish}, with 95 % intervals on fresh deals"
    coverage = (
        "All settings were tried"
        if all_settings_tried(search)
        else f"{len(search.trials)} settings were tried, chosen by Optuna"
    )
    how = f"{coverage}; the game refused {search.refused}" if search.refused else coverage
    parts = {"label": pl.col("name"), "kind": pl.col("lineup"), "value": pl.col("mean")}
    parts |= {end: pl.col(end) for end in ("low", "high")}
    aim = "wished" if goal.strategy else f"wished: {wish}"  # names of players are too long for a legend
    options: dict[str, Any] = {"form": form, "margin": (ends[-1] - ends[0]) / 2, "aim": aim}
    return figure(findings, ("design", charts.forest), rows, alt, how, parts, unit=capital(unit), **options)


def _design_step(findings: Findings, best: TableRow) -> Step:
    """Return the next step: settle what is open, else see all that the rules change, or search longer."""
    run = findings.run
    if wishes := open_wishes(best):
        deals = about(deals_to_settle(best, run.experiment.deals))
        open_words = labels_of(findings).in_text(join_names(map(wish_words, wishes)))
        return Step(f"Settle {open_words} with more fresh deals.", more_command(run, "--confirm", deals))
    if best["printed"] or not meets(best):
        search = run.answer_of(RuleDesign)
        all_tried, trials = all_settings_tried(search), 4 * (len(search.trials) + search.refused)
        longer = more_command(run, "--trials", trials)
        command = command_again(run, "rules", run.experiment.game) if all_tried else longer
        return Step(labels_of(findings).in_text(search_words(best, all_tried)), command)
    rules = ["--to", ",".join(setting_texts(best["varied"]))]
    own = lineups(at_own_lineups(findings).run)
    command = command_again(run, "compare", run.experiment.game, *rules, *game_words(run, own))
    return Step("No wish is open. See everything else that these rules change.", command)


# Sections

DESIGN_WORDS = {
    "Tolerance": "how distances from wishes are made comparable: half a range (of fairness the margin), "
    "of a wish with one end a tenth of that number. The distance from several wishes is the sum over those "
    "that are not met."
}
SKILL_WORDS = {
    "Against": "the first strategy plays alone at a table of the second. Each deal is played in all "
    "rotations, so neither a seat nor a deal favours one of them."
}


def at_own_lineups(findings: Findings) -> Findings:
    """Return the findings without lineups that only wishes about skill need; all if there are no others."""
    goals = findings.run.answer_of(RuleDesign).goals
    own = [lineup for goal in goals if goal.strategy is None for lineup in goal.lineups]
    return findings.only([cell.index for cell in at_lineups(findings.run, own).cells])


def design_answer(findings: Findings) -> Section:
    """Return the brief."""
    settings, source = label_settings(findings), query(findings, "checked_settings", "wishes")
    rows = pl.DataFrame(setting_rows(settings), infer_schema_length=None)
    in_text = labels_of(findings).in_text
    heads = {name: Show(in_text(name)) for name in rows.columns}
    answer = Takeaway(in_text(design_headline(settings)), source, "answer")
    of_skill = any(goal.strategy for goal in findings.run.answer_of(RuleDesign).goals)
    return Section(
        takeaways=[answer, Takeaway(in_text(design_advice(settings)), source, "advice")],
        picture=_wish_figure(findings, settings),
        glance=table_of(rows, heads, "On fresh deals, the nearest to the wishes first"),
        stamp=design_stamp(settings),
        step=_design_step(findings, best_setting(settings)),
        tiles=tiles(at_own_lineups(findings)) if of_skill else [],
        words=DESIGN_WORDS | SKILL_WORDS if of_skill else DESIGN_WORDS,
    )


def design_changes(findings: Findings) -> Section | None:
    """Return what the rules change with the lineups of the request."""
    return changes(at_own_lineups(findings))


def design_seats(findings: Findings) -> Section | None:
    """Return who won with the lineups of the request."""
    return seats(at_own_lineups(findings))


# The JSON document and the page


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    results = findings.run.answer_of(RuleDesign)
    settings = {cell.index: cell.varied for cell in findings.run.cells}
    checked = checked_settings(findings).rows(named=True)
    return study_document(findings, brief) | {
        "vary": results.vary,
        "wishes": [goal.model_dump() for goal in results.goals],
        "checked": [{"setting": settings[row["cell"]], **row} for row in checked],
        "measured": wishes(findings).rows(named=True),
        "trials": [trial.model_dump(include={"setting", "deals", "loss"}) for trial in results.trials],
        "refused": results.refused,
    }


recipe = Recipe(
    "rules that meet wishes",
    brief=[design_answer],
    chapters={
        "The rules checked against the printed ones": [design_changes],
        "Who won": [design_seats],
        "Players": [who],
    },
    needs="a search of simkit design",
    fits=lambda findings: findings.run.kind == "design",
    document=document,
)
