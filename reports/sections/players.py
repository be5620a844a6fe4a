"""The strategies that play: who they are, how strong each is, and what the first seat is worth to them."""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Figure, Section
from simkit.page.pictures import at_setting, figure, setting_looked_at, where
from simkit.page.words.labels import labels_of, lower_first, plain
from simkit.page.words.numbers import ends, join_names, number, prose, seat_name
from simkit.page.words.strength import DIFFERENT, meetings_at, reversals, seats_differ
from simkit.runs.run_metadata import StrategyWords
from simkit.tables import landscape as landscape_tables
from simkit.tables.findings import Findings
from simkit.tables.landscape import SEATS_DIFFER
from simkit.tables.luck import deal_luck
from simkit.tables.players import meetings, ranking, win_matrix
from simkit.tables.teams import team_strategies

# Figures of several pages and sections

FOREST: dict[str, Any] = {"label": "strategy", "kind": pl.lit(""), "style": pl.lit(-1)}


def strength_figures(findings: Findings) -> Iterator[Figure]:
    """Yield what settings change, the matrix of three and more strategies, how often each wins, by size."""
    if reversals(findings, setting_looked_at(findings)):
        yield _matches_by_setting(findings)
    ranked = at_setting(findings, ranking(findings))
    ranked = ranked.filter("balanced") if ranked.width else ranked
    order = ranked.filter(seats=2)["strategy"] if ranked.width else pl.Series()
    if len(order) > 2:
        best_first = pl.col("row", "column").replace_strict(order, range(len(order)), default=len(order))
        pairs = at_setting(findings, win_matrix(findings)).filter("balanced").sort(best_first)
        alt = "How often each plan beats each other, with the best on top"
        parts = {"row": "row", "column": "column", "fair": pl.lit(0.5)}
        options = {"title": "Wins of the row's strategy against the column's, %", "middle": "half"}
        chart = "matches", charts.heat
        yield figure(findings, chart, pairs, alt, where(findings), parts, across="", **options)
    for part in ranked.partition_by("seats", maintain_order=True):
        seats = part["seats"][0]
        met = meetings_at(at_setting(findings, meetings(findings)), seats)
        alt = f"How often each plan wins at a table of {seats}, with 95 % intervals"
        caption = where(findings, "" if met.everybody else DIFFERENT)
        chart, parts = (f"ranking{seats}", charts.forest), FOREST | {"fair": pl.lit(1 / seats)}
        yield figure(findings, chart, part, alt, caption, parts, aim="if all were equal")


def _matches_by_setting(findings: Findings) -> Figure:
    """Return a picture, over all settings, of the pairs of strategies whose winner depends on the setting."""
    pair, matchups = ["strategy", "opponent"], landscape_tables.matchups(findings)
    decided = at_setting(findings, matchups).filter(result="loses to")
    decided = decided.join(matchups.filter(result="beats"), on=pair, how="semi")
    name = labels_of(findings).strategy
    sides = (pl.col(side).map_elements(name, return_dtype=pl.String) for side in pair)
    against = pl.format("{} against {}", *sides)
    rows = matchups.join(decided, on=pair, how="semi", maintain_order="left")
    rows = rows.sort(pl.concat_str(pair), maintain_order=True).with_columns(kind=against, fair=0.5)
    alt = "Who wins at each setting, with 95 % intervals"
    how = {"aim": "if both were equal", "unit": "Share of games won"}
    parts = {"label": "setting", "kind": pl.col("kind")}
    return figure(findings, ("settings", charts.forest), rows, alt, "", parts, **how)


def team_figures(findings: Findings) -> Iterator[Figure]:
    """Yield for each team size how often teams of one strategy win."""
    rows = at_setting(findings, team_strategies(findings))
    for part in rows.partition_by("seats", maintain_order=True) if rows.width else ():
        seats = part["seats"][0]
        alt = f"How often teams of {seats} of one strategy win, with 95 % intervals"
        chart, options = (f"teams{seats}", charts.forest), {"unit": "Share of the team"}
        options["aim"] = "target" if findings.run.judged else ""
        yield figure(findings, chart, part, alt, where(findings), FOREST, **options)


# Sections

PROGRAMS_NOTE = "The players are programs, no people: each plays in its own fixed way."
SAME_PROGRAM = "are one program with different weights: that they agree proves less."


def who(findings: Findings) -> Section | None:
    """Return the strategies with their meanings, or None for a run that did not record them."""
    labels, words = labels_of(findings), findings.run.words
    named = {str(strategy): strategy for cell in findings.run.cells for strategy in cell.lineup}
    if not words.strategies:
        return None
    rows = [
        _player_row(label, words.preset_weights.get(label, strategy.weights), words.strategies[strategy.name])
        for label, strategy in named.items()
    ]
    weights = "weights" if any(row["weights"] not in (None, "as usual") for row in rows) else ""
    also = "name" if any(labels.strategy(label) != label for label in named) else ""
    players = table(findings, pl.DataFrame(rows), f"strategy {also} meaning {weights}", "Strategies")
    seats = ", ".join(f"the {seat_name(seat)} is {name}" for seat, name in enumerate(words.seats))
    kin = [f"{join_names(family)} {SAME_PROGRAM}" for family in labels.kin()]
    texts = [PROGRAMS_NOTE, *kin, *([f"In the words of the game {seats}."] if seats else [])]
    return Section("Who plays", texts, tables=[players])


def _player_row(label: str, weights: Mapping[str, str], words: StrategyWords) -> dict[str, str | None]:
    weight_texts = []
    for name, value in weights.items():
        weight = words.weights[name]
        meaning = lower_first(plain(weight.meaning))
        weight_texts.append(f"{weight.label} = {value} (usually {weight.usual}): {meaning}")
    text = "; ".join(weight_texts) or ("as usual" if words.has_own_weights else None)
    return {"strategy": label, "name": label, "meaning": plain(words.meaning), "weights": text}


ARTEFACT = prose("""Beware of a bot artefact: the first player is ahead when all play {}, but behind with {}.
    It is made by how the bots play, not by the rules alone; trust the strategies that play most like
    people.""")
DEAL = prose("""How much the deal decides ({}): 1, the luck of the deal alone says which seat wins; 0, nothing
    of it carries over when the strategies change seats; below 0, the luck of the deal goes with the strategy
    rather than with the seat.""")


def skill(findings: Findings) -> Section | None:
    """Return whether first place helps some equals and hurts others, and the luck of the deal.

    None for a team, or without either.
    """
    luck = deal_luck(findings.at_baseline())
    measured = luck["correlation"].drop_nulls().to_list() if luck.width else []
    text = [DEAL.format(ends(number(min(measured), 2), number(max(measured), 2)))] if measured else []
    equals = landscape_tables.mirrors(findings)
    if not equals.is_empty():
        labelled = labels_of(findings).label(at_setting(findings, equals))
        for size in labelled.partition_by("seats", maintain_order=True):
            sides = (size.filter(side) for side in (pl.col("fpa_low") > 0, pl.col("fpa_high") < 0))
            ahead, behind = (", ".join(side["strategy"]) for side in sides)
            text += [ARTEFACT.format(ahead, behind)] if ahead and behind else []
    return Section("Skill and luck", text) if text and not findings.run.team else None


def mirrors(findings: Findings) -> Section | None:
    """Return the worth of first place among equals, the strongest first; None where no equals met."""
    rows = landscape_tables.mirrors(findings)
    if rows.is_empty():
        return None
    parts = {"label": "strategy", "kind": pl.format("tables of {}", "seats")}
    alt, unit = "How often the first player wins among equals", "Share of the first player"
    shown, chart = at_setting(findings, rows), ("mirrors", charts.forest)
    picture = figure(findings, chart, shown, alt, where(findings), parts, unit=unit)
    names = "where strategy elo share fpa fpa_low fpa_high verdict n"
    listed = table(findings, rows, names, "First place by strength", share="first player")
    return Section("What first place is worth among equals", [], [picture], [listed])


MATCHUPS_CAPTION = "Pairs decided beyond luck (all intervals together right in 95 of 100 such runs)"


def matchups(findings: Findings) -> Section | None:
    """Return whom each strategy beats beyond luck, or None if no two strategies met at the setting shown."""
    met = at_setting(findings, landscape_tables.matchups(findings))
    if met.is_empty():
        return None
    won = met.filter(result="beats").sort("share", descending=True)
    uneven = labels_of(findings).label(met.filter(result=SEATS_DIFFER))["strategy"]
    names, heads = "strategy opponent share low high", {"share": "wins", "opponent": "against"}
    listed = table(findings, won, names, MATCHUPS_CAPTION, **heads)
    text = [where(findings), "" if won.height else "No match is settled."]
    text += [seats_differ(uneven.unique(maintain_order=True))] if len(uneven) else []
    return Section("Who beats whom beyond luck", list(filter(None, text)), tables=[listed])
