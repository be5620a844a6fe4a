"""Sentences about a ladder: how an advantage changes with its players, and what its best players agree on.

Sentences about a ladder speak of its players, never of the game: other players may show the opposite. A
change with strength is claimed from one family of players to another, by the strongest rung of each; with
players of one family it is a change "among these players".
"""

from collections.abc import Callable, Sequence
from math import ceil, hypot

from simkit.engine.families import LEARNED, SCRIPTED, SEARCH
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import (
    TableRow,
    capital,
    distance,
    games_of_100,
    join_names,
    number,
    seat_name,
    span,
    whole,
    with_heading,
)
from simkit.stats.quantiles import normal
from simkit.stats.verdicts import BORDERLINE, GOOD, INNER, OFF
from simkit.tables.findings import Findings
from simkit.tables.rungs import compared_rows, deciding_rows, rung_answers, rungs

CHANCE = 0.8  # probability that the number of deals in a sentence settles its question
MAX_NAMED_FACTOR = 100  # factor of deals up to which it is named
FINE = {*GOOD, BORDERLINE}
OPEN_QUESTION = "is not settled whether"
AMONG = "among these players"
KINDS = {SCRIPTED: "scripted", SEARCH: "searching", LEARNED: "learned"}  # of players, by family


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


def settings_of_agreement(findings: Findings, settings: list[str]) -> list[str]:
    """Return the settings that a run's ladder covers and with which no rung disagrees that decides.

    A rung disagrees by a verdict of UNFAIR or, without a verdict, if a seat is surely more than half a margin
    off fair (at 5 % for all rows of a setting together, Bonferroni).
    """
    if not rungs(findings).width:
        return settings
    rows, unfair = deciding_rows(rung_answers(findings).rows(named=True)), set[str]()
    covered = {row["setting"] for row in rows}
    wider = normal(1 - 0.05 * len(covered) / len(rows)) / normal(0.95)
    for row in rows:
        surely = abs(row["share"] - row["fair"]) - wider * _half(row)
        far = surely > INNER * findings.run.experiment.margin
        disagrees = row["verdict"] in OFF or (far and row["verdict"] not in FINE)
        unfair |= {row["setting"]} if disagrees else set()
    return [setting for setting in settings if setting in covered - unfair]


def skill(answers: list[TableRow], called: Callable[[str], str], team: bool, margin: float) -> str:
    """Return how the best rungs of the families differ at the first setting, for the farthest seat."""
    setting = answers[0]["setting"]
    rows = [row for row in answers if row["setting"] == setting]
    highest = [row for row in rows if row["rung"] == rows[-1]["rung"]]
    farthest = max(highest, key=lambda row: abs(row["share"] - row["fair"]))["seat"]
    seat = farthest if len(highest) > 2 else 0
    best = compared_rows([row for row in rows if row["seat"] == seat])
    text = _team(best) if team else _seat(seat, best, margin)
    return f"{with_heading(capital(called(setting)), text) if setting else capital(text)}."


def _team(best: Sequence[TableRow]) -> str:
    """Return whether a team of better players wins more, with the wins of all."""
    lower, highest = best[0], best[-1]
    among, who, more = f"{AMONG}, ", "better ones", ""
    if _of_families(lower, highest):
        among, who, more = "", f"{KINDS[highest['family']]} players", f" than {KINDS[lower['family']]} ones"
    change = f"{among}it {OPEN_QUESTION} {who} win more{more}"
    if highest["low"] > lower["high"] or highest["high"] < lower["low"]:
        change = f"{among}{who} win {'more' if highest['share'] > lower['share'] else 'less'}{more}"
    texts = (f"a team of {row['strategy']} wins {games_of_100(row['share'])}" for row in best)
    spans = join_names(span(row["low"], row["high"], scale=100) for row in best)
    return f"{change}: {', '.join(texts)} ({spans})"


def _seat(seat: int, best: Sequence[TableRow], margin: float) -> str:
    """Return how what a seat is worth changes from one family of players to another, with all numbers."""
    role = "going first" if seat == 0 else f"being the {seat_name(seat)}"
    worths = [number(100 * (row["share"] - row["fair"]), sign=True) for row in best]
    worths[0] += " percentage points"
    texts = (f"{worth} with {_player(row['strategy'])}" for worth, row in zip(worths, best, strict=True))
    halves = join_names(f"±{number(100 * _half(row))}" for row in best)
    return _change(role, best, margin).format(f"{', '.join(texts)} ({halves})")


def _change(role: str, best: Sequence[TableRow], margin: float) -> str:
    """Return how an advantage differs between rungs, the weakest first; `{}` stands for the numbers."""
    if {row["verdict"] for row in best} <= set(GOOD):
        kinds = join_names(KINDS[row["family"]] for row in best if row["family"])
        among = f"with {kinds} players" if _of_families(best[0], best[-1]) else AMONG
        return f"{role} is worth little {among}: {{}}"
    if any(_stands_out(row, best[0], best[-1]) for row in best[1:-1]):
        return f"the worth of {role} depends on the family of players, not on their strength alone: {{}}"
    return trend(role, best[0], best[-1], margin)


def _of_families(lower: TableRow, best: TableRow) -> bool:
    """Return whether two rungs belong to different families; random moves belong to none."""
    return bool(lower["family"] and best["family"] and lower["family"] != best["family"])


def _stands_out(row: TableRow, lower: TableRow, best: TableRow) -> bool:
    """Return whether a rung of a third family lies surely outside what the two others show."""
    sides = {_side(row["share"] - end["share"], hypot(_half(row), _half(end))) for end in (lower, best)}
    return sides in ({1}, {-1})


def _player(label: str) -> str:
    """Return a player as a sentence names it.

    >>> _player("very careful player"), _player("search(budget=50)")
    ('the very careful player', 'search(budget=50)')
    """
    return f"the {label}" if label.endswith(" player") else label


def trend(role: str, lower: TableRow, best: TableRow, margin: float) -> str:
    """Return how an advantage differs between a weaker and a stronger rung; `{}` stands for the numbers.

    Each claim is certain at 95 %: the advantage stays if it changes by less than the margin; it reverses if
    both rungs are off fair, on different sides; it shrinks or grows if its size changes; the worth falls or
    rises if it changes, but perhaps across fair.
    """
    before, after = (row["share"] - row["fair"] for row in (lower, best))
    change, half = after - before, hypot(_half(lower), _half(best))
    signs, moves = (_side(before, _half(lower)), _side(after, _half(best))), _side(change, half)
    worth, where = f"the worth of {role}", _passage(lower, best)
    sized = {1: f"the advantage of {role}", -1: f"the disadvantage of {role}", 0: worth}[signs[0] or signs[1]]
    if abs(change) + half < margin:
        return f"{sized} stays the same to within {distance(margin)} {where}: {{}}"
    if signs[0] * signs[1] < 0:
        return f"{sized} reverses {where}: {{}}"
    if size := moves * _side(after + before, half):
        return f"{sized} {'grows' if size > 0 else 'shrinks'} {where}: {{}}"
    if moves:
        return f"{worth} {'rises' if moves > 0 else 'falls'} {where}: {{}}"
    times = times_to_settle(change, half / normal(0.95), margin)
    factor = f"about {times}" if times <= MAX_NAMED_FACTOR else f"more than {MAX_NAMED_FACTOR}"
    odds = f"at least {whole(CHANCE)} of 100 cases if the change is as it looks"
    deals = f"{factor} times as many deals would settle it in {odds}"
    if signs[1]:
        still = f"{sized} is there between the strongest of these players"
        changes = f"changes {where}" if _of_families(lower, best) else "changes among them"
        return f"{still}, and whether it {changes} is not settled: {{}}; {deals}"
    return f"it {OPEN_QUESTION} {worth} changes {where}: {{}}; {deals}"


def _passage(lower: TableRow, best: TableRow) -> str:
    """Return from which players to which an advantage changes.

    >>> scripted, learned, search = ({"family": family} for family in ("scripted", "learned", "search"))
    >>> _passage(scripted, learned), _passage(search, search)
    ('from scripted to learned players', 'among these players')
    """
    if not _of_families(lower, best):
        return AMONG
    return f"from {KINDS[lower['family']]} to {KINDS[best['family']]} players"


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
