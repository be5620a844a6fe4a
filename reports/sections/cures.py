"""What else could be tried: options that treat one seat apart, where a run has swept one option only."""

from __future__ import annotations

import re
from typing import Any

from reports.sections import advice
from reports.sections.who import game_of, lowered
from simkit import analysis
from simkit.errors import UsageError
from simkit.report import Section, Story
from simkit.runlog import Run

# An option whose meaning names a seat, or who starts, treats the seats differently.
OF_A_SEAT = re.compile(
    r"\b(first|second|third|last|starting) (player|seat)\b|\b(player|seat) \d\b|\bwho starts\b", re.IGNORECASE
)
MOST_VALUES = 5  # of a number that a command tries
MOST_DEALS = 2_000


def cure_section(run: Run) -> list[Section]:
    """Other options that name a seat, with a command for each; nothing if several were swept, or if there are none."""
    game, swept = game_of(run), [name for axis in analysis.axes(run) for name in axis.options]
    if game is None or len(swept) != 1:
        return []
    others = [
        option for option in game.options if option.name != swept[0] and OF_A_SEAT.search(option.meaning)
    ]
    commands = {
        option.name: _command(run, game, option)
        for option in others
        if option.name not in run.experiment.options
    }
    ready = {name: command for name, command in commands.items() if command}
    if not ready or not OF_A_SEAT.search(game.option(swept[0]).meaning):
        return []
    said = "; ".join(
        f"{o.name} ({lowered(analysis.seats_named(o.meaning))})" for o in others if o.name in ready
    )
    text = (
        f"This run varied {swept[0]} only, so it cannot say whether another rule would do better. Other options of this game that treat one "
        f"seat apart: {said}. Some work only together with others (see {advice.again(run, 'rules', game.name)})."
    )
    return [
        Section(
            "What else could be tried",
            [text],
            stories=[Story("Commands that try each of them", "\n".join(ready.values()))],
        )
    ]


def _command(run: Run, game: Any, option: Any) -> str:
    """A sweep of one option around the rulebook's value, without values that the game refuses."""
    values = [value for value in _values(option) if _accepted(run, game, option.name, value)]
    if len(values) < 2:
        return ""
    lineups = advice.game_words(run, advice.lineups(run))
    text = f"{option.name}={','.join(map(advice.said, values))}"
    return advice.again(
        run,
        "sweep",
        game.name,
        text,
        *_needed(run, game, option),
        *lineups,
        "--deals",
        str(min(MOST_DEALS, run.experiment.deals)),
    )


def _needed(run: Run, game: Any, option: Any) -> list[str]:
    """The choice that an option works with, where its meaning names one (`keep_count`) that is not in force."""
    words = set(re.findall(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b", option.meaning))
    force = game.resolve(run.experiment.options)
    for other in [one for one in game.options if one.is_choice and one.name != option.name]:
        named = [one.name for one in other.kind if one.name in words]
        if named and force[other.name] not in named:
            return ["--set", f"{other.name}={named[0]}"]
    return []


def _values(option: Any) -> list[Any]:
    """The rulebook's value and others: of a number some steps to both sides, of a choice every one."""
    if option.is_choice:
        return [one.name for one in option.kind]
    if option.kind is bool:
        return [False, True]
    step = max(1, (option.high - option.low) // 20)
    around = range(option.default - MOST_VALUES * step, option.default + MOST_VALUES * step + 1, step)
    inside = [value for value in around if option.low <= value <= option.high]
    return sorted(sorted(inside, key=lambda value: (abs(value - option.default), value))[:MOST_VALUES])


def _accepted(run: Run, game: Any, name: str, value: Any) -> bool:
    """Whether the game takes the value with all else as in this run."""
    try:
        game.rules(run.experiment.options | {name: value})
    except UsageError:
        return False
    return True
