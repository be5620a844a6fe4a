"""What was wrong once."""

from .positions import Position


def test_a_named_quartermaster_as_plain_python():
    """EX-2.6 the set of characters that are named has more members than an int8 has bits."""
    for deal in range(8):
        told = Position({"character_0": "quartermaster"}, 5, deal).told()["characters"]
        assert told(0) == "quartermaster" and "quartermaster" not in [told(seat) for seat in range(1, 5)]
