"""The tune command: a search for the weights of a strategy that win most."""

import os
from typing import Any

import click
from click import option

from simkit.analysis import Findings
from simkit.cli.options import Given, Texts, Whole, command, shared
from simkit.cli.study import conduct, print_study, study_keys
from simkit.engine import presets, registry
from simkit.engine.game import Game
from simkit.engine.lineups import Named, parse_strategy
from simkit.errors import UsageError
from simkit.reporting.text.phrases import Row
from simkit.reporting.text.tuning import has_gained, labelled
from simkit.studies.proposals import CMA_ES, TPE
from simkit.studies.tune import TuneStudy

MARGIN = 0.02  # of verdicts about seats, which a tuning does not give
VARY = "Weight to tune (default: all), also with a range WEIGHT=LOW:HIGH; repeatable."
AGAINST = "Opponent of the search (default: the game's other strategies but the holdout); repeatable."
HOLDOUT = "Opponent of the check alone (default: a strategy that is not in the panel); repeatable."


@command("Questions")
@click.argument("game")
@click.argument("strategy")
@option("--vary", "weights", multiple=True, metavar="WEIGHT", help=VARY)
@option("--against", multiple=True, metavar="STRATEGY", help=AGAINST)
@option("--holdout", multiple=True, metavar="STRATEGY", help=HOLDOUT)
@option("--trials", type=Whole(2, 10_000), default=60, help="Candidates to try.")
@option("--sampler", type=click.Choice([TPE, CMA_ES]), default=TPE, help="Method of Optuna.")
@option("--deals", type=Whole(20, 10**9), default=2_000, help="Deals per promising candidate.")
@option("--confirm", type=Whole(20, 10**9), default=20_000, help="Fresh deals of the check.")
@option("--seats", type=Whole(min=2), help="Seats at the table; the usual number of the game by default.")
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
    if not presets.NAME.fullmatch(save):
        raise UsageError(f"--save {save}: a name has letters, digits and underscores, a letter first")
    definition, own = registry.game(game), _single(strategy)
    request["vary"] = _varied(definition, own, request.pop("weights"))
    panel, request["holdout"] = opponents(definition, own, request.pop("against"), request["holdout"])
    table = [[str(own), *[other] * ((seats or definition.default_seats) - 1)] for other in panel]
    keys = study_keys(given, game) | {"lineups": table, "margin": MARGIN}
    study = TuneStudy(strategy=str(own), **keys, **request)
    run = conduct(given, study)
    print_study(given, run, None, _document)
    _save(given, definition, Findings(run), save)


def _single(text: str) -> Named:
    """Return the strategy in a text; UsageError for several."""
    strategies = parse_strategy(text)
    if len(strategies) != 1:
        raise UsageError(f"'{text}' is {len(strategies)} strategies; one is needed")
    return strategies[0]


def _varied(game: Game, own: Named, texts: Texts) -> dict[str, str]:
    """Return the weights to tune with their ranges as given; by default all, but none of a search."""
    chosen = registry.strategy(game, own.name)
    if not texts and (chosen.searches or not chosen.weights):
        cure = f"name weights with --vary: {', '.join(chosen.weights)}" if chosen.searches else "take another"
        why = "searches, and more play-outs only take longer" if chosen.searches else "has no weights"
        raise UsageError(f"{own.name} {why}; {cure}")
    varied: dict[str, str] = {}
    for name, _, text in (part.partition("=") for part in texts or chosen.weights):
        if name in varied:
            raise UsageError(f"--vary {name}: is given twice")
        varied[name] = text
    return varied


def opponents(game: Game, own: Named, against: Texts, holdout: Texts) -> tuple[list[str], list[str]]:
    """Return panel and holdout: by default the game's own strategies, the last as holdout; else random."""
    if game.team:
        if against or holdout:
            raise UsageError(f"{game.name} is co-operative: nobody plays against the team, name no opponents")
        return [str(own)], []
    panel, others = ([str(_single(text)) for text in texts] for texts in (against, holdout))
    scripted = registry.scripted(game).items()
    mine = [name for name, each in scripted if each.game and name != own.name and name not in panel + others]
    if not others:
        others = [mine.pop()] if len(mine) > bool(not panel) else [*({"random"} - {*panel})]
    if both := {*panel} & {*others}:
        raise UsageError(f"{min(both)} is in the panel (--against) and in the holdout; once is enough")
    return panel or mine or [own.name], others


def _save(given: Given, game: Game, findings: Findings, preset: str) -> None:
    """Save the weights that win more on fresh deals as a preset."""
    if not has_gained(labelled(findings)):
        return
    named = _single(findings.run.tuned.tuned)
    path = registry.save_preset(game, preset, named)
    click.echo(f"saved: {named.name}@{preset} in {os.path.relpath(path)}", err=given.as_json)


def _document(findings: Findings) -> Row:
    """Return what the JSON document has besides the answer."""
    results = findings.run.tuned
    keys = ("strategy", "tuned", "panel", "holdout", "sampler")
    trials = [trial.model_dump(include={"weights", "deals", "gain"}) for trial in results.trials]
    front = results.model_dump(include={*keys}) | {"gained": has_gained(labelled(findings))}
    return front | {"checked": findings.tuned.rows(named=True), "trials": trials}
