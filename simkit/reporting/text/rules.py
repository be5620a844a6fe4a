"""Sentences about several rule sets: the greatest settled effect, and which is nearest to fair."""

import itertools
import re
from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.seats import nobody_wins
from simkit.formatting import rounded
from simkit.reporting.text.answer import equally_near, wins
from simkit.reporting.text.between import between_neighbours
from simkit.reporting.text.changes import greatest_said
from simkit.reporting.text.confidence import SURE, sureness
from simkit.reporting.text.confirmed import check_answer
from simkit.reporting.text.labels import Labels, labels_of, rule_sets
from simkit.reporting.text.ladder import skill_sentence
from simkit.reporting.text.perspective import Claim, beyond_two, join_sizes, of_each_size, players, side_of
from simkit.reporting.text.phrases import (
    Row,
    distance,
    fair_of_100,
    games_of_100,
    in_words,
    listed,
    roughly,
    seat_name,
    shares,
)
from simkit.reporting.text.precision import Judged, whole_hides
from simkit.reporting.text.verdict_counts import games_that_settle, joint_with
from simkit.stats.verdicts import FAIR, NOT_SETTLED, ON_TARGET


class Rules(NamedTuple):
    """The answer, how it compares with the baseline and the next best, and its certainty."""

    headline: str
    advice: str
    sure: list[str]


class Standing(NamedTuple):
    """Numbers of lineups with which a rule set is, beyond luck, nearer to fair than another, and farther."""

    nearer: int
    farther: int


def rule_name(findings: Findings) -> Callable[[str], str]:
    """Return the function from a setting to the name of its rule set."""
    return findings.cached(_names).__getitem__


def _names(findings: Findings) -> dict[str, str]:
    labels, rules = labels_of(findings), rule_sets(findings.run)
    settings = dict(findings.cells.select("cell", "setting").iter_rows())
    return {
        settings[cell.index]: _name(labels, cell.varied, rules[cell.index], cell.baseline)
        for cell in findings.run.cells
    }


def _name(labels: Labels, varied: Row, differs: Row, baseline: bool) -> str:
    if len(varied) > 1 or not varied:
        return labels.base if baseline else labels.setting(differs)
    ((name, value),) = varied.items()
    called = labels.quoted(name, value)
    return f"{called} ({labels.base})" if baseline else called


def rules_answer(findings: Findings) -> Rules:
    """Return the largest settled effect, the rule set nearest to fair and certainty, size by size."""
    sizes = findings.by_size()
    headline, *rest = join_sizes({seats: _headline(part) for seats, part in sizes})
    advice = rest + [of_each_size(findings, text_of) for text_of in (_advice, check_answer)]
    advice += [skill_sentence(findings)]
    rows = labels_of(findings).named(findings.first_player_advantage.filter("baseline")).rows(named=True)
    return Rules(headline, " ".join(filter(None, advice)), sureness(findings, rows))


def _headline(findings: Findings) -> Claim:
    """Return what is settled of rule sets at tables of one size, the greatest effect first, in numbers."""
    ranked, first, base = findings.rule_sets, findings.first_player_advantage, _baseline(findings)
    others = _others(findings)
    rows, before = (first.filter(setting=setting) for setting in (others[0], base))
    fair, aim = "on target" if findings.run.team else "fair", side_of(findings.run).aim
    stand, several = standing(findings, others[0], base), len(others) > 1
    called, printed = rule_name(findings), f"the {labels_of(findings).base}"
    if ranked["baseline"][0] and several and _good(before):
        return Claim(f"{printed} is {_verdicts(findings, before)}", _numbers(findings, before))
    if _good(rows):
        still = "still " if _good(before) else ""
        verdict = f"{still}{_verdicts(findings, rows)}"
        return Claim(f"{called(others[0])} is {verdict}", _against(findings, rows, before))
    if stand.nearer:
        comes = f"comes {'nearest' if several else 'nearer'} to {aim} beyond luck{_with(findings, stand)}"
        numbers = _against(findings, rows, before)
        return Claim(f"{called(others[0])} {comes}", f"{numbers} ({_verdicts(findings, rows)})")
    if farther := _farther(findings):
        worst = first.filter(setting=farther[-1])
        is_ = f"is {'farthest' if several else 'farther'} from {aim}{'' if several else f' than {printed}'}"
        return Claim(
            f"{called(farther[-1])} {is_}", f"{_effect(findings, worst)} ({_verdicts(findings, worst)})"
        )
    if set(before["verdict"]) != {NOT_SETTLED}:
        return Claim(f"{printed} is {_verdicts(findings, before)}", _numbers(findings, before))
    more = f"{_numbers(findings, before)} with {printed}"
    if games := games_that_settle(first):
        more = f"about {roughly(games)} games with each rule set would settle which are {fair}"
    if other := greatest_said(findings):
        text = f"{other[:1].lower()}{other[1:]}, while what is {fair} is {NOT_SETTLED}"
        return Claim(text, more, settled=False)
    return Claim("nothing is settled yet", more, settled=False)


def _advice(findings: Findings) -> str:
    """Return the rule set nearest to fair at tables of one size, unless it is what is settled."""
    best, base = _others(findings)[0], _baseline(findings)
    good = _good(findings.first_player_advantage.filter(setting=best))
    answered = good or standing(findings, best, base).nearer
    advice = ["" if answered else _nearest(findings), "" if good else between_neighbours(findings)]
    return " ".join(filter(None, advice))


def _nearest(findings: Findings) -> str:
    """Return the rule sets nearest to fair, none of which is known to be nearer than the baseline."""
    base, aim = _baseline(findings), side_of(findings.run).aim
    near = _tied(findings)
    rows = findings.first_player_advantage.filter(setting=near[0])
    names = [
        f"the {labels_of(findings).base}" if name == base else rule_name(findings)(name) for name in near
    ]
    numbers = f"{_numbers(findings, rows)}, {_verdicts(findings, rows)}"
    sentence = f"Nearest to {aim} {'is' if len(near) == 1 else 'are'} {listed(names)}: {numbers}."
    return sentence if base in near else f"{sentence} So small a difference may be luck."


def by_distance(findings: Findings) -> bool:
    """Return whether distances replace shares: for more than two seats, and where the fair share varies."""
    return beyond_two(findings) or bool(findings.cached(nobody_wins))


def standing(findings: Findings, setting: str, than: str) -> Standing:
    """Return with how many lineups a rule set is nearer to (farther from) fair than another beyond luck.

    One of them is the baseline. The adjusted p-value of `rules_nearer`, which allows for all, decides.
    """
    settings = dict(findings.cells.select("cell", "setting").iter_rows())
    other = pl.col("than").replace_strict(settings, return_dtype=pl.String)
    sure = findings.rules_nearer.filter(pl.col("p_adjusted") < SURE)
    nearer, farther = ((setting, than), (than, setting))
    return Standing(*(sure.filter(other == far, setting=near).height for near, far in (nearer, farther)))


def _tied(findings: Findings) -> list[str]:
    """Return the rule sets nearest to fair that differ by less than a game of 100 and are not ranked."""
    return equally_near(findings.rule_sets.rows(named=True))


def _baseline(findings: Findings) -> str:
    return str(findings.rule_sets.filter("baseline")["setting"][0])


def _good(rows: pl.DataFrame) -> bool:
    return set(rows["verdict"]) <= {FAIR, ON_TARGET}


def _verdicts(findings: Findings, rows: pl.DataFrame) -> str:
    return joint_with(rows["verdict"].to_list(), players(findings))


def _against(findings: Findings, rows: pl.DataFrame, before: pl.DataFrame) -> str:
    """Return the wins with a rule set and with the baseline."""
    now, printed = _won(findings, rows), _won(findings, before)
    if now == printed:
        return f"with both {_who(findings)} {now}"
    number = re.sub(" games? of 100| % of the games| percentage points? off fair", "", printed)
    return f"{_who(findings)} {now} instead of {number}"


def _effect(findings: Findings, rows: pl.DataFrame) -> str:
    """Return the wins of the player farthest from fair with a rule set, and at the baseline."""
    before = findings.first_player_advantage.filter("baseline")
    if not by_distance(findings):
        return _against(findings, rows, before)
    seat = rows.sort((pl.col("farthest_share") - pl.col("fair")).abs())["farthest"][-1]
    own = findings.seat_shares.filter(seat=seat)
    now, printed = (own.filter(pl.col("cell").is_in(part["cell"].to_list())) for part in (rows, before))
    than = games_of_100(*printed["share"]).partition(" game")[0]
    fair = f"{fair_of_100(rows['fair'][0])} would be fair"
    return f"the {seat_name(seat)} wins {games_of_100(*now['share'])} instead of {than}, where {fair}"


def digits(findings: Findings) -> int:
    """Return the decimals for shares of rule sets: one where whole percents would hide the margin."""
    first, share, fair = findings.first_player_advantage, pl.col("share"), pl.col("fair")
    if by_distance(findings):
        share, fair = (pl.col("farthest_share") - pl.col("fair")).abs(), pl.lit(0.0)
    rows = first.select(share.alias("share"), fair.alias("fair"), "verdict").drop_nulls().rows()
    return int(whole_hides(itertools.starmap(Judged, rows), findings.run.experiment.margin))


def _who(findings: Findings) -> str:
    return "a player is up to" if by_distance(findings) else f"the {side_of(findings.run).name} wins"


def _numbers(findings: Findings, rows: pl.DataFrame) -> str:
    """Return the wins of the first of two players (the team), else of the player farthest from fair."""
    if by_distance(findings):
        return wins(findings, rows.rows(named=True))
    return f"{_who(findings)} {_won(findings, rows)}"


def _won(findings: Findings, rows: pl.DataFrame) -> str:
    """Return the first player's wins of 100; for three and more players the largest distance from fair."""
    if by_distance(findings):
        off = (rows["farthest_share"] - rows["fair"]).abs().max()
        points = rounded(100 * float(str(off)), digits(findings))
        return f"{distance(points / 100)} off fair"
    if digits(findings):
        return f"{shares([*rows['share']])} % of the games"
    return games_of_100(*rows["share"])


def _farther(findings: Findings) -> list[str]:
    """Return the rule sets that are farther off than the baseline beyond luck, the farthest last."""
    stands = {setting: standing(findings, setting, _baseline(findings)) for setting in _others(findings)}
    return [setting for setting, stand in stands.items() if stand.farther and not stand.nearer]


def _others(findings: Findings) -> list[str]:
    return findings.rule_sets.filter(~pl.col("baseline"))["setting"].to_list()


def _with(findings: Findings, stand: Standing) -> str:
    """Return the lineups with which a rule set is nearer beyond luck, and farther, unless it is with all."""
    lineups = findings.cells["lineup"].n_unique()
    if stand.nearer == lineups:
        return ""
    farther = f", and farther with {in_words(stand.farther)}" if stand.farther else ""
    return f" with {in_words(stand.nearer)} of {in_words(lineups)} {players(findings)}{farther}"
