"""Mistakes of people who write a game in Python for the first time, in the game of sealed bids."""

from tests.broken_games import Fault

OFFER = "    return offer(out, 1, rules.highest)"
MISTAKES = [
    Fault("legal returns nothing", OFFER, "    offer(out, 1, rules.highest)", "legal returns nothing: write the actions to out[0], out[1], ... and return their number", "def legal"),
    Fault(
        "legal is a generator", OFFER, "    for bid in range(1, rules.highest + 1):\n        yield bid",
        "legal is a generator: write the actions to out[0], out[1], ... and return their number", "def legal",
    ),
    Fault(
        "a rule makes an array", "    total = 0\n", "    bids = np.zeros(3, np.int64)\n    total = 0\n",
        "@rule(allocates=True)", "np.zeros(3",
    ),
    Fault(
        "a rule makes a list", "    total = 0\n", "    bids = [0, 0, 0]\n    bids.append(1)\n    total = 0\n",
        "@rule(allocates=True)", "bids = [0",
    ),
    Fault(
        "clone_before without its field", "    observe_open(s, rules, seat, view)\n", "    clone_before(view, s)\n",
        'clone_before(view, s, "log")', "    clone_before(view, s)",
    ),
    Fault(
        "a text in a number", "    s.round_no += 1\n", '    s.round_no = "two"\n', "write a whole number", 's.round_no = "two"',
    ),
    Fault(
        "an array in a number", "    s.round_no += 1\n", "    s.round_no = s.bid\n", "write a whole number", "s.round_no = s.bid",
    ),
    Fault(
        "an action beyond its range", "max_actions=MOST,", "max_actions=MOST, action_ids=5,", "legal offers actions [1, 2, 3, 4, 5], but there are only action_ids = 5", "def legal",
    ),
    Fault(
        "legal is not ascending", OFFER, "    out[0], out[1] = 2, 1\n    return 2",
        "legal actions are not ascending: [2, 1]", "def legal",
    ),
    Fault(
        "apply never ends", "    total = 0\n", "    total = 0\n    while total < 1:\n        best += 0\n",
        "does not end", "        best += 0",
    ),
    Fault(
        "score without rank", "        rank_by_score(s)\n", "", "all ranks are still 0 at the end: say rank_by_score(s)",
        "end(s, End.rounds_played)",
    ),
    Fault(
        "a helper without @rule", "@rule\ndef reveal", "def reveal", "decorate a function that compiled code calls with @rule", "        reveal(s, rules)",
    ),
    Fault(
        "a function of NumPy that Numba lacks", "    total = 0\n", "    total = np.einsum('i->', s.bid)\n", "write a loop over the elements", "np.einsum",
    ),
    Fault(
        "a field that does not exist", "    total = 0\n", "    total = s.bidds[0]\n", "there is no field 'bidds'; did you mean", "s.bidds",
    ),
    Fault(
        "a write beyond an array", "    total = 0\n", "    s.bid[s.seats + 1] = 0  # here\n    total = 0\n",
        "IndexError: index 3 is out of bounds for axis 0 with size 3", "# here",
    ),
    Fault(
        "Python's random", "    s.bid[s.seat] = action\n", "    s.bid[s.seat] = random.randint(1, 2)\n", "below(rng.die, 6)", "random.randint",
    ),
    Fault(
        "NumPy's random", "    s.bid[s.seat] = action\n", "    s.bid[s.seat] = np.random.randint(1, 3)\n", "below(rng.die, 6)", "np.random.randint",
    ),
    Fault(
        "the log is read", "s.round_no == ROUNDS", "s.log.game.turns == ROUNDS", "apply reads the log", "s.log.game.turns == ROUNDS",
    ),
]  # fmt: skip
IMPORTS = "import random\nfrom enum import IntEnum\n\nimport numpy as np\n\nfrom simkit.engine.compile.jit import clone_before\n"
