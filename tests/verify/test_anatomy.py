"""`simkit state` says what a strategy of a game deals with."""

import json

import pytest

from simkit import cli
from simkit.engine import registry
from simkit.verify import anatomy
from simkit.verify.check.walking import Walk

OF = {of.name: of for of in registry.games().values()}


def printed(capsys, *words):
    with pytest.raises(SystemExit) as end:
        cli.main(["state", *words])
    text = capsys.readouterr()
    return end.value.code, text.out, text.err


def seen_by(game):
    return {first["field"]: first["seen_by"] for first in anatomy.fields(OF[game], OF[game].rules())}


@pytest.mark.parametrize(
    ("game", "everybody", "partly", "nobody"),
    [
        ("pig", {"turn_total", "score", "seat"}, set(), set()),
        ("kuhn_poker", {"stake", "bettor", "score"}, {"card"}, set()),
        ("red_outpost", {"lake_disc", "crystals", "score"}, set(), {"lake_deck", "ship_deck"}),
        (
            "outpost_seven",
            {"hand_n", "revealed", "start_n"},
            {"hand", "dealt", "start_cards", "keep_total"},
            {"deck"},
        ),
    ],
)
def test_what_is_hidden_is_found_out_by_play(game, everybody, partly, nobody):
    seen = seen_by(game)
    assert everybody <= {name for name, eyes in seen.items() if eyes == "all"}
    assert {name for name, eyes in seen.items() if eyes == "own"} == partly
    assert (
        nobody
        <= {name for name, eyes in seen.items() if eyes == "none"}
        <= nobody | {"lead", "lead_turn", "card_deck"}
    )


def test_each_seat_looks_once_at_each_position(monkeypatch):
    calls = {"legal": 0, "view": 0}

    def counted(name):
        plain = getattr(Walk, name)

        def call(*args):
            calls[name] += 1
            return plain(*args)

        monkeypatch.setattr(Walk, name, call)

    for name in calls:
        counted(name)
    seen_by("kuhn_poker")
    assert calls["view"] == 2 * calls["legal"] > 0


def test_fields_have_type_shape_axes_and_meaning_with_unit(capsys):
    code, out, _ = printed(capsys, "outpost_seven", "--json")
    fields = {first["field"]: first for first in json.loads(out)["state"]}
    assert code == 0 and list(fields) == [
        name for name in OF["outpost_seven"].state_dtype.names if name != "log"
    ]
    assert fields["cubes"] == {
        "field": "cubes", "type": "int16", "shape": [2, 12], "axes": ["seat", "line"],
        "values": "number", "meaning": "Cubes in a line", "seen_by": "all",
    }  # fmt: skip
    assert fields["decision"]["type"] == "Decision"
    kinds = {
        name: fields[name]["values"] for name in ("decision", "hand", "leader", "occupied", "sel_module")
    }
    assert list(kinds.values()) == ["Decision", "card", "seat", "set of cell", "place in hand"]


def test_actions_are_described_at_one_position_of_a_seeded_game(capsys):
    first, second = (
        json.loads(printed(capsys, "pig", "--seed", seed, "--position", "2", "--json")[1]) for seed in "13"
    )
    assert [single["action"] for single in first["actions"]] == [0, 1]
    assert (
        first["actions"][0]["meaning"].startswith("holds ") and "rolls a " in first["actions"][1]["meaning"]
    )
    assert first["actions"] != second["actions"]
    later = json.loads(printed(capsys, "pig", "--position", "3", "--json")[1])
    assert later["actions"] != first["actions"]


def test_streams_are_printed_with_when_they_are_drawn(capsys):
    _, out, _ = printed(capsys, "race_to_six")
    assert out.endswith("Streams of luck\n\nstream   drawn      \nrng.die  during play\n")
    _, out, _ = printed(capsys, "nim")
    assert out.endswith("No luck\n")
