"""Run folders are named by what was asked, and `simkit runs` lists them."""

import json
import shutil

import pytest

from simkit import cli
from simkit.runs import manifest
from simkit.runs.folder import open_run
from simkit.runs.storage import checksums, lock

NAMES = [
    ("match pig hold_at random --deals 20", "match-pig-hold_at-random-deals-20"),
    ("match pig hold_at(threshold=25) random --deals 20 --seed 0 --jobs 1", "match-pig-hold_at-threshold-25-random-deals-20-seed-0"),
    ("sweep pig goal=20,30 --deals 20 --set bust=0 --until-verdict", "sweep-pig-goal-20-30-deals-20-until_verdict-bust-0"),
    ("compare pig --to goal=20 --deals 20", "compare-pig-goal-20-deals-20"),
    ("equilibrium pig --strategies hold_at,random --deals 100", "equilibrium-pig-hold_at-random-deals-100"),
    ("ablate charms --deals 400 --trace 0", "ablate-charms-deals-400-trace-0"),
    ("fair pig --vary goal=20:30 --deals 100", "fair-pig-goal-20-30-deals-100"),
    ("screen pig --options goal,faces --deals 20 --strongest 1", "screen-pig-goal-faces-strongest-1-deals-20"),
    ("design pig --vary faces=6/8 --wish turns>=14 --trials 2 --deals 20 --confirm 20", "design-pig-faces-6-8-turns-14-trials-2-confirm-20-deals-20"),
]  # fmt: skip


def listed(simkit, folder="runs"):
    code, out, err = simkit("runs", folder, "--json")
    assert code == 0, err
    return {row["run"]: row for row in json.loads(out)}


@pytest.mark.parametrize(("command", "name"), NAMES, ids=[name for _, name in NAMES])
def test_a_run_folder_is_named_by_what_was_asked_and_its_answer_is_listed(simkit, tmp_path, command, name):
    """given a question without -o, then its folder has its name, asked twice the same one, and is listed."""
    code, text, err = simkit(*command.split())
    assert code == 0, err
    begun = manifest.read(tmp_path / "runs" / name).started
    document = json.loads(simkit(*command.split(), "--json")[1])
    assert document["run"] == f"runs/{name}" and [path.name for path in (tmp_path / "runs").iterdir()] == [
        name
    ]
    assert manifest.read(tmp_path / "runs" / name).started == begun
    (row,) = listed(simkit).values()
    run = open_run(f"runs/{name}")
    assert (row["state"], row["game"], row["cells"]) == ("finished", command.split()[1], len(run.cells))
    assert row["games"] == run.games().collect().height and row["question"] == run.experiment.question
    assert row["answer"] and row["answer"] in text


def test_what_is_as_usual_or_said_in_another_order_changes_no_name(simkit, tmp_path):
    simkit("sweep", "pig", "goal=20", "--deals", 20, "--lineup", "hold_at*2", "--trace", 5)
    simkit("sweep", "--trace", 5, "--seed", 1, "pig", "--deals", 20, "--lineup", "hold_at*2", "goal=20")
    assert [path.name for path in (tmp_path / "runs").iterdir()] == [
        "sweep-pig-goal-20-deals-20-trace-5-hold_at-2"
    ]


def test_names_that_would_be_the_same_get_a_digest(simkit, tmp_path):
    """given two questions whose names differ in signs only, then each has a folder, found again when asked again."""
    request = [
        ("sweep", "pig", "goal=20", "--deals", 20, "--lineup", lineup)
        for lineup in ("random,hold_at", "random*1,hold_at")
    ]
    places = [json.loads(simkit(*words, "--json")[1])["run"] for words in [*request, *request]]
    assert places[:2] == places[2:]
    words = ["design", "pig", "--vary", "faces=6/8", "--trials", 2, "--deals", 20, "--confirm", 20, "--json"]
    more, less = (json.loads(simkit(*words, "--wish", wish)[1])["run"] for wish in ("turns>=14", "turns<=14"))
    assert less.startswith(f"{more}-") and len(less) == len(more) + 9
    assert json.loads(simkit(*words, "--wish", "turns<=14")[1])["run"] == less


def test_a_long_question_has_a_name_of_bounded_length(simkit, tmp_path):
    lineups = [
        word for threshold in range(20, 40) for word in ("--lineup", f"hold_at(threshold={threshold})*2")
    ]
    for seed in (1, 2):
        assert simkit("sweep", "pig", "goal=20", "--deals", 2, *lineups, "--seed", seed)[0] == 0
    names = [path.name for path in (tmp_path / "runs").iterdir()]
    assert len(names) == 2 and all(len(name) < 100 for name in names)


@pytest.fixture
def folder(simkit, tmp_path):
    """A folder with runs in all states, and things that are none."""
    assert simkit("sweep", "pig", "goal=20,30", "--deals", 20, "-o", "all/finished")[0] == 0
    for name in ("stopped", "playing", "changed", "lost", "old"):
        shutil.copytree("all/finished", f"all/{name}")
    manifest.note(tmp_path / "all/stopped", finished=None)
    changed = tmp_path / "all/changed/manifest.json"
    changed.write_text(changed.read_text().replace("goal", "gaol"))
    next((tmp_path / "all/lost/games").iterdir()).unlink()
    (tmp_path / "all/old/manifest.json").write_text("{}")
    (tmp_path / "all/search/looks").mkdir(parents=True)
    shutil.copytree("all/stopped", "all/search/side_runs/wide")
    (tmp_path / "all/notes").mkdir()
    (tmp_path / "all/.hidden").mkdir()
    (tmp_path / "all/file.txt").touch()
    return tmp_path / "all"


STATES = {
    "changed": "damaged",
    "finished": "finished",
    "lost": "damaged",
    "notes": "foreign",
    "old": "foreign",
    "playing": "playing",
    "search": "stopped",
    "stopped": "stopped",
}


def test_every_folder_is_listed_with_its_state_in_a_word_and_no_table_is_read(simkit, folder, monkeypatch):
    monkeypatch.setattr(checksums, "digest", lambda path: pytest.fail(f"{path} was read"))
    with lock.hold(folder / "playing"):
        rows = listed(simkit, "all")
        code, out, _ = simkit("runs", "all")
    assert {row["run"].removeprefix("all/"): row["state"] for row in rows.values()} == STATES
    assert code == 0 and [line.split()[:2] for line in out.splitlines()[1:] if line.startswith("all/")] == [
        [f"all/{name}", state] for name, state in STATES.items()
    ]
    assert rows["all/notes"] == {
        "run": "all/notes", "state": "foreign", "game": "", "cells": None, "games": None, "question": "", "answer": "",
    }  # fmt: skip


def test_the_terminal_shows_ten_words_of_an_answer_and_the_document_all(simkit, folder):
    (row,) = listed(simkit, "all/finished").values()
    out = " ".join(simkit("runs", "all/finished")[1].split())
    words = row["answer"].split()
    assert len(words) > 10 and " ".join(words[10:]) not in out
    assert row["games"] == 40 and row["cells"] == 2


def test_a_run_that_was_lengthened_has_no_answer_until_it_is_answered_anew(simkit, folder, monkeypatch):
    simkit("sweep", "pig", "goal=20,30", "--deals", 20, "-o", "all/finished")
    assert listed(simkit, "all/finished")["all/finished"]["answer"]
    monkeypatch.setattr("simkit.ask.results.record", lambda run: pytest.fail("stopped before the answer"))
    with pytest.raises(pytest.fail.Exception):
        cli.main(["sweep", "pig", "goal=20,30", "--deals", "40", "-o", "all/finished"])
    row = listed(simkit, "all/finished")["all/finished"]
    assert row["games"] == 80 and row["answer"] == ""


def test_a_folder_without_runs_and_none_at_all(simkit, tmp_path):
    assert simkit("runs")[0] == 2 and "runs: No such file or directory; give the folder" in simkit("runs")[2]
    (tmp_path / "runs").mkdir()
    assert simkit("runs")[1] == "No runs in runs.\n"
    assert simkit("runs", "--json")[1] == "[]\n"


def test_an_address_is_refused_with_the_command_that_reads_it(simkit):
    code, out, err = simkit("runs", "s3://me:secret@bucket/runs")
    assert (code, out) == (2, "")
    assert err == (
        "simkit: s3://me@bucket/runs: lists of runs are for folders on this machine; "
        "of a run at an address: simkit status ADDRESS\n"
    )
