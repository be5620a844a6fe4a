"""The command that lets both players choose their strategies best: equilibrium."""

from itertools import combinations
from typing import Any

import click
import polars as pl
from click import option

from simkit.analysis.deals import ALWAYS
from simkit.cli.execute import carry_out
from simkit.cli.options import Given, Whole, command, shared, sweep_of
from simkit.cli.output import print_json, print_table, say
from simkit.cli.summary import record_answer, report_command
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.strategy import parse_lineup
from simkit.errors import UsageError
from simkit.reporting.text.equilibrium import equilibrium_answer
from simkit.reporting.text.labels import Labels, labels_of
from simkit.reporting.text.phrases import Row, percent, seat_name, whole
from simkit.runs import experiment
from simkit.runs.experiment import Experiment
from simkit.runs.run import Run

KEYS = ("deals", "seed", "files", "keep_going")


@command(86)
@click.argument("game")
@option("--strategies", metavar="A,B,...", help="Who may be chosen (all of the game's own).")
@option("--sweep", "swept", multiple=True, metavar="OPTION=VALUES", help="At values a,b or low:high:step.")
@option("--deals", type=Whole(100, 10**9), default=5_000, help="Deals of each pairing, at most.")
@option("--even", is_flag=True, help="Play all pairings equally often, those of surely worse players too.")
@shared("seed", "set", "files", "out", "workers", "going", "cluster", "json")
def equilibrium(given: Given, game: str, strategies: str | None, swept: tuple[str, ...], even: bool) -> None:
    """What does the first player win if both choose best?

    For games of two seats. Every strategy meets every one, itself too, in both seats on the same deals; then
    each side picks the mix of strategies that secures it most, and what these are worth is the value.
    Pairings with strategies that are surely worse stop early.

    \b
    simkit equilibrium outpost_seven --strategies reference_greedy,hoarder --sweep start_total_second=16,20
    """
    asked = _all_against_all(given, game, _chosen(game, strategies), swept, even)
    run = carry_out(given, asked)
    print_json(_values(run)) if given.as_json else _print_values(run)


def _chosen(game: str, texts: str | None) -> list[str]:
    """The strategies that may be chosen."""
    of = registry.game(game)
    if of.team or not of.seats[0] <= 2 <= of.seats[1]:
        why = "is co-operative" if of.team else "has no table of two seats"
        raise UsageError(
            f"{game} {why}: best choices have a value in games of two seats against each other only"
        )
    if texts is None:
        return _own(of)
    chosen = parse_lineup(texts)
    if len(chosen) < 2:
        raise UsageError(f"--strategies {texts}: two strategies or more are needed, one is no choice")
    for one, other in combinations(chosen, 2):
        if registry.same_player(of, one, other):
            raise UsageError(
                f"--strategies: {one} and {other} are the same strategy, and each is needed once"
            )
    return list(map(str, chosen))


def _own(of: Game) -> list[str]:
    """The game's own strategies, if there is a choice among them."""
    names = [name for name, one in registry.strategies(of).items() if one.game is not None]
    if not names:
        cure = "write one, then name two, as in --strategies NAME,random"
        raise UsageError(f"{of.name} has no strategy of its own: {cure}")
    if len(names) == 1:
        cure = f"name two, as in --strategies {names[0]},random"
        raise UsageError(f"{of.name} has one strategy of its own: {cure}")
    return names


def _all_against_all(
    given: Given, game: str, names: list[str], swept: tuple[str, ...], even: bool
) -> Experiment:
    along = f" along {', '.join(swept)}" if swept else ""
    question = f"What does the first player win if both choose best{along}?"
    keys: dict[str, Any] = {"question": question, "game": game, "round_robin": names, "mirrors": True}
    keys |= {"report": "equilibrium", "options": given.settings, "sweep": sweep_of(swept)} | given.keys(*KEYS)
    return experiment.parse(keys | ({} if even else {"until_outclassed": True}))


def _print_values(run: Run) -> None:
    found = record_answer(run)
    told = equilibrium_answer(found)
    say(f"{told.sentence}\n")
    mattered = found.equilibrium_mixes.filter(pl.col("against").is_not_null())
    cells = dict(found.cells.select("setting", "cell").iter_rows())
    print_table([_mix_row(labels_of(found), row, cells[row["setting"]]) for row in mattered.rows(named=True)])
    say(f"\nHow sure: {'; '.join(told.sure)}.")
    for warning in told.warnings:
        say(f"Beware: {warning}")
    say(f"report: {report_command(run)}")


def _mix_row(labels: Labels, row: Row, cell: int) -> Row:
    front = {"chosen by": seat_name(row["seat"]), "strategy": labels.strategy(row["strategy"])}
    said = {"in the best mix": f"{whole(row['weight'])} %", "chosen in halves": f"{whole(row['often'])} %"}
    return labels.in_columns(cell) | front | said | {"wins against the mix": percent(row["against"])}


def _values(run: Run) -> Row:
    found = record_answer(run)
    told = equilibrium_answer(found)
    return {
        "game": run.experiment.game,
        "seed": run.experiment.seed,
        "confidence": 0.95,
        "answer": told.sentence,
        "values": found.equilibrium.drop(ALWAYS, strict=False).rows(named=True),
        "mixes": found.equilibrium_mixes.rows(named=True),
        "pairings": found.equilibrium_matrix.drop(ALWAYS, strict=False).rows(named=True),
        "sure": told.sure,
        "warnings": told.warnings,
        "run": run.place,
    }
