"""Proofs: long tests that run again only when something that they depend on has changed.

A test marked `proof(*premises)` depends on the modules and folders that it names (`stats`, `games.pig`,
`goldens.games`, `games/README.md`: in `simkit/`, at the top or in `tests/`), on its own file, on all files
of this project that these import, directly or not, on the data files beside them, on `constraints.txt` and on
the version of Python. Comments and docstrings do not count. It has to name what it looks up at run time, such
as a game by its name, or what `simkit.X` hands on; what it imports is found.

When all cases of a proof have passed with bounds checks, as `make` runs them, `proofs.toml` gets the digest
of all this, the date and the minutes that they took. While its digest is the stored one, a proof holds and is
left out. `--all-proofs` runs every proof, and writes `proofs.toml` anew.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

STORED = Path("tests", "proofs.toml")
NOT_DATA = (".py", ".pyi", ".md")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that runs all proofs."""
    parser.addoption("--all-proofs", action="store_true", help="run also proofs that hold; store all anew")


def pytest_configure(config: pytest.Config) -> None:
    """Add the marker, and the hooks of a session."""
    config.addinivalue_line("markers", "proof(*premises): runs when its premises change (tests/proofs.py)")
    config.pluginmanager.register(Proofs(config))


class Entry(NamedTuple):
    """The last pass of a proof, as stored."""

    digest: str
    date: date
    minutes: float


class Proof(NamedTuple):
    """Cases of a test function: the slow ones or the others, since `make test` and `make test-rest` share them."""

    name: str
    digest: str
    cases: int


class Proofs:
    """The proofs of a session. With pytest-xdist, workers select them, and the controller stores them."""

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.path, self.all = config, config.rootpath / STORED, config.option.all_proofs
        self.holding = set[str]()
        self.seconds = dict[Proof, float]()
        self.passed = dict[Proof, set[str]]()  # node IDs of cases
        self.failed = set[str]()

    def stored(self) -> dict[str, Entry]:
        """Return the stored entries by the names of the proofs."""
        content = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        return {name: Entry(**entry) for name, entry in tomllib.loads(content).items()}

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Iterator[None]:
        """Count the cases of each proof, let `-m` and `-k` select, and deselect the proofs that hold."""
        cases = dict[tuple[str, ...], list[pytest.Item]]()
        for item in items:
            if premises := sorted({name for mark in item.iter_markers("proof") for name in mark.args}):
                slow = "slow" if item.get_closest_marker("slow") else "everyday"
                cases.setdefault((item.nodeid.partition("[")[0], slow, *premises), []).append(item)
        yield
        selected, held, stored = set(items), set[pytest.Item](), self.stored()
        for (function, slow, *premises), collected in cases.items():
            if chosen := selected.intersection(collected):
                name = f"{function} ({slow}) of {', '.join(premises)}"
                try:
                    digest = digest_of_premises(self.config.rootpath, collected[0].path, tuple(premises))
                except LookupError as error:
                    for item in chosen:
                        item.runtest = partial(pytest.fail, str(error), pytrace=False)  # type: ignore[method-assign]
                    continue
                if not self.all and name in stored and stored[name].digest == digest:
                    self.holding.add(name)
                    held |= chosen
                for item in chosen:
                    item.user_properties.append(("proof", (name, digest, len(collected))))
        items[:] = [item for item in items if item not in held]
        self.config.hook.pytest_deselected(items=list(held))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a case of a proof ends; a case that is skipped has not passed."""
        for proof in (Proof(*value) for key, value in report.user_properties if key == "proof"):
            self.seconds[proof] = self.seconds.get(proof, 0) + report.duration
            if not report.passed:
                self.failed.add(report.nodeid)
            elif report.when == "teardown":
                self.passed.setdefault(proof, set()).add(report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Learn from a worker which proofs hold."""
        self.holding.update(getattr(node, "workeroutput", {}).get("proofs that hold", ()))

    def pytest_sessionfinish(self) -> None:
        """Store the proofs of which every case has passed."""
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["proofs that hold"] = sorted(self.holding)
            return
        entries, today = {} if self.all else self.stored(), datetime.now(UTC).date()
        for proof, passed in self.passed.items():
            if len(passed - self.failed) == proof.cases:
                entries[proof.name] = Entry(proof.digest, today, round(self.seconds[proof] / 60, 1))
        one_case = any("[" in argument for argument in self.config.args)  # the others were not even collected
        if self.passed and os.environ.get("NUMBA_BOUNDSCHECK") == "1" and not one_case:
            lines = ["# Written by tests/proofs.py"]
            for name, (digest, day, minutes) in sorted(entries.items()):
                lines.append(f'"{name}" = {{digest = "{digest}", date = {day}, minutes = {minutes}}}')
            self.path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say how many proofs hold, and since when at least."""
        if entries := [entry for name, entry in self.stored().items() if name in self.holding]:
            hold = "1 proof holds" if len(entries) == 1 else f"{len(entries)} proofs hold"
            since, minutes = min(entry.date for entry in entries), sum(entry.minutes for entry in entries)
            terminalreporter.write_line(
                f"{hold} since {since} ({minutes:.0f} minutes; `make proofs` runs all)"
            )


@cache
def digest_of_premises(root: Path, test: Path, premises: tuple[str, ...]) -> str:
    """Return the digest of all that a test in a file depends on; LookupError for a premise without files."""
    waiting, files = [test, root / "constraints.txt"], set[Path]()
    for premise in premises:
        folders = (root / "simkit", root, root / "tests")
        named = next(filter(None, (files_of(folder, premise) for folder in folders)), None)
        if named is None:
            raise LookupError(f"{test.name}: {premise!r}, a premise of a proof, is no module and no folder")
        waiting += named
    while waiting:
        if (file := waiting.pop()) not in files:
            files.add(file)
            if file.suffix == ".py":
                waiting += [*read(root, file).imports, *data_files(file.parent)]
    digests = [f"{file.relative_to(root)} {read(root, file).digest}" for file in sorted(files)]
    return _digest("\n".join([f"{sys.version_info[:2]}", *digests]).encode())


def files_of(folder: Path, name: str) -> list[Path]:
    """Return the file of a module, or the files of a package or folder: `stats`, `games.pig`, `games/README.md`."""
    if (folder / name).is_file():
        return [folder / name]
    path = folder.joinpath(*name.split("."))
    files = path.rglob("*") if path.is_dir() else [path.with_name(f"{path.name}.py")]
    return [file for file in files if (file.suffix == ".py" and file.is_file()) or _is_data(file)]


@cache
def data_files(folder: Path) -> list[Path]:
    """Return the files of a folder that are no code, such as tables of a game."""
    return [file for file in folder.iterdir() if _is_data(file)]


def _is_data(file: Path) -> bool:
    beside_code = file.parent.name != "__pycache__" and file.name != STORED.name
    return beside_code and file.suffix not in NOT_DATA and file.is_file()


class Source(NamedTuple):
    """Digest of a file, and the files of this project that it imports."""

    digest: str
    imports: list[Path]


@cache
def read(root: Path, file: Path) -> Source:
    """Return the digest and the imports of a file; of code, comments and docstrings do not count."""
    if file.suffix != ".py":
        return Source(_digest(file.read_bytes()), [])
    tree, names = ast.parse(file.read_bytes()), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = file.relative_to(root).parts[: -node.level] if node.level else ()
            names |= {".".join(filter(None, [*package, node.module, alias.name])) for alias in node.names}
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            del node.body[0]
    paths = {Path(*name.split(".")[:end]) for name in names for end in range(1, name.count(".") + 2)}
    where = (folder / path for folder in (root, root / "tests", file.parent) for path in paths)
    candidates = {
        code for path in where for code in (path.with_name(f"{path.name}.py"), path / "__init__.py")
    }
    return Source(_digest(ast.dump(tree).encode()), [code for code in candidates if code.is_file()])


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:20]
