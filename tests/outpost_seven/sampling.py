"""Random option settings that fit together."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.errors import UsageError
from simkit.games.outpost_seven import game


def random_options(
    generator: np.random.Generator, changed: float = 0.4, fixed: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Each option is changed with this chance to any of its values; settings that the rules refuse are drawn
    again.
    """
    while True:
        options = {}
        for option in game.options:
            if generator.random() < changed:
                options[option.name] = option.value(int(generator.integers(option.low, option.high + 1)))
        options |= fixed or {}
        try:
            game.rules(options)
            return options
        except UsageError:
            continue


def settings(n: int, seed: int, **how: Any) -> list[dict[str, Any]]:
    """The default setting and n - 1 random ones."""
    generator = np.random.default_rng(seed)
    return [dict(how.get("fixed") or {}), *(random_options(generator, **how) for _ in range(n - 1))]
