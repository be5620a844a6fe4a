"""Sentences about a ladder: how the answer changes as players get better, and what the best agree on."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from simkit.analysis import Findings
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import (
    Row,
    capital,
    games_of_100,
    headed,
    interval_words,
    listed,
    number,
    percent,
    seat_name,
    span,
)
from simkit.stats.verdicts import BORDERLINE, EASY, FAIR, HARD, ON_TARGET, UNFAIR

MAX_SETTINGS = 3  # settings with a sentence of their own; the table has all
FINE, OFF = {FAIR, ON_TARGET, BORDERLINE}, {UNFAIR, EASY, HARD}
Called = Callable[[str], str]  # label of a setting


def ladder_answer(findings: Findings) -> tuple[str, str]:
    """Return how the answer changes with skill, and what the two highest rungs agree on."""
    rungs, answers = findings.rungs.rows(named=True), findings.rung_answers.rows(named=True)
    called, team = labels_of(findings).at, findings.run.team
    ordered = _usual_first(findings, answers)
    first, *others = skill_sentences(ordered, called, team, best_players(rungs, answers))
    headline = " ".join(filter(None, [first, fair_values(rungs)]))
    return headline, " ".join([advice(answers, called, team), *others])


def skill_sentence(findings: Findings) -> str:
    """Return what the ladder of a run says of its first setting, and where it is fair (else of others).

    It is empty without a ladder.
    """
    if not findings.rungs.width:
        return ""
    rungs, answers = findings.rungs.rows(named=True), findings.rung_answers.rows(named=True)
    best = f"{best_players(rungs, answers)} ({rungs[-1]['strategy']})"
    first, *others = skill_sentences(answers, labels_of(findings).at, findings.run.team, best)
    fair = fair_values(rungs)
    return " ".join([first, *([fair] if fair else others)])


def agreed(findings: Findings, settings: list[str]) -> list[str]:
    """Return the settings that the two highest rungs of a run's ladder do not find unfair."""
    if not findings.rungs.width:
        return settings
    unfair = unfair_settings(findings.rung_answers.rows(named=True), findings.run.experiment.margin)
    return [setting for setting in settings if setting not in unfair]


def unfair_settings(answers: list[Row], margin: float) -> set[str]:
    """Return the settings that one of the two highest rungs finds unfair.

    >>> row = {"rung": 1, "setting": "goal = 50", "verdict": "NOT SETTLED", "low": 0.56, "high": 0.6}
    >>> unfair_settings([row | {"fair": 0.5}], 0.02), unfair_settings([row | {"fair": 0.55}], 0.02)
    ({'goal = 50'}, set())
    """
    return {
        row["setting"]
        for row in _highest_two(answers)
        if row["verdict"] in OFF or row["low"] > row["fair"] + margin or row["high"] < row["fair"] - margin
    }


def compared(rows: list[Row]) -> tuple[Row, Row]:
    """Return the rows of the two rungs that sentences compare: a plain one, if there is one, and the highest.

    The plain one is the highest below it that does not search; if all search, it is the lowest rung.
    """
    *below, best = rows
    plain = [row for row in below if not row["searches"]]
    return (plain or rows[:1])[-1], best


def _lower_players(lower: Row) -> str:
    """Return the noun for players of the lower of the rungs that are compared."""
    return "players of the lowest rung" if lower["searches"] else "plain players"


def best_players(rungs: list[Row], answers: Sequence[Row] = ()) -> str:
    """Return the noun for players of the highest rung: the strongest if no other has a higher Elo.

    A team has no Elo; it is the strongest if no other rung of `answers` wins more.

    >>> best_players([{"elo": None}, {"elo": 90.0}]), best_players([{"elo": None}, {"elo": -90.0}])
    ('the strongest players', 'players of the highest rung')
    """
    strengths = [row["elo"] or 0.0 for row in rungs]  # the lowest has none
    if rungs[-1]["elo"] is None:
        strengths = [team["share"] for team in _of_one_setting(answers)]
    *lower, highest = strengths
    return "players of the highest rung" if max(lower) > highest else "the strongest players"


def not_stronger(rungs: list[Row], answers: Sequence[Row] = ()) -> list[str]:
    """Return a warning for each rung not surely stronger than the one below, or that wins less as a team."""
    rows = [row for row in rungs if row["share"] is not None and row["share_low"] <= row["even"]]
    if any(row["share"] is not None for row in rungs):
        return [_weak(row) for row in rows]
    teams = _of_one_setting(answers)
    return [_weak_team(below, team) for below, team in pairwise(teams) if team["share"] < below["share"]]


def _of_one_setting(answers: Sequence[Row]) -> list[Row]:
    return [row for row in answers if row["setting"] == answers[0]["setting"] and row["seat"] == 0]


def _weak_team(below: Row, team: Row) -> str:
    wins = f"{percent(team['share'])} of games instead of {percent(below['share'])}"
    return f"A team of {team['strategy']} wins less than one of {below['strategy']}, the rung below: {wins}."


def _weak(row: Row) -> str:
    certainty = "is weaker" if row["share_high"] < row["even"] else "is not surely stronger"
    wins = f"wins {percent(row['share'])} against it ({span(row['share_low'], row['share_high'], scale=100)})"
    even = f"; {percent(row['even'])} would be even"
    return f"{row['strategy']} {certainty} than {row['rival']}, the rung below: it {wins}{even}."


def skill_sentences(answers: list[Row], called: Called, team: bool, best_noun: str) -> list[str]:
    """Return a sentence for each of the first settings: how the highest rung differs from a plain one.

    It is on the team, or on the seat farthest from fair.
    """
    sentences = list[str]()
    for setting in list(dict.fromkeys(row["setting"] for row in answers))[:MAX_SETTINGS]:
        rows = [row for row in answers if row["setting"] == setting]
        seat = 0 if max(row["seat"] for row in rows) < 2 else _farthest(rows)
        lower, best = compared([row for row in rows if row["seat"] == seat])
        nouns = _lower_players(lower), best_noun
        text = _team([lower, best], nouns) if team else _seat(seat, [lower, best], nouns)
        sentences.append(f"{headed(capital(called(setting)), text) if setting else capital(text)}.")
    return sentences


def _team(rows: list[Row], nouns: tuple[str, str]) -> str:
    """Return how often a team wins on two rungs."""
    lower, best = (games_of_100(row["share"]) for row in rows)
    spans = " and ".join(span(row["low"], row["high"], scale=100) for row in rows)
    return f"a team of {nouns[0]} wins {lower}, a team of {nouns[1]} {best} ({spans})"


def _seat(seat: int, rows: list[Row], nouns: tuple[str, str]) -> str:
    """Return what a seat is worth on two rungs; a seat that costs on both is described so."""
    costs = all(row["share"] < row["fair"] for row in rows)
    subject = "going first" if seat == 0 else f"being the {seat_name(seat)}"
    lower, best = (worth(row, -1 if costs else 1) for row in rows)
    values = f"{lower} percentage points between {nouns[0]} and {best} between {nouns[1]}"
    halves = " and ".join(f"±{number(50 * (row['high'] - row['low']))}" for row in rows)
    return f"{subject} {'costs' if costs else 'is worth'} {values} ({halves})"


def worth(row: Row, sign: int = 1) -> str:
    """Return what a seat wins more (with sign −1: less) than is fair, in percentage points.

    >>> worth({"share": 0.56, "fair": 0.5}), worth({"share": 0.56, "fair": 0.5}, -1)
    ('6.0', '−6.0')
    """
    return number(sign * 100 * (row["share"] - row["fair"]))


def _farthest(rows: list[Row]) -> int:
    """Return the seat that is farthest from fair on the highest rung."""
    highest = [row for row in rows if row["rung"] == rows[-1]["rung"]]
    return int(max(highest, key=lambda row: abs(row["share"] - row["fair"]))["seat"])


def _usual_first(findings: Findings, answers: list[Row]) -> list[Row]:
    """Return the answers, those at the default values of the options first."""
    options = findings.run.words.options
    usual = {name: options[name].default for name in findings.run.ladder.vary if name in options}
    return sorted(answers, key=lambda row: any(row[name] != value for name, value in usual.items()))


def fair_values(rungs: list[Row]) -> str:
    """Return a sentence on how the fair value moves; empty unless one whole-number option is varied."""
    lower, best = compared(rungs)
    if best["option"] is None:
        return ""
    values, never, unsettled = list[str](), list[str](), list[str]()
    for row, noun in ((lower, _lower_players(lower)), (best, best_players(rungs))):
        if row["fair"] is None:
            never.append(noun)
        elif row["fair_low"] is None and row["fair_high"] is None:
            unsettled.append(noun)
        else:
            values.append(f"{_value(row)} between {noun}")
    parts = [f"fair would be {listed(values)}"] if values else []
    parts += [f"no value tried is fair between {listed(never, 'or between')}"] if never else []
    parts += [f"any value tried may be fair between {listed(unsettled, 'or between')}"] if unsettled else []
    return f"{capital('; '.join(parts))}."


def _value(row: Row) -> str:
    return f"{number(row['fair'])} ({interval_words(row['fair_low'], row['fair_high'])})"


def _highest_two(answers: list[Row]) -> list[Row]:
    highest = max(row["rung"] for row in answers)
    return [row for row in answers if row["rung"] >= highest - 1]


def advice(answers: list[Row], called: Called, team: bool) -> str:
    """Return what the verdicts of the two highest rungs agree on: the game, or the settings that are fair."""
    verdicts: dict[str, set[str]] = {}
    for row in _highest_two(answers):
        verdicts.setdefault(row["setting"], set()).add(row["verdict"])
    aim = "on target" if team else "fair"
    return _of_game(verdicts[""], aim) if "" in verdicts else _of_settings(verdicts, called, aim)


def _of_game(kinds: set[str], aim: str) -> str:
    """Return whether the two highest rungs agree on the only setting, by their verdicts."""
    if kinds == {BORDERLINE}:
        return f"The two highest rungs agree that it is a borderline case between {aim} and not."
    if kinds <= FINE:
        return f"The two highest rungs agree that it is {aim}."
    if kinds <= OFF and len(kinds) == 1:
        (kind,) = kinds
        return f"The two highest rungs agree that it is {'not fair' if kind == UNFAIR else kind.lower()}."
    if kinds <= FINE | OFF:
        return f"The two highest rungs disagree on whether it is {aim}."
    return f"The games of the two highest rungs do not settle whether it is {aim}."


def _of_settings(verdicts: Mapping[str, set[str]], called: Called, aim: str) -> str:
    """Return the settings that the two highest rungs find fair, or why there is none."""
    good = [called(setting) for setting, kinds in verdicts.items() if kinds <= FINE and kinds != {BORDERLINE}]
    if good:
        settings = "this setting" if len(good) == 1 else "these settings"
        return f"The two highest rungs agree that {settings} would be {aim}: {listed(good)}."
    settled = all(kinds <= FINE | OFF for kinds in verdicts.values())
    certainty = aim if settled else f"settled as {aim}"
    return f"No setting is {certainty} on both of the two highest rungs, so none is recommended."


def duration(milliseconds: float) -> str:
    """Return a time with two significant digits.

    >>> duration(0.00003), duration(0.0061), duration(12.3), duration(4_200)
    ('30 ns', '6.1 µs', '12 ms', '4,200 ms')
    """
    for unit, size in (("ns", 1e-6), ("µs", 1e-3)):
        if milliseconds < 1000 * size:
            return f"{float(f'{milliseconds / size:.2g}'):g} {unit}"
    return f"{float(f'{milliseconds:.2g}'):,g} ms"
