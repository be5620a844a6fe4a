"""A run folder from a stranger, or an edited one, is used or refused in one line, and leads nowhere else."""

import itertools
import json
import os
import shutil
from contextlib import suppress
from copy import deepcopy
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hostile import MARKUP, call, fuzz, hostile, writes_only_below
from hypothesis import strategies as st

from simkit.errors import UsageError
from simkit.runs import experiment, manifest, runner
from simkit.runs.run import SEARCH, SIDE_RUNS, open_run, open_unfinished
from simkit.runs.shards import Layout
from simkit.runs.storage import checksums

KEYS = {
    "question": "?",
    "game": "pig",
    "deals": 8,
    "seed": 5,
    "trace": 4,
    "lineups": ["hold_at, random"],
    "sweep": {"goal": [30, 60]},
}
ASKED = experiment.parse(KEYS)
SMALL = Layout(40, 40)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return runner.run(ASKED, tmp_path_factory.mktemp("whole") / "run", layout=SMALL)


@pytest.fixture
def copy(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "copy"))


LINKS = [
    ".lock",
    ".manifest.json.tmp",
    ".checksums.txt.tmp",
    "checksums.txt",
    "experiment.toml",
    "files/cards.csv",
    "games",
    "turns/new",
]


@pytest.mark.parametrize("name", LINKS)
def test_nothing_is_written_through_a_link_in_a_run_folder(copy, tmp_path, capsys, name):
    outside = tmp_path / "outside"
    if os.path.lexists(copy / name):
        shutil.move(copy / name, outside)
    else:
        outside.write_text("mine")
    before = sorted(outside.iterdir()) if outside.is_dir() else outside.read_bytes()
    (copy / name).parent.mkdir(exist_ok=True)
    (copy / name).symlink_to(outside)
    longer = ASKED.model_copy(update={"deals": 20})
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
    told = {name: of for name, of in checksums.read_digests(folder).items() if name not in last}
    told["games/\x1b[2J\x9b1m\u202egnp.parquet"] = 64 * "0"
    (folder / checksums.FILE).write_text("".join(f"{of}  {name}\n" for name, of in told.items()))
    manifest.note(folder, finished=None, command="rm -rf ~\x1b[2J\r" + 9_999 * "x")


def test_what_a_run_folder_says_gives_no_orders_to_the_terminal_and_no_command_to_type(copy, capsys):
    stopped(copy)
    words = manifest.read(copy)["words"]
    words["strategies"]["hold_at"]["label"] = words["title"] = "Bob\x1b[2J\x9b1m\r\u202e"
    manifest.note(copy, words=words)
    goes_on = f"simkit run {copy / 'experiment.toml'} -o {copy}"
    for more in ((), ("--json",)):
        told = call(capsys, "status", str(copy), *more).out
        assert goes_on in told and all(line.isprintable() for line in told.splitlines())
    told = call(capsys, "status", str(copy)).out
    assert f"goes on with: {goes_on}\nas it says itself it was begun with: rm -rf ~\\x1b[2J" in told
    for more in (("--table",), ("-o", "-", "--format", "md"), ("-o", "-", "--format", "json")):
        told = call(capsys, "report", str(copy), *more).out
        assert "Bob" in told and not set("\x1b\x9b\r\u202e") & set(told)
    runner.run(experiment.load(copy / "experiment.toml"), copy, layout=SMALL)  # what goes on
    assert call(capsys, "status", str(copy)).out.startswith(f"{copy} is finished")


MARKS = {
    "its looks": lambda folder: (folder / SIDE_RUNS).mkdir(),
    "its answer": lambda folder: (folder / SEARCH).write_text("{}"),
    "the checksum of its answer": lambda folder: checksums.note(folder, {SEARCH: 64 * "0"}),
}


@pytest.mark.parametrize("mark", MARKS.values(), ids=list(MARKS))
def test_of_a_search_status_names_no_command_that_would_throw_its_answer_away(copy, capsys, mark):
    stopped(copy)
    manifest.note(copy, command="simkit fair pig --vary goal=30:60")
    mark(copy)
    told = call(capsys, "status", str(copy)).out
    assert "simkit run" not in told
    assert "goes on with: the command of its search\nas it says itself it was begun with: simkit fair" in told
    told = json.loads(call(capsys, "status", str(copy), "--json").out)
    assert told["command"] is None and told["begun_with"] == "simkit fair pig --vary goal=30:60"


def test_the_answer_of_a_run_that_is_not_finished_is_told_as_that_of_a_part(copy, capsys):
    stopped(copy)
    beware, answer = call(capsys, "report", str(copy)).out.splitlines()[:2]
    assert beware.startswith("Beware: The run is not finished: this tells of ") and answer.startswith(
        "Answer: "
    )


def signed(folder, change):
    """A manifest with a checksum that fits, after a change."""
    path = folder / "manifest.json"
    known = json.loads(path.read_text())
    known.pop("checksum")
    change(known)
    manifest.write(folder, known)


WRONG = {
    "no experiment": lambda m: m.pop("experiment"),
    "no cells": lambda m: m.update(cells=[]),
    "another number of seats": lambda m: m["cells"][0].update(seats=3),
    "no rotations": lambda m: m["cells"][0].update(rotations=0),
    "another lineup": lambda m: m["cells"][1].update(lineup=["random", "hold_at"]),
    "an unknown key of a cell": lambda m: m["cells"][0].update(x=1),
    "swept options that are not swept": lambda m: m["cells"][0].update(varied={"faces": 6}),
    "no layout": lambda m: m.update(layout=[0, 0]),
    "a layout of texts": lambda m: m.update(layout=["40", "40"]),
    "shards without number": lambda m: m.update(layout=[1, 1], spans=[10**9], experiment=m["experiment"] | {"deals": 10**9}, cells=[c | {"deals": 10**9} for c in m["cells"]]),
    "spans that fall": lambda m: m.update(spans=[8, 4]),
    "spans beyond the deals": lambda m: m.update(spans=[9]),
    "no spans": lambda m: m.update(spans=None),
    "no columns": lambda m: m.pop("columns"),
    "a command of two": lambda m: m.update(command=["rm", "-rf"]),
    "an end that is a number": lambda m: m.update(finished=1),
    "a beginning at no time": lambda m: m.update(started="x"),
    "values of two kinds of an option": lambda m: m["cells"][1]["varied"].update(goal="x"),
    "a value that no column holds": lambda m: m["cells"][0]["varied"].update(goal=2**40),
    "seconds that are none": lambda m: m.update(seconds="x"),
    "another seed than the experiment's": lambda m: m.update(seed=6),
    "words that are none": lambda m: m.update(words={}),
    "no words for a strategy": lambda m: m["words"]["strategies"].pop("random"),
    "no words for an option": lambda m: m["words"]["options"].pop("goal"),
}  # fmt: skip


@pytest.mark.parametrize("change", WRONG.values(), ids=list(WRONG))
def test_a_manifest_that_cannot_be_is_refused_although_its_checksum_fits(copy, capsys, change):
    signed(copy, change)
    for words in (["report"], ["status"], ["replay", "0"]):
        heard = call(capsys, words[0], str(copy), *words[1:])
        assert heard.code == 2 and "manifest.json: is not the manifest of a run: " in heard.err, heard


OTHER_TABLES = {
    "no table of seats": lambda m: m["columns"].pop("seats"),
    "seats without the share": lambda m: m["columns"]["seats"].pop("share"),
    "games without the reason": lambda m: m["columns"]["games"].pop("end_reason"),
    "a trace without the turn": lambda m: m["columns"]["turns"].pop("turn"),
    "an option of texts": lambda m: [cell["varied"].update(goal="x") for cell in m["cells"]],
}


@pytest.mark.parametrize("change", OTHER_TABLES.values(), ids=list(OTHER_TABLES))
def test_a_manifest_of_other_tables_than_those_in_the_folder_is_refused_with_the_first_of_them(
    copy, capsys, change
):
    signed(copy, change)
    for words in (["report", str(copy)], ["replay", str(copy), "0"]):
        heard = call(capsys, *words)
        assert heard.code == 2 and ".parquet: is not a table of this run: its columns differ" in heard.err


def test_games_that_fail_need_a_column_of_the_fault(copy, capsys):
    signed(copy, lambda m: m["experiment"].update(keep_going=True))
    kept = experiment.parse(manifest.read(copy)["experiment"])
    (copy / "experiment.toml").write_text(kept.to_toml())
    for command in ("report", "status"):
        heard = call(capsys, command, str(copy))
        assert heard.code == 2 and ".parquet: is not a table of this run: its columns differ" in heard.err


def rewritten(folder, change):
    """A table in the place of the first one of the seats, with a checksum that fits."""
    name = open_unfinished(folder).shards[0].files[-2]
    made = change(pl.read_parquet(folder / name))
    made.write_parquet(folder / name) if isinstance(made, pl.DataFrame) else (folder / name).write_bytes(made)
    checksums.note(folder, {name: checksums.digest(folder / name)})
    return name


FOREIGN = {
    "of another kind": lambda rows: b"PAR1 no table PAR1",
    "of other columns": lambda rows: pl.DataFrame({"x": [1, 2]}),
    "of fewer rows": lambda rows: rows.head(3),
    "with a column less": lambda rows: rows.drop("share"),
    "with shares that are texts": lambda rows: rows.with_columns(share=pl.lit("half")),
    "with seats that are texts": lambda rows: rows.with_columns(pl.col("seat").cast(pl.String)),
}


def revalued(path, column, change):
    """Values of a column of a table become others: of the kind of the column where they can be."""
    rows = pq.read_table(path)
    place, kind = rows.column_names.index(column), rows.schema.field(column).type
    values = [change(value) for value in rows.column(column).to_pylist()]
    try:
        made = pa.array(values, pa.string() if pa.types.is_dictionary(kind) else kind)
    except (pa.ArrowException, TypeError, OverflowError):
        made = pa.array([None if value is None else str(value) for value in values])
    made = made.dictionary_encode() if pa.types.is_dictionary(kind) else made
    as_before = made.type == kind and not made.null_count
    name = rows.schema.field(column) if as_before else column
    pq.write_table(rows.set_column(place, name, made), path)


def all_revalued(folder, table, column, change):
    """All files of a table, with checksums that fit."""
    for path in sorted((folder / table).glob("*.parquet")):
        revalued(path, column, change)
        checksums.note(folder, {f"{table}/{path.name}": checksums.digest(path)})


FORGED = {
    "a seat that the game has not": ("seats", "seat", lambda seat: 99),
    "a cell that the run has not": ("seats", "cell", lambda cell: 77),
    "all of one deal": ("seats", "deal", lambda deal: 0),
    "another turn of the lineup": ("seats", "rotation", lambda turn: 1 - turn),
    "who did not sit there": ("seats", "strategy", lambda name: "random"),
    "nobody": ("seats", "strategy", lambda name: None),
    "no share": ("seats", "share", lambda share: None),
    "a share that is no number": ("seats", "share", lambda share: float("nan")),
    "a share of more than a game": ("seats", "share", lambda share: 2 * share),
    "no rank": ("seats", "rank", lambda rank: None),
    "no score": ("seats", "score", lambda score: None),
    "a game of another cell": ("games", "cell", lambda cell: 1 - cell),
    "one game only": ("games", "play", lambda play: 0),
    "a game without turns": ("games", "turns", lambda turns: None),
    "rules that are texts": ("games", "goal", lambda goal: "x"),
    "counts of the game's own that are texts": ("games", "rolls", lambda rolls: "x"),
    "a rank beyond the seats": ("seats", "rank", lambda rank: 2**31 - 1 if rank > 1 else rank),
    "a first player beyond the seats": ("games", "first", lambda first: 2**31 - 1),
    "fewer turns than none": ("games", "turns", lambda turns: -1),
    "as many decisions as fit": ("turns", "decisions", lambda decisions: 2**31 - 1),
    "as few decisions as fit": ("turns", "decisions", lambda decisions: -(2**31)),
    "fewer steps than decisions": ("turns", "steps", lambda steps: 0),
    "a winner beyond the seats": ("games", "winner", lambda winner: 2),
    "a turn before the first": ("turns", "turn", lambda turn: 0),
    "turns of a game that was not traced": ("turns", "deal", lambda deal: 7),
    "turns of a play that is none": ("turns", "play", lambda play: 2**40),
    "turns of one seat only": ("turns", "seat", lambda seat: 0),
    "turns of a seat that the game has not": ("turns", "seat", lambda seat: -1),
}


@pytest.mark.parametrize("table, column, change", FORGED.values(), ids=list(FORGED))
def test_a_table_with_values_that_this_run_cannot_have_is_refused_although_its_checksum_fits(
    copy, capsys, table, column, change
):
    all_revalued(copy, table, column, change)
    again = ["run", str(copy / "experiment.toml"), "-o", str(copy)]
    for words in (["report", str(copy)], ["replay", str(copy), "0"], again):
        heard = call(capsys, *words)
        assert heard.code == 2 and f"{copy / table}/" in heard.err, heard
        assert ".parquet: is not a table of this run" in heard.err, heard


def test_a_part_of_a_run_is_told_of_by_tables_that_it_can_have_alone(copy, capsys):
    """given a run that is not finished, when its tables are forged, then they are refused, too."""
    stopped(copy)
    assert call(capsys, "replay", str(copy), "0").code == 0
    all_revalued(copy, "seats", "share", lambda share: None)
    for words in (["report", str(copy)], ["replay", str(copy), "0"]):
        heard = call(capsys, *words)
        assert (
            heard.code == 2 and "is not a table of this run: impossible values in column share" in heard.err
        ), heard


def test_the_file_and_the_column_are_named_that_cannot_be(copy, capsys):
    last = open_run(copy).shards[-1].file
    first = pl.read_parquet(copy / "seats" / last)["play"][0]
    revalued(copy / "seats" / last, "play", lambda play: play + 2**40 if play == first else play)
    checksums.note(copy, {f"seats/{last}": checksums.digest(copy / "seats" / last)})
    heard = call(capsys, "report", str(copy))
    assert f"seats/{last}: is not a table of this run: impossible values in column play; restore" in heard.err


FORGED_OUTCOMES = {
    "a share that the rank does not give": ("seats", "share", lambda share: 1 - share),
    "another winner": ("games", "winner", lambda winner: 0),
    "draws": ("games", "draw", lambda draw: True),
    "other rules": ("games", "goal", lambda goal: 50),
    "scores at the end of their range": ("seats", "score", lambda score: 2**31 - 1),
    "traced scores at the end of their range": ("turns", "score", lambda score: -(2**31)),
}


@pytest.mark.parametrize("table, column, change", FORGED_OUTCOMES.values(), ids=list(FORGED_OUTCOMES))
def test_outcomes_that_a_run_can_have_are_up_to_the_checksums(copy, capsys, table, column, change):
    """given other outcomes, when their checksums are as before, then refused; when they fit, then a page."""
    for path in sorted((copy / table).glob("*.parquet")):
        revalued(path, column, change)
    assert call(capsys, "report", str(copy)).code == 2
    all_revalued(copy, table, column, lambda value: value)
    assert call(capsys, "report", str(copy)).code == 0


@pytest.mark.parametrize("change", FOREIGN.values(), ids=list(FOREIGN))
def test_a_table_that_no_run_has_written_is_refused_although_its_checksum_fits(copy, capsys, change):
    name = rewritten(copy, change)
    for words in (["report", str(copy)], ["replay", str(copy), "0"]):
        heard = call(capsys, *words)
        assert heard.code == 2 and f"{name}: is no" in heard.err, heard


@pytest.mark.parametrize("column", ["score", "strategy"])
def test_a_column_of_an_extension_type_is_refused_although_its_checksum_fits(copy, capsys, column):
    for path in sorted((copy / "seats").glob("*.parquet")):
        rows = pq.read_table(path)
        place = rows.column_names.index(column)
        field = rows.schema.field(place).with_metadata({"ARROW:extension:name": "a.kind"})
        pq.write_table(pa.Table.from_arrays(rows.columns, schema=rows.schema.set(place, field)), path)
        checksums.note(copy, {f"seats/{path.name}": checksums.digest(path)})
    for words in (["report", str(copy)], ["replay", str(copy), "0"]):
        heard = call(capsys, *words)
        assert (
            heard.code == 2
            and ".parquet: is not a table of this run: its columns differ; restore" in heard.err
        ), heard


def test_a_table_and_a_manifest_that_both_lack_what_every_run_has_are_refused(copy, capsys):
    for name in [name for shard in open_unfinished(copy).shards for name in shard.files if "seats" in name]:
        pl.read_parquet(copy / name).drop("share").write_parquet(copy / name)
        checksums.note(copy, {name: checksums.digest(copy / name)})
    signed(copy, lambda m: m["columns"]["seats"].pop("share"))
    for words in (["report", str(copy)], ["replay", str(copy), "0"]):
        heard = call(capsys, *words)
        assert heard.code == 2 and "is not a table of this run: its columns differ" in heard.err, heard


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
    "an option that was not varied": ANSWER | {"values": [ROW | {"option": "faces"}]},
    "another option than the run": json.loads(json.dumps(ANSWER).replace("goal", "faces")),
    "a look that leads elsewhere": ANSWER | {"points": [POINT | {"look": "../../x"}]},
    "a point without its place": ANSWER | {"points": [{k: v for k, v in POINT.items() if k != "goal"}]},
    "a share that is none": ANSWER | {"points": [POINT | {"share": float("nan")}]},
    "a curve of texts": ANSWER | {"curve": ["x"]},
    "a curve of another lineup alone": ANSWER | {"curve": [LINE | {"lineup": "c, d"}]},
    "no curve": ANSWER | {"curve": []},
    "a look with a name too long for a folder": ANSWER | {"points": [POINT | {"look": 300 * "a"}]},
    "a look of no deals": ANSWER | {"points": [POINT | {"deals": -5}]},
    "an interval beyond all shares": ANSWER | {"points": [POINT | {"low": -1e308, "high": 1e308}]},
    "a value beyond the range": ANSWER | {"values": [ROW | {"value": 1e308}]},
    "a curve that leaves the range": ANSWER | {"curve": [LINE | {"x": 1e308}]},
    "a curve of shares that are none": ANSWER | {"curve": [LINE | {"share": -1e308}]},
    "a fair share that is none": ANSWER | {"fair": -1.5},
}


@pytest.mark.parametrize("known", NO_ANSWER.values(), ids=list(NO_ANSWER))
def test_what_is_no_answer_of_a_search_is_refused_although_its_checksum_fits(copy, capsys, known):
    answered(copy, known)
    heard = call(capsys, "report", str(copy))
    assert heard.code == 2 and "search.json: is not the answer of a search: " in heard.err, heard


FORGED_ANSWERS = {
    "a lineup without a value": ANSWER | {"unfit": ["\x1b[2J"]},
    "a point beyond the range": ANSWER | {"points": [POINT | {"goal": 99}]},
    "an interval that falls": ANSWER | {"points": [POINT | {"low": 0.6, "high": 0.4}]},
    "ends of a value that fall": ANSWER | {"values": [ROW | {"low": 50.0, "high": 31.0}]},
    "a value twice": ANSWER | {"values": [ROW, ROW]},
    "a range that falls": ANSWER | {"vary": {"goal": [60, 30]}},
    "a range of one number": ANSWER | {"vary": {"goal": [40, 40]}},
    "places at the end of their range": ANSWER
    | {"values": [ROW | {"value": 1e100, "low": -1e100, "high": 1e100}], "curve": [LINE | {"x": 1e100}]},
}


@pytest.mark.parametrize("known", FORGED_ANSWERS.values(), ids=list(FORGED_ANSWERS))
def test_an_answer_that_contradicts_itself_is_up_to_the_checksums_and_makes_a_page(copy, capsys, known):
    answered(copy, played(known))
    assert call(capsys, "report", str(copy)).code == 0


@pytest.mark.parametrize(
    "lineup, best", [("a, b", 30), ("hold_at, random", 40), ("all lineups together", 30)]
)
def test_an_answer_of_another_search_than_the_run_has_checked_is_refused(copy, capsys, lineup, best):
    known = json.loads(json.dumps(ANSWER).replace("a, b", lineup))
    known["values"][0]["best"] = best
    answered(copy, known)
    heard = call(capsys, "report", str(copy))
    assert heard.code == 2 and "search.json is not the answer of a search that this run" in heard.err, heard


STRANGE = st.sampled_from(
    [None, True, -1, 0, 1, 3, 2**70, 1e308, 0.5, "", "x", "\x1b[2J", "../../x", "{0.__class__}", [], {}, [0], {"x": 1}]
) | st.sampled_from(MARKUP)  # fmt: skip


@st.composite
def edits(draw):
    """A change of a run folder: bytes of a file, a file for another, or a value of a manifest then signed.

    Or values of a column of a table, with checksums that fit.
    """
    kinds = ["value", "value", "bytes", "gone", "folder", "swap", "column", "column", "column"]
    kind = draw(st.sampled_from(kinds))
    places = draw(st.lists(st.integers(0, 2**16), min_size=8, max_size=8))
    value = draw(STRANGE)
    data = draw(st.binary(max_size=6))

    def edit(folder):
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        one, other = (files[place % len(files)] for place in places[:2])
        if kind == "value":
            signed(folder, lambda known: put(known, places, value))
        elif kind == "column":
            put_in_column(folder, places, value)
        elif kind == "bytes":
            before = one.read_bytes()
            at = places[2] % (len(before) + 1)
            one.write_bytes(before[:at] + data + before[at + places[3] % 8 :])
        elif kind == "swap":
            one.write_bytes(other.read_bytes())
        else:
            one.unlink()
            if kind == "folder":
                one.mkdir()

    return edit


def put_in_column(folder, places, value):
    """Put a value into some rows of a column of a table, or into all of all its files."""
    tables = sorted(folder.glob("*/*.parquet"))
    if not tables:
        return
    path = tables[places[0] % len(tables)]
    names = pq.read_schema(path).names
    column, some = names[places[1] % len(names)], places[2] % 3
    rows = itertools.count(places[3])
    all_revalued(
        folder, path.parent.name, column, lambda old: value if not some or not next(rows) % 5 else old
    )


def put(known, places, value):
    """Put a value somewhere in a document."""
    for place in places:
        key = sorted(known)[place % len(known)] if isinstance(known, dict) else place % len(known)
        if not isinstance(known[key], dict | list) or not known[key] or place % 7 == 0:
            break
        known = known[key]
    known[key] = value


@hostile
def test_any_run_folder_is_told_of_or_refused_and_nothing_beside_it_is_written(
    whole, times, tmp_path, capsys
):
    folder = tmp_path / "run"

    def promise(changes):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole, folder)
        for change in changes:
            if (folder / "manifest.json").is_file():
                with suppress(ValueError, OSError):  # a manifest or table that was damaged before
                    change(folder)
        with writes_only_below(folder):
            for words in (["status", str(folder)], ["report", str(folder)], ["replay", str(folder), "3"]):
                call(capsys, *words)

    fuzz(times.many // 3, st.lists(edits(), min_size=1, max_size=2), promise)


@hostile
def test_any_answer_of_a_search_is_told_of_or_refused(copy, times, capsys):
    known = played(ANSWER)
    answered(copy, known)
    assert call(capsys, "report", str(copy)).code == 0

    def promise(change):
        places, value = change
        changed = deepcopy(known)
        put(changed, places, value)
        answered(copy, changed)
        call(capsys, "report", str(copy))

    values = STRANGE | st.integers(28, 62) | st.floats(-0.1, 1.1)
    places = st.lists(st.integers(0, 2**16), min_size=8, max_size=8)
    fuzz(times.many // 3, st.tuples(places, values), promise)


def played(known):
    """An answer with the lineup that the run has, and a best number that it played."""
    return json.loads(
        json.dumps(known).replace("a, b", "hold_at, random").replace('"best": 40', '"best": 30')
    )


def answered(folder, known):
    """The answer of a search beside a run, with a checksum that fits."""
    (folder / SEARCH).write_text(json.dumps(known))
    checksums.note(folder, {SEARCH: checksums.digest(folder / SEARCH)})


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo], ids=["folder", "pipe"])
@pytest.mark.parametrize("name", ["checksums.txt", "experiment.toml", "manifest.json"])
def test_a_folder_or_a_pipe_in_the_place_of_a_file_is_told(copy, capsys, name, make):
    (copy / name).unlink()
    make(copy / name)
    for command in ("status", "report"):
        heard = call(capsys, command, str(copy))
        assert heard.code == 2 and name in heard.err
