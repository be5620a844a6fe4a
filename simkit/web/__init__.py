"""A game and its players as one WebAssembly module, whose games are the same to the byte as those of a run.

`make(game, strategies)` returns the module, its layout (plain data for JSON, see `simkit.web.layout`) and the
strategies that it lacks, with reasons. A page needs nothing else: the module imports nothing, and exports
`memory` and the two functions below. It is made of the machine code's LLVM code, so with bounds checks only
where NUMBA_BOUNDSCHECK=1 is set, and cached beside the machine code under the digests of all that it is made of.

**Settings.** The page writes these blocks of the memory, at the addresses of the layout:

setup      seed; seats; rotations: games per deal, 1 or the number of seats; pieces: length of
           `game.pieces.names(rules[0])`, at most 512, 0 in a game without pieces (for traces only)
rules      the rules record, as of `game.rules(options).tobytes()`. Options may be written into it one by one,
           except those that build tables. Games only read it
lineup     `index` of the strategy of each entry; with shift r, entry (i + r) % seats plays seat i
weights    a row per entry: the weights in the order of the layout
blunders   probability of a random error per entry

Settings, strategies included, are looked up when a game begins, and never compiled anew.

**Batches.** `play(first_deal, deals)` plays deals from a number on, each `rotations` times, into `states`, and
returns the number of games that ended. Game g is deal first + g // rotations with shift g % rotations. A batch
has at most as many games as `states` has room for, so about 50 ms of games are a good size. All luck follows
from seed and deal: the same deals under other settings are paired, in any order, on any number of workers.
Ranks, scores and the log (turns, decisions, end reason and what the game counts) are fields of the states.

**One game in detail.** `trace(deal, shift)` plays one game into the first of `states`, and returns the number
of `rows`, one per turn and seat: scores, from which leads and lead changes follow, decisions and what the game
notes. `trail` has its actions, and `events`, of which `done` counts those in use as its last number, what
happened to its pieces. It returns -1 if the game fails or takes more actions than `trail` has room for. The
module has no such function if it was made without compiling and the trace was not compiled.

**Failures.** If `play` returns less than the games of the batch, that game failed: `deal` and `shift` are its
own, and `place` has the fault (0: an exception), the seat to decide (-1 in the setup) and `deciding` (1 if the
strategy is at fault, not the rules). The states before it are valid; the batch may go on with the next game.
A game over the cap of the game, `max_steps` actions, stops with the fault too_many_steps. A loop without end
inside of one action has no cap: a page plays in a worker, and terminates it when it does not answer. Memory
is never asked of the system: a strategy that needs more than its 4 MiB for one decision fails with an exception,
and an overflow of the stack is a trap.
"""

from simkit.web.module import WebModule, make
