"""What a worker on another machine needs: the same sources, compiled code, the designer's files."""

import functools
import hashlib
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, Self

import pyarrow as pa

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import source_digests
from simkit.runs.experiment import Experiment, resolve_files
from simkit.runs.run import Run

_LOADING = threading.Lock()  # threads of a worker find and compile sources one after the other
_rules: dict[Path, str] = {}  # path of a game -> digest of its rules when this process loaded them


def _own_sources() -> dict[str, str]:
    """Return digests of what else decides which bytes are written, as this process loads it."""
    files = sorted(file for layer in ("engine", "runs") for file in (registry.PACKAGE / layer).rglob("*.py"))
    digest = hashlib.sha256(b"".join(file.name.encode() + file.read_bytes() for file in files)).hexdigest()
    return {"simkit's own modules": digest, f"pyarrow {pa.__version__}": ""}


OWN = _own_sources()


class Order(NamedTuple):
    """What a worker that does not see the run folder needs to know of a run."""

    projects: tuple[str, ...]
    game: str
    players: tuple[str, ...]
    expected: source_digests.Origin  # versions and digests of all that decides what is written
    experiment: Experiment  # as the run folder keeps it
    files: dict[str, bytes]  # the designer's, by path in the run folder

    @classmethod
    def of(cls, run: Run) -> Self:
        """Return the order for the shards of a run."""
        experiment, players = run.manifest.experiment, source_digests.players_of(run.cells)
        versions = run.manifest.model_dump(include=set(source_digests.VERSIONS))
        expected = source_digests.Origin(**versions, sources=OWN | run.manifest.sources)
        files = {path: (run.folder / path).read_bytes() for path in experiment.every_file().values()}
        return cls(tuple(registry.projects()), experiment.game, players, expected, experiment, files)

    def check(self, experiment: Experiment, warm: Callable[[], None]) -> None:
        """Refuse to play with other sources than those of the run; then compile, one thread at a time.

        `experiment` has its files where this process sees them.
        """
        with _LOADING:
            if registry.projects() != list(self.projects):
                registry.set_projects(list(self.projects))
                _code.cache_clear()
            try:
                sources = _code(self.game, self.players) | source_digests.tables(experiment) | OWN
            except UsageError as error:
                raise UsageError(f"{worker()}: {error}") from error
            actual_origin = source_digests.Origin(sources=sources)
            for name, expected, actual in source_digests.others(self.expected, actual_origin):
                other = f"{name} {actual} instead of {expected}" if expected else name
                cure = "give every worker the same sources and start it again"
                raise UsageError(f"{worker()} has other sources: {other}; {cure}")
            warm()

    @contextmanager
    def unpacked(self) -> Iterator[tuple[Path, Experiment]]:
        """Yield a temporary folder to write in, and the experiment with its files there."""
        with TemporaryDirectory(prefix="simkit-") as name:
            folder = Path(name)
            for path, content in self.files.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(content)
            yield folder, resolve_files(self.experiment, folder)


@functools.cache
def _code(game: str, players: tuple[str, ...]) -> dict[str, str]:
    """Return digests of the code as this process loaded it, whatever its files hold by now."""
    digests, rules = source_digests.code(game, players), f"the rules of {game}"
    return digests | {rules: _rules.setdefault(registry.game_path(game), digests[rules])}


def worker() -> str:
    """Return host and process of this worker."""
    return f"worker {socket.gethostname()} (process {os.getpid()})"
