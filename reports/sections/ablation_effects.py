"""How components were changed, owning compared with changing, and what other lineups say."""

from itertools import islice

from simkit.reporting.pages import Findings, Section, Show, Table, labels_of, points, table
from simkit.reporting.text.ablation import (
    ablation_sentence,
    changed_cells,
    effect_sentences,
    effects_by_measure,
    word_of,
)
from simkit.reporting.text.phrases import capital, with_heading

from .ablation_answer import effects_figure

OWNING = "Whoever is ahead can take more, so owners may win for other reasons; changing it shows the cause."


def ablation_effects(findings: Findings) -> Section:
    """Return the method, the second measure, owners, and the greatest effect in each further cell."""
    word, (first, *others) = word_of(findings.run), changed_cells(findings)
    second = islice(effects_by_measure(findings, first), 1, 2)
    figures = [effects_figure(findings, measure) for measure in second]
    tables = [_owners_table(findings, word)] if findings.ablation_owners.width else []
    texts = [ablation_sentence(findings.run), *([OWNING] if tables else [])]
    for cell in others:
        lineup = labels_of(findings).label(findings.cells.filter(cell=cell))["lineup"][0]
        greatest = next(effect_sentences(effects_by_measure(findings, cell), word))
        texts.append(with_heading(capital(lineup), greatest.text))
    return Section("How components were changed, and who owns them", texts, figures, tables)


def _owners_table(findings: Findings, word: str) -> Table:
    names = "case component owned gap effect joint_low joint_high fell"
    shows = {
        "component": Show(word),
        "owned": Show("owners", "{:.2f}", "owners in a game, as printed"),
        "gap": Show("owners win more", points, "games of 100 more than all in their place, as printed"),
        "effect": Show("changing it", points, "what it does to the seat that it falls to, games of 100"),
        "fell": Show("n", "{:,}", "games in which it fell to a seat"),
    }
    caption = "What goes with winning, and what does it"
    return table(findings, findings.ablation_owners, names, caption, **shows)
