"""Named components that are too strong, too weak or never used, by the course of each in play."""

import polars as pl

from simkit.reporting.pages import (
    Figure,
    Findings,
    Section,
    Show,
    Table,
    charts,
    figure,
    points,
    prose,
    table,
    with_extremes,
)
from simkit.reporting.pages.pictures import sure_style
from simkit.reporting.pages.scope import here
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.pieces import deck, different, first_pieces, heading, sentences, standing_out

MAX_PER_END = 6  # pieces at each end that are drawn
HOW = prose("""Whoever is ahead can take more and better things, so owners win more often whatever they
    own. The dot is the fair comparison, coloured where it is beyond luck and at least one player in twenty
    uses the thing: seats that take it against seats that could take it and took others, in the same seat with
    the same strategy, at about the same turn and the same lead. It is still an association: cards in hand or
    money are not matched.""")
AVAILABLE_MEANING = "share of the games in which a seat could take it or had it"
PER_GAME = "copies in a game"
COMMON = {
    "users": Show("players", "{:.0%}", "share of the players who use it; under 5 % nothing is said of it"),
    "copies": Show("copies", "{:g}"),
    "difference": Show("at equal standing", points, "games of 100 won more by those who take it"),
}
WORDS = {
    "at equal standing": "compared within the same seat, strategy, part of the game and lead or deficit."
}


def section(findings: Findings) -> Section | None:
    """Return the worth of each component; a hint for a run without a trace; None without components."""
    run = findings.run
    if not run.has_pieces:
        return None
    if not run.experiment.trace:
        text = f"Play with --trace 1000: then each {run.words.piece} has its numbers here."
        return Section(f"What each {run.words.piece} is worth was not recorded", [text])
    if findings.pieces.is_empty():
        return None
    rows = first_pieces(findings.pieces).sort("difference", descending=True, nulls_last=True)
    figures = [_picture(findings, rows)] if rows["difference"].count() else []
    copies = deck(rows.height, int(rows["copies"].sum()), run.words.piece)
    texts = [*filter(None, [copies, run.words.piece_note])]
    texts += [prose(sentence.text) for sentence in sentences(findings)]
    texts += [HOW] if figures else []
    return Section(
        heading(findings) + of_first(findings), texts, figures, [_table(findings, rows)], words=WORDS
    )


def _picture(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the strongest and the weakest components, ranked."""
    compared = rows.drop_nulls("difference")
    shown = pl.concat([compared.head(MAX_PER_END), compared.tail(MAX_PER_END)]).unique(maintain_order=True)
    ends = {"value": "difference", "low": "difference_low", "high": "difference_high"}
    parts = {part: 100 * pl.col(name) for part, name in ends.items()} | {
        "label": pl.col("piece"),
        "style": sure_style(pl.col("piece").is_in(standing_out(rows)["piece"].to_list())),
    }
    alt = f"How much more often seats win that take each {findings.run.words.piece}, at equal standing"
    piece = findings.run.words.piece
    total, rare = different(rows.height, piece), rows.height - compared.height
    too_rare = f"; {rare} of them are too rare to compare" if rare else ""
    selection = f"The {MAX_PER_END} strongest and the {MAX_PER_END} weakest of {total}{too_rare}."
    caption = f"{selection if shown.height < compared.height else ''} {here(findings)}".strip()
    unit = "Games won more than without it, of 100"
    return figure(findings, ("pieces", charts.forest), shown, alt, caption, parts, unit=unit, form="{:+.1f}")


def _table(findings: Findings, rows: pl.DataFrame) -> Table:
    played, piece = findings.run.words.played, findings.run.words.piece
    sums = ["taken", "played", "left"] if played else ["taken", "left"]
    names = f"piece copies available {' '.join(sums)} used users"
    names += " difference difference_low difference_high raw p_adjusted with_games"
    meaning = (
        "of the games in which a seat could have it, in how many it is played"
        if played
        else "of those to be had, how many are taken"
    )
    counts = {name: Show("left over" if name == "left" else name, "{:.2f}", PER_GAME) for name in sums}
    shows = {
        "available": Show("available", "{:.0%}", AVAILABLE_MEANING),
        "used": Show("used", "{:.0%}", meaning),
    }
    shows |= {
        "piece": Show(piece),
        "raw": Show("all owners", points, "in the same seat with the same strategy, whatever the standing"),
    }
    shows |= {"with_games": Show("n", "{:,}", f"times that a seat took the {piece}")}
    listed = table(findings, rows, names, f"Each {piece}, the strongest first", **counts, **shows, **COMMON)
    return with_extremes(listed, rows, pl.col("difference").abs(), "the strongest and the weakest")
