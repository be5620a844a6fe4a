"""Sheets at addresses (https, s3, gs): fetched once per command into the cache folder, with limits."""

import hashlib
import re
from functools import cache
from pathlib import PurePosixPath
from threading import Thread

from simkit.engine.sheet_files import MOST_BYTES
from simkit.errors import UsageError
from simkit.runs.storage import atomic, remote
from simkit.runs.storage.remote import cache_folder

MOST_SECONDS = 30
PROTOCOLS = ("https://", "s3://", "gs://")
CURE = "; check the address, the network, and that the sheet is public"
SUFFIXES = (".csv", ".tsv", ".xlsx")


@cache
def local_copy(path: str) -> str:
    """Return the path of a sheet as it is, or that of a local copy of the sheet at an address."""
    if "://" not in path:
        return path
    address = remote.hide_passwords(path)
    if not path.startswith(PROTOCOLS) or "::" in path:
        right = f"give the path of a file, or an address that begins with {', '.join(PROTOCOLS)}"
        raise UsageError(f"{address}: sheets are not read from there; {right}")
    results = list[bytes | UsageError]()
    thread = Thread(target=_fetch, args=(path, results), daemon=True)  # ends with the command at the latest
    thread.start()
    thread.join(MOST_SECONDS)
    data = results[0] if results else UsageError(f"{address}: no answer within {MOST_SECONDS} seconds")
    if isinstance(data, UsageError):
        raise data
    if len(data) > MOST_BYTES:
        raise UsageError(f"{address}: is too large, a sheet has at most {MOST_BYTES} bytes")
    if data.lstrip()[:1] == b"<":
        cure = "publish the sheet as CSV (Google Sheets: File, Share, Publish to web)"
        raise UsageError(f"{address}: is a web page, no sheet; {cure}")
    digest = hashlib.sha256(path.encode()).hexdigest()[:16]
    atomic.put(file := cache_folder() / "sheets" / digest / _name(path, data, digest[:6]), data)
    return str(file)


def _fetch(address: str, results: list[bytes | UsageError]) -> None:
    """Append the content of an address, cut behind the limit, or the error."""
    try:
        fs, path = remote.file_system(address)
        how = {"block_size": 0} if address.startswith("http") else {}  # 0: a stream, of unknown size
        with remote.remote_errors(address, CURE), fs.open(path, "rb", **how) as file:
            data = b""
            while len(data) <= MOST_BYTES and (part := file.read(MOST_BYTES + 1 - len(data))):
                data += part
        results.append(data)
    except UsageError as error:
        results.append(error)


def _name(address: str, data: bytes, digest: str) -> str:
    """Return a file name for the sheet at an address: `x.csv` for s3://b/x.csv, else one with the digest."""
    name = PurePosixPath(re.split("[?#]", address)[0])
    stem = re.sub(r"[^\w-]+", "_", name.stem)[:40] or "sheet"
    usual = f"-{digest}{'.xlsx' if data.startswith(b'PK') else '.csv'}"
    return stem + (name.suffix if name.suffix in SUFFIXES else usual)
