"""The ablate command: effects of changing components, one by one and all at once."""

import click
from click import option

from simkit.cli.build import ask
from simkit.cli.execute import carry_out
from simkit.cli.options import COUNT, DEALS, PART, Given, Texts, command, shared
from simkit.cli.output import print_json, print_table, say
from simkit.cli.summary import left_out, record_answer, report_command
from simkit.engine import ablation, registry
from simkit.engine.game import Game, Way
from simkit.errors import UsageError
from simkit.reporting.text.ablation import Measured, cells_told, done, measured, sentences, side_by_side
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, number
from simkit.runs.run import Run

MAX_ROWS = 12  # components of a cell on a screen
TRACED = 20_000  # default number of deals in which owners are traced
INTERNAL_COLUMNS = ("setting", "seats", "fair", "baseline")
HOW = "What is done to them, of what simkit rules GAME lists; the first of it unless told."
WHICH = "By name or kind, separated by commas; all unless told. Repeatable."


@command
@click.argument("game")
@option("--how", metavar="WAY", help=HOW)
@option("--components", multiple=True, metavar="A,B,...", help=WHICH)
@option("--rate", type=PART, metavar="P", help="Part of the deals in which each is changed.")
@option("--deals", type=DEALS, default=20_000, help="Deals per cell.")
@option(
    "--trace", type=COUNT, metavar="N", help=f"Deals in which seats and owners are looked at ({TRACED:,})."
)
@shared("lineups", "target", "seed", "set", "files", "play", "table", "json")
def ablate(given: Given, game: str, how: str | None, components: Texts, rate: float | None) -> None:
    """Find out what each component does, changed by coins.

    \b
    Example:  simkit ablate outpost_seven --how blank --deals 50000

    All coins fall at once, so every deal tells of every component: what changing it does to who wins, to the
    length of a game, and to the seat that it falls to, each with its interval. Beside it stands what goes
    with winning.
    """
    definition = registry.game(game)
    way, deals, names = _way(definition, how), given.deals or 0, _named(components)
    ablation = {"how": way.name} | ({"components": names} if names else {}) | ({"rate": rate} if rate else {})
    trace = min(deals, TRACED) if given.trace is None else given.trace
    has_owners = not definition.team and definition.pieces is not None
    keys = {"ablate": ablation, "trace": trace if has_owners else 0}
    experiment = ask(given, game, f"What do the components of {definition.title} do?", **keys)
    run = carry_out(given, experiment)
    print_json(_document(run)) if given.as_json else _print(run, given.whole)


def _way(game: Game, name: str | None) -> Way:
    """Return the way to change components with that name, or the game's usual way."""
    usual = ablation.way_of(game, "")
    if name == "":
        names = ", ".join(sorted(way.name for way in game.components.ways))
        raise UsageError(f"--how: '' names no way to change components (known: {names})")
    return usual if name is None else ablation.way_of(game, name)


def _named(texts: Texts) -> list[str]:
    """Return the components in the texts; raise UsageError for a component that is named twice."""
    names = [part.strip() for text in texts for part in text.split(",")]
    duplicates = [name for place, name in enumerate(names) if name and name in names[:place]]
    if duplicates:
        raise UsageError(f"--components: {duplicates[0]} is given twice")
    return names


def _print(run: Run, whole: bool) -> None:
    findings = record_answer(run)
    say(done(run))
    for cell in cells_told(findings):
        if len(cells_told(findings)) > 1:
            rows = labels_of(findings).named(findings.ablation.filter(cell=cell))
            say(f"\n{rows.row(0, named=True)['lineup']}")
        for sentence in sentences(findings, cell):
            say(sentence.text)
        say("")
        table, parts = side_by_side(findings, cell), measured(findings, cell)
        shown = table if whole else table.head(MAX_ROWS)
        print_table([_row(row, parts) for row in shown.rows(named=True)])
        left_out(table.height - shown.height)
    say("(Effects of changing it, with 95 % intervals: shares in games of 100. * beyond luck: at most 5 % of")
    say("what is marked so in a column is expected to be luck.)")
    say(f"\nRun: {run.place}   report: {report_command(run)}")


def _row(row: Row, parts: list[Measured]) -> Row:
    cells = {measure.heading: _cell(row, place, measure) for place, measure in enumerate(parts)}
    return {"component": row["component"]} | cells


def _cell(row: Row, place: int, measure: Measured) -> str:
    """Return an effect with its interval."""
    if row[f"effect_{place}"] is None:
        return ""
    effect, low, high, adjusted = (row[f"{name}_{place}"] for name in ("effect", "low", "high", "p_adjusted"))
    if not effect:
        return "none"
    mark = " *" if adjusted < SURE else ""
    return f"{number(measure.scale * effect, measure.digits, True)} ({measure.ends(low, high)}){mark}"


def _document(run: Run) -> Row:
    """Return the document that --json prints."""
    findings, ablation_words = record_answer(run), run.words.ablation
    answer = [sentence.text for cell in cells_told(findings) for sentence in sentences(findings, cell)]
    owners = findings.ablation_owners
    return {
        "game": run.experiment.game,
        "way": ablation_words.way if ablation_words else "",
        "meaning": ablation_words.meaning if ablation_words else "",
        "rate": ablation_words.rate if ablation_words else 0,
        "seed": run.experiment.seed,
        "confidence": 0.95,
        "answer": answer,
        "effects": findings.ablation.drop(INTERNAL_COLUMNS, strict=False).rows(named=True),
        "owners": owners.drop(INTERNAL_COLUMNS, strict=False).rows(named=True) if owners.width else [],
        "run": run.place,
    }
