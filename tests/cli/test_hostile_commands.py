"""Whatever stands on a command line is carried out or refused in one line; nothing is written elsewhere."""

import os
from pathlib import Path

import click
import pytest
from hostile import BELOW, DIGITS, LONGER, NAME, NUMBER, call, fuzz, writes_only_below
from hypothesis import strategies as st

from simkit import cli
from simkit.cli import options
from simkit.engine import limits, registry

PIG = 'question = "Who wins at Pig?"\ngame = "pig"\ndeals = 3\nlineups = ["hold_at*2"]\n'
TWO = ["--lineup", "hold_at*2"]


@pytest.fixture
def sandbox(tmp_path, monkeypatch):
    """A folder to work in, with an experiment; nothing outside is written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pig.toml").write_text(PIG)
    (tmp_path / "...toml").write_text(PIG)
    yield tmp_path
    registry.set_projects([])


GATE, REPORT, RUN = ["gate", "x.lock"], ["report", "run", "-o"], "run/manifest.json"
TAKEN, READ, PART = "is an input or another output", "exists and may be an input", "takes pages only"
OUTPUTS = {
    "a lock": ([*GATE, "--junit", "x.lock"], TAKEN),
    "a lock by another name": ([*GATE, "--markdown", "link"], TAKEN),
    "a lock by its name in capitals": (["history", "plain", "-o", "PLAIN"], TAKEN),
    "a lock without an ending": (["history", "plain", "-o", "plain"], TAKEN),
    "another lock": (["history", "x.lock", "-o", "y.lock"], READ),
    "another output": ([*GATE, "--junit", "a", "--markdown", "./a"], TAKEN),
    "cards that a lock names": ([*GATE, "--junit", "cards.csv"], READ),
    "an experiment": (["history", "x.lock", "-o", "pig.toml"], READ),
    "no file": ([*GATE, "--markdown", "/"], "is a folder or a device"),
    "a manifest": ([*REPORT, RUN], PART),
    "a manifest of another command": ([*GATE, "--junit", RUN], PART),
    "a new file of a run": ([*REPORT, "run/games/x.json"], PART),
    "an experiment of a run": ([*REPORT, "run/experiment.toml", "--format", "md"], READ),
    "checksums behind a link": ([*REPORT, "link.html"], PART),
    "the own experiment": (["run", "own/experiment.toml", "-o", "own"], "choose another folder"),
}


@pytest.mark.parametrize("arguments, message", OUTPUTS.values(), ids=list(OUTPUTS))
def test_no_output_takes_the_place_of_an_input(sandbox, capsys, arguments, message):
    for name in ("x.lock", "y.lock", "plain", "cards.csv", RUN, "run/experiment.toml", "run/checksums.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(name)
    if not Path("PLAIN").exists():  # as it does on Windows and macOS, where capitals do not count
        os.link("plain", "PLAIN")
    Path("link").symlink_to("x.lock")
    Path("link.html").symlink_to("run/checksums.txt")
    Path("own").mkdir()
    Path("own/experiment.toml").write_text(f"# mine\n{PIG}")
    before = {path: path.read_bytes() for path in sandbox.rglob("*") if path.is_file()}
    heard = call(capsys, *arguments)
    assert heard.code == 2 and message in heard.err, heard
    after = {path: path.read_bytes() for path in sandbox.rglob("*") if path.is_file()}
    assert {path: after.get(path) for path in before} == before


def test_every_file_that_a_command_writes_is_compared_with_what_it_reads():
    context = click.Context(cli.cli)
    commands = [cli.cli.get_command(context, name) for name in cli.cli.list_commands(context)]
    files = [(own, part) for own in commands for part in own.params if part.metavar == "FILE"]
    others = {
        (own.name, part.name)
        for own, part in files
        if isinstance(part, click.Option) and not isinstance(part.type, options.Output)
    }
    assert others == {("lock", "file")}  # which must not exist yet


@pytest.mark.posix
@pytest.mark.slow
def test_a_page_takes_the_place_of_a_file_only(sandbox, capsys):
    assert call(capsys, "run", "pig.toml", "-o", "run").code == 0
    os.mkfifo("pipe")
    Path("link.html").symlink_to("page.html")
    for place in (".", "..", "/", "run", "pipe"):
        heard = call(capsys, "report", "run", "-o", place)
        assert heard.code == 2 and "is a folder or a device; name a file" in heard.err
    assert call(capsys, "report", "run", "-o", "link.html").code == 0
    assert Path("link.html").is_symlink() and Path("page.html").is_file() and Path("pipe").is_fifo()


def test_a_page_in_the_run_folder_of_a_stranger_takes_the_place_of_a_link_not_of_what_it_names(
    sandbox, capsys
):
    assert call(capsys, "run", "pig.toml", "-o", "run").code == 0
    Path("mine").write_text("mine")
    for name in ("report.html", "report.md", "figures/seats.png"):
        (link := Path("run", name)).parent.mkdir(exist_ok=True)
        link.symlink_to(Path("mine").resolve())
    assert call(capsys, "report", "run", "--figures", "run/figures").code == 0
    assert call(capsys, "report", "run", "--format", "md").code == 0
    assert Path("mine").read_text() == "mine" and not Path("run/report.html").is_symlink()


def test_a_column_that_nobody_logs_does_not_spoil_the_run(sandbox, capsys):
    """The folder of `simkit compare` keeps only columns that it could compare."""
    request = ["compare", "pig", "--to", "goal=30", *TWO, "--deals", "20", "-o", "run"]
    assert call(capsys, *request).code == 0
    assert call(capsys, *request, "--column", "strategy").code == 2
    assert call(capsys, "report", "run").code == 0


OPTION = st.sampled_from(["goal", "bust", "faces", "nope", "files.cards", "", "goal,faces", "ÿ"])
VALUE = NUMBER | NAME | st.builds("{}:{}".format, NUMBER, NUMBER) | st.builds("{},{}".format, NUMBER, NUMBER)
SETTING = st.builds("{}={}".format, OPTION, VALUE) | NAME
PLAYER = st.builds("{}({}={})*{}".format, st.sampled_from(["hold_at", "x"]), NAME, VALUE, NUMBER)
PLAYER |= st.builds("hold_at({}={})*2".format, st.sampled_from(["threshold", "blunder"]), VALUE) | NAME
AMOUNTS = [f"--{name}" for name in ("seed", "until-width", "margin", "trace", "beginners", "target", "jobs")]
FILE = st.sampled_from(["pig.toml", "run", "..."]) | NAME


def line(*parts):
    """A command line of words, each itself or drawn."""
    return st.tuples(*(part if isinstance(part, st.SearchStrategy) else st.just(part) for part in parts))


LINES = st.one_of(
    st.lists(NAME, max_size=3),
    line(st.sampled_from(["games", "rules", "strategies", "cards", "check", "validate", "play"]), NAME),
    line(st.sampled_from(["cards", "rules"]), st.sampled_from(["pig", "red_outpost"]), "--set", SETTING),
    line("play", "pig", "--brief", st.sampled_from(["--deal", "--seed", "--as-seat"]), NUMBER),
    line("play", "pig", "--brief", "--set", SETTING),
    line("play", "pig", "--brief", "--lineup", PLAYER),
    line("play", "red_outpost", "--cards", NAME),
    line("run", FILE, st.sampled_from(["--set", "--cards", "--backend"]), NAME | SETTING),
    line("run", FILE, st.sampled_from(["-o", "--into"]), BELOW),
    line("run", "pig.toml", st.sampled_from(AMOUNTS), NUMBER),
    line("sweep", "pig", SETTING, *TWO, "--deals", "2"),
    line("sweep", "pig", SETTING, SETTING, *TWO, "--deals", st.sampled_from(["nan", "", DIGITS, "-1"])),
    line("compare", "pig", "--to", SETTING, "--base", SETTING, *TWO, "--deals", "2"),
    line("compare", "pig", "--to", "goal=30", "--column", NAME, *TWO, "--deals", "2"),
    line("fair", "pig", "--vary", st.builds("{}={}".format, OPTION, NUMBER | NAME)),
    line("plan", st.sampled_from(["--effect", "--power", "--margin", "--seats", "--target"]), NUMBER),
    line(st.sampled_from(["report", "plan", "status"]), NAME),
    line("report", "run", st.sampled_from(["--recipe", "--format", "--seconds-per-decision"]), NAME | NUMBER),
    line("report", "run", "-o", BELOW),
    line("replay", FILE, NUMBER),
    line(
        "bench", "pig", "--no-compile", "--seconds", st.sampled_from(["nan", "inf", "-1", "1e300", "", "0"])
    ),
    line("validate", "pig", "--deals", st.sampled_from(["nan", "-1", DIGITS, "1e300", "999"])),
    line("--project", NAME, "games"),
)


@pytest.mark.slow
@pytest.mark.proof("cli", "questions", "reports", "games", "strategies")
def test_any_command_line_is_carried_out_or_refused_and_writes_nowhere_else(sandbox, capsys):
    assert call(capsys, "run", "pig.toml", "-o", "run").code == 0

    def promise(arguments):
        with writes_only_below(sandbox):
            call(capsys, *arguments)
        registry.set_projects([])

    fuzz(LONGER.cheap, LINES, promise)


SHARES = st.floats(limits.LEAST_SHARE, limits.MOST_SHARE)


@pytest.mark.slow
@pytest.mark.proof("cli", "questions.plan")
def test_any_plan_within_the_limits_has_an_answer(sandbox, capsys):
    margins, powers = st.floats(limits.LEAST_SHARE, 0.4999), st.floats(0.1, 0.999)
    request = st.tuples(SHARES, margins, powers, st.integers(2, 20))

    def promise(values):
        words = [
            f"--{name}={value}"
            for name, value in zip(("effect", "margin", "power", "seats"), values, strict=True)
        ]
        heard = call(capsys, "plan", *words)
        assert heard.code == 0 or "leaves no share between 0 and 1" in heard.err

    fuzz(LONGER.few // 3, request, promise)
    fuzz(LONGER.few // 3, SHARES, lambda target: call(capsys, "plan", f"--target={target}"))
