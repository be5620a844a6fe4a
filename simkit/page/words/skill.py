"""A ladder in words: what each rung says, how an advantage changes, what the strongest players agree on.

Sentences about a ladder speak of its players, never of the game: other players may show the opposite. A
change with strength is claimed from one family of players to another, by the strongest rung of each; with
players of one family it is a change "among these players".
"""

from collections.abc import Callable, Sequence
from math import hypot

import polars as pl

from simkit.engine.families import LEARNED, SCRIPTED, SEARCH
from simkit.page import document
from simkit.page.document.tables import Show, Table
from simkit.page.words.labels import Labels, labels_of
from simkit.page.words.numbers import (
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
from simkit.runs.folder import Run
from simkit.stats.verdicts import GOOD, NOT_SETTLED, OFF, OUTER
from simkit.tables.fairness import answered
from simkit.tables.findings import Findings
from simkit.tables.rungs import NEAR, Ladder, compared_rows, deciding_rows, rung_answers, rung_runs, rungs

OPEN_QUESTION = "is not settled whether"
AMONG = "among these players"
FIRST = "going first"
KINDS = {SCRIPTED: "scripted", SEARCH: "searching", LEARNED: "learned"}  # of players, by family


# The lines of the brief: one per rung, the weakest first.


def by_strength(findings: Findings) -> Table | None:
    """Return what each rung of a ladder says at the setting of the answer; None without a ladder."""
    if not rungs(findings).width:
        return None
    labels, team, rows = labels_of(findings), findings.run.team, labelled_answers(findings)
    place, option = rows[0]["setting"], rungs(findings)["option"][0]
    lines = strength_lines([row for row in rows if row["setting"] == place], labelled_rungs(findings), team)
    at = f", with {labels.at(place)}" if place else ""
    fair = f"fair {labels.option(option)}" if option else ""
    caption, role = f"By strength of play, the weakest first{at}", role_of(0, judged_side(findings.run))
    return line_table(lines, team, caption, fair, role)


def line_table(
    lines: Sequence[TableRow], team: bool, caption: str, fair: str = "", role: str = FIRST
) -> Table:
    """Return lines of the brief, one per player, as a table; fair: heading of the fair values, if any."""
    worth = "the team wins, %" if team else f"{role} is worth, points"
    heads = {"player": Show("player"), "worth": Show(worth), "games": Show("games", "{:,}")}
    if fair:
        heads["fair"] = Show(fair, "{}", "where the shares cross the fair share")
    return document.table(pl.DataFrame(lines, infer_schema_length=None), heads, caption)


def strength_lines(answers: Sequence[TableRow], rungs: Sequence[TableRow], team: bool) -> list[TableRow]:
    """Return a line per rung: its player, what going first is worth (a team wins) and the fair value."""
    first, lines = {row["rung"]: row for row in answers if row["seat"] == 0}, []
    for rung in rungs:
        row, name, kind = first[rung["rung"]], rung["strategy"], KINDS.get(rung["family"], "")
        fair = "none of those tried"
        if rung["fair"] is not None:
            fair = f"{number(rung['fair'])} ({interval_words(rung['fair_low'], rung['fair_high'])})"
        player = name if kind in name else f"{name} ({kind})"
        lines.append({"player": player, **worth_and_games(row, row["deals"], team), "fair": fair})
    return lines


def worth_and_games(row: TableRow, games: int, team: bool) -> TableRow:
    """Return what going first is worth (a team wins) in points, with the interval of the verdict.

    >>> worth_and_games({"share": 0.593, "fair": 0.5, "ever_low": 0.58, "ever_high": 0.61}, 900, False)
    {'worth': '+9.3 (+8.0 to +11.0)', 'games': 900}
    """
    fair = 0.0 if team else row["fair"]
    ends = span(row["ever_low"] - fair, row["ever_high"] - fair, sign=not team, scale=100)
    return {"worth": f"{number(100 * (row['share'] - fair), sign=not team)} ({ends})", "games": games}


def labelled_answers(findings: Findings) -> list[TableRow]:
    """Return the answers of a ladder with labels of its players, those at the setting of the answer first.

    That is the setting of the run's own answer, on the page of a ladder the one with the usual rules.
    """
    rows = _labelled(findings, rung_answers(findings).rows(named=True))
    if findings.run.kind != "ladder":
        here = {*answered(findings)["setting"]}
        return sorted(rows, key=lambda row: row["setting"] not in here)
    options = findings.run.words.options
    usual = {name: options[name].default for name in findings.run.answer_of(Ladder).vary if name in options}
    return sorted(rows, key=lambda row: any(row[name] != value for name, value in usual.items()))


def labelled_rungs(findings: Findings) -> list[TableRow]:
    """Return the rungs of a ladder with labels of their players."""
    return _labelled(findings, rungs(findings).rows(named=True))


def _labelled(findings: Findings, rows: list[TableRow]) -> list[TableRow]:
    """Return rows with labelled players; the page of a ladder names its rungs as commands do."""
    if findings.run.kind == "ladder":
        return rows
    for labels in findings.cached(_labels):
        rows = [row | {"strategy": labels.strategy(row["strategy"])} for row in rows]
    return rows


def _labels(findings: Findings) -> list[Labels]:
    """Return the labels of a run and of the runs of its ladder, which have other players."""
    return [labels_of(findings), *map(Labels, findings.cached(rung_runs))]


# What the rungs agree on.


def skill_sentence(findings: Findings) -> str:
    """Return where the two deciding rungs, or weaker ones, disagree; empty where nobody surely does."""
    if not rungs(findings).width:
        return ""
    labels = labels_of(findings)
    return disagreement_of_rungs(labelled_answers(findings), labels.at, findings.run.team)


def disagreement_of_rungs(answers: Sequence[TableRow], called: Callable[[str], str], team: bool) -> str:
    """Return the first setting on which verdicts of rungs contradict each other, and which players say so."""
    deciding = {row["rung"] for row in deciding_rows(answers)}
    for setting in dict.fromkeys(row["setting"] for row in answers):
        rows = [row for row in answers if row["setting"] == setting and row["seat"] == 0]
        own = [row for row in rows if row["rung"] in deciding]
        weaker = [row for row in rows if row["rung"] not in deciding and row["family"]]
        place, right = called(setting) if setting else "the game", "on target" if team else "fair"
        good, off = _by_verdict(own)
        if good and off:
            return f"The strongest players disagree: {place} is {right} for {good}, but not for {off}."
        weaker_good, weaker_off = _by_verdict(weaker)
        if off and weaker_good:
            return f"Weaker players differ: for {weaker_good}, {place} would be {right}."
        if weaker_off and all(row["verdict"] in NEAR for row in own):
            return f"Weaker players differ: for {weaker_off}, {place} is not {right}."
    return ""


def agreement_words(findings: Findings) -> str:
    """Return that the rungs that decide agree with a recommendation; empty without a ladder."""
    if not rungs(findings).width:
        return ""
    names = player_names(deciding_rows(labelled_answers(findings)))
    return (
        f"The strongest players ({names}) agree to within {distance(OUTER * findings.run.experiment.margin)}."
    )


def _by_verdict(rows: Sequence[TableRow]) -> tuple[str, str]:
    """Return the players that find a setting fair, and those that surely find it unfair."""
    good, off = ([row for row in rows if row["verdict"] in kinds] for kinds in (GOOD, OFF))
    return player_names(good), player_names(off)


def player_names(rows: Sequence[TableRow]) -> str:
    """Return the players of some rows of a ladder."""
    names = dict.fromkeys(_player(row["strategy"]) for row in rows)
    return join_names(names) if names else ""


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
    """Return the settings that both rungs that decide find surely near fair; without a ladder all."""
    if not rungs(findings).width:
        return settings
    agreed = agreed_settings(rung_answers(findings).rows(named=True))
    return [setting for setting in settings if setting in agreed]


def agreed_settings(answers: Sequence[TableRow]) -> list[str]:
    """Return the settings that both rungs that decide find surely near fair, and neither UNFAIR."""
    rows = deciding_rows(answers)
    differing = {row["setting"] for row in rows if not row["near"] or row["verdict"] in OFF}
    return [setting for setting in dict.fromkeys(row["setting"] for row in rows) if setting not in differing]


def open_answer(answers: list[TableRow]) -> TableRow | None:
    """Return what to settle next: the highest rung of those that decide, if possible at the first setting."""
    unsettled = [row for row in deciding_rows(answers) if row["verdict"] == NOT_SETTLED]
    first = answers[0]["setting"]
    return max(unsettled, key=lambda row: (row["setting"] == first, row["rung"]), default=None)


# How an advantage changes with its players.


def skill(
    answers: list[TableRow],
    called: Callable[[str], str],
    team: bool,
    margin: float,
    sides: Sequence[str] = (),
) -> str:
    """Return how the best rungs of the families differ at the first setting, for the farthest seat."""
    setting = answers[0]["setting"]
    rows = [row for row in answers if row["setting"] == setting]
    highest = [row for row in rows if row["rung"] == rows[-1]["rung"]]
    farthest = max(highest, key=lambda row: abs(row["share"] - row["fair"]))["seat"]
    seat = farthest if len(highest) > 2 else 0
    best = compared_rows([row for row in rows if row["seat"] == seat])
    text = _team(best) if team else _seat(role_of(seat, sides), best, margin)
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
    return f"{change}: {join_names(whole(row['share']) for row in best)} games of 100"


def judged_side(run: Run) -> Sequence[str]:
    """Return the names of two sides, or of the role that is judged; empty where seats are."""
    return [run.role] if run.role else run.sides


def role_of(seat: int, sides: Sequence[str] = ()) -> str:
    """Return what is worth something: a seat, or the first of two sides.

    >>> role_of(0), role_of(1), role_of(0, ["fox", "hounds"])
    ('going first', 'being the second player', 'being the fox')
    """
    return f"being the {sides[0] if sides else seat_name(seat)}" if seat or sides else FIRST


def _seat(role: str, best: Sequence[TableRow], margin: float) -> str:
    """Return how what a seat is worth changes from one family of players to another, with all numbers."""
    worths = join_names(number(100 * (row["share"] - row["fair"]), sign=True) for row in best)
    return f"{_change(role, best, margin)}: {worths} percentage points"


def _change(role: str, best: Sequence[TableRow], margin: float) -> str:
    """Return how an advantage differs between rungs, the weakest first."""
    if {row["verdict"] for row in best} <= set(GOOD):
        kinds = join_names(KINDS[row["family"]] for row in best if row["family"])
        among = f"with {kinds} players" if _of_families(best[0], best[-1]) else AMONG
        return f"{role} is worth little {among}"
    if any(_stands_out(row, best[0], best[-1]) for row in best[1:-1]):
        return f"the worth of {role} depends on the family of players, not on their strength alone"
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
    """Return how an advantage differs between a weaker and a stronger rung.

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
        return f"{sized} stays the same to within {distance(margin)} {where}"
    if signs[0] * signs[1] < 0:
        return f"{sized} reverses {where}"
    if size := moves * _side(after + before, half):
        return f"{sized} {'grows' if size > 0 else 'shrinks'} {where}"
    if moves:
        return f"{worth} {'rises' if moves > 0 else 'falls'} {where}"
    if signs[1]:
        changes = f"changes {where}" if _of_families(lower, best) else "changes among them"
        return f"{sized} is there between the strongest players; whether it {changes} is not settled"
    return f"it {OPEN_QUESTION} {worth} changes {where}"


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
