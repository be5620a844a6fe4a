"""Studies: questions that play, analyse and play again, and confirm on fresh deals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from simkit.api.execution import call_of, conduct
from simkit.api.requests import Common, Keywords, Pair, Range, Seats, Texts, Values, study_keys
from simkit.api.results import Result, recorded
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.studies.design import DesignStudy
from simkit.studies.design.request import Best
from simkit.studies.fair import FairStudy
from simkit.studies.ladder import LadderStudy, usual_sweep
from simkit.studies.screening import ScreenStudy
from simkit.studies.screening.request import Small, Strongest
from simkit.studies.study import Deals, ManyDeals, Trials

SAMPLES = [2**power for power in range(4, 15)]  # numbers of points of Sobol indices


def fair(
    game: str, vary: Mapping[str, Range], *, deals: ManyDeals = 20_000, **keywords: Unpack[Keywords]
) -> Result:
    """Find the value of a rule option at which the seats are equal.

    Args:
        game: Name of the game.
        vary: Lowest and highest value of each option; one option is enough for two seats, each further seat
            needs one more.
        deals: Deals per value near the fair value.
        keywords: lineups, seed, options, files, margin, target, keep_going, out, jobs, backend, scheduler,
            batch_timeout and progress; the manual of the API has a table.

    Returns:
        The findings of the check on fresh deals; `result.value` is the fair value, `result.fair_values` has
        its interval and the best whole number.

    Raises:
        UsageError: An option that is no whole number, or a range that does not go up.

    Example:
        >>> fair("pig", {"goal": (2, 40)}, lineups=["random*2"], deals=400).fair_values.height
        1
    """
    how, keys = call_of(fair, locals())
    return recorded(conduct(how, FairStudy(vary=keys["vary"], **study_keys(keys))))


def screen(
    game: str,
    vary: Mapping[str, Pair | None] = {},
    *,
    measures: Texts = (),
    strongest: Strongest = 5,
    sobol: int = 0,
    small: Small = 0.05,
    deals: Deals = 2_000,
    **keywords: Unpack[Keywords],
) -> Result:
    """Find the options that matter, and those that do nothing.

    Args:
        game: Name of the game.
        vary: Options to screen with two values each, or None for the usual ones; by default all.
        measures: Columns of the log to measure besides the shares; turns and lead_changes by default.
        strongest: Options that are then played in all combinations, on fresh deals.
        sobol: Points from which Sobol indices are estimated, a power of 2; 0 for none.
        small: Change of other measures that does not matter, as a part of their mean.
        deals: Deals per setting.
        keywords: lineups, seed, options, files, margin, target, keep_going, out, jobs, backend, scheduler,
            batch_timeout and progress; the manual of the API has a table.

    Returns:
        The findings; `result.dials` (effects of all options), `result.together` (effects of the strongest).

    Raises:
        UsageError: An unknown option, or a sample that is no power of 2.

    Example:
        >>> result = screen("pig", {"goal": (50, 100), "faces": (6, 8)}, strongest=2, deals=20)
        >>> sorted(set(result.dials["option"]))
        ['faces', 'goal']
    """
    how, keys = call_of(screen, locals())
    if keys["sobol"] not in [0, *SAMPLES]:
        raise UsageError(f"sobol {sobol}: a sample is a power of 2 from {SAMPLES[0]} to {SAMPLES[-1]}")
    own = {name: keys[name] for name in ("measures", "small", "strongest")}
    study = ScreenStudy(options=keys["vary"], sample=keys["sobol"], **own, **study_keys(keys))
    return recorded(conduct(how, study))


def design(
    game: str,
    vary: Mapping[str, Values],
    wishes: Texts,
    *,
    trials: Trials = 80,
    best: Best = 4,
    confirm: Deals = 20_000,
    deals: Deals = 2_000,
    **keywords: Unpack[Keywords],
) -> Result:
    """Search for rules that meet several wishes at once.

    Args:
        game: Name of the game.
        vary: Values of each option that may be chosen.
        wishes: "fairness", "COLUMN=LOW:HIGH", "COLUMN>=NUMBER", "COLUMN<=NUMBER" or "COLUMN>=printed".
        trials: Settings to try.
        best: Settings to check on fresh deals.
        confirm: Fresh deals per checked setting.
        deals: Deals per promising setting.
        keywords: lineups, seed, options, files, margin, target, keep_going, out, jobs, backend, scheduler,
            batch_timeout and progress; the manual of the API has a table.

    Returns:
        The findings, with `result.checked_settings` and `result.wishes`.

    Raises:
        UsageError: An unknown option or column, or a wish that cannot be read.

    Example:
        >>> wishes = ["fairness", "turns=10:20"]
        >>> result = design("pig", {"goal": [20, 30]}, wishes, trials=2, best=1, confirm=40, deals=20)
        >>> result.checked_settings.columns[0]
        'setting_number'
    """
    how, keys = call_of(design, locals())
    own = {name: keys[name] for name in ("vary", "wishes", "trials", "best", "confirm")}
    return recorded(conduct(how, DesignStudy(**own, **study_keys(keys))))


def ladder(
    game: str,
    rungs: Texts = (),
    *,
    vary: Mapping[str, Values] = {},
    seats: Seats | None = None,
    deals: ManyDeals = 20_000,
    **keywords: Unpack[Common],
) -> Result:
    """See how the answers change as players get better.

    Args:
        game: Name of the game.
        rungs: Strategies, the weakest first; by default random, the best scripted one, and searches.
        vary: Values of options, all of which every rung plays. With the default rungs it is by default the
            first option that compensates later seats for not moving first.
        seats: Number of players; by default the usual number of the game.
        deals: Deals of a rung that does not search.
        keywords: seed, options, files, margin, target, keep_going, out, jobs, backend, scheduler,
            batch_timeout and progress; the manual of the API has a table.

    Returns:
        The findings, with `result.rungs` and `result.rung_answers`.

    Raises:
        UsageError: Unknown options or strategies, or fewer than two rungs.

    Example:
        >>> result = ladder("nim", ["random", "search(budget=4)"], deals=100)
        >>> result.rungs["strategy"].to_list()
        ['random', 'search(budget=4)']
    """
    how, keys = call_of(ladder, locals())
    definition, sweep = registry.game(game), keys["vary"]
    keys["lineups"] = [f"random*{keys['seats'] or definition.default_seats}"]
    if not (sweep or keys["rungs"]):
        sweep = usual_sweep(definition, keys.get("options", {}))
    return recorded(conduct(how, LadderStudy(sweep=sweep, given=list(keys["rungs"]), **study_keys(keys))))
