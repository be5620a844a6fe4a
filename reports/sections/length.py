"""How long games are, how much there is to decide, and how the feel compares with other games."""

from collections.abc import Iterator

import polars as pl

from simkit.formatting import counted, formed
from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Section
from simkit.page.pictures import figure, first_lines, here, looked_at, where
from simkit.page.words.commands import trace_command
from simkit.page.words.labels import labels_of, over, place
from simkit.page.words.numbers import TableRow, ends, in_minutes, number, prose
from simkit.tables import length as length_tables
from simkit.tables.findings import Findings, cells, cells_to_look_at
from simkit.tables.length import length_bars, lengths

LENGTH_WORDS = {
    "Decision": "an action with at least two possibilities; one without an alternative is not counted."
}
LENGTH_TEXT = prose("""How long games last: {turns}, and decisions with more than one choice. In the picture
    at most one game in a thousand is left out at either end. sd is the standard deviation; 5, 50 and 95 % of
    the games are at most as long as the numbers below these heads.""")


def length(findings: Findings) -> Section:
    """Return the histogram of turns, the table of lengths and, where given, the minutes at the table."""
    bars, turns = looked_at(findings, length_bars(findings)), f"turns {findings.run.words.turns_of}"
    caption = where(findings, first_lines(bars["cell"].n_unique()))
    how, chart = {"style_by": "lineup", "unit": turns.capitalize()}, ("lengths", charts.histogram)
    alt = "Share of games by number of turns"
    picture = figure(findings, chart, bars, alt, caption, {"line": "lineup"}, **how)
    names = "cell measure mean sd low high p5 p50 p95 games"
    rows = looked_at(findings, lengths(findings))
    listed = table(findings, rows, names, "Length of a game", measure="per game")
    texts = [LENGTH_TEXT.format(turns=turns), *map(prose, at_the_table(findings))]
    return Section("How long games last", texts, [picture], [listed], words=LENGTH_WORDS)


def at_the_table(findings: Findings) -> Iterator[str]:
    """Yield a sentence on the duration of games and waits, if seconds per decision were given."""
    minutes = length_tables.minutes(findings.at_baseline())  # reads no trace of other cells
    rows = minutes.filter(cell=cells_to_look_at(findings.run)[0]) if minutes.width else minutes
    for row in rows.rows(named=True):
        wait = "" if row["wait"] is None else f"; between two turns one waits {row['wait']:.0f} seconds"
        yield f"""At {row["seconds"]:g} seconds per decision a game takes about {in_minutes(row["p50"])} (nine
            of ten games {row["p5"]:.0f} to {row["p95"]:.0f}), if all decide one after the
            other{wait}{of_first(findings)}."""


def of_first(findings: Findings) -> str:
    """Return a suffix that names the first cell where others were played too."""
    shown = cells(findings).filter(cell=cells_to_look_at(findings.run)[0]).row(0, named=True)
    alike = cells(findings).filter(setting=shown["setting"])
    called = labels_of(findings).of_column("lineup") or str
    parts = [labels_of(findings).when(called(shown["lineup"]))] if alike.height > 1 else []
    parts += [place(findings, shown["setting"])] if cells(findings)["setting"].n_unique() > 1 else []
    return "".join(f", {part}" for part in parts)


def load(findings: Findings) -> Section:
    """Return what a player has to do, or for a run without a trace the command that records it."""
    rows = length_tables.load(findings.at_baseline())
    if rows.is_empty():
        instruction = f"It is counted with a turn trace only: {trace_command(findings.run)}"
        return Section("How much there is to decide was not counted", [instruction])
    if rows["branching"].is_null().all():
        return Section("There was nothing to decide", ["In the games traced every action was forced."])
    text = " ".join(filter(None, ["What a player has to do, and the wait at the table.", here(findings)]))
    return Section(load_sentence(findings), [text])


def load_sentence(findings: Findings) -> str:
    """Return the decisions per turn and the options per decision, over all lineups in view."""
    rows = length_tables.load(findings.at_baseline()).drop_nulls("branching")
    turns, wide = rows["per_turn"].drop_nulls().to_list(), rows["branching"].to_list()
    decisions = f"{ends(number(min(turns)), number(max(turns)))} decisions in a turn, " if turns else ""
    among = f"among {ends(number(min(wide), 0), number(max(wide), 0))} possibilities"
    return f"What a player decides: {decisions}{among}{over(findings, rows['cell'].to_list())}"


MEASURES = {  # label and format of each measure
    "decisions": ("decisions per player", "{:.0f}"),
    "per_turn": ("decisions in a turn", "{:.1f}"),
    "branching": ("possibilities at a decision", "{:.0f}"),
    "wait": ("decisions of others in between", "{:.1f}"),
    "lead_changes": ("changes of the lead", "{:.1f}"),
    "decided": ("part of the game until it is decided", "{:.0%}"),
    "late": ("late leaders who lose", "{:.0%}"),
    "slope": ("lead kept after a round", "{:.0%}"),
    "draws": ("drawn games", "{:.1%}"),
    "beginner": ("wins kept by a player who errs", "{:.0%}"),
    "team_beginner": ("wins kept with a player who errs", "{:.0%}"),
    "king": ("kings made by the last player", "{:.0%}"),
}
YARDSTICKS_METHOD = prose("""Only what lies clearly outside every other game that comes with simkit is named;
    each was measured on 300 deals with 2 to 4 players.""")


def yardsticks(findings: Findings) -> Section | None:
    """Return what is unusual, or None if no other game has any of the measures."""
    measured = length_tables.yardsticks(findings)
    if measured.is_empty() or not (measured["others"] > 0).any():
        return None
    text = [unusual(findings), f"{YARDSTICKS_METHOD} {here(findings)}".strip()]
    return Section("Compared with other games", text)


def unusual(findings: Findings) -> str:
    """Return what lies outside the range of all other games, the farthest first, or that nothing does."""
    beyond = pl.max_horizontal(pl.col("value") - pl.col("most"), pl.col("least") - pl.col("value"))
    size = beyond / (pl.col("most") - pl.col("least")).clip(1e-9)
    measured = length_tables.yardsticks(findings)
    if rows := measured.drop_nulls("unusual").sort(size, descending=True).rows(named=True):
        texts = "; ".join(map(_measure, rows))
        return f"Unlike the other games measured here: {texts}."
    taken = counted(measured.filter(pl.col("others") > 0).height, "measure")
    return f"Nothing stands out from the other games measured here, in {taken}."


def _measure(row: TableRow) -> str:
    """Return an unusual measure as text: `decisions per player 25 (in 5 other games 30 to 90)`.

    >>> _measure({"measure": "slope", "value": 2.0, "others": 5, "least": 0.4, "most": 1.2})
    'lead kept after a round 200 % (in 5 other games 40 to 120 %)'
    """
    label, form = MEASURES[row["measure"]]
    value, least, most = (formed(form, row[name]).replace("%", " %") for name in ("value", "least", "most"))
    others = f"in {counted(row['others'], 'other game')} {least.removesuffix(' %')} to {most}"
    return f"{label} {value} ({others})"
