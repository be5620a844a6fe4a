"""A player that has learned, and its file: `strategies/GAME/learned/NAME-SEATS.npz`.

The file is an archive of NumPy arrays and of a text, `meta`; nothing in it is executed. What is loaded has
been checked, so that compiled code needs no bounds checks: types and shapes, each index, and that no sum can
overflow. A player refuses games whose rules differ from those for which it was trained.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from simkit import __version__, system
from simkit.engine.compile.fingerprint import source_digest
from simkit.engine.game import Game
from simkit.engine.learned import layout as columns
from simkit.engine.learned import net
from simkit.engine.learned.layout import Array, Layout
from simkit.engine.learned.packing import Packing
from simkit.errors import UsageError, brief

SHARE_TABLE = "sigmoid"
LIMIT = 1 << 31  # sums are int32
COARSE, MOST_POINTS = 64, 1e9  # standard deviations of the margin, in points
# Types and axes of the arrays; an axis is a number or the name of a size.
ARRAYS: dict[str, tuple[str, tuple[int | str, ...]]] = {
    "names": ("U", ("names",)),
    "slots": ("<i4", ("slots", columns.COLUMNS)),
    "bins": ("<i4", ("bins",)),
    "entries": ("<i2", ("entries", 3)),
    "places": ("<i4", ("axes",)),
    "rows": ("<i2", ("rows", "units")),
    "token_rows": ("<i2", ("token rows", net.BLOCK)),
    "hidden": ("<i2", ("inputs", net.BLOCK)),
    "hidden_bias": ("<i4", (net.BLOCK,)),
    "out": ("<i2", (2, net.BLOCK)),
    "out_bias": ("<i4", (2,)),
    "shifts": ("|i1", (2,)),
    SHARE_TABLE: ("<i2", (net.SHARES,)),
}


class Rules(BaseModel):
    """Options for which a player was trained."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fixed: dict[str, Any] = {}  # all options with one value
    varied: dict[str, list[Any]] = {}  # options that varied, with their values in order
    files: dict[str, str] = {}  # digests of the designer's own tables, by table


class Meta(BaseModel):
    """How a player came about, and how it plays."""

    model_config = ConfigDict(frozen=True)

    version: int = net.SCHEMA  # of the form of the file
    game: str = ""
    name: str = ""
    seats: int
    rules: Rules = Rules()
    digests: dict[str, str] = {}  # of what must not change, see `digests`; of the base, see `BASE`
    teacher: str = ""
    trial: dict[str, float] = {}  # share of the player of each teacher after a short training
    base: str = ""  # strategy whose action it takes unless another one is better by `caution`
    caution: float = 0.0
    samples: int = 1  # redeals at each decision
    margin_sd: float = 1.0  # standard deviation of the margin, in points
    strong: str = ""  # strongest sensible search with the player, as written in a lineup
    command: str = ""  # that trains it
    seed: int = 0
    games: int = 0  # of the training
    log: list[dict[str, Any]] = []  # interim measurements
    versions: dict[str, str] = {"simkit": __version__, "numpy": np.__version__, "numba": numba.__version__}


@dataclass(frozen=True, eq=False)
class TrainedPlayer:
    """A player that has learned to play a game with some number of seats."""

    meta: Meta
    arrays: dict[str, Array]
    _nets: dict[Game, Array] = field(default_factory=dict)  # what `pack` has made

    @property
    def layout(self) -> Layout:
        """What the net reads of a view."""
        return Layout.of_arrays(self.meta.seats, self.arrays)


def trained_player(
    game: Game, meta: Mapping[str, Any], layout: Layout, weights: dict[str, Array]
) -> TrainedPlayer:
    """Return a player of a game with these weights; `meta` has what does not follow from the rest."""
    own: dict[str, Any] = {"game": game.name, "seats": layout.seats, "digests": digests(game, layout)}
    arrays = layout.arrays() | weights | {SHARE_TABLE: _shares()}
    return TrainedPlayer(Meta(**(own | dict(meta))), arrays)


def _shares() -> Array:
    """Return the share of the win by logit, which stands in the file since `exp` differs between machines."""
    logits = (np.arange(net.SHARES) - net.SHARES // 2) / 256
    return np.rint(net.WIN / (1 + np.exp(-logits))).astype(np.int16)


def digests(game: Game, layout: Layout) -> dict[str, str]:
    """Return digests of what a player cannot do without: rules, fields of the state, the printed tables."""
    printed, tables = game.rules()[0], hashlib.sha256()
    for column in game.components.fields:
        tables.update(
            f"{column.name} {column.storage} {column.shape}".encode() + printed[column.name].tobytes()
        )
    return {
        "rules": _rules_digest(game),
        "layout": columns.digest(game, layout.seats, sorted(layout.read)),
        "tables": tables.hexdigest(),
    }


@cache
def _rules_digest(game: Game) -> str:
    return source_digest(game.setup, game.legal, game.step, game.observe, game.redeal)


BASE = "base"  # among the digests of a player: that of the strategy on which it improves
CHANGED = {
    "rules": "the rules of {game} have changed since it was trained",
    "layout": "the state of {game} has other fields than when it was trained",
    "tables": "the printed tables of {game} have changed since it was trained",
}


def refusal(player: TrainedPlayer, game: Game, seats: int) -> str:
    """Return why a player cannot play a game at a table with this number of seats, or "" if it can."""
    meta = player.meta
    if meta.game != game.name:
        return f"this player was trained for {meta.game}, not {game.name}"
    if meta.seats != seats:
        return f"this player was trained for {meta.seats} seats, not {seats}"
    now = digests(game, player.layout)
    changed = [what for what, digest in now.items() if meta.digests.get(what) != digest]
    if changed or not _reads_only_fields(player.layout, game):
        return CHANGED[changed[0] if changed else "layout"].format(game=game.name)
    return ""


def _reads_only_fields(layout: Layout, game: Game) -> bool:
    """Return whether all slots are numbers of the state or options, and point to such."""
    fields = columns.read_fields(game)
    for slot in layout.slots.tolist():
        own = fields.get(layout.names[slot[columns.NAME]])
        if own is None or not 0 <= slot[columns.INDEX] < np.prod(own.shape, dtype=int):
            return False
        is_place = own.content.kind == "place" and own.content.of in fields
        if slot[columns.SORT] == columns.POINTED and not is_place:
            return False
    return True


def file_digests(files: Mapping[str, str]) -> dict[str, str]:
    """Return the digests of the designer's own tables, by table, from their paths."""
    return {table: hashlib.sha256(Path(path).read_bytes()).hexdigest() for table, path in files.items()}


def other_tables(player: TrainedPlayer, files: Mapping[str, str]) -> list[str]:
    """Return the tables that differ from the training, where `files` are digests of the designer's own."""
    trained = player.meta.rules.files
    return sorted(table for table in {*trained, *files} if trained.get(table) != files.get(table))


def notes(player: TrainedPlayer, options: Mapping[str, Any], files: Mapping[str, str] = {}) -> list[str]:
    """Return in which rules a table differs from the training.

    `options` are those of `Game.resolve`; `files` are digests of the designer's own tables.
    """
    rules, texts = player.meta.rules, []
    for table in other_tables(player, files):
        printed = f"trained for the printed {table}; these are others"
        texts.append(f"trained for other {table} than these" if table in rules.files else printed)
    for name, value in options.items():
        if name in rules.varied and not _within(value, rules.varied[name]):
            texts.append(f"trained for {name} {_range(rules.varied[name])}; {value} is outside")
        elif name in rules.fixed and value != rules.fixed[name]:
            texts.append(f"trained for {name} = {rules.fixed[name]}, not {value}")
    return texts


def _are_numbers(*values: Any) -> bool:
    return all(type(value) in (int, float) for value in values)


def _within(value: Any, values: list[Any]) -> bool:
    return min(values) <= value <= max(values) if _are_numbers(value, *values) else value in values


def _range(values: list[Any]) -> str:
    return f"{min(values)} to {max(values)}" if _are_numbers(*values) else ", ".join(map(str, values))


def pack(player: TrainedPlayer, game: Game) -> Array:
    """Return the net of a player as compiled code reads it, int16 and read-only."""
    if game not in player._nets:
        meta, shifts = player.meta, player.arrays["shifts"].tolist()
        numbers = {
            net.HIDDEN_SHIFT: shifts[0], net.OUT_SHIFT: shifts[1], net.SAMPLES: meta.samples,
            net.CAUTION: round(1024 * meta.caution),
        } | _worth_of_a_point(meta.margin_sd)  # fmt: skip
        player._nets[game] = Packing(game, player.layout, player.arrays).net(numbers)
    return player._nets[game]


def _worth_of_a_point(deviation: float) -> dict[int, int]:
    """Return a point in 1/256 standard deviations of the margin, with more places where these are large."""
    shift = 8 if deviation < COARSE else 8 + int(deviation).bit_length()
    return {net.POINTS: max(1, round(256 * 2**shift / deviation)), net.POINTS_SHIFT: shift}


def save(path: Path, player: TrainedPlayer) -> None:
    """Write the file of a player, which appears whole; the same player gives the same bytes."""
    text = json.dumps(player.meta.model_dump(), indent=1).encode()
    arrays = {"meta": np.frombuffer(text, np.uint8)} | {name: player.arrays[name] for name in ARRAYS}
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".part")
    with half.open("wb") as file:
        np.savez_compressed(file, **arrays, digest=_digest(arrays))
    system.replace(half, path)


def _digest(arrays: Mapping[str, Array]) -> Array:
    """Return the digest over names, types, shapes and contents of arrays."""
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(
            f"{name} {array.dtype.str} {array.shape}".encode() + np.ascontiguousarray(array).tobytes()
        )
    return np.frombuffer(digest.digest(), np.uint8)


def load(path: Path) -> TrainedPlayer:
    """Return the player in a file; UsageError, in one line, for a damaged or foreign file."""
    try:
        arrays = _read(path)
        player = TrainedPlayer(_meta(arrays.pop("meta")), arrays)
        check(player)
    except _Damage as damage:
        cure = "restore it, or train the player again (simkit learn)"
        raise UsageError(f"{path} is no sound file of a learned player: {damage}; {cure}") from None
    return player


class _Damage(Exception):
    """What is wrong with a file."""


def _read(path: Path) -> dict[str, Array]:
    """Return the arrays of a file without their digest, which is checked."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: np.asarray(file[name]) for name in file.files}
    except Exception as error:  # zipfile and NumPy raise errors of many types
        cause = (
            brief(error) if isinstance(error, FileNotFoundError) else "it is damaged, or no archive of NumPy"
        )
        raise _Damage(f"it cannot be read: {cause}") from error
    if missing := {"meta", "digest", *ARRAYS} ^ arrays.keys():
        raise _Damage(f"'{min(missing)}' is missing or does not belong in it")
    digest = arrays.pop("digest")
    if not np.array_equal(digest, _digest(arrays)):
        raise _Damage("its content does not match its digest")
    return arrays


def _meta(text: Array) -> Meta:
    try:
        content = json.loads(text.tobytes())
        version = content.get("version") if isinstance(content, dict) else None
        if version != net.SCHEMA:
            raise _Damage(f"it has version {version}, and this simkit reads version {net.SCHEMA}")
        return Meta(**content)
    except (ValueError, ValidationError) as error:
        raise _Damage(f"its text 'meta' cannot be read ({brief(error)})") from error


def check(player: TrainedPlayer) -> None:
    """Raise an error for arrays that compiled code could not read safely."""
    sizes = {"axes": len(player.arrays["places"])}
    for name, (kind, axes) in ARRAYS.items():
        array = player.arrays[name]
        fits = array.dtype.kind == "U" if kind == "U" else array.dtype.str == kind
        if not fits or array.ndim != len(axes):
            raise _Damage(f"'{name}' has the wrong type or shape")
        for axis, length in zip(axes, array.shape, strict=True):
            if length != (axis if isinstance(axis, int) else sizes.setdefault(axis, length)):
                raise _Damage(f"'{name}' has the wrong type or shape")
    _check_sizes(player, sizes)
    _check_slots(player, sizes)
    _check_sums(player)


def _require(truth: Any, what: str) -> None:
    if not np.all(truth):
        raise _Damage(f"{what} is out of range")


def _between(numbers: Array, low: int, high: int) -> bool:
    """Return whether all numbers are at least `low` and below `high`."""
    return bool(np.all((numbers >= low) & (numbers < high)))


def _check_sizes(player: TrainedPlayer, sizes: dict[str, int]) -> None:
    meta, layout = player.meta, player.layout
    _require(1 <= meta.seats <= net.MOST_SEATS, "the number of seats")
    _require(
        0 < meta.margin_sd <= MOST_POINTS and meta.samples > 0 and abs(meta.caution) < 1000,
        "a number of 'meta'",
    )
    _require(sizes["axes"] <= net.MOST_AXES and _between(layout.places, 1, 1 << 12), "the number of tokens")
    _require(sizes["units"] % net.BLOCK == 0 and 0 < sizes["units"] <= 256, "the number of units")
    _require(sizes["inputs"] == sizes["units"] + net.BLOCK * sizes["axes"], "the number of inputs")
    _require(1 <= sizes["rows"] < LIMIT >> 16 and sizes["token rows"] < LIMIT >> 16, "the number of rows")
    _require(_between(player.arrays["shifts"], 0, 32), "a shift")


def _check_slots(player: TrainedPlayer, sizes: dict[str, int]) -> None:
    """Check each index of the layout; indices of fields are those of the game, which a digest covers."""
    layout = player.layout
    slots, entries = layout.slots.T.astype(np.int64), layout.entries.astype(np.int64).T
    for number, size in enumerate((sizes["rows"], sizes["token rows"], layout.tokens)):
        _require(_between(entries[number], -1, size), "an entry")
    _require((entries[2] < 0) | (entries[1] >= 0), "an entry")
    _require(_between(slots[columns.NAME], 0, sizes["names"]), "the field of a slot")
    _require(_between(slots[columns.SORT], 0, 3) and _between(slots[columns.STEP], 0, 32), "a slot")
    _require(_between(slots[columns.TOKEN], -1, layout.tokens), "the token of a slot")
    is_set, bins = slots[columns.SORT] == columns.MEMBERS, slots[columns.BIN_COUNT]
    _require(_between(slots[columns.COUNT], 1, 1 << 16), "a slot")
    _require((slots[columns.COUNT] < 64) | ~is_set, "a slot")
    _require(
        (bins >= 0) & (slots[columns.BIN] >= 0) & (slots[columns.BIN] + bins <= sizes["bins"]), "a range"
    )
    _require((bins > 0) | (slots[columns.STEP] == 0), "a slot")
    labels = np.where(bins > 0, bins + 1, slots[columns.COUNT]) + slots[columns.IS_NUMBER]
    _require(_between(slots[columns.IS_NUMBER], 0, 2), "a slot")
    first = slots[columns.FIRST]
    _require((first >= 0) & (first + labels <= sizes["entries"]), "the entries of a slot")
    flagged = entries[2] >= 0
    for slot_first, count, token in zip(first, labels, slots[columns.TOKEN], strict=True):
        shared = entries[1][slot_first : slot_first + count] >= 0
        own = flagged[slot_first : slot_first + count]
        _require(~own if token >= 0 else own | ~shared, "the token of an entry")


def _check_sums(player: TrainedPlayer) -> None:
    """Check that no sum can leave int32, whatever a view holds."""
    arrays = player.arrays
    fits = all(most < LIMIT for most in _largest_sums(arrays, player.layout))
    for name, axis in (("hidden", 0), ("out", 1)):
        weights = np.abs(arrays[name].astype(np.int64)).sum(axis=axis) * net.MOST
        bias = np.abs(arrays[f"{name}_bias"].astype(np.int64))
        fits = fits and bool((weights + bias < LIMIT).all())
    if not fits:
        raise _Damage("its weights are so large that a sum could overflow")


def _largest_sums(arrays: dict[str, Array], layout: Layout) -> list[int]:
    """Return bounds of the sums of the embedding and of each token."""
    rows, token_rows = (np.append(np.abs(arrays[name].astype(np.int64)).max(axis=1, initial=0), 0)
                        for name in ("rows", "token_rows"))  # fmt: skip
    embedding, tokens = int(rows[0]) * net.SET, np.zeros(layout.tokens + 1, np.int64)
    for slot in layout.slots.tolist():
        labels = slot[columns.BIN_COUNT] + 1 if slot[columns.BIN_COUNT] else slot[columns.COUNT]
        first = slot[columns.FIRST]
        own, shared, flags = layout.entries[first : first + labels + slot[columns.IS_NUMBER]].T
        times = np.where(np.arange(len(own)) < labels, net.SET, net.WIDEST)
        embedding += _most(slot, rows[own], labels)
        if slot[columns.TOKEN] >= 0:
            tokens[slot[columns.TOKEN]] += _most(slot, token_rows[shared], labels)
        else:  # entries without a token, -1, add to the last sum, which is none
            np.add.at(tokens, flags, token_rows[shared] * times)
    return [embedding, *tokens[:-1].tolist()]


def _most(slot: list[int], weights: Array, labels: int) -> int:
    """Return the most that a slot adds: all members of a set, else one value; and the scaled number."""
    values = weights[:labels].sum() if slot[columns.SORT] == columns.MEMBERS else weights[:labels].max()
    return int(values) * net.SET + int(weights[labels:].sum()) * net.WIDEST
