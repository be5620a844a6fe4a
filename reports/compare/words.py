"""Sentences of the comparison page: the largest settled effect, and which rule set is nearest to fair."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from statistics import mean
from typing import NamedTuple

import polars as pl

from simkit.formatting import rounded
from simkit.page.advice import recommended_settings
from simkit.page.words.confidence import SURE, check_answer, sureness
from simkit.page.words.labels import labels_of, measure_name
from simkit.page.words.numbers import (
    Summary,
    TableRow,
    capital,
    distance,
    ends,
    fair_of_100,
    games_of_100,
    in_words,
    join_names,
    number,
    roughly,
    seat_name,
    span,
    whole,
)
from simkit.page.words.roles import cured_words, dealt, roles_sentence, unfair_role
from simkit.page.words.skill import skill_sentence
from simkit.page.words.verdicts import (
    beyond_two,
    claim,
    games_that_settle,
    joint_verdict,
    joint_verdict_words,
    players,
    seat_or_side,
    side_of,
    verdicts_by_size,
    with_not_equal,
)
from simkit.questions.compare import rule_sets, rules_nearer
from simkit.stats.planning import deals_to_narrow
from simkit.stats.shrinkage import shrink
from simkit.stats.verdicts import FAIR, NOT_EQUAL, NOT_SETTLED, OFF, ON_TARGET
from simkit.tables.compare import SIDE_WINS, comparisons, wins
from simkit.tables.fairness import confirmed, nearest
from simkit.tables.findings import Findings, cells
from simkit.tables.seats import first_player_advantage, nobody_wins

from ..sections.answer import balance_headline, wins_phrase
from ..sections.changes import NOT_SEATS, greatest_sure_change, helpful_rules, single_changes

WHOLE_GAMES = 1.5  # games of 100 from which a change is given in whole games


class Nearness(NamedTuple):
    """Numbers of lineups with which a rule set is, beyond luck, nearer to fair than another, and farther."""

    nearer: int
    farther: int


def rules_answer(findings: Findings) -> Summary:
    """Return the largest settled effect, the rule set nearest to fair and certainty, size by size."""
    if len(findings.by_size()) > 1:
        headline, advice = _sizes_headline(findings), [_checked_by_size(findings), _farthest(findings)]
    else:
        headline = _rules_headline(findings)
        second = check_answer if confirmed(findings).width else _nearest
        advice = [_single_change_words(findings), _helps(findings), second(findings)]
    about_roles, off = roles_sentence(dealt(findings), findings.run.experiment.margin), unfair_role(findings)
    headline = f"{headline} {about_roles if off else ''}".strip()
    advice += [skill_sentence(findings), "" if off else about_roles]
    advice.append(cured_words(findings) if off else "")
    rows = labels_of(findings).label(first_player_advantage(findings).filter("baseline")).rows(named=True)
    return Summary(headline, " ".join(filter(None, advice)), sureness(findings, rows), [])


def _sizes_headline(findings: Findings) -> str:
    """Return with which numbers of players the best rule set is nearer to fair than the baseline."""
    best, *others = other_rule_sets(findings)
    aim, called = side_of(findings.run).aim, labels_of(findings).rule(best)
    parts, kinds = [part for _, part in findings.by_size()], dict[int, tuple[str, str]]()
    if others and not any(nearness(part, other).nearer for part in parts for other in [best, *others]):
        nobody = f"None of {1 + len(others)} rule sets is shown to be nearer to {aim}"
        return f"{nobody} than the {labels_of(findings).base}."
    for seats, part in findings.by_size():
        kinds[seats] = called, stand_words(nearness(part, best), cells(part)["lineup"].n_unique(), aim)
    return verdicts_by_size(kinds)


def stand_words(stand: Nearness, lineups: int, aim: str) -> str:
    """Return whether a rule set is nearer to fair than the baseline with all lineups.

    >>> [stand_words(Nearness(*counts), 1, "fair") for counts in ((1, 0), (0, 1), (0, 0))]
    ['nearer to fair', 'farther from fair', 'not shown to be nearer to fair']
    """
    if stand.farther == lineups:
        return f"farther from {aim}"
    return f"{'' if stand.nearer == lineups else 'not shown to be '}nearer to {aim}"


def _checked_by_size(findings: Findings) -> str:
    """Return what is best on fresh deals with each number of players; without a check, the baseline."""
    if not confirmed(findings).width:
        return balance_headline(findings)
    held = {seats: recommended_settings(part) for seats, part in findings.by_size()}
    near, name = f"near {side_of(findings.run).aim} on fresh deals", labels_of(findings).rule
    best = {seats: (name(good[0]), near) for seats, good in held.items() if good}
    return verdicts_by_size(best) if best else f"Nothing is {near}."


def _farthest(findings: Findings) -> str:
    """Return the verdicts on the rule set farthest from fair; empty unless it is off for some table."""
    worst, kinds = rule_sets(findings).rows(named=True)[-1], dict[int, tuple[str, str]]()
    for seats, part in findings.by_size():
        verdicts = first_player_advantage(part).filter(setting=worst["setting"])["verdict"].to_list()
        kinds[seats] = labels_of(findings).rule(worst["setting"]), joint_verdict(verdicts)
    if worst["baseline"] or not {verdict for _, verdict in kinds.values()} & set(OFF):
        return ""
    rows = first_player_advantage(findings).filter(setting=worst["setting"])
    words = _wins_words(findings, rows) if findings.run.one_side else _farthest_words(rows)
    return f"{verdicts_by_size(kinds).removesuffix('.')}: {words}."


def _rules_headline(findings: Findings) -> str:
    """Return what is settled of rule sets at tables of one size, the greatest effect first."""
    first, changed = first_player_advantage(findings), other_rule_sets(findings)
    rows, before = first.filter(setting=changed[0]), first.filter("baseline")
    aim, called = side_of(findings.run).aim, labels_of(findings).rule
    printed = f"the {labels_of(findings).base}"
    if rule_sets(findings)["baseline"][0] and len(changed) > 1 and _good(before):
        return claim(f"{printed} is {_verdicts(findings, before)}", _numbers(findings, before))
    if _good(rows):
        verdict = f"{'still ' if _good(before) else ''}{_verdicts(findings, rows)}"
        return claim(f"{called(changed[0])} is {verdict}", _wins_against_baseline(findings, rows, before))
    if teams_disagree(findings):
        both = "both" if rows.height == 2 else f"all {in_words(rows.height)}"
        return claim(f"no rule set suits {both} teams", _nearest_teams(findings))
    if findings.run.team:
        target = fair_of_100(first["fair"][0])
        of = f" of {len(changed)}" if len(changed) > 1 else ""
        return claim(f"nearest{of} to the target ({target})", _nearest_teams(findings))
    if nearness(findings, changed[0]).nearer:
        return _nearer(findings, changed)
    stands = {setting: nearness(findings, setting) for setting in changed}
    if farther := [setting for setting, stand in stands.items() if stand.farther and not stand.nearer]:
        worst = first.filter(setting=farther[-1])
        place = f"the farthest from {aim}" if len(changed) > 1 else f"farther from {aim} than {printed}"
        text = f"{called(farther[-1])} is {_verdicts(findings, worst)}, {place}"
        return claim(text, _wins_against_baseline(findings, worst, before))
    if text := greatest_change_sentence(findings):
        called = partial(seat_or_side, findings.run)
        return claim(f"{text}; who wins", who_wins_words(_of_wins(findings), called))
    if set(before["verdict"]) != {NOT_SETTLED}:
        return claim(f"{printed} is {_verdicts(findings, before)}", _numbers(findings, before))
    games = games_that_settle(first)
    settling = f"about {roughly(games or 0)} games with each rule set would settle it"
    numbers = settling if games else f"{_numbers(findings, before)} with {printed}"
    return claim("nothing is settled yet", numbers)


def _nearer(findings: Findings, changed: list[str]) -> str:
    """Return that the best rule set is significantly nearer to fair, and whether that is enough."""
    first, called = first_player_advantage(findings), labels_of(findings).rule(changed[0])
    rows, before = first.filter(setting=changed[0]), first.filter("baseline")
    run = findings.run
    stand, enough = nearness(findings, changed[0]), enough_words(_verdicts(findings, rows))
    if len(changed) == rows.height == 1 and not by_distance(findings):
        (lead,) = _of_wins(findings)
        falls = lead["difference"] < 0
        helped = run.sides[falls] if run.sides else seat_name(int(falls))
        effect = f"{'weakens' if falls else 'helps'} the {run.role}" if run.role else f"helps the {helped}"
        return claim(f"{called} {effect}", f"{change_of_wins(lead)}; {enough}")
    comes = f"comes {'nearest' if len(changed) > 1 else 'nearer'} to {side_of(findings.run).aim}"
    numbers = f"{_wins_against_baseline(findings, rows, before)}; {enough}"
    return claim(f"{called} {comes}{_lineups_nearer(findings, stand)}", numbers)


def enough_words(verdict: str) -> str:
    """Return whether a better rule set is good enough, by its verdict.

    >>> enough_words("NOT EQUAL"), enough_words("UNFAIR with one of three lineups")
    ('whether that is enough is open', 'it is still UNFAIR with one of three lineups')
    """
    is_open = verdict.startswith((NOT_SETTLED, NOT_EQUAL))
    return "whether that is enough is open" if is_open else f"it is still {verdict}"


def _of_wins(findings: Findings) -> list[TableRow]:
    """Return the comparisons of who wins: the first of two players' advantage, else every share."""
    measure = SIDE_WINS if findings.run.one_side else "share" if by_distance(findings) else "fpa"
    return labels_of(findings).label(comparisons(findings).filter(measure=measure)).rows(named=True)


def who_wins_words(rows: list[TableRow], called: Callable[[int], str] = seat_name) -> str:
    """Return the greatest significant change of who wins, or the interval of all changes if there is none.

    >>> row = {"seat": None, "setting": "", "difference": 0.014, "low": -0.009, "high": 0.037}
    >>> who_wins_words([row | {"p_adjusted": 0.23}])
    'no change shown (−0.9 to +3.7 games of 100)'
    >>> who_wins_words([row | {"difference": -0.04, "low": -0.06, "high": -0.0004, "p_adjusted": 0.03}])
    'the first player wins about 4 fewer games of 100 (0.04 to 6.00)'
    """
    sure = [row for row in rows if row["p_adjusted"] < SURE]
    if not sure:
        low, high = min(row["low"] for row in rows), max(row["high"] for row in rows)
        return f"no change shown ({span(low, high, sign=True, scale=100)} games of 100)"
    row = max(sure, key=lambda row: abs(row["difference"]))
    where = f" with {row['setting']}" if len({each["setting"] for each in rows}) > 1 else ""
    who = f" in games of {row['lineup']}" if len({each.get("lineup") for each in rows}) > 1 else ""
    change = change_of_wins(row, " more" if row["difference"] > 0 else " fewer")
    return f"the {called(row['seat'] or 0)} wins {change}{where}{who}"


def change_of_wins(row: TableRow, more: str = "") -> str:
    """Return the size of a change of who wins, with its interval: `about 3 games of 100 (0.2 to 5.9)`."""
    size = 100 * abs(row["difference"])
    games = f"about {number(size, int(size < WHOLE_GAMES))}{more} games of 100"
    low, high = (row["low"], row["high"]) if row["difference"] > 0 else (-row["high"], -row["low"])
    return f"{games} ({span(low, high, sign=True, scale=100).replace('+', '')})"


def teams_disagree(findings: Findings) -> bool:
    """Return whether the nearest rule set differs between teams, and each rule set is off for one of them."""
    first = first_player_advantage(findings)
    off = first.filter(pl.col("verdict").is_in(OFF))["setting"]
    several = nearest(findings)["setting"].n_unique() > 1
    return findings.run.team and several and {*first["setting"]} == {*off}


def _nearest_teams(findings: Findings) -> str:
    """Return for each team the rule set with which it comes nearest to the target, and its verdict there.

    It was picked from all, so its share is given shrunk, too. Where no rule set suits all teams, verdicts
    would only repeat that.
    """
    labels, texts, rows = labels_of(findings), list[str](), nearest(findings).rows(named=True)
    team_name, first = labels.of_column("lineup") or str, first_player_advantage(findings)
    off, disagree = first.filter(pl.col("verdict").is_in(OFF)), teams_disagree(findings)
    for row, shrunk in zip(rows, _shrunk(findings, rows), strict=True):
        team = team_name(row["lineup"]) if len(rows) > 1 else "the team"
        rules = f"the {labels.base}" if row["baseline"] else labels.rule(row["setting"])
        elsewhere = off.filter(pl.col("lineup") != row["lineup"], setting=row["setting"])
        verdicts = elsewhere.select("lineup", "verdict").iter_rows()
        other = [f"{kind} with {team_name(lineup)}" for lineup, kind in verdicts]
        kinds = "; ".join(other or [row["verdict"]])  # a setting that is off with another team is not open
        verb, picked = "" if texts else " wins", pick_words([row["share"]], [shrunk])
        measured, games = "a measured " if picked else "", "" if texts else " of 100 games"
        verdicts_there = "" if disagree else f" ({kinds})"
        texts.append(
            f"{team}{verb} {measured}{whole(row['share'])}{games} with {rules}{picked}{verdicts_there}"
        )
    return "; ".join(texts)


def pick_words(measured: Sequence[float], shrunk: Sequence[float]) -> str:
    """Return what the best of many is worth, allowing for having been picked; empty if that is the same.

    >>> pick_words([0.5], [0.441]), pick_words([0.5], [0.497])
    (', about 44 allowing for the pick', '')
    """
    before, after = (ends(whole(min(shares)), whole(max(shares))) for shares in (measured, shrunk))
    return f", about {after} allowing for the pick" if before != after else ""


def _shrunk(findings: Findings, picked: list[TableRow]) -> list[float]:
    """Return the shrunk shares of picked cells."""
    compared = comparisons(findings).filter(wins(findings.run))
    return shrink_shares(picked, first_player_advantage(findings).rows(named=True), compared.rows(named=True))


def shrink_shares(picked: list[TableRow], every: list[TableRow], compared: list[TableRow]) -> list[float]:
    """Return the shares of picked cells, allowing for having been picked from all but the baseline.

    Shares are shrunk towards the mean of the lineup (`simkit.stats.shrinkage`). Settings share their deals,
    so the luck of each is half the variance of a difference between two. picked, every: rows of
    `first_player_advantage`; compared: rows of `comparisons` on wins.
    """
    luck = {row["cell"]: row["variance"] / row["deals"] / 2 for row in compared}
    rows, shares = [row for row in every if row["cell"] in luck], dict[int, float]()
    for _, group in groupby(sorted(rows, key=_lineup), _lineup):
        alike = list(group)
        shrunk = shrink([row["share"] for row in alike], mean(luck[row["cell"]] for row in alike))
        shares |= zip((row["cell"] for row in alike), shrunk, strict=True)
    return [shares[row["cell"]] if row["cell"] in shares else float(row["share"]) for row in picked]


def _lineup(row: TableRow) -> tuple[str, int]:
    return row["lineup"], row["seats"]


def _helps(findings: Findings) -> str:
    """Return the rule set that surely helps a team most, and the one that surely hurts it most."""
    helps, called, first = helpful_rules(findings), labels_of(findings).rule, first_player_advantage(findings)
    texts, before = list[str](), first.filter("baseline")
    if helps and helps[0]["difference"] > 0:
        rows = first.filter(setting=helps[0]["setting"])
        picked = pick_words([*rows["share"]], _shrunk(findings, rows.rows(named=True)))
        wins_with = f"{_wins_against_baseline(findings, rows, before)}{picked}"
        number_of_sets, best = len(other_rule_sets(findings)), called(helps[0]["setting"])
        of = f"Of {number_of_sets} rule sets {best} helps most" if number_of_sets > 1 else f"{best} helps"
        texts.append(f"{capital(of)}: {wins_with}.")
    if helps and helps[-1]["difference"] < 0:
        texts.append(f"Most harm comes from {called(helps[-1]['setting'])}.")
    return " ".join(texts)


def _single_change_words(findings: Findings) -> str:
    """Return which single changes of several options change who wins, and which are not shown to."""
    shares, called, texts = single_changes(findings), labels_of(findings).rule, list[str]()
    if shares.is_empty():
        return ""
    if (rows := shares.filter("sure")).height:
        most = rows.group_by("setting", maintain_order=True).agg(pl.col("difference").abs().max())
        sizes = f"by up to {join_names(map(whole, most['difference']))} games of 100 for a player"
        texts.append(f"depends on {join_names(map(called, most['setting']))} ({sizes})")
    if (rows := shares.filter(~pl.col("sure"))).height:
        names = join_names(map(called, dict.fromkeys(rows["setting"])), "or")
        margin, half = findings.run.experiment.margin, max((rows["high"] - rows["low"]) / 2)
        more = roughly(deals_to_narrow(rows["deals"][0], half, margin))
        size = span(min(rows["low"]), max(rows["high"]), sign=True, scale=100)
        narrower = f"about {more} deals would narrow that to ±{distance(margin)}"
        texts.append(f"is not shown to depend on {names} ({size} games of 100 for a player; {narrower})")
    return f"Who wins {'; it '.join(texts)}." if texts else ""


def greatest_change_sentence(findings: Findings) -> str:
    """Return a sentence on the greatest change beyond luck, apart from who wins; empty if there is none."""
    rows = labels_of(findings).label(comparisons(findings).filter(NOT_SEATS))
    row = greatest_sure_change(rows)
    if row is None:
        return ""
    several = [name for name in ("setting", "lineup") if rows[name].n_unique() > 1]
    text = change_sentence(rows.filter(cell=row["cell"], measure=row["measure"]), findings.run.words.score)
    return f"{text}{''.join(f' with {row[name]}' for name in several)}"


def change_sentence(rows: pl.DataFrame, score: str) -> str:
    """Return the changes of a measure with its intervals as a sentence; all seats whose scores move alike.

    rows: the comparisons of the measure in one cell, one of them beyond luck; score: the unit of a score.

    >>> row = {"measure": "score", "unit": "number", "low": 1.5, "high": 2.0, "p_adjusted": 0, "spread": 1}
    >>> rows = pl.DataFrame([row | {"seat": seat, "difference": 1.8 - seat / 4} for seat in (0, 1)])
    >>> change_sentence(rows, "points")
    'both players score more (+1.8 and +1.6 points)'
    >>> change_sentence(rows[:1], "points")
    'the score of the first player rises by 1.8 points (+1.5 to +2.0)'
    """
    sure = rows.filter((pl.col("p_adjusted") < SURE).all(), pl.col("difference").sign().n_unique() == 1)
    if sure.height > 1 and rows["measure"][0] == "score":
        who = "both players" if sure.height == 2 else f"all {in_words(sure.height)} players"
        sizes = join_names(number(size, sign=True) for size in sure["difference"])
        return f"{who} score {'more' if sure['difference'][0] > 0 else 'less'} ({sizes} {score})"
    row = greatest_sure_change(rows) or {}
    interval = span(row["low"], row["high"], sign=True, scale=100 if row["unit"] == "share" else 1)
    return f"{_single_change(row, score)} ({interval})"


def _single_change(row: TableRow, score: str) -> str:
    """Return a change as a sentence; `score` is the game's unit of score.

    >>> row = {"measure": "score", "seat": 0, "unit": "number", "difference": -1.5}
    >>> _single_change(row, "points"), _single_change(row | {"measure": "turns", "seat": None}, "points")
    ('the score of the first player falls by 1.5 points', 'games are 1.5 turns shorter')
    """
    size, grows = number(abs(row["difference"])), row["difference"] > 0
    if row["measure"] == "turns":
        return f"games are {size} turns {'longer' if grows else 'shorter'}"
    if row["measure"] == "decisions":
        return f"games take {size} decisions {'more' if grows else 'fewer'}"
    size = f"{number(100 * abs(row['difference']))} percentage points" if row["unit"] == "share" else size
    size += f" {score}" if row["measure"] == "score" else ""
    return f"the {measure_name(row['measure'], row['seat'])} {'rises' if grows else 'falls'} by {size}"


def _nearest(findings: Findings) -> str:
    """Return how near to fair the baseline is, unless a rule set is known to be fair, or nearer."""
    first, others = first_player_advantage(findings), other_rule_sets(findings)
    before, printed = first.filter("baseline"), f"the {labels_of(findings).base}"
    if findings.run.team or _good(first.filter(setting=others[0])) or nearness(findings, others[0]).nearer:
        return ""
    aim, verdict = side_of(findings.run).aim, _verdicts(findings, before)
    if rule_sets(findings)["baseline"][0] and any(nearness(findings, other).farther for other in others):
        return f"Nearest to {aim} is {printed} ({verdict})."
    text = f"Nothing is shown to be nearer to {aim} than {printed}"
    itself = f", which {'are' if printed.endswith('rules') else 'is'} {verdict}: {_numbers(findings, before)}"
    return f"{text}{itself if greatest_change_sentence(findings) else ''}."


def by_distance(findings: Findings) -> bool:
    """Return whether distances replace shares: for more than two seats, and where the fair share varies."""
    return beyond_two(findings) or bool(findings.cached(nobody_wins))


def nearness(findings: Findings, setting: str) -> Nearness:
    """Return with how many lineups a rule set is nearer to fair than the baseline beyond luck, or farther."""
    own = cells(findings).filter(setting=setting)["cell"].to_list()
    sure = rules_nearer(findings).filter(pl.col("p_adjusted") < SURE)
    return Nearness(*(sure.filter(pl.col(side).is_in(own)).height for side in ("cell", "than")))


def _good(rows: pl.DataFrame) -> bool:
    return set(rows["verdict"]) <= {FAIR, ON_TARGET}


def _verdicts(findings: Findings, rows: pl.DataFrame) -> str:
    shown = with_not_equal(rows, findings.run.team)
    return joint_verdict_words(shown["verdict"].to_list(), players(findings))


def _wins_against_baseline(findings: Findings, rows: pl.DataFrame, before: pl.DataFrame) -> str:
    """Return the wins with a rule set and with the baseline."""
    now, printed = _wins_words(findings, rows), _wins_words(findings, before)
    if now == printed:
        return f"with both {now}"
    number = re.search(r"(?:(?:less|more) than )?\d+(?: to \d+)?", printed)
    return f"{now} instead of {number and number[0]}"


def _numbers(findings: Findings, rows: pl.DataFrame) -> str:
    """Return the wins of the first of two players (the team), else of the player farthest from fair."""
    return (
        wins_phrase(findings, rows.rows(named=True)) if by_distance(findings) else _wins_words(findings, rows)
    )


def _wins_words(findings: Findings, rows: pl.DataFrame) -> str:
    """Return the first player's wins of 100; for three and more players the largest distance from fair."""
    if not by_distance(findings):
        return f"the {side_of(findings.run).name} wins {games_of_100(*rows['share'])}"
    return _farthest_words(rows)


def _farthest_words(rows: pl.DataFrame) -> str:
    """Return how far a player is from fair."""
    off = float(str((rows["farthest_share"] - rows["fair"]).abs().max()))
    return f"a player is up to {distance(rounded(100 * off) / 100)} off fair"


def other_rule_sets(findings: Findings) -> list[str]:
    """Return the rule sets besides the baseline, the nearest to fair first."""
    return rule_sets(findings).filter(~pl.col("baseline"))["setting"].to_list()


def _lineups_nearer(findings: Findings, stand: Nearness) -> str:
    """Return the lineups with which a rule set is nearer beyond luck, and farther, unless it is with all."""
    lineups = cells(findings)["lineup"].n_unique()
    if stand.nearer == lineups:
        return ""
    farther = f", and farther with {in_words(stand.farther)}" if stand.farther else ""
    return f" with {in_words(stand.nearer)} of {in_words(lineups)} {players(findings)}{farther}"
