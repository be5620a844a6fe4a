"""A page as PDF, printed by an installed Chromium without network access."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from simkit.errors import UsageError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",)  # macOS
NO_BROWSER = (
    "a PDF is printed by Chromium or Chrome, and none was found: install one (Debian: apt install chromium)"
)
TIMEOUT = 120  # seconds, more than the longest page takes


def pdf(page: str) -> bytes:
    """Return an HTML page as the bytes of a PDF; raise UsageError if there is no browser or it fails."""
    browser = _browser()
    with tempfile.TemporaryDirectory(prefix="simkit-") as folder:
        source, printed = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        words = [browser, "--headless", "--disable-gpu", "--no-pdf-header-footer", *_as_root()]
        words += [f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}", source.as_uri()]
        try:
            process = subprocess.run(words, capture_output=True, timeout=TIMEOUT, text=True, errors="replace")
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UsageError(f"{browser}: could not print the page: {error}") from None
        if not printed.is_file():
            message = (process.stderr.strip().splitlines() or [f"exit code {process.returncode}"])[-1]
            raise UsageError(f"{browser}: could not print the page: {message}")
        return printed.read_bytes()


def _browser() -> str:
    installed = filter(None, map(shutil.which, (*NAMES, *PLACES)))
    browser = next(installed, None)
    if browser is None:
        raise UsageError(NO_BROWSER)
    return browser


def _as_root() -> list[str]:
    """Return the option for root, to whom Chromium refuses its sandbox."""
    return ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
