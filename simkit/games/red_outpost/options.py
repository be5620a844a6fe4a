"""Red Outpost: the options (RO-9). Ranges, defaults and clauses stand in components.toml, words here."""

from enum import IntEnum

from simkit.engine.options import option_maker
from simkit.games.red_outpost.facts import CARDS, DATA, MOST

Ruleset = IntEnum("Ruleset", "first_games random_tokens full_game", start=0)
ChoiceOrder = IntEnum("ChoiceOrder", "first_to_last last_to_first", start=0)
Where = IntEnum("Where", "dealt out seat_0 seat_1 seat_2 seat_3", start=0)
Blocking = IntEnum("Blocking", "default random random_each_round none", start=0)
DayTurns = IntEnum("DayTurns", "workers equal", start=0)
DayOrder = IntEnum("DayOrder", "clockwise snake", start=0)
Pass = IntEnum("Pass", "phase round never", start=0)
MoodTrack = IntEnum("MoodTrack", "linear5 linear3 linear8 progressive degressive", start=0)
WorkerTie = IntEnum("WorkerTie", "full split none", start=0)
ExportTrack = IntEnum("ExportTrack", "decreasing flat3 increasing", start=0)
Disks = IntEnum("Disks", "others any none", start=0)
PalaceTie = IntEnum("PalaceTie", "standard dense", start=0)
FinalTie = IntEnum("FinalTie", "crystals shared", start=0)
Carry = IntEnum("Carry", "stays returns", start=0)
_CHOICES = {
    "ruleset": Ruleset, "card_choice_order": ChoiceOrder, "blocking": Blocking, "day_turns": DayTurns,
    "day_order": DayOrder, "first_player_pass": Pass, "mood_track": MoodTrack, "worker_tie": WorkerTie,
    "export_track": ExportTrack, "administration_disks": Disks, "palace_tie": PalaceTie,
    "final_tie": FinalTie, "admin_card_carry": Carry,
} | {f"card_{n}": Where for n in range(1, CARDS + 1)}  # fmt: skip


_option = option_maker(DATA["options"], _CHOICES)

_RANDOM = {"blocking": ("random", "random_each_round")}
_PLACES = ("first", "second", "third", "fourth")

CARD_RULES = [
    _option("ruleset", "The rulebook's ways to play: sets other options, unless they are given", "rule set",
            values={"first_games": "first games", "full_game": "full game"}),
    _option("special_location_cards", "Special location cards dealt to each seat", "location cards"),
    _option("special_worker_cards", "Special worker cards dealt to each seat", "worker cards"),
    _option("special_location_choice", "Location cards dealt to each seat, which keeps one; 1 = off",
            "choice of a location card", values="one of {}"),
    _option("special_worker_choice", "Worker cards dealt to each seat, which keeps one; 1 = off",
            "choice of a worker card", values="one of {}"),
    _option("card_choice_order", "Order in which seats keep a card", "order of keeping a card",
            values={"first_to_last": "first seat first", "last_to_first": "last seat first"}),
    *(_option(f"card_{n}", f"Special card {n}: dealt, out of the game, or owned by a seat from the start",
              f"special card {n}", treats=tuple(range(MOST)),
              values={f"seat_{seat}": f"to the {place} seat" for seat, place in enumerate(_PLACES)})
      for n in range(1, CARDS + 1)),
]  # fmt: skip

START = [
    _option("blocking", "Which locations are blocked in Morning and Evening", "blocked locations",
            values={"default": "recommended", "random": "drawn", "random_each_round": "drawn each round"}),
    _option("blocking_tokens", "Locations blocked in Morning and in Evening, where they are drawn",
            "drawn blocking tokens", needs=_RANDOM),
    _option("start_vp", "Victory points at the start"),
    _option("start_crystals", "Crystals at the start"),
    *(_option(f"seat_{what}_{seat}", f"Extra {thing} at the start for the {place} seat", treats=(seat,),
              values=f"{{:+}} {thing}")
      for what, thing in (("vp", "victory points"), ("crystals", "crystals"))
      for seat, place in enumerate(_PLACES)),
    _option("disks_delta", "More influence disks for each seat", values="{:+}"),
]  # fmt: skip

TURNS = [
    _option("rounds", "Rounds of the game"),
    _option("day_turns", "Turns of a Day: one for each worker, or the same number for each seat",
            values={"workers": "one for each worker", "equal": "equal"}, label="turns of a Day"),
    _option("day_order", "Order of the turns within a Day", "turn order of a Day"),
    _option("first_player_pass", "When the first-player token passes on", "first player changes",
            values={"phase": "each phase", "round": "each round"}),
]  # fmt: skip

MOOD = [
    _option("mood_track", "Values of the mood track (reconstructed)", "mood track",
            values={"linear5": "−5 to +5", "linear3": "−3 to +3", "linear8": "−8 to +8",
                    "progressive": "extremes worth more", "degressive": "first steps worth more"}),
    _option("mood_multiplier", "Multiplier of the victory points of moods"),
    _option("mood_reset", "Moods return to the start after a round", "moods after a round",
            values={"true": "reset", "false": "kept"}),
    _option("worker_tie", "What tied leaders of a worker score", "tied leaders of a worker",
            values={"full": "score in full", "split": "share", "none": "score nothing"}),
    _option("barracks_bonus", "Mood of a worker left in the Barracks in the Morning"),
    _option("beer_mood", "Mood of a visit to the Beer House"),
    _option("kitchen_mood", "Mood of a visit to the Field Kitchen"),
    _option("barracks_mood", "Mood of a visit to the Barracks"),
    _option("palace_side_mood", "Mood of the Commissar when another visits the Palace"),
    _option("administration_side_mood", "Mood of the Bureaucrat when another visits the Administration"),
    _option("mine_mood_loss", "Mood lost in the Mine"),
    _option("camp_mood_loss", "Mood lost in the Labor Camp"),
    _option("spaceship_mood_loss", "Mood lost at the Spaceship"),
]  # fmt: skip

GOODS = [
    _option("export_track", "Values of the export tracks (reconstructed)", "export tracks",
            values={"decreasing": "falling", "flat3": "3 VP each", "increasing": "rising"}),
    _option("export_bonus", "Victory points more for each export", values="{:+} VP"),
    _option("export_threshold", "Cubes of a type that are exported together"),
    _option("miner_coal", "Coal produced by the Miner in the Mine"),
    _option("wheel_length", "Spaces of the production wheel"),
    _option("wheel_vp", "Victory points of a turn of the production wheel", values="{} VP"),
    _option("wheel_crystals", "Crystals of a turn of the production wheel"),
    _option("lake_two_fish", "Lake cards with two fish, of the three with fish (reconstructed)",
            "lake cards with two fish"),
    _option("spaceship_blanks", "Spaceship cards with nothing (reconstructed)",
            "spaceship cards with nothing"),
    _option("administration_disks", "Whose disks the Administration may move", "disks that may be moved",
            values={"others": "others'"}),
    _option("crystal_supply", "Crystals in the game, 0 = no limit", "crystals in the game",
            values={"0": "no limit"}),
]  # fmt: skip

SCORING = [
    _option("crystals_per_vp", "Crystals for a victory point at the end"),
    *(_option(f"palace_vp_{i}", f"Victory points of the {place} place at the Palace", values="{} VP")
      for i, place in enumerate(_PLACES, start=1)),
    _option("palace_tie", "The place at the Palace after a tie", "place after a tie at the Palace",
            values={"standard": "is passed over", "dense": "is the next"}),
    _option("final_tie", "What breaks a tie in victory points", "tie-break", values={"shared": "nothing"}),
    _option("pasture_card_mood", "The mood of the Pasture changes before card 1 (a reading)",
            "mood of the Pasture before card 1"),
    _option("admin_card_carry", "The disk on card 6 at the end of a round (a reading)", "disk on card 6"),
    _option("shepherd_card_lunch", "Card 13 may be used at Lunch (a reading)", "card 13 at Lunch"),
    _option("bureaucrat_card_lunch", "Card 18 may be used at Lunch (a reading)", "card 18 at Lunch"),
]  # fmt: skip

OPTIONS = [*CARD_RULES, *START, *TURNS, *MOOD, *GOODS, *SCORING]
PRESETS = {
    name: {k: v for k, v in sets.items() if k != "provenance"} for name, sets in DATA["presets"].items()
}
