"""A designer's own tracks: files.mood_track and files.export_tracks (RO-1.6, RO-1.8)."""

from __future__ import annotations

import pytest

from simkit.errors import UsageError
from simkit.games.red_outpost import game
from simkit.runs.experiment import parse
from simkit.runs.plan import read_files

from .positions import WORKERS, Position, given

FILES = game.components.files
MOOD = "value,start\n-3,\n0,1\n2,\n"
EXPORT = """resource,space_1,space_2,space_3,repeat
wool,4,3,3,2
wheat,4,3,3,2
fish,5,4,3,2
coal,3,3,2,2
"""


def read(name, text, folder):
    path = folder / f"{name}.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return FILES[name].read(path)


def with_file(name, text, folder):
    return {name: read(name, text, folder)}


def test_mood_track(tmp_path):
    """RO-1.6 any start space; moods stop at its ends, and it is scored."""
    files = with_file("mood_track", MOOD, tmp_path)
    start = Position(files=files).then(moods=dict.fromkeys(WORKERS, 0))
    assert (int(start.rules.mood_spaces), int(start.rules.mood_start)) == (3, 1)
    given(files=files).when(0, "farmer mine").then(
        moods={"farmer": -3}, log={"mood_down": 1, "mood_clamped": 1}
    )
    last = given(files=files, phase="evening", turn=1, seat=1, disks={0: {"miner": 1}}, moods={"miner": 2})
    last.when(1, "farmer storehouse", "store nothing").then(vp=[7, 5], moods={"miner": 0})


@pytest.mark.parametrize("start", [0, 2])
def test_start_at_an_end_of_the_track(start, tmp_path):
    """RO-1.6 the start space may be any."""
    rows = ["5,", "6,", "7,"]
    rows[start] += "1"
    files = with_file("mood_track", "\n".join(["value,start", *rows]), tmp_path)
    Position(files=files).then(moods=dict.fromkeys(WORKERS, 5 + start))


def test_longest_and_shortest_mood_track(tmp_path):
    """RO-1.6 3 to 17 spaces, values -20 to 20; they need not rise."""
    longest = "value,start\n" + "".join(f"{v},{int(v == 0)}\n" for v in range(-8, 9))
    assert len(read("mood_track", longest, tmp_path).values) == 17
    odd = "start,value\n,20\n,-20\n1,20\n"
    contents = read("mood_track", odd, tmp_path)
    assert (contents.values, contents.start) == ((20, -20, 20), 2)


def test_what_was_read_is_said_in_a_line(tmp_path):
    for name, text in (("mood_track", MOOD), ("export_tracks", EXPORT)):
        message = read(name, text, tmp_path).summary
        assert message.startswith(f"{name}.csv") and "\n" not in message


BAD_MOODS = {
    "": "is empty; the first line must be a header: value,start",
    "value,start\n1,1\n2,\n": "2 spaces; a mood track has 3 to 17",
    "value,start\n" + "1,\n" * 17 + "2,1\n": "18 spaces",
    "value,start\n1,\n2,\n3,\n": "0 spaces are marked",
    "value,start\n1,1\n2,1\n3,\n": "2 spaces are marked",
    "value,start\n1,1\nx,\n3,\n": "line 3, column value: 'x'; it must be a whole number from -20 to 20",
    "value,start\n1,1\n,\n\n2.5,\n3,\n": "line 5, column value: '2.5'",
    "value,start\n21,1\n2,\n3,\n": "'21'; it must be a whole number from -20 to 20",
    "value,start\n1,1\n-21,\n3,\n": "'-21'",
    "value,start\n1,yes\n2,\n3,\n": "column start: 'yes'; it must be a whole number from 0 to 1",
}


@pytest.mark.parametrize("text", BAD_MOODS, ids=range(len(BAD_MOODS)))
def test_bad_mood_tracks(text, tmp_path):
    """RO-1.6 refused in one line that says where."""
    refused("mood_track", text, BAD_MOODS[text], tmp_path)


def refused(name, text, message, folder):
    with pytest.raises(UsageError) as error:
        read(name, text, folder)
    line = str(error.value)
    assert message in line and "\n" not in line and f"{name}.csv" in line


def test_export_tracks(tmp_path):
    """RO-1.8 0 to 7 fixed spaces by type, then the one that repeats; rows in any order."""
    text = (
        "resource,space_1,space_2,space_3,space_4,space_5,space_6,space_7,repeat\n"
        "coal,1,2,3,4,5,6,7,20\nwool,,,,,,,,9\nfish,8,,,,,,,0\nwheat,4,3,,,,,,2\n"
    )
    files = with_file("export_tracks", text, tmp_path)
    assert [int(n) for n in Position(files=files).rules.export_spaces] == [0, 2, 1, 7]
    for resource, cubes, value, after in (
        ("coal", 0, 1, 1), ("coal", 6, 7, 7), ("coal", 7, 20, 7), ("wool", 0, 9, 0), ("fish", 0, 8, 1),
        ("fish", 1, 0, 1), ("wheat", 1, 3, 2), ("wheat", 2, 2, 2),
    ):  # fmt: skip
        position = given(store={resource: 2}, track={resource: cubes}, files=files)
        position.when(0, "miner storehouse", f"buy {resource}").then(
            vp=[5 + value, 5], track={resource: after}, log={"exports_repeat": int(after == cubes)}
        )


def test_files_add_to_the_other_options(tmp_path):
    """RO-4.10, RO-7.1: export_bonus and mood_multiplier count with files too."""
    files = with_file("export_tracks", EXPORT.replace("coal,3", "coal,7"), tmp_path)
    given(store={"coal": 2}, options={"export_bonus": -2}, files=files).when(0, "farmer mine").then(
        vp=[10, 5]
    )
    files = with_file("mood_track", MOOD, tmp_path)
    position = given(
        files=files, phase="evening", turn=1, seat=1, disks={0: {"miner": 1}}, moods={"miner": -3},
        options={"mood_multiplier": 3},
    )  # fmt: skip
    position.when(1, "farmer storehouse", "store nothing").then(vp=[-4, 5])


BAD_EXPORTS = {
    EXPORT.replace("repeat", "space_4"): "column repeat: is missing",
    EXPORT.replace("coal,3,3,2,2\n", ""): "no row for coal",
    EXPORT.replace("fish,5,4", "fish,,4"): "line 4, column space_1: is empty, but a later space is not",
    EXPORT.replace(
        "fish,5", "fish,21"
    ): "line 4, column space_1: '21'; it must be a whole number from 0 to 20",
    EXPORT.replace("fish,5", "fish,-1"): "'-1'; it must be a whole number from 0 to 20",
    EXPORT.replace("coal,3,3,2,2", "coal,3,3,2,"): "line 5, column repeat: is empty",
    EXPORT.replace("space_3", "space_8"): "space_8",
}


@pytest.mark.parametrize("text", BAD_EXPORTS, ids=range(len(BAD_EXPORTS)))
def test_bad_export_tracks(text, tmp_path):
    """RO-1.8 refused in one line that says where."""
    refused("export_tracks", text, BAD_EXPORTS[text], tmp_path)


def test_a_file_instead_of_its_option(tmp_path):
    """A file takes the place of the option: both are refused; an unknown file too."""
    for name, option, value in (
        ("mood_track", "mood_track", "linear3"), ("export_tracks", "export_track", "flat3")
    ):  # fmt: skip
        read_file = with_file(name, MOOD if name == "mood_track" else EXPORT, tmp_path)
        game.rules({}, read_file)
        with pytest.raises(UsageError, match=f"option {option} cannot be given"):
            game.rules({option: value}, read_file)
    decided = {"question": "?", "game": "red_outpost", "deals": 1, "lineups": ["random*2"]}
    with pytest.raises(UsageError, match="may replace 'mood_tracks'; did you mean 'mood_track'"):
        read_files(parse(decided | {"files": {"mood_tracks": "mine.csv"}}))


def test_the_default_tracks_as_files(tmp_path):
    """RO-1.6, RO-1.8: the printed defaults, written as files, are the default rules."""
    values = "".join(f"{v},{int(v == 0)}\n" for v in range(-5, 6))
    files = with_file("mood_track", "value,start\n" + values, tmp_path)
    files |= with_file("export_tracks", EXPORT, tmp_path)
    assert game.rules({}, files).tobytes() == game.rules().tobytes()
