"""Named components that are too strong, too weak or never used, by the course of each in play."""

import polars as pl

from simkit.reporting.document import Figure, Show, Story, Table, with_extremes
from simkit.reporting.pages import Findings, Section, charts, figure, here, points, prose, table
from simkit.reporting.pages.pictures import in_points, sure_style
from simkit.reporting.text.commands import own_table_commands
from simkit.reporting.text.pieces import first_pieces, several, standing_out, unused_sentences

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


def pieces(findings: Findings) -> Section | None:
    """Return the worth of each component; a hint for a run without a trace; None without components."""
    run = findings.run
    if not run.has_pieces:
        return None
    title = f"Try {several(run.words.piece)} of your own"
    own = [Story(title, command=own_table_commands(run, name)) for name in run.words.tables[:1]]
    if not run.experiment.trace:
        text = f"Play with --trace 1000: then each {run.words.piece} has its numbers here."
        return Section(f"What each {run.words.piece} is worth was not recorded", [text], stories=own)
    if findings.pieces.is_empty():
        return None
    rows = first_pieces(findings.pieces).sort("difference", descending=True, nulls_last=True)
    figures = [_pieces_figure(findings, rows)] if rows["difference"].count() else []
    texts = [run.words.piece_note] if run.words.piece_note else []
    texts += unused_sentences(rows, run.words.piece_use if run.words.played else "")
    texts += [PIECES_METHOD] if figures else []
    heading, listed = f"What each {run.words.piece} is worth", [_pieces_table(findings, rows)]
    return Section(heading, texts, figures, listed, own, words=PIECES_WORDS)


def _pieces_figure(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the strongest and the weakest components, ranked."""
    compared, piece = rows.drop_nulls("difference"), findings.run.words.piece
    shown = pl.concat([compared.head(MAX_PER_END), compared.tail(MAX_PER_END)]).unique(maintain_order=True)
    sure = sure_style(pl.col("piece").is_in(standing_out(rows)["piece"].to_list()))
    parts = in_points("difference") | {"label": pl.col("piece"), "style": sure}
    alt = f"How much more often seats win that take each {piece}, at equal standing"
    selection = f"The strongest and the weakest {several(piece)} of {rows.height}."
    caption = f"{selection if shown.height < rows.height else ''} {here(findings)}".strip()
    how = {"unit": "Games won more than without it, of 100", "form": "{:+.1f}"}
    return figure(findings, ("pieces", charts.forest), shown, alt, caption, parts, **how)


def _pieces_table(findings: Findings, rows: pl.DataFrame) -> Table:
    played, piece = findings.run.words.played, findings.run.words.piece
    sums = ["taken", "played", "left"] if played else ["taken", "left"]
    names = f"piece copies available {' '.join(sums)} used users"
    names += " difference difference_low difference_high raw p_adjusted with_games"
    shows = {
        name: Show("left over" if name == "left" else name, "{:.2f}", "copies in a game") for name in sums
    }
    shows |= PIECE_HEADS | {
        "piece": Show(piece),
        "with_games": Show("n", "{:,}", f"times that a seat took the {piece}"),
    }
    listed = table(findings, rows, names, f"Each {piece}, the strongest first", **shows)
    return with_extremes(listed, rows, pl.col("difference").abs(), "the strongest and the weakest")
