"""A game and its players as one WebAssembly module that plays the same games, byte for byte, as a run.

`make(game, strategies)` returns the module, its layout (plain data for JSON, see `simkit.web.module`) and the
strategies that the module lacks, with reasons. The module imports nothing and exports `memory`, `play`,
`trace` and `sit`. It is made of the LLVM code of the machine code, so its arrays are checked for their bounds
only where NUMBA_BOUNDSCHECK=1 is set. It is cached beside the machine code, under the digests of its sources.

**Settings.** The page writes these blocks of the memory, at the addresses of the layout. They count from the
next game on, and nothing is compiled anew.

setup      seed; seats; rotations, the games per deal: 1, or the number of seats; pieces, for `trace` only:
           the length of `game.pieces.names(rules[0])`, at most 512, or 0 in a game without pieces or
           to trace no events
rules      the rules record, the bytes of `game.rules(options)`. An option may be written into it alone,
           unless tables are built from it. Games only read the record
sheet      rows of a table that a page edits, if the game has one (`TableFile`). `fill(rows)` writes them into
           the rules record, once this has its options; it returns 0, 1 + row * columns + column where a value
           does not fit, -1 if there are too few rows, or -2 if it fails
lineup     per entry the `index` of a strategy; with shift r, entry (i + r) % seats plays seat i
weights    per entry a row with the weights in the order of the layout
blunders   per entry the probability of a random error at a decision

**Batches.** `play(first_deal, deals)` plays each deal `rotations` times, writes the final states to `states`
and returns the number of games that ended. Game g is deal first_deal + g // rotations with shift g %
rotations. A batch has at most as many games as `states` has room for. Ranks, scores and the log (turns,
decisions, end reason and what the game counts) are fields of a state. All luck follows from seed and deal:
the same deals under other settings are paired, in any order and on any number of workers.

**One game in detail.** `trace(deal, shift, actions)` plays one game into the first of `states` and returns
the number of `rows`, one per turn and seat: scores, from which lead changes follow, decisions, and what the
game notes. `trail` holds its actions and `events` what happened to its pieces; the last number of `done` says
how many events there are. It steps through `actions` actions, at most as many as `trail` has room for, after
which `replayed` is the state; it returns -1 if the game has more, or fails. A module that was made without
compiling has no `trace` if that was not compiled.

**Why.** A module with what players have learned has `value(deal, shift)`, too. It plays one game, as `trace`
does, and writes a row of `alternatives` for each legal action of each decision: the number of the decision,
the action, and how many samples of its `values` count, each an expected share of the win for the seat that
decides, by what it sees. It returns the number of rows, or -1 if there is no room for all, or the game
fails. The page writes address and size of what judges, as of an entry of `nets`, to `judge` and `judge_size`.
`retrace` is `trace` for the actions that `trail` holds, so that the page may write another one first.

**A person at the table.** `sit(deal, seat, from)` plays one game in which the person's entry of the lineup
takes the actions in `answers`, in order, up to -1: there it stops, where the person is to decide next. It
returns 1 if the game has ended. Else `place` has the fault illegal_action with action -1 where the person is
to decide, or another fault. `trail` has the actions so far, -1 behind the last; `steps` has a row for each:
the seat, its number of legal actions, whether luck was drawn, and whether the person can know the action.
`views` has what the person has seen, before action `from` and after each from then on (of the last ones, if
there is no room for all), `ids` the legal actions, and `futures` what the person may see after each, twice,
with other luck each time; `shown` has the numbers of `views` and of `ids`. What is hidden from the person is
blank in these. `worth(deal, shift, actions)` is `value` for the first actions of `trail`, from decision
`earliest` on. A module that was made without compiling has no `sit` if the function behind it was not
compiled.

**Failures.** A game that failed is the one after those that ended: `deal` and `shift` are its own, and
`place` has the fault (0 for an exception), the seat to decide (-1 in the setup), and `deciding`, 1 while a
strategy decides. The states before it are valid, and the page may go on with the next deal. An endless game
stops at `max_steps` actions with the fault too_many_steps. A loop without end inside one action has no such
cap: the page plays in a worker, says after a minute which deal takes long, and ends the worker once a dial is
turned. A strategy that allocates more than 4 MiB in one decision fails with an exception; an overflow of the
stack is a trap.
"""

from simkit.web.dials import Start, Training, page_parts
from simkit.web.module import WebModule, make
