"""First screen of an ablation: the most important component, the seats that it affects, and the method."""

from simkit.reporting.pages import Findings, Section, Takeaway, prose, query
from simkit.reporting.pages.ablated import picture
from simkit.reporting.text.ablation import cells_told, done, sentences

CAVEATS = [
    "programs played, not people",
    "of what is called beyond luck by one measure at most 5 % is expected to be luck",
    "each interval speaks for its own component: what was picked for being largest looks larger than it is",
]
WORDS = {
    "Changed, changing": prose("""a coin says for every 16 deals in a row whether a component is changed in
        them. The coins of all components fall apart from each other and from all other luck, so what differs
        between the two sides of a coin is what the change does."""),
    "The seat that it falls to": prose("""to which a component is dealt, or that is on turn when it first
        comes on offer. Luck says which, before the change can matter; whether the seat then takes it is part
        of the effect."""),
}


def section(findings: Findings) -> Section:
    """Return the takeaways and the picture of the first cell."""
    cell = cells_told(findings)[0]
    first, *others = sentences(findings, cell)
    takeaways = [Takeaway(prose(first.text), query(findings, "ablation", "ablation_owners"), "answer")]
    takeaways += [Takeaway(prose(sentence.text), query(findings, sentence.rests)) for sentence in others]
    takeaways += [Takeaway(sentence, kind="sure") for sentence in [done(findings.run).rstrip("."), *CAVEATS]]
    return Section(takeaways=takeaways, picture=picture(findings, cell), words=WORDS)
