"""Studies: questions that play, analyse and play again, and confirm on fresh deals."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from simkit.api.execution import conduct, execution_of
from simkit.api.requests import Keywords, keys_of, study_keys
from simkit.api.results import Result, recorded
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.studies.design import DesignStudy
from simkit.studies.fair import FairStudy
from simkit.studies.ladder import LadderStudy, usual_sweep
from simkit.studies.screening import ScreenStudy

SAMPLES = [2**power for power in range(4, 15)]  # numbers of points of Sobol indices


def fair(
    game: str, vary: Mapping[str, tuple[int, int]], *, deals: int = 20_000, **keywords: Unpack[Keywords]
) -> Result:
    """Find the value of a rule option at which the seats are equal.

    Args:
        game: Name of the game.
        vary: Lowest and highest value of each option; one option is enough for two seats, each further seat
            needs one more.
        deals: Deals per value near the fair value.
        keywords: Further keywords; the manual of the API has a table.

    Returns:
        The findings of the check on fresh deals; `result.value` is the fair value, `result.fair_values` has
        its interval and the best whole number.

    Raises:
        UsageError: An option that is no whole number, or a range that does not go up.

    Example:
        >>> fair("pig", {"goal": (2, 40)}, lineups=["random*2"], deals=400).fair_values.height
        1
    """
    keys = keys_of(keywords, Keywords)
    how = execution_of(keywords, "fair", game, dict(vary), deals=deals, **keys)
    ranges = {name: (low, high) for name, (low, high) in vary.items()}
    return recorded(conduct(how, FairStudy(vary=ranges, **study_keys(game, deals, keys))))


def screen(
    game: str,
    vary: Mapping[str, tuple[Any, Any] | None] = {},
    *,
    measures: Sequence[str] = (),
    strongest: int = 5,
    sobol: int = 0,
    small: float = 0.05,
    deals: int = 2_000,
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
        keywords: Further keywords; the manual of the API has a table.

    Returns:
        The findings; `result.dials` (effects of all options), `result.together` (effects of the strongest).

    Raises:
        UsageError: An unknown option, or a sample that is no power of 2.

    Example:
        >>> result = screen("pig", {"goal": (50, 100), "faces": (6, 8)}, strongest=2, deals=20)
        >>> sorted(set(result.dials["option"]))
        ['faces', 'goal']
    """
    if sobol and sobol not in SAMPLES:
        raise UsageError(f"sobol {sobol}: a sample is a power of 2 from {SAMPLES[0]} to {SAMPLES[-1]}")
    own: dict[str, Any] = {"measures": list(measures), "small": small, "strongest": strongest}
    keys = keys_of(keywords, Keywords)
    how = execution_of(keywords, "screen", game, dict(vary), **own, sobol=sobol, deals=deals, **keys)
    study = ScreenStudy(options=dict(vary), sample=sobol, **own, **study_keys(game, deals, keys))
    return recorded(conduct(how, study))


def design(
    game: str,
    vary: Mapping[str, Sequence[Any]],
    wishes: Sequence[str],
    *,
    trials: int = 80,
    best: int = 4,
    confirm: int = 20_000,
    deals: int = 2_000,
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
        keywords: Further keywords; the manual of the API has a table.

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
    keys = keys_of(keywords, Keywords)
    own: dict[str, Any] = {"trials": trials, "best": best, "confirm": confirm}
    how = execution_of(keywords, "design", game, dict(vary), list(wishes), **own, deals=deals, **keys)
    values = {name: list(given) for name, given in vary.items()}
    study = DesignStudy(vary=values, wishes=list(wishes), **own, **study_keys(game, deals, keys))
    return recorded(conduct(how, study))


def ladder(
    game: str,
    rungs: Sequence[str] = (),
    *,
    vary: Mapping[str, Sequence[Any]] = {},
    seats: int | None = None,
    deals: int = 20_000,
    **keywords: Unpack[Keywords],
) -> Result:
    """See how the answers change as players get better.

    Args:
        game: Name of the game.
        rungs: Strategies, the weakest first; by default random, the best scripted one, and searches.
        vary: Values of options, all of which every rung plays. With the default rungs it is by default the
            first option that compensates later seats for not moving first.
        seats: Number of players; by default the usual number of the game.
        deals: Deals of a rung that does not search.
        keywords: Further keywords, but no lineups; the manual of the API has a table.

    Returns:
        The findings, with `result.rungs` and `result.rung_answers`.

    Raises:
        UsageError: Unknown options or strategies, or fewer than two rungs.

    Example:
        >>> result = ladder("nim", ["random", "search(budget=4)"], deals=100)
        >>> result.rungs["strategy"].to_list()
        ['random', 'search(budget=4)']
    """
    keys = keys_of(keywords, Keywords)
    how = execution_of(keywords, "ladder", game, rungs, vary=dict(vary), seats=seats, deals=deals, **keys)
    definition = registry.game(game)
    keys["lineups"] = [f"random*{seats or definition.default_seats}"]
    sweep = {name: list(values) for name, values in vary.items()}
    if not (sweep or rungs):
        sweep = usual_sweep(definition, keys.get("options", {}))
    study = LadderStudy(sweep=sweep, given=list(rungs), **study_keys(game, deals, keys))
    return recorded(conduct(how, study))
