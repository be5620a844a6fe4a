"""Is concentrating on few lines better than spreading, and which lines are decided early?"""

import numpy as np

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight

from .counting import counted
from .oneply import one_ply
from .player import player
from .whatif import NEVER

TENTHS = 10
BANKED = np.array([3, 7, 9, 10])  # tenths of a line's population, by lead; at lead 0 the token decides


@rule
def lines_in_mind(view, rules, w):
    """Return the lines worth fighting for, as bits."""
    chosen = 0
    for _ in range(min(w.lines, int(rules.lines))):
        best, rank = 0, -1
        for line in range(rules.lines):
            blue, green, purple = view.colours[line]
            majority = max(int(blue), int(green), int(purple))
            worth = TENTHS * int(view.pop[line]) + w.majority * majority
            if worth > rank and not chosen >> line & 1:
                best, rank = line, worth
        chosen |= 1 << best
    return chosen


@rule
def banked(rules, line, pop, lead, token, lines, w):
    """Return the population of a chosen line by how safe it is, in tenths."""
    share = BANKED[min(abs(lead), BANKED.size - 1)]
    side = token if lead == 0 else (1 if lead > 0 else -1)
    return pop * share * side * (lines >> line & 1)


@rule
def bank_rise(rise, view, rules, lines, w):
    """Return the rise, above every salvage if it is large enough, else below."""
    return float(rise) + (-NEVER if rise >= TENTHS * w.rise else NEVER)


@player(
    label="line banker",
    lines=Weight(6, 1, 12, "Lines fought for, those with most population (and colour majority) first"),
    majority=Weight(7, 0, 100, "Worth of a same-colour card in choosing lines, tenths of a population"),
    rise=Weight(3, 0, 100, "Repair if the banked population rises by so much, else salvage"),
)
@one_ply(outlook=lines_in_mind, repair=counted(banked, bank_rise))
def line_banker():
    """Fight for a few rich lines and bank them by a safe lead, else salvage (O7-15.5)."""
