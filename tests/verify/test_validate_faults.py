"""simkit validate, with its usual number of plays, finds faults planted in a scratch copy of the package."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHUFFLE = "    for last in range(n - 1, 0, -1):\n        other = below(stream, last + 1)\n"
TIE = (
    "            if other > highest:\n                chosen, highest = i, other\n    return legal[chosen]\n"
)
END = "                actions += 1\n                apply(s, rules, action, rng)\n"
BIASED = (  # 1 game in 100 is given to seat 0: .5 points of a share of one half
    END + "                if s.seat < 0 and deals[i] % 100 == 7:\n"
    "                    s.rank[:] = 2\n"
    "                    s.rank[0] = 1\n"
)
LOW = "return 0 if product & LOW32 < 4294967 else _signed(product >> 32)"  # 1 draw in 1,000 becomes a 0
ALL = "sum of z² of the first value of each cell"
FAULTS = {  # what is planted -> file, right and wrong text, game, checks that must fail
    "the naive shuffle": (
        "engine/rng.py", (SHUFFLE, "    for last in range(n):\n        other = below(stream, n)\n"),
        "high_card", {"share of seat 0", "games with shuffled = 0"},
    ),
    "the second of two equal actions in 47.9 % instead of 50 %": (
        "engine/strategy.py", (TIE, TIE.replace("other > highest", "other - other // 24 > highest")),
        "high_card", {"games with taken = 0"},
    ),
    "a face of a die 0.5 % too often": (
        "engine/rng.py", ("return _signed(product >> 32)", LOW),
        "race_to_six", {"chi-square of a die of 6 faces"},
    ),
    "one stream of luck for the choices of all seats": (
        "engine/table.py", ('f"{kind}/{seat}" for kind in kinds', 'f"{kind}/0" for kind in kinds'),
        "high_card", {"games with taken = 0"},
    ),
    "a share of seat 0 that is 0.5 points too high": (
        "engine/kernel.py", (END, BIASED), "nim", {"share of seat 0", ALL},
    ),
}  # fmt: skip


def failed_checks(folder, game):
    """Validate one game with the sources of a folder: (exit code, checks that fail)."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA")}
    done = subprocess.run(
        [sys.executable, "-B", "-m", "simkit", "validate", game, "--json"],
        cwd=folder, env=clean | {"PYTHONPATH": str(folder)}, capture_output=True, text=True,
    )  # fmt: skip
    document = json.loads(done.stdout)
    assert document["deals"] == 200_000, "the usual number of deals must suffice"
    return done.returncode, {row["check"] for row in document["results"] if not row["passed"]}


@pytest.mark.slow
@pytest.mark.proof("cli.commands.validate", "tables", "games.reference", "strategies")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_in_the_row_that_names_it(fault, tmp_path):
    file, (right, wrong), game, checks = FAULTS[fault]
    for part in ("simkit", "strategies"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "simkit" / file
    text = path.read_text("utf-8")
    assert text.count(right) == 1, "the fault must be planted once"
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    code, failed = failed_checks(tmp_path, game)
    assert code == 1 and checks <= failed
