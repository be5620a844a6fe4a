"""Single games and checks: play, replay, check; and the deals that a question needs: plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from simkit.api.requests import Count, Deal, Lineup, Location, arguments, ask
from simkit.api.results import AnyRun, findings
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.reporting.text.phrases import seats_named
from simkit.runs import narrate
from simkit.runs.experiment import Margin, Seed, Share
from simkit.runs.folder import Run, open_play
from simkit.runs.plan import make_plan
from simkit.studies import sample_size
from simkit.studies.sample_size import Aim, Power, Table
from simkit.verify import check as checks

USUAL_MARGIN = 0.02


class Story(str):
    """A game as text, a line per turn or move; a notebook shows it as it is printed."""

    def __repr__(self) -> str:
        return str(self)


def play(
    game: str,
    lineup: Lineup | None = None,
    *,
    seed: Seed = 1,
    deal: Deal = 0,
    as_seat: Count | None = None,
    brief: bool = True,
    options: Mapping[str, Any] = {},
    files: Mapping[str, Location] = {},
) -> Story:
    """Play one game and tell it.

    Args:
        game: Name of the game.
        lineup: Strategies by seat; by default the reference strategy of the game.
        seed: Seed of all luck.
        deal: Number of the deal.
        as_seat: Tell only what this seat sees; the first seat is 0.
        brief: Whether to tell a line per turn; otherwise every move, with the table after each turn.
        options: Rule options by name.
        files: Your own tables of components: {"cards": "mine.csv"}.

    Returns:
        The game as text.

    Raises:
        UsageError: Unknown game, strategy or option.

    Example:
        >>> print(play("pig", "hold_at, random", seed=3).splitlines()[0])
        Pig, 2 seats: seed 3, deal 0, rotation 0
    """
    given = arguments(play, locals())
    keys = {name: given[name] for name in ("seed", "options", "files")} | {"deals": given["deal"] + 1}
    keys["lineups"] = [given["lineup"]] if given["lineup"] else []
    request = ask(game, f"One game of {game}", keys)
    telling = narrate.Telling(given["as_seat"], brief, board=not brief)
    story = narrate.narrate(request, make_plan(request).cells[0], given["deal"], telling=telling)
    return _story(story, brief)


def replay(run: AnyRun, number: Count, *, brief: bool = True) -> Story:
    """Play a logged game again and tell it; it must end as logged.

    Args:
        run: A run, its result, or its folder.
        number: Number of the play, column `play` of the games table.
        brief: Whether to tell a line per turn; otherwise every move, with the table after each turn.

    Returns:
        The game as text.

    Raises:
        UsageError: The run has no such play.

    Example:
        >>> pig = match("pig", "hold_at(threshold=20)", "random", deals=200)
        >>> replay(pig, 17) == replay(pig.folder, 17)
        True
    """
    given, number, _ = arguments(replay, locals()).values()
    folder = given if isinstance(given, str) else findings(given).folder
    telling = narrate.Telling(brief=brief, board=not brief)
    return _story(narrate.replay(open_play(folder, number), number, telling), brief)


def _story(lines: narrate.Story, brief: bool) -> Story:
    return Story("\n".join(seats_named(line) if brief else line for line in lines))


def check(game: str) -> pl.DataFrame:
    """Test the promises that a game's code makes: legality, hidden information, results.

    Args:
        game: Name of the game.

    Returns:
        A row per check with game, check, looked_at and problems (an empty list where the promise is kept).

    Raises:
        UsageError: There is no such game.

    Example:
        >>> check("nim")["problems"].list.len().sum()
        0
    """
    tested = registry.game(arguments(check, locals())["game"])
    return pl.DataFrame([result._asdict() for result in checks.check(tested)])


def plan(
    run: AnyRun | None = None,
    *,
    effect: Share = 0.02,
    seats: Table | None = None,
    power: Power = 0.8,
    margin: Margin | None = None,
    target: Share | None = None,
) -> pl.DataFrame:
    """Estimate how many deals a question needs.

    Args:
        run: A run (it may be small) whose verdicts are to be settled; without one, games of equal strategies.
        effect: Difference of shares to detect: 0.02 is two points.
        seats: Seats of the game, without a run; 2 by default.
        power: Chance of detecting the difference if it exists.
        margin: Shares this close to fair count as fair; by default the margin of the run, else 0.02.
        target: Win rate of a team, without a run.

    Returns:
        A row per verdict or comparison, with the deals that it needs.

    Raises:
        UsageError: A number out of range.

    Example:
        >>> plan(effect=0.01)["deals"][0]
        19620
    """
    given = arguments(plan, locals())
    played = None if run is None else findings(given["run"]).run
    aim, seats, target = plan_of(**given | {"run": played})
    needs = sample_size.plan_from(played, aim) if played else sample_size.plan(seats, aim, target)
    return pl.DataFrame([need._asdict() for need in needs], infer_schema_length=None)


def plan_of(
    run: Run | None,
    effect: float,
    seats: int | None,
    power: float,
    margin: float | None,
    target: float | None,
) -> tuple[Aim, int, float | None]:
    """Return aim, seats and target of a plan; UsageError for seats or a target beside a run."""
    if run and (seats is not None or target is not None):
        name = "target" if seats is None else "seats"
        raise UsageError(f"{name}: is for a plan without a run; a run has its own")
    usual = run.experiment.margin if run else USUAL_MARGIN
    return Aim(effect, power=power, margin=usual if margin is None else margin), seats or 2, target
