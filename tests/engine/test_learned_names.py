"""Learned players as lineups name them: where their files lie, who is found, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.learned.file import BASE, load, save
from simkit.engine.lineups import Seated, parse_strategy
from simkit.engine.table import GameTable, Player
from simkit.errors import UsageError
from simkit.games.pig import game as pig
from simkit.runs import runner
from simkit.runs.experiment import parse
from simkit.runs.folder import open_run
from simkit.runs.plan import Plan, make_plan
from simkit.runs.source_digests import code
from tests.commands import invoke
from tests.made_nets import made_trained
from tests.projects import project_of

BOLD = """
from simkit.engine.strategy import Weight, strategy
from simkit.games.pig import HOLD, ROLL, game


@strategy(game, total=Weight(15, 1, 100, "Hold from this turn total on"))
def bold(view, w):
    \"\"\"Holds at a total.\"\"\"
    return HOLD if view.turn_total >= w.total else ROLL
"""
LINEUPS, GOALS = ("learned*2", "hold_at*2"), {"fixed": {"faces": 6}, "varied": {"goal": [50, 100]}}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    with project_of(tmp_path / "mine", {"README.md": "Mine."}) as folder:
        yield folder


def put(folder: Path, name: str = "best", seats: int = 2, **meta: Any) -> Path:
    path = registry.learned_file(folder, "pig", name, seats)
    save(path, made_trained(pig, seats, name=name, rules=GOALS, command="simkit learn pig", **meta))
    return path


def write_strategies(project: Path, source: str) -> None:
    path = project / "strategies" / "mine.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(source)
    registry.set_projects([])
    registry.add_project(project)


def player(text: str, seats: int = 2) -> Player:
    return registry.player(pig, parse_strategy(text)[0], seats)


def shares(text: str, seats: int = 2) -> list[int]:
    numbers, lineup = np.arange(20), registry.players(pig, parse_strategy(text) * seats)
    states = GameTable(pig, pig.rules()).play(lineup, 3, numbers, 0 * numbers)
    return [int(score) for score in states["score"][:, 0]]


def search_of(text: str, seats: int = 2) -> list[float]:
    search = player(text, seats).search
    assert search is not None
    return [float(weight) for weight in search.weights]


def plan_of(*lineups: str, **keys: Any) -> Plan:
    whole = {"game": "pig", "question": "?", "deals": 10, "lineups": [[lineup] for lineup in lineups]}
    return make_plan(parse(whole | keys))


def test_a_lineup_finds_the_best_player_or_another_by_its_name(project: Path) -> None:
    put(project)
    put(project, "late", size=500)
    assert shares("learned") == shares("learned(name=best)") != shares('learned(name="late")')
    assert str(player('learned(name="late")').label) == "learned(name=late)"
    assert "learned" in registry.strategies(pig)
    assert "learned" not in registry.scripted(pig) and "strong" not in registry.scripted(pig)


def test_strategies_are_listed_with_the_learned_players_and_their_seats(project: Path) -> None:
    for name, seats in (("best", 3), ("best", 2), ("late", 2)):
        put(project, name, seats, strong="search(leaf=learned, horizon=1, budget=7)")
    listed = invoke("--project", project, "strategies", "pig").stdout
    assert "Player that simkit learn trained: best (2 and 3 seats), late (2 seats)" in listed
    assert "  budget = 7 " in listed
    put(project, digests={"rules": "of old"})
    assert "  budget = 7 " not in invoke("--project", project, "strategies", "pig").stdout


def test_the_file_of_the_last_project_wins(project: Path, tmp_path: Path) -> None:
    put(project)
    before = shares("learned")
    (tmp_path / "other").mkdir()
    with registry.also(tmp_path / "other"):
        put(tmp_path / "other", size=500)
        assert shares("learned") != before
    assert shares("learned") == before


def test_a_player_that_is_trained_again_is_read_again(project: Path) -> None:
    put(project)
    before = shares("learned")
    put(project, size=500)
    assert shares("learned") != before


def test_without_a_file_the_message_names_the_command(project: Path) -> None:
    assert "learned" not in registry.strategies(pig)
    with pytest.raises(UsageError, match="^pig has no learned player; train one: simkit learn pig$"):
        player("learned")
    with pytest.raises(UsageError, match=r"train one: simkit learn pig --players 3 --name late$"):
        player("learned(name=late)", 3)
    put(project)
    with pytest.raises(UsageError, match="^unknown learned player of pig 'lat'"):
        player("learned(name=lat)")


def test_a_changed_game_is_refused_with_the_command(project: Path) -> None:
    path = put(project, digests={"rules": "of old"})
    with pytest.raises(UsageError) as error:
        player("learned")
    assert str(error.value) == (
        f"{path}: the rules of pig have changed since it was trained; train it again: simkit learn pig"
    )


def test_a_player_that_improves_on_a_strategy_contains_it(project: Path) -> None:
    put(project, base="hold_at", caution=1.9)
    assert shares("learned") == shares("hold_at")


CHANGED = "bold, on which it improves, has changed since it was trained"


@pytest.mark.parametrize(
    ("before", "now", "fault"),
    [
        ("Weight(15", "Weight(5", CHANGED),
        (">= w.total", "> w.total", CHANGED),
        ("def bold", "def brave", "unknown strategy of pig 'bold'"),
    ],
)
def test_a_player_whose_base_has_changed_is_refused_with_the_command(
    project: Path, before: str, now: str, fault: str
) -> None:
    write_strategies(project, BOLD)
    path = put(project, base="bold", caution=1.9)
    assert player("learned").net.size
    write_strategies(project, BOLD.replace(before, now))
    with pytest.raises(UsageError) as error:
        player("learned")
    assert str(error.value).startswith(f"{path}: {fault}")
    assert str(error.value).endswith("; train it again: simkit learn pig")


def test_a_player_without_the_digest_of_its_base_is_refused(project: Path) -> None:
    trained = load(put(project, base="hold_at"))
    digests = {name: digest for name, digest in trained.meta.digests.items() if name != BASE}
    path = registry.learned_file(project, "pig", "best", 2)
    save(path, replace(trained, meta=trained.meta.model_copy(update={"digests": digests})))
    with pytest.raises(UsageError, match="hold_at, on which it improves, has changed since it was trained"):
        player("learned")


def test_a_note_says_which_tables_are_not_those_of_the_training(tmp_path: Path) -> None:
    sheet = registry.game("outpost_seven").components.files["cards"]
    assert sheet.rows and sheet.printed
    rows = sheet.rows(sheet.printed(registry.game("outpost_seven").resolve({})))
    cards = tmp_path / "mine.csv"
    cards.write_text("\n".join(",".join(map(str, row)) for row in rows))
    lineups = {"game": "outpost_seven", "lineups": [["learned*2"]]}
    assert plan_of(**lineups).notes == []
    note = "learned: trained for the printed cards; these are others"
    assert plan_of(**lineups, files={"cards": str(cards)}).notes == [note]
    sweep = {"files.cards": ["printed", str(cards)]}
    assert plan_of(**lineups, sweep=sweep).notes == [note]


def test_the_strong_player_searches_with_what_was_learned(project: Path) -> None:
    assert search_of("strong") == search_of("search(budget=200)")
    same = "search(policy=learned, leaf=learned, horizon=2, budget=6)"
    put(project, strong=same)
    assert search_of("strong") == search_of(same) != search_of("strong(budget=9)")
    strong = player("strong")
    assert strong.search and strong.net.size and strong.net is strong.search.net


def test_a_leaf_is_a_learned_player(project: Path) -> None:
    put(project)
    with pytest.raises(UsageError, match=r"^search\(leaf\) takes a learned player, not 'hold_at'$"):
        player("search(leaf=hold_at)")
    none, best = player("search(leaf=none)").search, player("search(leaf=learned(name=best))").search
    assert none and best and not none.net.size and best.net.size


def test_rules_outside_the_training_are_noted(project: Path) -> None:
    put(project)
    assert plan_of("learned*2", "hold_at*2", options={"goal": 60}).notes == []
    assert plan_of("learned*2", "hold_at*2", sweep={"goal": [60, 120]}).notes == [
        "learned: trained for goal 50 to 100; 120 is outside"
    ]


def test_another_net_is_another_strategy_and_players_of_other_seats_are_not(project: Path) -> None:
    put(project)
    before, scripted = (code("pig", plan_of(*lineups).players) for lineups in (LINEUPS, LINEUPS[1:]))
    assert scripted.items() <= before.items()
    put(project, seats=3)
    assert code("pig", plan_of(*LINEUPS).players) == before
    put(project, size=500)
    now = code("pig", plan_of(*LINEUPS).players)
    assert [name for name in now if now[name] != before[name]] == ["what learned learned for 2 players"]


def test_an_installed_player_is_found_in_the_last_project(project: Path, tmp_path: Path) -> None:
    path = put(tmp_path / "run", "late")
    copy = registry.install_learned(path)
    assert copy == registry.learned_file(project, "pig", "late", 2) and copy.read_bytes() == path.read_bytes()
    assert player("learned(name=late)").net.size


@pytest.mark.slow
def test_worker_processes_find_the_same_players(project: Path, tmp_path: Path) -> None:
    put(project)
    put(project, "late", size=500)
    keys = {"game": "pig", "question": "?", "deals": 400, "lineups": [["learned", "learned(name=late)"]]}
    tables = []
    for backend in ("threading", "loky"):
        run = open_run(runner.run(parse(keys), tmp_path / backend, jobs=2, backend=backend))
        tables.append(run.seats().collect())
    assert tables[0].equals(tables[1])


def test_the_digests_of_a_search_have_the_nets_of_its_policy_and_of_its_leaf(project: Path) -> None:
    put(project)
    put(project, "late", size=500)
    search = "search(policy=learned(name=late), leaf=learned, horizon=1)"
    before = code("pig", [Seated(search, 2)])
    put(project, "late", size=700)
    assert code("pig", [Seated(search, 2)]) != before


# A player is for a table: files for other numbers of seats make no difference to it.


def test_a_number_of_seats_that_was_not_trained_is_refused_with_the_command(project: Path) -> None:
    put(project)
    put(project, "late", seats=3)
    with pytest.raises(UsageError) as error:
        plan_of("learned*3")
    assert str(error.value) == "pig has learned players for 2 seats, not 3: simkit learn pig --players 3"
    with pytest.raises(UsageError) as error:
        plan_of("learned(name=late), hold_at*3")
    assert str(error.value) == (
        "pig has learned players 'late' for 3 seats, not 4: simkit learn pig --players 4 --name late"
    )


def test_players_for_different_numbers_of_seats_may_improve_on_different_strategies(project: Path) -> None:
    put(project, base="hold_at", caution=1.9)
    put(project, seats=3, base="hold_at(threshold=5)", caution=1.9)
    assert shares("learned") == shares("hold_at")
    assert shares("learned", 3) == shares("hold_at(threshold=5)", 3) != shares("hold_at", 3)


@pytest.mark.parametrize("text", ["learned", "strong"])
def test_a_faulty_file_for_other_seats_does_not_matter(project: Path, text: str) -> None:
    put(project, strong="search(policy=learned, leaf=learned, horizon=1, budget=2)")
    before = shares(text)
    put(project, seats=3, digests={"rules": "of old"})
    put(project, seats=4).write_bytes(b"damaged")
    assert shares(text) == before
    with pytest.raises(UsageError, match="best-3.npz: the rules of pig have changed since it was trained"):
        player(text, 3)
    with pytest.raises(UsageError, match="best-4.npz is no sound file of a learned player"):
        player(text, 4)


def test_a_file_whose_name_has_another_number_of_seats_is_refused(project: Path) -> None:
    path = put(project)
    path.rename(path.with_name("best-3.npz"))
    with pytest.raises(UsageError, match="best-3.npz: this player was trained for 2 seats, not 3; train it"):
        player("learned", 3)


def test_the_strong_player_is_the_search_for_its_number_of_seats(project: Path) -> None:
    put(project, strong="search(leaf=learned, horizon=1, budget=2)")
    put(project, seats=3, strong="search(leaf=learned, horizon=2, budget=9)")
    assert search_of("strong") == search_of("search(leaf=learned, horizon=1, budget=2)")
    assert search_of("strong", 3) == search_of("search(leaf=learned, horizon=2, budget=9)", 3)
    assert search_of("strong", 4) == search_of("search(budget=200)", 4)


def test_each_table_of_a_run_has_its_own_players(project: Path, tmp_path: Path) -> None:
    put(project)
    put(project, seats=3, base="hold_at(threshold=5)", caution=1.9)
    keys = {"game": "pig", "question": "?", "deals": 50}
    mixed = parse(
        keys | {"lineups": [["learned*2"], ["learned*3"], ["hold_at*4"], ["hold_at(threshold=5)*3"]]}
    )
    run = open_run(runner.run(mixed, tmp_path / "run", jobs=1))
    seats = run.seats().collect()
    scores = [seats.filter(cell=cell)["score"].to_list() for cell in range(4)]
    assert scores[1] == scores[3]
    names = [name for name in run.manifest.sources if "learned" in name]
    assert names == [
        "strategy learned",
        "what learned learned for 2 players",
        "what learned learned for 3 players",
    ]
