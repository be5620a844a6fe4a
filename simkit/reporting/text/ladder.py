"""Sentences about a ladder: how the answer changes as players get better, and what the best agree on."""

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.confidence import reconstructions, verdict_scale
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import (
    Row,
    Summary,
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

STRONGEST = "between the strongest"
FINE = {FAIR, ON_TARGET, BORDERLINE}

CERTAIN = "a search plays until shares are known to ±2 points, or as many deals as its budget allows"


def ladder_answer(findings: Findings) -> Summary:
    """Return how the answer changes with skill, what the two highest rungs agree on, and how sure that is."""
    first, *others = _by_setting(findings)
    rungs, answers = findings.rungs.rows(named=True), findings.rung_answers.rows(named=True)
    values = _fair_values(rungs)
    headline, rest = (f"{first} {values}", others) if values else (" ".join([first, *others]), [])
    plain, best = scripted_and_best(rungs)
    who = f"plain players: {plain['strategy']}; the strongest: {best['strategy']}"
    sure = ["programs played, not people", who, CERTAIN, verdict_scale(findings.run)]
    advice = " ".join([*rest, _advice(findings, answers)])
    return Summary(headline, advice, sure, reconstructions(findings.run))


def skill_sentence(findings: Findings) -> str:
    """Return what the ladder of a run says of the settings of its answer; empty without a ladder."""
    if not findings.rungs.width:
        return ""
    strongest = f"{STRONGEST} ({findings.rungs['strategy'][-1]})"
    return " ".join(_by_setting(findings)).replace(STRONGEST, strongest, 1)


def agreed(findings: Findings, settings: list[str]) -> list[str]:
    """Return the settings that the two highest rungs of a run's ladder do not find unfair."""
    if not findings.rungs.width:
        return settings
    last = findings.rungs.height - 1
    highest = findings.rung_answers.filter(pl.col("rung") >= last - 1)
    margin, off = findings.run.experiment.margin, pl.col("share") - pl.col("fair")
    half = (pl.col("high") - pl.col("low")) / 2
    unfair = highest.filter((off.abs() > half + margin) | pl.col("verdict").is_in([UNFAIR, EASY, HARD]))
    return [setting for setting in settings if setting not in unfair["setting"].to_list()]


def scripted_and_best(rows: list[Row]) -> tuple[Row, Row]:
    """Return the rows of the strongest rung that does not search, and of the highest rung."""
    plain = [row for row in rows if not row["searches"]]
    return (plain or rows)[-1], rows[-1]


def worth(row: Row, sign: int = 1) -> str:
    """Return what a seat wins more (with sign −1: less) than is fair, in points.

    >>> worth({"share": 0.56, "low": 0.54, "high": 0.58, "fair": 0.5})
    '6.0 ± 2.0'
    """
    half = 100 * (row["high"] - row["low"]) / 2
    return f"{number(sign * 100 * (row['share'] - row['fair']))} ± {number(half)}"


def _by_setting(findings: Findings) -> list[str]:
    """Return a sentence per setting on the farthest seat, or the team; the usual setting first.

    It compares the strongest rung that does not search with the highest rung.
    """
    sentences, answers = [], findings.rung_answers.rows(named=True)
    for setting in dict.fromkeys(row["setting"] for row in answers):
        rows = [row for row in answers if row["setting"] == setting]
        seat = 0 if max(row["seat"] for row in rows) < 2 else _farthest(rows)
        pair = scripted_and_best([row for row in rows if row["seat"] == seat])
        said = _team(*pair) if findings.run.team else _seat(seat, *pair)
        sentences.append(
            f"{headed(capital(labels_of(findings).at(setting)), said) if setting else capital(said)}."
        )
    return sentences


def _team(plain: Row, best: Row) -> str:
    wins = [
        f"{games_of_100(row['share'])} ({span(row['low'], row['high'], scale=100)})" for row in (plain, best)
    ]
    return f"a team of plain players wins {wins[0]}, one of the strongest {wins[1]}"


def _seat(seat: int, plain: Row, best: Row) -> str:
    """Return what a seat is worth at two rungs; a place that costs both is named so."""
    costs = plain["share"] < plain["fair"] and best["share"] < best["fair"]
    subject, verb = (
        "going first" if seat == 0 else f"being the {seat_name(seat)}",
        "costs" if costs else "is worth",
    )
    plain_worth, best_worth = (worth(row, -1 if costs else 1) for row in (plain, best))
    return f"{subject} {verb} {plain_worth} points between plain players and {best_worth} {STRONGEST}"


def _farthest(rows: list[Row]) -> int:
    """Return the seat that is farthest from fair at the highest rung."""
    highest = [row for row in rows if row["rung"] == rows[-1]["rung"]]
    return int(max(highest, key=lambda row: abs(row["share"] - row["fair"]))["seat"])


def _fair_values(rungs: list[Row]) -> str:
    """Return a sentence on how the fair value moves; empty unless one option is varied."""
    plain, best = scripted_and_best(rungs)
    if best["option"] is None:
        return ""
    return f"Fair would be {_value(plain)} between plain players, {_value(best)} between the strongest."


def _value(row: Row) -> str:
    if row["fair"] is None:
        return "none of the values tried"
    return f"{number(row['fair'])} ({interval_words(row['fair_low'], row['fair_high'])})"


def _advice(findings: Findings, answers: list[Row]) -> str:
    """Return the settings that the two highest rungs find fair, or that there is none to recommend."""
    verdicts: dict[str, list[str]] = {}
    for row in answers:
        if row["rung"] >= answers[-1]["rung"] - 1 and row["seat"] == 0:
            verdicts.setdefault(row["setting"], []).append(row["verdict"])
    good = [
        setting for setting, kinds in verdicts.items() if set(kinds) <= FINE and set(kinds) != {BORDERLINE}
    ]
    aim = "on target" if findings.run.team else "fair"
    if good == [""]:
        return f"The two highest rungs agree that it is {aim}."
    if good:
        return f"The two highest rungs agree that {listed(map(labels_of(findings).at, good))} is {aim}."
    return f"The two highest rungs do not agree on {_subject(verdicts)} {aim}, so none is recommended."


def _subject(verdicts: dict[str, list[str]]) -> str:
    return "whether it is" if list(verdicts) == [""] else "a setting that is"


def rung_rows(findings: Findings) -> list[Row]:
    """Return the table of rungs for the terminal: strength, cost, agreement."""
    return [
        {
            "rung": row["strategy"],
            "Elo": "" if row["elo"] is None else number(row["elo"], 0),
            "beats the rung below": "" if row["share"] is None else percent(row["share"]),
            "ms per decision": f"{row['milliseconds']:.3g}",
            "decides like the highest": percent(row["agreement"]),
        }
        for row in findings.rungs.rows(named=True)
    ]


def setting_rows(findings: Findings) -> list[Row]:
    """Return the table of answers for the terminal: a row per rung, setting and seat."""
    rows, labels = findings.rung_answers, labels_of(findings)
    return [
        {
            **({labels.option(name): row[name] for name in findings.run.ladder.vary}),
            "rung": row["strategy"],
            "player": "team" if findings.run.team else seat_name(row["seat"]),
            "wins": percent(row["share"]),
            "95 % interval": span(row["low"], row["high"], scale=100),
            "verdict": row["verdict"],
            "deals": row["deals"],
            "turns": number(row["turns"]),
            "lead changes": "" if row["lead_changes"] is None else number(row["lead_changes"]),
        }
        for row in rows.rows(named=True)
        if findings.run.team or findings.run.cells[0].seats > 2 or row["seat"] == 0
    ]
