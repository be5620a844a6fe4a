"""The rules of MAIN, M1 to M10: each returns an action id, or NONE where it does not fire (EX-13.3).

`can` is the set of legal ids. The module that the seat saves for is computed only where a rule needs it.
"""

from simkit.engine.compile.jit import bit, bit_count, rule
from simkit.games.exoplanet_colony.base import with_space
from simkit.games.exoplanet_colony.cards import hand_limit, partners, takeable
from simkit.games.exoplanet_colony.crew import BIOCHEMIST, generators, usable_items
from simkit.games.exoplanet_colony.deploy import has_space
from simkit.games.exoplanet_colony.facts import MOST_SUPPLY, NOBODY, RESOURCES, Act, Character, Item
from simkit.games.exoplanet_colony.legal import move_price

from .aims import NEEDED, aim_of, below, best_deploy, cheapest, replaceable, target, urgent, wins_by
from .trade import ENOUGH, is_salvage, printer_choice, wanted
from .values import ALARM, POINT, WINS, best_token, is_won_by, worth_a_repair
from .ways import nearest, step_towards

NONE = -1
LOW = MOST_SUPPLY - 2  # highest supply that is fed when there is nothing better to do
FAR = 2  # least distance for which the Pilot flies


@rule
def is_legal(can, action):
    """Return whether an action is in the set `can` of legal ids."""
    return can >> action & 1 != 0


@rule
def has_ability(s, can, character):
    """Return whether the active seat is this character and may use its ability."""
    return (s.character[s.active] == character) & is_legal(can, Act.ability.value)


@rule
def saved_for(s, rules, style):
    """Return the module that the active seat saves for, -1 for none."""
    return target(s, rules, s.active, int(s.hand[s.active]), style)


@rule
def prints(s, rules, style):
    """Return the card of the discard pile for which the active seat uses its Printer, -1 for none."""
    return printer_choice(s, rules, s.active, saved_for(s, rules, style), style)


@rule
def salvages(s, rules, style):
    """Return whether the Quartermaster takes the top card of the discard pile."""
    return is_salvage(s, rules, s.active, saved_for(s, rules, style), style)


@rule
def build(s):
    """Return the action by which the active seat deploys."""
    return Act.ability.value if replaceable(s, s.active) > 0 else Act.deploy.value


@rule
def leaves_it(s, character, style):
    """Return whether the active seat leaves a task to another seat that has the character for it."""
    if style.divides == 0 or s.character[s.active] == character:
        return False
    for seat in range(s.seats):
        if s.character[seat] == character:
            return True
    return False


@rule
def wins_now(s, rules, can, style):
    """Apply M1: an action that wins at once."""
    seat, slot = int(s.active), int(s.pawn[s.active])
    if is_legal(can, build(s)) and wins_by(s, rules, seat, replaceable(s, seat)):
        return build(s)
    if is_legal(can, Act.repair.value) and best_token(s, rules, bit(slot), style)[0] >= WINS:
        return Act.repair.value
    sign, card = 1 if s.off & bit(slot) else -1, int(s.slot_card[slot])
    return Act.switch.value if is_legal(can, Act.switch.value) and is_won_by(s, rules, card, sign) else NONE


@rule
def good_items(s, rules, style):
    """Return the items of the active seat that are worth using now."""
    usable = usable_items(s, rules, s.active)
    if usable & bit(Item.tool_kit) and worth_a_repair(s, rules, POINT, style) == 0:
        usable &= ~bit(Item.tool_kit)
    if usable & bit(Item.printer) and prints(s, rules, style) == NOBODY:
        usable &= ~bit(Item.printer)
    if usable & bit(Item.supply_capsule):
        least = MOST_SUPPLY
        for r in range(RESOURCES):
            least = min(least, int(s.supply[r]))
        if least > style.capsule:
            usable &= ~bit(Item.supply_capsule)
    return usable


@rule
def uses_item(s, rules, can, style):
    """Apply M2: use a good item."""
    if is_legal(can, Act.item.value) and good_items(s, rules, style) != 0:
        return Act.item.value
    return NONE


@rule
def repairs(s, rules, can, style):
    """Apply M3: remove a token here, as the Engineer anywhere."""
    here = bit(s.pawn[s.active])
    if is_legal(can, Act.repair.value) and best_token(s, rules, here, style)[0] >= POINT:
        return Act.repair.value
    if has_ability(s, can, Character.engineer.value) and worth_a_repair(s, rules, POINT, style) != 0:
        return Act.ability.value
    return NONE


@rule
def walks_to_repair(s, rules, can, style):
    """Apply M4: walk towards a token, first of all an Emergency or one that is as bad."""
    if leaves_it(s, Character.engineer.value, style):
        return NONE
    goals = worth_a_repair(s, rules, POINT, style)
    if goals == 0:
        return NONE
    action = walks_for(s, can, ALARM, worth_a_repair(s, rules, ALARM, style), style)
    return action if action != NONE else walks_for(s, can, POINT, goals, style)


@rule
def walks_for(s, can, least, goals, style):
    """Return the action towards the nearest of some slots, whose tokens are worth at least `least`."""
    slot, left, step = int(s.pawn[s.active]), int(s.actions_left), move_price(s, s.active)
    goal, distance = nearest(s, slot, goals & ~bit(slot))
    if goal == NOBODY:
        return NONE
    cost = distance * step + 1 if style.reaches else step
    if cost <= left and (least == ALARM or distance <= style.distance):
        return Act.move.value + step_towards(s, slot, goal)
    if least == ALARM and left > 1 and has_ability(s, can, Character.pilot.value):
        return Act.ability.value
    return NONE


@rule
def feeds(s, rules, can, style):
    """Apply M5: feed a supply that would run dry in this turn."""
    hand, amount = int(s.hand[s.active]), int(rules.generate_amount)
    best = has_ability(s, can, Character.biochemist.value)
    if best and urgent(s, rules, hand, amount + BIOCHEMIST, style) != NOBODY:
        return Act.ability.value
    if is_legal(can, Act.generate.value) and urgent(s, rules, hand, amount, style) != NOBODY:
        return Act.generate.value
    return NONE


@rule
def deploys(s, rules, can, style):
    """Apply M6: deploy a module that is worth it, or walk to where there is room for it."""
    seat, here = int(s.active), is_legal(can, build(s))
    if not here and (has_space(s, rules, seat) or s.actions_left < move_price(s, seat)):
        return NONE
    full = bit_count(s.hand[seat]) >= hand_limit(s, rules, seat)
    least = POINT * (style.full_threshold if full else style.threshold)
    module, score = best_deploy(s, rules, seat, replaceable(s, seat), style)
    if module == NOBODY or score < least:
        return NONE
    if here:
        return build(s)
    goal, distance = nearest(s, int(s.pawn[seat]), with_space(s))
    if distance >= FAR and has_ability(s, can, Character.pilot.value):
        return Act.ability.value
    return Act.move.value + step_towards(s, int(s.pawn[seat]), goal)


@rule
def heals(s, rules, can, style):
    """Apply M7: heal as the Medic, or recover with cards that are worth little."""
    if leaves_it(s, Character.medic.value, style):
        return NONE
    if has_ability(s, can, Character.medic.value):
        return Act.ability.value
    if is_legal(can, Act.recover.value):
        aim = aim_of(s, rules, s.active, style)
        junk = below(s, rules, int(s.hand[s.active]), POINT * style.junk, aim, style)
        if bit_count(junk) >= rules.recover_cards:
            return Act.recover.value
    return NONE


@rule
def takes(s, rules, can, style):
    """Apply M8: take the card that is missing for a deployment in this turn."""
    if s.actions_left < ENOUGH:
        return NONE
    near = takeable(s, rules, s.active, False) if is_legal(can, Act.take.value) else 0
    calls = has_ability(s, can, Character.comms_officer.value)
    far = partners(s, s.active, True) if calls else 0
    if near | far == 0:
        return NONE
    saved = saved_for(s, rules, style)
    if wanted(s, rules, near, saved, style)[0] != NOBODY:
        return Act.take.value
    return Act.ability.value if wanted(s, rules, far, saved, style)[0] != NOBODY else NONE


@rule
def draws(s, rules, can, style):
    """Apply M9: draw a card, unless the hand is full."""
    seat = int(s.active)
    if bit_count(s.hand[seat]) >= hand_limit(s, rules, seat):
        return NONE
    if has_ability(s, can, Character.scientist.value):
        return Act.ability.value
    if has_ability(s, can, Character.quartermaster.value) and salvages(s, rules, style):
        return Act.ability.value
    return Act.draw.value if is_legal(can, Act.draw.value) else NONE


@rule
def generates(s, rules, can, style):
    """Apply the first part of M10: generate with a card that is worth little."""
    if not is_legal(can, Act.generate.value) or leaves_it(s, Character.biochemist.value, style):
        return NONE
    least = MOST_SUPPLY
    for r in range(RESOURCES):
        least = min(least, int(s.supply[r]))
    if least > LOW:
        return NONE
    hand, aim = generators(s, int(s.hand[s.active])), aim_of(s, rules, s.active, style)
    if cheapest(s, rules, hand, aim, style)[1] >= NEEDED:
        return NONE
    return Act.ability.value if has_ability(s, can, Character.biochemist.value) else Act.generate.value


@rule
def ends(can):
    """Apply the second part of M10: draw a card, else end the step."""
    return Act.draw.value if is_legal(can, Act.draw.value) else Act.pass_.value
