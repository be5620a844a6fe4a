"""The tune command: a search for the weights of a strategy that win most."""

from typing import Any, get_args

import click
from click import option

from simkit.analysis import Findings
from simkit.api import tune as api
from simkit.api.requests import Seats
from simkit.cli.options import Given, command, ranged, shared
from simkit.cli.study import print_study
from simkit.reporting.text.phrases import TableRow
from simkit.reporting.text.tuning import has_gained, label_opponents
from simkit.studies.proposals import TPE, Sampler
from simkit.studies.study import Deals, Trials

VARY = "Weight to tune (default: all), also with a range WEIGHT=LOW:HIGH; repeatable."
AGAINST = "Opponent of the search (default: the game's other strategies but the holdout); repeatable."
HOLDOUT = "Opponent of the check alone (default: a strategy that is not in the panel); repeatable."


@command("Questions")
@click.argument("game")
@click.argument("strategy")
@option("--vary", "weights", multiple=True, metavar="WEIGHT", help=VARY)
@option("--against", multiple=True, metavar="STRATEGY", help=AGAINST)
@option("--holdout", multiple=True, metavar="STRATEGY", help=HOLDOUT)
@option("--trials", type=ranged(Trials), default=60, help="Candidates to try.")
@option("--sampler", type=click.Choice(get_args(Sampler)), default=TPE, help="Method of Optuna.")
@option("--deals", type=ranged(Deals), default=2_000, help="Deals per promising candidate.")
@option("--confirm", type=ranged(Deals), default=20_000, help="Fresh deals of the check.")
@option("--seats", type=ranged(Seats), help="Seats at the table; the usual number of the game by default.")
@option("--save", default="tuned", metavar="NAME", help="Name of the preset for weights that win more.")
@shared("seed", "set", "files", "play", "json")
def tune(given: Given, game: str, strategy: str, seats: int | None, save: str, **request: Any) -> None:
    """Search for the weights of a strategy that win most.

    Candidates play the same deals against a panel of opponents. The best one and the weights that STRATEGY
    starts from then play fresh deals, also against players that were not in the panel. If the best one wins
    more there, and not less outside the panel, its weights are saved as STRATEGY@tuned for every lineup.

    \b
    Example:  simkit tune pig "hold_at(threshold=5)" --trials 20
    """
    result = api.tune(game, strategy, seats=seats, save=save, **request, **given.keywords())
    print_study(result, given.as_json, _document)


def _document(findings: Findings) -> TableRow:
    """Return what the JSON document has besides the answer."""
    results = findings.run.tuned
    keys = ("strategy", "tuned", "panel", "holdout", "sampler")
    trials = [trial.model_dump(include={"weights", "deals", "gain"}) for trial in results.trials]
    front = results.model_dump(include={*keys}) | {"gained": has_gained(label_opponents(findings))}
    return front | {"checked": findings.tuned.rows(named=True), "trials": trials}
