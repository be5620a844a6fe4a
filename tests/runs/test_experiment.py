"""A question in TOML becomes checked cells; every mistake in it is told in one line that names the file."""

import pytest

from simkit.ask import lock_file
from simkit.engine import lineups, registry, sheet_files
from simkit.errors import UsageError
from simkit.runs import experiment
from simkit.runs.plan import load, make_plan

HEAD = 'question = "?"\ngame = "pig"\ndeals = 10\n'


def written(tmp_path, text):
    path = tmp_path / "asked.toml"
    path.write_text(text)
    return path


def cells_of(**keys):
    return make_plan(experiment.parse({"question": "?", "game": "pig", "deals": 10, **keys})).cells


def test_the_file_in_the_checkout_is_good():
    for path in registry.experiments().values():
        assert make_plan(load(path)).cells


def test_cells_go_through_the_sweep_outside_and_the_lineups_inside():
    cells = cells_of(lineups=["hold_at*2", "random*3"], sweep={"goal": [50, 100], "faces": [4, 6]})
    assert [(c.varied["goal"], c.varied["faces"], c.seats) for c in cells] == [
        (50, 4, 2), (50, 4, 3), (50, 6, 2), (50, 6, 3), (100, 4, 2), (100, 4, 3), (100, 6, 2), (100, 6, 3),
    ]  # fmt: skip
    assert [c.index for c in cells] == list(range(8))


def test_a_lineup_is_rotated_unless_its_strategies_are_the_same_or_rotate_is_false():
    lineups = ["hold_at*3", "hold_at, random*2", "hold_at(threshold=20), hold_at(threshold=25)"]
    assert [c.rotations for c in cells_of(lineups=lineups)] == [1, 3, 2]
    assert [c.rotations for c in cells_of(lineups=lineups, rotate=False)] == [1, 1, 1]


def test_play_ids_run_through_the_deals_without_gaps_however_many_there_are():
    cells = cells_of(lineups=["hold_at*3", "hold_at, random*2", "random*2"])
    assert [c.first_play for c in cells] == [0, 1, 4]
    ids = [c.play_of(deal, turn) for deal in range(10) for c in cells for turn in range(c.rotations)]
    assert ids == list(range(50))


def test_a_key_with_a_comma_ties_options_together():
    cells = cells_of(lineups=["random*2"], sweep={"goal, faces": [[50, 4], [100, 6]]})
    assert [c.varied for c in cells] == [{"goal": 50, "faces": 4}, {"goal": 100, "faces": 6}]


def test_fixed_options_are_given_but_not_varied():
    cell = cells_of(lineups=["random*2"], options={"faces": 8}, sweep={"goal": [50]})[0]
    assert cell.options == {"faces": 8, "goal": 50} and cell.varied == {"goal": 50}


def test_lineups_may_be_lists_or_texts_with_repetition():
    cells = cells_of(lineups=[["hold_at(threshold=5)", "random*2"], "hold_at(threshold=5), random*2, random"])
    assert [c.labels for c in cells] == [
        ["hold_at(threshold=5)", "random", "random"],
        ["hold_at(threshold=5)"] + ["random"] * 3,
    ]


def test_one_lineup_may_be_a_text():
    assert [c.labels for c in cells_of(lineups="hold_at, random*2")] == [["hold_at", "random", "random"]]


def test_a_round_robin_is_every_pair_and_mirrors_on_request():
    names = ["random", "hold_at", "hold_at(threshold=25)"]
    assert [c.labels for c in cells_of(round_robin=names)] == [names[:2], [names[0], names[2]], names[1:]]
    assert len(cells_of(round_robin=names, mirrors=True)) == 6


def test_the_baseline_marks_its_cells_and_fills_in_the_rulebook():
    keys = {"lineups": ["random*2", "hold_at*2"], "sweep": {"goal": [50, 100], "faces": [6, 8]}}
    assert [c.index for c in cells_of(**keys, baseline={"goal": 50}) if c.baseline] == [0, 1]
    assert not any(c.baseline for c in cells_of(**keys))


def test_an_experiment_written_down_is_read_back_the_same(tmp_path):
    request = experiment.parse({
        "question": 'Quote " backslash \\ and\nnew line?', "game": "pig", "deals": 7, "seed": 3, "rotate": False, "mirrors": True,
        "lineups": ["hold_at(threshold=25), random", ["random*3"]], "round_robin": ["random", "hold_at"],
        "options": {"bust": 0}, "sweep": {"goal, faces": [[50, 4], [100, 6]]}, "baseline": {"goal": 100, "faces": 6},
    })  # fmt: skip
    assert load(written(tmp_path, request.to_toml())) == request


def test_changed_keys_are_checked_again():
    request = experiment.parse({"question": "?", "game": "pig", "deals": 7, "lineups": ["random*2"]})
    assert request.with_keys(deals=9).deals == 9
    with pytest.raises(UsageError, match="'deals'"):
        request.with_keys(deals=0)


GOOD = HEAD + 'lineups = ["random*2"]\n'
MISTAKES = [
    (HEAD + 'lineup = ["random*2"]', "unknown key 'lineup'; did you mean 'lineups'?"),
    (GOOD.replace("deals = 10", ""), "key 'deals' is missing"),
    (GOOD.replace("10", "0"), "key 'deals': should be greater than or equal to 1, not 0"),
    (GOOD.replace("10", '"many"'), "key 'deals': should be a valid integer, not 'many'"),
    (GOOD.replace('["random*2"]', "["), "malformed TOML"),
    ('question = "?"\ngame = \n', "line 2"),
    (GOOD.replace("pig", "pgi"), "unknown game 'pgi'; did you mean 'pig'?"),
    (HEAD, "no lineup"),
    (GOOD.replace("random*2", "randon*2"), "unknown strategy of pig 'randon'; did you mean 'random'?"),
    (GOOD.replace("random*2", "hold_at(treshold=3)*2"), "unknown weight of hold_at 'treshold'; did you mean 'threshold'?"),
    (GOOD.replace("random*2", "hold_at(threshold=0)*2"), "out of range: 1 to 1000"),
    (GOOD.replace("random*2", "random"), "the lineup 'random' has 1 strategy; pig has 2 to 10 seats: say random*2"),
    (GOOD.replace("]", ', "random, random"]'), "lineup 'random, random' is given twice"),
    (GOOD.replace("random*2", "random**2"), "is not of the form"),
    (GOOD + "options.gaol = 50", "unknown option of pig 'gaol'; did you mean 'goal'?"),
    (GOOD + "options.goal = 5000", "option goal = 5000 is out of range: 1 to 1000"),
    (GOOD + "sweep.goal = 50", "key 'sweep.goal': should be a valid list, not 50"),
    (GOOD + "sweep.goal = []", "goal: no values"),
    (GOOD + "sweep.goal = [50, 50]", "50 is given twice"),
    (GOOD + 'sweep."goal, faces" = [[50]]', "has 1 values for 2 options"),
    (GOOD + 'sweep."goal, faces, goal" = [[50, 6, 60]]', "option goal is given twice"),
    (GOOD + "options.goal = 5\nsweep.goal = [50]", "option goal is given twice"),
    (GOOD + "sweep.goal = [50]\nbaseline.goal = 60", "is not among the combinations"),
    (GOOD + "sweep.goal = [50]\nbaseline.faces = 6", "unknown option in [baseline] 'faces'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_a_mistake_is_told_in_one_line_with_file_and_remedy(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load(path)
    sentence = str(caught.value)
    assert message in sentence and str(path) in sentence and "\n" not in sentence


def read_mapping(path):
    return sheet_files.read_mapping(path.with_name(path.name.replace(".columns.toml", ".csv")))


@pytest.mark.parametrize(
    ("read", "name", "text"),
    [
        (load, "a.toml", HEAD + 'lineups = ["random*2"]'),
        (lock_file.read, "a.lock", 'game = "pig"\nlineup = "random*2"\nclaims = ["turns 10 to 12"]'),
        (lineups.load_presets, "presets.toml", "[pig.hold_at.early]\nthreshold = 12"),
        (read_mapping, "a.columns.toml", 'copies = "number"'),
    ],
)
def test_all_toml_is_read_by_one_reader(tmp_path, read, name, text):
    """It passes over a byte order mark, and refuses keys that would take `tomllib` minutes, and endless files."""
    file = tmp_path / name
    file.write_text(text)
    usual = read(file)
    file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert read(file) == usual
    for key in ("x." * 30_000 + "x", "'x' . \"y.\" ." * 100 + "x"):
        for line in (f"{key} = 1", f"[{key}]"):
            file.write_text(f"{line}\n{text}")
            with pytest.raises(UsageError, match=f"{name}: malformed TOML: a key has 100 dots or more"):
                read(file)
    file.write_text(f"# {'x.' * 98}x\n{text}")
    assert read(file) == usual


@pytest.mark.posix
def test_an_endless_file_is_no_toml():
    with pytest.raises(UsageError, match="/dev/zero: is larger than 50 MB"):
        load("/dev/zero")


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path / "nothing.toml")


def test_a_card_file_for_a_game_without_one_is_refused(tmp_path):
    path = written(tmp_path, HEAD + 'lineups = ["random*2"]\nfiles.cards = "cards.csv"')
    with pytest.raises(UsageError, match="unknown table of pig that a file may replace 'cards'"):
        make_plan(load(path)).check()
