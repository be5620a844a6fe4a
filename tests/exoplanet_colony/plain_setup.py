"""What the beginning of a game must be like, for the second implementation (EX-2)."""

from .plain_data import CHARACTERS, ITEMS, MODULES, PLANS

CRITICAL = 39  # the first critical event


def sizes(options, seats, first):
    """EX-2.7 cards of each seat before START_DISCARD, dealt one at a time."""
    wanted, result = {}, [0] * seats
    for place in range(seats):
        n = options["initial_hand"] + options["late_seat_cards"] * place
        n += max(0, 4 - seats) if options["hand_by_seats"] else 0
        wanted[(first + place) % seats] = min(options["hand_limit"], n) + options["initial_choice"]
    deck = MODULES - options["remove_modules"] + options["n_items"] + options["n_plans"]
    while deck and any(result[seat] < n for seat, n in wanted.items()):
        for seat, n in wanted.items():
            if deck and result[seat] < n:
                result[seat] += 1
                deck -= 1
    return result


def faults(options, seats, luck):
    """What is wrong with the luck of a setup."""
    results = {
        "cards": sorted([*luck.deck, *luck.removed, *(c for hand in luck.hands for c in hand)])
        == [*range(36)],
        "removed modules": sum(c < MODULES for c in luck.removed) == options["remove_modules"],
        "removed items": len(luck.removed & set(ITEMS)) == 4 - options["n_items"],
        "removed plans": len(luck.removed & set(PLANS)) == 4 - options["n_plans"],
        "hands": [len(hand) for hand in luck.hands] == sizes(options, seats, luck.first),
        "events": len(set(luck.events)) == len(luck.events) and set(luck.events) <= {*range(54)},
        "start player": options["start_player"] in (-1, luck.first)
        or luck.first == options["start_player"] % seats,
    }
    criticals, block = (
        options["criticals_per_pile"],
        options["criticals_per_pile"] + options["normals_per_pile"],
    )
    piles = [luck.events[at : at + block] for at in range(0, len(luck.events), block)]
    results["piles"] = len(luck.events) == options["piles"] * block
    results["criticals"] = all(sum(e >= CRITICAL for e in pile) == criticals for pile in piles)
    named = [options[f"character_{seat}"] for seat in range(seats)]
    for seat, (name, character) in enumerate(zip(named, luck.characters, strict=True)):
        if name != "any":
            right = character == name
        elif options["characters"] == "none":
            right = character == "none"
        else:
            right = character in CHARACTERS and character not in named
        results[f"character of seat {seat}"] = right
    present = [first for first in luck.characters if first != "none"]
    results["different characters"] = len(present) == len(set(present))
    return [name for name, right in results.items() if not right]
