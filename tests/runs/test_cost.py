"""The cost of players that search, which a run says before its games begin."""

from pathlib import Path

from simkit.runs import runner
from simkit.runs.experiment import parse
from simkit.runs.progress import Progress

KEYS = {"question": "?", "game": "pig", "deals": 20, "rotate": True}


class Heard(Progress):
    """Notes the processor times that are announced."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def report_search(self, seconds: float) -> None:
        self.seconds.append(seconds)


def announced(folder: Path, lineup: list[str]) -> list[float]:
    """Return the times that a run of this lineup announces."""
    heard = Heard()
    runner.run(parse(KEYS | {"lineups": [lineup]}), folder, progress=heard)
    return heard.seconds


def test_a_run_says_what_players_that_search_will_cost_and_nothing_once_it_is_finished(
    tmp_path: Path,
) -> None:
    lineup = ["search(policy=hold_at, budget=20)", "hold_at"]
    (seconds,) = announced(tmp_path / "run", lineup)
    assert 0 < seconds < 60
    assert announced(tmp_path / "run", lineup) == []


def test_other_players_are_not_timed(tmp_path: Path) -> None:
    assert announced(tmp_path / "run", ["hold_at", "random"]) == []
