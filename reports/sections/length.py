"""The length of games in turns and decisions."""

from simkit.reporting.pages import Findings, Section, charts, figure, looked_at, prose, table, where
from simkit.reporting.pages.pictures import first_lines
from simkit.reporting.text.pacing import at_the_table

LENGTH_WORDS = {
    "Decision": "an action with at least two possibilities; one without an alternative is not counted."
}
LENGTH_TEXT = prose("""How long games last: {turns}, and decisions with more than one choice. In the picture
    at most one game in a thousand is left out at either end. sd is the standard deviation; 5, 50 and 95 % of
    the games are at most as long as the numbers below these heads.""")


def length(findings: Findings) -> Section:
    """Return the histogram of turns, the table of lengths and, where given, the minutes at the table."""
    bars, turns = looked_at(findings, findings.length_bars), f"turns {findings.run.words.turns_of}"
    caption = where(findings, first_lines(bars["cell"].n_unique()))
    how, chart = {"style_by": "lineup", "unit": turns.capitalize()}, ("lengths", charts.histogram)
    alt = "Share of games by number of turns"
    picture = figure(findings, chart, bars, alt, caption, {"line": "lineup"}, **how)
    names = "cell measure mean sd low high p5 p50 p95 games"
    rows = looked_at(findings, findings.lengths)
    listed = table(findings, rows, names, "Length of a game", measure="per game")
    texts = [LENGTH_TEXT.format(turns=turns), *map(prose, at_the_table(findings))]
    return Section("How long games last", texts, [picture], [listed], words=LENGTH_WORDS)
