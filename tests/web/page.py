"""A page for tests: uses a module as JavaScript does, by its layout alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import wasmtime

from simkit.engine.table import Player
from simkit.web import WebModule


class Page:
    """Instance of a module in wasmtime."""

    def __init__(self, web_module: WebModule) -> None:
        engine = wasmtime.Engine()
        self.layout, self.store = web_module.layout, wasmtime.Store(engine)
        instance = wasmtime.Instance(self.store, wasmtime.Module(engine, web_module.module), [])
        self.exports = instance.exports(self.store)
        self.learn(web_module)

    def learn(self, web_module: WebModule) -> None:
        """Write what the players have learned."""
        self.nets = web_module.nets
        self.write("learned", b"".join(self.nets))

    def write(self, name: str, content: bytes) -> None:
        """Write the first bytes of a block."""
        self.exports["memory"].write(self.store, content, self.layout["blocks"][name]["address"])

    def read(self, name: str, size: int) -> bytes:
        """Read the first bytes of a block."""
        start = self.layout["blocks"][name]["address"]
        return bytes(self.exports["memory"].read(self.store, start, start + size))

    def number(self, name: str, field: str) -> int:
        """Read a whole number of a record."""
        block = self.layout["blocks"][name]
        offset = block["fields"][field]["offset"]
        return int.from_bytes(self.read(name, block["size"])[offset : offset + 8], "little", signed=True)

    def index(self, player: Player) -> int:
        """Return the number of the function that decides for a player."""
        entry = next(s for s in self.layout["strategies"] if s["name"] == player.label.partition("(")[0])
        if other := entry.get("other"):
            default = list(entry["weights"].values())[other["weight"]]["default"]
            if player.weights[other["weight"]] != default:
                return int(other["index"])
        return int(entry["index"])

    def set_up(
        self, rules: np.ndarray, lineup: Sequence[Player], seed: int, rotations: int = 1, pieces: int = 0
    ) -> None:
        """Write the settings of the games to play."""
        most, columns = self.layout["blocks"]["weights"]["shape"]
        weights, blunders, indices = np.zeros((most, columns)), np.zeros(most), np.zeros(most, "<i8")
        learned, nets = self.layout["blocks"]["learned"], np.zeros((2, most, 2), "<i8")
        for k, player in enumerate(lineup):
            weights[k, : len(player.weights)], blunders[k] = player.weights, player.blunder
            indices[k] = self.index(player)
            if (net := player.net).size:
                nets[:, k, 0] = learned["address"] + learned["size"] * self.nets[net.tobytes()], net.size
        self.write("rules", rules.tobytes())
        self.write("lineup", indices.tobytes())
        self.write("weights", weights.tobytes())
        self.write("blunders", blunders.tobytes())
        self.write("nets", nets[0].tobytes())
        self.write("net_sizes", nets[1].tobytes())
        self.write("setup", np.array([seed, len(lineup), rotations, pieces], "<i8").tobytes())

    def play(self, first: int, deals: int) -> int:
        """Play deals, and return the number of games that ended."""
        return int(self.exports["play"](self.store, first, deals))

    def trace(self, deal: int, rotation: int, actions: int | None = None) -> int:
        """Play and trace one game, all of it or some actions, and return the number of rows."""
        most = self.layout["blocks"]["trail"]["shape"][0] if actions is None else actions
        return int(self.exports["trace"](self.store, deal, rotation, most))

    def value(self, deal: int, rotation: int) -> int:
        """Play one game and value its decisions, and return the number of alternatives."""
        return int(self.exports["value"](self.store, deal, rotation))

    def sit(self, deal: int, seat: int, answers: Sequence[int]) -> bool:
        """Play a game in which a person in a seat gives these answers; return whether it has ended."""
        self.write("answers", np.array([*answers, -1], "<i8").tobytes())
        return bool(self.exports["sit"](self.store, deal, seat, 0))

    def numbers(self, name: str, count: int) -> list[int]:
        """Read the first whole numbers of a block."""
        return np.frombuffer(self.read(name, 8 * count), "<i8").tolist()  # type: ignore[no-any-return]

    def states(self, count: int) -> bytes:
        """Read the final states of the first games of the batch."""
        return self.read("states", count * self.layout["blocks"]["states"]["size"])
