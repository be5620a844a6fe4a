"""Who plays a run at an address: one copy at a time, which gives signs of life; a silent one is gone."""

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

from simkit import lock, remote
from simkit.errors import UsageError

BEAT, STALE = 20.0, 180  # seconds between two signs of life of who plays; silent for STALE it is gone
GRACE = 5.0  # seconds to end a sign of life that is on its way


class Claim:
    """The lock of a run at an address, over a connection that several threads may use."""

    def __init__(self, address: str, home: Path) -> None:
        self.address, self.home = address, home
        self.session, self.one = uuid4().hex, threading.Lock()
        self.fs, root = remote.file_system(address, apart=True)
        self.path = f"{root}/{lock.FILE}"

    @contextmanager
    def held(self) -> Iterator[None]:
        """As the only one who writes at the address."""
        self._take()
        done = threading.Event()
        beating = threading.Thread(target=self._keep_beating, args=(done,), daemon=True)
        beating.start()
        try:
            yield
        finally:
            done.set()
            beating.join(GRACE)
            if not beating.is_alive():  # a lock that cannot be removed grows stale
                self._leave()

    def _take(self) -> None:
        """Put the lock there; not every file system refuses to make a file that is there already."""
        self.refuse_others()
        try:
            with self.one:
                remote.make_room(self.fs, [self.path])
                self.fs.pipe_file(self.path, self._sign(), mode="create")
        except FileExistsError:
            self.refuse_others()
            self._beat()
        self.check_mine()

    def _leave(self) -> None:
        with suppress(UsageError), remote.reaching(self.address):
            self.check_mine()
            with self.one:
                self.fs.rm_file(self.path)

    def _keep_beating(self, done: threading.Event) -> None:
        """Give signs of life, however long it takes to fetch or put; who puts tells of what is amiss."""
        while not done.wait(BEAT):
            with suppress(UsageError), remote.reaching(self.address):
                self.check_mine()
                self._beat()

    def _beat(self) -> None:
        with self.one:
            remote.put_whole(self.fs, self.path, self._sign(), self.session)

    def refuse_others(self) -> None:
        if other := self.others():
            raise UsageError(f"{self.address}: is being played: {_who(other)}")

    def check_mine(self) -> None:
        if self._known().get("session") != self.session:
            raise UsageError(f"{self.address}: another process took over this run, as if this one were gone")

    def others(self) -> dict[str, Any] | None:
        """Who plays the run from another copy and gave a sign of life: what it says, `heard` seconds ago.

        One who played from the copy here is gone, since this process got its lock.
        """
        known = self._known()
        if not known or known["copy"] == self.copy:
            return None
        heard = time.time() - known["time"]
        alive = -STALE <= heard <= STALE  # clocks differ a little; not if it is no number
        return known | {"heard": max(0.0, heard)} if alive else None

    def _known(self) -> dict[str, Any]:
        """What the lock says; nothing if there is none."""
        try:
            with self.one:
                said = json.loads(self.fs.cat_file(self.path))
            named = {key: str(said[key]) for key in ("copy", "session", "host", "process")}
            return {**named, "time": float(said["time"])}
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
            cure = f"if nobody plays, remove {lock.FILE} there"
            raise UsageError(f"{self.address}: its lock does not say who is playing; {cure}") from None

    def _sign(self) -> bytes:
        known = {"copy": self.copy, "session": self.session, "time": time.time()}
        return json.dumps(known | {"host": socket.gethostname(), "process": os.getpid()}).encode()

    @cached_property
    def copy(self) -> str:
        """What tells the copy here from those on other machines."""
        file = self.home / ".copy"
        if not file.is_file():
            file.write_text(uuid4().hex)
        return file.read_text()


def _who(known: dict[str, Any]) -> str:
    heard = known["heard"]
    cure = f"if it was killed, try again in {STALE - heard:.0f} s"
    return f"process {known['process']} on {known['host']}, last heard {heard:.0f} s ago; {cure}"
