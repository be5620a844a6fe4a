"""The brief of an ablation: the components that matter most, and the effects of all."""

import polars as pl

from simkit.reporting import document
from simkit.reporting.document import Step, Tile
from simkit.reporting.pages import Findings, Section, Show, as_takeaways
from simkit.reporting.pages.ablated import drawn
from simkit.reporting.pages.commands import command_again, game_words, lineups
from simkit.reporting.pages.tiles import tiles
from simkit.reporting.text import ablation
from simkit.reporting.text.ablation import Measured
from simkit.reporting.text.pieces import several

CAPTION = "Effect of changing each {word} on wins, in games of 100, with joint intervals"
WORDS = {
    "Changed, changing": "for every 16 deals in a row a coin of its own says whether a component is changed, "
    "so what differs between the two sides of a coin is what the change does.",
    "Falls to": "to which a component is dealt, or that is on turn when it first comes on offer. Luck says "
    "which; whether the seat then takes it is part of the effect.",
    "Joint intervals": "an effect is beyond luck where its interval leaves out 0; of those effects at most "
    "5 % are expected to be luck (Benjamini and Hochberg; Benjamini and Yekutieli).",
}


def section(findings: Findings) -> Section:
    """Return the brief of the first cell."""
    measures = ablation.measured(findings, ablation.changed_cells(findings)[0])
    word = ablation.word_of(findings.run)
    first, *others = ablation.sentences(measures, word)
    own = Tile(several(word).capitalize(), ablation.strongest_lines(measures))
    rows = pl.DataFrame(ablation.effect_rows(measures, word))
    heads = {name: Show(name) for name in rows.columns}
    return Section(
        takeaways=[*as_takeaways(findings, [first], "answer"), *as_takeaways(findings, others, "advice")],
        picture=drawn(findings, measures[0]),
        tiles=[own, *tiles(findings)[:2]],
        glance=document.table(rows, heads, CAPTION.format(word=word)),
        step=_step(findings, measures),
        words=WORDS,
    )


def _step(findings: Findings, measures: list[Measured]) -> Step:
    """Return the next step: the component with the most certain effect alone, on more deals."""
    run, rows = findings.run, next((part.sure for part in measures if part.sure.height), measures[0].rows)
    component, study = rows["component"][0], run.words.ablation
    words = ["--how", study.way] if study else []
    words += ["--components", component, "--deals", f"{4 * run.experiment.deals}"]
    command = command_again(run, "ablate", run.experiment.game, *words, *game_words(run, lineups(run)))
    return Step(f"Measure “{component}” alone, on more deals.", command)
