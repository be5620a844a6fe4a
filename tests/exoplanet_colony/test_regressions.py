"""What was wrong once."""

from .positions import Position


def test_a_named_quartermaster_as_plain_python():
    """EX-2.6 the set of characters that are named has more members than an int8 has bits."""
    for deal in range(8):
        text = Position({"character_0": "quartermaster"}, 5, deal).named_facts()["characters"]
        assert text(0) == "quartermaster" and "quartermaster" not in [text(seat) for seat in range(1, 5)]
