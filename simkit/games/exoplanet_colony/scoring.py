"""Exoplanet Colony: the deficit, the end and what the log and the trace say (EX-9, EX-19)."""

from simkit.engine.compile.jit import bit_count, rule
from simkit.engine.rule_helpers import end
from simkit.games.exoplanet_colony.base import radius
from simkit.games.exoplanet_colony.facts import RESOURCES, Defeat, End, Step


@rule
def deficit(s, rules):
    """Return the production missing for victory, all resources together (EX-9.2)."""
    missing = 0
    for r in range(RESOURCES):
        missing += max(0, int(rules.win_production) - int(s.production[r]))
    return missing


@rule
def finish(s, rules, reason):
    """End the game for all: rank, score and the rest of the log (EX-8, EX-9)."""
    won = reason == End.self_sustaining
    margin = 1 + s.events_n if won else -deficit(s, rules)
    for seat in range(s.seats):
        s.rank[seat] = won
        s.score[seat] = margin
    note_result(s, rules, won, margin)
    note_base(s)
    for r in range(RESOURCES):
        s.log.game.final_production_of[r] = s.production[r]
        s.log.game.final_supply_of[r] = s.supply[r]
    s.log.game.turns += s.step != Step.setup
    end(s, reason)
    s.log.game.defeat = kind_of_defeat(s, reason)


@rule
def kind_of_defeat(s, reason):
    """Return what lost the game (EX-19.1)."""
    if reason == End.self_sustaining:
        return Defeat.none.value
    if reason == End.events_out:
        return Defeat.clock.value
    if s.log.game.end_emergencies == 0:
        return Defeat.depletion.value
    return Defeat.emergencies.value if s.log.game.end_depleted == 0 else Defeat.mixed.value


@rule
def note_result(s, rules, won, margin):
    """Log the result of the team."""
    game = s.log.game
    game.won, game.margin = won, margin
    game.end_step = s.step
    game.end_seat = s.active
    game.final_deficit = deficit(s, rules)
    game.events_left = s.events_n
    game.end_emergencies = rules.emergency_tokens - s.emerg_left
    for r in range(RESOURCES):
        game.end_depleted += s.supply[r] == 0
    game.comeback = won and game.max_level >= rules.skull - 1


@rule
def note_base(s):
    """Log base and hands at the end."""
    game = s.log.game
    game.modules = s.slots - 1
    game.modules_off = bit_count(s.off)
    game.base_radius = radius(s)
    for seat in range(s.seats):
        cards = bit_count(s.hand[seat])
        game.hand_cards_left += cards
        s.log.seat[seat].hand_cards_left = cards
        s.log.seat[seat].transfers = s.log.seat[seat].gives + s.log.seat[seat].takes


@rule
def note_turn(s, rules, seat, row):
    """Write a row of the trace (EX-19.2)."""
    row.deficit = deficit(s, rules)
    row.level = s.level
    row.modules_built = s.slots - 1
    row.events_to_come = s.events_n
    row.cards_held = bit_count(s.hand[seat])
    row.issues = bit_count(s.issues[seat])
    row.supply_least = s.supply[0]
    for r in range(1, RESOURCES):
        row.supply_least = min(row.supply_least, s.supply[r])
