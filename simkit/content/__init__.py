"""Strategies, experiments, reports and the guide that come with simkit.

An installed simkit has them in this folder. In a checkout they are the top-level folders, so that a strategy
has the same name in both: `simkit.content.strategies.pig`.
"""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent
if not (FOLDER / "strategies").is_dir():
    FOLDER = FOLDER.parents[1]
    __path__ = [str(FOLDER)]
