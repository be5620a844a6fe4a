"""Words for actions in a page: what `describe` says alike in games played beforehand."""

from __future__ import annotations

import re

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.lineups import parse_lineup
from simkit.engine.perspective import Perspective
from simkit.engine.sights import CHOICES, MOVER, look
from simkit.engine.table import GameTable, Player
from simkit.web.words import GAP, ActionWords, Sample, action_words, common

FRESH = range(1_000, 1_020)  # deals of other games than those that the words come from


def players_of(game: Game) -> list[Player]:
    return registry.players(game, parse_lineup(f"random*{game.default_seats}"))


def words_for(words: ActionWords, view: np.record, action: int) -> str:
    """Return the words of an action as the page looks them up."""
    decision = words.decisions.get(int(view[words.field]) if words.field else 0)
    if decision is None:
        return ""
    own, by_value = decision.actions.get(action, (decision.other, {}))
    return (by_value.get(int(view[decision.field])) if decision.field else None) or own or ""


def fits(words: str, text: str) -> bool:
    """Return whether a text is what the words say, with anything in place of a gap."""
    parts = [re.escape(part.strip()) for part in words.split(GAP)]
    return bool(re.match(" ?.*".join(parts), text)) if words else True


@pytest.mark.skipif(not jit.COMPILED, reason="many games")
@pytest.mark.parametrize("name", ["pig", "nim", "hidden_traitor"])
def test_in_other_games_actions_are_described_as_the_words_say(name: str) -> None:
    game = registry.game(name)
    players, seats = players_of(game), game.default_seats
    words, table = action_words(game, game.rules({}), players), GameTable(game, game.rules({}))
    eyes, trail, right = Perspective(table, None), np.full(600, -1), list[bool]()
    for deal in FRESH:
        trail[:] = -1
        table.play(players, 9, np.array([deal]), np.array([0]), trail)
        actions = trail[trail >= 0]
        seen = look(table, seats, 0, 9, deal, actions)
        for k in np.flatnonzero((seen.steps[:, MOVER] == 0) & (seen.steps[:, CHOICES] > 1)):
            before, after = (eyes.with_log(seen.views[i].copy(), seen.truth[i]) for i in (k, k + 1))
            text = eyes.describe(before, int(actions[k]), None, after)[1]
            sentence = words_for(words, before, int(actions[k]))
            assert sentence
            right.append(fits(sentence, text))
    assert right and np.mean(right) >= 0.99


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["holds 4 points", "holds 17 points"], "holds … points"),
        (["takes red 3", "takes blue 5"], "takes …"),
        (["plays a card", "plays a card again"], "plays a card …"),
        (["rolls", "rolls"], "rolls"),
        (["red", "blue"], ""),
    ],
)
def test_words_are_what_texts_have_in_common(texts: list[str], words: str) -> None:
    assert common([Sample(0, 0, text, {}) for text in texts]) == words
