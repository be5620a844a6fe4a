"""Pages as PDF, printed by an installed Chromium without network access."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from simkit.errors import UsageError

BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
BROWSERS += ["microsoft-edge", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
NO_BROWSER = (
    "a PDF is printed by Chromium or Chrome, and none was found: install one (Debian: apt install chromium)"
)
OPTIONS = ["--headless", "--disable-gpu", "--no-pdf-header-footer"]
if hasattr(os, "geteuid") and os.geteuid() == 0:
    OPTIONS.append("--no-sandbox")  # Chromium refuses its sandbox to root
TIMEOUT = 120  # seconds, more than the longest page takes


def pdf(page: str) -> bytes:
    """Return an HTML page as the bytes of a PDF; raise UsageError if there is no browser or it fails."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise UsageError(NO_BROWSER)
    with tempfile.TemporaryDirectory(prefix="simkit-") as folder:
        source, printed = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        words = [browser, *OPTIONS, f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}"]
        try:
            process = subprocess.run(
                [*words, source.as_uri()], capture_output=True, timeout=TIMEOUT, text=True, errors="replace"
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UsageError(f"{browser}: could not print the page: {error}") from None
        if not printed.is_file():
            message = (process.stderr.strip().splitlines() or [f"exit code {process.returncode}"])[-1]
            raise UsageError(f"{browser}: could not print the page: {message}")
        return printed.read_bytes()
