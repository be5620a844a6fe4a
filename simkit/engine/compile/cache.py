"""Files with machine code, in Numba's cache folder (`__pycache__` beside the source, or NUMBA_CACHE_DIR).

There is one file per entry and processor, `FAMILY-STAMP.nbc`, where the stamp is a digest of all that the
code depends on: the fingerprint and the types of the arguments. Its states:

- missing, or damaged: the file does not begin with the digest of its content, so it counts as missing;
- complete: the process that has compiled an entry writes the content to a temporary file and renames it. Of
  processes that compile the same entry at once each writes a complete file, and the last one stays;
- outdated: the process that writes a later version of an entry deletes the files with other stamps.

Any process reads complete files without a lock. A file that cannot be written is reported once; the code then
lives in its process only.
"""

import functools
import glob
import hashlib
import multiprocessing
import secrets
import sys
from pathlib import Path

from simkit import system

DIGEST = hashlib.sha256().digest_size


class CodeFile:
    """File with the machine code of an entry, headed by the SHA-256 digest of its content."""

    def __init__(self, folder: str, family: str, stamp: str) -> None:
        self.path, self.family = Path(folder, f"{family}-{stamp[:24]}.nbc"), family

    def load(self) -> bytes | None:
        """Return the content, or None if the file is missing, damaged or cannot be read."""
        try:
            whole = self.path.read_bytes()
        except OSError:
            return None
        digest, content = whole[:DIGEST], whole[DIGEST:]
        return content if hashlib.sha256(content).digest() == digest else None

    def save(self, content: bytes) -> None:
        """Write the content, and delete the files of earlier versions; warn if this is not possible."""
        unfinished = self.path.with_name(f".{self.path.name}.{secrets.token_hex(8)}.tmp")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                unfinished.write_bytes(hashlib.sha256(content).digest() + content)
                system.replace(unfinished, self.path)
            finally:
                unfinished.unlink(missing_ok=True)
            for path in self.path.parent.glob(f"{glob.escape(self.family)}-*.nbc"):
                if path != self.path:
                    system.remove(path)
        except OSError as error:
            _warn_uncached(self.path.parent, error.strerror or str(error))


@functools.cache
def _warn_uncached(folder: Path, reason: str) -> None:
    """Warn once per process that compiled code cannot be cached; workers leave this to their parent."""
    if multiprocessing.parent_process() is None:
        cure = "playing goes on, but the next command compiles again"
        print(f"simkit: compiled code cannot be cached in {folder}: {reason}; {cure}", file=sys.stderr)
