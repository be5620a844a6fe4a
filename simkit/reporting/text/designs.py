"""What a search for rules that meet wishes answers, in sentences: which setting, else which is near."""

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.goals import FAIRNESS, MET, MISSED, OPEN, Goal, goals_of
from simkit.formatting import counted
from simkit.reporting.text.changes import measure_name
from simkit.reporting.text.confidence import reconstructions
from simkit.reporting.text.failed_games import failures
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Row, Told, listed, number, percent, span

SAID = {MET: "met", MISSED: "not met", OPEN: "not sure"}


def design_answer(findings: Findings) -> Told:
    """The setting that meets all wishes on fresh deals, or that none does and which comes nearest."""
    rows = findings.checked_settings.rows(named=True)
    every = len({goal.wish for goal in goals_of(findings.run)})
    good = [row for row in rows if row[MET] == every]
    own = [row for row in good if not row["printed"]]
    checked = sum(not row["printed"] for row in rows)
    if any(row["printed"] for row in good):
        headline = f"{_capital(_usual(findings))} meet {_all(every)} on fresh deals."
        if own:
            headline += f" So does {setting_of(findings, own[0])}."
    elif own:
        headline = f"{_capital(setting_of(findings, own[0]))} meets {_all(every)} on fresh deals."
    elif any(row[MISSED] == 0 for row in rows):
        row = next(row for row in rows if row[MISSED] == 0)
        headline = f"{_capital(setting_of(findings, row))} may meet {_all(every)}: {_doubt(findings, row)}."
    else:
        nearest = f"Nearest to that: {setting_of(findings, rows[0])}, where {_doubt(findings, rows[0])}."
        headline = f"No setting checked meets {_all(every)}. {nearest}"
    more = f"{len(own)} of {counted(checked, 'setting')} checked meet all of them."
    advice = " ".join([_measured(findings, (own or good or rows)[0]), more * (len(own) > 1)]).strip()
    doubts = [*failures(findings), *reconstructions(findings.run)]
    return Told(headline, advice, _sure(findings), doubts)


def _all(wishes: int) -> str:
    return {1: "the wish", 2: "both wishes"}.get(wishes, f"all {wishes} wishes")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def setting_of(findings: Findings, row: Row) -> str:
    """A setting that was checked, by what differs from the printed rules, which go by that name."""
    if row["printed"]:
        return _usual(findings)
    cells = (findings.whole or findings).run.cells
    return labels_of(findings).short(next(cell.varied for cell in cells if cell.index == row["cell"]))


def _usual(findings: Findings) -> str:
    """The rules with the default options, as part of a sentence."""
    return "the printed rules" if labels_of(findings).book == "rulebook" else "the usual rules"


def _doubt(findings: Findings, row: Row) -> str:
    """Which wishes are not met, and which are not sure to be."""
    parts = findings.wishes.filter(setting=row["setting_number"])
    texts = []
    for kind in (MISSED, OPEN):
        some = parts.filter(verdict=kind)["wish"].unique(maintain_order=True).to_list()
        if some:
            texts.append(f"{listed(map(wish_words, some))} {'is' if len(some) == 1 else 'are'} {SAID[kind]}")
    return ", ".join(texts)


def wish_words(wish: str) -> str:
    """A wish as it was asked for, as people read it.

    >>> wish_words("turns=25:35"), wish_words("lead_changes>=printed"), wish_words("fairness")
    ('“turns 25 to 35”', '“lead changes at least as printed”', '“fairness”')
    """
    text = wish.replace(">=printed", " at least as printed").replace("<=printed", " at most as printed")
    text = text.replace(">=", " at least ").replace("<=", " at most ")
    if "=" in text:
        text = text.replace("=", " ").replace(":", " to ")
    return f"“{text.replace('_', ' ')}”"


def _measured(findings: Findings, row: Row) -> str:
    """What was measured at a setting, and at the printed rules, over the lineups: each measure once."""
    first, texts = dict[tuple[str, int | None], tuple[int, Goal]](), []
    for place, goal in enumerate(goals_of(findings.run)):
        first.setdefault((goal.measure, goal.seat), (place, goal))
    for place, goal in first.values():
        here, there = (
            findings.wishes.filter(pl.col("goal") == place, which)["value"]
            for which in (pl.col("setting") == row["setting_number"], pl.col("printed"))
        )
        told = f"{goal_words(findings, goal)} {_ends(goal, here)}"
        texts.append(told + f" (printed {_ends(goal, there)})" * (not row["printed"]))
    return f"There: {'; '.join(texts)}."


def _ends(goal: Goal, values: pl.Series) -> str:
    ends = sorted({amount(goal, float(values.min())), amount(goal, float(values.max()))})  # type: ignore[arg-type]
    low, high = amount(goal, float(values.min())), amount(goal, float(values.max()))  # type: ignore[arg-type]
    return low if len(ends) == 1 else f"{low} to {high}"


def goal_words(findings: Findings, goal: Goal) -> str:
    """What a wish is about: the first player wins, turns ..."""
    if goal.wish == FAIRNESS:
        side = side_of(findings.run).name
        return f"the {side} wins" if not goal.seat else measure_name("share", goal.seat)
    return measure_name(goal.measure, None)


def amount(goal: Goal, value: float) -> str:
    return percent(value) if goal.unit == "share" else number(value, 2)


def interval_words(goal: Goal, row: Row) -> str:
    """The interval of what a wish is about; of a difference from the printed rules with its sign."""
    scale, digits = (100, 1) if goal.unit == "share" else (1, 2)
    unit = " %" if goal.unit == "share" else ""
    return f"{span(row['low'], row['high'], digits, goal.printed, scale)}{unit}"


def _sure(findings: Findings) -> list[str]:
    design, run = findings.run.designed, findings.run
    dropped = sum(one["deals"] < design["deals"] for one in design["tried"])
    lineups = findings.wishes["lineup"].n_unique()
    texts = [
        "programs played, not people",
        f"{counted(len(design['tried']), 'setting')} tried, {dropped} of them dropped early, on at most "
        f"{design['deals']:,} common deals each",
        f"{counted(design['refused'], 'setting')} refused by the game" if design["refused"] else "",
        f"{played_again(findings)} again on {run.experiment.deals:,} fresh deals, where all intervals hold "
        "together at 95 %",
        "a wish is met where the interval lies within it"
        + f", with each of {lineups} lineups" * (lineups > 1),
    ]
    if any(goal.printed for goal in goals_of(run)):
        texts.append(f"intervals of a wish about {_usual(findings)} are of the difference, deal by deal")
    return list(filter(None, texts))


def played_again(findings: Findings) -> str:
    """What was played on fresh deals; alone the printed rules where no other setting came so far."""
    others = findings.wishes["setting"].n_unique() - 1
    if not others:
        return f"only {_usual(findings)}"
    return f"the best {counted(others, 'setting') if others > 1 else 'setting'} and {_usual(findings)}"


def _heads(findings: Findings) -> list[str]:
    """A head for each goal: what it is about, or the wish itself where several are about the same."""
    goals = goals_of(findings.run)
    names = [goal_words(findings, goal) for goal in goals]
    return [
        wish_words(goal.wish).strip("“”") if names.count(name) > 1 else name
        for goal, name in zip(goals, names, strict=True)
    ]


def setting_rows(findings: Findings) -> list[Row]:
    """A row for each setting that was checked and lineup, a column for each wish (of fairness each seat)."""
    labels, goals, rows = labels_of(findings.whole or findings), goals_of(findings.run), list[Row]()
    heads = _heads(findings)
    lineups = findings.wishes["lineup"].unique(maintain_order=True).to_list()
    for setting in findings.checked_settings.rows(named=True):
        parts = findings.wishes.filter(setting=setting["setting_number"])
        for lineup in lineups:
            told = labels.in_columns(setting["cell"])
            told |= {"lineup": (labels.of_column("lineup") or str)(lineup)} if len(lineups) > 1 else {}
            for row in parts.filter(lineup=lineup).rows(named=True):
                goal = goals[row["goal"]]
                seen = f"{amount(goal, row['value'])} ({interval_words(goal, row)})"
                told[heads[row["goal"]]] = f"{seen}, {SAID[row['verdict']]}"
            rows.append(told)
    return rows
