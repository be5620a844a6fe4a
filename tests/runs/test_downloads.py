"""Sheets at addresses: fetched once, with limits, kept by the run; and what an address may not be."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import fsspec
import pytest

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run
from simkit.runs.plan import load, read_files
from simkit.runs.storage import downloads

SHEET = b"resource,space_1,repeat\nwool,4,2\nwheat,4,2\nfish,5,2\ncoal,3,2\n"
KEYS = {"question": "?", "game": "red_outpost", "deals": 2, "lineups": ["random*2"]}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(downloads, "PROTOCOLS", ("https://", "s3://", "gs://", "memory://", "http://"))
    downloads.local_copy.cache_clear()


@pytest.fixture
def server():
    """A server of pages: path -> content; `/moved` leads to another page, `/slow` never ends."""
    pages, requests = {"/pub": SHEET, "/huge.csv": b"x" * 5_000_001, "/page": b"\n<!DOCTYPE html>"}, []
    ended = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(path := self.path.partition("?")[0])
            if path == "/slow":
                ended.wait(600)
            self.send_response(302 if path == "/moved" else 200 if path in pages else 404)
            self.send_header("Location", "/pub")
            self.end_headers()
            if path in pages:
                self.wfile.write(pages[path])

        def log_message(self, *arguments):
            pass

    running = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{running.server_port}", requests
    ended.set()
    running.shutdown()
    running.server_close()


def refused(address, message):
    with pytest.raises(UsageError) as error:
        downloads.local_copy(address)
    assert message in str(error.value) and str(error.value).isprintable()


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd", "ftp://host/cards.csv", "sftp://host/x", "github://owner:repo@main/x.csv", "HTTPS://x/y",
        "simplecache::https://host/x.csv", "https://host/x.zip::file:///etc/passwd", "zip://x.csv::s3://bucket/x.zip",
    ],
)  # fmt: skip
def test_other_and_chained_addresses_are_refused_without_a_request(address, monkeypatch):
    monkeypatch.setattr(downloads, "PROTOCOLS", ("https://", "s3://", "gs://"))
    refused(
        address,
        "sheets are not read from there; give the path of a file, or an address that begins with https://",
    )


def test_http_without_encryption_is_refused(monkeypatch):
    monkeypatch.setattr(downloads, "PROTOCOLS", ("https://", "s3://", "gs://"))
    refused("http://host/cards.csv", "sheets are not read from there")


def test_a_password_is_not_shown():
    refused("ftp://anna:secret@host/x", "ftp://anna@host/x")


def test_paths_stay_as_they_are():
    for path in ("cards.csv", "a::b.csv", "/x/y", ""):
        assert downloads.local_copy(path) == path


def test_a_published_sheet_is_fetched_once_through_redirects_and_named(server):
    address, requests = server
    path = Path(downloads.local_copy(f"{address}/moved?output=csv"))
    assert path.read_bytes() == SHEET and path.suffix == ".csv" and path.name.startswith("moved-")
    fetches = len(requests)
    assert downloads.local_copy(f"{address}/moved?output=csv") == str(path) and len(requests) == fetches
    assert Path(downloads.local_copy(f"{address}/pub?gid=2")).parent != path.parent


def test_what_is_no_sheet_or_too_much_is_refused(server, monkeypatch):
    address, _ = server
    refused(f"{address}/nowhere.csv", "nowhere.csv: cannot be used")
    refused(f"{address}/huge.csv", "is too large, a sheet has at most 5000000 bytes")
    refused(f"{address}/page", "is a web page, no sheet; publish the sheet as CSV")
    monkeypatch.setattr(downloads, "MOST_SECONDS", 0.5)
    refused(f"{address}/slow", "no answer within 0.5 seconds")
    refused("https://host.invalid/cards.csv", "host.invalid/cards.csv")


def test_the_folder_of_an_experiment_is_not_put_before_an_address(server, tmp_path):
    path = tmp_path / "question.toml"
    lines = [f'{key} = "{KEYS[key]}"' for key in ("question", "game")]
    files = f'deals = 1\nlineups = ["random*2"]\nfiles.export_tracks = "{server[0]}/pub"\n'
    path.write_text("\n".join([*lines, files]))
    assert Path(load(path).files["export_tracks"]).read_bytes() == SHEET


@pytest.mark.slow
def test_a_run_keeps_the_copy_and_needs_the_address_no_more(tmp_path):
    fsspec.filesystem("memory").pipe_file("/tracks.csv", SHEET)
    run = open_run(
        runner.run(
            experiment.parse(KEYS | {"files": {"export_tracks": "memory://tracks.csv"}}), tmp_path / "run"
        )
    )
    fsspec.filesystem("memory").rm("/tracks.csv")
    downloads.local_copy.cache_clear()
    reopened = open_run(tmp_path / "run")
    assert (run.folder / "files/export_tracks.csv").read_bytes() == SHEET
    assert read_files(reopened.experiment)["export_tracks"].values[0] == (4, 2)


def renamed(folder):
    """The sheet with other titles, and what they are called."""
    path = folder / "mine.csv"
    path.write_bytes(SHEET.replace(b"resource", b"Ware").replace(b"repeat", b"Last"))
    path.with_name("mine.columns.toml").write_text('columns = {resource = "Ware", repeat = "Last"}\n')
    return path


@pytest.mark.slow
@pytest.mark.parametrize("how", ["fixed", "swept"])
def test_the_mapping_of_columns_travels_with_the_run(tmp_path, how):
    path = renamed(tmp_path)
    key = "files.export_tracks"
    keys = (
        {"files": {"export_tracks": str(path)}}
        if how == "fixed"
        else {"sweep": {key: ["printed", str(path)]}}
    )
    request = experiment.parse(KEYS | keys)
    run = open_run(runner.run(request, tmp_path / "run"))
    path.with_name("mine.columns.toml").unlink()
    path.unlink()
    copies = {"fixed": "files/export_tracks.columns.toml", "swept": "files/export_tracks/mine.columns.toml"}
    assert (run.folder / copies[how]).is_file()
    tracks = read_files(open_run(tmp_path / "run").experiment, run.cells[-1].varied)["export_tracks"]
    assert (
        tracks.values
        == registry.game("red_outpost")
        .components.files["export_tracks"]
        .read(run.folder / copies[how].replace(".columns.toml", ".csv"))
        .values
    )
    assert "columns matched: resource is 'Ware', repeat is 'Last'" in tracks.summary
    path = renamed(tmp_path)
    path.with_name("mine.columns.toml").write_text(
        'columns = {resource = "Ware", repeat = "Last"}\nignore = []\n'
    )
    with pytest.raises(UsageError, match=r"other contents of the designer's file for export_tracks.*columns"):
        runner.run(experiment.parse(KEYS | keys), tmp_path / "run")
