"""Where data come from, as the component files tell it."""

from simkit.engine.components import sources

DATA = {
    "meta": {"provenance": "rulebook"},
    "wheel": {"called": "big wheel", "provenance": "public", "length": 4},
    "mood": {
        "provenance": "reconstructed",
        "default": "even",
        "tracks": {
            "even": {"provenance": "reconstructed", "values": [1]},
            "steep": {"provenance": "ours", "values": [2]},
        },
    },
    "card": [{"provenance": "rulebook", "kind": 0}, {"provenance": "reconstructed", "kind": 1}],
    "plain": {"values": [1]},
    "provenance": {"market dice": "rulebook 3"},
}


def test_each_table_tells_its_source_and_parts_of_the_same_source_are_not_repeated():
    assert sources(DATA)({"mood_track": "even"}, []) == [
        "big wheel: public",
        "mood: reconstructed",
        "card: rulebook",
        "card: reconstructed",
        "market dice: rulebook 3",
    ]


def test_only_the_choice_in_force_is_told():
    text = sources(DATA)({"mood_track": "steep", "blocking": "default"}, [])
    assert "mood tracks steep: ours" in text and not any("even" in line for line in text)


def test_what_a_file_of_the_designer_replaces_is_not_told():
    text = sources(DATA, {"track": "mood"})({"mood_track": "even"}, ["track"])
    assert not any(line.startswith("mood") for line in text) and "big wheel: public" in text
