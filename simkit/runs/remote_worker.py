"""What a worker on another machine needs: the same sources, compiled code, the designer's files."""

import functools
import hashlib
import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

import pyarrow as pa

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import source_digests
from simkit.runs.experiment import Experiment, beside, parse
from simkit.runs.run import Run

_LOADING = threading.Lock()  # threads of a worker find and compile sources one after the other
_tables: dict[str, dict[str, str]] = {}  # by experiment
_rules: dict[Path, str] = {}  # where a game lies -> digest of its rules when this process loaded them


def _own_sources() -> str:
    """Digest of simkit's modules, as this process loads them."""
    files = sorted(file for layer in ("engine", "runs") for file in (registry.PACKAGE / layer).rglob("*.py"))
    return hashlib.sha256(b"".join(file.name.encode() + file.read_bytes() for file in files)).hexdigest()


OWN = _own_sources()


class Order(NamedTuple):
    """What a run is, for a worker that does not see its folder."""

    projects: tuple[str, ...]
    game: str
    players: tuple[str, ...]
    made: dict[str, Any]  # versions and digests of all that decides what is written
    experiment: dict[str, Any]  # its keys, as the run folder keeps it
    files: dict[str, bytes]  # the designer's, by path in the run folder

    @classmethod
    def of(cls, run: Run) -> Self:
        game, players = run.experiment.game, source_digests.players_of(run.cells)
        keys = run.manifest["experiment"]
        made = {key: run.manifest[key] for key in source_digests.VERSIONS}
        made["sources"] = _beside() | run.manifest["sources"]
        files = {path: (run.folder / path).read_bytes() for path in parse(keys).every_file().values()}
        return cls(tuple(registry.projects()), game, players, made, keys, files)

    def check(self, experiment: Experiment, warm: Callable[[], None]) -> None:
        """Refuse to play with other sources than those of the run; then compile, one thread at a time.

        `experiment` has its files where this process sees them.
        """
        with _LOADING:
            if registry.projects() != list(self.projects):
                registry.set_projects(list(self.projects))
                _code.cache_clear()
                _tables.clear()
            try:
                here = source_digests.versions() | {"sources": self._sources(experiment)}
            except UsageError as error:
                raise UsageError(f"{me()}: {error}") from error
            for what, was, is_here in source_digests.others(self.made, here):
                other = f"{what} {is_here} instead of {was}" if was else what
                cure = "give every worker the same sources and start it again"
                raise UsageError(f"{me()} has other sources: {other}; {cure}")
            warm()

    def _sources(self, experiment: Experiment) -> dict[str, str]:
        """Digests of what this process has loaded, by name; worked out once for all tasks of a run."""
        key = hashlib.sha256(json.dumps(self.experiment).encode() + b"".join(self.files.values())).hexdigest()
        if key not in _tables:
            _tables[key] = source_digests.tables(experiment)
        return _code(self.game, self.players) | _tables[key] | _beside()

    @contextmanager
    def unpacked(self) -> Iterator[tuple[Path, Experiment]]:
        """A folder to write in, as short-lived as the task, and the experiment with its files there."""
        with TemporaryDirectory(prefix="simkit-") as name:
            folder = Path(name)
            for path, content in self.files.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(content)
            yield folder, beside(parse(self.experiment), folder)


@functools.cache
def _code(game: str, players: tuple[str, ...]) -> dict[str, str]:
    found, rules = source_digests.code(game, players), f"the rules of {game}"
    return found | {rules: _rules.setdefault(registry.game_path(game), found[rules])}


def _beside() -> dict[str, str]:
    """What else decides which bytes are written."""
    return {"simkit's own modules": OWN, f"pyarrow {pa.__version__}": ""}


def me() -> str:
    """Which worker this is, with a comma behind."""
    return f"worker {socket.gethostname()}, process {os.getpid()},"
