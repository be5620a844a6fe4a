"""Sentences about what rule sets change on the same deals, what helps a team, which are nearest to fair."""

import math
import re
from typing import NamedTuple

import polars as pl

from simkit.formatting import rounded
from simkit.page.words.answer import wins_phrase
from simkit.page.words.confidence import SURE, check_answer, sureness
from simkit.page.words.labels import labels_of, over
from simkit.page.words.numbers import (
    Summary,
    TableRow,
    distance,
    ends,
    games_of_100,
    in_words,
    join_names,
    number,
    roughly,
    seat_name,
    span,
    whole,
    with_heading,
)
from simkit.page.words.skill import skill_sentence
from simkit.page.words.verdicts import (
    Claim,
    beyond_two,
    games_that_settle,
    join_sizes,
    joint_verdict_words,
    of_each_size,
    players,
    side_of,
    with_not_equal,
)
from simkit.stats.planning import deals_to_narrow
from simkit.stats.verdicts import FAIR, NOT_SETTLED, OFF, ON_TARGET
from simkit.tables import findings as findings_tables
from simkit.tables.compare import EFFECT, PRIMARY, comparisons, wins
from simkit.tables.fairness import confirmed, nearest, rule_sets, rules_nearer
from simkit.tables.findings import Findings, cells, cells_to_look_at
from simkit.tables.length import losses
from simkit.tables.seats import first_player_advantage, nobody_wins

VISIBLE = 0.0005  # smallest difference of shares that shows in percent with one decimal
NAMES = {"fpa": "first-player advantage", "draw": "drawn games"}
NAMES |= {"decided": "part of the game until the winner leads for good"}
NOT_SEATS = ~pl.col("measure").is_in(["share", *PRIMARY])


def measure_name(measure: str, seat: int | None) -> str:
    """Return the name of what is compared.

    >>> measure_name("share", 0), measure_name("fpa", 0), measure_name("turns", None)
    ('share of the first player', 'first-player advantage', 'turns')
    """
    name = NAMES.get(measure, measure.replace("_", " "))
    return name if seat is None or measure == "fpa" else f"{name} of the {seat_name(seat)}"


def p_value(value: float) -> str:
    """Return the p-value as text.

    >>> p_value(0.00012), p_value(0.0312)
    ('< 0.001', '0.031')
    """
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def confidence(level: float) -> str:
    """Return the level of an interval with enough decimals to distinguish it from 100 %.

    >>> confidence(0.95), confidence(0.975), confidence(1 - 0.05 / 12), confidence(1 - 0.05 / 900)
    ('95 %', '97.5 %', '99.6 %', '99.994 %')
    """
    missed = 100 * (1 - level)
    digits = 0 if abs(missed - round(missed)) < 1e-9 else max(1, math.ceil(-math.log10(missed)))
    return f"{100 - missed:.{digits}f} %"


def differs(row: TableRow) -> bool:
    """Return whether a difference is beyond luck, adjusted for all comparisons of its family."""
    return bool(row["p_adjusted"] < SURE)


def doubt(row: TableRow) -> str:
    """Return what to doubt about a difference; an empty text if it is beyond luck.

    >>> same = {"p_adjusted": 1.0, "difference": 0.0, "low": 0.0, "high": 0.0}
    >>> doubt(same), doubt(same | {"high": 0.1}), doubt(same | {"p_adjusted": 0.01})
    ('the same in every deal', 'may be luck', '')
    """
    if differs(row):
        return ""
    varies = any(row[name] for name in ("difference", "low", "high"))
    return "may be luck" if varies else "the same in every deal"


def shares_won(table: pl.DataFrame) -> dict[int, TableRow]:
    """Return by cell of a competitive game the row of `comparisons` with the first player's share."""
    return {row["cell"]: row for row in table.filter(measure="share", seat=0).rows(named=True)}


def fair_moves(row: TableRow, won: TableRow) -> bool:
    """Return whether a rule set changes the fair share: the share won less the advantage."""
    now, before = won["value"] - row["value"], won["base_value"] - row["base_value"]
    return bool(row["measure"] == "fpa" and abs(now - before) >= VISIBLE)


def greatest(changes: pl.DataFrame) -> TableRow | None:
    """Return the greatest change beyond luck, of the measure with the largest standardized effect."""
    real = changes.filter(pl.col("p_adjusted") < SURE).sort(EFFECT, descending=True, maintain_order=True)
    same = real.filter(pl.col("measure") == pl.col("measure").first())
    sizes = same.sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    return sizes.row(0, named=True) if sizes.height else None


def greatest_change_sentence(findings: Findings) -> str:
    """Return a sentence on the greatest change beyond luck, apart from who wins; empty if there is none."""
    row = greatest(labels_of(findings).label(comparisons(findings).filter(NOT_SEATS)))
    if row is None:
        return ""
    lineup = f" ({row['lineup']})" if comparisons(findings)["lineup"].n_unique() > 1 else ""
    scale = 100 if row["unit"] == "share" else 1
    interval = span(row["low"], row["high"], sign=True, scale=scale)
    return f"{change_sentence(row, findings.run.words.score)} ({interval}) with {row['setting']}{lineup}"


def change_sentence(row: TableRow, score: str) -> str:
    """Return a change as a sentence; `score` is the game's unit of score.

    >>> row = {"measure": "score", "seat": 0, "unit": "number", "difference": -1.5}
    >>> change_sentence(row, "points"), change_sentence(row | {"measure": "turns", "seat": None}, "points")
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


# Sentences about how a team loses and which rules change its chances.

MAX_RULES_NAMED = 4  # rules in a sentence


def how_lost(findings: Findings) -> str:
    """Return the most common end of lost games with its frequency over the lineups."""
    looked = losses(findings).filter(pl.col("cell").is_in(cells_to_look_at(findings.run)))
    lost = looked["cell"].unique(maintain_order=True).to_list()
    if not lost:
        return "No game is lost."
    by_reason = looked.group_by("end_reason").agg(pl.col("share").sum())
    reason = by_reason.sort("share", "end_reason", descending=[True, False])["end_reason"][0]
    shares = dict(looked.filter(end_reason=reason).select("cell", "share").iter_rows())
    each = [shares.get(cell, 0.0) for cell in lost]
    frequency = ends(whole(min(each)), whole(max(each)))
    return f"{frequency} of 100 lost games end by “{labels_of(findings).name(reason)}”{over(findings, lost)}."


def helpful_rules(findings: Findings) -> list[TableRow]:
    """Return the rules that surely change how often every team wins, the most helpful first."""
    return sure_changes(findings, wins(findings.run)) if findings.run.team else []


def sure_changes(findings: Findings, measure: pl.Expr) -> list[TableRow]:
    """Return the settings that surely change a measure with every lineup, sorted from rise to fall.

    difference: the smallest over the lineups; most: the largest.
    """
    if not comparisons(findings).width:
        return []
    rows = comparisons(findings).filter(measure)
    size, sign = pl.col("difference").abs(), pl.col("difference").sign()
    parts = rows.group_by("setting", maintain_order=True).agg(
        pl.col("difference").sort_by(size).first(),
        most=pl.col("difference").sort_by(size).last(),
        sure=(pl.col("p_adjusted") < SURE).all() & (sign.n_unique() == 1),
    )
    return parts.filter("sure").sort("difference", descending=True).rows(named=True)


def what_helps(findings: Findings) -> str:
    """Return the rules that change the team's wins beyond luck with every lineup, the strongest first."""
    effects = sorted(helpful_rules(findings), key=lambda row: -abs(row["difference"]))
    if not effects:
        return "Which rules change how often the team wins is not settled."
    texts = []
    for row in effects[:MAX_RULES_NAMED]:
        least, most = sorted((row["difference"], row["most"]))
        size = ends(number(100 * least, 0, sign=True), number(100 * most, 0, sign=True))
        texts.append(with_heading(labels_of(findings).at(row["setting"]), size))
    more = f"; and {len(effects) - len(texts)} more in the tables" if len(effects) > len(texts) else ""
    return f"Wins of 100 games more or less, beyond luck: {'; '.join(texts)}{more}."


# Sentences about several rule sets: the greatest settled effect, and which is nearest to fair.

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


def _rules_headline(findings: Findings) -> Claim:
    """Return what is settled of rule sets at tables of one size, the greatest effect first, in numbers."""
    first, changed = first_player_advantage(findings), others(findings)
    rows, before = first.filter(setting=changed[0]), first.filter("baseline")
    aim, called = side_of(findings.run).aim, labels_of(findings).rule
    printed = f"the {labels_of(findings).base}"
    if rule_sets(findings)["baseline"][0] and len(changed) > 1 and _good(before):
        return Claim(f"{printed} is {_verdicts(findings, before)}", _numbers(findings, before))
    if _good(rows):
        verdict = f"{'still ' if _good(before) else ''}{_verdicts(findings, rows)}"
        return Claim(f"{called(changed[0])} is {verdict}", _wins_against_baseline(findings, rows, before))
    if findings.run.team:
        return Claim(f"nearest to the target of {games_of_100(first['fair'][0])}", _nearest_teams(findings))
    if (stand := nearness(findings, changed[0])).nearer:
        comes = f"comes {'nearest' if len(changed) > 1 else 'nearer'} to {aim} beyond luck"
        numbers = f"{_wins_against_baseline(findings, rows, before)} ({_verdicts(findings, rows)})"
        return Claim(f"{called(changed[0])} {comes}{_lineups_nearer(findings, stand)}", numbers)
    stands = {setting: nearness(findings, setting) for setting in changed}
    if farther := [setting for setting, stand in stands.items() if stand.farther and not stand.nearer]:
        worst = first.filter(setting=farther[-1])
        place = f"the farthest from {aim}" if len(changed) > 1 else f"farther from {aim} than {printed}"
        text = f"{called(farther[-1])} is {_verdicts(findings, worst)}, {place}"
        return Claim(text, _wins_against_baseline(findings, worst, before))
    if set(before["verdict"]) != {NOT_SETTLED}:
        return Claim(f"{printed} is {_verdicts(findings, before)}", _numbers(findings, before))
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


def single_changes(findings: Findings) -> pl.DataFrame:
    """Return the comparisons of shares with each rule set that changes one of several options.

    sure: whether a rule set surely changes somebody's share.
    """
    columns, cells = labels_of(findings).columns, findings_tables.cells(findings).rows(named=True)
    base = next((row for row in cells if row["baseline"]), None)
    if len(columns) < 2 or findings.run.team or base is None:
        return pl.DataFrame()
    single = {row["setting"] for row in cells if sum(row[name] != base[name] for name in columns) == 1}
    shares = comparisons(findings).filter(pl.col("setting").is_in(single), measure="share")
    return shares.with_columns(sure=(pl.col("p_adjusted") < SURE).any().over("setting"))


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


def _open(findings: Findings, numbers: str) -> Claim:
    """Return the greatest change besides who wins where that is open, and the games that would settle it."""
    fair = "on target" if findings.run.team else "fair"
    if games := games_that_settle(first_player_advantage(findings)):
        numbers = f"about {roughly(games)} games with each rule set would settle it"
    if other := greatest_change_sentence(findings):
        text = f"{other[:1].lower()}{other[1:]}, while it is open which rule set is {fair}"
        return Claim(text, numbers, settled=False)
    return Claim("nothing is settled yet", numbers, settled=False)


def _nearest(findings: Findings) -> str:
    """Return the rule sets nearest to fair, unless one is known to be fair, or nearer than the baseline."""
    first, best = first_player_advantage(findings), others(findings)[0]
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
    cells = findings_tables.cells(findings).filter(setting=setting)["cell"].to_list()
    sure = rules_nearer(findings).filter(pl.col("p_adjusted") < SURE)
    return Nearness(*(sure.filter(pl.col(side).is_in(cells)).height for side in ("cell", "than")))


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


def others(findings: Findings) -> list[str]:
    """Return the rule sets besides the baseline, the nearest to fair first."""
    return rule_sets(findings).filter(~pl.col("baseline"))["setting"].to_list()


def _lineups_nearer(findings: Findings, stand: Nearness) -> str:
    """Return the lineups with which a rule set is nearer beyond luck, and farther, unless it is with all."""
    lineups = cells(findings)["lineup"].n_unique()
    if stand.nearer == lineups:
        return ""
    farther = f", and farther with {in_words(stand.farther)}" if stand.farther else ""
    return f" with {in_words(stand.nearer)} of {in_words(lineups)} {players(findings)}{farther}"
