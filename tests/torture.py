"""Kill runs at random moments, their process or one of its workers, go on each time, and compare the end.

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


def command(folder: Path, deals: int, backend: str) -> list[str]:
    asked = ["run", str(EXPERIMENT), "--deals", str(deals), "-o", str(folder)]
    return [sys.executable, "-W", "ignore", "-m", "simkit", *asked, "--jobs", "2", "--backend", backend]


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(one) for one in task.read_text().split()]
    return found


def workers(pid: int) -> list[int]:
    """The processes below a process that play games."""
    below = [one for child in children(pid) for one in (child, *children(child))]
    return [one for one in below if b"loky" in Path(f"/proc/{one}/cmdline").read_bytes()]


def tables(folder: Path) -> dict[str, str]:
    """The SHA-256 of every table of a run and of the runs within, as it lies on disk, by its name."""
    found = folder.rglob("*.parquet")
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def listed(folder: Path) -> dict[str, str]:
    """What the checksums of a run and of the runs within say."""
    found = dict[str, str]()
    for path in folder.rglob("checksums.txt"):
        lines = [line.split("  ", 1) for line in path.read_text().splitlines()]
        found |= {str(path.parent.relative_to(folder) / name): of for of, name in lines}
    return found


def alike(quiet: Path, hurt: Path) -> bool:
    """Whether two runs have the same tables, and checksums that are true."""
    return tables(quiet) == tables(hurt) == listed(quiet) == listed(hurt)


class Killer:
    """Kills runs at random moments, `kills` times in all."""

    def __init__(self, kills: int, seed: int, latest: float) -> None:
        self.kills, self.killed, self.luck, self.latest = kills, 0, random.Random(seed), latest

    def finish(self, folder: Path, deals: int) -> str | None:
        """Start a run again and again until it is done; what it says if it fails though nobody hurt it."""
        while True:
            backend, before = self.luck.choice(["threading", "loky"]), self.killed
            with tempfile.TemporaryFile("w+") as said:
                asked = command(folder, deals, backend)
                running = subprocess.Popen(asked, stdout=subprocess.DEVNULL, stderr=said)
                while self.killed < self.kills and running.poll() is None:
                    time.sleep(self.luck.uniform(0, self.latest))
                    if running.poll() is None:
                        self._kill(running, backend)
                if running.wait() == 0:
                    return None
                if self.killed == before:
                    said.seek(0)
                    return said.read()

    def _kill(self, running: subprocess.Popen[bytes], backend: str) -> None:
        """Kill a worker where there are any, now and then; else the run itself."""
        some = workers(running.pid) if backend == "loky" else []
        victim = self.luck.choice(some) if some and self.luck.random() < 0.7 else running.pid
        os.kill(victim, signal.SIGKILL)
        self.killed += 1
        who = "the run" if victim == running.pid else "a worker"
        print(f"{self.killed}: {who} ({backend})", flush=True)
        if victim == running.pid:
            running.wait()


def torture(folder: Path, kills: int, seed: int, deals: int) -> bool:
    """Whether runs that are killed so often in all end with the tables of one that is not."""
    quiet, hurt, began, runs = folder / "quiet", folder / "hurt", time.monotonic(), 0
    subprocess.run(command(quiet, deals, "threading"), check=True, capture_output=True)
    killer = Killer(kills, seed, min(LATEST, time.monotonic() - began))
    while killer.killed < kills:  # a run may end before it was killed often enough
        shutil.rmtree(hurt, ignore_errors=True)
        runs += 1
        if fault := killer.finish(hurt, deals):
            print(f"{killer.killed} kills, THE RUN DOES NOT GO ON: {fault}")
            return False
        if not alike(quiet, hurt):
            print(f"{killer.killed} kills, THE TABLES DIFFER")
            return False
    print(f"{killer.killed} kills in {runs} run{'s' * (runs > 1)}, the tables are the same")
    return True


def main() -> None:
    options = ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=30)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--deals", type=int, default=300_000)
    options.add_argument("--folder", type=Path)
    given = options.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp(prefix="torture"))
    same = torture(folder, given.kills, given.seed, given.deals)
    if given.folder is None:
        shutil.rmtree(folder)
    sys.exit(not same)


if __name__ == "__main__":
    main()
