"""How a search for a fair value chose it, in words: what was looked at before the check on fresh deals."""

from typing import Any

from simkit.runlog import Run
from simkit.wording import counted
from simkit.words.labels import Labels
from simkit.words.phrases import listed

CURVE = "a curve through the log odds of the shares meets the fair share at the value"
LINES = "lines through the log ratios of the shares meet at the values at which all are equal"


def searched(run: Run) -> str:
    """What was searched, on how many settings and deals, and how the value follows; nothing of other runs."""
    if not run.search:
        return ""
    options, labels = run.search["vary"], Labels(run)
    ranges = listed(f"{labels.option(name)} from {low} to {high}" for name, (low, high) in options.items())
    looks: dict[str, list[dict[str, Any]]] = {}
    for row in run.search["points"]:
        looks.setdefault(row["look"], []).append(row)
    each = [f"{_settings(rows, list(options))} in the look “{name}”" for name, rows in looks.items()]
    how = CURVE if len(options) == 1 else LINES
    return f"{ranges}; {'; '.join(each)}; every look on deals of its own; {how}"


def _settings(rows: list[dict[str, Any]], options: list[str]) -> str:
    """How many settings a look measured, on how many deals each."""
    settings = {tuple(row[name] for name in options) for row in rows}
    deals = sorted({row["deals"] for row in rows})
    many = " to ".join(f"{end:,}" for end in dict.fromkeys((deals[0], deals[-1])))
    return f"{counted(len(settings), 'setting')} of {many} deals"
