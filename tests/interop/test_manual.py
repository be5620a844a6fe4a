"""The examples of the manual for PettingZoo and OpenSpiel run as they stand."""

import re
from pathlib import Path

import pytest

MANUAL = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
EXAMPLES = [
    code for code in re.findall(r"```python\n(.*?)```", MANUAL, re.DOTALL) if "simkit.interop" in code
]


@pytest.mark.parametrize("code", EXAMPLES, ids=["env", "vector_env", "load"])
def test_an_example_of_the_manual_runs(code: str) -> None:
    scope: dict = {}
    exec(code, scope)
    if "game" in scope and hasattr(scope["game"], "agents"):
        assert scope["game"].agents == []
    if "solver" in scope:
        assert scope["exploitability"].exploitability(
            scope["game"], scope["solver"].average_policy()
        ) == pytest.approx(0.03, abs=0.01)
