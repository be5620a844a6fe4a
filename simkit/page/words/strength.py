"""Sentences about the tables of strategies: the answer, advice, and what follows."""

from collections.abc import Callable, Iterable, Iterator
from math import comb
from typing import NamedTuple

import polars as pl

from simkit.formatting import counted
from simkit.page.words.labels import labels_of, lower_first, place
from simkit.page.words.numbers import (
    Sentence,
    TableRow,
    about,
    capital,
    games_of_100,
    in_words,
    join_names,
    number,
    percent,
    span,
    whole,
)
from simkit.stats.planning import deals_to_narrow
from simkit.tables import landscape as landscape_tables
from simkit.tables.findings import Findings, cells
from simkit.tables.players import ranking, same_players

NEEDED_WEIGHT = 0.05  # smallest weight in the equilibrium with which a strategy counts as needed
MAX_NAMED_STRATEGIES = 4  # strategies, or pairs of them, named in a sentence
DIFFERENT = "Not all of these plans met: each share is against the opponents that the plan had."
UNSETTLED_MATCH = "not settled"
RANDOM = "random"  # not a plan
Tables = Callable[[str], pl.DataFrame]  # name -> the table, about one setting, with labels


class StrategyStanding(NamedTuple):
    """The strategies at one setting: the ranking, those needed, those never right, open matches."""

    ranked: list[TableRow]  # the best first
    needed: list[str]
    never: list[str]
    settled: bool  # whether matches distinguish the needed strategies


class Meetings(NamedTuple):
    """Strategies at tables of one size in groups linked by games, and whether every one met every other."""

    groups: list[list[str]]
    everybody: bool


def tables_at(findings: Findings, setting: str) -> Tables:
    """Return the tables of one setting, labelled."""
    labels = labels_of(findings)

    def here(name: str) -> pl.DataFrame:
        table: pl.DataFrame = getattr(findings, name)
        if name == "ratings":
            table = table.filter(kind="strategy").rename({"name": "strategy"})
        return labels.label(table.filter(pl.col("setting") == setting)) if table.width else table

    return here


def strength_sentences(findings: Findings, setting: str) -> Iterator[Sentence]:
    """Yield what other settings reverse, the answer at one setting, the advice, the best at other sizes."""
    several = ranking(findings)["setting"].n_unique() > 1
    where = place(findings, setting) if several else ""
    only = f".filter(setting={setting!r})" if several else ""
    tables, same = tables_at(findings, setting), same_players_sentences(findings, setting)
    turned = reversals(findings, setting)
    yield from turned[:1]
    yield Sentence(_with_setting(where, strategies_headline(tables)), f"ranking{only}")
    yield from turned[1:]
    for text in [*same, strategies_advice(tables)]:
        if text:
            yield Sentence(_with_setting(where, text), f"landscape{only}")
    for part in _sizes(tables)[1:]:
        yield Sentence(_with_setting(where, _best(tables, part)), f"ranking{only}")
    for row in tables("cycles").head(1).rows(named=True):
        pairs = (("first", "second"), ("second", "third"), ("third", "first"))
        edges = [f"{row[a]} beats {row[b]} ({percent(row[f'{a}_{b}'])})" for a, b in pairs]
        yield Sentence(f"{capital(join_names(edges))}: a circle.", f"cycles{only}")


def _with_setting(where: str, text: str) -> str:
    """Return a sentence with its setting: "At goal 8, no plan beats all others."."""
    return f"{capital(where)}, {lower_first(text)}" if where else text


class ReversedMatches(NamedTuple):
    """Matches whose winner loses at the setting looked at, and those at settings that reverse no match."""

    swapped: pl.DataFrame
    others: pl.DataFrame

    @property
    def undecided(self) -> pl.DataFrame:
        """Matches that may be reversed, too."""
        return self.others.filter(result=UNSETTLED_MATCH)


def reversals_at(findings: Findings, setting: str) -> ReversedMatches | None:
    """Return how the matches lost at a setting end at others, if some are surely reversed."""
    matchups, pair = landscape_tables.matchups(findings), ["strategy", "opponent"]
    if not matchups.width:
        return None
    lost = matchups.filter(setting=setting, result="loses to").select(*pair, before="share")
    elsewhere = matchups.filter(pl.col("setting") != setting).join(lost, on=pair, maintain_order="left")
    swapped = elsewhere.filter(result="beats")
    others = elsewhere.filter(~pl.col("setting").is_in(swapped["setting"].implode()))
    return ReversedMatches(swapped, others) if swapped.height else None


def deals_to_decide(findings: Findings, setting: str) -> int:
    """Return about how many deals would narrow the matches that may be reversed to the margin; 0 for none."""
    matches = reversals_at(findings, setting)
    if matches is None or (undecided := matches.undecided).is_empty():
        return 0
    played = (
        cells(findings).filter(pl.col("setting").is_in(undecided["setting"].implode()))["deals"].to_list()
    )
    half = max((undecided["high"] - undecided["low"]).to_list()) / 2
    return about(deals_to_narrow(max(played), half, findings.run.experiment.margin))


def reversals(findings: Findings, setting: str) -> list[Sentence]:
    """Return a sentence on the settings at which two strategies surely swap winner and loser."""
    if (matches := reversals_at(findings, setting)) is None:
        return []
    rows = labels_of(findings).label(matches.swapped).rows(named=True)
    texts = [reversal_words(rows, place(findings, setting)), *_not_reversed(findings, matches)]
    if cells(findings)["seats"].n_unique() > 1:
        texts.append("This is of games of 2 players; larger tables are not compared plan by plan.")
    return [Sentence(text, "matchups") for text in texts]


def _not_reversed(findings: Findings, matches: ReversedMatches) -> Iterator[str]:
    """Yield the pairs whose winner is not settled, with their settings; then what reverses nothing."""
    undecided, others = matches.undecided, matches.others
    if undecided.height:
        of_pairs = labels_of(findings).label(undecided).group_by("strategy", "opponent", maintain_order=True)
        open_pairs = [_open_pair(str(a), str(b), rows) for (a, b), rows in of_pairs]
        yield f"It is not settled who wins {', and '.join(open_pairs)}."
    same = others.filter(~pl.col("setting").is_in(undecided["setting"].implode()))["setting"]
    if len(same):
        names = labels_of(findings).settings(same.unique(maintain_order=True).to_list(), "and")
        yield f"{capital(names)} {'reverse' if same.n_unique() > 1 else 'reverses'} nothing."


def _open_pair(strategy: str, opponent: str, rows: pl.DataFrame) -> str:
    size = span(float(str(rows["low"].min())), float(str(rows["high"].max())), 0, scale=100)
    return f"between {strategy} and {opponent} with {join_names(rows['setting'], 'or')} ({size} games of 100)"


def reversal_words(rows: list[TableRow], usual: str) -> str:
    """Return which setting reverses which results, beside those at the usual one; the subject is the rule.

    >>> row = {"setting": "goal 9", "strategy": "b", "opponent": "a", "share": 0.61, "before": 0.3}
    >>> reversal_words([row], "at the rulebook")
    'Goal 9 reverses who wins: b beats a (61 games of 100 instead of 30 at the rulebook).'
    """
    places = list(dict.fromkeys(row["setting"] for row in rows))
    texts = [
        f"{row['strategy']} beats {row['opponent']} "
        f"({games_of_100(row['share'])} instead of {whole(row['before'])} {usual})"
        for row in rows
    ]
    reverses = "reverse" if len(places) > 1 else "reverses"
    results = join_names(dict.fromkeys(texts), most=MAX_NAMED_STRATEGIES)
    return f"{capital(join_names(places))} {reverses} who wins: {results}."


def strategies_headline(tables: Tables) -> str:
    """Return who wins most, and how many of the plans are needed."""
    at, best = strategy_standing(tables), _best(tables, _sizes(tables)[0])
    if not at.needed:
        return best
    if len(at.needed) == 1:
        return f"{best} One plan answers all others: {at.needed[0]}."
    if not at.settled:
        return f"{best} No plan was shown to beat all others."
    return f"{best} No single best plan: {in_words(len(at.needed))} of {in_words(len(at.ranked))} are needed."


def strategies_advice(tables: Tables) -> str:
    """Return advice for the designer; empty for three and more players."""
    at = strategy_standing(tables)
    if not at.needed:
        return ""
    if len(at.needed) == 1 and len(at.ranked) > 2:
        return f"Weaken the main source of points of {at.needed[0]}, or give another plan a counter."
    if at.never:
        never = join_names(at.never, most=MAX_NAMED_STRATEGIES)
        return f"Never the right choice: {never}. Make what such a plan goes for worth more."
    if at.settled:
        return "No change needed: each of these plans has a counter among the others."
    return "Play more deals before changing anything: the best plans are not told apart yet."


def strategy_standing(tables: Tables) -> StrategyStanding:
    """Return the standing of the strategies in the tables of one setting."""
    rated, met = tables("landscape").filter(pl.col("nash").is_not_null()), tables("matchups")
    needed = rated.filter(pl.col("nash") >= NEEDED_WEIGHT)["strategy"].to_list()
    never = rated.filter(pl.col("strictly"), pl.col("strategy") != RANDOM)["strategy"].to_list()
    settled = True
    if met.width:
        among = met.filter(pl.col("strategy").is_in(needed), pl.col("opponent").is_in(needed))
        settled = bool((among["result"] != UNSETTLED_MATCH).any())
    return StrategyStanding(_sizes(tables)[0], needed, never, settled)


def _sizes(tables: Tables) -> list[list[TableRow]]:
    """Return the ranking at tables of each number of seats."""
    return [part.rows(named=True) for part in tables("ranking").partition_by("seats", maintain_order=True)]


def _best(tables: Tables, rows: list[TableRow]) -> str:
    """Return who wins most and who may be as good, or why that cannot be said.

    Strategies that did not sit in each seat equally often are not ranked: their shares are those of the seats
    too.
    """
    met, at = meetings_at(tables("meetings"), rows[0]["seats"]), _tables_of(rows[0])
    even, uneven = ([row for row in rows if row["balanced"] == side] for side in (True, False))
    left_out = seats_differ((row["strategy"] for row in uneven), at) if uneven else ""
    if len(even) < 2:
        return left_out
    return f"{_best_of(tables, even, met, at)} {left_out}".strip()


def seats_differ(names: Iterable[str], at: str = "") -> str:
    """Return why strategies are not ranked that did not sit in each seat equally often.

    >>> seats_differ(["a", "b"])
    'Seat and strategy cannot be told apart: a and b did not sit in each seat equally often.'
    """
    sat = "did not sit in each seat equally often"
    return f"Seat and strategy cannot be told apart{at}: {join_names(names)} {sat}."


def _best_of(tables: Tables, rows: list[TableRow], met: Meetings, at: str) -> str:
    """Return who wins most of strategies that sat evenly, and who may be as good, or whether not all met."""
    best, *rest = rows
    if met.everybody:
        won = f"{games_of_100(best['share'])} against {counted(best['opponents'], 'other')}"
        return f"{capital(best['strategy'])} wins most{at}: {won}{_as_good(best, rest)}."
    if len(met.groups) > 1:
        groups = " and ".join(f"({', '.join(group)})" for group in met.groups)
        return f"Not ranked together{at}, as they never met: {groups}."
    names = [row["strategy"] for row in rows]
    rated = tables("ratings").filter(pl.col("strategy").is_in(names), seats=best["seats"]).drop_nulls("elo")
    if rated.height < 2:
        return f"Not all plans met{at}, and these games put them on no common scale."
    first, *rest = rated.rows(named=True)
    name = f"{capital(first['strategy'])} is strongest{at}, judged by common opponents"
    elo = f"Elo {number(first['elo'], 0, sign=True)}, {span(first['low'], first['high'], 0, sign=True)}"
    return f"{name} ({elo}){_as_good(first, rest)}."


def meetings_at(meetings: pl.DataFrame, seats: int) -> Meetings:
    """Return which strategies met at tables of a size; `meetings`: rows of one setting."""
    if not meetings.width:
        return Meetings([], True)
    rows = meetings.filter(seats=seats)
    parts = rows.partition_by("group", maintain_order=True)
    groups = [part["strategy"].unique(maintain_order=True).to_list() for part in parts]
    pairs = set(map(frozenset, rows.select("strategy", "opponent").iter_rows()))
    return Meetings(groups, len(pairs) == comb(sum(map(len, groups)), 2))


def _tables_of(row: TableRow) -> str:
    return f" at tables of {row['seats']}" if row["seats"] != 2 else ""


def _as_good(best: TableRow, rest: list[TableRow]) -> str:
    """Return the strategies whose intervals overlap that of the best."""
    close = [row["strategy"] for row in rest if row["high"] > best["low"]]
    if not close:
        return ""
    return f"; {join_names(close, most=MAX_NAMED_STRATEGIES)} may be as good"


def needs() -> pl.Expr:
    """Return whether each strategy of `landscape` is needed, not needed, never right, or doubtful."""
    doubt = pl.when("strictly").then(pl.lit("never right")).otherwise(pl.lit("doubtful"))
    worse = pl.when(pl.col("dominated_by").is_null()).then(pl.lit("not needed")).otherwise(doubt)
    return pl.when(pl.col("nash") >= NEEDED_WEIGHT).then(pl.lit("needed")).otherwise(worse)


def ladder_words(row: TableRow) -> str:
    """Return the skill range of strategies in steps of 60 wins to 40."""
    steps = f"{row['steps']:.1f} steps ({span(row['steps_low'], row['steps_high'])})"
    ends = f"From {row['worst']} up to {row['best']}{_tables_of(row)}"
    return f"{ends} there are {steps}, each from winning 50 games of 100 to winning 60."


def luck_words(row: TableRow) -> str:
    """Return how often the stronger of two finishes ahead, as a mixture of skill and a coin."""
    skill, ahead = whole(max(0.0, 2 * row["share"] - 1)), percent(row["share"])
    first = f"The stronger of two plans{_tables_of(row)} finishes ahead in {ahead} of the games"
    return f"{first}, as if skill decided {skill} of 100 and a coin the others."


def same_players_sentences(findings: Findings, setting: str = "") -> list[str]:
    """Return a sentence per pair of strategies that played every deal alike."""
    rows = labels_of(findings).label(same_players(findings)).rows(named=True)
    texts = (
        f"{capital(row['strategy'])} and {row['opponent']} made the same moves in all {row['deals']:,} deals."
        for row in rows
        if setting in ("", row["setting"])
    )
    return list(dict.fromkeys(texts))
