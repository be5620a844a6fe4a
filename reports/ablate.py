"""The ablation page: what each component does, and how it goes with winning.

The brief has the greatest effects beyond luck and a figure and table of all; the chapter says how components
were changed, who owns them, and what other lineups say.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
import polars as pl

from simkit.page import charts
from simkit.page.columns import points, table
from simkit.page.document.parts import Figure, Report, Section, Step, Tile, TileLine
from simkit.page.document.tables import Show, Table
from simkit.page.document.tables import table as table_of
from simkit.page.pictures import as_takeaways, figure, sure_style
from simkit.page.recipe import Recipe, ablation_sentence, recipe_for
from simkit.page.terminal import TextOrTable, brief_document, rows_left_out
from simkit.page.tiles import tiles
from simkit.page.words.commands import command_again, game_words, lineups, more_command
from simkit.page.words.confidence import SURE
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import (
    Sentence,
    TableRow,
    capital,
    count_in_words,
    join_names,
    number,
    plural_of,
    span,
    with_heading,
)
from simkit.page.words.verdicts import side_of
from simkit.questions.ablate import SHARE, STRATEGY, TURNS, ablation_owners, ablation_table
from simkit.runs.folder import Run
from simkit.stats.coins import ROUNDING
from simkit.tables.findings import Findings, cells

from .sections.length import length
from .sections.players import who
from .sections.seats import seats

# Sentences: the effect of changing each component by a coin of its own, and on whom

FALLS = "falls"  # share of the seat that a component falls to


class MeasuredEffects(NamedTuple):
    """A measure, the wording of its effects, and its rows of one cell, most significant component first."""

    name: str
    heading: str  # over a column of effects
    subject: str  # "the first player wins"
    event: str  # "if “{}” is left out of the deck,"
    rows: pl.DataFrame
    scale: float = 100.0
    unit: str = "games of 100"
    digits: int = 1

    @property
    def outcome(self) -> str:
        """What the measure measures, as an object."""
        return "how long a game is" if self.name == TURNS else f"how often {self.subject}"

    @property
    def rests(self) -> str:
        """Finding that holds the rows."""
        return "ablation_owners" if self.name == FALLS else "ablation"

    @property
    def sure(self) -> pl.DataFrame:
        """Rows beyond luck, the greatest effect first."""
        beyond = self.rows.filter(pl.col("p_adjusted") < SURE)
        return beyond.sort(pl.col("effect").abs(), descending=True, maintain_order=True)

    def size(self, row: TableRow) -> str:
        """Return the subject and the effect with its direction.

        >>> turns = MeasuredEffects("", "", "a game takes", "", pl.DataFrame(), 1.0, "turns", 2)
        >>> turns.size({"effect": -0.25})
        'a game takes 0.25 turns less'
        """
        effect = self.scale * row["effect"]
        size = f"{number(abs(effect), self.digits)} {self.unit}"
        return f"{self.subject} {size} {'more' if effect > 0 else 'less'}"

    def ends(self, row: TableRow) -> str:
        """Return the joint interval; an effect that is the same in every deal has no width."""
        low, high = row["joint_low"], row["joint_high"]
        return span(low, high, self.digits, True, self.scale) if high - low > ROUNDING else "in every deal"


def effects_by_measure(findings: Findings, cell: int) -> list[MeasuredEffects]:
    """Return the measures of a cell, first those with effects beyond luck."""
    labels, ablation = labels_of(findings), findings.run.words.ablation
    event, measures = f"if “{{}}” is {ablation.meaning if ablation else 'changed'},", list[MeasuredEffects]()
    owners = ablation_owners(findings)
    if owners.width and (fell := owners.filter(cell=cell).drop_nulls("effect")).height:
        falls = "seat that it falls to"
        measures.append(MeasuredEffects(FALLS, falls, f"the {falls} wins", event, fell))
    effects = ablation_table(findings).filter(cell=cell).drop_nulls("effect")
    for (name, strategy), part in effects.group_by("measure", "strategy", maintain_order=True):
        if (part["high"] - part["low"]).max() <= ROUNDING and not (part["effect"] != 0).any():  # type: ignore[operator]
            continue  # the same in every game
        winner = labels.strategy(str(strategy)) if strategy else f"the {side_of(findings.run).name}"
        measure = MeasuredEffects(str(name), winner.removeprefix("the "), f"{winner} wins", event, part)
        if name == TURNS:
            measure = MeasuredEffects(TURNS, "turns of a game", "a game takes", event, part, 1.0, "turns", 2)
        measures.append(measure)
    order = {FALLS: 0, SHARE: 1, STRATEGY: 2, TURNS: 3}
    return sorted(measures, key=lambda measure: (measure.sure.is_empty(), order[measure.name]))


def _component_noun(run: Run) -> str:
    """Return the noun for a component of the game."""
    return run.words.ablation.word if run.words.ablation else "component"


def _changed_cells(findings: Findings) -> list[int]:
    """Return the cells in which components were changed."""
    effects = ablation_table(findings)
    return effects["cell"].unique(maintain_order=True).to_list() if effects.width else []


def effect_sentences(measures: Sequence[MeasuredEffects], word: str) -> Iterator[Sentence]:
    """Yield each measure's greatest effect, and one sentence on what no component was shown to change.

    Where nothing changes who wins, that comes first: effects on the length of a game are often tiny.
    """
    texts, of_wins = list[Sentence](), False
    for measure in measures:
        for row in measure.sure.head(1).rows(named=True):
            count = count_in_words(measure.sure.height, word)
            others = f"; the effects of {count} are beyond luck" if measure.sure.height > 1 else ""
            effect = f"{measure.event.format(row['component'])} {measure.size(row)} ({measure.ends(row)})"
            texts.append(Sentence(f"{capital(effect)}{others}.", measure.rests))
            of_wins |= measure.name != TURNS
    if idle := [measure for measure in measures if measure.sure.is_empty()]:
        outcomes, first = join_names((measure.outcome for measure in idle), "or"), idle[0]
        half = float(np.median(first.rows["joint_high"] - first.rows["joint_low"])) * first.scale / 2
        luck = f"each effect is known to about ±{number(half, first.digits)} {first.unit}"
        none = Sentence(f"No {word} was shown to change {outcomes} ({luck}).", first.rests)
        texts.insert(len(texts) if of_wins else 0, none)
    yield from texts


def effect_rows(measures: Sequence[MeasuredEffects], word: str) -> list[TableRow]:
    """Return a row per component with its effects, the most certain first."""
    rows, surest = dict[str, TableRow](), dict[str, float]()
    for measure in measures:
        for row in measure.rows.rows(named=True):
            name, adjusted = row["component"], row["p_adjusted"] if row["p_adjusted"] is not None else 1.0
            surest[name] = min(surest.get(name, 1.0), adjusted)
            effect = number(measure.scale * row["effect"], measure.digits, True)
            cell = f"{effect} ({measure.ends(row)})" if row["effect"] else "none"
            rows.setdefault(name, {word: name} | {other.heading: "" for other in measures})
            rows[name][measure.heading] = cell
    return [rows[name] for name in sorted(rows, key=surest.__getitem__)]


def strongest_lines(measures: Sequence[MeasuredEffects]) -> list[TileLine]:
    """Return the components whose changes cost most and help most, beyond luck."""
    for measure in measures:
        if measure.name != TURNS and not (sure := measure.sure.sort("effect")).is_empty():
            chosen = {row["component"]: row for row in (sure.row(0, named=True), sure.row(-1, named=True))}
            return [TileLine(name, f"if changed, {measure.size(row)}") for name, row in chosen.items()]
    return [TileLine("none surely changes who wins")]


# Figures, tables and the next step

MAX_EFFECTS = 12  # components in a figure
GAINED = "Wins gained (+) or lost (−) by whoever gets it changed"


def effects_figure(findings: Findings, measure: MeasuredEffects) -> Figure:
    """Return the greatest effects by a measure."""
    effects = measure.rows.sort(pl.col("effect").abs(), descending=True, maintain_order=True)
    shown = effects.head(MAX_EFFECTS).sort("effect", maintain_order=True)
    ends = {"value": "effect", "low": "joint_low", "high": "joint_high"}
    parts = {part: measure.scale * pl.col(column) for part, column in ends.items()}
    parts |= {"label": pl.col("component"), "style": sure_style(pl.col("p_adjusted") < SURE)}
    what = GAINED if measure.name == FALLS else f"Change of {measure.outcome} when it is changed"
    options = {"unit": f"{what}, {measure.unit}", "form": f"{{:+.{measure.digits}f}}"}
    most = f"The {MAX_EFFECTS} greatest of {effects.height}." if effects.height > MAX_EFFECTS else ""
    alt = f"What each {_component_noun(findings.run)} does to {measure.outcome}, with joint intervals"
    chart = (f"ablation-{measure.name}", charts.forest)
    return figure(findings, chart, shown, alt, most, parts, **options)


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
    return table(findings, ablation_owners(findings), names, caption, **shows)


def _ablation_step(findings: Findings, measures: list[MeasuredEffects]) -> Step:
    """Return the next step: the component that changes wins most, or more deals without one."""
    run, study = findings.run, findings.run.words.ablation
    sure = next((part.sure for part in measures if part.name != TURNS and part.sure.height), None)
    if sure is None:
        text = "See what changes who wins: four times as many deals halve the intervals."
        return Step(text, more_command(run, "--deals", 4 * run.experiment.deals))
    component, words = sure["component"][0], ["--how", study.way] if study else []
    words += ["--components", component, "--deals", f"{4 * run.experiment.deals}"]
    command = command_again(run, recipe_for(run), run.experiment.game, *words, *game_words(run, lineups(run)))
    return Step(f"Measure “{component}” alone, on more deals.", command)


# Sections

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
    measures = effects_by_measure(findings, _changed_cells(findings)[0])
    word = _component_noun(findings.run)
    first, *others = effect_sentences(measures, word)
    own = Tile(plural_of(word).capitalize(), strongest_lines(measures))
    rows = pl.DataFrame(effect_rows(measures, word))
    heads = {name: Show(name) for name in rows.columns}
    return Section(
        takeaways=[*as_takeaways(findings, [first], "answer"), *as_takeaways(findings, others, "advice")],
        picture=effects_figure(findings, measures[0]),
        tiles=[own, *tiles(findings)[:2]],
        glance=table_of(rows, heads, EFFECTS_CAPTION.format(word=word)),
        step=_ablation_step(findings, measures),
        words=ABLATION_WORDS,
    )


OWNING = "Whoever is ahead can take more, so owners may win for other reasons; changing it shows the cause."


def ablation_effects(findings: Findings) -> Section:
    """Return the method, the second measure, owners, and the greatest effect in each further cell."""
    word, (first, *others) = _component_noun(findings.run), _changed_cells(findings)
    second = islice(effects_by_measure(findings, first), 1, 2)
    figures = [effects_figure(findings, measure) for measure in second]
    tables = [_owners_table(findings, word)] if ablation_owners(findings).width else []
    texts = [ablation_sentence(findings.run), *([OWNING] if tables else [])]
    for cell in others:
        lineup = labels_of(findings).label(cells(findings).filter(cell=cell))["lineup"][0]
        greatest = next(effect_sentences(effects_by_measure(findings, cell), word))
        texts.append(with_heading(capital(lineup), greatest.text))
    return Section("How components were changed, and who owns them", texts, figures, tables)


# The terminal, the JSON document and the page

MAX_ROWS = 12  # components of a cell on a screen


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[TextOrTable]:
    """Yield the effects of components."""
    for listed in brief.tables():
        shown = listed.rows if whole else listed.rows[:MAX_ROWS]
        heads = [column.heading for column in listed.columns]
        yield f"\n{listed.caption}:\n"
        yield [dict(zip(heads, row, strict=True)) for row in shown]
        yield from rows_left_out(len(listed.rows) - len(shown))


INTERNAL_COLUMNS = ("setting", "seats", "fair", "baseline")


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    run, owners = findings.run, ablation_owners(findings)
    ablation_words = run.words.ablation
    return brief_document(brief) | {
        "game": run.experiment.game,
        "way": ablation_words.way if ablation_words else "",
        "meaning": ablation_words.meaning if ablation_words else "",
        "rate": ablation_words.rate if ablation_words else 0,
        "seed": run.experiment.seed,
        "confidence": 0.95,
        "effects": ablation_table(findings).drop(INTERNAL_COLUMNS, strict=False).rows(named=True),
        "owners": owners.drop(INTERNAL_COLUMNS, strict=False).rows(named=True) if owners.width else [],
    }


recipe = Recipe(
    "what its components do",
    brief=[ablation_answer],
    chapters={"What each component does": [ablation_effects], "Players": [who, seats, length]},
    needs="a run of simkit ablate",
    fits=lambda findings: bool(findings.run.words.ablation),
    terminal=terminal,
    document=document,
)
