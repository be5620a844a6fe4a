"""Who played, and what the names of options mean: in the words of the game's own files."""

from __future__ import annotations

import re
from typing import Any

import polars as pl

from simkit import analysis, catalogue
from simkit.errors import UsageError
from simkit.report import Section, Show, table
from simkit.runlog import Run


def game_of(run: Run) -> Any:
    """The game; nothing if it is no longer there."""
    try:
        return catalogue.game(run.experiment.game)
    except UsageError:
        return None


def who_section(run: Run) -> list[Section]:
    """Each strategy on the page in one line, and what the game calls its seats; nothing for a game that is no longer there."""
    game = game_of(run)
    if game is None:
        return []
    named = {str(one): one for cell in run.cells for one in cell.lineup}
    rows = [(label, *_in_words(game, one)) for label, one in named.items()]
    frame = pl.DataFrame(
        rows, schema=dict.fromkeys(("strategy", "meaning", "weights"), pl.String), orient="row"
    )
    columns = {"strategy": Show("strategy"), "meaning": Show("how it plays")}
    columns |= {"weights": Show("its weights here")} if frame["weights"].is_not_null().any() else {}
    text = "Programs sat at the table, not people. Each plays in its own fixed way."
    return [
        Section(
            "Who played",
            [text, *_kin(list(named.values())), *_seats(game)],
            [],
            [table(frame, columns, "Strategies")],
        )
    ]


def _kin(played: list[Any]) -> list[str]:
    """Which of them are one program with different weights: their agreement says less than that of different programs."""
    said = []
    for name in dict.fromkeys(one.name for one in played):
        alike = [str(one) for one in played if one.name == name]
        if len(alike) > 1:
            said.append(
                f"{', '.join(alike[:-1])} and {alike[-1]} are one program with different weights: that they agree proves less."
            )
    return said


def _seats(game: Any) -> list[str]:
    """The game's own names of the seats."""
    said = [f"the {analysis.seat_name(seat)} is {name}" for seat, name in enumerate(game.words.seats)]
    return [f"In the words of the game {', '.join(said)}."] if said else []


def _in_words(game: Any, named: Any) -> tuple[str, str | None]:
    """What a strategy does, and what the weights given to it mean."""
    try:
        one = catalogue.strategy(game, named.name)
    except UsageError:
        return "No longer in the strategies folder.", None
    given = [f"{name} = {value}" + _weight(one.weights.get(name)) for name, value in named.weights.items()]
    usual = "as usual" if one.weights else None
    return plain(one.meaning), "; ".join(given) or usual


def plain(meaning: str) -> str:
    """A meaning for readers: seats by name, without the clauses of the specification.

    >>> plain("Seat 1 collects one colour (O7-15.6).")
    'The second seat collects one colour.'
    >>> plain("The reference player (OP-S0)"), plain("Worth a lot (OP-13.8); more later")
    ('The reference player', 'Worth a lot; more later')
    """
    return analysis.seats_named(re.sub(r" \([A-Z][A-Z0-9]*-S?[\d.]+\)", "", meaning))


def _weight(weight: Any) -> str:
    """What a weight means, and what it usually is."""
    meaning, shown = getattr(weight, "meaning", ""), getattr(weight, "shown", "")
    return f" (usually {shown}): {lowered(plain(meaning))}" if meaning else ""


def option_of(run: Run, name: str) -> Any:
    """An option of the game by its name."""
    game = game_of(run)
    return next((one for one in game.options if one.name == name), None) if game else None


def option_meaning(run: Run, name: str) -> str:
    """What an option means, to stand after its name."""
    option = option_of(run, name)
    return lowered(analysis.seats_named(option.meaning)) if option else ""


def option_notes(run: Run) -> list[str]:
    """Each option that the run varies or sets, with its meaning: where its name is read first."""
    varied = dict.fromkeys(name for axis in analysis.axes(run) for name in axis.options)
    return [_note(option) for name in [*varied, *run.experiment.options] if (option := option_of(run, name))]


def _note(option: Any) -> str:
    usual = option.shown(option.default)
    usual = str(usual).lower() if option.kind is bool else usual
    return f"{option.name} – {lowered(analysis.seats_named(option.meaning))} (rulebook: {usual})."


def axis_words(run: Run, axis: analysis.Axis) -> str:
    """The options of an axis of the sweep, with their meaning where there is one."""
    said = option_meaning(run, axis.options[0]) if len(axis.options) == 1 else ""
    return f"{axis.label}\n({said})" if said else axis.label


def score_word(run: Run) -> str:
    """What the game calls its score."""
    game = game_of(run)
    return str(game.words.score) if game else "points"


def turns_of(run: Run) -> str:
    """Whose turns the game counts."""
    game = game_of(run)
    return str(game.words.turns_of) if game else "of all seats together"


def lowered(text: str) -> str:
    """A text that begins with a small letter, unless it begins with a name in capitals.

    >>> lowered("Value of the cards"), lowered("PLACE also")
    ('value of the cards', 'PLACE also')
    """
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
