"""Exact answers about a game, which `simkit validate` compares with play."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class KnownAnswer(NamedTuple):
    """Exact mean of a column of the log, or exact frequency of one of its values.

    >>> KnownAnswer("share", 0.5, "symmetry", "random*2", seat=0).value
    0.5
    """

    column: str
    value: float
    source: str  # publication, or derivation
    lineup: str
    seat: int | None = None  # a column of this seat; None: of the games table
    equals: int | None = None  # frequency of this value of the column; None: mean of the column
    options: Mapping[str, Any] = {}

    @property
    def words(self) -> str:
        """The quantity in words, for a table.

        >>> KnownAnswer("share", 0.5, "symmetry", "random*2", seat=0).words
        'share of seat 0'
        >>> KnownAnswer("turns", 0.1, "counted", "random*2", equals=5).words
        'games with turns = 5'
        """
        if self.equals is not None:
            return f"games with {self.column} = {self.equals}"
        if self.seat is not None:
            return f"{self.column} of seat {self.seat}"
        return "drawn games" if self.column == "draw" else f"mean {self.column}"
