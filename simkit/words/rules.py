"""Which of several rule sets is nearest to fair, and whether that is more than luck, in sentences."""

import re
from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings, axes
from simkit.stats.verdicts import FAIR, ON_TARGET
from simkit.words.labels import Labels, labels_of, rule_sets
from simkit.words.phrases import Row, distance, games_of_100, in_words, listed
from simkit.words.sure import SURE, sureness
from simkit.words.whose import beyond_two, players, side_of


class Rules(NamedTuple):
    """The answer, how it stands to the baseline and to the next best, how sure that is."""

    headline: str
    advice: str
    sure: list[str]


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
    called = f"{labels.option(name)} {value}" if type(value) is int else labels.value(name, value)
    return f"{called} ({labels.base})" if baseline else called


def rule_meaning(found: Findings, setting: str) -> str:
    """What the options mean that a rule set has other than the baseline; nothing where one is turned."""
    if len(axes(found.run)) == 1 and len(axes(found.run)[0].options) == 1:
        return ""
    labels, rules = labels_of(found), rule_sets(found.run)
    cell = found.cells.filter(setting=setting)["cell"][0]
    return "; ".join(filter(None, map(labels.meaning, rules[cell])))


def rules_answer(found: Findings) -> Rules:
    best = found.rule_sets.row(0, named=True)
    rows = found.first_player_advantage.filter(setting=best["setting"])
    headline = (_baseline_best if best["baseline"] else _best)(found, best, rows)
    named = labels_of(found).named(rows).rows(named=True)
    return Rules(headline, _told_apart(found, best), sureness(found, named))


def _best(found: Findings, best: Row, rows: pl.DataFrame) -> str:
    name, side = rule_name(found)(best["setting"]), side_of(found.run)
    before = found.first_player_advantage.filter("baseline")
    is_fair = set(rows["verdict"]) <= {FAIR, ON_TARGET}
    comes = f"is {'on target' if found.run.team else 'fair'}" if is_fair else f"comes nearest to {side.aim}"
    instead = re.sub(" games? of 100| percentage points? off fair", "", _won(found, before))
    return f"{_upper(name)} {comes}: {_wins(found, rows)} instead of {instead}."


def _baseline_best(found: Findings, best: Row, rows: pl.DataFrame) -> str:
    others, base = found.rule_sets.height - 1, labels_of(found).base
    none = f"None of the {in_words(others)} other rule sets is" if others > 1 else "The other rule set is not"
    return f"{none} nearer to {side_of(found.run).aim} than the {base}: there {_wins(found, rows)}."


def _wins(found: Findings, rows: pl.DataFrame) -> str:
    who = "a player" if beyond_two(found) else f"the {side_of(found.run).name}"
    return f"{who} is up to {_won(found, rows)}" if beyond_two(found) else f"{who} wins {_won(found, rows)}"


def _won(found: Findings, rows: pl.DataFrame) -> str:
    """Games of 100 that the first player wins; of three and more how far the worst player is from fair."""
    if beyond_two(found):
        off = (rows["farthest_share"] - rows["fair"]).abs().max()
        return f"{distance(round(float(str(off)), 2))} off fair"
    shares = rows["share"].to_list()
    return games_of_100(min(shares), max(shares))


def _told_apart(found: Findings, best: Row) -> str:
    """Whether the best is nearer than the baseline, and than the next best, beyond luck."""
    ranked, name = found.rule_sets, rule_name(found)
    base, held = ranked.filter("baseline")["setting"].to_list(), dict[str, str]()
    if base and not best["baseline"]:
        held[base[0]] = f"the {labels_of(found).base}"
    if ranked.height > 1 and ranked["setting"][1] not in held:
        held[ranked["setting"][1]] = f"the next best ({name(ranked['setting'][1])})"
    sure = {than: _sure_with(found, best["setting"], than) for than in held}
    said = []
    for many in sorted(set(sure.values()) - {0}, reverse=True):
        names = [called for than, called in held.items() if sure[than] == many]
        said.append(f"It is nearer than {listed(names)} beyond luck{_with(found, many)}.")
    doubtful = [called for than, called in held.items() if not sure[than]]
    said += [f"That it is nearer than {listed(doubtful, 'or')} may be luck."] if doubtful else []
    return " ".join(said)


def _sure_with(found: Findings, setting: str, than: str) -> int:
    """With how many lineups a rule set is nearer to fair than another beyond luck.

    The adjusted p-value decides, which allows for all comparisons of rule sets.
    """
    cells = dict(found.cells.select("cell", "setting").iter_rows())
    other = pl.col("than").replace_strict(cells, return_dtype=pl.String)
    return found.rules_nearer.filter(other == than, pl.col("p_adjusted") < SURE, setting=setting).height


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
    """How many rule sets are nearer than the baseline beyond luck, for a heading."""
    base = found.rule_sets.filter("baseline")
    if base.is_empty():
        return "Rule sets, nearest to fair first"
    better = found.rule_sets.filter(pl.col("rank") < base["rank"][0]).height
    others = found.rule_sets.height - 1
    than = f"nearer to {side_of(found.run).aim} than the {labels_of(found).base}"
    if not better:
        return f"No other rule set lies {than}"
    if others == 1:
        return f"The other rule set lies {than}"
    lie = "lies" if better == 1 else "lie"
    return f"{_upper(in_words(better))} of {in_words(others)} rule sets {lie} {than}"


def _upper(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
