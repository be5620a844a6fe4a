"""The brief of an ablation: the components that matter most, and the effects of all."""

import polars as pl

from simkit.analysis.ablation import TURNS
from simkit.reporting import charts, document
from simkit.reporting.document import Figure, Step, Tile
from simkit.reporting.pages import Findings, Section, Show, as_takeaways, figure
from simkit.reporting.pages.pictures import sure_style
from simkit.reporting.pages.tiles import tiles
from simkit.reporting.text import ablation
from simkit.reporting.text.ablation import MeasuredEffects
from simkit.reporting.text.commands import command_again, game_words, lineups, more_command
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.pieces import several

MAX_EFFECTS = 12  # components in a figure
GAINED = "Wins gained (+) or lost (−) by whoever gets it changed"
EFFECTS_CAPTION = "Effect of changing each {word} on wins, in games of 100, with joint intervals"
ABLATION_WORDS = {
    "Changed, changing": "for every 16 deals in a row a coin of its own says whether a component is changed, "
    "so what differs between the two sides of a coin is what the change does.",
    "Falls to": "to which a component is dealt, or that is on turn when it first comes on offer. Luck says "
    "which; whether the seat then takes it is part of the effect.",
    "Joint intervals": "an effect is beyond luck where its interval leaves out 0; of those effects at most "
    "5 % are expected to be luck (Benjamini and Hochberg; Benjamini and Yekutieli).",
}


def ablation_answer(findings: Findings) -> Section:
    """Return the brief of the first cell."""
    measures = ablation.effects_by_measure(findings, ablation.changed_cells(findings)[0])
    word = ablation.word_of(findings.run)
    first, *others = ablation.effect_sentences(measures, word)
    own = Tile(several(word).capitalize(), ablation.strongest_lines(measures))
    rows = pl.DataFrame(ablation.effect_rows(measures, word))
    heads = {name: Show(name) for name in rows.columns}
    return Section(
        takeaways=[*as_takeaways(findings, [first], "answer"), *as_takeaways(findings, others, "advice")],
        picture=effects_figure(findings, measures[0]),
        tiles=[own, *tiles(findings)[:2]],
        glance=document.table(rows, heads, EFFECTS_CAPTION.format(word=word)),
        step=_ablation_step(findings, measures),
        words=ABLATION_WORDS,
    )


def effects_figure(findings: Findings, measure: MeasuredEffects) -> Figure:
    """Return the greatest effects by a measure."""
    effects = measure.rows.sort(pl.col("effect").abs(), descending=True, maintain_order=True)
    shown = effects.head(MAX_EFFECTS).sort("effect", maintain_order=True)
    ends = {"value": "effect", "low": "joint_low", "high": "joint_high"}
    parts = {part: measure.scale * pl.col(column) for part, column in ends.items()}
    parts |= {"label": pl.col("component"), "style": sure_style(pl.col("p_adjusted") < SURE)}
    what = GAINED if measure.name == ablation.FALLS else f"Change of {measure.outcome} when it is changed"
    options = {"unit": f"{what}, {measure.unit}", "form": f"{{:+.{measure.digits}f}}"}
    most = f"The {MAX_EFFECTS} greatest of {effects.height}." if effects.height > MAX_EFFECTS else ""
    alt = f"What each {ablation.word_of(findings.run)} does to {measure.outcome}, with joint intervals"
    chart = (f"ablation-{measure.name}", charts.forest)
    return figure(findings, chart, shown, alt, most, parts, **options)


def _ablation_step(findings: Findings, measures: list[MeasuredEffects]) -> Step:
    """Return the next step: the component that changes wins most, or more deals without one."""
    run, study = findings.run, findings.run.words.ablation
    sure = next((part.sure for part in measures if part.name != TURNS and part.sure.height), None)
    if sure is None:
        text = "See what changes who wins: four times as many deals halve the intervals."
        return Step(text, more_command(run, "--deals", 4 * run.experiment.deals))
    component, words = sure["component"][0], ["--how", study.way] if study else []
    words += ["--components", component, "--deals", f"{4 * run.experiment.deals}"]
    command = command_again(run, "ablate", run.experiment.game, *words, *game_words(run, lineups(run)))
    return Step(f"Measure “{component}” alone, on more deals.", command)
