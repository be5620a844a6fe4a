"""Sentences about a ladder: whether an advantage stays as players get better, and what the best agree on."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import hypot

from simkit.analysis import Findings
from simkit.reporting.document import Stamp
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import games_of_100, interval_words, number, roughly, span
from simkit.reporting.text.phrases import Row, Summary, capital, headed, listed, seat_name
from simkit.reporting.text.stamps import highest_two, stamp_of_rungs
from simkit.stats.verdicts import BORDERLINE, GOOD, OFF

MAX_RATIO = 10.0  # of an interval to what it measures, up to which the deals that settle it are estimated
FINE = {*GOOD, BORDERLINE}
OPEN = "is not settled whether"


def ladder_answer(findings: Findings) -> Summary:
    """Return how the answer changes with skill, what the two highest rungs agree on, and doubtful rungs."""
    answers, called, team = usual_first(findings), labels_of(findings).at, findings.run.team
    rungs = findings.rungs.rows(named=True)
    agreement = f"{advice(answers, called, team)} {fair_values(rungs)}".strip()
    return Summary(skill(answers, called, team), agreement, [], not_stronger(rungs, answers))


def skill_sentence(findings: Findings, is_open: bool = False) -> str:
    """Return what the ladder of a run settles, or leaves open, at its first setting; empty without that."""
    if not findings.rungs.width:
        return ""
    text = skill(findings.rung_answers.rows(named=True), labels_of(findings).at, findings.run.team)
    return text if (OPEN in text) == is_open else ""


def ladder_stamp(answers: Sequence[Row], margin: float) -> Stamp | None:
    """Return the decision about the first setting by the two highest rungs; none without a target."""
    rows = [row for row in highest_two(answers) if row["setting"] == answers[0]["setting"]]
    return None if rows[0]["verdict"] is None else stamp_of_rungs(rows, margin)


def agreed(findings: Findings, settings: list[str]) -> list[str]:
    """Return the settings that neither of the two highest rungs of a run's ladder finds unfair."""
    if not findings.rungs.width:
        return settings
    margin, unfair = findings.run.experiment.margin, set[str]()
    for row in highest_two(findings.rung_answers.rows(named=True)):
        beyond = row["low"] > row["fair"] + margin or row["high"] < row["fair"] - margin
        unfair |= {row["setting"]} if row["verdict"] in OFF or beyond else set()
    return [setting for setting in settings if setting not in unfair]


def compared(rows: list[Row]) -> tuple[Row, Row]:
    """Return the rows of the highest rung that does not search (else of the lowest) and of the highest."""
    *below, best = rows
    plain = [row for row in below if not row["searches"]]
    return (plain or rows[:1])[-1], best


def not_stronger(rungs: Sequence[Row], answers: Sequence[Row] = ()) -> list[str]:
    """Return a warning on the rungs not surely stronger than the one below, or that win less as a team."""
    weak = [row["strategy"] for row in rungs if row["share"] is not None and row["share_low"] <= row["even"]]
    if all(row["share"] is None for row in rungs):
        teams = [row for row in answers if row["setting"] == answers[0]["setting"] and row["seat"] == 0]
        weak = [team["strategy"] for below, team in pairwise(teams) if team["share"] < below["share"]]
    return [f"Not shown to be stronger than the rung below: {listed(weak)}."] if weak else []


def skill(answers: list[Row], called: Callable[[str], str], team: bool) -> str:
    """Return how the highest rung differs from a plain one at the first setting, for the farthest seat."""
    setting = answers[0]["setting"]
    rows = [row for row in answers if row["setting"] == setting]
    highest = [row for row in rows if row["rung"] == rows[-1]["rung"]]
    farthest = max(highest, key=lambda row: abs(row["share"] - row["fair"]))["seat"]
    seat = farthest if len(highest) > 2 else 0
    pair = compared([row for row in rows if row["seat"] == seat])
    text = _team(*pair) if team else _seat(seat, *pair)
    return f"{headed(capital(called(setting)), text) if setting else capital(text)}."


def _team(lower: Row, best: Row) -> str:
    """Return whether a team of better players wins more, with the wins of both."""
    change = f"it {OPEN} better players win more"
    if best["low"] > lower["high"] or best["high"] < lower["low"]:
        change = f"better players win {'more' if best['share'] > lower['share'] else 'less'}"
    both = zip(_nouns(lower, best), (lower, best), strict=True)
    texts = (f"a team of {noun} wins {games_of_100(row['share'])}" for noun, row in both)
    spans = " and ".join(span(row["low"], row["high"], scale=100) for row in (lower, best))
    return f"{change}: {', '.join(texts)} ({spans})"


def _seat(seat: int, lower: Row, best: Row) -> str:
    """Return whether what a seat is worth stays from one rung to another, with both numbers."""
    offs = [100 * (row["share"] - row["fair"]) for row in (lower, best)]
    sign = -1 if max(offs, key=abs) < 0 else 1
    seat_words = "going first" if seat == 0 else f"being the {seat_name(seat)}"
    advantage = f"the {'advantage' if sign > 0 else 'disadvantage'} of {seat_words}"
    less, more = (number(sign * off) for off in offs)
    halves = " and ".join(f"±{number(50 * (row['high'] - row['low']))}" for row in (lower, best))
    plain, strong = _nouns(lower, best)
    numbers = f"{less} percentage points between {plain}, {more} between {strong} ({halves})"
    return trend(advantage, lower, best).format(numbers)


def trend(advantage: str, lower: Row, best: Row) -> str:
    """Return whether an advantage is in the game or in the players; `{}` stands for the numbers.

    It shrinks or grows where both rungs differ beyond luck (by independent intervals), and stays where it is
    beyond luck on both.
    """
    before, after = (row["share"] - row["fair"] for row in (lower, best))
    before_half, half = ((row["high"] - row["low"]) / 2 for row in (lower, best))
    change, change_half = after - before, hypot(before_half, half)
    if {lower["verdict"], best["verdict"]} <= set(GOOD):
        return f"{advantage} is small, whoever plays: {{}}"
    if abs(change) > change_half:
        if abs(after) < abs(before):
            return f"{advantage} shrinks as players get better, so it is partly in the players: {{}}"
        return f"{advantage} grows as players get better, so it is in the game: {{}}"
    if abs(after) > half:
        stays = "stays as players get better, so it is in the game"
        stays = stays if abs(before) > before_half else "is there among the best players"
        return f"{advantage} {stays}: {{}}"
    ratios = [width / abs(size) for width, size in ((half, after), (change_half, change)) if size]
    deals = roughly(round(best["deals"] * min([MAX_RATIO, *ratios]) ** 2))
    open_words = f"it {OPEN} {advantage} changes as players get better"
    return f"{open_words}: {{}}; about {deals} deals would settle it"


def _nouns(lower: Row, best: Row) -> tuple[str, str]:
    """Return nouns for the players of two rungs: by name only where both search or neither does."""
    if best["searches"] and not lower["searches"]:
        return "plain players", "players who search"
    return f"{lower['strategy']} players", f"{best['strategy']} players"


def usual_first(findings: Findings) -> list[Row]:
    """Return the answers, those at the default values of the options first."""
    options = findings.run.words.options
    usual = {name: options[name].default for name in findings.run.ladder.vary if name in options}
    answers = findings.rung_answers.rows(named=True)
    return sorted(answers, key=lambda row: any(row[name] != value for name, value in usual.items()))


def fair_values(rungs: list[Row]) -> str:
    """Return a sentence on how the fair value moves; empty unless one whole-number option is varied."""
    pair = compared(rungs)
    if pair[1]["option"] is None:
        return ""
    texts = (f"between {noun}: {_value(row)}" for noun, row in zip(_nouns(*pair), pair, strict=True))
    return f"Fair {'; '.join(texts)}."


def _value(row: Row) -> str:
    """Return a fair value with its interval."""
    ends = interval_words(row["fair_low"], row["fair_high"])
    return "no value tried" if row["fair"] is None else f"{number(row['fair'])} ({ends})"


def advice(answers: list[Row], called: Callable[[str], str], team: bool) -> str:
    """Return the verdicts of the two highest rungs, or of several settings those that both find fair."""
    kinds: dict[str, set[str]] = {}
    for row in highest_two(answers):
        kinds.setdefault(row["setting"], set()).add(row["verdict"])
    if all(own == {None} for own in kinds.values()):
        return ""  # a team without a target
    if len(kinds) == 1:
        (own,) = kinds.values()
        return f"Verdict of the two highest rungs: {listed(sorted(own))}."
    aim = "on target" if team else "fair"
    good = [called(setting) for setting, own in kinds.items() if own <= FINE and own != {BORDERLINE}]
    if not good:
        return f"No setting was shown to be {aim} on both of the two highest rungs, so none is recommended."
    return f"The two highest rungs agree on what would be {aim}: {listed(good)}."
