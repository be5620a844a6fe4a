"""The equilibrium command: the value of a game when both players choose their strategies best."""

from collections.abc import Iterator
from typing import Any

import click
import polars as pl
from click import option

from simkit.analysis import Findings
from simkit.analysis.deals import ALWAYS
from simkit.api import equilibrium as api
from simkit.cli.options import Given, Texts, command, ranged, shared, sweep_of
from simkit.cli.study import Part, print_study
from simkit.engine.lineups import parse_lineup
from simkit.reporting.text.labels import Labels, labels_of
from simkit.reporting.text.numbers import percent, whole
from simkit.reporting.text.phrases import TableRow, seat_name
from simkit.studies.study import ManyDeals

SWEEP = "Solve the game at each of these values, a,b or low:high:step; repeatable."


@command("Questions")
@click.argument("game")
@option("--strategies", metavar="A,B,...", help="Strategies to choose from; all of the game by default.")
@option("--with-search", is_flag=True, help="Add search(budget=50), which plays on from each choice.")
@option("--sweep", "swept", multiple=True, metavar="OPTION=VALUES", help=SWEEP)
@option("--deals", type=ranged(ManyDeals), default=5_000, help="Most deals of a pairing.")
@option("--even", is_flag=True, help="Play all pairings equally often, also those of weak strategies.")
@shared("seed", "set", "files", "play", "json")
def equilibrium(
    given: Given, game: str, strategies: str | None, with_search: bool, swept: Texts, even: bool
) -> None:
    """Find the best mix of strategies for each side, and its value.

    You get the value of the game with its interval, and the mix of strategies that secures it for each side.
    For games of two seats: every strategy meets every other and itself, in both seats, on the same deals.
    Pairings that the mixes do not depend on stop early.

    \b
    Example:  simkit equilibrium outpost_seven --strategies reference_greedy,hoarder
    """
    names = None if strategies is None else [str(named) for named in parse_lineup(strategies)]
    along = f" along {', '.join(swept)}" if swept else ""
    question = f"How often does the first player win if both choose their best strategies{along}?"
    keys: dict[str, Any] = {"with_search": with_search, "even": even, "question": question}
    result = api.equilibrium(game, names, sweep=sweep_of(swept), **keys, **given.keywords())
    print_study(result, given.as_json, _document, _parts)


def _parts(findings: Findings) -> Iterator[Part]:
    """Yield the best mixes of both sides."""
    mattered = findings.equilibrium_mixes.filter(pl.col("against").is_not_null())
    cells = dict(findings.cells.select("setting", "cell").iter_rows())
    rows = mattered.rows(named=True)
    yield [_mix_row(labels_of(findings), row, cells[row["setting"]]) for row in rows]


def _mix_row(labels: Labels, row: TableRow, cell: int) -> TableRow:
    front = {"chosen by": seat_name(row["seat"]), "strategy": labels.strategy(row["strategy"])}
    shares = {"in the best mix": f"{whole(row['weight'])} %", "chosen in halves": f"{whole(row['often'])} %"}
    return labels.in_columns(cell) | front | shares | {"wins against the mix": percent(row["against"])}


def _document(findings: Findings) -> TableRow:
    """Return what the JSON document has besides the answer."""
    return {
        "seed": findings.run.experiment.seed,
        "values": findings.equilibrium.drop(ALWAYS, strict=False).rows(named=True),
        "mixes": findings.equilibrium_mixes.rows(named=True),
        "pairings": findings.equilibrium_matrix.drop(ALWAYS, strict=False).rows(named=True),
    }
