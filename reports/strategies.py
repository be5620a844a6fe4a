"""How strong is each strategy, who beats whom, which ones matter, and how much is skill: for runs in which strategies met."""

from __future__ import annotations

import polars as pl

from reports.sections import no_strategies
from reports.sections.common import query
from reports.sections.matchups import landscape_section, matchup_section
from reports.sections.page import page
from reports.sections.ratings import ranking_section, rating_section, setting
from reports.sections.seats import seat_section
from reports.sections.skill import mirror_section, skill_section
from reports.sections.strength import Found, best_by_setting, sentences
from simkit import analysis
from simkit.report import Report, Section, Takeaway
from simkit.runlog import Run

MORE_WORDS = [
    (
        "Elo",
        "a scale of strength: of two strategies 70 points apart the better wins about 60 %, 191 points 75 %, 400 points 91 %.",
    ),
    ("Step of 60:40", "70 Elo points: the distance at which one wins 60 of 100 games against the other."),
    (
        "Nash weight",
        "how often perfect rivals would pick a strategy if nobody could gain by picking otherwise.",
    ),
    (
        "Effective number of strategies",
        "how many equally frequent strategies would be as varied as the Nash weights: 1 means one rules alone.",
    ),
    (
        "α-rank",
        "the part of the time that a group plays a strategy if, now and then, someone copied whatever wins (Omidshafiei and others 2019).",
    ),
    (
        "Dominated",
        "never the right choice: another strategy, or a mix of others, does better whoever the opponent is.",
    ),
    (
        "Circle",
        "three strategies of which each beats the next and the last beats the first, as in rock-paper-scissors.",
    ),
]


def build(run: Run) -> Report:
    """The page: who is best, ratings, matchups, which matter, skill, seats."""
    seats = analysis.seat_shares(run)
    answer = analysis.answer(run, seats=seats)
    ranked = analysis.ranking(run)
    if ranked.is_empty():
        return page(
            run,
            "strategies report",
            [no_strategies.takeaway()],
            answer.warnings,
            [no_strategies.section(run), seat_section(run, seats)],
            MORE_WORDS,
        )
    found = _found(run, ranked, seats)
    return page(
        run,
        "strategies report",
        _takeaways(run, found),
        answer.warnings,
        [*_sections(run, found), seat_section(run, seats)],
        MORE_WORDS,
    )


def _found(run: Run, ranked: pl.DataFrame, seats: pl.DataFrame) -> Found:
    rated = analysis.ratings(run)
    mirrors = analysis.mirrors(run, analysis.first_player_advantage(run, seats=seats), rated)
    shapes = (
        analysis.landscape(run),
        analysis.cycles(run),
        analysis.ladder(run, rated),
        analysis.favourites(run),
    )
    return Found(ranked, rated, analysis.win_matrix(run), analysis.matchups(run), *shapes, mirrors)


def _sections(run: Run, found: Found) -> list[Section]:
    sections = [ranking_section(run, found.ranked), rating_section(run, found.rated)]
    if found.met.filter(pl.col("setting") == setting(run)).height:
        here = found.ranked.filter((pl.col("setting") == setting(run)) & (pl.col("seats") == 2))
        sections.append(matchup_section(run, found.pairs, found.met, here["strategy"].to_list()))
        sections.append(
            landscape_section(
                run,
                found.scape.filter(pl.col("strategy").is_in(found.met["strategy"].unique().to_list())),
                found.circles,
            )
        )
    return [
        *sections,
        skill_section(found.ladders, found.ahead),
        mirror_section(run, found.mirrors, no_strategies.with_mirrors(run)),
    ]


def _takeaways(run: Run, found: Found) -> list[Takeaway]:
    """What the tables of the setting looked at say, and whether another strategy is best elsewhere."""
    if found.ranked["setting"].n_unique() == 1:
        return [Takeaway(text, query(run, f"{table}(run)")) for text, table in sentences(found)]
    here = setting(run)
    said = [
        Takeaway(f"At {here}: {text}", query(run, f"{table}(run).filter(setting={here!r})"))
        for text, table in sentences(found.at(here))
    ]
    return [*said, Takeaway(best_by_setting(found.ranked), query(run, "ranking(run)"))]
