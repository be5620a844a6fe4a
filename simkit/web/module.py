"""Module of a game: made from its kernel and strategies."""

from simkit.engine.game import Game
from simkit.engine.kernel import build
from simkit.engine.table import Player
from simkit.web import glue, linker, llvm


def make(game: Game, players: list[Player]):
    memory = glue.blocks(game, players)
    entries = {"kernel": build(game)} | {glue.strategy_name(i): p.decide for i, p in enumerate(players)}
    modules = [llvm.parse(glue.text(game, players))]
    modules += [llvm.parse(llvm.code(entry, name)) for name, entry in entries.items()]
    names = {"play", "__multi3", "heap_top", *(b.name for b in memory.values())}
    return llvm.assemble(modules, names), memory
