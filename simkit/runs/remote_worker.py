"""What a worker on another machine needs: the same sources, compiled code, the designer's files."""

import hashlib
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, Self

import pyarrow as pa

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import source_digests
from simkit.runs.experiment import Experiment, parse, resolve_files
from simkit.runs.plan import make_plan, there
from simkit.runs.run import Run
from simkit.runs.storage import checksums
from simkit.runs.warm_up import KERNEL, TRACER, compile_parts

_LOADING = threading.Lock()  # threads of a worker load and compile sources one after the other
_FILES = sorted(path for layer in ("engine", "runs") for path in (registry.PACKAGE / layer).rglob("*.py"))
# Digests of what else decides which bytes are written, as this process loaded it.
OWN = {
    "simkit's own modules": hashlib.sha256(b"".join(path.read_bytes() for path in _FILES)).hexdigest(),
    f"pyarrow {pa.__version__}": "",
}


class Order(NamedTuple):
    """What a worker that does not see the run folder needs to know of a run."""

    projects: list[str]
    game: str
    players: tuple[str, ...]
    expected: source_digests.Origin  # versions and digests of all that decides what is written
    experiment: Experiment  # as the run folder keeps it
    files: dict[str, bytes]  # the designer's, by path in the run folder

    @classmethod
    def of(cls, run: Run) -> Self:
        """Return the order for the shards of a run."""
        experiment, players = run.manifest.experiment, run.plan.players
        versions = run.manifest.model_dump(include=set(source_digests.VERSIONS))
        expected = source_digests.Origin(**versions, sources=OWN | run.manifest.sources)
        files = {path: (run.folder / path).read_bytes() for path in experiment.every_file().values()}
        return cls(registry.projects(), experiment.game, players, expected, experiment, files)

    def prepare(self, experiment: Experiment, traced: bool) -> None:
        """Refuse to play with other sources than those of the run; then compile.

        `experiment` has its files where this process sees them. Digests of code that was edited after this
        process loaded it equal neither those before the edit nor those after it.
        """
        with _LOADING:
            registry.set_projects(self.projects)
            try:
                sources = source_digests.code(self.game, self.players)
                sources |= source_digests.tables(self.game, _rules_digest(experiment))
            except UsageError as error:
                raise UsageError(f"{worker()}: {error}") from error
            current = source_digests.Origin(sources=sources | OWN)
            for name, expected, actual in source_digests.others(self.expected, current):
                other = f"{name} {actual} instead of {expected}" if expected else name
                cure = "give every worker the same sources and start it again"
                raise UsageError(f"{worker()} has other sources: {other}; {cure}")
            parts = [KERNEL, *([TRACER] if traced else []), *self.players]
            compile_parts(self.projects, self.game, parts)

    @contextmanager
    def unpacked(self) -> Iterator[tuple[Path, Experiment]]:
        """Yield a temporary folder to write in, and the experiment with its files there."""
        with TemporaryDirectory(prefix="simkit-") as name:
            folder = Path(name)
            for path, content in self.files.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(content)
            yield folder, resolve_files(self.experiment, folder)


def _rules_digest(experiment: Experiment) -> str:
    """Return the digest of the rules of a run, which a worker computes once for all shards of the run."""
    files = (there(name.partition(":")[0], path) for name, path in experiment.every_file().items())
    return _rules_digest_of(json.dumps(experiment.keys()), tuple(map(checksums.digest, files)))


@lru_cache(4)
def _rules_digest_of(keys: str, files: tuple[str, ...]) -> str:
    """Return the digest of the rules; `files` tells other contents of the designer's files apart."""
    return make_plan(parse(json.loads(keys))).rules_digest


def worker() -> str:
    """Return host and process of this worker."""
    return f"worker {socket.gethostname()} (process {os.getpid()})"
