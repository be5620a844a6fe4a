"""Exoplanet Colony: supplies, productions, the emergency level, victory and defeat (EX-5, EX-8)."""

from simkit.engine.compile.jit import rule
from simkit.games.exoplanet_colony.facts import AMOUNTS, MOST_SUPPLY, RESOURCES, End, Issue, Resource
from simkit.games.exoplanet_colony.scoring import deficit, finish

INFECTION = AMOUNTS["infection_loss"]


@rule
def change_supply(s, r, amount):
    """Change a supply within its track and return the actual change (EX-1.2)."""
    before = int(s.supply[r])
    after = min(max(before + amount, 0), MOST_SUPPLY)
    s.supply[r] = after
    game = s.log.game
    game.depletions += (before > 0) & (after == 0)
    game.replenishments += (before == 0) & (after > 0)
    game.supply_low = min(game.supply_low, after)
    return after - before


@rule
def note_level(s, rules):
    """Set the emergency level from supplies and emergencies (EX-5.3)."""
    level = int(rules.emergency_tokens - s.emerg_left)
    for r in range(RESOURCES):
        level += s.supply[r] == 0
    s.level = level
    game = s.log.game
    game.max_level = max(game.max_level, level)
    if level > 0 and game.alarm_turn == 0:
        game.alarm_turn = max(1, s.turn_no)


@rule
def look_at_level(s, rules):
    """Update the level; the game is lost at the skull (EX-5.5)."""
    note_level(s, rules)
    if s.level >= rules.skull:
        finish(s, rules, End.skull)


@rule
def look_at_production(s, rules):
    """Update the score; the team wins without a deficit (EX-8.1, EX-9.2)."""
    missing = deficit(s, rules)
    for seat in range(s.seats):
        s.score[seat] = -missing
    s.log.game.deficit_low = min(s.log.game.deficit_low, missing)
    if missing == 0:
        finish(s, rules, End.self_sustaining)


@rule
def note_cut(s, rules, seat, before):
    """Count the deficit that a seat has removed (EX-19.1)."""
    cut = before - deficit(s, rules)
    s.log.game.deficit_cut += cut
    s.log.seat[seat].deficit_cut += cut


@rule
def add_effect(s, rules, card, sign):
    """Start or stop a module of the active seat (EX-4.4, EX-4.8)."""
    before = deficit(s, rules)
    for r in range(RESOURCES):
        s.production[r] += sign * rules.effect[card, r]
    note_cut(s, rules, s.active, before)
    look_at_production(s, rules)


@rule
def update(s, rules):
    """Change all supplies by their productions, then by an infection of the active seat (EX-5.1, EX-7.3)."""
    for r in range(RESOURCES):
        change_supply(s, r, int(s.production[r]))
    look_at_level(s, rules)
    if s.seat >= 0 and s.issues[s.active] >> Issue.infection & 1:
        change_supply(s, Resource.oxygen.value, -INFECTION)
        change_supply(s, Resource.water.value, -INFECTION)
        look_at_level(s, rules)


@rule
def make_supply(s, rules, seat, r, amount):
    """Raise a supply by an action or an item of a seat (EX-4.6, EX-4.10, EX-4.11)."""
    gained = change_supply(s, r, amount)
    s.log.game.supply_made += gained
    s.log.seat[seat].supply_made += gained
    look_at_level(s, rules)


@rule
def below_full(s):
    """Return the resources with a supply below 20, bit r."""
    resources = 0
    for r in range(RESOURCES):
        resources |= (s.supply[r] < MOST_SUPPLY) << r
    return resources
