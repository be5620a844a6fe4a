"""Single games and checks: play, replay, check."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from simkit.ask.arguments import Count, Deal, Lineup, Location
from simkit.ask.question import checked
from simkit.ask.requests import ask
from simkit.ask.results import AnyRun, findings
from simkit.engine import registry
from simkit.page.words.numbers import name_seats
from simkit.runs import narrate
from simkit.runs.experiment import Seed
from simkit.runs.folder import open_play
from simkit.runs.plan import make_plan
from simkit.verify import check as checks


class Story(str):
    """A game as text, a line per turn or move; a notebook shows it as it is printed."""

    def __repr__(self) -> str:
        return str(self)


@checked
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
    keys: dict[str, Any] = {"seed": seed, "options": options, "files": files, "deals": deal + 1}
    keys["lineups"] = [lineup] if lineup else []
    request = ask(game, f"One game of {game}", keys)
    telling = narrate.Telling(as_seat, brief, board=not brief)
    story = narrate.narrate(request, make_plan(request).cells[0], deal, telling=telling)
    return _story(story, brief)


@checked
def replay(run: AnyRun, number: Count, *, brief: bool = True, why: bool = False) -> Story:
    """Play a logged game again and tell it; it must end as logged.

    Args:
        run: A run, its result, or its folder.
        number: Number of the play, column `play` of the games table.
        brief: Whether to tell a line per turn; otherwise every move, with the table after each turn.
        why: Whether to say what decisions were worth, against their alternatives, and which one cost most.

    Returns:
        The game as text.

    Raises:
        UsageError: The run has no such play.

    Example:
        >>> pig = match("pig", "hold_at(threshold=20)", "random", deals=200)
        >>> replay(pig, 17) == replay(pig.folder, 17)
        True
    """
    folder = run if isinstance(run, str | Path) else findings(run).folder
    telling = narrate.Telling(brief=brief, board=not brief, why=why)
    return _story(narrate.replay(open_play(folder, number), number, telling), brief)


def _story(lines: narrate.Lines, brief: bool) -> Story:
    return Story("\n".join(name_seats(line) if brief else line for line in lines))


@checked
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
    tested = registry.game(game)
    return pl.DataFrame([result._asdict() for result in checks.check(tested)])
