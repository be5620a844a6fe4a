"""The strategies page: how strong each strategy is, who beats whom, and how much is skill.

The brief has the best strategy and those that are needed, or the best team; sentences about opponents are
those of `simkit/page/words/strength.py`.
"""

from collections.abc import Callable, Iterator, Sequence

import polars as pl

from simkit.page.columns import stopping_cautions, table
from simkit.page.document.parts import Section, Step
from simkit.page.document.tables import Show, Table
from simkit.page.pictures import as_takeaways, at_setting, head_at, margin, setting_looked_at, where
from simkit.page.recipe import Recipe
from simkit.page.words.commands import command_again, game_words, more_command
from simkit.page.words.confidence import SURE
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import Sentence, TableRow, games_of_100, in_words, join_names, whole
from simkit.page.words.strength import (
    deals_to_decide,
    ladder_words,
    luck_words,
    meetings_at,
    needs,
    strategy_standing,
    strength_sentences,
    tables_at,
)
from simkit.tables import landscape as landscape_tables
from simkit.tables import teams as teams_tables
from simkit.tables.findings import Findings
from simkit.tables.landscape import favourites, ladder, landscape
from simkit.tables.players import meetings, ranking, ratings

from .sections.answer import cases
from .sections.best_choices import best_choices
from .sections.luck import luck
from .sections.players import matchups, mirrors, strength_figures, team_figures, who
from .sections.seats import seats
from .sections.teams import mixed_teams, team_strategies

# Sentences about teams


def team_strength(findings: Findings, setting: str) -> Iterator[Sentence]:
    """Yield the best team of each size at a setting, and what one member of another kind changes."""
    called, teams = labels_of(findings).strategy, teams_tables.team_strategies(findings)
    mixed = teams_tables.mixed_teams(findings)
    if teams.width:
        for part in teams.filter(setting=setting).partition_by("seats", maintain_order=True):
            yield Sentence(best_team(part.rows(named=True), called), "team_strategies")
    if mixed.width:
        rows = mixed.filter(setting=setting).rows(named=True)
        yield Sentence(f"{single_member(rows, called)}.", "mixed_teams")


MAX_STRATEGIES_NAMED = 4  # strategies named in a sentence


def best_team(rows: Sequence[TableRow], called: Callable[[str], str]) -> str:
    """Return the best team and those as good; `rows`: the best first.

    Example: `Best team of 3: selective wins 72 games of 100; courier may be as good.`
    """
    best = rows[0]
    text = f"Best team of {best['seats']}: {called(best['strategy'])} wins {games_of_100(best['share'])}"
    near = [row for row in rows[1:] if row["high"] > best["low"] and not _differs(best, row)]
    close = [called(row["strategy"]) for row in near]
    if not close:
        return f"{text}."
    names = join_names(close) if len(close) <= MAX_STRATEGIES_NAMED else f"{in_words(len(close))} others"
    return f"{text}; {names} may be as good."


def _differs(first: TableRow, second: TableRow) -> bool:
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
    run, at = findings.run, strategy_standing(tables_at(findings, setting))
    if deals := deals_to_decide(findings, setting):
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
    sentences = [*map(luck_words, rows), *map(ladder_words, steps.rows(named=True))]
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
