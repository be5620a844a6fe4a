"""Headings and captions say what the tables beneath them say, and no more."""

from __future__ import annotations
