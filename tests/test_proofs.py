"""A proof runs again when a premise changes, and only then; only a pass of all its cases is stored."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from textwrap import dedent
from typing import Any

import proofs
import pytest

pytest_plugins = ["pytester"]

FILES = {
    "constraints.txt": "numpy==2.1",
    "simkit/errors.py": "LIMIT = 3",
    "simkit/pages.py": "TITLE = 'Fair?'",
    "simkit/stats/__init__.py": "",
    "simkit/stats/means.py": "from simkit.errors import LIMIT\n\ndef mean(a, b):\n    return (a + b) / 2",
    "simkit/games/coin/__init__.py": "SIDES = 2",
    "simkit/games/coin/coin.toml": "sides = 2",
    "tests/goldens/coin.txt": "heads",
    "tests/coin_draws.py": "DRAWS = [1, 2]",
    "tests/test_means.py": """
        import os
        import pytest
        from coin_draws import DRAWS

        @pytest.fixture
        def left_behind():
            yield
            assert os.environ.get("RESULT") != "fails at the end"

        @pytest.mark.proof("stats")
        @pytest.mark.parametrize("draw", DRAWS)
        def test_mean(draw, left_behind):
            if os.environ.get("RESULT") == "skips" and draw == 1:
                pytest.skip("not today")
            assert os.environ.get("RESULT") != "fails" or draw == 2
        """,
    "tests/test_coin.py": """
        import pytest

        @pytest.mark.proof("games.coin", "goldens")
        def test_coin():
            pass

        def test_every_day():
            pass
        """,
}
MEAN, COIN = {"test_mean[1]", "test_mean[2]"}, {"test_coin"}
MEAN_PROOF = "tests/test_means.py::test_mean (everyday) of stats"
COIN_PROOF = "tests/test_coin.py::test_coin (everyday) of games.coin, goldens"


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A small project with two proofs and one everyday test, and the plugin as its conftest."""
    for variable in [name for name in os.environ if name.startswith("PYTEST_XDIST")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    for name, content in FILES.items():
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(content))
    pytester.makeconftest(Path(proofs.__file__).read_text())
    return pytester


def run(project: pytest.Pytester, *arguments: str) -> set[str]:
    """Run the tests of the project, and return the proofs that were played."""
    lines = project.runpytest_inprocess("-rA", *arguments).outlines
    outcomes = [line.split("::")[1] for line in lines if line.startswith(("PASSED tests", "FAILED tests"))]
    return {name.split(" ")[0] for name in outcomes} - {"test_every_day"}


def stored(project: pytest.Pytester) -> dict[str, Any]:
    path = project.path / proofs.STORED
    return tomllib.loads(path.read_text()) if path.exists() else {}


@pytest.mark.parametrize(
    ("file", "change", "woken"),
    [
        ("simkit/stats/means.py", "STEP = 1", MEAN),
        ("simkit/stats/sums.py", "STEP = 1", MEAN),  # a new file of a premise
        ("simkit/errors.py", "STEP = 1", MEAN),  # imported by a premise
        ("simkit/games/coin/__init__.py", "STEP = 1", COIN),
        ("simkit/games/coin/coin.toml", "step = 1", COIN),
        ("tests/goldens/coin.txt", "tails", COIN),
        ("tests/coin_draws.py", "STEP = 1", MEAN),  # imported by the test
        ("tests/test_coin.py", "STEP = 1", COIN),
        ("constraints.txt", "numba==0.68", MEAN | COIN),
        ("simkit/pages.py", "STEP = 1", set()),
        ("simkit/stats/means.py", "    # the middle of both\n\n", set()),  # comments and blank lines
        ("simkit/games/coin/README.md", "A coin", set()),
    ],
)
def test_a_change_wakes_the_proofs_that_depend_on_it(
    project: pytest.Pytester, file: str, change: str, woken: set[str]
) -> None:
    assert run(project) == MEAN | COIN and set(stored(project)) == {MEAN_PROOF, COIN_PROOF}
    with (project.path / file).open("a") as opened:
        opened.write(f"\n{change}\n")
    assert run(project) == woken
    assert run(project) == set()


def test_a_docstring_wakes_nothing(project: pytest.Pytester) -> None:
    run(project)
    path = project.path / "simkit/stats/means.py"
    path.write_text(path.read_text().replace("return", '"""Return the middle."""\n    return'))
    assert run(project) == set()


@pytest.mark.parametrize("result", ["fails", "skips", "fails at the end"])
def test_only_a_pass_of_all_cases_is_stored(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, result: str
) -> None:
    monkeypatch.setenv("RESULT", result)
    run(project)
    assert set(stored(project)) == {COIN_PROOF}
    monkeypatch.delenv("RESULT")
    run(project, "-k", "test_mean and 1")
    run(project, "tests/test_means.py::test_mean[1]")
    assert set(stored(project)) == {COIN_PROOF}
    assert run(project) == MEAN and set(stored(project)) == {MEAN_PROOF, COIN_PROOF}
    monkeypatch.setenv("RESULT", result)
    run(project, "--all-proofs")
    assert set(stored(project)) == {COIN_PROOF}


def test_cases_that_are_slow_are_a_proof_of_their_own(project: pytest.Pytester) -> None:
    path = project.path / "tests/coin_draws.py"
    path.write_text("import pytest\nDRAWS = [1, pytest.param(2, marks=pytest.mark.slow)]")
    assert run(project, "-m", "not slow") == {"test_mean[1]", "test_coin"}
    assert run(project) == {"test_mean[2]"} and len(stored(project)) == 3


def test_runs_without_bounds_checks_store_nothing(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_BOUNDSCHECK")
    assert run(project) == run(project) == MEAN | COIN and not stored(project)


def test_several_processes_store_what_one_does(project: pytest.Pytester) -> None:
    run(project)
    alone = stored(project)
    assert run(project, "--all-proofs", "-n", "2") == MEAN | COIN
    assert {name: entry["digest"] for name, entry in stored(project).items()} == {
        name: entry["digest"] for name, entry in alone.items()
    }
    result = project.runpytest_inprocess("-n", "2")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"2 proofs hold since {alone[COIN_PROOF]['date']} (*)"])


@pytest.mark.parametrize("processes", ["0", "2"])
def test_premises_that_name_nothing_fail(project: pytest.Pytester, processes: str) -> None:
    path = project.path / "tests/test_coin.py"
    path.write_text(path.read_text().replace("games.coin", "games.dice"))
    result = project.runpytest_inprocess("-n", processes)
    result.assert_outcomes(failed=1, passed=3)
    result.stdout.fnmatch_lines(
        ["test_coin.py: 'games.dice', a premise of a proof, is no module and no folder"]
    )
    assert set(stored(project)) == {MEAN_PROOF}
