"""The command line: what it prints, what it refuses in one line, and what it leaves behind."""

import io
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from pkgutil import iter_modules

import click
import polars as pl
import pytest
from rich.progress import Progress as Bars

import simkit as sk
from simkit import cli, questions
from simkit.ask import progress, texts
from simkit.ask.lock_file import Lock
from simkit.ask.question import form_of
from simkit.cli import output, streams
from simkit.engine import registry
from simkit.engine.compile import jit
from simkit.errors import UsageError
from simkit.games import pig
from simkit.runs.experiment import Ablate, Experiment
from simkit.runs.folder import open_run

PIG = """
question = "Who wins at Pig?"
game = "pig"
deals = 30
lineups = ["hold_at*2"]
"""


@pytest.fixture(autouse=True)
def here(tmp_path):
    """The empty folder in which commands are typed has an experiment."""
    (tmp_path / "pig.toml").write_text(PIG)
    return tmp_path


def test_games_are_listed(simkit):
    code, out, _ = simkit("games")
    assert code == 0
    assert "outpost_seven" in out and "pig" in out
    assert {row["game"] for row in json.loads(simkit("games", "--json")[1])} == set(registry.games())


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("cp1252", "-2.0 -> 50 ± 1 >= ½ … Š? é ?"),
        ("cp437", "-2.0 -> 50 ± 1 ≥ ½ ... S? é ?"),
        ("latin-1", "-2.0 -> 50 ± 1 >= ½ ... S? é ?"),
        ("utf-8", "−2.0 → 50 ± 1 ≥ ½ … Š☃ é ?"),
    ],
)
def test_a_terminal_shows_the_nearest_letters_that_it_has(monkeypatch, encoding, expected):
    text, rows = "−2.0 → 50 ± 1 ≥ ½ … Š☃ é \udcff", [{"cards": "☃"}]
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(buffer := io.BytesIO(), encoding))
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO(), encoding))
    streams.prepare()
    click.echo(text)
    output.print_table(rows)
    output.print_json(rows)
    sys.stdout.flush()
    printed = buffer.getvalue().splitlines()
    assert printed[0].decode(encoding) == expected
    assert json.loads(b"".join(printed[-5:]).decode("utf-8")) == rows


def test_the_baseline_of_a_sweep_is_that_of_the_fixed_rule_set(simkit):
    """`simkit sweep --set ruleset=expert` holds the values against the Expert one."""
    line = "sweep outpost hand_capacity_base=5,10 --set ruleset=expert --lineup random*2 --deals 2 -o run"
    assert simkit(line)[0] == 0
    assert open_run("run").experiment.baseline == {"hand_capacity_base": 10}


@pytest.mark.parametrize("game", ["pig", "outpost_seven", "outpost"])
def test_rules_show_every_option_with_range_and_clause(simkit, game):
    out = simkit("rules", game)[1]
    for option in registry.game(game).options:
        line = next(line for line in out.splitlines() if line.startswith(f"{option.name} "))
        assert option.clause in line and option.label.split()[0] in line
    assert len(json.loads(simkit("rules", game, "--json")[1])["options"]) == len(registry.game(game).options)


def test_strategies_are_listed_with_their_weights(simkit):
    out = simkit("strategies", "pig")[1]
    assert "hold_at" in out and "threshold = 20" in out and "1 to 1000" in out and "random" in out
    assert all(strategy.label in out for strategy in registry.strategies(pig.game).values())
    assert "lookahead" in simkit("strategies")[1]


def test_play_tells_a_game_to_its_end(simkit):
    line = "play pig --seed 3 --lineup 'hold_at(threshold=15), hold_at'"
    code, out, _ = simkit(line)
    assert code == 0 and "seat 0: hold_at(threshold=15)" in out
    assert out.splitlines()[-2].startswith("seat 0") and " wins" in "".join(out.splitlines()[-2:])
    assert out == simkit(line)[1] != simkit(line, "--deal", 1)[1]


def test_a_brief_story_speaks_of_players_not_of_seats(simkit):
    out = simkit("play", "pig", "--seed", 3, "--brief")[1]
    assert "the first player rolls a" in out and "seat" not in out.partition("\n")[2]
    assert "red keeps" in simkit("play", "outpost_seven", "--seed", 3, "--brief", "--lineup", "random*2")[1]


def test_run_logs_every_game_and_says_the_shares(simkit):
    code, out, _ = simkit("run pig.toml -o runs/a --deals 40 --seed 9 --set goal=50 --jobs 2")
    assert code == 0 and "95 % interval" in out and "40 games; 95 % intervals" in out
    assert not out.startswith(" ") and "100" in out.splitlines()[0]  # the answer stands first
    games = pl.read_parquet("runs/a/games/*.parquet")
    assert len(games) == 40
    assert "goal" in Path("runs/a/experiment.toml").read_text()


def test_run_again_changes_nothing_and_run_uses_a_folder_under_runs(simkit):
    first = simkit("run", "pig.toml")[1]
    assert simkit("run", "pig.toml")[1] == first
    assert Path("runs/pig/manifest.json").is_file()


def test_sweep_prints_one_json_document_with_share_n_and_interval_per_value(simkit):
    code, out, _ = simkit("sweep pig goal=20:60:20 --lineup hold_at*2 --deals 50 -o runs/s --json")
    document = json.loads(out)
    assert code == 0 and [cell["options"]["goal"] for cell in document["cells"]] == [20, 40, 60]
    for cell in document["cells"]:
        assert cell["n"] == 50 and [seat["seat"] for seat in cell["seats"]] == [0, 1]
        assert sum(seat["share"] for seat in cell["seats"]) == pytest.approx(1)
        assert all(seat["low"] < seat["share"] < seat["high"] for seat in cell["seats"])


def test_sweep_crosses_options_and_takes_lists(simkit):
    out = simkit("sweep pig goal=20,30 bust=0:1 --lineup hold_at*2 --deals 5 --json")[1]
    values = [tuple(cell["options"].values()) for cell in json.loads(out)["cells"]]
    assert values == [(20, 0), (20, 1), (30, 0), (30, 1)]


def test_sweep_plays_a_game_without_options_as_it_is(simkit):
    code, out, _ = simkit("sweep", "kuhn_poker", "--deals", 20, "--json")
    assert code == 0 and [cell["options"] for cell in json.loads(out)["cells"]] == [{}]


def test_matches_of_rotated_lineups_are_told_as_matches_and_seats_apart(simkit):
    """Each of the pair sits in each seat: what seat 0 wins is not the result of the first named."""
    lineups = ["--lineup", "random, hold_at", "--lineup", "hold_at*2"]
    request = ["sweep", "pig", "goal=30,40", "--deals", 100, "-o", "runs/m", *lineups]
    out = simkit(*request)[1]
    matches, _, seats = out.partition("Seats, whoever sits there:")
    lines = [line for line in matches.splitlines() if "hold at a total beats random" in line]
    assert len(lines) == 2 and "mirror" not in matches
    expected = json.loads(simkit(*request, "--json")[1])["cells"]
    for line, cell in zip(lines, (expected[0], expected[2]), strict=True):
        best = max(cell["strategies"], key=lambda row: row["share"])
        assert best["strategy"] == "hold_at" and best["games"] == 200
        assert f"{100 * best['share']:.1f} %" in line and line.endswith("200")
    rows = [line for line in seats.splitlines() if line.strip().startswith(("30", "40"))]
    assert len(rows) == 4 and expected[1]["strategies"] == []  # of two seats the first says all
    assert simkit(*request, "--table")[1].count("second player") == 4


@pytest.mark.slow
def test_a_screen_has_at_most_twenty_rows_the_baseline_the_nearest_and_the_farthest(simkit):
    request = ["sweep", "pig", "goal=5:100:1", "--deals", 40, "-o", "runs/many"]
    out, whole = simkit(*request)[1], simkit(*request, "--table")[1]
    expected = {
        cell["options"]["goal"]: cell["seats"][0]["share"]
        for cell in json.loads(simkit(*request, "--json")[1])["cells"]
    }
    shown = [int(line.split()[0]) for line in out.splitlines() if "%  " in line and line.strip()[0].isdigit()]
    assert len(shown) == 20 and "… 76 more rows: --table" in out and 100 in shown
    off = {goal: abs(share - 0.5) for goal, share in expected.items()}
    assert max(off, key=off.get) in shown and min(off, key=off.get) in shown
    assert sum("first player" in line for line in whole.splitlines()[3:]) >= 96


def test_a_run_that_stopped_by_itself_says_how_its_cells_ended(simkit):
    request = ["sweep", "pig", "goal=1,100", "--deals", 400, "--until-verdict", "-o", "runs/u"]
    out = simkit(*request)[1]
    assert "1 of 2 cases stopped early and 1 at the limit of 400 deals" in out
    assert "NOT SETTLED (" in out and "UNFAIR" in out


def test_a_match_that_too_few_games_leave_open_is_not_settled(simkit):
    lineup = ["--lineup", "hold_at, hold_at(threshold=21)"]
    out = simkit("sweep", "pig", "goal=30", "--deals", 20, *lineup)[1]
    assert "hold from 21" in out and "not settled" in out.partition("Seats,")[0]


def test_seats_of_a_lineup_that_was_not_rotated_say_who_sat_there(simkit, here):
    (here / "pig.toml").write_text(PIG.replace("hold_at*2", "hold_at, random") + "rotate = false\n")
    out = simkit("run", "pig.toml")[1]
    assert "hold at a total, random" in out and "beats" not in out
    assert "first player (hold at a total)" in simkit("run", "pig.toml", "--table")[1]


def imported_by(words, **environment):
    """The modules that a process has imported when it ends, and those of commands among them."""
    code = (
        f"import sys; from simkit.cli import main\ntry: main({words})\nexcept SystemExit: print(*sys.modules)"
    )
    environment = os.environ | environment
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    modules = set(done.stdout.split())
    return modules, {name.rpartition(".")[2] for name in modules if name.startswith("simkit.cli.commands.")}


def limits(field):
    """The bounds of a key of a pydantic model, given to the key or to its type."""
    bounds = list(field.metadata)
    for part in getattr(field.annotation, "__args__", ()):
        for info in getattr(part, "__metadata__", ()):
            bounds += getattr(info, "metadata", ())
    names = ("ge", "gt", "le", "lt")
    return {name: getattr(bound, name) for bound in bounds for name in names if hasattr(bound, name)}


def interval(ends):
    """The lower and the upper end of bounds, each of which is the narrower the greater it is."""
    low = ends.get("ge", ends.get("gt", -math.inf)), "gt" in ends
    return low, (-ends.get("le", ends.get("lt", math.inf)), "lt" in ends)


@pytest.mark.parametrize("name", cli.cli.list_commands(None))
def test_options_have_the_ranges_of_the_schemas_behind_them(name):
    """A range in the help that the question, the experiment or the lock then refuses would be a false promise."""
    question = getattr(sk, name, None)
    schema = (
        Lock.model_fields if name == "lock" else form_of(question).model_fields if callable(question) else {}
    )
    others = Experiment.model_fields | {"rate": Ablate.model_fields["rate"]}
    if name == "report":
        others |= {"seconds": Experiment.model_fields["seconds_per_decision"]}
    for option in cli.cli.get_command(None, name).params:
        stated = {}
        if not option.type.name.startswith(("integer", "float")):
            continue
        if isinstance(option.type, click.IntRange | click.FloatRange):
            ends = option.type.min, option.type.max
            stated["gt" if option.type.min_open else "ge"], stated["lt" if option.type.max_open else "le"] = (
                ends
            )
        fields = [fields[option.name] for fields in (schema, others) if option.name in fields]
        behind = next(filter(None, map(limits, fields)), None)
        if behind:
            stated = {end: bound for end, bound in stated.items() if bound is not None}
            narrower = [a >= b for a, b in zip(interval(stated), interval(behind), strict=True)]
            assert all(narrower), f"{option.name}: {stated}, but {behind}"


HEAVY = {"numpy", "polars", "numba", "rich"}


def test_a_command_imports_no_other_command():
    modules, commands = imported_by(["new", "--help"])
    assert commands == {"new"} and not HEAVY & modules
    assert imported_by(["runs", "nowhere"])[1] == {"runs"}


def test_names_of_commands_are_completed_without_importing_them():
    line = {"COMP_WORDS": "simkit s", "COMP_CWORD": "1"}
    modules, commands = imported_by([], _SIMKIT_COMPLETE="bash_complete", **line)
    assert "simkit.cli" in modules and not commands and not HEAVY & modules


def test_a_game_is_told_at_once_without_statistics_and_drawing():
    code = "import sys, simkit.cli.commands.play; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"scipy.stats", "statsmodels", "matplotlib", "joblib", "rich", "pandas"} & set(
        done.stdout.split()
    )


def test_a_game_is_told_as_one_seat_sees_it(simkit):
    request = ["play", "kuhn_poker", "--seed", 1]
    open_hands, hidden = (simkit(*request, *more)[1] for more in ([], ["--as-seat", 1]))
    assert "seat 0: jack" in open_hands and "seat 0: jack" not in hidden.partition("over after")[0]
    assert "seat 0: unseen" in hidden and "seat 1: king" in hidden and "as seat 1 sees it" in hidden


@pytest.mark.slow
def test_sweep_takes_the_rulebook_as_baseline_where_it_is_tried(simkit):
    simkit("sweep", "pig", "goal=90:110:10", "--deals", 5, "-o", "runs/in")
    simkit("sweep", "pig", "goal=20:30:10", "--deals", 5, "-o", "runs/out")
    assert "[baseline]\ngoal = 100" in Path("runs/in/experiment.toml").read_text()
    assert "[baseline]" not in Path("runs/out/experiment.toml").read_text()


def test_compare_gives_paired_differences(simkit):
    out = simkit("compare pig --to goal=30 --to goal=30,bust=0 --base goal=60 --deals 200 --json")[1]
    document = json.loads(out)
    assert document["base"] == "goal = 60, bust = 1"
    shares = [row for row in document["differences"] if (row["measure"], row["seat"]) == ("share", 0)]
    assert len(shares) == 2
    for row in shares:
        assert (
            row["difference"] == pytest.approx(row["value"] - row["base_value"])
            and row["low"] <= row["difference"] <= row["high"]
        )
        assert row["deals"] == 200 and row["factor"] > 0
    request = ["compare", "pig", "--to", "goal=30", "--deals", 20]
    assert "variance reduced" in simkit(*request, "--table")[1]
    few = simkit(*request)[1].partition("Compared with")[2]
    assert few.count("first player wins") == 1 and "share of" not in few  # one number, told once


def test_report_writes_the_page_and_prints_path_and_answer(simkit):
    simkit("run", "pig.toml", "-o", "runs/a")
    code, out, _ = simkit("report", "runs/a", "-o", "out/page.html")
    page = Path("out/page.html").read_text()
    answer = out.splitlines()[0]
    assert code == 0 and out.splitlines()[-1] == "Report: out/page.html"
    assert answer[:40] in page.replace("\u00a0", " ") and "Who wins at Pig?" in page


@pytest.mark.slow
def test_report_prints_markdown_and_json_and_writes_figures(simkit):
    simkit("run", "pig.toml", "-o", "runs/a")
    code, out, _ = simkit("report", "runs/a", "--format", "json", "-o", "-")
    document = json.loads(out)
    assert code == 0 and document["question"] == "Who wins at Pig?" and document["takeaways"]
    code, out, _ = simkit("report", "runs/a", "--format", "md", "-o", "-", "--figures", "png")
    assert code == 0 and "Who wins at Pig?" in out and "](png/seats.png)" in out
    assert Path("png/seats.png").read_bytes().startswith(b"\x89PNG")
    code, out, _ = simkit("report", "runs/a", "--format", "md", "--figures", "png")
    *_, written, figures = out.splitlines()
    assert written == "Report: runs/a/report.md" and figures.endswith("PNG files in png")
    assert "](../../png/seats.png)" in Path("runs/a/report.md").read_text()
    simkit("report", "runs/a", "-o", "out/page.json")
    assert json.loads(Path("out/page.json").read_text()) == document


def test_the_query_of_a_takeaway_prints_its_numbers(simkit, capsys):
    simkit("run", "pig.toml", "-o", "runs/a")
    document = json.loads(simkit("report", "runs/a", "--format", "json", "-o", "-")[1])
    exec(document["takeaways"][0]["source"], {})
    share = pl.read_csv(capsys.readouterr().out.encode())["share"][0]
    assert f"wins {100 * share:.0f} games of 100" in document["takeaways"][0]["text"]


def test_replay_gives_the_logged_result(simkit):
    simkit("run", "pig.toml", "-o", "runs/a")
    scores = pl.read_parquet("runs/a/seats/*.parquet").filter(pl.col("play") == 17)["score"].to_list()
    out = simkit("replay", "runs/a", 17)[1]
    assert f"score {scores[0]}" in out and f"score {scores[1]}" in out and "deal 17" in out


@pytest.mark.slow
def test_check_passes_for_pig(simkit):
    code, out, _ = simkit("check", "pig")
    assert code == 0 and out.count("passed") == 6


def test_check_exits_1_for_a_game_that_breaks_a_promise(simkit, monkeypatch):
    from dataclasses import replace

    broken = replace(pig.game, problems=lambda s, rules: ["points from nowhere"])
    monkeypatch.setattr(registry, "game", lambda name: broken)
    code, out, _ = simkit("check", "pig")
    assert code == 1 and "points from nowhere" in out


@pytest.mark.slow
def test_bench_lists_games_and_decisions_per_second(simkit):
    code, out, _ = simkit("bench pig --lineup hold_at*2 --seconds 0.01 --no-compile --json")
    speed, play_outs = json.loads(out)["speeds"][0], json.loads(out)["play_outs"][0]
    assert code == 0 and speed["games"] > 0 and speed["decisions"] > speed["games"]
    assert play_outs["policy"] == "random" and play_outs["per_second"] > speed["games"]


@pytest.mark.parametrize("deals", ["30", "3e1", "3_0", "0.3e2"])
def test_deals_may_be_written_as_people_write_large_numbers(simkit, deals):
    code, out, _ = simkit("sweep", "pig", "goal=20", "--lineup", "random*2", "--deals", deals, "--json")
    assert code == 0 and [cell["deals"] for cell in json.loads(out)["cells"]] == [30]


WRONG = '''
from simkit.games.pig import HOLD, game
from simkit.engine.strategy import strategy


@strategy(game)
def typo(view, rules, legal, w, rng, scratch, memo):
    """Reads a field that is not there."""
    return HOLD if view.turn_totl > 3 else legal[0]
'''


@pytest.fixture
def clock(monkeypatch):
    """A clock to be set."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_progress_in_plain_lines_says_what_is_compiled_then_the_pace_of_the_play_alone(clock, capsys):
    with progress.progress("pig") as text:
        text.report_compilation("compiling pig (once, about 40 s)")
        clock[0] = 40
        text.report_games(500, 20_000)  # of an earlier start
        for clock[0], done in ((45, 3_000), (50, 5_500), (55, 8_000), (61, 11_000), (71, 20_000)):
            text.report_games(done, 20_000)
    assert capsys.readouterr().err.splitlines() == [
        "pig: compiling pig (once, about 40 s)",
        "pig: 5,500/20,000 games, 500 games/s, 29 s left",
        "pig: 11,000/20,000 games, 500 games/s, 18 s left",
        "pig: 20,000/20,000 games, 629 games/s",
    ]


def test_progress_on_a_terminal_has_no_numbers_of_games_while_compiling(clock, monkeypatch):
    bars = Bars(disable=True)
    bar = progress._Bar(bars, "pig")
    bar.report_compilation("compiling pig (once, about 40 s)")
    (task,) = bars.tasks
    assert task.total is None and (task.description, task.fields["progress"]) == (
        "compiling pig (once, about 40 s)",
        "",
    )
    for clock[0], done in ((40, 0), (40.5, 200), (44, 2_000)):
        bar.report_games(done, 10_000)
        (task,) = bars.tasks
        assert (task.completed, task.total, task.description) == (done, 10_000, "pig")
        assert task.fields["progress"].startswith(f"{done:,}/10,000 games") and (
            "left" in task.fields["progress"]
        ) == (done == 2_000)
    assert task.fields["progress"] == "2,000/10,000 games, 500 games/s, 16 s left"
    bar.finish()
    assert task.visible


def test_a_bar_that_counts_no_games_is_hidden_at_the_end():
    bars = Bars(disable=True)
    bar = progress._Bar(bars, "check")
    bar.report_compilation("pig: rules compile")
    (task,) = bars.tasks
    assert task.visible
    bar.finish()
    assert not task.visible


def test_a_fault_of_a_strategy_names_game_deal_seat_and_strategy(simkit, here):
    folder = here / "own/strategies"
    folder.mkdir(parents=True)
    body = WRONG.replace("typo", "cheat").replace("HOLD if view.turn_totl > 3 else legal[0]", "7")
    (folder / "mine.py").write_text(
        body.replace("Reads a field that is not there", "Plays what is not allowed")
    )
    code, _, err = simkit("--project", "own", "play", "pig", "--lineup", "hold_at,cheat", "--seed", 4)
    assert (
        code == 2
        and "pig: seed 4, deal 0, rotation 0, seat 1, strategy cheat: chose the illegal action 7" in err
    )


def test_check_tells_a_game_without_legal_actions_and_a_function_that_fails(simkit, monkeypatch):
    from dataclasses import replace

    for broken, message in (
        ({"legal": jit.rule(lambda s, rules, out: 0)}, "no legal action"),
        ({"problems": lambda s, rules: [1 // 0]}, "ZeroDivisionError"),
    ):
        game = replace(pig.game, **broken)
        monkeypatch.setattr(registry, "game", lambda name, game=game: game)
        code, out, _ = simkit("check", "pig", "--json")
        assert code == 1 and message in out


@pytest.mark.slow
def test_an_edited_strategy_is_never_answered_with_the_old_games(simkit, here):
    path = here / "own/strategies/mine.py"
    path.parent.mkdir(parents=True)
    text = (
        WRONG.replace("typo", "holder")
        .replace("view.turn_totl > 3 else legal[0]", "view.turn_total >= 20 else ROLL")
        .replace("HOLD, game", "HOLD, ROLL, game")
    )
    path.write_text(text)
    request = "--project own sweep pig goal=50 --lineup holder,hold_at --deals 60 --json"
    before = json.loads(simkit(request)[1])
    simkit("--project", "own", "run", "pig.toml", "-o", "runs/mine")
    path.write_text(text.replace(">= 20", ">= 2"))
    registry.set_projects([])
    after = json.loads(simkit(request)[1])
    assert before["run"] != after["run"] and before["cells"][0]["seats"] != after["cells"][0]["seats"]
    code, _, err = simkit("--project", "own", "run", "pig.toml", "-o", "runs/mine")
    assert code == 0, err  # who did not play there changes nothing


def test_simkit_alone_prints_the_help(simkit):
    code, out, err = simkit()
    assert code == 0 and err == "" and out.count("\n") > 10 and "Questions:" in out


def test_help_says_what_each_command_does(simkit):
    code, out, _ = simkit("--help")
    assert code == 0
    folders = (Path(cli.__file__).parent / "commands", Path(questions.__file__).parent)
    commands = sorted(module.name for module in iter_modules(map(str, folders)))
    sections = re.findall(r"^(\w+):\n((?:  .+\n)+)", out, re.MULTILINE)[-4:]
    assert tuple(section for section, _ in sections) == cli.SECTIONS  # in which every command has its place
    listed = [[line.split()[0] for line in lines.splitlines()] for _, lines in sections]
    assert all(names == sorted(names) for names in listed)
    assert sorted(name for names in listed for name in names) == commands  # each has one line
    for _, lines in sections:
        for name, meaning in (line.split(maxsplit=1) for line in lines.splitlines()):
            detail = simkit(name, "--help")[1]
            assert meaning.endswith(".") and detail.count("\n") > 5 and f"\n\n  {meaning}\n" in detail


RANGES = [
    ("x=1:3", [1, 2, 3]),
    ("x=12:24:6", [12, 18, 24]),
    ("x=1:4:2", [1, 3]),
    ("x=a,b", ["a", "b"]),
    ("x=true,false", [True, False]),
    ("x=5", [5]),
    (r"files.cards=printed,C:\my cards\new.csv", ["printed", r"C:\my cards\new.csv"]),
    ("files.cards=C:/new.csv,https://host/new.csv", ["C:/new.csv", "https://host/new.csv"]),
]


@pytest.mark.parametrize("text, values", RANGES)
def test_ranges_include_both_ends(text, values):
    assert texts.sweep((text,)) == {text.partition("=")[0]: values}


def test_a_setting_given_twice_is_refused():
    with pytest.raises(UsageError, match="given twice"):
        texts.settings(("a=1", "a=2"))
