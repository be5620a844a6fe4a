"""Words for actions in a page, where the game's `describe` does not run.

Games are played at random, and each action that a seat chose is described by what the seat saw. What is said
of an action alike in several games becomes its words, with `…` for what is not: `salvages …`. The words of an
action depend on a field of the state that says what is being decided, and perhaps on one other field.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import groupby, takewhile
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.game import Game
from simkit.engine.perspective import Perspective
from simkit.engine.sights import CHOICES, MOVER, look
from simkit.engine.table import GameTable, Player

GAMES, SEED = 100, 1
LEAST_ERRORS = 0.3  # part of random decisions, in every second game; all are random in the others
LONGEST = 800  # actions of a game that count
FEWEST, FEWEST_GAMES = 6, 4  # samples that an action must have for words of its own
ENOUGH_FOR_NUMBERS = 15  # samples in which a number must be the same, as amounts often are for a while
MOST, MOST_OF_GAME = 40, 2  # samples of an action at a decision that are described, in all and of a game
GAIN = 1.2  # times as many words must follow from a second field
FEW = 4  # values of a field of numbers on which words may depend
GAP = "…"
Key = tuple[int, ...]


class Sample(NamedTuple):
    """An action that a seat chose, in words."""

    game: int
    action: int
    text: str
    values: Mapping[str, int]  # of the fields on which words may depend


class Decision(NamedTuple):
    """Words of the actions at one decision."""

    field: str  # on which they depend, too; empty if on none
    actions: dict[int, tuple[str, dict[int, str]]]  # action -> its words, and those by value of the field
    other: str  # words of all other actions


class ActionWords(NamedTuple):
    """Words of all actions."""

    field: str  # that says what is being decided; empty if none does
    decisions: dict[int, Decision]  # by its values, or for 0


def action_words(game: Game, rules: np.ndarray, players: Sequence[Player]) -> ActionWords:
    """Return words for the actions of a game with these rules, played by these players with random errors."""
    kinds = [field.name for field in game.fields if _is_kind(field.kind) and not field.shape]
    samples = list(_samples(game, rules, players, kinds))
    field = max(kinds, key=lambda name: _constant(samples, name), default="")
    decisions = {value: _decision(own, game) for value, own in _split(samples, field).items()}
    return ActionWords(field, decisions)


def _is_kind(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, IntEnum)


def _samples(
    game: Game, rules: np.ndarray, players: Sequence[Player], kinds: Sequence[str]
) -> Iterator[Sample]:
    """Yield the actions of each of the games, as one of its seats saw its own.

    Of an action that was chosen often while the fields `kinds` had the same values, some will do, from any
    part of the game.
    """
    table, seats, trail = GameTable(game, rules), len(players), np.empty(LONGEST, np.int64)
    eyes, described = Perspective(table, None), Counter[Key]()
    scalars = [field.name for field in game.fields if not field.shape]
    for number in range(GAMES):
        blunder, seat = 1.0 if number % 2 else LEAST_ERRORS, number // 2 % seats
        lineup, trail[:] = [replace(player, blunder=blunder) for player in players], -1
        table.play(lineup, SEED, np.array([number]), np.zeros(1, np.int64), trail)
        actions = trail[trail >= 0]
        steps, views, _, _, truth = look(table, seats, seat, SEED, number, actions)
        own = np.flatnonzero((steps[:, MOVER] == seat) & (steps[:, CHOICES] > 1))
        for k in np.random.default_rng(number).permutation(own):
            key = (*(int(views[k][name]) for name in kinds), int(actions[k]))
            if described[key] == MOST or described[number, *key] == MOST_OF_GAME:
                continue
            described.update([key, (number, *key)])
            before, after = (eyes.with_log(views[i], truth[i]) for i in (k, k + 1))
            action = int(actions[k])
            _, text = eyes.describe(before, action, None, after)
            yield Sample(number, action, _head(text), {name: int(before[name]) for name in scalars})


def _head(text: str) -> str:
    """Return what is done, without what comes of it."""
    return text.partition(";")[0]


def _split(samples: Iterable[Sample], field: str) -> dict[int, list[Sample]]:
    groups = defaultdict[int, list[Sample]](list)
    for sample in samples:
        groups[sample.values[field] if field else 0].append(sample)
    return groups


def _by_action(samples: Iterable[Sample]) -> dict[int, list[Sample]]:
    groups = defaultdict[int, list[Sample]](list)
    for sample in samples:
        groups[sample.action].append(sample)
    return groups


def _constant(samples: Iterable[Sample], field: str) -> int:
    """Return how many samples have the words of all others with their action and value of the field."""
    groups = (group for own in _split(samples, field).values() for group in _by_action(own).values())
    return sum(len(group) for group in groups if len({sample.text for sample in group}) == 1)


def _decision(samples: list[Sample], game: Game) -> Decision:
    scalars = [field for field in game.fields if not field.shape]
    fields = [
        field.name for field in scalars if field.content.kind == "category" or _is_small(samples, field.name)
    ]
    best = max(fields, key=lambda name: _words_known(samples, name), default="")
    field = best if best and _words_known(samples, best) > GAIN * _words_known(samples, "") else ""
    enough = {action: own for action, own in _by_action(samples).items() if _is_enough(own)}
    actions = dict[int, tuple[str, dict[int, str]]]()
    for action, own in enough.items():
        by_value = _split(own, field) if field else {}
        words = {
            value: text for value, part in by_value.items() if _is_enough(part) and (text := common(part))
        }
        if words or common(own):
            actions[action] = common(own), words
    return Decision(field, actions, common(samples) if _is_enough(samples) else "")


def _is_small(samples: list[Sample], field: str) -> bool:
    """Return whether a field has few values, as one that says what was done before."""
    return len({sample.values[field] for sample in samples}) <= FEW


def _is_enough(samples: Sequence[Sample]) -> bool:
    return len(samples) >= FEWEST and len({sample.game for sample in samples}) >= FEWEST_GAMES


def _words_known(samples: list[Sample], field: str) -> int:
    """Return how many words the actions would have, if they depended on the field."""
    groups = (group for own in _by_action(samples).values() for group in _split(own, field).values())
    return sum(
        len(group) * len(common(group).replace(GAP, "").split()) for group in groups if _is_enough(group)
    )


def common(samples: Sequence[Sample]) -> str:
    """Return what several texts have in common, with `…` for what differs, and for numbers of few texts.

    >>> common([Sample(0, 0, "holds 4 points", {}), Sample(1, 0, "holds 17 points", {})])
    'holds … points'
    """
    texts = sorted({tuple(sample.text.split()) for sample in samples})
    if len({len(text) for text in texts}) > 1:
        texts = [(*_prefix(texts), GAP)]
    words = [column[0] if len(set(column)) == 1 else GAP for column in zip(*texts, strict=True)]
    if len(samples) < ENOUGH_FOR_NUMBERS:
        words = [GAP if any(map(str.isdigit, word)) else word for word in words]
    merged = [word for word, _ in groupby(words)]
    return "" if merged == [GAP] else " ".join(merged)


def _prefix(texts: list[tuple[str, ...]]) -> Iterator[str]:
    columns = zip(*texts, strict=False)
    yield from (column[0] for column in takewhile(lambda column: len(set(column)) == 1, columns))
