"""The fair command: the value of a rule option at which the seats are equal."""

from collections.abc import Iterator

import click
import polars as pl
import polars.selectors as cs
from click import option

from simkit.analysis import Findings
from simkit.api import studies as api
from simkit.cli.options import Given, Texts, by_option, command, ranged, shared, whole_numbers
from simkit.cli.output import say
from simkit.cli.study import Part, print_study
from simkit.cli.summary import SEAT_KEYS
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.reporting.text.commands import command_again, game_words, lineups, target_words
from simkit.reporting.text.fairness import best_of_all, best_table, of_each_seat
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import percent, span
from simkit.reporting.text.perspective import beyond_two, side_of
from simkit.reporting.text.phrases import TableRow, seat_name
from simkit.runs.folder import Run
from simkit.studies.study import ManyDeals

RANDOM = "random"  # nobody's way to play
MAX_OTHERS = 2  # other strategies in the command that asks them, too
VARY = "Option to vary and its range; repeat it to balance three or more seats, one option per seat but one."


@command("Questions")
@click.argument("game")
@option("--vary", multiple=True, required=True, metavar="OPTION=LOW:HIGH", help=VARY)
@option("--deals", type=ranged(ManyDeals), default=20_000, help="Deals per value near the fair value.")
@shared("margin", "target", "lineups", "seed", "set", "files", "play", "json")
def fair(given: Given, game: str, vary: Texts) -> None:
    """Find the value of a rule option at which the seats are equal.

    You get the fair value with its 95 % interval, and the best whole number with its verdict on fresh deals.
    For a co-operative game it is the value at which the team wins as often as --target says.

    \b
    Example:  simkit fair outpost_seven --vary start_total_second=12:24
    """
    result = api.fair(game, ranges_of(vary), **given.keywords())
    print_study(result, given.as_json, _document, _parts)
    if not given.as_json and (caution := _of_other_players(result.run)):
        say(f"Beware: {caution}")


def _of_other_players(run: Run) -> str:
    """Return a caution about a single lineup where the project has other strategies for the game."""
    played, game = lineups(run), registry.game(run.experiment.game)
    names = {RANDOM, *(named.name for cell in run.cells for named in cell.lineup)}
    own = [name for name, strategy in registry.scripted(game).items() if strategy.game and name not in names]
    if len(played) > 1 or not own:
        return ""
    tables = [*played, *([name] * run.cells[0].seats for name in own[:MAX_OTHERS])]
    ranges = [f"{name}={low}:{high}" for name, (low, high) in run.search.vary.items()]
    words = [word for text in ranges for word in ("--vary", text)]
    words += [*game_words(run, tables), "--margin", f"{run.experiment.margin:g}", *target_words(run)]
    command = command_again(run, "fair", run.experiment.game, *words)
    return f"one lineup was asked; other strategies of this project ({len(own)}) may disagree: {command}"


def ranges_of(texts: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """Return the range of each option from texts `option=low:high`."""
    ranges: dict[str, tuple[int, int]] = {}
    for name, values in by_option(texts, "varied").items():
        ends = whole_numbers(values)
        if len(ends) != 2:
            raise UsageError(f"--vary {name}={values}: a range of whole numbers low:high is needed")
        ranges[name] = (ends[0], ends[1])
    return ranges


def _parts(findings: Findings) -> Iterator[Part]:
    """Yield the results at the best whole numbers, and with three or more seats those of every seat."""
    yield [_row(findings, row) for row in findings.cached(best_table).rows(named=True)]
    if beyond_two(findings):
        yield [_seat(findings, row) for row in of_each_seat(findings).rows(named=True)]


def _row(findings: Findings, row: TableRow) -> TableRow:
    labels, is_checked = labels_of(findings), row["share"] is not None
    lineup = labels.of_column("lineup") or str
    none = "none exactly" if row["whole"] == str(row["best"]) else "none"  # within the margin it may be fair
    value = none if row["value"] is None else f"{row['value']:.1f}"
    front = {"lineup": lineup(row["lineup"]), "option": labels.option(row["option"])}
    front |= {"fair value": value, "95 % interval": row["interval"], "fair whole number": row["whole"]}
    shares_there = {f"{side_of(findings.run).name} there": percent(row["share"]) if is_checked else ""}
    if beyond_two(findings):
        there = findings.seat_shares.filter(pl.col("cell").eq_missing(row["cell"]))
        shares_there = {"all players there": " / ".join(map(percent, there["share"]))}
    checked = {"fresh deals": row["deals"] if is_checked else "", "verdict": row["verdict"] or ""}
    return front | shares_there | checked


def _seat(findings: Findings, row: TableRow) -> TableRow:
    """Return the row of a seat on fresh deals; its interval holds jointly and at every interim analysis."""
    labels = labels_of(findings)
    setting = {labels.option(name): row[name] for name in findings.run.search.vary}
    lineup = (labels.of_column("lineup") or str)(row["lineup"])
    interval = span(row["joint_low"], row["joint_high"], scale=100)
    numbers = {"share": percent(row["share"]), "95 % interval": interval, "fair": percent(row["fair"])}
    return {"lineup": lineup, **setting, "player": seat_name(row["seat"]), **numbers}


def _document(findings: Findings) -> TableRow:
    """Return what the JSON document has besides the answer."""
    vary, values = findings.run.search.vary, findings.fair_values
    columns = [*vary, "lineup", "share", "low", "high", "adjusted", "failed", "deals", "verdict"]
    best = values.filter(lineup=values["lineup"][-1]).select("option", "best")
    return {
        "vary": vary,
        "margin": findings.run.experiment.margin,
        "fair_values": values.rows(named=True),
        "best": dict(best.iter_rows()),
        "best_is_fair": best_of_all(findings).is_fair,
        "checked": findings.first_player_advantage.select(_existing(columns)).rows(named=True),
        "seats": findings.seat_shares.select(_existing([*vary, "lineup", *SEAT_KEYS])).rows(named=True),
    }


def _existing(names: list[str]) -> cs.Selector:
    """Select the columns that a run has: `failed` exists only if it keeps going."""
    return cs.by_name(*names, require_all=False)
