"""What every game with known answers keeps: the promises of a game, words for all it has, and the same bytes
compiled or not."""

import pytest

from simkit.engine import registry
from simkit.runs import experiment, narrate
from simkit.runs.plan import make_plan
from simkit.verify import check

GAMES = [of for of in registry.games().values() if of.known_answers]


@pytest.mark.slow
@pytest.mark.proof("verify.check", "games.reference", "strategies")
@pytest.mark.parametrize("game", GAMES, ids=lambda of: of.name)
def test_a_game_with_known_answers_keeps_the_promises_of_a_game(game):
    results = check.check(game)
    assert len(results) == len(check.CHECKS) and not [r for r in results if r.problems]


@pytest.mark.parametrize("game", GAMES, ids=lambda of: of.name)
def test_its_rules_name_every_option_and_its_answers_say_where_they_come_from(game):
    assert all(f"`{o.name}`" in game.words.rules or o.name.startswith("heap_") for o in game.options)
    assert all(o.clause in game.words.rules for o in game.options)
    assert all(known_answer.source and known_answer.lineup for known_answer in game.known_answers)
    assert len({(k.words, k.lineup, repr(k.options)) for k in game.known_answers}) == len(game.known_answers)


@pytest.mark.parametrize("game", GAMES, ids=lambda of: of.name)
def test_it_is_told_in_words_to_its_end(game):
    expected = game.known_answers[0]
    keys = {
        "question": "?",
        "game": game.name,
        "deals": 1,
        "lineups": [[expected.lineup]],
        "options": dict(expected.options),
    }
    request = experiment.parse(keys)
    text = "\n".join(narrate.narrate(request, make_plan(request).cells[0], 0))
    assert "wins" in text or "rank 1" in text
