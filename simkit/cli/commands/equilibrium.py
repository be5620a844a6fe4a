"""The equilibrium command: the value of a game when both players choose their strategies best."""

from collections.abc import Iterator
from itertools import combinations

import click
import polars as pl
from click import option

from simkit.analysis import Findings
from simkit.analysis.deals import ALWAYS
from simkit.cli.build import ask
from simkit.cli.execute import carry_out
from simkit.cli.options import Given, Texts, Whole, command, shared, sweep_of
from simkit.cli.study import Part, print_study
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.errors import UsageError
from simkit.reporting.text.labels import Labels, labels_of
from simkit.reporting.text.phrases import Row, percent, seat_name, whole

SWEEP = "Solve the game at each of these values, a,b or low:high:step; repeatable."


@command("Questions")
@click.argument("game")
@option("--strategies", metavar="A,B,...", help="Strategies to choose from; all of the game by default.")
@option("--with-search", is_flag=True, help="Add search(budget=50), which plays on from each choice.")
@option("--sweep", "swept", multiple=True, metavar="OPTION=VALUES", help=SWEEP)
@option("--deals", type=Whole(100, 10**9), default=5_000, help="Most deals of a pairing.")
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
    names = _chosen_strategies(game, strategies) + ["search(budget=50)"] * with_search
    along = f" along {', '.join(swept)}" if swept else ""
    question = f"What does the first player win if both choose best{along}?"
    keys = {"lineups": [], "round_robin": names, "mirrors": True, "report": "equilibrium"}
    keys |= {"sweep": sweep_of(swept), "until_outclassed": not even}
    run = carry_out(given, ask(given, game, question, **keys))
    print_study(given, run, _parts, _document)


def _chosen_strategies(game: str, texts: str | None) -> list[str]:
    """Return the strategies that may be chosen, by default the game's own."""
    definition = registry.game(game)
    if definition.team or not definition.seats[0] <= 2 <= definition.seats[1]:
        reason = "is co-operative" if definition.team else "has no table of two seats"
        raise UsageError(f"{game} {reason}: only games of two seats against each other have an equilibrium")
    if texts is None:
        strategies = registry.strategies(definition).items()
        names = [name for name, strategy in strategies if strategy.game is not None]
        if len(names) < 2:
            example = ",".join([*(names or ["NAME"]), "random"])
            problem = f"{game} has fewer than two strategies of its own"
            raise UsageError(f"{problem}: name two or more, as in --strategies {example}")
        return names
    chosen = parse_lineup(texts)
    if len(chosen) < 2:
        raise UsageError(f"--strategies {texts}: two or more strategies are needed")
    for first, second in combinations(chosen, 2):
        if registry.same_player(definition, first, second):
            raise UsageError(f"--strategies: {first} and {second} are the same strategy; leave one out")
    return list(map(str, chosen))


def _parts(findings: Findings) -> Iterator[Part]:
    """Yield the best mixes of both sides."""
    mattered = findings.equilibrium_mixes.filter(pl.col("against").is_not_null())
    cells = dict(findings.cells.select("setting", "cell").iter_rows())
    rows = mattered.rows(named=True)
    yield [_mix_row(labels_of(findings), row, cells[row["setting"]]) for row in rows]


def _mix_row(labels: Labels, row: Row, cell: int) -> Row:
    front = {"chosen by": seat_name(row["seat"]), "strategy": labels.strategy(row["strategy"])}
    shares = {"in the best mix": f"{whole(row['weight'])} %", "chosen in halves": f"{whole(row['often'])} %"}
    return labels.in_columns(cell) | front | shares | {"wins against the mix": percent(row["against"])}


def _document(findings: Findings) -> Row:
    """Return what the JSON document has besides the answer."""
    return {
        "seed": findings.run.experiment.seed,
        "values": findings.equilibrium.drop(ALWAYS, strict=False).rows(named=True),
        "mixes": findings.equilibrium_mixes.rows(named=True),
        "pairings": findings.equilibrium_matrix.drop(ALWAYS, strict=False).rows(named=True),
    }
