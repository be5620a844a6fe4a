"""The torture of runs sees what it is there to see: other tables, runs that do not go on, kills that lack."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest
import torture

# A run that writes one table and its checksum, as `simkit run` would; `{command}` may spoil it.
RUN = """
import hashlib, sys, time
from pathlib import Path
folder, content = Path(sys.argv[1]), b"a table"
time.sleep(0.1)
{command}
(folder / "games").mkdir(parents=True, exist_ok=True)
(folder / "games" / "0.parquet").write_bytes(content)
true = hashlib.sha256(b"a table").hexdigest()
(folder / "checksums.txt").write_text(true + "  games/0.parquet\\n")
"""
SPOILT = 'if folder.name == "hurt": '


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> object:
    def by(message: str) -> None:
        def command(folder: Path, deals: int, backend: str) -> list[str]:
            return [sys.executable, "-I", "-S", "-c", RUN.format(command=message), str(folder)]

        monkeypatch.setattr(torture, "command", command)

    return by


def test_it_kills_as_often_as_it_is_told_whatever_the_runs_do(played, tmp_path, capsys):
    played("")
    assert torture.torture(tmp_path, kills=5, seed=1, deals=1)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6 and lines[-1].startswith("5 kills in ")


def test_it_sees_a_damaged_table_behind_a_checksum_that_was_right_once(played, tmp_path, capsys):
    played(SPOILT + 'content = b"a tablE"')
    assert not torture.torture(tmp_path, kills=1, seed=1, deals=1)
    assert "THE TABLES DIFFER" in capsys.readouterr().out


def test_it_ends_with_what_a_run_says_that_does_not_go_on(played, tmp_path, capsys):
    played(SPOILT + 'sys.exit("simkit: remove it")')
    assert not torture.torture(tmp_path, kills=2, seed=1, deals=1)
    assert "THE RUN DOES NOT GO ON: simkit: remove it" in capsys.readouterr().out


@pytest.mark.parametrize("place", ["games/0.parquet", "late.parquet", "within/games/0.parquet"])
def test_tables_are_alike_if_they_and_their_checksums_are(place, tmp_path):
    for name in ("one", "other"):
        for table in ("games/0.parquet", "late.parquet", "within/games/0.parquet"):
            path = tmp_path / name / table
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"a")
        for folder, text in ((".", ["games/0.parquet", "late.parquet"]), ("within", ["games/0.parquet"])):
            lines = [f"{hashlib.sha256(b'a').hexdigest()}  {table}\n" for table in text]
            (tmp_path / name / folder / "checksums.txt").write_text("".join(lines))
    assert torture.alike(tmp_path / "one", tmp_path / "other")
    (tmp_path / "other" / place).write_bytes(b"b")
    assert not torture.alike(tmp_path / "one", tmp_path / "other")
    (tmp_path / "other" / place).write_bytes(b"a")
    (tmp_path / "other" / "checksums.txt").write_text("")
    assert not torture.alike(tmp_path / "one", tmp_path / "other")
