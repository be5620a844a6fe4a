"""What the first player wins if both sides choose their strategies best, and whom they choose."""

import polars as pl

from simkit.formatting import counted
from simkit.page.document.parts import Section
from simkit.page.words.confidence import failures
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import (
    Summary,
    TableRow,
    capital,
    distance,
    in_words,
    join_names,
    number,
    percent,
    prose,
    quoted,
    seat_name,
    span,
    whole,
)
from simkit.page.words.strength import same_players_sentences
from simkit.questions.equilibrium import equilibrium_mixes, equilibrium_table
from simkit.tables.findings import Findings, cells

MIN_WEIGHT = 0.005  # smallest weight in a mix that is reported
PROGRAMS = "programs played, not people: a better one may change the value"
CROSSED = "who plays was chosen on one half of the deals and measured on the other"


def equilibrium_answer(findings: Findings) -> Summary:
    """Return the value of the game for the first player if both sides choose their players best."""
    rows, mixes = equilibrium_table(findings).rows(named=True), equilibrium_mixes(findings)
    half = max((row["high"] - row["low"]) / 2 for row in rows)
    deals = counted(max(row["deals"] for row in rows), "deal")
    noise = f"±{number(100 * half)} in 100 by luck ({deals} of each pairing that matters)"
    mixed = [
        f"{capital(chosen_players(findings, mixes.filter(setting=row['setting'])))}"
        f"{_at_setting(findings, row)}."
        for row in _rows_to_report(findings, rows)
    ]
    texts = [*open_words(rows, findings.run.experiment.margin), *mixed, *same_players_sentences(findings)]
    sure = [PROGRAMS, CROSSED, noise]
    return Summary(_value_headline(findings, rows), " ".join(texts), sure, failures(findings))


def open_words(rows: list[TableRow], margin: float) -> list[str]:
    """Return that the only setting favours a player, where it is not certain by how much."""
    low, high = (rows[0][end] - rows[0]["fair"] for end in ("low", "high"))
    ahead = "first" if low > 0 else "second"
    text = f"The {ahead} player is surely ahead, but not surely by more than {distance(margin)}."
    return [text] if len(rows) == 1 and (0 < low < margin or -margin < high < 0) else []


def _value_headline(findings: Findings, rows: list[TableRow]) -> str:
    """Return the value of the only setting, else at the baseline and nearest to fair."""
    condition = f"If both choose the best of these {in_words(max(row['strategies'] for row in rows))} players"
    values = []
    for row in _rows_to_report(findings, rows):
        share = f"{percent(row['share'])} ({span(row['low'], row['high'], scale=100)})"
        values.append(f"{share} of the games{_at_setting(findings, row)}")
    return f"{condition}, the first wins {join_names(values)}."


def _at_setting(findings: Findings, row: TableRow) -> str:
    return f" at {labels_of(findings).place(row['setting'])}" if row["setting"] else ""


def _rows_to_report(findings: Findings, rows: list[TableRow]) -> list[TableRow]:
    """Return the rows of the baseline, if any, and of the setting whose value is nearest to fair."""
    base = cells(findings).filter(pl.col("baseline"))["setting"].to_list()
    nearest = min(rows, key=lambda row: abs(row["share"] - row["fair"]))
    return [row for row in rows if row["setting"] in base[:1] or row is nearest]


def chosen_players(findings: Findings, mixes: pl.DataFrame) -> str:
    """Return the players that the two sides choose at a setting, with their weights in a mix."""
    called, sides = labels_of(findings).strategy, list[str]()
    for seat in (0, 1):
        played = mixes.filter(pl.col("weight") >= MIN_WEIGHT, seat=seat).rows(named=True)
        mixed = join_names(f"{called(row['strategy'])} ({whole(row['weight'])} %)" for row in played)
        sides.append(f"mix {mixed}" if len(played) > 1 else f"choose {quoted(called(played[0]['strategy']))}")
    if sides[0] == sides[1]:
        return f"both players {sides[0]}"
    return f"the {seat_name(0)} is to {sides[0]}, the {seat_name(1)} to {sides[1]}"


BEST_CHOICES_TEXT = prose("""Mirrors say what first place is worth to a player; this says what it is worth
    where either side chooses whoever does best there, knowing how the other side chooses.""")


def best_choices(findings: Findings) -> Section | None:
    """Return the equilibrium of the setting shown; `simkit equilibrium` computes the other settings."""
    baseline = findings.at_baseline()
    if not equilibrium_table(baseline).width:
        return None
    summary = equilibrium_answer(baseline)
    return Section("If both choose best", [summary.headline, summary.advice, BEST_CHOICES_TEXT])
