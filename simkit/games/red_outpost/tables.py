"""Red Outpost: the component tables: moods, export tracks, decks, numbers of disks (RO-1)."""

from typing import Any

import numpy as np

from simkit.engine.fields import Field, scalar
from simkit.engine.game import Column, TableFile
from simkit.games.red_outpost import facts
from simkit.games.red_outpost.facts import DATA, NOBODY, RESOURCE_NAMES, WORKERS, Location, Resource, Worker
from simkit.games.red_outpost.options import Where
from simkit.games.red_outpost.trackfile import (
    BEST,
    MOST_POINTS,
    SPACES,
    WORST,
    ExportTracks,
    MoodTrack,
    export_rows,
    mood_rows,
    read_export_tracks,
    read_mood_track,
)

TABLES = [
    scalar("mood_spaces", "i2", "Spaces of the mood track"),
    scalar("mood_start", "i2", "Space of the mood track on which workers start, from 0"),
    Field("mood_value", "i2", (facts.MOST_SPACES,), "Victory points of the spaces of the mood track [space]"),
    Field("visit_mood", "i2", (facts.LOCATIONS, WORKERS), "Mood of the visitor [location, worker]"),
    Field("host", "i2", (facts.LOCATIONS,), "Worker whose mood another's visit changes, -1 none [location]"),
    Field("host_mood", "i2", (facts.LOCATIONS,), "Change of that worker's mood [location]"),
    Field("export_spaces", "i2", (facts.RESOURCES,), "Fixed spaces of the export track [resource]"),
    Field("export_value", "i2", (facts.RESOURCES, facts.MOST_EXPORTS + 1),
          "Victory points of the spaces of the export track, the repeated one after the fixed ones"
          " [resource, space]"),
    Field("lake_count", "i2", (facts.LAKE_KINDS,), "Lake cards [kind]"),
    Field("lake_fish", "i2", (facts.LAKE_KINDS,), "Fish on a lake card [kind]"),
    Field("lake_mood", "i2", (facts.LAKE_KINDS,), "Mood on a lake card [kind]"),
    Field("ship_count", "i2", (facts.SHIP_KINDS,), "Spaceship cards [kind]"),
    Field("ship_resource", "i2", (facts.SHIP_KINDS,), "Resource on it, 4 = of choice, -1 none [kind]"),
    Field("ship_crystal", "i2", (facts.SHIP_KINDS,), "Crystals on it [kind]"),
    Field("disks", "i2", (facts.MOST + 1,), "Disks in the reserve of each seat [number of seats]"),
    Field("card_where", "i2", (facts.CARDS,), "Where each special card is [card - 1]"),
    Field("seat_vp", "i2", (facts.MOST,), "Victory points at the start [seat]"),
    Field("seat_crystals", "i2", (facts.MOST,), "Crystals at the start [seat]"),
    Field("palace_vp", "i2", (facts.MOST,), "Victory points by place at the Palace [place - 1]"),
]  # fmt: skip
FILES = {
    "mood_track": TableFile(
        read_mood_track, "mood_track", lambda options: standard_mood(options["mood_track"]), mood_rows,
        (Column("value", low=WORST, high=BEST), Column("start")),
    ),
    "export_tracks": TableFile(
        read_export_tracks, "export_track", lambda options: standard_exports(options["export_track"]),
        export_rows, (*(Column(name, high=MOST_POINTS) for name in (*SPACES, "repeat")),),
    ),
}  # fmt: skip


def build(options: dict[str, Any], files: dict[str, Any]) -> dict[str, Any]:
    """Return the tables that follow from the options in force or from a designer's files."""
    mood = files.get("mood_track") or standard_mood(options["mood_track"])
    tracks = files.get("export_tracks") or standard_exports(options["export_track"])
    seats = range(facts.MOST)
    return visits(options) | lake(options) | spaceship(options) | {
        "mood_spaces": len(mood.values),
        "mood_start": mood.start,
        "mood_value": _padded(mood.values, facts.MOST_SPACES),
        "export_spaces": [len(track) - 1 for track in tracks.values],
        "export_value": [_padded(track, facts.MOST_EXPORTS + 1) for track in tracks.values],
        "disks": [0, 0] + [n + options["disks_delta"] for n in DATA["setup"]["disks_reserve"]],
        "card_where": [Where[options[f"card_{n}"]] for n in range(1, facts.CARDS + 1)],
        "seat_vp": [options["start_vp"] + options[f"seat_vp_{seat}"] for seat in seats],
        "seat_crystals": [options["start_crystals"] + options[f"seat_crystals_{seat}"] for seat in seats],
        "palace_vp": [options[f"palace_vp_{place}"] for place in range(1, facts.MOST + 1)],
    }  # fmt: skip


def _padded(values: tuple[int, ...], size: int) -> list[int]:
    return [*values, *[0] * (size - len(values))]


def standard_mood(name: str) -> MoodTrack:
    """Return a mood track of the data file (RO-1.6)."""
    its = DATA["mood"]["tracks"][name]
    return MoodTrack(tuple(its["values"]), its["start_index"])


def standard_exports(name: str) -> ExportTracks:
    """Return export tracks of the data file, the repeated space last (RO-1.8)."""
    its = DATA["export"]["tracks"][name]
    return ExportTracks(tuple((*its[r]["values"], its[r]["repeat"]) for r in RESOURCE_NAMES))


def visits(options: dict[str, Any]) -> dict[str, Any]:
    """Return the mood changes of visitors and of the workers concerned (RO-4.4)."""
    places = DATA["location"]
    mood = np.array([its["visitor_mood"] for its in places])
    beer = mood[Location.beer_house]
    beer[beer > 0] = options["beer_mood"]
    for location, change in (
        (Location.field_kitchen, options["kitchen_mood"]), (Location.barracks, options["barracks_mood"]),
        (Location.mine, -options["mine_mood_loss"]), (Location.labor_camp, -options["camp_mood_loss"]),
        (Location.spaceship, -options["spaceship_mood_loss"]),
    ):  # fmt: skip
        mood[location][mood[location] != 0] = change
    hosts = [its.get("side_mood_worker") for its in places]
    side = np.zeros(facts.LOCATIONS, np.int64)
    side[Location.palace] = options["palace_side_mood"]
    side[Location.administration] = options["administration_side_mood"]
    return {
        "visit_mood": mood,
        "host": [Worker[host] if host else NOBODY for host in hosts],
        "host_mood": side,
    }


def lake(options: dict[str, Any]) -> dict[str, Any]:
    """Return the cards of the lake; some of the three with fish have two (RO-1.9)."""
    cards, two = DATA["lake_card"], options["lake_two_fish"]
    return {
        "lake_count": [cards[0]["count"], facts.FISH_CARDS - two, two],
        "lake_fish": [its["fish"] for its in cards],
        "lake_mood": [its["mood"] for its in cards],
    }


def spaceship(options: dict[str, Any]) -> dict[str, Any]:
    """Return the cards of the spaceship (RO-1.10)."""
    cards = DATA["ship_card"]
    resources = {"none": NOBODY, "choice": facts.CHOICE} | {r.name: int(r) for r in Resource}
    return {
        "ship_count": [options["spaceship_blanks"], *(its["count"] for its in cards[1:])],
        "ship_resource": [resources[its["resource"]] for its in cards],
        "ship_crystal": [its["crystal"] for its in cards],
    }
