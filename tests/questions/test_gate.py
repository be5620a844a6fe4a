"""The gate: what the lock answers, what is tested on fresh deals, and one budget of errors on all branches."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import simkit as sk
from simkit import cli
from simkit.ask import gate as gates
from simkit.ask import lock_file as locks
from simkit.ask.claims import claim_outcomes
from simkit.ask.gate import merge_locks, stages
from simkit.ask.lock_file import AcceptedState, Budget, ClaimResult, Lock
from simkit.errors import UsageError
from simkit.questions.gate import sides_of
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run
from simkit.runs.plan import make_plan
from simkit.stats import online_testing
from simkit.tables.findings import Findings

CLAIMS = ["first player wins 45 to 62", "turns 10 to 40"]
SMALL = {"deals": 4_000, "progress": False}


def result(claim: str, seed: int, verdict: str = "HOLDS", **changes: Any) -> ClaimResult:
    low, high = (float(number) for number in claim.split(" in ")[0].split()[-3::2])
    keys = {"claim": claim, "range_low": low, "range_high": high, "verdict": verdict, "value": 50.0}
    keys |= {"low": 49.0, "high": 51.0, "test_low": 48.5, "test_high": 51.5, "deals": 9}
    keys |= {"games": changes.get("deals", 9), "lineup": "a, a", "seed": seed, "sources": {}, "level": 0.01}
    return ClaimResult.model_validate(keys | changes)


def side(entries: list[AcceptedState], tests: list[ClaimResult], rejections: int) -> Lock:
    ids = [*(r.id for entry in entries for r in entry.results), *(test.id for test in tests)]
    budget = Budget(tests=ids, rejections=rejections)
    keys: dict[str, Any] = {"history": entries, "tests": tests, "budget": budget}
    return Lock(game="pig", lineup="hold_at*2", claims=CLAIMS, outcomes={"side": [len(entries)]}, **keys)


FIRST = AcceptedState(date="2026-01-01", reason="first", results=[result(CLAIMS[0], 1), result(CLAIMS[1], 1)])
OURS = AcceptedState(date="2026-01-03", reason="ours", previous=FIRST.id, results=[result(CLAIMS[0], 2)])
THEIRS = AcceptedState(date="2026-01-02", reason="theirs", previous=FIRST.id, results=[result(CLAIMS[0], 3)])


def test_a_merge_counts_every_test_of_both_sides_once() -> None:
    ours = side([FIRST], [result(CLAIMS[0], 5), result(CLAIMS[1], 5, "BROKEN")], 1)
    theirs = side([FIRST], [result(CLAIMS[0], 6, "BROKEN")], 1)
    joined = merge_locks(ours, theirs)
    assert len(joined.budget.tests) == 5 == len(set(joined.budget.tests))
    assert {test.seed for test in joined.tests} == {5, 6}
    assert joined.budget.rejections == 1


@pytest.mark.parametrize("sides", [(4_000, 20_000), (20_000, 4_000)])
def test_a_merge_keeps_the_longer_of_two_results_of_the_same_test(sides: tuple[int, int]) -> None:
    ours, theirs = (side([FIRST], [result(CLAIMS[0], 5, deals=deals)], 0) for deals in sides)
    assert [test.deals for test in merge_locks(ours, theirs).tests] == [20_000]


class PlayedError(Exception):
    """A game would be played."""


def answer(claim: str, *records: ClaimResult, deals: int = 4_000) -> str:
    """Return the verdict that a lock with these records has on a claim, without playing."""
    keys: dict[str, Any] = {"game": "pig", "lineup": "hold_at*2", "claims": [claim], "deals": deals}
    (case,) = gates.cases(Lock(**keys), Path())
    tests = [record.model_copy(update={"sources": case.sources}) for record in records]

    def play(*_: Any) -> Any:
        raise PlayedError

    try:
        (answered,) = gates.gate(Lock(**keys, tests=tests), Path(), play)[1]
    except PlayedError:
        return "played"
    assert answered.claim == claim
    return answered.verdict


@pytest.mark.parametrize(
    ("claim", "record", "verdict"),
    [
        ("turns 45 to 55", result("turns 40 to 60", 1), "HOLDS"),
        ("turns 45 to 55", result("turns 40 to 60", 1, change=3, change_low=1, change_high=5), "CHANGED BUT HOLDS"),
        ("turns 10 to 15", result("turns 40 to 60", 1), "BROKEN"),
        ("turns 10 to 48.8", result("turns 40 to 60", 1, deals=4_000), "played"),  # outside 95 %, not the level
        ("turns 50 to 60", result("turns 50 to 60", 1, "NOT KNOWN YET", deals=4_000), "NOT KNOWN YET"),
        ("turns 50 to 60", result("turns 50 to 60", 1, "NOT KNOWN YET", deals=1_000), "played"),
        ("turns 50 to 60", result("turns 40 to 60", 1, deals=4_000), "played"),
        ("turns 55 to 60", result("turns 50 to 60", 1, "NOT KNOWN YET", deals=4_000), "BROKEN"),
        ("turns 40 to 60", result("turns 40 to 60", 1, "BROKEN"), "HOLDS"),  # whatever the text says
        ("turns 40 to 60", result("turns 40 to 60 in goal 100", 1), "played"),
    ],
)  # fmt: skip
def test_a_recorded_verdict_follows_from_its_numbers_and_the_present_range(
    claim: str, record: ClaimResult, verdict: str
) -> None:
    assert answer(claim, record) == verdict


def test_a_test_goes_on_when_its_deals_were_replaced_in_the_whole_file() -> None:
    """Its games say how many deals it had."""
    record = result("turns 50 to 60", 1, "NOT KNOWN YET", games=1_000, deals=4_000)
    assert answer("turns 50 to 60", record) == "played"


def test_a_lock_may_move_the_roles_of_a_deal_round_the_seats() -> None:
    claims = ["no faction is off by more than 3 games in 100"]
    lock = Lock(game="factions", lineup="random*3", claims=claims)
    (still,) = gates.cases(lock, Path())
    (moved,) = gates.cases(lock.model_copy(update={"rotate": "roles"}), Path())
    assert (still.rotations, moved.rotations) == (1, 3)
    assert moved.experiment.rotate == "roles" and still.sources.items() < moved.sources.items()


A, B = "hold_at(threshold=20)", "hold_at(threshold=20, blunder=.3)"
BETTER = f"better player wins 50 to 95 with {A} over {B}"


def cases(*claims: str, game: str = "pig", **options: Any) -> list[gates.Case]:
    return gates.cases(Lock(game=game, lineup="random", claims=list(claims), options=options), Path())


@pytest.mark.parametrize(
    ("claim", "game", "options", "labels"),
    [
        (BETTER, "pig", {}, [A, B]),
        (f"{BETTER} in players 3", "pig", {}, [A, B, B]),
        (BETTER, "pig", {"players": 4}, [A, B, B, B]),
        ("better player wins 1 to 99 with tied over random", "high_card", {}, ["tied", "random", "random"]),
        (f"first player wins 1 to 99 with {A}, {B}", "pig", {}, [A, B]),
    ],
)
def test_the_better_player_sits_alone_at_a_table_of_the_other(
    claim: str, game: str, options: dict[str, int], labels: list[str]
) -> None:
    (case,) = cases(claim, game=game, **options)
    (cell,) = make_plan(case.experiment).cells
    assert cell.labels == labels
    assert cell.rotations == len(labels)


def test_claims_about_the_same_table_share_their_games() -> None:
    (case,) = cases(BETTER, f"first player wins 40 to 60 with {A}, {B}")
    assert len(case.claims) == 2


@pytest.mark.parametrize(
    ("players", "problem"),
    [
        (f"{A}, random over {B}", "is 2 strategies"),
        ("hold_at over random*2", "'random*2' is 2 strategies"),
        ("hold_on over random", "unknown strategy of pig 'hold_on'; did you mean 'hold_at'?"),
        ("hold_at over hold_on", "unknown strategy of pig 'hold_on'"),
        (f"hold_at over {A}", "are the same strategy"),
        ("hold_at over random in players 11", "pig has 2 to 10 players"),
    ],
)
def test_two_players_that_cannot_be_compared_are_refused(players: str, problem: str) -> None:
    claim = f"better player wins 60 to 70 with {players}"
    with pytest.raises(UsageError) as error:
        cases(claim)
    assert str(error.value).startswith(f"claim '{claim}': ")
    assert problem in str(error.value)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_better_player_wins_its_share_over_all_seats(tmp_path: Path, seats: int) -> None:
    (case,) = cases(f"{BETTER} in players {seats}")
    run = open_run(runner.run(case.experiment.with_keys(deals=300), tmp_path))
    values, is_share = claim_outcomes(run, case.claims[0])
    assert (len(values), is_share) == (300, True)
    expected = Findings(run).strategy_shares.filter(strategy=A)["share"].item()
    assert sum(values) / 300 == pytest.approx(100 * expected, abs=1e-4)
    assert expected > 1 / seats


def test_an_open_claim_whose_range_was_edited_is_a_new_test_or_continues_the_old_one() -> None:
    lock = Lock(game="pig", lineup="hold_at*2", claims=["turns 50 to 60"], deals=4_000)
    (case,) = gates.cases(lock, Path())
    for deals, verdict, seed_stays in (
        (4_000, "HOLDS", False),
        (1_000, "HOLDS", True),
        (1_000, "BROKEN", False),  # it would be counted as a second rejection
    ):
        tested = result("turns 40 to 60", 7, verdict, deals=deals, sources=case.sources)
        with_test = lock.model_copy(update={"tests": [tested], "budget": Budget(tests=[tested.id])})
        plan = gates._plan(with_test, case, gates._stored_answers(with_test, case), None, 0)
        ((seed, levels),) = plan.items()
        assert (seed == 7, set(levels.values()) == {0.01}) == (seed_stays, seed_stays)


@pytest.mark.parametrize(("own", "other"), [(0, 0), (3, 1), (0, 4)])
def test_no_level_after_a_merge_is_above_that_of_either_side(own: int, other: int) -> None:
    ours = side([FIRST], [result(CLAIMS[0], seed) for seed in range(10, 14)], own)
    theirs = side([FIRST], [result(CLAIMS[0], seed) for seed in range(20, 29)], other)

    def next_level(lock: Lock) -> float:
        return online_testing.level(len(lock.budget.tests) + 1, lock.budget.rejections)

    joined = merge_locks(ours, theirs)
    assert next_level(joined) <= min(next_level(ours), next_level(theirs))
    assert next_level(merge_locks(joined, theirs)) <= next_level(joined)  # a second merge regains nothing
    assert merge_locks(joined, ours).budget == joined.budget


def test_the_history_of_both_sides_is_joined_and_ends_with_the_state_whose_outcomes_stay() -> None:
    joined = merge_locks(
        side([FIRST, OURS], [result(CLAIMS[0], 7)], 0), side([FIRST, THEIRS], [result(CLAIMS[1], 8)], 0)
    )
    assert [entry.reason for entry in joined.history] == ["first", "theirs", "ours"]
    assert [test.seed for test in joined.tests] == [7]  # the other is about rules before ours
    forward = merge_locks(side([FIRST], [], 0), side([FIRST, THEIRS], [], 0))
    assert [entry.reason for entry in forward.history] == ["first", "theirs"]
    assert forward.outcomes == {"side": [2]}


def test_stages_double_up_to_the_limit_of_the_lock() -> None:
    assert stages(300) == [300]
    assert stages(1_000) == [1_000]
    assert stages(5_000) == [1_000, 2_000, 4_000, 5_000]


def test_claims_with_the_same_players_and_options_share_their_games() -> None:
    claims = [*CLAIMS, "seat 2 wins 30 to 60", "turns 5 to 40 in goal 60", "turns 5 to 40 with random"]
    cases = gates.cases(Lock(game="pig", lineup="hold_at*2", claims=claims), Path())
    assert [len(case.claims) for case in cases] == [3, 1, 1]
    assert cases[2].experiment.lineups == [["random*2"]]


def test_a_claim_about_an_unknown_option_is_named_in_the_error() -> None:
    with pytest.raises(
        UsageError, match="claim 'turns 5 to 40 in gaol 60': unknown option.*did you mean 'goal'"
    ):
        gates.cases(Lock(game="pig", lineup="hold_at*2", claims=["turns 5 to 40 in gaol 60"]), Path())


def git(folder: Path, *words: str) -> int:
    names = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *names, *words], cwd=folder, capture_output=True).returncode


def set_goal(file: Path, goal: int) -> None:
    """Change the rules as a designer does who keeps them in the lock file."""
    own, record = file.read_text().split(locks.MARK)
    file.write_text(own.partition("[options]")[0] + f"[options]\ngoal = {goal}\n\n{locks.MARK}{record}")


@pytest.fixture(scope="module")
def pig(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the lock file of Pig, whose rules are unchanged."""
    folder = tmp_path_factory.mktemp("pig")
    sk.lock("pig", CLAIMS, file=folder / "balance.lock", options={"goal": 100}, **SMALL)  # type: ignore[arg-type]
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "lock")
    return folder


@pytest.fixture
def file(pig: Path) -> Path:
    git(pig, "checkout", "--force", "main")
    git(pig, "clean", "-fd")
    return pig / "balance.lock"


@pytest.mark.slow
def test_nothing_is_played_and_nothing_is_written_while_the_rules_are_those_of_the_lock(file: Path) -> None:
    before = file.read_bytes()
    gated = sk.gate(file, progress=False)
    assert (gated.games, gated.broken, file.read_bytes()) == (0, [], before)
    assert [r.verdict for r in gated.results] == ["HOLDS", "HOLDS"]
    assert str(gated) == "All 2 claims hold. No game was played: the lock file has the answers."


@pytest.mark.slow
def test_changed_rules_are_tested_once_on_fresh_deals_and_paired_on_the_shared_ones(file: Path) -> None:
    set_goal(file, 30)
    gated = sk.gate(file, progress=False)
    wins, turns = gated.results
    assert gated.broken == [CLAIMS[1]]
    assert turns.change is not None and turns.change < -5
    assert wins.seed == turns.seed != locks.read(file).history[0].results[0].seed
    assert locks.read(file).budget.rejections == 1
    assert len(locks.read(file).budget.tests) == 4
    repeated, spent = sk.gate(file, progress=False), file.read_bytes()
    assert (repeated.games, repeated.results) == (0, gated.results)
    assert file.read_bytes() == spent


@pytest.mark.slow
def test_a_skill_claim_breaks_when_luck_decides(tmp_path: Path) -> None:
    file = tmp_path / "balance.lock"
    claims = ["better player wins 85 to 100 with hold_at over random", "turns 1 to 80 with hold_at, random"]
    locked = sk.lock("pig", claims, file=file, options={"goal": 100}, **SMALL)  # type: ignore[arg-type]
    assert [result.verdict for result in locked.results] == ["HOLDS", "HOLDS"]
    set_goal(file, 1)
    gated = sk.gate(file, progress=False)
    assert gated.broken == claims[:1]
    wins, turns = gated.results
    assert turns.lineup == wins.lineup == "hold_at, random"
    assert wins.change is not None and wins.change < -15
    assert sk.gate(file, progress=False).games == 0
    picture = sk.history(file).report.picture
    assert picture is not None and picture.title == claims[0]


@pytest.mark.slow
def test_what_another_gate_wrote_meanwhile_stays_spent(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test = gates.gate

    def overtaken(*arguments: Any) -> Any:
        monkeypatch.setattr(gates, "gate", test)
        result = test(*arguments)
        set_goal(file, 40)
        sk.gate(file, progress=False)
        return result

    set_goal(file, 30)
    monkeypatch.setattr(gates, "gate", overtaken)
    sk.gate(file, progress=False)
    after = locks.read(file)
    assert len(after.budget.tests) == 2 + 2 + 2 == len(after.tests) + 2


@pytest.mark.slow
def test_accepting_measures_anew_and_adds_a_line_of_history(file: Path) -> None:
    set_goal(file, 60)
    gated = sk.gate(file, progress=False)
    accepted = sk.gate(file, accept="shorter games", progress=False)
    after = locks.read(file)
    assert [entry.reason for entry in after.history] == ["first lock", "shorter games"]
    assert after.history[1].previous == after.history[0].id
    assert after.history[1].revision
    assert {r.seed for r in accepted.results}.isdisjoint(r.seed for r in gated.results)
    assert (len(after.budget.tests), after.tests) == (6, [])
    assert sk.gate(file, progress=False).games == 0


@pytest.mark.slow
def test_more_deals_continue_a_test_with_its_seed_and_its_level(file: Path) -> None:
    file.write_text(
        file.read_text().replace("45 to 62", "51 to 55", 1).replace("deals = 4000", "deals = 1000", 1)
    )
    first = sk.gate(file, progress=False).results[0]
    assert first.verdict == "NOT KNOWN YET"
    file.write_text(file.read_text().replace("deals = 1000", "deals = 2000", 1))
    second = sk.gate(file, progress=False).results[0]
    assert (second.seed, second.level, second.deals) == (first.seed, first.level, 2_000)
    assert len(locks.read(file).budget.tests) == len(set(locks.read(file).budget.tests)) == 3


def test_both_sides_of_conflicts_are_read_from_their_marks() -> None:
    text = "a\n<<<<<<< HEAD\nb < 1\n||||||| 12ab\nx\n=======\n>>>>>>> other\nd\n<<<<<<< HEAD\n=======\ne\n>>>>>>> other\n"
    assert sides_of(text) == ("a\nb < 1\nd\n", "a\nd\ne\n")


@pytest.mark.slow
def test_a_conflict_of_git_is_merged_without_regaining_budget(file: Path) -> None:
    folder = file.parent
    git(folder, "checkout", "-b", "other")
    set_goal(file, 80)
    sk.gate(file, accept="a little shorter", progress=False)
    git(folder, "commit", "-am", "other")
    git(folder, "checkout", "main")
    git(folder, "checkout", "-b", "own")
    file.write_text(f"# mine\n{file.read_text()}".replace("goal = 100", "goal = 100\nfaces = 6"))
    sk.gate(file, accept="the same again", progress=False)
    git(folder, "commit", "-am", "own")
    assert git(folder, "merge", "other") == 1
    with pytest.raises(UsageError, match="holds a conflict of Git"):
        sk.gate(file, progress=False)
    with pytest.raises(UsageError, match="both sides changed the lines above the mark"):
        sk.gate(file, merge=True)
    text = file.read_text()
    own, conflict = text.split("<<<<<<<", 1)
    _, rest = conflict.split(">>>>>>>", 1)
    file.write_text(own + "goal = 80\n" + rest.partition("\n")[2])
    sk.gate(file, merge=True)
    after = locks.read(file)
    assert [entry.reason for entry in after.history] == ["first lock", "a little shorter", "the same again"]
    assert len(after.budget.tests) == 6
    assert file.read_text().startswith("# mine\n")
    with pytest.raises(UsageError, match="exists; edit its claims"):
        sk.lock("pig", file=file)


@pytest.mark.slow
def test_an_experiment_gives_game_options_and_lineup_and_a_usual_claim(tmp_path: Path) -> None:
    toml = (
        'question = "?"\ngame = "pig"\ndeals = 9\nlineups = [["hold_at", "random"]]\n[options]\ngoal = 30\n'
    )
    (tmp_path / "e.toml").write_text(toml)
    options = {"faces": 8}
    keys: dict[str, Any] = {"options": options, "deals": 1_000, "progress": False}
    gated = sk.lock(str(tmp_path / "e.toml"), file=tmp_path / "b.lock", **keys)
    lock = locks.read(tmp_path / "b.lock")
    assert (lock.lineup, lock.options, lock.claims) == (
        "hold_at, random",
        {"goal": 30, "faces": 8},
        ["first player wins 48.0 to 52.0"],
    )
    assert gated.results[0].games == 2_000  # both rotations of a deal


@pytest.mark.slow
def test_files_are_found_from_the_folder_of_the_lock_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    cards = CliRunner().invoke(cli.cli, ["cards", "outpost_seven"]).stdout
    (tmp_path / "own.csv").write_text(cards)
    monkeypatch.chdir(tmp_path)
    keys: dict[str, Any] = {"files": {"cards": "own.csv"}, "deals": 1_000, "progress": False}
    sk.lock("outpost_seven", ["turns 1 to 90"], file="sub/balance.lock", **keys)
    assert locks.read("sub/balance.lock").files == {"cards": "../own.csv"}
    monkeypatch.chdir("sub")
    assert sk.gate(progress=False).games == 0
    (tmp_path / "own.csv").write_text(cards.replace("blue,4,A...", "blue,4,R...", 1))
    (changed,) = sk.gate(progress=False).results
    assert changed.change is not None


@pytest.mark.slow
def test_worth_is_measured_and_its_change_too(tmp_path: Path) -> None:
    claim = "no thing is worth more than 60 games in 100"
    gated = sk.lock("charms", [claim], file=tmp_path / "c.lock", deals=2_000, progress=False)
    assert gated.results[0].verdict == "HOLDS"
    assert gated.results[0].piece


def test_the_lock_of_an_experiment_keeps_addresses_and_paths_from_its_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, sheet = "https://example.org/tracks.csv", tmp_path / "cached.csv"
    monkeypatch.setattr(experiment, "local_copy", lambda path: str(sheet) if "://" in path else path)
    (tmp_path / "games").mkdir()
    (tmp_path / "games/mood.csv").write_text("value,start\n-3,\n0,1\n2,\n")
    sheet.write_text("resource,space_1,repeat\nwool,4,2\nwheat,4,2\nfish,5,2\ncoal,3,2\n")
    text = 'question = "?"\ngame = "red_outpost"\ndeals = 5\nlineups = [["random*2"]]\n'
    text += f'[files]\nmood_track = "mood.csv"\nexport_tracks = "{address}"\n'
    (tmp_path / "games/asked.toml").write_text(text)
    monkeypatch.setattr(gates, "gate", lambda lock, *_: (lock, []))
    monkeypatch.setattr(locks, "write", lambda _, lock: None)
    gated = sk.lock(str(tmp_path / "games/asked.toml"), ["turns 1 to 900"], file=tmp_path / "b.lock")
    assert gated.before.files == {"mood_track": "games/mood.csv", "export_tracks": address}
