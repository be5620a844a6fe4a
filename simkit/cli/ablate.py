"""The command that changes components one by one and all at once: ablate."""

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

SCREEN = 12  # components of a cell that a screen holds
TRACED = 20_000  # deals in which owners are looked at, unless told
DROPPED = ("setting", "seats", "fair", "baseline")
HOW = "What is done to them, of what simkit rules GAME lists; the first of it unless told."
WHICH = "By name or kind, separated by commas; all unless told. Repeatable."


@command(97)
@click.argument("game")
@option("--how", metavar="WAY", help=HOW)
@option("--components", multiple=True, metavar="A,B,...", help=WHICH)
@option("--rate", type=PART, metavar="P", help="Part of the deals in which each is changed.")
@option("--deals", type=DEALS, default=20_000, help="Deals per cell.")
@option(
    "--trace", type=COUNT, metavar="N", help=f"Deals in which seats and owners are looked at ({TRACED:,})."
)
@shared("lineups", "target", "seed", "set", "files", "out", "workers", "going", "cluster", "table", "json")
def ablate(given: Given, game: str, how: str | None, components: Texts, rate: float | None) -> None:
    """Find out what each component does, changed by coins.

    \b
    Example:  simkit ablate outpost_seven --how blank --deals 50000

    All coins fall at once, so every deal tells of every component: what changing it does to who wins, to the
    length of a game, and to the seat that it falls to, each with its interval. Beside it stands what goes
    with winning.
    """
    of = registry.game(game)
    way, deals, names = _way(of, how), given.deals or 0, _named(components)
    asked = {"how": way.name} | ({"components": names} if names else {}) | ({"rate": rate} if rate else {})
    trace = min(deals, TRACED) if given.trace is None else given.trace
    told = {"trace": 0 if of.team or of.pieces is None else trace}
    experiment = ask(given, game, f"What do the components of {of.title} do?", ablate=asked, **told)
    run = carry_out(given, experiment)
    print_json(_document(run)) if given.as_json else _print(run, given.whole)


def _way(of: Game, how: str | None) -> Way:
    """What is done to components, the usual way unless told; a name that is given is one."""
    usual = ablation.way_of(of, "")
    if how == "":
        known = ", ".join(sorted(way.name for way in of.components.ways))
        raise UsageError(f"--how: '' names no way to change components (known: {known})")
    return usual if how is None else ablation.way_of(of, how)


def _named(texts: Texts) -> list[str]:
    """The components as given, each once; an empty name is one that no component has."""
    found = [part.strip() for text in texts for part in text.split(",")]
    twice = [name for place, name in enumerate(found) if name and name in found[:place]]
    if twice:
        raise UsageError(f"--components: {twice[0]} is given twice")
    return found


def _print(run: Run, whole: bool) -> None:
    found = record_answer(run)
    say(done(run))
    for cell in cells_told(found):
        if len(cells_told(found)) > 1:
            say(f"\n{labels_of(found).named(found.ablation.filter(cell=cell)).row(0, named=True)['lineup']}")
        for one in sentences(found, cell):
            say(one.text)
        say("")
        table, parts = side_by_side(found, cell), measured(found, cell)
        shown = table if whole else table.head(SCREEN)
        print_table([_row(row, parts) for row in shown.rows(named=True)])
        left_out(table.height - shown.height)
    say("(Effects of changing it, with 95 % intervals: shares in games of 100. * beyond luck: at most 5 % of")
    say("what is marked so in a column is expected to be luck.)")
    say(f"\nRun: {run.place}   report: {report_command(run)}")


def _row(row: Row, parts: list[Measured]) -> Row:
    cells = {one.heading: _cell(row, place, one) for place, one in enumerate(parts)}
    return {"component": row["component"]} | cells


def _cell(row: Row, place: int, one: Measured) -> str:
    """An effect with its interval."""
    if row[f"effect_{place}"] is None:
        return ""
    effect, low, high, adjusted = (row[f"{name}_{place}"] for name in ("effect", "low", "high", "p_adjusted"))
    mark = " *" if adjusted < SURE else ""
    return (
        f"{number(one.scale * effect, one.digits, True)} ({one.ends(low, high)}){mark}" if effect else "none"
    )


def _document(run: Run) -> Row:
    found, known = record_answer(run), run.words.ablation
    said = [one.text for cell in cells_told(found) for one in sentences(found, cell)]
    owners = found.ablation_owners
    return {
        "game": run.experiment.game,
        "way": known.way if known else "",
        "meaning": known.meaning if known else "",
        "rate": known.rate if known else 0,
        "seed": run.experiment.seed,
        "confidence": 0.95,
        "answer": said,
        "effects": found.ablation.drop(DROPPED, strict=False).rows(named=True),
        "owners": owners.drop(DROPPED, strict=False).rows(named=True) if owners.width else [],
        "run": run.place,
    }
