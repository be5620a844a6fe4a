"""A person at the terminal, who sits in lineups like a strategy (`simkit play --human`)."""

from simkit.engine.strategy import Strategy


def _first(legal):  # type: ignore[no-untyped-def]
    """Stand in for the person where a function is needed; no run plays it."""
    return legal[0]


PERSON = Strategy("person", "person", "A person at the terminal.", _first, {}, None)
