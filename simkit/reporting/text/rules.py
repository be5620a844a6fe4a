"""Sentences about which of several rule sets is nearest to fair, and whether beyond luck."""

import itertools
import re
from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.seats import nobody_wins
from simkit.formatting import rounded
from simkit.reporting.text.answer import equally_near, tally
from simkit.reporting.text.between import between_neighbours
from simkit.reporting.text.confidence import SURE, sureness
from simkit.reporting.text.confirmed import check_answer
from simkit.reporting.text.labels import Labels, labels_of, rule_sets
from simkit.reporting.text.ladder import skill_sentence
from simkit.reporting.text.perspective import beyond_two, players, side_of
from simkit.reporting.text.phrases import Row, distance, games_of_100, in_words, listed, none_of, shares
from simkit.reporting.text.precision import Judged, whole_hides
from simkit.stats.verdicts import FAIR, ON_TARGET


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
    """Return the answer on the best rule set: the other one of two, the baseline if none is better."""
    ranked = findings.rule_sets
    candidates = ranked if ranked.height > 2 else ranked.filter(~pl.col("baseline"))
    setting, several = candidates["setting"][0], ranked.height > 2
    rows = findings.first_player_advantage.filter(setting=setting)
    headline = (
        _baseline_best(findings, rows) if candidates["baseline"][0] else _headline(findings, setting, several)
    )
    named = labels_of(findings).named(rows).rows(named=True)
    advice = [_significance(findings, setting, several), _farther(findings) if several else ""]
    advice += [] if _good(rows) else [between_neighbours(findings)]
    advice += [check_answer(findings), skill_sentence(findings)]
    return Rules(headline, " ".join(filter(None, advice)), sureness(findings, named))


def by_distance(findings: Findings) -> bool:
    """Return whether distances replace shares: for more than two seats, and where the fair share varies."""
    return beyond_two(findings) or bool(findings.cached(nobody_wins))


def standing(findings: Findings, setting: str, than: str) -> Standing:
    """Return with how many lineups a rule set is nearer to (farther from) fair than another beyond luck.

    Pairs are those in `rules_nearer`: each rule set and the baseline, the best and the next best. The
    adjusted p-value, which allows for all of them, decides.
    """
    settings = dict(findings.cells.select("cell", "setting").iter_rows())
    other = pl.col("than").replace_strict(settings, return_dtype=pl.String)
    sure = findings.rules_nearer.filter(pl.col("p_adjusted") < SURE)
    nearer, farther = ((setting, than), (than, setting))
    return Standing(*(sure.filter(other == far, setting=near).height for near, far in (nearer, farther)))


def _headline(findings: Findings, setting: str, several: bool) -> str:
    """Return how a rule set compares with the baseline: fair, nearer, farther, or not distinguishable."""
    first, base = findings.first_player_advantage, labels_of(findings).base
    rows, before = first.filter(setting=setting), first.filter("baseline")
    fair, aim = "on target" if findings.run.team else "fair", side_of(findings.run).aim
    name, wins = rule_name(findings)(setting), _against(findings, rows, before)
    if _good(rows):
        return f"{capital(name)} is {'still ' if _good(before) else ''}{fair}: {wins}."
    stand = standing(findings, setting, _baseline(findings))
    tied = [
        rule_name(findings)(rule_set)
        for rule_set in _tied(findings)
        if rule_set not in (setting, _baseline(findings))
    ]
    together = f" together with {listed(tied)}" if tied else ""
    comes = f"nearest to {aim}{together}" if several else f"nearer to {aim}"
    if not any(stand):
        is_best = f", the {comes}," if several else ""
        sentence = f"{name}{is_best} is not told apart from the {base}"
    elif not stand.nearer:
        sentence = f"{name} is farther from {aim} than the {base}"
    else:
        sentence = f"{name} comes {comes}{_mixed(findings, stand)}"
    return f"{capital(sentence)}: {wins} ({_verdicts(findings, rows)})."


def _tied(findings: Findings) -> list[str]:
    """Return the rule sets nearest to fair that differ by less than a game of 100 and are not ranked."""
    return equally_near(findings.rule_sets.rows(named=True))


def _baseline_best(findings: Findings, rows: pl.DataFrame) -> str:
    others, base = findings.rule_sets.height - 1, labels_of(findings).base
    none = f"{none_of(others).capitalize()} other rule sets looks nearer to {side_of(findings.run).aim}"
    subject, won = _who(findings), _won(findings, rows)
    return f"{none} than the {base}: there {subject} {won} ({_verdicts(findings, rows)})."


def _baseline(findings: Findings) -> str:
    return str(findings.rule_sets.filter("baseline")["setting"][0])


def _good(rows: pl.DataFrame) -> bool:
    return set(rows["verdict"]) <= {FAIR, ON_TARGET}


def _verdicts(findings: Findings, rows: pl.DataFrame) -> str:
    if rows.height > 1:
        return tally(rows["verdict"].to_list(), players(findings))
    return str(rows["verdict"][0])


def _against(findings: Findings, rows: pl.DataFrame, before: pl.DataFrame) -> str:
    """Return the wins with a rule set and with the baseline."""
    now, printed = _won(findings, rows), _won(findings, before)
    if now == printed:
        return f"with both {_who(findings)} {now}"
    number = re.sub(" games? of 100| % of the games| percentage points? off fair", "", printed)
    return f"{_who(findings)} {now} instead of {number}"


def digits(findings: Findings) -> int:
    """Return the decimals for shares of rule sets: one where whole percents would hide the margin."""
    first, share, fair = findings.first_player_advantage, pl.col("share"), pl.col("fair")
    if by_distance(findings):
        share, fair = (pl.col("farthest_share") - pl.col("fair")).abs(), pl.lit(0.0)
    rows = first.select(share.alias("share"), fair.alias("fair"), "verdict").drop_nulls().rows()
    return int(whole_hides(itertools.starmap(Judged, rows), findings.run.experiment.margin))


def _who(findings: Findings) -> str:
    return "a player is up to" if by_distance(findings) else f"the {side_of(findings.run).name} wins"


def _won(findings: Findings, rows: pl.DataFrame) -> str:
    """Return the first player's wins of 100; for three and more players the largest distance from fair."""
    if by_distance(findings):
        off = (rows["farthest_share"] - rows["fair"]).abs().max()
        points = rounded(100 * float(str(off)), digits(findings))
        return f"{distance(points / 100)} off fair"
    if digits(findings):
        return f"{shares([*rows['share']])} % of the games"
    return games_of_100(*rows["share"])


def _significance(findings: Findings, setting: str, several: bool) -> str:
    """Return whether a rule set is nearer than the baseline and the next best beyond luck."""
    base, ranked = _baseline(findings), findings.rule_sets["setting"].to_list()
    rivals = {base: f"the {labels_of(findings).base}"} if setting != base else {}
    if several and ranked[1] not in [*rivals, *_tied(findings)]:
        rivals[ranked[1]] = f"the next best ({rule_name(findings)(ranked[1])})"
    stands = {than: standing(findings, setting, than) for than in rivals}
    sentences = []
    for stand in sorted({stand for stand in stands.values() if any(stand)}, reverse=True):
        names = listed(called for than, called in rivals.items() if stands[than] == stand)
        sentences.append(_beyond_luck(findings, names, stand))
    rows = findings.first_player_advantage.filter(setting=setting)
    in_headline = {base} if several and not _good(rows) else set()  # that it is not told apart
    unsure = [called for than, called in rivals.items() if not any(stands[than]) and than not in in_headline]
    if unsure:
        leader = f"the {labels_of(findings).base}" if setting == base else "it"
        doubt = f"That {leader} is nearer than {listed(unsure, 'or')}" if several else "So small a difference"
        sentences.append(f"{doubt} may be luck.")
    return " ".join(sentences)


def _farther(findings: Findings) -> str:
    """Return how many rule sets are farther off than the baseline beyond luck, and the farthest."""
    base = _baseline(findings)
    others = findings.rule_sets.filter(~pl.col("baseline"))["setting"].to_list()
    stands = {rule_set: standing(findings, rule_set, base) for rule_set in others}
    farther = [rule_set for rule_set, stand in stands.items() if stand.farther and not stand.nearer]
    if not farther:
        return ""
    not_all = any(stands[rule_set].farther < findings.cells["lineup"].n_unique() for rule_set in farther)
    sure = f"beyond luck{f' with some {players(findings)}' if not_all else ''}"
    rows = findings.first_player_advantage.filter(setting=farther[-1])
    worst = f"{rule_name(findings)(farther[-1])}{', the farthest,' if len(farther) > 1 else ''}"
    count = f"{capital(in_words(len(farther)))} of the {in_words(len(others))} others"
    than = f"{'is' if len(farther) == 1 else 'are'} farther than the {labels_of(findings).base} {sure}"
    return f"{count} {than}: with {worst} {_who(findings)} {_won(findings, rows)}."


def _beyond_luck(findings: Findings, names: str, stand: Standing) -> str:
    if stand.nearer:
        lineups = f"{_with(findings, stand.nearer)}{_but_farther(findings, stand)}"
        return f"It is nearer than {names} beyond luck{lineups}."
    return f"It is farther than {names} beyond luck{_with(findings, stand.farther)}."


def _but_farther(findings: Findings, stand: Standing) -> str:
    """Return the number of other lineups with which the rule set is farther."""
    if not stand.farther:
        return ""
    all_others = findings.cells["lineup"].n_unique() - stand.nearer == stand.farther
    count = in_words(stand.farther)
    lineups = ("the other" if stand.farther == 1 else f"the other {count}") if all_others else count
    return f", and farther with {lineups}"


def _mixed(findings: Findings, stand: Standing) -> str:
    """Return for a headline the lineups with which it is nearer, where it is farther with others."""
    return f"{_with(findings, stand.nearer)}{_but_farther(findings, stand)}" if stand.farther else ""


def _with(findings: Findings, sure: int) -> str:
    lineups = findings.cells["lineup"].n_unique()
    if lineups == 1:
        return ""
    noun = players(findings)
    return (
        f" with all {in_words(lineups)} {noun}"
        if sure == lineups
        else f" with {in_words(sure)} of {in_words(lineups)} {noun}"
    )


def rules_said(findings: Findings) -> str:
    """Return a heading on how many rule sets are nearer than the baseline beyond luck."""
    if findings.rule_sets.filter("baseline").is_empty():
        return "Rule sets, nearest to fair first"
    base, others = _baseline(findings), findings.rule_sets.filter(~pl.col("baseline"))["setting"].to_list()
    stands = [standing(findings, rule_set, base) for rule_set in others]
    nearer = [stand.nearer for stand in stands if stand.nearer and not stand.farther]
    better, not_all = len(nearer), any(lineups < findings.cells["lineup"].n_unique() for lineups in nearer)
    than = f"nearer to {side_of(findings.run).aim} beyond luck{' with some players' if not_all else ''}"
    if len(others) == 1:
        return f"The other rule set is {'' if better else 'not '}{than}"
    if not better:
        return f"No other rule set is {than}"
    if better == len(others):
        return f"All {in_words(better)} rule sets are {than}" if better > 2 else f"Both rule sets are {than}"
    are = "is" if better == 1 else "are"
    return f"{capital(in_words(better))} of {in_words(len(others))} rule sets {are} {than}"


def capital(text: str) -> str:
    """Return a sentence with a capital; a file name at its start stays as it is."""
    return text if "." in text.partition(" ")[0] else f"{text[:1].upper()}{text[1:]}"
