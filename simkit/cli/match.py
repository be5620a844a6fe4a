"""The match command: a sequential test of which of two strategies is stronger."""

from typing import Any

import click
from click import option

from simkit.analysis.deals import ALWAYS
from simkit.cli.execute import carry_out
from simkit.cli.options import DEALS, Given, Whole, Within, command, shared
from simkit.cli.output import print_json, print_table, say
from simkit.cli.summary import record_answer, report_command
from simkit.engine import registry
from simkit.engine.strategy import Named, parse_lineup
from simkit.errors import UsageError
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.match import match_answer
from simkit.reporting.text.phrases import Row, Summary, percent, seat_name, span
from simkit.runs import experiment
from simkit.runs.experiment import Experiment
from simkit.runs.run import Run
from simkit.runs.stopping import pairings

MAX_DEALS = 1_000_000  # default limit of a sequential test
ELO0, ELO1 = 0.0, 10.0
KEYS = ("deals", "seed", "files", "keep_going")
ELO = Within(-pairings.MOST_ELO, pairings.MOST_ELO)
ENDS = "The test takes A's lead to be X or Y Elo"


@command
@click.argument("game")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@option("--elo0", type=ELO, metavar="X", help=f"{ENDS}, with 5 % error each (0).")
@option("--elo1", type=ELO, metavar="Y", help="See --elo0 (10).")
@option(
    "--normalized",
    is_flag=True,
    help="X and Y in normalised Elo (347 for each standard deviation of a game).",
)
@option("--deals", type=DEALS, help="Instead of the test; with --elo0 or --elo1 the most.")
@option("--seats", type=Whole(min=2), help="Seats at the table (as the game usually has).")
@shared("seed", "set", "files", "play", "json")
def match(given: Given, game: str, first: str, second: str, seats: int | None, **test: Any) -> None:
    """Which of two strategies is stronger, by how many Elo?

    A and B play every deal in all seats; of three and more seats each alone against a table of the other. The
    match ends by a sequential test (SPRT, on the pentanomial counts of deals) or after --deals.

    \b
    simkit match pig "hold_at(threshold=20)" "hold_at(threshold=15)" --elo1 20
    """
    request = _experiment(given, game, _sides(game, first, second), _test(given, **test), seats)
    run = carry_out(given, request)
    print_json(_document(run)) if given.as_json else _print(run)


def _sides(game: str, first: str, second: str) -> tuple[str, str]:
    """Return the labels of the two strategies."""
    definition, sides = registry.game(game), list[Named]()
    for text in (first, second):
        named = parse_lineup(text)
        if len(named) != 1:
            raise UsageError(f"'{text}' is {len(named)} strategies; a match is of one against one other")
        registry.player(definition, named[0])
        sides += named
    if registry.same_player(definition, *sides):
        raise UsageError(f"'{first}' and '{second}' are the same strategy; a match is of two")
    return str(sides[0]), str(sides[1])


def _test(given: Given, elo0: float | None, elo1: float | None, normalized: bool) -> Row:
    """Return the keys of the sequential test; none where only a number of deals is given."""
    if given.deals is not None and elo0 is None and elo1 is None:
        return {"normalized_elo": normalized}
    low = elo0 if elo0 is not None else min(ELO0, elo1 - ELO1) if elo1 is not None and elo1 <= ELO0 else ELO0
    high = elo1 if elo1 is not None else low + ELO1
    if low >= high:
        raise UsageError(f"--elo0 {low:g} --elo1 {high:g}: the second is to be greater than the first")
    return {"until_elo": [low, high], "normalized_elo": normalized}


def _experiment(given: Given, game: str, sides: tuple[str, str], test: Row, seats: int | None) -> Experiment:
    """Return the experiment in which the two strategies meet."""
    definition = registry.game(game)
    if definition.team:
        raise UsageError(f"{game} is co-operative: strategies cannot play against each other in it")
    lineups = pairings.lineups(*sides, seats or definition.seats_unless_told)
    question = f"Which is stronger, {sides[0]} or {sides[1]}?"
    keys: dict[str, Any] = {"question": question, "game": game, "lineups": lineups, "report": "match"}
    keys |= {"deals": MAX_DEALS, "options": given.settings} | given.keys(*KEYS)
    return experiment.parse(keys | test)


def _print(run: Run) -> None:
    findings = record_answer(run)
    answer = match_answer(findings)
    say(f"{answer.sentence}\n")
    print_table([_row(row) for row in labels_of(findings).named(findings.match_seats).rows(named=True)])
    counts = ", ".join(map(str, findings.match_results["deals"]))
    say(f"\nDeals by score, from 0 to 1: {counts}.")
    say(f"How sure: {'; '.join(answer.sure)}.")
    for warning in answer.warnings:
        say(f"Beware: {warning}")
    say(f"report: {report_command(run)}")


def _row(row: Row) -> Row:
    interval = span(row["low"], row["high"], scale=100)
    front = {"strategy": row["strategy"], "as": seat_name(row["seat"]), "share": percent(row["share"])}
    return front | {"95 % interval": interval, "games": row["games"]}


def _document(run: Run) -> Row:
    """Return the document that --json prints."""
    findings = record_answer(run)
    answer: Summary = match_answer(findings)
    (row,) = findings.match.drop(ALWAYS, strict=False).rows(named=True)
    front = {"game": run.experiment.game, "seed": run.experiment.seed, "confidence": 0.95}
    counts = findings.match_results.select("result", "deals").rows(named=True)
    seats = findings.match_seats.drop(ALWAYS, strict=False).rows(named=True)
    sentences = {"answer": answer.sentence, "sure": answer.sure, "warnings": answer.warnings}
    return front | row | {"results": counts, "seats_won": seats} | sentences | {"run": run.place}
