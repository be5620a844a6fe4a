"""Sentences about kingmaking."""

from simkit.reporting.text.phrases import Row, percent, span


def king_sentence(row: Row) -> str:
    """Return how often the player in last place decides, beyond luck, which of the others wins.

    >>> king_sentence({"seats": 3, "lineup": "all play a", "king": 0.3, "king_low": 0.2, "king_high": 0.4})
    'With 3 players (all play a), 30.0 % (20.0 to 40.0) of the late choices of the last player make a king.'
    """
    interval = span(row["king_low"], row["king_high"], scale=100)
    choices = f"{percent(row['king'])} ({interval}) of the late choices of the last player make a king"
    return f"With {row['seats']} players ({row['lineup']}), {choices}."
