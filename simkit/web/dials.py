"""Dials: a module with all that a page needs to play it, as markup, style and script of the page.

The page writes an option into the record, unless tables are built from it: then it needs the record for each
value, which is prepared here as a patch of the record that the page starts from. A page changes only one such
option at a time, as tables for several would be too many.
"""

import base64
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.fields import Event
from simkit.engine.game import Game
from simkit.engine.lineups import parse_strategy
from simkit.engine.options import FORM, PLAYERS, Option, to_words
from simkit.engine.strategy import BLUNDER
from simkit.engine.table import Player
from simkit.errors import PlayError, UsageError
from simkit.web.cells import cell_table
from simkit.web.glue import MOST_PIECES, sheet_of
from simkit.web.module import JsonObject, WebModule
from simkit.web.words import ActionWords, action_words

FOLDER = Path(__file__).with_name("page")
WORKER = ("player.js", "worker.js")  # scripts of the worker, then those of the page
SCRIPT = (
    *("evidence.js", "player.js", "series.js", "settings.js"),
    *("elements.js", "sheet.js", "controls.js", "address.js"),
    *("results.js", "story.js", "person.js", "curve.js", "tried.js", "dials.js"),
)
POLICY = " 'wasm-unsafe-eval'; worker-src blob:"  # what a page that plays may do besides
YES_NO = {"true": "yes", "false": "no"}
MAX_BYTES = 300_000  # of all patches
MAX_VALUES = 25  # values of a number that are all prepared; of others those near the default are
GAP = 8  # equal bytes that a patch repeats rather than begin anew
NOTHING: JsonObject = {"nets": {}, "named": [], "trained": {}}  # learned
Patch = list[tuple[int, str]]  # offset and bytes in base64
OptionValues = Mapping[str, Any]


class Training(NamedTuple):
    """The rules for which a player learned to play."""

    options: Mapping[str, list[int]]  # numbers of the values of options
    other_tables: list[str]  # names of tables that were others than those at the start


class Start(NamedTuple):
    """Where the dials start, and what they are compared with: the setting and the players of a run."""

    seed: int
    options: Mapping[str, Any]  # that differ from the printed rules, or are set explicitly
    files: Mapping[str, Any]  # the designer's own tables, by name, as they were read
    swept: Mapping[str, list[Any]]  # options that the run varies, with their values
    lineup: Sequence[str]  # labels of players by seat
    players: Mapping[str, tuple[str, Mapping[int, Player]]]  # label -> strategy, and the player by seats
    texts: Mapping[str, Any]  # what the page calls things: see `simkit.ask.report`
    trained: Mapping[str, Mapping[int, Training]] = {}  # label -> number of seats -> rules


class PreparedRules:
    """Record that the page starts from, and patches for other values of options that build tables.

    Args:
        game: the game.
        given: options in force at the start.
        files: the designer's own tables.
        first: option -> values that come first, as they were swept.
    """

    def __init__(
        self, game: Game, given: OptionValues, files: Mapping[str, Any], first: Mapping[str, list[Any]]
    ):
        self.game, self.given, self.files, self.first = game, given, files, first
        self.patches = dict[str, dict[int, Patch]]()  # option -> number of a value -> patch
        self.refused = dict[str, dict[int, str]]()  # values that the rules do not allow, and why
        self._read, self._size = set[str](), 0  # options that are read to build tables; bytes of all patches
        self.base = self._record({})
        while missing := [option for option in self._ordered() if option.name not in self.patches]:
            for option in missing:
                self._prepare(option)

    def _record(self, changes: OptionValues) -> bytes:
        """Return the record with some options changed, and note the options that its tables depend on."""
        given = {**self.given, **changes}
        record = self.game.rules(given, self.files).tobytes()
        options = WatchedOptions(self.game.resolve(given))
        self.game.components.build(options, dict(self.files))
        self._read |= options.read
        return record

    def _ordered(self) -> Iterator[Option]:
        """Yield the options that change tables, themselves or as a preset, the swept ones first."""
        for option in sorted(self.game.options, key=lambda option: option.name not in self.first):
            sets = self.game.presets.get(option.name, {}).values()
            if option.name in self._read or any(self._read & names.keys() for names in sets):
                yield option

    def _prepare(self, option: Option) -> None:
        patches, refused = dict[int, Patch](), dict[int, str]()
        for value in self._values(option):
            number = option.number(value)
            try:
                patch = _patch(self.base, self._record({option.name: value}))
            except UsageError as error:
                refused[number] = str(error)
                continue
            self._size += len(json.dumps(patch))
            if self._size > MAX_BYTES:
                patches.clear()
                break
            patches[number] = patch
        self.patches[option.name], self.refused[option.name] = patches, refused

    def _values(self, option: Option) -> list[Any]:
        """Return the values to prepare: all, or those swept, in force or near the printed value."""
        if option.names or option.high - option.low >= MAX_VALUES:
            in_force = [self.given[option.name]] if option.name in self.given else []
            values = [*self.first.get(option.name, []), *in_force, *option.near]
            return list({option.number(value): value for value in values}.values())
        return list(range(option.low, option.high + 1))


class WatchedOptions(dict[str, Any]):
    """Options in force, which note the names of those that are read."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of an option."""
        self.read.add(name)
        return super().get(name, default)

    def keys(self) -> Any:
        """Return the names, for a copy."""
        self.read.update(super().keys())
        return super().keys()

    def items(self) -> Any:
        """Return names and values."""
        self.read.update(super().keys())
        return super().items()


def _patch(before: bytes, after: bytes) -> Patch:
    """Return the parts of a record that differ from those of another.

    >>> _patch(b"abc" + bytes(20) + b"x", b"abd" + bytes(20) + b"y")
    [(2, 'ZA=='), (23, 'eQ==')]
    """
    old, new = np.frombuffer(before, np.uint8), np.frombuffer(after, np.uint8)
    places = np.flatnonzero(old != new)
    parts = np.split(places, np.flatnonzero(np.diff(places) > GAP) + 1) if places.size else []
    return [(int(p[0]), base64.b64encode(after[p[0] : p[-1] + 1]).decode()) for p in parts]


def page_parts(game: Game, web_module: WebModule, start: Start) -> dict[str, str]:
    """Return markup, style, script and policy of the dials; the module has the players of `start`."""
    content = json.dumps(_content(game, web_module, start), separators=(",", ":"), ensure_ascii=False)
    packed = gzip.compress(b"".join([content.encode(), b"\n", web_module.module, *web_module.nets]), mtime=0)
    parts = {"dials-data": base64.b64encode(packed).decode(), "dials-worker": _join(WORKER)}
    scripts = [f'<script type="text/plain" id="{name}">{text}</script>' for name, text in parts.items()]
    return {
        "markup": "\n".join([_text("dials.html"), *scripts]),
        "style": _text("dials.css"),
        "script": f'"use strict";\n{{\n{_join(SCRIPT)}\n}}',
        "policy": POLICY,
    }


def _join(names: Iterable[str]) -> str:
    return "\n".join(map(_text, names))


def _text(name: str) -> str:
    """Return the text of a file of the page, without lines that are comments of a script."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return re.sub(r"(?m)^ *//.*\n", "", text) if name.endswith(".js") else text


def _content(game: Game, web_module: WebModule, start: Start) -> JsonObject:
    """Return all that the scripts read: numbers of options and texts."""
    prepared = PreparedRules(game, start.options, start.files, start.swept)
    playable = _playable_labels(web_module, start)
    return {
        "layout": web_module.layout,
        "learned": sum(map(len, web_module.nets)),  # bytes behind the module
        "title": game.title,
        "seed": str(start.seed),
        "base": base64.b64encode(prepared.base).decode(),
        "given": _numbers(game, start.options),
        "live": _live_option(game, start),
        "options": [_option(game, option, prepared, start) for option in game.options],
        "presets": {name: _preset(game, name) for name in game.presets},
        "roster": _roster(web_module, start),
        "lineup": [playable.index(label) for label in start.lineup],
        "team": game.team,
        "sides": [game.words.side(side) for side in game.rival_sides],
        "seat_colours": game.words.seats,
        "pieces": MOST_PIECES if game.pieces else 0,
        **_pieces(game, prepared),
        "traces": web_module.traces,
        "words": _words(game, start) if web_module.sits else None,  # None: nobody can take a seat
        "sheet": _sheet(game, start),
        **start.texts,
    }


def _live_option(game: Game, start: Start) -> str:
    """Return the option whose dial is open: one that the run varies, else sets, else any in force."""
    values, seats = game.resolve(start.options), len(start.lineup)
    in_force = [option.name for option in game.options if option.has_effect(values, seats)]
    return next(iter([*start.swept, *start.options, *in_force]), "")


def _pieces(game: Game, prepared: PreparedRules) -> JsonObject:
    """Return the names of the components with the rules that the page starts from, and words for events."""
    if game.pieces is None:
        return {"piece_names": [], "piece_word": "", "event_words": {}}
    names = game.pieces.names(np.frombuffer(prepared.base, game.rules_dtype)[0])
    words = {int(Event.taken): "taken", int(Event.given): "given", int(Event.played): game.pieces.use}
    labels = [piece.label for piece in names]
    return {"piece_names": labels, "piece_word": game.pieces.word, "event_words": words}


def _words(game: Game, start: Start) -> JsonObject:
    """Return words for the actions of a person; none where games fail."""
    lineup = [start.players[label][1][len(start.lineup)] for label in start.lineup]
    try:
        words = action_words(game, game.rules(start.options, start.files), lineup)
    except PlayError:
        words = ActionWords("", {})
    return {"field": words.field, "decisions": {v: d._asdict() for v, d in words.decisions.items()}}


def _sheet(game: Game, start: Start) -> JsonObject | None:
    """Return the table that the page edits, with the rows that are in force; None if there is none."""
    if not (sheet := sheet_of(game)):
        table = cell_table(game, start.options, start.files)
        return table and {
            **table._asdict(),
            "columns": [column._asdict() for column in table.columns],
            "instead_of": game.components.files[table.name].replaced,
        }
    name, file = sheet
    assert file.rows and file.printed
    rows = file.rows(start.files.get(name) or file.printed(game.resolve(start.options)))[1:]
    columns = [column._asdict() for column in file.columns]
    return {"name": name, "columns": columns, "rows": rows, "instead_of": file.replaced}


def _numbers(game: Game, options: Mapping[str, Any]) -> dict[str, int]:
    return {name: game.option(name).number(value) for name, value in options.items()}


def _number(game: Game, name: str, value: Any) -> int:
    """Return the number of a value of an option, or the number of players."""
    return int(value) if name in PLAYERS else game.option(name).number(value)


def _preset(game: Game, name: str) -> dict[int, dict[str, int]]:
    """Return for each choice of a preset the numbers of the options that it sets."""
    option = game.option(name)
    return {option.number(choice): _numbers(game, sets) for choice, sets in game.presets[name].items()}


def _option(game: Game, option: Option, prepared: PreparedRules, start: Start) -> JsonObject:
    patches = prepared.patches.get(option.name)
    needs = {name: [_number(game, name, value) for value in at] for name, at in option.at.items()}
    return {
        **{key: getattr(option, key) for key in ("name", "label", "meaning", "low", "high")},
        "default": int(option.default),
        "kind": "choice" if option.is_choice else "flag" if option.kind is bool else "integer",
        "names": {name: option.number(name) for name in option.names},
        "labels": {} if isinstance(option.values, str) or option.names else _labels(option.values),
        "choices": _choices(option, patches, prepared.refused.get(option.name, {})),
        "span": _span(option, start.swept.get(option.name, [])),
        "first": option.name in start.swept or option.name in start.options,
        "chapter": _chapter(option),
        "needs": needs,
        "treats": option.treats,
        "tables": patches,
        "refused": prepared.refused.get(option.name, {}),
        "why": "its tables would take more room than a page has",
    }


def _labels(values: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of the numbers that have one."""
    return {number: label for number, label in values.items() if number != FORM}


def _span(option: Option, swept: Sequence[Any]) -> list[int] | None:
    """Return the range of the values that the run has, if there are several."""
    numbers = [option.number(value) for value in swept]
    return [min(numbers), max(numbers)] if len(numbers) > 1 else None


def _choices(option: Option, patches: Any, refused: Mapping[int, str]) -> list[tuple[int, str]] | None:
    """Return the values to choose from with their labels; None for a number that may have any value."""
    if option.names:
        labels = {
            option.number(name): option.value_label(option.value(option.number(name)))
            for name in option.names
        }
        return [(number, YES_NO.get(label, label)) for number, label in labels.items()]
    span = range(option.low, option.high + 1)
    if patches is None or {*patches, *refused} >= {*span}:
        return None
    return [(number, str(number).replace("-", "−")) for number in sorted({*patches, option.default})]


def _chapter(option: Option) -> str:
    """Return the chapter of the rules that an option belongs to, from its clause."""
    _, _, place = option.clause.rpartition("-")
    chapter = place.partition(".")[0]
    return f"Chapter {chapter} of the rules" if chapter else "Further rules"


def _playable_labels(web_module: WebModule, start: Start) -> list[str]:
    """Return the labels of the players of the run that the module has."""
    names = {entry["name"] for entry in web_module.layout["strategies"]}
    return [label for label, (name, _) in start.players.items() if name in names]


def _roster(web_module: WebModule, start: Start) -> list[JsonObject]:
    """Return the players to choose from: those of the run, then every strategy with its usual weights."""
    strategies, roster = web_module.layout["strategies"], list[JsonObject]()
    places = {entry["name"]: place for place, entry in enumerate(strategies)}
    for label in _playable_labels(web_module, start):
        name, by_seats = start.players[label]
        player = next(iter(by_seats.values()))  # all have the same weights
        entry = {"label": start.texts["players"][label], **_player(places[name], player)}
        trained = {seats: rules._asdict() for seats, rules in start.trained.get(label, {}).items()}
        roster.append(entry | _learned(web_module, strategies[places[name]], by_seats, label, trained))
    played = [(entry["strategy"], entry["weights"]) for entry in roster]
    learned = {entry["strategy"] for entry in roster if entry["nets"]}
    for place, entry in enumerate(strategies):
        usual = [weight["default"] for weight in entry["weights"].values()]
        if (place, usual) not in played and place not in learned:
            label = entry["label"] or to_words(entry["name"])
            roster.append({"label": label, "strategy": place, "weights": usual, "blunder": 0.0, **NOTHING})
    return roster


def _learned(
    web_module: WebModule,
    entry: JsonObject,
    by_seats: Mapping[int, Player],
    label: str,
    trained: Mapping[int, JsonObject],
) -> JsonObject:
    """Return place and size of what a player has learned, by number of seats, and weights that name it."""
    learned = {seats: player.net for seats, player in by_seats.items() if player.net.size}
    nets = {seats: [web_module.nets[net.tobytes()], net.size] for seats, net in learned.items()}
    (named,) = parse_strategy(label)
    others = {*entry["weights"], *BLUNDER}
    texts = [f"{name}={text}" for name, text in named.weights.items() if name not in others]
    return {"nets": nets, "named": texts, "trained": trained}


def _player(place: int, player: Player) -> JsonObject:
    weights = [float(weight) for weight in player.weights]
    return {"strategy": place, "weights": weights, "blunder": float(player.blunder)}
