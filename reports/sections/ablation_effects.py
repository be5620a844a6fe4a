"""Effects of changing each component: on the seat that it falls to, on who wins, on the length of a game."""

from simkit.reporting.pages import Findings, Section, labels_of, prose
from simkit.reporting.pages.ablated import drawn, listed
from simkit.reporting.text.ablation import cells_told, headline, measured

TEXT = prose("""All coins fall at once: an effect is that of changing the component while the others are
    changed now and then, too. Intervals are for one component each. The unit is the 16 deals that share
    their coins.""")


def section(findings: Findings) -> Section:
    """Return a picture and a table per measure and cell; the first picture is on the first screen."""
    figures, tables, cells = [], [], cells_told(findings)
    for place, cell in enumerate(cells):
        lineup = labels_of(findings).named(findings.cells.filter(cell=cell))["lineup"][0]
        lineup_suffix = f", {lineup}" if len(cells) > 1 else ""
        for number, effects in enumerate(measured(findings, cell)):
            if place or number:  # the first is on the first screen
                figures.append(drawn(findings, cell, effects, f"{place}-{number}"))
            tables.append(
                listed(findings, effects, f"{effects.heading[0].upper()}{effects.heading[1:]}{lineup_suffix}")
            )
    return Section(headline(findings), [TEXT], figures, tables)
