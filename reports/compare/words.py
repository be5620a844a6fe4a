"""Sentences of the comparison page: the largest settled effect, and which rule set is nearest to fair."""

import re
from typing import NamedTuple

import polars as pl

from simkit.formatting import rounded
from simkit.page.words.confidence import SURE, check_answer, sureness
from simkit.page.words.labels import labels_of, measure_name
from simkit.page.words.numbers import (
    Summary,
    TableRow,
    distance,
    games_of_100,
    in_words,
    join_names,
    number,
    roughly,
    span,
    whole,
)
from simkit.page.words.skill import skill_sentence
from simkit.page.words.verdicts import (
    Statement,
    beyond_two,
    games_that_settle,
    join_sizes,
    joint_verdict_words,
    of_each_size,
    players,
    side_of,
    with_not_equal,
)
from simkit.questions.compare import rule_sets, rules_nearer
from simkit.stats.planning import deals_to_narrow
from simkit.stats.verdicts import FAIR, NOT_SETTLED, OFF, ON_TARGET
from simkit.tables.compare import comparisons
from simkit.tables.fairness import confirmed, nearest
from simkit.tables.findings import Findings, cells
from simkit.tables.seats import first_player_advantage, nobody_wins

from ..sections.answer import wins_phrase
from ..sections.changes import NOT_SEATS, greatest_sure_change, helpful_rules, single_changes

MAX_NEAREST = 3  # equally near rule sets named


class Nearness(NamedTuple):
    """Numbers of lineups with which a rule set is, beyond luck, nearer to fair than another, and farther."""

    nearer: int
    farther: int


def rules_answer(findings: Findings) -> Summary:
    """Return the largest settled effect, the rule set nearest to fair and certainty, size by size."""
    headline, *rest = join_sizes({seats: _rules_headline(part) for seats, part in findings.by_size()})
    texts = (_helps, check_answer) if confirmed(findings).width else (_helps, _nearest)
    advice = [*rest, _single_change_words(findings), *(of_each_size(findings, text_of) for text_of in texts)]
    advice += [skill_sentence(findings)]
    rows = labels_of(findings).label(first_player_advantage(findings).filter("baseline")).rows(named=True)
    return Summary(headline, " ".join(filter(None, advice)), sureness(findings, rows), [])


def _rules_headline(findings: Findings) -> Statement:
    """Return what is settled of rule sets at tables of one size, the greatest effect first, in numbers."""
    first, changed = first_player_advantage(findings), other_rule_sets(findings)
    rows, before = first.filter(setting=changed[0]), first.filter("baseline")
    aim, called = side_of(findings.run).aim, labels_of(findings).rule
    printed = f"the {labels_of(findings).base}"
    if rule_sets(findings)["baseline"][0] and len(changed) > 1 and _good(before):
        return Statement(f"{printed} is {_verdicts(findings, before)}", _numbers(findings, before))
    if _good(rows):
        verdict = f"{'still ' if _good(before) else ''}{_verdicts(findings, rows)}"
        return Statement(f"{called(changed[0])} is {verdict}", _wins_against_baseline(findings, rows, before))
    if findings.run.team:
        return Statement(
            f"nearest to the target of {games_of_100(first['fair'][0])}", _nearest_teams(findings)
        )
    if (stand := nearness(findings, changed[0])).nearer:
        comes = f"comes {'nearest' if len(changed) > 1 else 'nearer'} to {aim} beyond luck"
        numbers = f"{_wins_against_baseline(findings, rows, before)} ({_verdicts(findings, rows)})"
        return Statement(f"{called(changed[0])} {comes}{_lineups_nearer(findings, stand)}", numbers)
    stands = {setting: nearness(findings, setting) for setting in changed}
    if farther := [setting for setting, stand in stands.items() if stand.farther and not stand.nearer]:
        worst = first.filter(setting=farther[-1])
        place = f"the farthest from {aim}" if len(changed) > 1 else f"farther from {aim} than {printed}"
        text = f"{called(farther[-1])} is {_verdicts(findings, worst)}, {place}"
        return Statement(text, _wins_against_baseline(findings, worst, before))
    if set(before["verdict"]) != {NOT_SETTLED}:
        return Statement(f"{printed} is {_verdicts(findings, before)}", _numbers(findings, before))
    return _open(findings, f"{_numbers(findings, before)} with {printed}")


def _nearest_teams(findings: Findings) -> str:
    """Return for each team the rule set with which it comes nearest to the target, and its verdict there."""
    labels, rows, texts = labels_of(findings), nearest(findings).rows(named=True), list[str]()
    team_name = labels.of_column("lineup") or str
    off = first_player_advantage(findings).filter(pl.col("verdict").is_in(OFF))
    for row in rows:
        team = team_name(row["lineup"]) if len(rows) > 1 else "the team"
        rules = f"the {labels.base}" if row["baseline"] else labels.rule(row["setting"])
        elsewhere = off.filter(pl.col("lineup") != row["lineup"], setting=row["setting"])
        verdicts = elsewhere.select("lineup", "verdict").iter_rows()
        other = [f"{kind} with {team_name(lineup)}" for lineup, kind in verdicts]
        kinds = "; ".join(other or [row["verdict"]])  # a setting that is off with another team is not open
        texts.append(f"{team} wins {whole(row['share'])} with {rules} ({kinds})")
    return "; ".join(texts)


def _helps(findings: Findings) -> str:
    """Return the rule set that surely helps a team most, and the one that surely hurts it most."""
    helps, called, first = helpful_rules(findings), labels_of(findings).rule, first_player_advantage(findings)
    texts, before = list[str](), first.filter("baseline")
    if helps and helps[0]["difference"] > 0:
        wins_with = _wins_against_baseline(findings, first.filter(setting=helps[0]["setting"]), before)
        texts.append(f"Most help comes from {called(helps[0]['setting'])}: {wins_with}.")
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


def _open(findings: Findings, numbers: str) -> Statement:
    """Return the greatest change besides who wins where that is open, and the games that would settle it."""
    fair = "on target" if findings.run.team else "fair"
    if games := games_that_settle(first_player_advantage(findings)):
        numbers = f"about {roughly(games)} games with each rule set would settle it"
    if other := greatest_change_sentence(findings):
        text = f"{other[:1].lower()}{other[1:]}, while it is open which rule set is {fair}"
        return Statement(text, numbers, settled=False)
    return Statement("nothing is settled yet", numbers, settled=False)


def greatest_change_sentence(findings: Findings) -> str:
    """Return a sentence on the greatest change beyond luck, apart from who wins; empty if there is none."""
    row = greatest_sure_change(labels_of(findings).label(comparisons(findings).filter(NOT_SEATS)))
    if row is None:
        return ""
    lineup = f" ({row['lineup']})" if comparisons(findings)["lineup"].n_unique() > 1 else ""
    scale = 100 if row["unit"] == "share" else 1
    interval = span(row["low"], row["high"], sign=True, scale=scale)
    return f"{_change_sentence(row, findings.run.words.score)} ({interval}) with {row['setting']}{lineup}"


def _change_sentence(row: TableRow, score: str) -> str:
    """Return a change as a sentence; `score` is the game's unit of score.

    >>> row = {"measure": "score", "seat": 0, "unit": "number", "difference": -1.5}
    >>> _change_sentence(row, "points"), _change_sentence(row | {"measure": "turns", "seat": None}, "points")
    ('The score of the first player falls by 1.5 points', 'Games are 1.5 turns shorter')
    """
    size, grows = number(abs(row["difference"])), row["difference"] > 0
    if row["measure"] == "turns":
        return f"Games are {size} turns {'longer' if grows else 'shorter'}"
    if row["measure"] == "decisions":
        return f"Games take {size} decisions {'more' if grows else 'less'}"
    size = f"{number(100 * abs(row['difference']))} percentage points" if row["unit"] == "share" else size
    size += f" {score}" if row["measure"] == "score" else ""
    return f"The {measure_name(row['measure'], row['seat'])} {'rises' if grows else 'falls'} by {size}"


def _nearest(findings: Findings) -> str:
    """Return the rule sets nearest to fair, unless one is known to be fair, or nearer than the baseline."""
    first, best = first_player_advantage(findings), other_rule_sets(findings)[0]
    if findings.run.team or _good(first.filter(setting=best)) or nearness(findings, best).nearer:
        return ""
    sets, labels = rule_sets(findings).rows(named=True), labels_of(findings)
    near = [row for row in sets if whole(row["off"]) == whole(sets[0]["off"])][:MAX_NEAREST]
    names = [f"the {labels.base}" if row["baseline"] else labels.rule(row["setting"]) for row in near]
    rows = first.filter(setting=near[0]["setting"])
    if len(near) == rule_sets(findings).height > 1:
        return f"All are about equally far from {side_of(findings.run).aim}: {_numbers(findings, rows)}."
    verdicts = _verdicts(findings, rows)
    luck = "" if any(row["baseline"] for row in near) else "; may be luck"
    is_ = "is" if len(near) == 1 else "are"
    return f"Nearest to {side_of(findings.run).aim} {is_} {join_names(names)} ({verdicts}{luck})."


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
