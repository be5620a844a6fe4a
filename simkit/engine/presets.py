"""Presets: weights of a strategy under a name, in `strategies/presets.toml` of the checkout or of a project.

[pig.hold_at.tuned]
threshold = 21

is played as `hold_at@tuned`.
"""

import re
from pathlib import Path
from typing import Any

from simkit.engine.toml_files import read_toml
from simkit.errors import UsageError

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
FILE = "presets.toml"
Weights = dict[str, str]  # as written in a lineup
Key = tuple[str, str, str]  # game, strategy, preset


def load(path: Path) -> dict[Key, Weights]:
    """Return the presets of a file, none if it does not exist; UsageError for a malformed one."""
    if not path.is_file():
        return {}
    try:
        tables = read_toml(path)
        return {
            (game, strategy, name): {weight: _text(value) for weight, value in weights.items()}
            for game, strategies in tables.items()
            for strategy, presets in strategies.items()
            for name, weights in presets.items()
        }
    except (ValueError, AttributeError) as error:
        why = "no tables [game.strategy.preset]" if isinstance(error, AttributeError) else str(error)
        raise UsageError(f"{path}: is no file of presets: {why}") from None


def _text(value: Any) -> str:
    """Return a weight as written in a lineup."""
    if isinstance(value, bool | list | dict):
        raise ValueError(f"a weight is a number or a name, not {value!r}")
    return str(value)


def append(path: Path, key: Key, weights: Weights) -> None:
    """Write a new preset at the end of a file, which keeps its comments and its order."""
    lines = [f"{name} = {_value(text)}" for name, text in weights.items()]
    before = path.read_text("utf-8").rstrip() + "\n\n" if path.is_file() else ""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(before + "\n".join([f"[{'.'.join(key)}]", *lines]) + "\n", "utf-8")


def _value(text: str) -> str:
    """Return a weight as TOML: a number, or else a text.

    >>> _value("21"), _value("0.5"), _value("greedy(card=45)")
    ('21', '0.5', '"greedy(card=45)"')
    """
    return text if re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", text) else '"' + text.replace('"', "") + '"'
