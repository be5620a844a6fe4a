"""Components of a game: what each is worth, what goes with winning, and a designer's own cards."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from simkit.page import charts
from simkit.page.columns import points, table
from simkit.page.document.parts import Figure, Section, Story
from simkit.page.document.tables import Show, Table, with_extremes
from simkit.page.pictures import figure, first_cell, here, in_points, sure_style
from simkit.page.tiles import first_pieces, standing_out
from simkit.page.words.commands import command_again, game_words, lineups, trace_command
from simkit.page.words.confidence import SURE
from simkit.page.words.labels import lower_first
from simkit.page.words.numbers import join_names, name_seats, plural_of, prose, whole
from simkit.runs.folder import Run
from simkit.runs.table_files import HEAD
from simkit.tables import components as components_tables
from simkit.tables import pieces as pieces_tables
from simkit.tables.components import component_shares, telling_columns
from simkit.tables.findings import Findings
from simkit.tables.own_tables import changed_pieces, stronger_pieces, table_changes
from simkit.tables.pieces import piece_kinds

# Named components: which are too strong, too weak or never used

MAX_PER_END = 6  # pieces at each end that are drawn
PIECES_METHOD = prose("""Whoever is ahead can take more and better things, so owners win more often whatever
    they own. The dot is the fair comparison, coloured where it is beyond luck and at least one player in
    twenty uses the thing: seats that take it against seats that could take it and took others, in the same
    seat with the same strategy, at about the same turn and the same lead. It is still an association: cards
    in hand or money are not matched.""")
PIECE_HEADS = {
    "users": Show("players", "{:.0%}", "share of the players who use it; under 5 % nothing is said of it"),
    "copies": Show("copies", "{:g}"),
    "available": Show("available", "{:.0%}", "share of the games in which a seat could take it or had it"),
    "used": Show(
        "used", "{:.0%}", "of those to be had, how many are taken (and played, where that is another step)"
    ),
    "raw": Show("all owners", points, "in the same seat with the same strategy, whatever the standing"),
    "difference": Show("at equal standing", points, "games of 100 won more by those who take it"),
}
PIECES_WORDS = {
    "at equal standing": "compared within the same seat, strategy, part of the game and lead or deficit."
}
IDLE = 0.1  # frequency of use below which a piece is hardly ever used
MIN_UNUSED_DEALS = 29  # deals without any use that show a frequency below IDLE: 0.9 ** 29 < 0.05
MAX_NAMED_PIECES = 6  # pieces named in a sentence


def pieces(findings: Findings) -> Section | None:
    """Return the worth of each component; a hint for a run without a trace; None without components."""
    run = findings.run
    if not run.has_pieces:
        return None
    title = f"Try {plural_of(run.words.piece)} of your own"
    own = [Story(title, command=_own_table_commands(run, name)) for name in run.words.tables[:1]]
    if not run.experiment.trace:
        text = f"Play with --trace 1000: then each {run.words.piece} has its numbers here."
        return Section(f"What each {run.words.piece} is worth was not recorded", [text], stories=own)
    if pieces_tables.pieces(findings).is_empty():
        return None
    rows = first_pieces(pieces_tables.pieces(findings)).sort("difference", descending=True, nulls_last=True)
    figures = [_pieces_figure(findings, rows)] if rows["difference"].count() else []
    texts = [run.words.piece_note] if run.words.piece_note else []
    texts += _unused_sentences(rows, run.words.piece_use if run.words.played else "")
    texts += [PIECES_METHOD] if figures else []
    heading, listed = f"What each {run.words.piece} is worth", [_pieces_table(findings, rows)]
    return Section(heading, texts, figures, listed, own, words=PIECES_WORDS)


def _own_table_commands(run: Run, name: str) -> str:
    """Return the commands that write a printed table to a file, and compare it once it is edited."""
    game, file = run.experiment.game, f"my_{name}.csv"
    words = ["--to", f"{HEAD}{name}={file}", *game_words(run, lineups(run)[:1]), "--trace", "1000"]
    return (
        f"{command_again(run, 'cards', game, name)} > {file}\n{command_again(run, 'compare', game, *words)}"
    )


def _unused_sentences(rows: pl.DataFrame, use: str) -> Iterator[str]:
    """Yield the pieces never used, and those hardly ever used, in enough deals to show it.

    use: the game's word for using a piece, such as `played`; empty where taking is using.

    >>> rows = {"piece": ["ace", "king", "jack"], "never": ["taken", None, None], "used": [0.0, 0.02, 0.5]}
    >>> rows = pl.DataFrame(rows | {"chances": [40, 40, 40], "games": [80, 80, 80]})
    >>> list(_unused_sentences(rows, "played"))
    ['Never taken in 80 traced games: ace.', 'Played in at most 2 of 100 games of those who could: king.']
    """
    rows = rows.filter(pl.col("chances") >= MIN_UNUSED_DEALS)
    for step in ("available", "taken", "played"):
        if names := rows.filter(never=step)["piece"].to_list():
            done = use if step == "played" else step
            never = join_names(names, most=MAX_NAMED_PIECES)
            yield f"Never {done} in {rows['games'][0]:,} traced games: {never}."
    rarely = rows.filter(pl.col("never").is_null() & (pl.col("used") < IDLE)).sort("used", "piece")
    if use and rarely.height:
        often = f"{use.capitalize()} in at most {whole(rarely['used'][-1])} of 100 games of those who could"
        yield f"{often}: {join_names(rarely['piece'], most=MAX_NAMED_PIECES)}."


def _pieces_figure(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the strongest and the weakest components, ranked."""
    compared, piece = rows.drop_nulls("difference"), findings.run.words.piece
    shown = pl.concat([compared.head(MAX_PER_END), compared.tail(MAX_PER_END)]).unique(maintain_order=True)
    sure = sure_style(pl.col("piece").is_in(standing_out(rows)["piece"].to_list()))
    parts = in_points("difference") | {"label": pl.col("piece"), "style": sure}
    alt = f"How much more often seats win that take each {piece}, at equal standing"
    selection = f"The strongest and the weakest {plural_of(piece)} of {rows.height}."
    caption = f"{selection if shown.height < rows.height else ''} {here(findings)}".strip()
    how = {"unit": "Games won more than without it, of 100", "form": "{:+.1f}"}
    return figure(findings, ("pieces", charts.forest), shown, alt, caption, parts, **how)


def _pieces_table(findings: Findings, rows: pl.DataFrame) -> Table:
    played, piece = findings.run.words.played, findings.run.words.piece
    sums = ["taken", "played", "left"] if played else ["taken", "left"]
    names = f"piece copies available {' '.join(sums)} used users"
    names += " difference difference_low difference_high raw p_adjusted with_games"
    heads = {"played": findings.run.words.piece_use, "left": "left over"}
    shows = {name: Show(heads.get(name, name), "{:.2f}", "copies in a game") for name in sums}
    shows |= PIECE_HEADS | {
        "piece": Show(piece),
        "with_games": Show("n", "{:,}", f"times that a seat took the {piece}"),
    }
    listed = table(findings, rows, names, f"Each {piece}, the strongest first", **shows)
    return with_extremes(listed, rows, pl.col("difference").abs(), "the strongest and the weakest")


# Logged columns that go with winning: levers, known at the start, and signs, known at the end

MAX_DIFFERENCES = 8  # columns in a picture
COMPONENTS_METHOD = prose("""Correlational, not causal: winners may have more of something because they were
    winning anyway. For each seat, games with much and with little of each thing are counted: it has it or
    not, or, where nearly all have it, a third of the seats has the most and a third the least. The adjusted
    difference puts these comparisons together, within the same seat with the same strategy only: whoever sits
    first or plays best would else seem to win by what it has.""")
LEFT_OUT = "Left out, since they decide who wins, follow from it or are fixed by the seat"
COMPONENTS_WORDS = {
    "Correlational, not causal": "goes together with winning, but may not be what brings about the win."
}
LEVERS_HEADING = "Levers: what seats begin with"
SIGNS_HEADING = "Signs of winning: what seats end with, a result of winning"


def components(findings: Findings) -> Section | None:
    """Return a picture and a table of the columns that divide winners from others; None without any."""
    baseline = findings.at_baseline()
    rows = _with_names(baseline, components_tables.components(baseline))
    rows = rows.drop_nulls("difference") if rows.height else rows
    if rows.is_empty():
        return None
    text, first = [COMPONENTS_METHOD], _with_sides(baseline, first_cell(findings, rows))
    if left_out := _with_names(baseline, telling_columns(baseline))["component"].to_list():
        text.append(f"{LEFT_OUT}: {', '.join(map(lower_first, left_out))}.")
    heading = LEVERS_HEADING if first["lever"].any() else SIGNS_HEADING
    shown = first.filter(pl.col("lever") == first["lever"].any())
    counted = _components_table(baseline, first_cell(findings, component_shares(baseline)), shown, heading)
    return Section(heading, text, [_components_figure(findings, shown)], [counted], words=COMPONENTS_WORDS)


def _components_figure(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the picture of the most certain adjusted differences."""
    label = pl.format("{}\n{} against {}", "component", "much", "little")
    parts = in_points("difference") | {"label": label, "style": pl.lit(-2)}
    alt, chart = "Games won more by those who have much of each thing", ("components", charts.forest)
    unit = "Adjusted difference of the games won with much and with little, percentage points"
    shown, how = rows.head(MAX_DIFFERENCES), {"unit": unit, "form": "{:+.1f}"}
    return figure(findings, chart, shown, alt, here(findings), parts, **how)


def _components_table(baseline: Findings, shares: pl.DataFrame, rows: pl.DataFrame, caption: str) -> Table:
    """Return the games won by each seat with much and with little of each thing, as counted."""
    counted = rows.select("column", "component", "much", "little")
    counted = counted.join(shares, on="column", maintain_order="left")
    with_, without = (f"{side}_share {side}_low {side}_high {side}_games" for side in ("with", "without"))
    names = f"component seat much {with_} little {without}"
    return table(baseline, counted, names, caption)


def _with_names(findings: Findings, rows: pl.DataFrame) -> pl.DataFrame:
    """Add `component`: the meaning of each column in the words of the log."""
    meanings = findings.run.meanings("seats")
    names = rows["column"].to_list() if rows.width else list[str]()
    titles = [_format_title(meanings.get(name) or name) for name in names]
    return rows.with_columns(pl.Series("component", titles, dtype=pl.String))


def _format_title(meaning: str) -> str:
    """Return the meaning of a log column as a title; codes are explained in brackets.

    A meaning that begins with "1 = " keeps only the text for 1.

    >>> _format_title("1 = no subset had the exact total"), _format_title("Score of seat 0")
    ('No subset had the exact total', 'Score of the first player')
    >>> _format_title("Turn in which the deck ran out, 0 = before play, -1 = never")
    'Turn in which the deck ran out (0: before play; −1: never)'
    """
    text = name_seats(re.sub(r"^1 = (\w)", lambda first: first[1].upper(), meaning))
    title, *codes = re.split(r", (?=-?\d+ = )", text)
    explained = "; ".join(code.replace(" = ", ": ", 1).replace("-", "−", 1) for code in codes)
    return f"{title} ({explained})" if explained else title


def _with_sides(findings: Findings, rows: pl.DataFrame) -> pl.DataFrame:
    """Add `much` and `little` as text, and `lever`: whether the column is fixed when play begins."""
    much, little = zip(*map(sides, rows.iter_rows(named=True)), strict=True)
    levers = pl.col("column").is_in(findings.run.words.levers)
    return rows.with_columns(pl.Series("much", much), pl.Series("little", little), lever=levers)


def sides(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the labels of the seats with much and with little.

    >>> sides({"has": True, "low": 0, "high": 2}), sides({"has": False, "low": 2, "high": 5})
    (('some', 'none'), ('at least 5', 'at most 2'))
    """
    if row["has"] or (row["low"], row["high"]) == (0, 1):
        return "some", "none"
    return f"at least {row['high']:g}", f"at most {row['low']:g}"


# A designer's own cards or tracks: the rows that changed, and the components that became stronger

CHANGED_ROWS = {
    "file": Show("file"),
    "row": Show("row", "{:,}", "place in the table, from 1; of a removed row in the old one"),
    "kind": Show("what"),
    "was": Show("before"),
    "now": Show("now"),
    "cells": Show("cells changed"),
}
STRENGTHS = {
    "was": Show("was", "{}", "what it was called before, where its row changed"),
    "why": Show("not compared", "{}", "new, or too rare in the traced games to compare"),
    "before": Show("worth before", points, "share won at equal standing with it less without it"),
    "now": Show("worth now", points, "the same with your own"),
    "change": Show("change", points, "in percentage points"),
    "change_low": Show("from", points, "lower end of the interval, allowing for all that are compared"),
    "change_high": Show("to", points, "upper end of the interval, allowing for all that are compared"),
}
WORTH_NOTE = prose("""Worth is an association, not a cause. Changes with an adjusted p-value below 0.05 are
    beyond luck.""")


def cards_changed(findings: Findings) -> Section | None:
    """Return the changed rows, or the changes in worth beyond luck; None without own tables."""
    rows, changes = table_changes(findings), stronger_pieces(findings)
    if rows.is_empty():
        return None
    filled = rows.with_columns(pl.col(pl.String).fill_null(""))
    listed = table(findings, filled, list(CHANGED_ROWS), "Row by row", **CHANGED_ROWS)
    if not changes.width:
        title = f"Trace games to see which {plural_of(findings.run.words.piece)} became stronger"
        stories = [] if findings.run.experiment.trace else [Story(title, command=trace_command(findings.run))]
        return Section("What you changed", tables=[listed], stories=stories)
    figures, stories = [_kinds_figure(findings)] if piece_kinds(findings).width else [], list[Story]()
    if (changes["p_adjusted"] < SURE).any():
        lines = (
            f"row {row['row']}: {row['was'] or 'new'} → {row['now'] or 'removed'}"
            for row in filled.rows(named=True)
        )
        listed, stories = _strengths_table(findings, changes), [Story("Every changed row", "\n".join(lines))]
    return Section("What you changed, and what became stronger", [WORTH_NOTE], figures, [listed], stories)


def _kinds_figure(findings: Findings) -> Figure:
    """Return the worth of changed components and of each kind, before and with the first changed tables."""
    cells, piece = {cell.index: cell for cell in findings.run.cells}, findings.run.words.piece
    own = cells[stronger_pieces(findings)["cell"][0]]
    base = next(cell for cell in cells.values() if cell.baseline and cell.labels == own.labels)
    at = ((findings.only([base.index]), "before"), (findings.only([own.index]), "with your own"))
    kinds = [piece_kinds(part).with_columns(when=pl.lit(when)) for part, when in at]
    rows = pl.concat(kinds, how="diagonal").drop_nulls("difference").sort("kind", "of", maintain_order=True)
    changed = stronger_pieces(findings).filter(pl.col("cell") == own.index).drop_nulls("change")
    names = changed_pieces(table_changes(findings).rows(named=True), changed["piece"])
    changed = changed.filter(pl.col("piece").is_in([name for name in names if name])).head(MAX_NAMED_PIECES)
    sides = zip(("was", "piece"), at, strict=True)
    own_rows = [
        changed.select(
            piece=name, of="piece", kind=pl.lit(piece), when=pl.lit(when), place=pl.row_index()
        ).join(pieces_tables.pieces(part).drop("cell", strict=False), on="piece")
        for name, (part, when) in sides
    ]
    shown = pl.concat([*own_rows, rows], how="diagonal").sort("place", maintain_order=True, nulls_last=True)
    parts = in_points("difference") | {"label": pl.format("{}: {}", "kind", "of"), "kind": pl.col("when")}
    what = f"What changed {plural_of(piece)} and each kind are worth"
    alt = f"{what}, before and with your own, with 95 % intervals"
    how = {"unit": f"Games won more by those who take the {piece}, of 100", "form": "{:+.1f}"}
    return figure(findings, ("kinds", charts.forest), shown, alt, "", parts, **how)


def _strengths_table(findings: Findings, rows: pl.DataFrame) -> Table:
    """Return the worth of having each component, before and now."""
    shows: dict[str, Any] = STRENGTHS | {"piece": findings.run.words.piece}
    setting = "setting " if len(findings.run.cells) > 2 else ""
    names = f"{setting}piece was before now change change_low change_high p_adjusted why"
    rows = rows.with_columns(was=pl.when(pl.col("was") != pl.col("piece")).then("was").fill_null(""))
    return table(findings, rows, names, "Which became stronger", **shows)
