"""The answer to a run's question in a designer's words: a headline, advice and its certainty."""

import math

import polars as pl

from simkit.page.words.confidence import check_answer, not_agreed, settings_that_held, sureness
from simkit.page.words.confidence import warnings as warnings_of
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import (
    Summary,
    TableRow,
    distance,
    fair_of_100,
    games_of_100,
    roughly,
    seat_name,
    whole,
    with_all,
)
from simkit.page.words.skill import perfect, settings_of_agreement, skill_sentence
from simkit.page.words.verdicts import (
    Claim,
    games_that_settle,
    games_to_settle,
    holds,
    join_sizes,
    joint_verdict_words,
    joint_verdicts,
    label_rows,
    of_each_size,
    players,
    side_of,
    with_not_equal,
)
from simkit.stats.quantiles import normal
from simkit.stats.verdicts import FAULTY, NOT_EQUAL, NOT_SETTLED, OFF, UNFAIR
from simkit.tables.fairness import answered, confirmed, settings
from simkit.tables.findings import Findings, cells
from simkit.tables.seats import first_player_advantage, less_bias, seat_shares

MAX_ADVISED = 3
LEVEL = 0.95  # of the intervals
PICKED = "Picked from these games, so check it on fresh deals before it is printed."


def balance_answer(findings: Findings) -> Summary:
    """Return the answer to the question of a run, for each number of players."""
    looked = label_rows(findings, answered(findings))
    sure, warnings = sureness(findings, looked), warnings_of(findings)
    if not findings.run.judged:
        return Summary(wins_of_team(findings), "", sure, warnings)
    swept = first_player_advantage(findings)["setting"].n_unique() > 1
    advice = [of_each_size(findings, _balance_advice if swept else _among), skill_sentence(findings)]
    advice.append(perfect(findings))
    return Summary(balance_headline(findings), " ".join(filter(None, advice)), sure, warnings)


def balance_headline(findings: Findings) -> str:
    """Return the verdicts and shares of the cells of the answer, for each number of players."""
    sizes = findings.by_size()
    return " ".join(join_sizes({seats: _claim(part, alone=len(sizes) == 1) for seats, part in sizes}))


def wins_of_team(findings: Findings) -> str:
    """Return how often a team wins that has no target, at the settings at which it wins most and least."""
    first, labels = first_player_advantage(findings), labels_of(findings)
    parts = first.partition_by("setting", maintain_order=True)
    ranked = sorted(parts, key=lambda part: -float(str(part["share"].mean())))
    won = [games_of_100(*part["share"]) for part in ranked]
    if len(ranked) == 1:
        return f"The team wins {won[0]}."
    names = [labels.with_base(labels.at(part["setting"][0]), part["baseline"][0]) for part in ranked]
    return f"The team wins most, {won[0]}, with {names[0]}, and least, {won[-1]}, with {names[-1]}."


def _claim(findings: Findings, alone: bool) -> Claim:
    """Summarize the verdicts and shares of the cells of the answer, at tables of one size.

    alone: whether all tables have this size; else shares that may be luck are left to the picture.
    """
    looked = label_rows(findings, with_not_equal(answered(findings), findings.run.team))
    subject, kinds = _subject(findings, looked[0]), [row["verdict"] for row in looked]
    verdict, numbers = joint_verdict_words(kinds, players(findings)), wins_phrase(findings, looked)
    if verdict == FAULTY:
        return Claim(f"too many games failed to judge {subject}", numbers, settled=False)
    two_sides = len({row["share"] > row["fair"] for row in looked}) == 2
    if verdict == UNFAIR and max(row["seats"] for row in looked) == 2 and two_sides:
        verdict = f"{UNFAIR}, and who is ahead depends on who plays"
    settled = not set(kinds) <= {NOT_SETTLED, NOT_EQUAL, FAULTY}
    if not settled and (games := games_that_settle(answered(findings))):
        more_than = f"whether that is more than {distance(findings.run.experiment.margin)} off"
        what = more_than if NOT_EQUAL in kinds else "it"
        open_words = f"about {roughly(games)} games would settle {what}"
        numbers = f"{numbers}; {open_words}" if alone or NOT_EQUAL in kinds else open_words
    return Claim(f"{subject} is {verdict}", numbers, settled)


def _subject(findings: Findings, row: TableRow) -> str:
    called = findings.run.experiment.called.get("baseline")
    if row["baseline"] and called:
        return called
    where = row["setting"]
    if not where:
        balanced = cells(findings).filter(cell=row["cell"])["balanced"][0]
        return "this team" if findings.run.team else "the game" if balanced else "this lineup"
    if row["chosen"]:
        return f"{where}, the farthest from {side_of(findings.run).aim} of all settings tried,"
    labels = labels_of(findings)
    if where == labels.base:
        return "the game as printed" if where == "rulebook" else f"the {where}"
    return labels.with_base(where, True) if row["baseline"] else where


def wins_phrase(findings: Findings, rows: list[TableRow]) -> str:
    """Return the games won of 100 over the cells of some rows, at tables of one size.

    They are the team's, the first of two players', else those of the player farthest from fair; all are
    corrected for the bias of stopping.
    """
    games, seats = games_of_100(*(row.get("adjusted") or row["share"] for row in rows)), rows[0]["seats"]
    if findings.run.team:
        return f"the team wins {games} ({fair_of_100(rows[0]['fair'])} is the target)"
    if seats == 2 and {row["fair"] for row in rows} == {0.5}:
        return f"the first player wins {games}"
    shares = seat_shares(findings).filter(pl.col("cell").is_in([row["cell"] for row in rows]))
    off = (pl.col("share") - pl.col("fair")).abs().max().alias("off")
    seat = 0 if seats == 2 else shares.group_by("seat").agg(off).sort("off", "seat")["seat"][-1]
    own = shares.filter(seat=seat)
    fair = fair_of_100(float(str(own["fair"].mean())))
    return f"the {seat_name(seat)} wins {games_of_100(*less_bias(own)['share'])} ({fair} would be fair)"


def _among(findings: Findings) -> str:
    """Return the lineups with which the side wins least and most, where they differ beyond luck."""
    looked = sorted(label_rows(findings, answered(findings)), key=lambda row: row["share"])
    least, most = looked[0], looked[-1]
    if not differ(least, most, math.comb(len(looked), 2)):
        return ""
    low, high = (f"{row['lineup']} ({whole(row['share'])} of 100)" for row in (least, most))
    return f"The {side_of(findings.run).name} wins least with {low}, most with {high}."


def differ(least: TableRow, most: TableRow, pairs: int) -> bool:
    """Return whether two shares differ beyond luck, chosen as the extremes of `pairs` possible pairs.

    >>> differ({"share": 0.5, "low": 0.48, "high": 0.52}, {"share": 0.53, "low": 0.51, "high": 0.55}, 1)
    True
    >>> differ({"share": 0.5, "low": 0.48, "high": 0.52}, {"share": 0.53, "low": 0.51, "high": 0.55}, 10)
    False
    """
    half = math.hypot(*((row["high"] - row["low"]) / 2 for row in (least, most)))
    stricter = normal(1 - (1 - LEVEL) / max(1, pairs)) / normal(LEVEL)
    return bool(most["share"] - least["share"] > half * stricter)


def _balance_advice(findings: Findings) -> str:
    """Return the advice: settings to use instead, or the nearest to fair."""
    side, good = side_of(findings.run), advised_settings(findings)
    first, labels = first_player_advantage(findings), labels_of(findings)
    base = first.filter("baseline")["setting"].unique().to_list()
    if base and set(first.filter("baseline")["verdict"]) == {side.verdicts[0]}:
        return "It needs no change." if settings_of_agreement(findings, base) else not_agreed(findings, base)
    if (disputed := _settings_to_advise(findings)) and not good:
        return not_agreed(findings, disputed)
    if confirmed(findings).width:
        return check_answer(findings)
    good = good[: good.index(base[0])] if base and base[0] in good else good  # nearer than the baseline
    if good:
        return f"{_instead(findings, good)} {_not_known_yet(findings)}".strip()
    if settings(findings).is_empty():
        return ""
    best = settings(findings)["setting"][0]
    rows = _rows_at(findings, best)
    if base == [best]:
        return f"No other setting tried is nearer to {side.aim}."
    lineups, right = with_all(len(rows), players(findings)), "on target" if findings.run.team else "fair"
    verdict = f"No setting tried is known to be {right}{lineups}"
    if {NOT_SETTLED, FAULTY} & set(joint_verdicts(findings).values()):
        why = "It is not settled" if NOT_SETTLED in first["verdict"] else "Too many games failed to say"
        verdict = f"{why} whether a setting is {right}{lineups}{games_to_settle(first)}"
    return f"{verdict}. Nearest so far is {labels.at(best)}, where {wins_phrase(findings, rows)}."


def _instead(findings: Findings, good: list[str]) -> str:
    """Return the settings to use instead; none is picked if the one farthest from fair holds, too."""
    rows = [row for setting in good for row in _rows_at(findings, setting)]
    lineups = with_all(len(_rows_at(findings, good[0])), players(findings))
    names = labels_of(findings).settings(in_order(findings, good))
    then = f"{names}. Then {wins_phrase(findings, rows)}{lineups}."
    if holds(answered(findings).rows(named=True)):
        return f"Each of these is near {side_of(findings.run).aim}: {then}"
    return f"Instead try: {then} {PICKED}"


def _not_known_yet(findings: Findings) -> str:
    """Return the settings near fair that are not settled, and the deals that would settle them."""
    kinds, good = joint_verdicts(findings), advised_settings(findings)
    candidates = [setting for setting in near_fair(findings) if setting not in good]
    open_still = [setting for setting in candidates if kinds[setting] in (NOT_SETTLED, FAULTY)]
    if not open_still:
        return ""
    names = labels_of(findings).settings(in_order(findings, open_still), "and")
    rows = first_player_advantage(findings).filter(pl.col("setting").is_in(open_still))
    return f"Not known yet: {names}{games_to_settle(rows)}."


def _rows_at(findings: Findings, setting: str) -> list[TableRow]:
    return label_rows(findings, first_player_advantage(findings).filter(setting=setting))


def in_order(findings: Findings, settings: list[str]) -> list[str]:
    """Return settings in the order of the experiment."""
    return sorted(settings, key=cells(findings)["setting"].unique(maintain_order=True).to_list().index)


def advised_settings(findings: Findings) -> list[str]:
    """Return the settings that held on fresh deals; without a check those worth one, the nearest first.

    Without a check they hold in the run itself, and players of a ladder agree.
    """
    return settings_of_agreement(findings, _settings_to_advise(findings))[:MAX_ADVISED]


def _settings_to_advise(findings: Findings) -> list[str]:
    """Return the settings that are worth advising by the games of the run and its check."""
    if confirmed(findings).width:
        return settings_that_held(findings)
    cases = first_player_advantage(findings).partition_by("setting", as_dict=True)
    return [name for name in _near(findings) if holds(cases[name,].rows(named=True))]


def near_fair(findings: Findings) -> list[str]:
    """Return the few settings nearest to fair that are not surely unfair, settled or not."""
    return _near(findings)[:MAX_ADVISED]


def _near(findings: Findings) -> list[str]:
    """Return the settings near fair, nearest first: within the margin, UNFAIR with no lineup.

    No setting is farther from fair than the baseline; where the baseline is fair, it is the only one.
    """
    if first_player_advantage(findings)["setting"].n_unique() < 2 or settings(findings).is_empty():
        return []
    failing = first_player_advantage(findings).filter(pl.col("verdict").is_in(OFF))["setting"]
    near = pl.col("off") <= findings.run.experiment.margin
    close = settings(findings).filter(near & ~pl.col("setting").is_in(failing.to_list()))["setting"].to_list()
    before = first_player_advantage(findings).filter("baseline")
    if (base := before["setting"].unique().to_list()) and base[0] in close:
        fine = set(before["verdict"]) == {side_of(findings.run).verdicts[0]}
        close = base if fine else close[: close.index(base[0]) + 1]
    return close
