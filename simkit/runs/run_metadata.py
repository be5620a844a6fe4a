"""Texts and ranges about game and strategies, which the manifest stores for the pages of its run."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from simkit.engine import registry
from simkit.engine.game import Game, Piece, Pieces
from simkit.engine.options import FORM, Option, fill_form, to_words
from simkit.engine.strategy import BLUNDER, Strategy
from simkit.errors import UsageError

Setting = dict[str, Any]  # option -> value


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True)


class OptionWords(_Record):
    """An option of the rules: its texts, range, default and dependencies."""

    label: str
    meaning: str
    clause: str = ""
    kind: str  # integer, flag or choice
    default: Any  # the rulebook's value, as users write it
    low: int
    high: int
    values: str | dict[str, str]  # labels of values: a format for numbers, else name -> label
    treats: tuple[int | str, ...] = ()  # seats, or names of roles, that the option favours or handicaps
    needs: dict[
        str, list[Any]
    ] = {}  # other options, with the values that this option needs to have an effect
    tries: list[Any] = []  # if `treats` is not empty: values near the default that the game accepts

    @property
    def seats(self) -> list[int]:
        """The seats that the option favours or handicaps."""
        return [who for who in self.treats if isinstance(who, int)]

    def value_label(self, value: Any) -> str:
        """Return the label of a value."""
        labels = {} if isinstance(self.values, str) else self.values
        name = str(value).lower() if self.kind == "flag" else str(value)
        return labels.get(name, fill_form(self.form, name if self.kind != "integer" else value))

    @property
    def form(self) -> str:
        """The form of the label of a number, {} for the number alone."""
        return self.values if isinstance(self.values, str) else self.values.get(FORM, FORM)


class WeightWords(_Record):
    """A weight of a strategy: its texts, default and range."""

    label: str
    meaning: str
    usual: str
    allowed: str


class StrategyWords(_Record):
    """A strategy: its texts and weights."""

    label: str
    meaning: str
    weights: dict[str, WeightWords]
    searches: bool = False  # whether it plays on with a policy

    @property
    def has_own_weights(self) -> bool:
        """Whether the strategy has weights other than those of every strategy."""
        return len(self.weights) > len(BLUNDER)


class PieceWords(_Record):
    """A component with a name; equal ones are one entry with several copies."""

    label: str
    kinds: dict[str, str]  # "colour": "blue"
    copies: int
    cells: list[int] = []  # cells whose rules have it; empty: all


class AblationWords(_Record):
    """The ablation of a run: its way, and the components, each changed by its own coin."""

    way: str
    meaning: str
    unownable: bool  # whether a changed component cannot be owned
    rate: float  # part of the deals in which each component is changed
    word: str  # noun for a component
    parts: list[PieceWords]


class RunWords(_Record):
    """All texts of a run; options and strategies by name."""

    title: str
    summary: str
    seats: list[str]  # names of the seats, in order, if the game has them
    sides: list[str] = []  # names of the two sides, if seats win together
    score: str
    score_is: str = ""  # explanation of the score, if the word is not enough
    turns_of: str
    parts: list[str] = []  # columns of the seats table to report as parts of their total
    called: dict[str, str] = {}  # name in the log -> label
    levers: list[str] = []  # columns of the seats table that are fixed when play begins
    roles: list[str] = []  # columns of names in the seats table that are roles, such as factions
    chosen: list[str] = []  # those of them that players choose
    rotates_roles: bool = False  # whether roles can be moved round the seats
    pieces: list[PieceWords] = []  # named components, if the run has a trace of them
    played: bool = True  # whether pieces are taken first and played later
    tables: list[str] = []  # tables that a designer's file may replace
    piece: str = "card"  # noun for a piece
    piece_use: str = "played"  # participle for using a piece
    piece_note: str = ""  # how to read the labels of pieces
    ablation: AblationWords | None = None
    perfect: float | None = None  # share of seat 0 between perfect players by the usual rules, if known
    rules: str  # summary of the rules
    provenance: list[str]  # sources of the component data
    rulings: list[str] = []  # how unclear clauses are read
    options: dict[str, OptionWords]
    presets: dict[str, dict[str, dict[str, Any]]]  # option -> choice -> options that the choice sets
    strategies: dict[str, StrategyWords]
    preset_weights: dict[str, dict[str, str]] = {}  # strategy as written, with a preset -> weights of this
    families: dict[str, str] = {}  # strategy as written -> family; empty for random moves and people

    def role(self, column: str, name: str) -> str:
        """Return a role with the noun for it.

        >>> RunWords.model_construct(called={"faction.miners": "Miners"}).role("faction", "miners")
        'faction Miners'
        """
        own = self.called.get(f"{column}.{name}", self.called.get(name, to_words(name)))
        return f"{to_words(column)} {own}"

    def in_force(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of all options: `given` over the presets in force over the rulebook's."""
        values = {name: option.default for name, option in self.options.items()}
        for name, sets in self.presets.items():
            values |= sets.get(str(given.get(name, self.options[name].default)), {})
        return values | dict(given)

    def unmet(self, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options to be set in addition to `given` for an option to have an effect."""
        force, needs = self.in_force(given), self.options[name].needs
        return {other: at[0] for other, at in needs.items() if other in force and force[other] not in at}


def words_of(
    game: Game, strategies: list[Strategy], settings: list[Setting], fixed: Setting, tables: dict[str, Any]
) -> RunWords:
    """Return the texts of a run: `settings` are the options of its cells, `fixed` those shared by all."""
    provenance = game.words.provenance or (lambda options, files: [])
    sources = [line for options in settings for line in provenance(game.resolve(options), tables)]
    contents = vars(game.words) | {"title": game.title, "summary": game.summary, "presets": game.presets}
    contents["provenance"] = list(dict.fromkeys(sources))
    contents["rulings"] = list(map(str, game.rulings))
    contents["tables"] = [name for name, file in game.components.files.items() if file.printed and file.rows]
    contents["sides"] = [game.words.side(side) for side in game.rival_sides]
    contents |= {"roles": [role.column for role in game.roles], "rotates_roles": game.rotates_roles}
    contents["chosen"] = [role.column for role in game.roles if role.chosen]
    contents["options"] = {option.name: _option(option) for option in game.options}
    if pieces := game.pieces:
        contents |= {"played": pieces.played, "piece": pieces.word}
        contents |= {"piece_use": pieces.use, "piece_note": pieces.note}
    words = RunWords(**contents, strategies={entry.name: _strategy(game, entry) for entry in strategies})
    for option in (option for option in game.options if option.treats):
        given = fixed | words.unmet(option.name, fixed)
        tries = (value for value in option.near if _accepts(game, given | {option.name: value}, tables))
        words.options[option.name].tries.extend(tries)
    return words


def pieces_of(pieces: Pieces, rules: Mapping[int, np.ndarray]) -> list[PieceWords]:
    """Return the named components; `rules` maps each cell to its rules record."""
    parts: dict[tuple[Piece, int], PieceWords] = {}
    for cell, record in rules.items():
        for piece, copies in Counter(pieces.names(record[0])).items():
            if piece.label:
                own = PieceWords(label=piece.label, kinds=dict(piece.kinds), copies=copies)
                parts.setdefault((piece, copies), own).cells.append(cell)
    return in_cells(parts.values(), len(rules))


def in_cells(parts: Iterable[PieceWords], cells: int) -> list[PieceWords]:
    """Return components with no cells named for those that all of the cells have."""
    every = list(parts)
    for part in every:
        if len(part.cells) == cells:
            part.cells.clear()
    return every


def _option(option: Option) -> OptionWords:
    own = {name: getattr(option, name) for name in ("label", "meaning", "clause", "low", "high", "treats")}
    names = option.names or ([] if isinstance(option.values, str) else [*option.values])
    values = {name: option.value_label(name) for name in names} or str(option.values)
    kind = "choice" if option.is_choice else "flag" if option.kind is bool else "integer"
    default = option.value(option.default)
    return OptionWords(**own, kind=kind, default=default, values=values, needs=option.at)


def _strategy(game: Game, strategy: Strategy) -> StrategyWords:
    weights = {}
    for name, w in strategy.all_weights.items():
        label, usual = w.label or to_words(name), registry.shown_default(game, w)
        weights[name] = WeightWords(label=label, meaning=w.meaning, usual=usual, allowed=w.allowed)
    texts = {"label": strategy.label, "meaning": strategy.meaning}
    return StrategyWords(**texts, weights=weights, searches=strategy.searches)


def _accepts(game: Game, options: Setting, tables: dict[str, Any]) -> bool:
    try:
        game.rules(options, tables)
    except UsageError:
        return False
    return True
