"""Sentences about a search for rules that meet wishes: the setting found, or the nearest one."""

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.goals import FAIRNESS, MET, MISSED, OPEN, Goal, goals_of
from simkit.formatting import counted
from simkit.reporting.text.changes import measure_name
from simkit.reporting.text.confidence import reconstructions
from simkit.reporting.text.failed_games import failures
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Row, Summary, capital, listed, number, percent, span

VERDICT_WORDS = {MET: "met", MISSED: "not met", OPEN: "not sure"}


def design_answer(findings: Findings) -> Summary:
    """Return the setting that meets all wishes on fresh deals, or the nearest one if none does."""
    rows = findings.checked_settings.rows(named=True)
    wishes = len({goal.wish for goal in goals_of(findings.run)})
    meeting = [row for row in rows if row[MET] == wishes]
    others = [row for row in meeting if not row["printed"]]
    checked = sum(not row["printed"] for row in rows)
    if any(row["printed"] for row in meeting):
        headline = f"{capital(_usual(findings))} meet {_all(wishes)} on fresh deals."
        if others:
            headline += f" So does {setting_of(findings, others[0])}."
    elif others:
        headline = f"{capital(setting_of(findings, others[0]))} meets {_all(wishes)} on fresh deals."
    elif any(row[MISSED] == 0 for row in rows):
        row = next(row for row in rows if row[MISSED] == 0)
        headline = f"{capital(setting_of(findings, row))} may meet {_all(wishes)}: {_doubt(findings, row)}."
    else:
        nearest = f"Nearest to that: {setting_of(findings, rows[0])}, where {_doubt(findings, rows[0])}."
        headline = f"No setting checked meets {_all(wishes)}. {nearest}"
    advice = _measured(findings, (others or meeting or rows)[0])
    if len(others) > 1:
        advice += f" {len(others)} of {counted(checked, 'setting')} checked meet all of them."
    doubts = [*failures(findings), *reconstructions(findings.run)]
    return Summary(headline, advice, _sureness(findings), doubts)


def _all(wishes: int) -> str:
    return {1: "the wish", 2: "both wishes"}.get(wishes, f"all {wishes} wishes")


def setting_of(findings: Findings, row: Row) -> str:
    """Return a checked setting by its differences from the printed rules."""
    if row["printed"]:
        return _usual(findings)
    cells = (findings.whole or findings).run.cells
    return labels_of(findings).short(next(cell.varied for cell in cells if cell.index == row["cell"]))


def _usual(findings: Findings) -> str:
    """Return the name of the rules with default options, as part of a sentence."""
    return "the printed rules" if labels_of(findings).book == "rulebook" else "the usual rules"


def _doubt(findings: Findings, row: Row) -> str:
    """Return the wishes that are not met and those that are uncertain."""
    parts = findings.wishes.filter(setting=row["setting_number"])
    texts = []
    for kind in (MISSED, OPEN):
        wishes = parts.filter(verdict=kind)["wish"].unique(maintain_order=True).to_list()
        if wishes:
            verb = "is" if len(wishes) == 1 else "are"
            texts.append(f"{listed(map(wish_words, wishes))} {verb} {VERDICT_WORDS[kind]}")
    return ", ".join(texts)


def wish_words(wish: str) -> str:
    """Return a wish in readable words.

    >>> wish_words("turns=25:35"), wish_words("lead_changes>=printed"), wish_words("fairness")
    ('“turns 25 to 35”', '“lead changes at least as printed”', '“fairness”')
    """
    text = wish.replace(">=printed", " at least as printed").replace("<=printed", " at most as printed")
    text = text.replace(">=", " at least ").replace("<=", " at most ")
    if "=" in text:
        text = text.replace("=", " ").replace(":", " to ")
    return f"“{text.replace('_', ' ')}”"


def _measured(findings: Findings, row: Row) -> str:
    """Return the measures at a setting and at the printed rules over the lineups, each measure once."""
    first, texts = dict[tuple[str, int | None], tuple[int, Goal]](), []
    for place, goal in enumerate(goals_of(findings.run)):
        first.setdefault((goal.measure, goal.seat), (place, goal))
    for place, goal in first.values():
        at_setting, at_printed = (
            findings.wishes.filter(pl.col("goal") == place, rows)["value"]
            for rows in (pl.col("setting") == row["setting_number"], pl.col("printed"))
        )
        value = f"{goal_words(findings, goal)} {_ends(goal, at_setting)}"
        texts.append(value + (f" (printed {_ends(goal, at_printed)})" if not row["printed"] else ""))
    return f"There: {'; '.join(texts)}."


def _ends(goal: Goal, values: pl.Series) -> str:
    ends = sorted({amount(goal, float(values.min())), amount(goal, float(values.max()))})  # type: ignore[arg-type]
    low, high = amount(goal, float(values.min())), amount(goal, float(values.max()))  # type: ignore[arg-type]
    return low if len(ends) == 1 else f"{low} to {high}"


def goal_words(findings: Findings, goal: Goal) -> str:
    """Return the subject of a wish: the first player wins, turns ..."""
    if goal.wish == FAIRNESS:
        side = side_of(findings.run).name
        return f"the {side} wins" if not goal.seat else measure_name("share", goal.seat)
    return measure_name(goal.measure, None)


def amount(goal: Goal, value: float) -> str:
    """Return a value in the unit of its goal."""
    return percent(value) if goal.unit == "share" else number(value, 2)


def interval_words(goal: Goal, row: Row) -> str:
    """Return the interval of a wish's measure; a difference from the printed rules is signed."""
    scale, digits = (100, 1) if goal.unit == "share" else (1, 2)
    unit = " %" if goal.unit == "share" else ""
    return f"{span(row['low'], row['high'], digits, goal.printed, scale)}{unit}"


def _sureness(findings: Findings) -> list[str]:
    design, run = findings.run.designed, findings.run
    dropped = sum(trial.deals < design.deals for trial in design.trials)
    lineups = findings.wishes["lineup"].n_unique()
    texts = [
        "programs played, not people",
        f"{counted(len(design.trials), 'setting')} tried, {dropped} of them dropped early, on at most "
        f"{design.deals:,} common deals each",
        f"{counted(design.refused, 'setting')} refused by the game" if design.refused else "",
        f"{played_again(findings)} again on {run.experiment.deals:,} fresh deals, where all intervals hold "
        "together at 95 %",
        "a wish is met where the interval lies within it"
        + (f", with each of {lineups} lineups" if lineups > 1 else ""),
    ]
    if any(goal.printed for goal in goals_of(run)):
        texts.append(f"intervals of a wish about {_usual(findings)} are of the difference, deal by deal")
    return list(filter(None, texts))


def played_again(findings: Findings) -> str:
    """Return what was played on fresh deals; only the printed rules if no other setting was left."""
    others = findings.wishes["setting"].n_unique() - 1
    if not others:
        return f"only {_usual(findings)}"
    return f"the best {counted(others, 'setting') if others > 1 else 'setting'} and {_usual(findings)}"


def _heads(findings: Findings) -> list[str]:
    """Return a column head per goal: its measure, or the wish itself where several share a measure."""
    goals = goals_of(findings.run)
    names = [goal_words(findings, goal) for goal in goals]
    return [
        wish_words(goal.wish).strip("“”") if names.count(name) > 1 else name
        for goal, name in zip(goals, names, strict=True)
    ]


def setting_rows(findings: Findings) -> list[Row]:
    """Return a row per checked setting and lineup with a column per wish (fairness: per seat)."""
    labels, goals, rows = labels_of(findings.whole or findings), goals_of(findings.run), list[Row]()
    heads = _heads(findings)
    lineups = findings.wishes["lineup"].unique(maintain_order=True).to_list()
    for setting in findings.checked_settings.rows(named=True):
        parts = findings.wishes.filter(setting=setting["setting_number"])
        for lineup in lineups:
            row = labels.in_columns(setting["cell"])
            row |= {"lineup": (labels.of_column("lineup") or str)(lineup)} if len(lineups) > 1 else {}
            for wish_row in parts.filter(lineup=lineup).rows(named=True):
                goal = goals[wish_row["goal"]]
                value = f"{amount(goal, wish_row['value'])} ({interval_words(goal, wish_row)})"
                row[heads[wish_row["goal"]]] = f"{value}, {VERDICT_WORDS[wish_row['verdict']]}"
            rows.append(row)
    return rows
