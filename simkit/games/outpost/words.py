"""Outpost in words: the table, the story of a game, broken invariants (plain Python)."""

from __future__ import annotations

from typing import Any


def show(s: Any, rules: Any) -> str:
    return f"turn {s.turn}"


def describe(s: Any, rules: Any, action: int, after: Any) -> str:
    return f"{action}"




