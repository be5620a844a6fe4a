"""Kill runs at random moments, their process or one of its workers, go on each time, and compare the end.

Half of the kills meet a run of a fixed number of deals, half one with sequential stopping.

python tests/torture.py [--kills 30] [--seed 1] [--deals 300000] [--folder DIR]
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXPERIMENT = ROOT / "experiments" / "pig_first_seat.toml"
LATEST = 6.0  # seconds from a start, or from a kill, to the next kill


def command(folder: Path, deals: int, backend: str, *more: str) -> list[str]:
    """Return the command that starts or resumes the run."""
    arguments = ["run", str(EXPERIMENT), "--deals", str(deals), "-o", str(folder), *more]
    return [sys.executable, "-W", "ignore", "-m", "simkit", *arguments, "--jobs", "2", "--backend", backend]


def children(pid: int) -> list[int]:
    """Return the process IDs of the children of a process."""
    pids = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        pids += [int(pid) for pid in task.read_text().split()]
    return pids


def workers(pid: int) -> list[int]:
    """Return the process IDs of the workers below a process."""
    below = [pid for child in children(pid) for pid in (child, *children(child))]
    return [pid for pid in below if b"loky" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def tables(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every table on disk of a run and its inner runs, by relative path."""
    paths = folder.rglob("*.parquet")
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def listed(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every table by the checksum files of a run and its inner runs."""
    checksums = dict[str, str]()
    for path in folder.rglob("checksums.txt"):
        lines = [line.split("  ", 1) for line in path.read_text().splitlines()]
        checksums |= {str(path.parent.relative_to(folder) / name): digest for digest, name in lines}
    return checksums


def alike(quiet: Path, hurt: Path) -> bool:
    """Return whether two runs have the same tables, and checksums that match them."""
    return tables(quiet) == tables(hurt) == listed(quiet) == listed(hurt)


def wait_for_table(running: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until a run has a further table, or is over."""
    before = set(folder.rglob("*.parquet"))
    while running.poll() is None and set(folder.rglob("*.parquet")) <= before:
        time.sleep(0.005)


class Killer:
    """A killer of runs at random moments, `kills` times in all."""

    def __init__(self, kills: int, seed: int, latest: float) -> None:
        self.kills, self.killed, self.luck, self.latest = kills, 0, random.Random(seed), latest

    def finish(self, folder: Path, deals: int, *more: str) -> str | None:
        """Restart a run until it is complete; return its error output if it fails without a kill."""
        while True:
            backend, before = self.luck.choice(["threading", "loky"]), self.killed
            with tempfile.TemporaryFile("w+") as errors:
                arguments = command(folder, deals, backend, *more)
                running = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=errors)
                while self.killed < self.kills and running.poll() is None:
                    if self.killed % 2:  # a short run would be killed before it has played anything
                        wait_for_table(running, folder)
                    else:
                        time.sleep(self.luck.uniform(0, self.latest))
                    if running.poll() is None:
                        self._kill(running, backend)
                if running.wait() == 0:
                    return None
                if self.killed == before:
                    errors.seek(0)
                    return errors.read()

    def _kill(self, running: subprocess.Popen[bytes], backend: str) -> None:
        """Kill a worker in some cases, if there are any, else the run itself."""
        candidates = workers(running.pid) if backend == "loky" else []
        victim = self.luck.choice(candidates) if candidates and self.luck.random() < 0.7 else running.pid
        os.kill(victim, signal.SIGKILL)
        self.killed += 1
        victim_name = "the run" if victim == running.pid else "a worker"
        print(f"{self.killed}: {victim_name} ({backend})", flush=True)
        if victim == running.pid:
            running.wait()


def torture(folder: Path, kills: int, seed: int, deals: int, *more: str) -> bool:
    """Return whether runs killed `kills` times in all end with the tables of an undisturbed run.

    `more` are further options of the command.
    """
    quiet, hurt, began, runs = folder / "quiet", folder / "hurt", time.monotonic(), 0
    subprocess.run(command(quiet, deals, "threading", *more), check=True, capture_output=True)
    killer = Killer(kills, seed, min(LATEST, time.monotonic() - began))
    while killer.killed < kills:  # a run may end before it was killed often enough
        shutil.rmtree(hurt, ignore_errors=True)
        runs += 1
        if failure := killer.finish(hurt, deals, *more):
            print(f"{killer.killed} kills, THE RUN DOES NOT GO ON: {failure}")
            return False
        if not alike(quiet, hurt):
            print(f"{killer.killed} kills, THE TABLES DIFFER")
            return False
    print(f"{killer.killed} kills in {runs} run{'s' * (runs > 1)}, the tables are the same")
    return True


def main() -> None:
    """Run the torture test with the options of the command line."""
    options = ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=30)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--deals", type=int, default=300_000)
    options.add_argument("--folder", type=Path)
    arguments = options.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="torture"))
    kills, how = arguments.kills // 2, (arguments.seed, arguments.deals)
    same = torture(folder / "fixed", kills, *how) and torture(
        folder / "stops", kills, *how, "--until-verdict"
    )
    if arguments.folder is None:
        shutil.rmtree(folder)
    sys.exit(not same)


if __name__ == "__main__":
    main()
