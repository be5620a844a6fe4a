"""How components were changed, the second of the effects as a picture, and what other lineups say."""

from itertools import islice

from simkit.reporting.pages import Findings, Section, labels_of
from simkit.reporting.pages.ablated import drawn
from simkit.reporting.text.ablation import cells_told, done, measured, sentences, word_of
from simkit.reporting.text.phrases import capital, headed


def section(findings: Findings) -> Section:
    """Return the method, a picture of the second measure, and the greatest effect in each further cell."""
    word, (first, *others) = word_of(findings.run), cells_told(findings)
    measures, texts = measured(findings, first), [done(findings.run)]
    for cell in others:
        lineup = labels_of(findings).named(findings.cells.filter(cell=cell))["lineup"][0]
        texts.append(headed(capital(lineup), next(sentences(measured(findings, cell), word)).text))
    heading = f"Each {word} is changed by a coin of its own"
    return Section(heading, texts, [drawn(findings, measure) for measure in islice(measures, 1, 2)])
