"""The equilibrium command: the value of a game when both players choose their strategies best."""

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


@command
@click.argument("game")
@option("--strategies", metavar="A,B,...", help="Who may be chosen (all of the game's own).")
@option("--sweep", "swept", multiple=True, metavar="OPTION=VALUES", help="At values a,b or low:high:step.")
@option("--deals", type=Whole(100, 10**9), default=5_000, help="Deals of each pairing, at most.")
@option("--even", is_flag=True, help="Play all pairings equally often, those of surely worse players too.")
@shared("seed", "set", "files", "play", "json")
def equilibrium(given: Given, game: str, strategies: str | None, swept: tuple[str, ...], even: bool) -> None:
    """What does the first player win if both choose best?

    For games of two seats. Every strategy meets every one, itself too, in both seats on the same deals; then
    each side picks the mix of strategies that secures it most, and what these are worth is the value.
    Pairings with strategies that are surely worse stop early.

    \b
    simkit equilibrium outpost_seven --strategies reference_greedy,hoarder --sweep start_total_second=16,20
    """
    experiment = _all_against_all(given, game, _chosen_strategies(game, strategies), swept, even)
    run = carry_out(given, experiment)
    print_json(_values(run)) if given.as_json else _print_values(run)


def _chosen_strategies(game: str, texts: str | None) -> list[str]:
    """Return the strategies that may be chosen."""
    definition = registry.game(game)
    if definition.team or not definition.seats[0] <= 2 <= definition.seats[1]:
        reason = "is co-operative" if definition.team else "has no table of two seats"
        raise UsageError(
            f"{game} {reason}: best choices have a value in games of two seats against each other only"
        )
    if texts is None:
        return _own_strategies(definition)
    chosen = parse_lineup(texts)
    if len(chosen) < 2:
        raise UsageError(f"--strategies {texts}: two strategies or more are needed, one is no choice")
    for first, second in combinations(chosen, 2):
        if registry.same_player(definition, first, second):
            raise UsageError(
                f"--strategies: {first} and {second} are the same strategy, and each is needed once"
            )
    return list(map(str, chosen))


def _own_strategies(game: Game) -> list[str]:
    """Return the game's own strategies; raise UsageError if there are fewer than two."""
    names = [name for name, strategy in registry.strategies(game).items() if strategy.game is not None]
    if not names:
        cure = "write one, then name two, as in --strategies NAME,random"
        raise UsageError(f"{game.name} has no strategy of its own: {cure}")
    if len(names) == 1:
        cure = f"name two, as in --strategies {names[0]},random"
        raise UsageError(f"{game.name} has one strategy of its own: {cure}")
    return names


def _all_against_all(
    given: Given, game: str, names: list[str], swept: tuple[str, ...], even: bool
) -> Experiment:
    """Return the experiment in which every strategy meets every other and itself."""
    along = f" along {', '.join(swept)}" if swept else ""
    question = f"What does the first player win if both choose best{along}?"
    keys: dict[str, Any] = {"question": question, "game": game, "round_robin": names, "mirrors": True}
    keys |= {"report": "equilibrium", "options": given.settings, "sweep": sweep_of(swept)} | given.keys(*KEYS)
    return experiment.parse(keys | ({} if even else {"until_outclassed": True}))


def _print_values(run: Run) -> None:
    findings = record_answer(run)
    answer = equilibrium_answer(findings)
    say(f"{answer.sentence}\n")
    mattered = findings.equilibrium_mixes.filter(pl.col("against").is_not_null())
    cells = dict(findings.cells.select("setting", "cell").iter_rows())
    rows = mattered.rows(named=True)
    print_table([_mix_row(labels_of(findings), row, cells[row["setting"]]) for row in rows])
    say(f"\nHow sure: {'; '.join(answer.sure)}.")
    for warning in answer.warnings:
        say(f"Beware: {warning}")
    say(f"report: {report_command(run)}")


def _mix_row(labels: Labels, row: Row, cell: int) -> Row:
    front = {"chosen by": seat_name(row["seat"]), "strategy": labels.strategy(row["strategy"])}
    shares = {"in the best mix": f"{whole(row['weight'])} %", "chosen in halves": f"{whole(row['often'])} %"}
    return labels.in_columns(cell) | front | shares | {"wins against the mix": percent(row["against"])}


def _values(run: Run) -> Row:
    """Return the document that --json prints."""
    findings = record_answer(run)
    answer = equilibrium_answer(findings)
    return {
        "game": run.experiment.game,
        "seed": run.experiment.seed,
        "confidence": 0.95,
        "answer": answer.sentence,
        "values": findings.equilibrium.drop(ALWAYS, strict=False).rows(named=True),
        "mixes": findings.equilibrium_mixes.rows(named=True),
        "pairings": findings.equilibrium_matrix.drop(ALWAYS, strict=False).rows(named=True),
        "sure": answer.sure,
        "warnings": answer.warnings,
        "run": run.place,
    }
