"""What the tables of strategies say, in sentences for a designer: the answer, what to do, what follows."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import counted
from simkit.reporting.text.groups import place
from simkit.reporting.text.labels import labels_of, lowered
from simkit.reporting.text.match import same_players_said
from simkit.reporting.text.meetings import Met, everybody_met, met_at
from simkit.reporting.text.phrases import (
    Row,
    Said,
    ends,
    games_of_100,
    in_words,
    interval,
    listed,
    percent,
    span,
    whole,
)
from simkit.reporting.text.reversals import turned

MATTERS = 0.05  # the least part of the picks of perfect rivals with which a plan counts as needed
MOST_NAMED = 4  # plans that a sentence names
MOST_SETTINGS = 2  # settings that one names for each of them
NOT_SETTLED = "not settled"
RANDOM = "random"  # no plan
Tables = Callable[[str], pl.DataFrame]  # name -> the table, about one setting, with labels


class Standing(NamedTuple):
    """What one setting says of its plans: the ranking, those needed, those never right, open matches."""

    ranked: list[Row]  # the best first
    close: list[str]  # whose interval overlaps with that of the best
    needed: list[str]
    never: list[str]
    settled: bool  # whether the plans that are needed are told apart by their matches


def tables_at(findings: Findings, setting: str) -> Tables:
    """The tables of one setting, in labels."""
    labels = labels_of(findings)

    def here(name: str) -> pl.DataFrame:
        table: pl.DataFrame = getattr(findings, name)
        if name == "ratings":
            table = table.filter(kind="strategy").rename({"name": "strategy"})
        return labels.named(table.filter(pl.col("setting") == setting)) if table.width else table

    return here


def strength(findings: Findings, setting: str) -> Iterator[Said]:
    """The answer at one setting, what to do, and which plan is best at the others."""
    several = findings.ranking["setting"].n_unique() > 1
    where = place(findings, setting) if several else ""
    only = f".filter(setting={setting!r})" if several else ""
    for said in (headline(findings, setting), advice(findings, setting)):
        if said.text:
            yield Said(_placed(where, said.text), said.rests + only)
    yield from turned(findings, setting)
    here = tables_at(findings, setting)
    for part in _sizes(here)[1:]:
        yield Said(_placed(where, _best(here, part)), f"ranking{only}")
    if several and everybody_met(findings.meetings):
        yield Said(_best_by_setting(labels_of(findings).named(findings.ranking)), "ranking")


def _placed(where: str, text: str) -> str:
    """A sentence with the setting that it is about.

    >>> _placed("at the rulebook", "No plan beats all others."), _placed("at goal 8", "Best: a wins.")
    ('At the rulebook, no plan beats all others.', 'Best at goal 8: a wins.')
    """
    if not where:
        return text
    if text.startswith("Best"):
        return f"Best {where}{text.removeprefix('Best')}"
    return f"{capital(where)}, {lowered(text)}"


def headline(findings: Findings, setting: str) -> Said:
    """How many plans matter and which is best: `No single best plan: three of seven are needed, …`."""
    here = tables_at(findings, setting)
    at, best = standing(here), _best(here, _sizes(here)[0])
    many = len(at.ranked)
    if not at.needed:
        return Said(best, "ranking")
    if len(at.needed) == 1:
        text = f"One plan answers all others: {at.needed[0]}"
    elif not at.settled:
        return Said(f"No plan beats all others. {best}", "landscape")
    else:
        text = f"No single best plan: {in_words(len(at.needed))} of {in_words(many)} are needed"
        text += f", {listed(at.needed)}" if len(at.needed) <= MOST_NAMED else ""
    return Said(f"{text}. {best}", "landscape")


def advice(findings: Findings, setting: str) -> Said:
    """Who is the same player, and what a designer may do; of that nothing at tables of three and more."""
    at, same = standing(tables_at(findings, setting)), " ".join(same_players_said(findings, setting))
    if not at.needed:
        return Said(same, "same_players")
    never = [name for name in at.never if name != RANDOM]
    if len(at.needed) == 1 and len(at.ranked) > 2:
        text = f"Weaken what {at.needed[0]} lives on, or give another plan an answer to it."
    elif never:
        one = len(never) == 1
        names = listed(never) if len(never) <= MOST_NAMED else f"{in_words(len(never))} plans"
        text = f"{capital(names)} {'is' if one else 'are'} never the right choice: make what "
        text += f"{'it goes' if one else 'they go'} for worth more."
    elif at.settled:
        text = "Leave it so: each of these plans has an answer among the others."
    else:
        text = "Play more deals before changing anything: the best plans are not told apart yet."
    return Said(f"{same} {text}".strip(), "landscape")


def sureness(findings: Findings, setting: str) -> Iterator[Said]:
    """How far the answer may be trusted: programs, how many games, how narrow."""
    here = tables_at(findings, setting)
    rows = _sizes(here)[0]
    half = max((row["high"] - row["low"]) / 2 for row in rows)
    yield Said(f"programs, not people: {counted(len(rows), 'plan')}, each as its program plays it", "ranking")
    games = f"n = {_games(row['games'] for row in rows)} games each"
    pairs = here("win_matrix")
    match = f", {_games(pairs['games'])} per match" if pairs.height else ""
    yield Said(f"±{whole(half)} games of 100 ({games}{match})", "ranking")


def standing(here: Tables) -> Standing:
    ranked, scape = _sizes(here)[0], here("landscape")
    known = scape.filter(pl.col("nash").is_not_null())
    needed = known.filter(pl.col("nash") >= MATTERS)["strategy"].to_list()
    met = here("matchups")
    among = pl.col("strategy").is_in(needed) & pl.col("opponent").is_in(needed)
    settled = met.width == 0 or bool((met.filter(among)["result"] != NOT_SETTLED).any())
    never = known.filter(pl.col("strictly"))["strategy"].to_list()
    best, *rest = ranked
    close = [row["strategy"] for row in rest if row["high"] > best["low"]]
    return Standing(ranked, close, needed, never, settled)


def _sizes(here: Tables) -> list[list[Row]]:
    """The ranking at tables of each number of seats."""
    return [part.rows(named=True) for part in here("ranking").partition_by("seats", maintain_order=True)]


def _best(here: Tables, rows: list[Row]) -> str:
    """Who wins most, and whether that is settled; of plans that did not all meet, what can be said."""
    met = met_at(here("meetings"), rows[0]["seats"])
    if met.everybody:
        return _wins_most(rows)
    tables = f" at tables of {rows[0]['seats']}" if rows[0]["seats"] != 2 else ""
    if len(met.groups) == 1:
        return _through(here, met, rows[0]["seats"], tables)
    apart = " and ".join(_group(group) for group in met.groups)
    return f"Not ranked together{tables}, as they never met: {apart}."


def _group(names: list[str]) -> str:
    """The plans of a group that met nobody else.

    >>> _group(["a", "b", "c"]), _group(["a", "b", "c", "d", "e"])
    ('(a, b, c)', '(a, b, c, d and 1 more)')
    """
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"({', '.join(names[:MOST_NAMED])}{more})"


def _through(here: Tables, met: Met, seats: int, tables: str) -> str:
    """Who is strongest through common opponents, where not all plans met."""
    rated = here("ratings").filter(seats=seats).drop_nulls("elo").sort("elo", descending=True)
    if rated.height < 2:
        return f"Not all plans met{tables}, and these games put them on no common scale."
    best, *rest = rated.rows(named=True)
    text = f"Not all plans met{tables}. Through common opponents {best['strategy']} rates highest"
    if close := _as_good(best, rest):
        return f"{text} so far{close}."
    return f"{text}, {best['elo'] - rest[0]['elo']:.0f} Elo above {rest[0]['strategy']}."


def _wins_most(rows: list[Row]) -> str:
    best, *rest = rows
    others = "its only opponent" if best["opponents"] == 1 else f"the {best['opponents']} others"
    tables = f" at tables of {best['seats']}" if best["seats"] != 2 else ""
    won = games_of_100(best["share"])
    text = f"Best{tables}: {best['strategy']} wins {won} against {others}"
    return f"{text}{_as_good(best, rest)}."


def _as_good(best: Row, rest: list[Row]) -> str:
    """Who may be as good as the best, as their intervals overlap."""
    close = [row["strategy"] for row in rest if row["high"] > best["low"]]
    if not close:
        return ""
    few = listed(close) if len(close) <= MOST_NAMED else f"{in_words(len(close))} others"
    return f"; {few} may be as good"


def _best_by_setting(ranked: pl.DataFrame) -> str:
    """Which strategy is best at each setting, the settings of one strategy together."""
    first = ranked.group_by("setting", "seats", maintain_order=True).first()
    tables = first["seats"].n_unique() > 1
    settings: dict[str, list[str]] = {}
    for row in first.iter_rows(named=True):
        where = row["setting"] + (f" with {row['seats']} seats" if tables else "")
        settings.setdefault(row["strategy"], []).append(where)
    many = f"n = {min(first['games']):,} games and more each; intervals in the table of the ranking"
    if len(settings) == 1:
        return f"{next(iter(settings))} wins most at every setting of the rules ({many})."
    often = sorted(settings.items(), key=lambda one: -len(one[1]))  # stays in order where as often
    told = [f"{name} at {_few(where)}" for name, where in often[:MOST_NAMED]]
    others = sum(len(where) for _, where in often[MOST_NAMED:])
    rest = [f"others at {others}"] if others else []
    return f"Who wins most depends on the rules: {'; '.join([*told, *rest])} ({many})."


def _few(settings: list[str]) -> str:
    """Settings by name where these are few, else how many they are."""
    return listed(settings) if len(settings) <= MOST_SETTINGS else f"{in_words(len(settings))} settings"


def _games(many: Iterable[int]) -> str:
    """From the fewest to the most."""
    some = sorted(many)
    return ends(f"{some[0]:,}", f"{some[-1]:,}")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def circles(here: Tables) -> Iterator[str]:
    """Who beats whom in a ring; or that none was found."""
    rings, met, scape = here("cycles"), here("matchups"), here("landscape")
    for row in rings.head(3).iter_rows(named=True):
        one, two, three = row["first"], row["second"], row["third"]
        shares = ", ".join(percent(row[edge]) for edge in ("first_second", "second_third", "third_first"))
        yield f"""{one} beats {two}, {two} beats {three}, and {three} beats {one} ({shares}; the weakest link
            at least {percent(0.5 + row["low"])}): a circle as in rock-paper-scissors."""
    several = met.width > 0 and met["strategy"].n_unique() > 2
    if rings.is_empty() and several and scape.height and scape["reason"].is_null().all():
        explained = 1 - scape["cyclic_part"].drop_nulls()[0]
        yield f"""No circle as in rock-paper-scissors was found; strength alone explains {whole(explained)} %
            of the differences between matches. Among plans that these games do not tell apart there may be
            one."""


def ladder_words(row: Row, met: bool = True) -> str:
    """How far apart the plans are, in steps of 60 wins to 40; `met`: whether the two did."""
    steps = span(row["steps_low"], row["steps_high"])
    tables = f" at tables of {row['seats']}" if row["seats"] != 2 else ""
    through = "" if met else " (these two never met: through common opponents)"
    return f"""From {row["worst"]} up to {row["best"]}{tables} there are
        {row["steps"]:.1f} steps{through}, each from winning 50 games of 100 to winning 60 (95 % interval
        {steps}): at least so much skill is in the game."""


def luck_words(row: Row) -> str:
    """How often the stronger of two is ahead, as skill and a coin."""
    skill = max(0.0, 2 * row["share"] - 1)
    tables = "one table" if row["seats"] == 2 else f"a table of {row['seats']}"
    return f"""Of two plans at {tables} the stronger finishes ahead in {percent(row["share"])} of the games
        ({interval(row)}): as if skill decided {whole(skill)} games of 100 and a coin the others."""


def first_place(part: pl.DataFrame) -> tuple[str, str]:
    """What first place is worth to the strongest and the weakest plan: in brief, and with numbers.

    `part`: `mirrors` of one setting and size, those rated, the strongest first.
    """
    best, worst = part.row(0, named=True), part.row(-1, named=True)
    if best["elo_low"] <= worst["elo_high"]:
        each = [f"{percent(row['share'])} with {row['strategy']} ({interval(row)})" for row in (best, worst)]
        text = f"""Where all play alike the first player wins {listed(each)}; none of the plans is
            the stronger beyond luck."""
        return "What first place is worth to strong players is open: no plan is stronger beyond luck", text
    apart = best["low"] > worst["high"] or best["high"] < worst["low"]
    brief = _first_place(best, worst) if apart else "Whether first place favours strong players is open"
    text = f"""Where all play alike the first player wins {percent(best["share"])} with the strongest,
        {best["strategy"]} ({interval(best)}), and {percent(worst["share"])} with the weakest,
        {worst["strategy"]} ({interval(worst)}){"" if apart else ": their intervals overlap"}."""
    return brief, text


def _first_place(best: Row, worst: Row) -> str:
    """To whom first place matters more; of opposite signs whom it helps and hurts, where both are sure.

    >>> _first_place({"fpa": -0.06, "fpa_high": -0.05}, {"fpa": 0.03, "fpa_low": 0.02})
    'First place hurts strong players and helps weak ones'
    """
    if best["fpa"] * worst["fpa"] >= 0:
        more = "more" if abs(best["fpa"]) > abs(worst["fpa"]) else "less"
        return f"First place matters {more} to strong players than to weak ones"
    helps = best["fpa"] > 0
    up, down = (best, worst) if helps else (worst, best)
    if up["fpa_low"] > 0 > down["fpa_high"]:
        strong, weak = ("helps", "hurts") if helps else ("hurts", "helps")
        return f"First place {strong} strong players and {weak} weak ones"
    return f"First place is worth {'more' if helps else 'less'} to strong players than to weak ones"
