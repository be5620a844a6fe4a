"""The fair command: the value of a rule option at which the seats are equal."""

import click
import polars as pl
import polars.selectors as cs
from click import option

from simkit.analysis import Findings
from simkit.cli.build import lineups_of, say_files
from simkit.cli.execute import placed
from simkit.cli.options import Given, Whole, by_option, command, shared, whole_numbers
from simkit.cli.output import print_json, print_table, say
from simkit.cli.search_folder import searched
from simkit.cli.summary import SEAT_KEYS, record_answer, report_command
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.reporting.text.best_values import best_of_all, best_table, of_each_seat
from simkit.reporting.text.fairness import fair_answer, interval_words
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import beyond_two, side_of
from simkit.reporting.text.phrases import Row, percent, seat_name, span
from simkit.runs.run import Run
from simkit.studies import fair as solver
from simkit.studies.fair.request import Request, check_asked


@command
@click.argument("game")
@option("--vary", multiple=True, required=True, metavar="OPTION=LOW:HIGH", help="Once per seat but one.")
@option(
    "--deals", type=Whole(100, 10**9), default=20_000, help="Deals per value near the fair one, at least."
)
@shared("margin", "target", "lineups", "seed", "set", "files", "play", "json")
def fair(given: Given, game: str, vary: tuple[str, ...]) -> None:
    """Find the value of a rule option at which the seats are equal.

    Of a co-operative game: at which the team wins as often as --target. Plays ever fewer values on common
    deals, finds where the share of the first player (of the team) is fair, and checks the best whole numbers
    on fresh deals until there is a verdict. All in one run folder with a page of its own (simkit report DIR).
    """
    aim = given.keys("deals", "seed", "margin")
    more = {"options": given.settings, "files": given.files, **given.keys("target", "keep_going")}
    team, lineups = registry.game(game).team, lineups_of(game, given.lineups)
    request = Request(game, ranges_of(vary), lineups, more=more, team=team, **aim)
    check_asked(request)
    usual = request.experiment("?", [request.usual()], deals=1)
    say_files(usual)
    last = solver.check_of(request, [request.usual()])
    given = placed(given, usual, repr(request))
    run = searched(given, last, {"sweep"}, lambda play: solver.solve(request, play))
    print_json(_document(request, run)) if given.as_json else _print(run)


def ranges_of(texts: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """Return the range of each option from texts `option=low:high`."""
    ranges: dict[str, tuple[int, int]] = {}
    for name, values in by_option(texts, "varied").items():
        ends = whole_numbers(values)
        if len(ends) != 2:
            raise UsageError(f"--vary {name}={values}: a range of whole numbers low:high is needed")
        ranges[name] = (ends[0], ends[1])
    return ranges


def _print(run: Run) -> None:
    """Print the answer, the results at the best whole numbers, and the command that writes the page."""
    findings = record_answer(run)
    answer = fair_answer(findings)
    say(f"{answer.sentence}\n")
    print_table([_row(findings, row) for row in findings.cached(best_table).rows(named=True)])
    if beyond_two(findings):
        say("")
        print_table([_seat(findings, row) for row in of_each_seat(findings).rows(named=True)])
    say(f"\nHow sure: {'; '.join(answer.sure)}.")
    for warning in answer.warnings:
        say(f"Beware: {warning}")
    say(f"report: {report_command(run)}")


def _row(findings: Findings, row: Row) -> Row:
    labels, is_checked = labels_of(findings), row["share"] is not None
    lineup = labels.of_column("lineup") or str
    none = "none exactly" if row["whole"] == str(row["best"]) else "none"  # within the margin it may be fair
    value = none if row["value"] is None else f"{row['value']:.1f}"
    interval = "" if row["value"] is None else interval_words(row["low"], row["high"])
    front = {"lineup": lineup(row["lineup"]), "option": labels.option(row["option"])}
    front |= {"fair value": value, "95 % interval": interval, "fair whole number": row["whole"]}
    shares_there = {f"{side_of(findings.run).name} there": percent(row["share"]) if is_checked else ""}
    if beyond_two(findings):
        shares = findings.seat_shares.filter(pl.col("cell") == row["cell"])["share"]
        shares_there = {"all players there": " / ".join(map(percent, shares))}
    checked = {"fresh deals": row["deals"] if is_checked else "", "verdict": row["verdict"] or ""}
    return front | shares_there | checked


def _seat(findings: Findings, row: Row) -> Row:
    """Return the row of a seat on fresh deals; its interval holds jointly and at every interim analysis."""
    labels = labels_of(findings)
    setting = {labels.option(name): row[name] for name in findings.run.search["vary"]}
    lineup = (labels.of_column("lineup") or str)(row["lineup"])
    interval = span(row["joint_low"], row["joint_high"], scale=100)
    numbers = {"share": percent(row["share"]), "95 % interval": interval, "fair": percent(row["fair"])}
    return {"lineup": lineup, **setting, "player": seat_name(row["seat"]), **numbers}


def _document(request: Request, run: Run) -> Row:
    """Return the document that --json prints."""
    findings = record_answer(run)
    answer, values = fair_answer(findings), findings.fair_values
    columns = [*request.vary, "lineup", "share", "low", "high", "adjusted", "failed", "deals", "verdict"]
    seat_columns = [*request.vary, "lineup", *SEAT_KEYS]
    best = values.filter(lineup=values["lineup"][-1]).select("option", "best")
    return {
        "game": request.game,
        "vary": {name: list(ends) for name, ends in request.vary.items()},
        "margin": request.margin,
        "confidence": 0.95,
        "answer": answer.sentence,
        "fair_values": values.rows(named=True),
        "best": dict(best.iter_rows()),
        "best_is_fair": best_of_all(findings).is_fair,
        "checked": findings.first_player_advantage.select(_existing(columns)).rows(named=True),
        "seats": findings.seat_shares.select(_existing(seat_columns)).rows(named=True),
        "warnings": answer.warnings,
        "run": run.place,
    }


def _existing(names: list[str]) -> cs.Selector:
    """Select the columns that a run has: `failed` exists only if it keeps going."""
    return cs.by_name(*names, require_all=False)
