"""Files of learned players: what is read again, and what is refused in one line."""

import json
import linecache
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from simkit.engine.compile.fingerprint import source_digest
from simkit.engine.fields import scalar
from simkit.engine.learned import file, net
from simkit.engine.learned.file import TrainedPlayer, load, notes, pack, refusal, save, trained_player
from simkit.engine.registry import game
from simkit.errors import UsageError
from tests.engine.test_learned_net import random_arrays, random_views

RULES = {"fixed": {"komi": 0, "variant": "plain"}, "varied": {"total": [12, 18, 24], "draft": ["on", "off"]}}


@pytest.fixture(scope="module")
def player() -> TrainedPlayer:
    tic_tac_toe = game("tic_tac_toe")
    views, seats = random_views(tic_tac_toe, 2, 10)
    layout = file.columns.observe_values(tic_tac_toe, seats, tic_tac_toe.rules(), views)
    weights = random_arrays(layout) | {"shifts": np.array([10, 9], np.int8)}
    meta = {"name": "best", "samples": 4, "caution": 0.5, "rules": RULES, "margin_sd": 1.5}
    return trained_player(tic_tac_toe, meta, layout, weights)


@pytest.fixture
def path(player: TrainedPlayer, tmp_path: Path) -> Path:
    save(tmp_path / "best-2.npz", player)
    return tmp_path / "best-2.npz"


def test_a_loaded_player_is_the_one_that_was_saved(player, path):
    loaded, tic_tac_toe = load(path), game("tic_tac_toe")
    assert loaded.meta == player.meta
    assert (pack(loaded, tic_tac_toe) == pack(player, tic_tac_toe)).all()
    assert refusal(loaded, tic_tac_toe, 2) == ""
    first = path.read_bytes()
    save(path, loaded)
    assert path.read_bytes() == first


def test_the_header_has_what_players_ask_for(player):
    own = pack(player, game("tic_tac_toe"))
    numbers = [
        net.head(own, n) for n in (net.SEATS, net.SAMPLES, net.CAUTION, net.HIDDEN_SHIFT, net.OUT_SHIFT)
    ]
    assert numbers == [2, 4, 512, 10, 9]
    assert net.room_of(own) == net.sums_of(own) > 48


def test_a_file_with_a_key_of_an_earlier_version_is_read(player, path):
    rewrite(path, meta(mix=0.6))
    assert load(path).meta == player.meta


def rewrite(path: Path, change: Any, digest: bool = True) -> None:
    """Write a file anew with changed arrays, with a digest that fits them or the old one."""
    with np.load(path) as saved:
        arrays = dict(saved)
    old = arrays.pop("digest")
    change(arrays)
    np.savez_compressed(path, **arrays, digest=file._digest(arrays) if digest else old)


def put(name: str, place: Any, value: Any) -> Any:
    def change(arrays: dict[str, Any]) -> None:
        arrays[name] = arrays[name].copy()
        arrays[name][place] = value

    return change


def meta(**keys: Any) -> Any:
    def change(arrays: dict[str, Any]) -> None:
        text = json.loads(arrays["meta"].tobytes()) | keys
        arrays["meta"] = np.frombuffer(json.dumps(text).encode(), np.uint8)

    return change


def renamed(name: str, array: Any) -> Any:
    return lambda arrays: arrays.update({name: array})


SLOT = file.columns
DAMAGE = {
    "another version": (meta(version=9), "it has version 9, and this simkit reads version 1"),
    "a key of the rules": (meta(rules={"colour": 1}), "its text 'meta' cannot be read"),
    "no text": (renamed("meta", np.zeros(3, np.uint8)), "its text 'meta' cannot be read"),
    "seats": (meta(seats=99), "number of seats is out of range"),
    "no redeals": (meta(samples=0), "a number of 'meta' is out of range"),
    "a deviation": (meta(margin_sd=0.0), "a number of 'meta' is out of range"),
    "a foreign array": (renamed("more", np.zeros(3)), "'more' is missing or does not belong in it"),
    "a missing array": (lambda arrays: arrays.pop("bins"), "'bins' is missing or does not belong in it"),
    "a type": (renamed("rows", np.zeros((9, 32))), "'rows' has the wrong type or shape"),
    "a shape": (renamed("out", np.zeros((3, 16), np.int16)), "'out' has the wrong type or shape"),
    "units": (renamed("rows", np.zeros((900, 31), np.int16)), "number of units is out of range"),
    "inputs": (renamed("hidden", np.zeros((31, 16), np.int16)), "number of inputs is out of range"),
    "a shift": (put("shifts", 0, 32), "a shift is out of range"),
    "too few rows": (renamed("rows", np.zeros((1, 32), np.int16)), "an entry is out of range"),
    "a row": (put("entries", (1, 0), -2), "an entry is out of range"),
    "a token": (put("entries", (1, 2), 1), "an entry is out of range"),
    "the field of a slot": (put("slots", (0, SLOT.NAME), 99), "the field of a slot is out of range"),
    "a sort": (put("slots", (0, SLOT.SORT), 3), "a slot is out of range"),
    "a count": (put("slots", (0, SLOT.COUNT), 0), "a slot is out of range"),
    "bins": (put("slots", (0, SLOT.BIN_COUNT), 5), "a range is out of range"),
    "entries": (put("slots", (0, SLOT.FIRST), 30_000), "the entries of a slot is out of range"),
    "a token of a slot": (put("slots", (0, SLOT.TOKEN), 900), "the token of a slot is out of range"),
    "a hidden weight": (put("hidden", slice(None), 32_767), "a sum could overflow"),
    "an output": (put("out", slice(None), 32_767), "a sum could overflow"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_file_is_refused_in_one_line(path, kind):
    change, message = DAMAGE[kind]
    rewrite(path, change)
    with pytest.raises(UsageError) as error:
        load(path)
    text = str(error.value)
    assert text.startswith(f"{path} is no sound file of a learned player: ")
    assert message in text
    assert "\n" not in text


def test_a_file_that_was_edited_is_refused_by_its_digest(path):
    rewrite(path, put("rows", (0, 0), 1), digest=False)
    with pytest.raises(UsageError, match="its content does not match its digest"):
        load(path)


@pytest.mark.parametrize("length", [0, 10, 2_000])
def test_a_truncated_file_is_refused(path, length):
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(UsageError, match="it cannot be read"):
        load(path)


METHOD, FLAGS = 8, 6  # places in the header of a part of an archive


@pytest.mark.parametrize(("place", "number"), [(METHOD, 99), (FLAGS, 1)], ids=["compression", "encryption"])
def test_a_file_with_parts_that_cannot_be_unpacked_is_refused(path, place, number):
    content = bytearray(path.read_bytes())
    for begin, first in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):  # of the part, and in the list of all
        content[content.index(begin) + first + place] = number
    path.write_bytes(content)
    with pytest.raises(UsageError, match="it cannot be read"):
        load(path)


@pytest.mark.parametrize(
    "text", [b"\x93NUMPX", b"\x93NUMPY\x01\x00\x76\x00{'descr': ("], ids=["other", "open"]
)
def test_a_part_that_is_no_array_is_refused(path, text):
    with ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["bins.npy"] = text + parts["bins.npy"][len(text) :]
    with ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    with pytest.raises(UsageError, match="is no sound file of a learned player"):
        load(path)


@pytest.mark.parametrize("deviation", [1.0, 10.8, 63.0, 1_500.0, 99_000.0, 1e6])
def test_margins_are_in_standard_deviations_however_large_the_points(player, deviation):
    """A standard deviation is 256."""
    toe = game("tic_tac_toe")
    packed = pack(
        replace(player, meta=player.meta.model_copy(update={"margin_sd": deviation}), _nets={}), toe
    )
    over = np.zeros(1, toe.state_dtype)[0]
    over.seats, over.score[0], over.rank[:2] = 2, round(2 * deviation), (1, 2)
    assert net.result(packed, over, 0)[1] == pytest.approx(256 * over.score[0] / deviation, abs=1)
    point = 2 ** net.head(packed, net.POINTS_SHIFT) / net.head(packed, net.POINTS)
    assert point == pytest.approx(deviation / 256, rel=0.002)


def test_pickled_objects_are_refused_unread(path):
    rewrite(path, renamed("bins", np.array([print], object)), digest=False)
    with pytest.raises(UsageError, match="it cannot be read: it is damaged, or no archive of NumPy"):
        load(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(UsageError, match="it cannot be read: .*No such file"):
        load(tmp_path / "best-2.npz")


def test_sums_of_the_largest_weights_are_refused_if_they_could_overflow(player):
    slots = np.repeat(player.arrays["slots"], 800, axis=0)
    rows = np.full_like(player.arrays["rows"], 32_767)
    with pytest.raises(file._Damage, match="a sum could overflow"):
        file.check(replace(player, arrays=player.arrays | {"slots": slots, "rows": rows}))
    file.check(replace(player, arrays=player.arrays | {"rows": rows}))


def test_a_player_refuses_another_game_and_other_seats(player):
    assert refusal(player, game("nim"), 2) == "this player was trained for tic_tac_toe, not nim"
    assert refusal(player, game("tic_tac_toe"), 3) == "this player was trained for 2 seats, not 3"


def test_a_player_refuses_changed_rules_and_fields(player):
    tic_tac_toe = game("tic_tac_toe")
    changed = replace(tic_tac_toe, legal=game("nim").legal)
    assert refusal(player, changed, 2) == "the rules of tic_tac_toe have changed since it was trained"
    wider = [field._replace(kind="i2") if field.name == "board" else field for field in tic_tac_toe.state]
    fault = "the state of tic_tac_toe has other fields than when it was trained"
    assert refusal(player, replace(tic_tac_toe, state=wider), 2) == fault


FOREIGN = [
    {"slots": (SLOT.INDEX, 1 << 30)},
    {"slots": (SLOT.INDEX, -1)},
    {"slots": (SLOT.SORT, SLOT.POINTED)},
    {"names": (0, "none")},
]


@pytest.mark.parametrize("change", FOREIGN, ids=str)
def test_a_player_that_reads_elsewhere_than_in_fields_is_refused(player, change):
    ((name, (place, value)),) = change.items()
    array = player.arrays[name].copy()
    if name == "names":
        array[:] = value
    else:
        array[:, place] = value
    other = replace(player, arrays=player.arrays | {name: array})
    fault = "the state of tic_tac_toe has other fields than when it was trained"
    assert refusal(other, game("tic_tac_toe"), 2) == fault


def test_a_player_accepts_a_new_field_that_it_does_not_read(player):
    tic_tac_toe = game("tic_tac_toe")
    wider = replace(tic_tac_toe, state=[scalar("new", "i4", "New"), *tic_tac_toe.state])
    assert refusal(player, wider, 2) == ""


NOTES = [
    ({"total": 12, "draft": "on", "komi": 0, "variant": "plain"}, []),
    ({"total": 20}, []),
    ({"total": 30}, ["trained for total 12 to 24; 30 is outside"]),
    ({"draft": "half"}, ["trained for draft on, off; half is outside"]),
    (
        {"komi": 2, "variant": "other"},
        ["trained for komi = 0, not 2", "trained for variant = plain, not other"],
    ),
]


@pytest.mark.parametrize(("options", "expected"), NOTES)
def test_options_outside_the_training_are_noted(player, options, expected):
    assert notes(player, options) == expected


OWN_TABLES = [
    ({}, {}, []),
    ({}, {"cards": "a"}, ["trained for the printed cards; these are others"]),
    ({"cards": "a"}, {"cards": "a"}, []),
    ({"cards": "a"}, {"cards": "b"}, ["trained for other cards than these"]),
    ({"cards": "a"}, {}, ["trained for other cards than these"]),
]


@pytest.mark.parametrize(("before", "now", "expected"), OWN_TABLES)
def test_tables_other_than_those_of_the_training_are_noted(player, before, now, expected):
    rules = player.meta.rules.model_copy(update={"files": before})
    trained = replace(player, meta=player.meta.model_copy(update={"rules": rules}))
    assert notes(trained, {}, now) == expected


RULE = '''
def legal(s, rules, out):
    """Return the legal actions."""
    out[0] = LIMIT  # the only one
    return 1


LIMIT = 3
'''
SAME = [
    RULE,
    RULE.replace("  # the only one", ""),
    RULE.replace("Return the", "Give all"),
    RULE.replace("= LIMIT", "=   LIMIT"),
]
OTHER = [RULE.replace("return 1", "return 2"), RULE.replace("= 3", "= 4"), RULE.replace("out[0]", "out[1]")]


def digest_of(source: str, tmp_path: Path) -> str:
    """Return the digest of the function `legal` in a source."""
    path = tmp_path / "rules.py"
    path.write_text(source)
    names: dict[str, Any] = {"__name__": "rules"}
    linecache.checkcache(str(path))
    exec(compile(source, str(path), "exec"), names)
    return source_digest(names["legal"])


def test_the_digest_of_sources_changes_with_code_and_constants_alone(tmp_path):
    same, other = ([digest_of(source, tmp_path) for source in sources] for sources in (SAME, OTHER))
    assert len(set(same)) == 1
    assert len({*same, *other}) == 1 + len(OTHER)
