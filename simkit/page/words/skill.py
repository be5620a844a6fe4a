"""Sentences about a ladder: how an advantage changes with its players, and what the highest rungs agree on.

Sentences about a ladder speak of its players, never of the game: other players may show the opposite.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil, hypot

from simkit.page.document.parts import Stamp
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import (
    Summary,
    TableRow,
    capital,
    distance,
    games_of_100,
    interval_words,
    join_names,
    number,
    seat_name,
    span,
    whole,
    with_heading,
)
from simkit.page.words.stamps import CHANGE, highest_two, stamp_of_rungs
from simkit.stats.quantiles import normal
from simkit.stats.verdicts import BORDERLINE, GOOD, INNER, OFF
from simkit.tables import rungs as rungs_tables
from simkit.tables.findings import Findings
from simkit.tables.rungs import Ladder, rung_answers, rungs

CHANCE = 0.8  # probability that the number of deals in a sentence settles its question
MAX_NAMED_FACTOR = 100  # factor of deals up to which it is named
FINE = {*GOOD, BORDERLINE}
OPEN_QUESTION = "is not settled whether"


def skill_answer(findings: Findings) -> Summary:
    """Return how the answer changes with skill, what the two highest rungs agree on, and doubtful rungs."""
    answers, called, team = usual_first(findings), labels_of(findings).at, findings.run.team
    rungs = rungs_tables.rungs(findings).rows(named=True)
    parts = [perfect(findings), skill_advice(answers, called, team), fair_values(rungs)]
    text = skill(answers, called, team, findings.run.experiment.margin)
    return Summary(text, " ".join(filter(None, parts)), [], not_stronger(rungs, answers))


def skill_sentence(findings: Findings, is_open: bool = False) -> str:
    """Return what the ladder of a run settles, or leaves open, at its first setting; empty without that."""
    if not rungs(findings).width:
        return ""
    labels, rows = labels_of(findings), rung_answers(findings).rows(named=True)
    if findings.run.kind != "ladder":  # the page of a ladder names its rungs as commands do
        rows = [row | {"strategy": labels.strategy(row["strategy"])} for row in rows]
    text = skill(rows, labels.at, findings.run.team, findings.run.experiment.margin)
    return text if (OPEN_QUESTION in text) == is_open else ""


def perfect(findings: Findings) -> str:
    """Return what the first player wins between perfect players; empty unless that is known."""
    share = perfect_share(findings)
    if share is None:
        return ""
    won = f"the first player wins {games_of_100(share)} (a draw counts half)"
    return f"Between perfect players {won}: that is known exactly; the rest are errors of these players."


def perfect_share(findings: Findings) -> float | None:
    """Return the share of the first player between perfect players by the usual rules, if they are played."""
    words, settings = findings.run.words, [cell.options for cell in findings.run.cells]
    usual = {name: option.default for name, option in words.options.items()}
    return words.perfect if any(usual | options == usual for options in settings) else None


def ladder_stamp(
    answers: Sequence[TableRow], margin: float, perfect_share: float | None = None
) -> Stamp | None:
    """Return the decision about the first setting by the two highest rungs; none without a target.

    Rungs that err do not change a game that is known to be fair between perfect players.
    """
    rows = [row for row in highest_two(answers) if row["setting"] == answers[0]["setting"]]
    if rows[0]["verdict"] is None:
        return None
    stamp, fair = stamp_of_rungs(rows, margin), rows[0]["fair"]
    is_fair = perfect_share is not None and abs(perfect_share - fair) < margin
    return None if is_fair and stamp == CHANGE else stamp


def settings_of_agreement(findings: Findings, settings: list[str]) -> list[str]:
    """Return the settings with which none of the two highest rungs of a run's ladder disagrees.

    A rung disagrees by a verdict of UNFAIR or, without a verdict, if a seat is surely more than half a margin
    off fair (at 5 % for all rows of a setting together, Bonferroni).
    """
    if not rungs(findings).width:
        return settings
    rows, unfair = highest_two(rung_answers(findings).rows(named=True)), set[str]()
    wider = normal(1 - 0.05 * len({row["setting"] for row in rows}) / len(rows)) / normal(0.95)
    for row in rows:
        surely = abs(row["share"] - row["fair"]) - wider * _half(row)
        far = surely > INNER * findings.run.experiment.margin
        disagrees = row["verdict"] in OFF or (far and row["verdict"] not in FINE)
        unfair |= {row["setting"]} if disagrees else set()
    return [setting for setting in settings if setting not in unfair]


def rungs_to_compare(rows: list[TableRow]) -> tuple[TableRow, TableRow]:
    """Return the rows of the highest rung that does not search (else of the lowest) and of the highest."""
    *below, best = rows
    plain = [row for row in below if not row["searches"]]
    return (plain or rows[:1])[-1], best


def not_stronger(rungs: Sequence[TableRow], answers: Sequence[TableRow] = ()) -> list[str]:
    """Return a warning on the rungs not surely stronger than the one below, or that win less as a team."""
    weak = [row["strategy"] for row in rungs if row["share"] is not None and row["share_low"] <= row["even"]]
    if all(row["share"] is None for row in rungs):
        teams = [row for row in answers if row["setting"] == answers[0]["setting"] and row["seat"] == 0]
        weak = [team["strategy"] for below, team in pairwise(teams) if team["share"] < below["share"]]
    return [f"Not shown to be stronger than the rung below: {join_names(weak)}."] if weak else []


def skill(answers: list[TableRow], called: Callable[[str], str], team: bool, margin: float) -> str:
    """Return how the highest rung differs from a plain one at the first setting, for the farthest seat."""
    setting = answers[0]["setting"]
    rows = [row for row in answers if row["setting"] == setting]
    highest = [row for row in rows if row["rung"] == rows[-1]["rung"]]
    farthest = max(highest, key=lambda row: abs(row["share"] - row["fair"]))["seat"]
    seat = farthest if len(highest) > 2 else 0
    pair = rungs_to_compare([row for row in rows if row["seat"] == seat])
    text = _team(*pair) if team else _seat(seat, *pair, margin)
    return f"{with_heading(capital(called(setting)), text) if setting else capital(text)}."


def _team(lower: TableRow, best: TableRow) -> str:
    """Return whether a team of better players wins more, with the wins of both."""
    change = f"it {OPEN_QUESTION} better players win more"
    if best["low"] > lower["high"] or best["high"] < lower["low"]:
        change = f"better players win {'more' if best['share'] > lower['share'] else 'less'}"
    texts = (f"a team of {row['strategy']} wins {games_of_100(row['share'])}" for row in (lower, best))
    spans = " and ".join(span(row["low"], row["high"], scale=100) for row in (lower, best))
    return f"{change}: {', '.join(texts)} ({spans})"


def _seat(seat: int, lower: TableRow, best: TableRow, margin: float) -> str:
    """Return how what a seat is worth changes from one rung to another, with both numbers."""
    role = "going first" if seat == 0 else f"being the {seat_name(seat)}"
    is_small = {lower["verdict"], best["verdict"]} <= set(GOOD)
    small = f"{role} is worth little among these players: {{}}"
    text = small if is_small else trend(role, lower, best, margin)
    less, more = (number(100 * (row["share"] - row["fair"]), sign=True) for row in (lower, best))
    halves = " and ".join(f"±{number(100 * _half(row))}" for row in (lower, best))
    plain, strong = (_player(row["strategy"]) for row in (lower, best))
    return text.format(f"{less} percentage points with {plain}, {more} with {strong} ({halves})")


def _player(label: str) -> str:
    """Return a player as a sentence names it.

    >>> _player("very careful player"), _player("search(budget=50)")
    ('the very careful player', 'search(budget=50)')
    """
    return f"the {label}" if label.endswith(" player") else label


def trend(role: str, lower: TableRow, best: TableRow, margin: float) -> str:
    """Return how an advantage differs between a plain and a strong rung; `{}` stands for the numbers.

    Each claim is certain at 95 %: the advantage stays if it changes by less than the margin; it reverses if
    both rungs are off fair, on different sides; it shrinks or grows if its size changes; the worth falls or
    rises if it changes, but perhaps across fair.
    """
    before, after = (row["share"] - row["fair"] for row in (lower, best))
    change, half = after - before, hypot(_half(lower), _half(best))
    signs, moves = (_side(before, _half(lower)), _side(after, _half(best))), _side(change, half)
    worth = f"the worth of {role}"
    sized = {1: f"the advantage of {role}", -1: f"the disadvantage of {role}", 0: worth}[signs[0] or signs[1]]
    if abs(change) + half < margin:
        return f"{sized} stays the same to within {distance(margin)} among these players: {{}}"
    if signs[0] * signs[1] < 0:
        return f"{sized} reverses among these players: {{}}"
    if size := moves * _side(after + before, half):
        return f"{sized} {'grows' if size > 0 else 'shrinks'} among these players: {{}}"
    if moves:
        return f"{worth} {'rises' if moves > 0 else 'falls'} among these players: {{}}"
    times = times_to_settle(change, half / normal(0.95), margin)
    factor = f"about {times}" if times <= MAX_NAMED_FACTOR else f"more than {MAX_NAMED_FACTOR}"
    odds = f"at least {whole(CHANCE)} of 100 cases if the change is as it looks"
    deals = f"{factor} times as many deals would settle it in {odds}"
    if signs[1]:
        still = f"{sized} is there between the strongest of these players"
        return f"{still}, and whether it changes among them is not settled: {{}}; {deals}"
    return f"it {OPEN_QUESTION} {worth} changes among these players: {{}}; {deals}"


def _half(row: TableRow) -> float:
    return float(row["high"] - row["low"]) / 2


def _side(value: float, half: float) -> int:
    """Return 1 or −1 for a number beyond its half interval, else 0."""
    return (value > half) - (value < -half)


def times_to_settle(change: float, error: float, margin: float) -> int:
    """Return how many times the deals settle, at least with CHANCE, a change or that it is below the margin.

    change: the true one; error: its standard error with the deals so far.

    >>> times_to_settle(0.03, 0.015, 0.02), times_to_settle(0.0, 0.01, 0.02)
    (2, 3)
    """
    beyond = (normal(0.95) + normal(2 * CHANCE - 1)) * error / max(abs(change), 1e-9)
    within = (normal(0.95) + normal(CHANCE)) * error / max(margin - abs(change), 1e-9)
    return max(2, ceil(min(beyond, within) ** 2))


def usual_first(findings: Findings) -> list[TableRow]:
    """Return the answers, those at the default values of the options first."""
    options = findings.run.words.options
    usual = {name: options[name].default for name in findings.run.answer_of(Ladder).vary if name in options}
    answers = rung_answers(findings).rows(named=True)
    return sorted(answers, key=lambda row: any(row[name] != value for name, value in usual.items()))


def fair_values(rungs: list[TableRow]) -> str:
    """Return a sentence on how the fair value moves; empty unless one whole-number option is varied."""
    pair = rungs_to_compare(rungs)
    if pair[1]["option"] is None:
        return ""
    texts = (f"with {row['strategy']}: {_fair_value_words(row)}" for row in pair)
    return f"Fair {'; '.join(texts)}."


def _fair_value_words(row: TableRow) -> str:
    """Return a fair value with its interval."""
    ends = interval_words(row["fair_low"], row["fair_high"])
    return "no value tried" if row["fair"] is None else f"{number(row['fair'])} ({ends})"


def skill_advice(answers: list[TableRow], called: Callable[[str], str], team: bool) -> str:
    """Return the verdicts of the two highest rungs, or of several settings those that both find fair."""
    kinds: dict[str, set[str]] = {}
    for row in highest_two(answers):
        kinds.setdefault(row["setting"], set()).add(row["verdict"])
    if all(own == {None} for own in kinds.values()):
        return ""  # a team without a target
    if len(kinds) == 1:
        (own,) = kinds.values()
        return f"Verdict of the two highest rungs: {join_names(sorted(own))}."
    aim = "on target" if team else "fair"
    good = [called(setting) for setting, own in kinds.items() if own <= FINE and own != {BORDERLINE}]
    if not good:
        return f"No setting was shown to be {aim} on both of the two highest rungs, so none is recommended."
    return f"The two highest rungs agree on what would be {aim}: {join_names(good)}."
