"""Which of several rule sets is nearest to fair, and whether that is more than luck, in sentences."""

import itertools
import re
from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings, axes
from simkit.analysis.seats import nobody_wins
from simkit.formatting import rounded
from simkit.reporting.text.answer import equally_near, tally
from simkit.reporting.text.between import between_neighbours
from simkit.reporting.text.confidence import SURE, sureness
from simkit.reporting.text.labels import Labels, labels_of, rule_sets
from simkit.reporting.text.perspective import beyond_two, players, side_of
from simkit.reporting.text.phrases import Row, distance, games_of_100, in_words, listed, none_of, shares
from simkit.reporting.text.precision import Judged, whole_hides
from simkit.stats.verdicts import FAIR, ON_TARGET


class Rules(NamedTuple):
    """The answer, how it stands to the baseline and to the next best, how sure that is."""

    headline: str
    advice: str
    sure: list[str]


class Standing(NamedTuple):
    """With how many lineups a rule set is nearer to fair than another beyond luck; with how many farther."""

    nearer: int
    farther: int


def rule_name(found: Findings) -> Callable[[str], str]:
    """What a rule set is called, by its setting: its value, or what it has other than the baseline."""
    return found.kept(_names).__getitem__


def _names(found: Findings) -> dict[str, str]:
    labels, rules = labels_of(found), rule_sets(found.run)
    settings = dict(found.cells.select("cell", "setting").iter_rows())
    return {
        settings[cell.index]: _name(labels, cell.varied, rules[cell.index], cell.baseline)
        for cell in found.run.cells
    }


def _name(labels: Labels, varied: Row, differs: Row, baseline: bool) -> str:
    if len(varied) > 1 or not varied:
        return labels.base if baseline else labels.setting(differs)
    ((name, value),) = varied.items()
    called = labels.quoted(name, value)
    return f"{called} ({labels.base})" if baseline else called


def rule_meaning(found: Findings, setting: str) -> str:
    """What the options mean that a rule set has other than the baseline; nothing where one is turned."""
    if len(axes(found.run)) == 1 and len(axes(found.run)[0].options) == 1:
        return ""
    labels, rules = labels_of(found), rule_sets(found.run)
    cell = found.cells.filter(setting=setting)["cell"][0]
    return "; ".join(filter(None, map(labels.meaning, rules[cell])))


def rules_answer(found: Findings) -> Rules:
    """The best rule set; the other one where there are two; the baseline where none of several is better."""
    ranked = found.rule_sets
    told = ranked if ranked.height > 2 else ranked.filter(~pl.col("baseline"))
    setting, several = told["setting"][0], ranked.height > 2
    rows = found.first_player_advantage.filter(setting=setting)
    headline = _baseline_best(found, rows) if told["baseline"][0] else _headline(found, setting, several)
    named = labels_of(found).named(rows).rows(named=True)
    advice = [_told_apart(found, setting, several), _farther(found) if several else ""]
    advice += [] if _good(rows) else [between_neighbours(found)]
    return Rules(headline, " ".join(filter(None, advice)), sureness(found, named))


def by_distance(found: Findings) -> bool:
    """Whether one share does not say it all: of three and more seats, and where the fair share moves."""
    return beyond_two(found) or bool(found.kept(nobody_wins))


def standing(found: Findings, setting: str, than: str) -> Standing:
    """With how many lineups a rule set is nearer to fair than another beyond luck, and with how many farther.

    Of the pairs in `rules_nearer`: each rule set and the baseline, the best and the next best. The adjusted
    p-value decides, which allows for all of them.
    """
    settings = dict(found.cells.select("cell", "setting").iter_rows())
    other = pl.col("than").replace_strict(settings, return_dtype=pl.String)
    sure = found.rules_nearer.filter(pl.col("p_adjusted") < SURE)
    nearer, farther = ((setting, than), (than, setting))
    return Standing(*(sure.filter(other == far, setting=near).height for near, far in (nearer, farther)))


def _headline(found: Findings, setting: str, several: bool) -> str:
    """How a rule set stands to the baseline: whether it is fair, nearer, farther, or not told apart."""
    first, base = found.first_player_advantage, labels_of(found).base
    rows, before = first.filter(setting=setting), first.filter("baseline")
    fair, aim = "on target" if found.run.team else "fair", side_of(found.run).aim
    name, wins = rule_name(found)(setting), _against(found, rows, before)
    if _good(rows):
        return f"{capital(name)} is {'still ' * _good(before)}{fair}: {wins}."
    stand = standing(found, setting, _baseline(found))
    tied = [rule_name(found)(one) for one in _tied(found) if one not in (setting, _baseline(found))]
    together = f" together with {listed(tied)}" if tied else ""
    comes = f"nearest to {aim}{together}" if several else f"nearer to {aim}"
    if not any(stand):
        is_best = f", the {comes}," if several else ""
        said = f"{name}{is_best} is not told apart from the {base}"
    elif not stand.nearer:
        said = f"{name} is farther from {aim} than the {base}"
    else:
        said = f"{name} comes {comes}{_mixed(found, stand)}"
    return f"{capital(said)}: {wins} ({_verdicts(found, rows)})."


def _tied(found: Findings) -> list[str]:
    """The rule sets nearest to fair, which no sentence ranks: they differ by less than a game of 100."""
    return equally_near(found.rule_sets.rows(named=True))


def _baseline_best(found: Findings, rows: pl.DataFrame) -> str:
    others, base = found.rule_sets.height - 1, labels_of(found).base
    none = f"{none_of(others).capitalize()} other rule sets looks nearer to {side_of(found.run).aim}"
    return f"{none} than the {base}: there {_who(found)} {_won(found, rows)} ({_verdicts(found, rows)})."


def _baseline(found: Findings) -> str:
    return str(found.rule_sets.filter("baseline")["setting"][0])


def _good(rows: pl.DataFrame) -> bool:
    return set(rows["verdict"]) <= {FAIR, ON_TARGET}


def _verdicts(found: Findings, rows: pl.DataFrame) -> str:
    if rows.height > 1:
        return tally(rows["verdict"].to_list(), players(found))
    return str(rows["verdict"][0])


def _against(found: Findings, rows: pl.DataFrame, before: pl.DataFrame) -> str:
    """Who wins how much with a rule set, and with the baseline."""
    here, there = _won(found, rows), _won(found, before)
    if here == there:
        return f"with both {_who(found)} {here}"
    number = re.sub(" games? of 100| % of the games| percentage points? off fair", "", there)
    return f"{_who(found)} {here} instead of {number}"


def digits(found: Findings) -> int:
    """How many digits the shares of the rule sets have: one where whole percents would hide the margin."""
    first, share, fair = found.first_player_advantage, pl.col("share"), pl.col("fair")
    if by_distance(found):
        share, fair = (pl.col("farthest_share") - pl.col("fair")).abs(), pl.lit(0.0)
    rows = first.select(share.alias("share"), fair.alias("fair"), "verdict").drop_nulls().rows()
    return int(whole_hides(itertools.starmap(Judged, rows), found.run.experiment.margin))


def _who(found: Findings) -> str:
    return "a player is up to" if by_distance(found) else f"the {side_of(found.run).name} wins"


def _won(found: Findings, rows: pl.DataFrame) -> str:
    """Games of 100 that the first player wins; of three and more how far the worst player is from fair."""
    if by_distance(found):
        off = (rows["farthest_share"] - rows["fair"]).abs().max()
        points = rounded(100 * float(str(off)), digits(found))
        return f"{distance(points / 100)} off fair"
    if digits(found):
        return f"{shares([*rows['share']])} % of the games"
    return games_of_100(*rows["share"])


def _told_apart(found: Findings, setting: str, several: bool) -> str:
    """Whether a rule set is nearer than the baseline, and than the next best, beyond luck."""
    base, ranked = _baseline(found), found.rule_sets["setting"].to_list()
    held = {base: f"the {labels_of(found).base}"} if setting != base else {}
    if several and ranked[1] not in [*held, *_tied(found)]:
        held[ranked[1]] = f"the next best ({rule_name(found)(ranked[1])})"
    stands = {than: standing(found, setting, than) for than in held}
    said = []
    for stand in sorted({one for one in stands.values() if any(one)}, reverse=True):
        names = listed(called for than, called in held.items() if stands[than] == stand)
        said.append(_beyond_luck(found, names, stand))
    rows = found.first_player_advantage.filter(setting=setting)
    in_headline = {base} if several and not _good(rows) else set()  # that it is not told apart
    doubtful = [called for than, called in held.items() if not any(stands[than]) and than not in in_headline]
    if doubtful:
        it = f"the {labels_of(found).base}" if setting == base else "it"
        doubt = f"That {it} is nearer than {listed(doubtful, 'or')}" if several else "So small a difference"
        said.append(f"{doubt} may be luck.")
    return " ".join(said)


def _farther(found: Findings) -> str:
    """How many rule sets are farther off than the baseline beyond luck, and how far the farthest is."""
    base = _baseline(found)
    others = found.rule_sets.filter(~pl.col("baseline"))["setting"].to_list()
    stands = {one: standing(found, one, base) for one in others}
    far = [one for one, stand in stands.items() if stand.farther and not stand.nearer]
    if not far:
        return ""
    some = any(stands[one].farther < found.cells["lineup"].n_unique() for one in far)
    sure = f"beyond luck{f' with some {players(found)}' * some}"
    rows = found.first_player_advantage.filter(setting=far[-1])
    worst = f"{rule_name(found)(far[-1])}{', the farthest,' * (len(far) > 1)}"
    many = f"{capital(in_words(len(far)))} of the {in_words(len(others))} others"
    than = f"{'is' if len(far) == 1 else 'are'} farther than the {labels_of(found).base} {sure}"
    return f"{many} {than}: with {worst} {_who(found)} {_won(found, rows)}."


def _beyond_luck(found: Findings, names: str, stand: Standing) -> str:
    if stand.nearer:
        lineups = f"{_with(found, stand.nearer)}{_but_farther(found, stand)}"
        return f"It is nearer than {names} beyond luck{lineups}."
    return f"It is farther than {names} beyond luck{_with(found, stand.farther)}."


def _but_farther(found: Findings, stand: Standing) -> str:
    """With how many of the other lineups it is farther."""
    if not stand.farther:
        return ""
    rest = found.cells["lineup"].n_unique() - stand.nearer == stand.farther
    many = in_words(stand.farther)
    which = ("the other" if stand.farther == 1 else f"the other {many}") if rest else many
    return f", and farther with {which}"


def _mixed(found: Findings, stand: Standing) -> str:
    """For a headline: with how many lineups it is nearer, where it is farther with others."""
    return f"{_with(found, stand.nearer)}{_but_farther(found, stand)}" if stand.farther else ""


def _with(found: Findings, sure: int) -> str:
    lineups = found.cells["lineup"].n_unique()
    if lineups == 1:
        return ""
    who = players(found)
    return (
        f" with all {in_words(lineups)} {who}"
        if sure == lineups
        else f" with {in_words(sure)} of {in_words(lineups)} {who}"
    )


def rules_said(found: Findings) -> str:
    """How many rule sets are nearer than the baseline beyond luck, and farther with nobody; for a heading."""
    if found.rule_sets.filter("baseline").is_empty():
        return "Rule sets, nearest to fair first"
    base, others = _baseline(found), found.rule_sets.filter(~pl.col("baseline"))["setting"].to_list()
    stands = [standing(found, one, base) for one in others]
    nearer = [stand.nearer for stand in stands if stand.nearer and not stand.farther]
    better, some = len(nearer), any(many < found.cells["lineup"].n_unique() for many in nearer)
    than = f"nearer to {side_of(found.run).aim} beyond luck{' with some players' * some}"
    if len(others) == 1:
        return f"The other rule set is {'' if better else 'not '}{than}"
    if not better:
        return f"No other rule set is {than}"
    if better == len(others):
        return f"All {in_words(better)} rule sets are {than}" if better > 2 else f"Both rule sets are {than}"
    are = "is" if better == 1 else "are"
    return f"{capital(in_words(better))} of {in_words(len(others))} rule sets {are} {than}"


def capital(text: str) -> str:
    """A sentence with a capital; the name of a file stays as it is."""
    return text if "." in text.partition(" ")[0] else f"{text[:1].upper()}{text[1:]}"
