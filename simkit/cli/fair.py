"""The command that solves: fair."""

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
from simkit.studies.fair.request import Asked, check_asked


@command(90)
@click.argument("game")
@option("--vary", multiple=True, required=True, metavar="OPTION=LOW:HIGH", help="Once per seat but one.")
@option(
    "--deals", type=Whole(100, 10**9), default=20_000, help="Deals per value near the fair one, at least."
)
@shared("margin", "target", "lineups", "seed", "set", "files", "out", "workers", "going", "cluster", "json")
def fair(given: Given, game: str, vary: tuple[str, ...]) -> None:
    """Find the value of a rule option at which the seats are equal.

    Of a co-operative game: at which the team wins as often as --target. Plays ever fewer values on common
    deals, finds where the share of the first player (of the team) is fair, and checks the best whole numbers
    on fresh deals until there is a verdict. All in one run folder with a page of its own (simkit report DIR).
    """
    aim = given.keys("deals", "seed", "margin")
    more = {"options": given.settings, "files": given.files, **given.keys("target", "keep_going")}
    team, lineups = registry.game(game).team, lineups_of(game, given.lineups)
    asked = Asked(game, ranges_of(vary), lineups, more=more, team=team, **aim)
    check_asked(asked)
    usual = asked.experiment("?", [asked.usual()], deals=1)
    say_files(usual)
    last = solver.check_of(asked, [asked.usual()])
    given = placed(given, usual, repr(asked))
    run = searched(given, last, {"sweep"}, lambda play: solver.solve(asked, play))
    print_json(_document(asked, run)) if given.as_json else _print(run)


def ranges_of(texts: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for name, values in by_option(texts, "varied").items():
        ends = whole_numbers(values)
        if len(ends) != 2:
            raise UsageError(f"--vary {name}={values}: a range of whole numbers low:high is needed")
        found[name] = (ends[0], ends[1])
    return found


def _print(run: Run) -> None:
    """The answer, how each lineup does at its best whole numbers, where the page is."""
    found = record_answer(run)
    told = fair_answer(found)
    say(f"{told.sentence}\n")
    print_table([_row(found, row) for row in found.kept(best_table).rows(named=True)])
    if beyond_two(found):
        say("")
        print_table([_seat(found, row) for row in of_each_seat(found).rows(named=True)])
    say(f"\nHow sure: {'; '.join(told.sure)}.")
    for warning in told.warnings:
        say(f"Beware: {warning}")
    say(f"report: {report_command(run)}")


def _row(findings: Findings, row: Row) -> Row:
    labels, known = labels_of(findings), row["share"] is not None
    lineup = labels.of_column("lineup") or str
    none = "none exactly" if row["whole"] == str(row["best"]) else "none"  # within the margin it may be fair
    value = none if row["value"] is None else f"{row['value']:.1f}"
    sure = "" if row["value"] is None else interval_words(row["low"], row["high"])
    front = {"lineup": lineup(row["lineup"]), "option": labels.option(row["option"])}
    front |= {"fair value": value, "95 % interval": sure, "fair whole number": row["whole"]}
    there = {f"{side_of(findings.run).name} there": percent(row["share"]) if known else ""}
    if beyond_two(findings):
        shares = findings.seat_shares.filter(pl.col("cell") == row["cell"])["share"]
        there = {"all players there": " / ".join(map(percent, shares))}
    return front | there | {"fresh deals": row["deals"] if known else "", "verdict": row["verdict"] or ""}


def _seat(findings: Findings, row: Row) -> Row:
    """The share of a seat on fresh deals, as printed; intervals hold for all seats together, at any look."""
    labels = labels_of(findings)
    there = {labels.option(name): row[name] for name in findings.run.search["vary"]}
    lineup = (labels.of_column("lineup") or str)(row["lineup"])
    sure = span(row["joint_low"], row["joint_high"], scale=100)
    known = {"share": percent(row["share"]), "95 % interval": sure, "fair": percent(row["fair"])}
    return {"lineup": lineup, **there, "player": seat_name(row["seat"]), **known}


def _document(asked: Asked, run: Run) -> Row:
    found = record_answer(run)
    told, values = fair_answer(found), found.fair_values
    columns = [*asked.vary, "lineup", "share", "low", "high", "adjusted", "failed", "deals", "verdict"]
    best = values.filter(lineup=values["lineup"][-1]).select("option", "best")
    return {
        "game": asked.game,
        "vary": {name: list(ends) for name, ends in asked.vary.items()},
        "margin": asked.margin,
        "confidence": 0.95,
        "answer": told.sentence,
        "fair_values": values.rows(named=True),
        "best": dict(best.iter_rows()),
        "best_is_fair": best_of_all(found).is_fair,
        "checked": found.first_player_advantage.select(_known(columns)).rows(named=True),
        "seats": found.seat_shares.select(_known([*asked.vary, "lineup", *SEAT_KEYS])).rows(named=True),
        "warnings": told.warnings,
        "run": run.place,
    }


def _known(names: list[str]) -> cs.Selector:
    """Those of the columns that a run has: `failed` only if it keeps going."""
    return cs.by_name(*names, require_all=False)
