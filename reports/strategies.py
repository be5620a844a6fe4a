"""The strategies page: how strong each strategy is, who beats whom, and how much is skill.

The brief has the best strategy and those that are needed, or the best team.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import polars as pl

from simkit.formatting import counted
from simkit.page.columns import table
from simkit.page.document.parts import Section, Step
from simkit.page.document.tables import Show, Table
from simkit.page.pictures import as_takeaways, at_setting, head_at, margin, setting_looked_at, where
from simkit.page.recipe import Recipe
from simkit.page.words.commands import command_again, game_words, more_command
from simkit.page.words.confidence import SURE, stopping_cautions
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
from simkit.page.words.strength import (
    MAX_NAMED_STRATEGIES,
    UNSETTLED_MATCH,
    Meetings,
    meetings_at,
    reversals,
    reversals_at,
    same_players_sentences,
    seats_differ,
)
from simkit.runs.plan import RANDOM
from simkit.stats.planning import deals_to_narrow
from simkit.tables import landscape as landscape_tables
from simkit.tables import teams as teams_tables
from simkit.tables.findings import Findings, cells
from simkit.tables.landscape import favourites, ladder, landscape
from simkit.tables.players import meetings, ranking, ratings

from .sections.answer import cases
from .sections.best_choices import best_choices
from .sections.luck import luck
from .sections.players import matchups, mirrors, strength_figures, team_figures, who
from .sections.seats import seats
from .sections.teams import mixed_teams, team_strategies

# Sentences about opponents

NEEDED_WEIGHT = 0.05  # smallest weight in the equilibrium with which a strategy counts as needed
TablesAt = Callable[[str], pl.DataFrame]  # name -> the table, about one setting, with labels


class StrategyStanding(NamedTuple):
    """The strategies at one setting: the ranking, those needed, those never right, open matches."""

    ranked: list[TableRow]  # the best first
    needed: list[str]
    never: list[str]
    settled: bool  # whether matches distinguish the needed strategies


def tables_at(findings: Findings, setting: str) -> TablesAt:
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


def _deals_to_decide(findings: Findings, setting: str) -> int:
    """Return about how many deals would narrow the matches that may be reversed to the margin; 0 for none."""
    matches = reversals_at(findings, setting)
    if matches is None or (undecided := matches.undecided).is_empty():
        return 0
    played = (
        cells(findings).filter(pl.col("setting").is_in(undecided["setting"].implode()))["deals"].to_list()
    )
    half = max((undecided["high"] - undecided["low"]).to_list()) / 2
    return about(deals_to_narrow(max(played), half, findings.run.experiment.margin))


def strategies_headline(tables: TablesAt) -> str:
    """Return who wins most, and how many of the plans are needed."""
    at, best = _strategy_standing(tables), _best(tables, _sizes(tables)[0])
    if not at.needed:
        return best
    if len(at.needed) == 1:
        return f"{best} One plan answers all others: {at.needed[0]}."
    if not at.settled:
        return f"{best} No plan was shown to beat all others."
    return f"{best} No single best plan: {in_words(len(at.needed))} of {in_words(len(at.ranked))} are needed."


def strategies_advice(tables: TablesAt) -> str:
    """Return advice for the designer; empty for three and more players."""
    at = _strategy_standing(tables)
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


def _strategy_standing(tables: TablesAt) -> StrategyStanding:
    """Return the standing of the strategies in the tables of one setting."""
    rated, met = tables("landscape").filter(pl.col("nash").is_not_null()), tables("matchups")
    needed = rated.filter(pl.col("nash") >= NEEDED_WEIGHT)["strategy"].to_list()
    never = rated.filter(pl.col("strictly"), pl.col("strategy") != RANDOM)["strategy"].to_list()
    settled = True
    if met.width:
        among = met.filter(pl.col("strategy").is_in(needed), pl.col("opponent").is_in(needed))
        settled = bool((among["result"] != UNSETTLED_MATCH).any())
    return StrategyStanding(_sizes(tables)[0], needed, never, settled)


def _sizes(tables: TablesAt) -> list[list[TableRow]]:
    """Return the ranking at tables of each number of seats."""
    return [part.rows(named=True) for part in tables("ranking").partition_by("seats", maintain_order=True)]


def _best(tables: TablesAt, rows: list[TableRow]) -> str:
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


def _best_of(tables: TablesAt, rows: list[TableRow], met: Meetings, at: str) -> str:
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


def _ladder_words(row: TableRow) -> str:
    """Return the skill range of strategies in steps of 60 wins to 40."""
    steps = f"{row['steps']:.1f} steps ({span(row['steps_low'], row['steps_high'])})"
    ends = f"From {row['worst']} up to {row['best']}{_tables_of(row)}"
    return f"{ends} there are {steps}, each from winning 50 games of 100 to winning 60."


def _luck_words(row: TableRow) -> str:
    """Return how often the stronger of two finishes ahead, as a mixture of skill and a coin."""
    skill, ahead = whole(max(0.0, 2 * row["share"] - 1)), percent(row["share"])
    first = f"The stronger of two of these plans{_tables_of(row)} finishes ahead in {ahead} of the games"
    return f"{first}, as if skill decided {skill} of 100 and a coin the others."


# Sentences about teams


def team_strength(findings: Findings, setting: str) -> Iterator[Sentence]:
    """Yield the best team of each size at a setting, and what one member of another kind changes."""
    called, teams = labels_of(findings).strategy, teams_tables.team_strategies(findings)
    mixed = teams_tables.mixed_teams(findings)
    if teams.width:
        for part in teams.filter(setting=setting).partition_by("seats", maintain_order=True):
            yield Sentence(_best_team(part.rows(named=True), called), "team_strategies")
    if mixed.width:
        rows = mixed.filter(setting=setting).rows(named=True)
        yield Sentence(f"{single_member(rows, called)}.", "mixed_teams")


def _best_team(rows: Sequence[TableRow], called: Callable[[str], str]) -> str:
    """Return the best team and those as good; `rows`: the best first.

    Example: `Best team of 3: selective wins 72 games of 100; courier may be as good.`
    """
    best = rows[0]
    text = f"Best team of {best['seats']}: {called(best['strategy'])} wins {games_of_100(best['share'])}"
    near = [row for row in rows[1:] if row["high"] > best["low"] and not _differ_by_deal(best, row)]
    close = [called(row["strategy"]) for row in near]
    if not close:
        return f"{text}."
    names = join_names(close) if len(close) <= MAX_NAMED_STRATEGIES else f"{in_words(len(close))} others"
    return f"{text}; {names} may be as good."


def _differ_by_deal(first: TableRow, second: TableRow) -> bool:
    """Return whether one of two strategies is compared with the other by deal and differs beyond luck."""
    for row, base in ((first, second), (second, first)):
        if row["against"] == base["strategy"]:
            return bool(row["p_adjusted"] < SURE)
    return False


def single_member(rows: Sequence[TableRow], called: Callable[[str], str]) -> str:
    """Return what a single member of another kind changes: the greatest sure effect and its opposite.

    rows: of `mixed_teams` at one setting.
    """
    single = sorted((row for row in rows if row["with_it"] == 1), key=lambda row: -abs(row["difference"]))
    sure = [row for row in single if row["p_adjusted"] < SURE]
    if not sure:
        return "What a single member is worth to a team is not settled"
    row = sure[0]
    wins = games_of_100(abs(row["difference"])).replace("game", "win")
    text = f"One {called(row['other'])} {_verb(row)} a team of {called(row['one'])} {wins}"
    for other in sure:
        if other["one"] == row["one"] and (other["difference"] > 0) != (row["difference"] > 0):
            return f"{text}, one {called(other['other'])} {_verb(other)} {whole(abs(other['difference']))}"
    return text


def _verb(row: TableRow) -> str:
    return "adds" if row["difference"] >= 0 else "costs"


# Tables and the next step

WINS = Show("wins", "{:.1%}")
PICKED = Show("picked", "{:.0%}", "how often perfect rivals would pick it: the Nash weight")


def _strategies_table(findings: Findings) -> Table | None:
    """Return the strategies at tables of one size: wins, rating, and which are needed; None if not ranked."""
    ranked = at_setting(findings, ranking(findings)).filter("balanced")
    if ranked.is_empty():
        return None
    seats, names = ranked["seats"][0], "strategy share low high games"
    first, rated = ranked.filter(seats=seats), at_setting(findings, ratings(findings))
    elo = rated.filter(kind="strategy", seats=seats).drop_nulls("elo")
    plans = at_setting(findings, landscape(findings)).filter(pl.col("nash").is_not_null())
    for part in (
        elo.select("elo", strategy="name", elo_low="low", elo_high="high"),
        plans.select("strategy", "nash", "dominated_by", needed=needs()),
    ):
        if part.height:
            first = first.join(part, on="strategy", how="left", maintain_order="left")
            names += " elo elo_low elo_high" if "elo" in part else " nash needed dominated_by"
    all_met = meetings_at(at_setting(findings, meetings(findings)), seats).everybody
    caption = "All plans, the best first" if all_met else "How often each plan wins against those that it met"
    shows = {"share": WINS, "needed": Show("is"), "nash": PICKED, "dominated_by": "better is"}
    return table(findings, first, names, caption, strategy=head_at(findings, "strategy"), **shows)


def _strategies_step(findings: Findings, setting: str) -> Step:
    """Return the next step: more deals where plans are not told apart, else the best mix."""
    run, at = findings.run, _strategy_standing(tables_at(findings, setting))
    if deals := _deals_to_decide(findings, setting):
        text = f"Settle the open matches: about {deals:,} deals each narrow them to ±{margin(findings)}."
        return Step(text, more_command(run, "--deals", deals))
    weights = at_setting(findings, landscape(findings))
    met_in_pairs = at_setting(findings, landscape_tables.matchups(findings))
    if (at.needed and not at.settled) or not met_in_pairs.height:
        text = "The best plans are not told apart: play four times as many deals."
        return Step(text, more_command(run, "--deals", 4 * run.experiment.deals))
    plans = weights.filter(pl.col("nash") > 0) if at.needed else met_in_pairs
    words = ["--strategies", ",".join(plans["strategy"].unique(maintain_order=True)), *game_words(run, [])]
    command = command_again(run, "equilibrium", run.experiment.game, *words)
    names = join_names(map(labels_of(findings).strategy, plans["strategy"].unique(maintain_order=True)))
    open_words = "" if at.needed else f"Let {names} all meet in every seat, and s"
    return Step(f"{open_words or 'S'}ee what the first player wins if both pick the best mix.", command)


# Sections

NO_MIRRORS = (
    "Whether first place is worth more to strong players: no game had one plan in all seats (key mirrors)."
)
STRATEGIES_WORDS = {
    "Needed": "one of the plans that rivals would pick who know all matches and may pick anew for each game, "
    "so that nobody gains by another pick. A match that is not settled counts as even.",
    "Never right": "another plan, or a mix of others, does better against every opponent beyond luck. "
    "Doubtful: another was nowhere worse, which may be luck.",
}


def strength(findings: Findings) -> Section:
    """Return the brief for opponents, or for teams of strategies."""
    setting = setting_looked_at(findings)
    if findings.run.team:
        return _team_brief(findings, setting)
    first, *rest = strength_sentences(findings, setting)
    advice = [sentence for sentence in rest if sentence.rests.startswith(("landscape", "matchups"))]
    advice = [*(rest[:1] if first.rests == "matchups" else []), *advice]
    others = [sentence for sentence in rest if sentence not in advice]
    takeaways = as_takeaways(findings, [first], "answer") + as_takeaways(findings, advice, "advice")
    return Section(
        takeaways=takeaways + as_takeaways(findings, others),
        picture=next(iter(strength_figures(findings)), None),
        glance=_strategies_table(findings),
        step=_strategies_step(findings, setting),
        limits=[NO_MIRRORS] if landscape_tables.mirrors(findings).is_empty() else [],
        words=STRATEGIES_WORDS,
    )


def _team_brief(findings: Findings, setting: str) -> Section:
    """Return the brief about teams: the best team, else what one member is worth."""
    first, *rest = team_strength(findings, setting)
    takeaways = [*as_takeaways(findings, [first], "answer"), *as_takeaways(findings, rest, "advice")]
    step = Step("Play more deals.", more_command(findings.run, "--deals", 4 * findings.run.experiment.deals))
    picture = next(iter(team_figures(findings)), None)
    return Section(takeaways=takeaways, picture=picture, step=step, warnings=stopping_cautions(findings))


def skill_against_luck(findings: Findings) -> Section:
    """Return the steps of strength and the wins of favourites at the setting in view."""
    tables = favourites(findings), ladder(findings), meetings(findings)
    ahead, steps, met = (labels_of(findings).label(at_setting(findings, rows)) for rows in tables)
    # Where not all met, shares do not tell who is stronger.
    rows = [row for row in ahead.rows(named=True) if meetings_at(met, row["seats"]).everybody]
    sentences = [*map(_luck_words, rows), *map(_ladder_words, steps.rows(named=True))]
    return Section("How much is skill", list(filter(None, [where(findings), *sentences])))


def targets(findings: Findings) -> Section:
    """Return a table of all cells of a team against its target."""
    return Section("Every case", tables=[cases(findings)])


recipe = Recipe(
    "strategies report",
    brief=[strength],
    chapters={
        "Who beats whom": [matchups],
        "How much is skill": [skill_against_luck],
        "What the seats are worth": [mirrors, best_choices, seats],
        "Players": [who, luck],
    },
    needs="strategies that met each other, or teams of several (key round_robin)",
    fits=lambda met: any(
        map(len, (teams_tables.team_strategies(met), teams_tables.mixed_teams(met), ranking(met)))
    ),
    of_team={
        "Team by team": [team_strategies],
        "Member by member": [mixed_teams],
        "The target": [targets],
        "Players": [who, luck],
    },
)
