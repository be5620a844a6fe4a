"""The page of a training: how strong the learned player is, how it became so, and how to use it.

The brief has the check on fresh deals and the curve of the training; the chapters have what it was trained
for and every opponent.
"""

import math
from collections.abc import Callable, Sequence
from statistics import mean
from typing import Any

import polars as pl

from simkit.formatting import counted
from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Figure, Report, Section, Step, Takeaway
from simkit.page.document.tables import Show, Table
from simkit.page.pictures import figure, query
from simkit.page.recipe import Recipe
from simkit.page.terminal import study_document
from simkit.page.words.commands import command_again, more_command
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import TableRow, ends, join_names, number, span
from simkit.questions.learn.result import (
    IMPROVE,
    SELF,
    Learning,
    Student,
    label_of,
    learned_matches,
    learning_curve,
)
from simkit.runs.plan import RANDOM
from simkit.tables.findings import Findings
from simkit.tables.rungs import MILLISECONDS

from .sections.players import who
from .sections.seats import seats

# Sentences: how strong the player is, and what to do with it

TEACHERS = {SELF: "its own games", IMPROVE: "play-outs"}


def learn_headline(row: TableRow, best: str, seats: int = 2) -> str:
    """Return whether the player wins more than its share against the best scripted one (none: random)."""
    wins = f"{number(100 * row['share'])} games in 100"
    rival = f"{best}, the best scripted player" if best else "random play"
    rest = f"({span(row['low'], row['high'], scale=100)})"
    if seats > 2:
        rest = (
            f"{rest}, with the rival in all other seats; equal players would win {number(100 * row['fair'])}"
        )
    rest += "." if best else "; the game has no scripted players."
    if row["ahead"]:
        return f"The learned player wins {wins} against {rival} {rest}"
    claim = "is not as strong as" if row["high"] < row["fair"] else "was not shown to be stronger than"
    return f"The learned player {claim} {rival}: it wins {wins} {rest}"


def team_headline(row: TableRow, scripted: str) -> str:
    """Return whether a team of the player wins more than one of scripted or random players."""
    wins = f"{number(100 * row['share'])} games in 100 ({span(row['low'], row['high'], scale=100)})"
    other = f"{scripted}, the best scripted player" if scripted else "random players"
    base = f"a team of {other}{',' if scripted else ' wins'} {number(100 * row['fair'])}"
    claim = "" if row["ahead"] else "was not shown to be better: it "
    return f"A team of learned players {claim}wins {wins}; {base}."


def learn_advice(
    row: TableRow, student: Student, microseconds: float, varies: bool = False, scripted: bool = True
) -> str:
    """Return the price of a decision, and how a lineup names the player or what else to try."""
    if not row["ahead"]:
        return f"It was not installed, so lineups cannot use it. {what_to_try(student, varies, scripted)}"
    price = f"{number(microseconds, 0)} µs" if microseconds >= 1 else "less than 1 µs"
    name = f"In a lineup it is {label_of(student.name)}."
    return f"A decision takes {price}. {name}" if microseconds else name


def what_to_try(student: Student, varies: bool, scripted: bool = True) -> str:
    """Return what may make a player stronger.

    `varies`: whether options differed from game to game; `scripted`: whether there is a scripted player, on
    which another teacher could improve.
    """
    still = "still rising" if is_rising(student) else "no longer surely rising"
    teacher = other_teacher(student, scripted)
    fewer = ", then fewer varied options" if varies else ""
    advice = f"--teacher {teacher}" if teacher else "twice the games"
    return f"The curve was {still} at the end: try {advice}{fewer}."


def other_teacher(student: Student, scripted: bool) -> str:
    """Return the teacher to try next; empty where more games of the same one promise more."""
    if is_rising(student) or not scripted:
        return ""
    return {SELF: IMPROVE, IMPROVE: SELF}.get(student.teacher, SELF)


def is_rising(student: Student) -> bool:
    """Return whether the last third of the curve is surely above the third before it."""
    third = len(student.curve) // 3
    before, last = student.curve[-2 * third : -third], student.curve[-third:]
    gain = mean(look.share for look in last) - mean(look.share for look in before) if third else 0.0
    halves = [(look.high - look.low) / 2 for look in (*before, *last)]
    return bool(third) and gain > math.hypot(*halves) / third


def sibling_sentence(rows: Sequence[TableRow]) -> str:
    """Return the spread between players of several seeds against the same opponent; empty for one."""
    if len(rows) < 2:
        return ""
    shares = [row["share"] for row in rows]
    spread = ends(*(number(100 * share) for share in (min(shares), max(shares))))
    return f"The {len(rows)} players, trained from different seeds, win {spread} games in 100."


def trained_for(results: Learning, label: Callable[[str], str]) -> str:
    """Return what the players were trained for; `label` labels an option."""
    varied = [f"{label(name)} {_values(values)}" for name, values in results.vary.items()]
    rules = f", {join_names(varied)}" if varied else ""
    return f"{counted(results.seats, 'player')}{rules}, {results.games:,} games."


def _values(values: Sequence[Any]) -> str:
    """Return the values of an option, of whole numbers only the ends.

    >>> _values([12, 13, 14]), _values(["v40", "v41"])
    ('12 to 14', 'v40 or v41')
    """
    if len(values) > 2 and all(type(value) is int for value in values):
        return f"{min(values)} to {max(values)}"
    return join_names(map(str, values), "or")


# Figures, tables and the next step


def _curve(findings: Findings) -> Figure:
    """Return the share against the best scripted player during the training, a line per player."""
    rows, results = learning_curve(findings), findings.run.answer_of(Learning)
    rows = rows if findings.run.team else rows.with_columns(fair=pl.lit(1 / results.seats))
    parts = {"x": "games", "line": pl.col("player") if len(results.students) > 1 else pl.lit("")}
    alt = f"How often the player wins against {results.panel[0]} during the training, with 95 % intervals"
    note = "Measured on deals that the training does not play."
    unit = "Games won" if findings.run.team else f"Wins against {results.panel[0]}"
    options = {"label": "Games of the training", "unit": unit}
    return figure(findings, ("learning", charts.curve), rows, alt, note, parts, **options)


MATCH_HEADS = {
    "lineup": Show("player", "{}"),
    "opponent": Show("against", "{}"),
    "share": Show("wins", "{:.1%}"),
    "fair": Show(
        "equal players", "{:.1%}", "share if both were as strong; of a team, that of the opponent's team"
    ),
}


def _matches_table(findings: Findings) -> Table:
    """Return every opponent on fresh deals."""
    labels = {each.name: label_of(each.name) for each in findings.run.answer_of(Learning).students}
    rows = learned_matches(findings).with_columns(lineup=pl.col("player").replace_strict(labels))
    return table(findings, rows, "lineup opponent share low high fair games", "On fresh deals", **MATCH_HEADS)


def _step(findings: Findings, row: TableRow) -> Step:
    """Return the next step: another training, or what the game is like between such players."""
    run, results = findings.run, findings.run.answer_of(Learning)
    if not row["ahead"]:
        teacher = other_teacher(results.students[0], results.panel[0] != RANDOM)
        if teacher:
            return Step("Train it by the other teacher.", more_command(run, "--teacher", teacher))
        return Step("Train it longer.", more_command(run, "--games", 2 * results.games))
    words = [run.experiment.game, "--seats", str(results.seats)]
    return Step("See what the game is like between such players.", command_again(run, "ladder", *words))


# Sections

LEARN_WORDS = {
    "Learned player": "takes the action after which a small neural net expects most. The net was trained by "
    "games of this game; nothing of it was written by hand.",
    "Teacher": "what the net learns from: how the player's own games end, after a start with games of "
    "the usual policy, or how play-outs end after each of several actions, of the best scripted player and "
    "later of its own. With play-outs each game counts as eight.",
    "Panel": "scripted players and random moves. They measure the player on deals of their own.",
}
LEARN_LIMITS = [
    "How the player fares by other rules than those of its training: see what it was trained for.",
    "Whether another training would end alike: --seeds 3 trains three players.",
]


def learn_answer(findings: Findings) -> Section:
    """Return the brief."""
    run, results = findings.run, findings.run.answer_of(Learning)
    first, best = results.students[0], results.panel[0]
    rows = learned_matches(findings).filter(opponent=best).rows(named=True)
    (row,) = (each for each in rows if each["player"] == first.name)
    source, times = query(findings, "learned_matches"), run.manifest.machine.get(MILLISECONDS, {})
    scripted = "" if best == RANDOM else best
    headline = team_headline(row, scripted) if run.team else learn_headline(row, scripted, results.seats)
    microseconds = 1000 * times.get(label_of(first.name), 0)
    advice = learn_advice(row, first, microseconds, bool(results.vary), bool(scripted))
    texts = {"answer": headline, "advice": " ".join(filter(None, [advice, sibling_sentence(rows)]))}
    return Section(
        takeaways=[Takeaway(text, source, kind) for kind, text in texts.items()],
        picture=_curve(findings),
        glance=_matches_table(findings),
        step=_step(findings, row),
        limits=LEARN_LIMITS,
        words=LEARN_WORDS,
    )


def training(findings: Findings) -> Section:
    """Return what each player was trained for, by whom, and what the trial of the teachers gave."""
    results = findings.run.answer_of(Learning)
    about = trained_for(results, labels_of(findings).option)
    rows = pl.DataFrame([_student_row(each) for each in results.students], infer_schema_length=None)
    shows = {"lineup": Show("player", "{}"), "teacher": Show("teacher", "{}"), "trial": Show("trial", "{}")}
    listed = table(findings, rows, "lineup seed teacher trial", "Players", **shows)
    return Section("What it was trained for", text=[f"Trained for {about}"], tables=[listed])


def _student_row(student: Student) -> TableRow:
    """Return how a player was trained; the trial in percent of games won against the panel."""
    trial = (f"{TEACHERS[name]} {number(100 * share)} %" for name, share in student.trial.items())
    teacher = TEACHERS.get(student.teacher, student.teacher)
    front = {"lineup": label_of(student.name), "seed": str(student.seed), "teacher": teacher}
    return front | {"trial": ", ".join(trial) or "none"}


# The JSON document and the page


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    results = findings.run.answer_of(Learning).model_dump(exclude={"kind", "side_runs"})
    return study_document(findings, brief) | results | {"matches": learned_matches(findings).rows(named=True)}


recipe = Recipe(
    "a learned player",
    brief=[learn_answer],
    chapters={"Training": [training], "The check": [seats], "Players": [who]},
    needs="a run of simkit learn",
    fits=lambda findings: findings.run.kind == "learn",
    document=document,
)
