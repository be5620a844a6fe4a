"""A page on paper: printed by an installed Chromium, without a network."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from simkit.errors import UsageError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",)  # where macOS has it
NEEDED = (
    "a PDF is printed by Chromium or Chrome, and none was found: install one (Debian: apt install chromium)"
)
SECONDS = 120  # more than the longest page takes


def pdf(page: str) -> bytes:
    """The bytes of a PDF of a page (HTML). Errors: UsageError if there is no browser, or it fails."""
    browser = _browser()
    with tempfile.TemporaryDirectory(prefix="simkit-") as folder:
        source, printed = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        words = [browser, "--headless", "--disable-gpu", "--no-pdf-header-footer", *_as_root()]
        words += [f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}", source.as_uri()]
        try:
            done = subprocess.run(words, capture_output=True, timeout=SECONDS, text=True, errors="replace")
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UsageError(f"{browser}: could not print the page: {error}") from None
        if not printed.is_file():
            said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            raise UsageError(f"{browser}: could not print the page: {said}")
        return printed.read_bytes()


def _browser() -> str:
    found = filter(None, map(shutil.which, (*NAMES, *PLACES)))
    browser = next(found, None)
    if browser is None:
        raise UsageError(NEEDED)
    return browser


def _as_root() -> list[str]:
    """Chromium refuses its sandbox to root."""
    return ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
