"""A run folder from a stranger, or an edited one, is used or refused in one line, and leads nowhere else."""

import json
import os
import shutil
from copy import deepcopy
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hostile import LONGER, MARKUP, call, fuzz, writes_only_below
from hypothesis import strategies as st

from simkit.errors import UsageError
from simkit.runs import experiment, manifest, runner
from simkit.runs.folder import RESULTS_FILE, SIDE_RUNS, open_run, open_unfinished
from simkit.runs.plan import Layout, load
from simkit.runs.storage import checksums, downloads

EXPERIMENT = experiment.parse({
    "question": "?", "game": "pig", "deals": 8, "seed": 5, "trace": 4,
    "lineups": ["hold_at, random"], "sweep": {"goal": [30, 60]},
})  # fmt: skip
SMALL = Layout(40, 40)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return runner.run(EXPERIMENT, tmp_path_factory.mktemp("whole") / "run", layout=SMALL)


@pytest.fixture
def copy(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "copy"))


LINKS = ".lock .manifest.json.tmp .checksums.txt.tmp checksums.txt experiment.toml files/cards.csv games turns/new"


@pytest.mark.slow
@pytest.mark.parametrize("name", LINKS.split())
def test_nothing_is_written_through_a_link_in_a_run_folder(copy, tmp_path, capsys, name):
    outside = tmp_path / "outside"
    if os.path.lexists(copy / name):
        shutil.move(copy / name, outside)
    else:
        outside.write_text("mine")
    before = sorted(outside.iterdir()) if outside.is_dir() else outside.read_bytes()
    (copy / name).parent.mkdir(exist_ok=True)
    (copy / name).symlink_to(outside)
    longer = EXPERIMENT.model_copy(update={"deals": 20})
    with pytest.raises(UsageError, match=f"{name}: is a link, and a run is played into files of its own"):
        runner.run(longer, copy, layout=SMALL)
    manifest.ask(copy, ("score",))
    assert call(capsys, "status", str(copy)).out.startswith(f"{copy} is finished")
    assert call(capsys, "report", str(copy)).code == 0
    assert before == (sorted(outside.iterdir()) if outside.is_dir() else outside.read_bytes())


def stopped(folder):
    """As if the run had ended before its last shard; what it says of itself is a stranger's."""
    last = open_run(folder).shards[-1].files
    for name in last:
        (folder / name).unlink()
    text = {name: of for name, of in checksums.read_digests(folder).items() if name not in last}
    text["games/\x1b[2J\x9b1m\u202egnp.parquet"] = 64 * "0"
    (folder / checksums.FILE).write_text("".join(f"{of}  {name}\n" for name, of in text.items()))
    manifest.note(folder, finished=None, command="rm -rf ~\x1b[2J\r" + 9_999 * "x")


@pytest.mark.slow
def test_what_a_run_folder_says_gives_no_orders_to_the_terminal_and_no_command_to_type(copy, capsys):
    stopped(copy)
    words = manifest.read(copy).words
    hostile = "Bob\x1b[2J\x9b1m\r\u202e"
    player = words.strategies["hold_at"].model_copy(update={"label": hostile})
    strategies = words.strategies | {"hold_at": player}
    manifest.note(copy, words=words.model_copy(update={"title": hostile, "strategies": strategies}))
    goes_on = f"simkit run {copy / 'experiment.toml'} -o {copy}"
    for more in ((), ("--json",)):
        text = call(capsys, "status", str(copy), *more).out
        assert goes_on in text and all(line.isprintable() for line in text.splitlines())
    text = call(capsys, "status", str(copy)).out
    assert f"Continue with: {goes_on}\nStarted with (from the manifest): rm -rf ~\\x1b[2J" in text
    for more in (("--table",), ("-o", "-", "--format", "md"), ("-o", "-", "--format", "json")):
        text = call(capsys, "report", str(copy), *more).out
        assert "Bob" in text and not set("\x1b\x9b\r\u202e") & set(text)
    runner.run(load(copy / "experiment.toml"), copy, layout=SMALL)  # what goes on
    assert call(capsys, "status", str(copy)).out.startswith(f"{copy} is finished")


MARKS = {
    "its looks": lambda folder: (folder / SIDE_RUNS).mkdir(),
    "its answer": lambda folder: (folder / RESULTS_FILE).write_text("{}"),
    "the checksum of its answer": lambda folder: checksums.note(folder, {RESULTS_FILE: 64 * "0"}),
}


@pytest.mark.parametrize("mark", MARKS.values(), ids=list(MARKS))
def test_of_a_search_status_names_no_command_that_would_throw_its_answer_away(copy, capsys, mark):
    stopped(copy)
    manifest.note(copy, command="simkit fair pig --vary goal=30:60")
    mark(copy)
    document = call(capsys, "status", str(copy)).out
    assert "simkit run" not in document
    assert (
        "Continue with: the command of its search\nStarted with (from the manifest): simkit fair" in document
    )
    document = json.loads(call(capsys, "status", str(copy), "--json").out)
    assert document["command"] is None and document["begun_with"] == "simkit fair pig --vary goal=30:60"


WRONG = {
    "no experiment": lambda keys: keys.pop("experiment"),
    "no cells": lambda keys: keys.update(cells=[]),
    "an unknown key of a cell": lambda keys: keys["cells"][0].update(x=1),
    "a command of two": lambda keys: keys.update(command=["rm", "-rf"]),
    "words that are none": lambda keys: keys.update(words={}),
}
SHEETS = [
    "https://127.0.0.1/a.csv",
    "/etc/passwd",
    "files/../../a.csv",
    r"files/..\..\a.csv",
]  # outside the folder
WRONG |= {name: lambda keys, name=name: keys["experiment"].update(files={"cards": name}) for name in SHEETS}


@pytest.mark.parametrize("change", WRONG.values(), ids=list(WRONG))
def test_a_manifest_that_does_not_fit_its_schema_is_refused(copy, capsys, monkeypatch, change):
    path = copy / "manifest.json"
    keys = json.loads(path.read_text())
    del keys["checksum"]
    change(keys)
    path.write_text(json.dumps(keys | {"checksum": manifest._checksum(keys)}))
    monkeypatch.setattr(downloads, "_fetch", lambda *address: pytest.fail(f"{address} was fetched"))
    heard = call(capsys, "report", str(copy))
    assert heard.code == 2 and "manifest.json: is not the manifest of a run: " in heard.err, heard


def test_tables_of_another_run_with_their_checksums_are_refused(copy, tmp_path, capsys):
    """given tables of a run with other options or deals, with their checksums, then the first is named."""
    for keys, why in (({"sweep": {"faces": [6, 8]}}, "its columns differ"), ({"deals": 7}, "rows, not")):
        other = runner.run(EXPERIMENT.with_keys(**keys), tmp_path / why, layout=SMALL)
        for name in ("games", "seats", "turns"):
            shutil.rmtree(copy / name)
            shutil.copytree(other / name, copy / name)
        shutil.copy(other / checksums.FILE, copy)
        heard = call(capsys, "report", str(copy))
        assert heard.code == 2 and ".parquet: is not a table of this run: " in heard.err and why in heard.err


def without(first, last):
    """Bytes of a table that are lost."""
    return lambda path: path.write_bytes(
        (content := path.read_bytes())[:first] + bytes(last - first) + content[last:]
    )


def rows(change):
    """Other rows in a table."""
    return lambda path: change(pl.read_parquet(path)).write_parquet(path)


def with_impossible_shares(path):
    table = pq.read_table(path)
    place = table.schema.get_field_index("share")
    field = table.schema.field(place)
    pq.write_table(table.set_column(place, field, pa.array([1e300] * len(table), field.type)), path)


FOREIGN = {
    "of another kind": lambda path: path.write_bytes(b"PAR1 no table PAR1"),
    "without what a page says of itself": without(4, 20),
    "without its rows": without(40, 60),
    "of other columns": rows(lambda rows: pl.DataFrame({"x": [1, 2]})),
    "of fewer rows": rows(lambda rows: rows.head(3)),
    "with a column less": rows(lambda rows: rows.drop("share")),
    "with shares that are texts": rows(lambda rows: rows.with_columns(share=pl.lit("half"))),
    "with impossible shares": with_impossible_shares,
}


@pytest.mark.parametrize("change", FOREIGN.values(), ids=list(FOREIGN))
def test_a_table_that_no_run_has_written_is_refused_although_its_checksum_fits(copy, capsys, change):
    name = open_unfinished(copy).shards[0].files[-2]  # the first of the seats
    change(copy / name)
    checksums.note(copy, {name: checksums.digest(copy / name)})
    for words in (["report", str(copy)], ["replay", str(copy), "0"]):
        heard = call(capsys, *words)
        assert heard.code == 2 and f"{name}: is no" in heard.err, heard


def test_impossible_shares_are_seen_before_any_row_is_read(copy):
    name = open_unfinished(copy).shards[0].files[-2]
    with_impossible_shares(copy / name)
    checksums.note(copy, {name: checksums.digest(copy / name)})
    with pytest.raises(UsageError, match="impossible values in column share"):
        open_run(copy)


ROW = {"lineup": "a, b", "option": "goal", "value": 40.5, "low": None, "high": None, "best": 40}
POINT = {
    "look": "wide",
    "lineup": "a, b",
    "seat": 0,
    "share": 0.5,
    "low": 0.4,
    "high": 0.6,
    "deals": 9,
    "goal": 30,
}
LINE = {"lineup": "a, b", "option": "goal", "seat": 0, "x": 30.0, "share": 0.5, "low": 0.4, "high": 0.6}
ANSWER = {"vary": {"goal": [30, 60]}, "usual": {"goal": 100}, "fair": 0.5, "values": [ROW], "points": [POINT]}
ANSWER |= {"curve": [LINE], "differing_lineups": [], "unfit": []}
NO_ANSWER = {
    "a list": [],
    "nothing": {},
    "no values": ANSWER | {"values": []},
    "values of texts": ANSWER | {"values": [ROW | {"best": "x"}]},
    "a number beyond all": ANSWER | {"values": [ROW | {"best": 2**70}]},
    "a value beyond the range": ANSWER | {"values": [ROW | {"value": 1e308}]},
    "an option that was not varied": ANSWER | {"values": [ROW | {"option": "faces"}]},
    "another option than the run": json.loads(json.dumps(ANSWER).replace("goal", "faces")),
    "a look that leads elsewhere": ANSWER | {"points": [POINT | {"look": "../../x"}]},
    "a look with a name too long for a folder": ANSWER | {"points": [POINT | {"look": 300 * "a"}]},
    "a look of no deals": ANSWER | {"points": [POINT | {"deals": -5}]},
    "a point without its place": ANSWER | {"points": [{k: v for k, v in POINT.items() if k != "goal"}]},
    "a share that is none": ANSWER | {"points": [POINT | {"share": float("nan")}]},
    "no curve": ANSWER | {"curve": []},
    "a curve of another lineup alone": ANSWER | {"curve": [LINE | {"lineup": "c, d"}]},
    "a curve that leaves the range": ANSWER | {"curve": [LINE | {"x": 1e308}]},
}  # fmt: skip


@pytest.mark.parametrize("expected", NO_ANSWER.values(), ids=list(NO_ANSWER))
def test_what_is_no_answer_of_a_search_is_refused_although_its_checksum_fits(copy, capsys, expected):
    answered(copy, expected)
    heard = call(capsys, "report", str(copy))
    assert heard.code == 2 and "search.json: is not the answer of a search: " in heard.err, heard


FORGED_ANSWERS = {
    "a lineup without a value": ANSWER | {"unfit": ["\x1b[2J"]},
    "a point beyond the range": ANSWER | {"points": [POINT | {"goal": 99}]},
    "an interval that falls": ANSWER | {"points": [POINT | {"low": 0.6, "high": 0.4}]},
    "a value twice": ANSWER | {"values": [ROW, ROW]},
    "a range that falls": ANSWER | {"vary": {"goal": [60, 30]}},
    "ends at the end of all numbers": ANSWER | {"values": [ROW | {"value": 1e100, "low": -1e100, "high": 1e100}]},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("expected", FORGED_ANSWERS.values(), ids=list(FORGED_ANSWERS))
def test_an_answer_that_contradicts_itself_is_up_to_the_checksums_and_makes_a_page(copy, capsys, expected):
    answered(copy, played(expected))
    assert call(capsys, "report", str(copy)).code == 0


STRANGE = st.sampled_from(
    [None, True, -1, 0, 1, 3, 2**70, 1e308, 0.5, "", "x", "\x1b[2J", "../../x", "{0.__class__}", [], {}, [0], {"x": 1}]
) | st.sampled_from(MARKUP)  # fmt: skip


@st.composite
def edits(draw):
    """A change of a run folder: bytes of a file, or another file, a folder or nothing in its place."""
    kind = draw(st.sampled_from(["bytes", "noted", "gone", "folder", "swap"]))
    places = draw(st.lists(st.integers(0, 2**16), min_size=4, max_size=4))
    data = draw(st.binary(max_size=6))

    def edit(folder):
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        first, other = (files[place % len(files)] for place in places[:2])
        if kind in ("bytes", "noted"):
            before = first.read_bytes()
            at = places[2] % (len(before) + 1)
            first.write_bytes(before[:at] + data + before[at + places[3] % 8 :])
            if kind == "noted" and first.suffix == ".parquet":  # with a checksum that fits
                checksums.note(folder, {f"{first.parent.name}/{first.name}": checksums.digest(first)})
        elif kind == "swap":
            first.write_bytes(other.read_bytes())
        else:
            first.unlink()
            if kind == "folder":
                first.mkdir()

    return edit


def put(expected, places, value):
    """Put a value somewhere in a document."""
    for place in places:
        key = sorted(expected)[place % len(expected)] if isinstance(expected, dict) else place % len(expected)
        if not isinstance(expected[key], dict | list) or not expected[key] or place % 7 == 0:
            break
        expected = expected[key]
    expected[key] = value


@pytest.mark.slow
@pytest.mark.proof("runs", "cli", "reports", "games.pig", "strategies.pig")
def test_any_run_folder_is_told_of_or_refused_and_nothing_beside_it_is_written(whole, tmp_path, capsys):
    folder = tmp_path / "run"

    def promise(changes):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole, folder)
        for change in changes:
            change(folder)
        with writes_only_below(folder):
            for words in (["status", str(folder)], ["report", str(folder)], ["replay", str(folder), "3"]):
                call(capsys, *words)

    fuzz(LONGER.cheap // 3, st.lists(edits(), min_size=1, max_size=2), promise)


@pytest.mark.slow
@pytest.mark.proof("runs", "cli", "questions.fair", "reports", "games.pig", "strategies.pig")
def test_any_answer_of_a_search_is_told_of_or_refused(copy, capsys):
    expected = played(ANSWER)
    answered(copy, expected)
    assert call(capsys, "report", str(copy)).code == 0

    def promise(change):
        places, value = change
        changed = deepcopy(expected)
        put(changed, places, value)
        answered(copy, changed)
        call(capsys, "report", str(copy))

    values = STRANGE | st.integers(28, 62) | st.floats(-0.1, 1.1)
    places = st.lists(st.integers(0, 2**16), min_size=8, max_size=8)
    fuzz(LONGER.cheap // 3, st.tuples(places, values), promise)


def played(expected):
    """An answer with the lineup that the run has, and a best number that it played."""
    return json.loads(
        json.dumps(expected).replace("a, b", "hold_at, random").replace('"best": 40', '"best": 30')
    )


def answered(folder, expected):
    """The answer of a search beside a run, with a checksum that fits."""
    (folder / RESULTS_FILE).write_text(json.dumps(expected))
    checksums.note(folder, {RESULTS_FILE: checksums.digest(folder / RESULTS_FILE)})


@pytest.mark.parametrize("make", ["mkdir", pytest.param("mkfifo", marks=pytest.mark.posix)])
@pytest.mark.parametrize("name", ["checksums.txt", "experiment.toml", "manifest.json"])
def test_a_folder_or_a_pipe_in_the_place_of_a_file_is_told(copy, capsys, name, make):
    (copy / name).unlink()
    getattr(os, make)(copy / name)
    for command in ("status", "report"):
        heard = call(capsys, command, str(copy))
        assert heard.code == 2 and name in heard.err
