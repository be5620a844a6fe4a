"""Games worth a look: a typical one turn by turn, and others to replay.

The moves of a turn are told in full if they are short, else those that gained points.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import attrgetter, itemgetter
from textwrap import dedent, fill, indent
from typing import NamedTuple

import polars as pl

from simkit.errors import PlayError, UsageError
from simkit.formatting import counted
from simkit.page import charts
from simkit.page.document.parts import Figure, Section, Story
from simkit.page.pictures import first_cell, here
from simkit.page.words.commands import command_again
from simkit.page.words.labels import labels_of, lower_first
from simkit.page.words.numbers import TableRow, capital, name_seats, number, prose, seat_name
from simkit.runs import narrate
from simkit.runs.folder import Run
from simkit.runs.table_files import has_own_files
from simkit.tables.course import TurningPoint, interesting_games, turning_points
from simkit.tables.findings import Findings

# Text of the moves of a turn

MAX_LETTERS = 200  # length of the text of a turn
MAX_MOVES = 3  # shown of a longer turn
Moves = Sequence[tuple[str, str]]  # (mover, move)


def moves_text(moves: Moves, gains: Sequence[float], player: str) -> str:
    """Return the text of a turn of `player`; `gains` holds what each move was worth to this player.

    The player's name is not repeated. Of a long turn, moves that gained points are shown, else the player's.

    >>> long = "repairs the old pump with what is left of the ship " * 4
    >>> moves_text([("red", "digs"), ("red", "builds")], [0, 2], "red")
    'digs; builds'
    >>> some = [("red", long), ("yellow", "sells"), ("red", "builds"), ("red", "rests")]
    >>> moves_text(some, [0, 0, 2, 0], "red"), moves_text(some, [0, 0, 0, 0], "yellow")
    ('builds; and 3 more moves', 'sells; and 3 more moves')
    """
    if len(text := _join_moves(moves, player)) <= MAX_LETTERS:
        return text
    best = sorted((place for place, gain in enumerate(gains) if gain > 0), key=lambda place: -gains[place])
    own = [place for place, (mover, _) in enumerate(moves) if mover == player]
    shown = sorted((best or own or range(len(moves)))[:MAX_MOVES])
    text = _join_moves([(moves[place][0], re.sub("; .*", "; …", moves[place][1])) for place in shown], player)
    left = len(moves) - len(shown)
    return f"{text}; and {counted(left, 'more move')}" if left else text


def _join_moves(moves: Moves, player: str) -> str:
    """Join the moves, those of each mover after the name unless it is `player` at the start."""
    texts, current = list[str](), player
    for mover, streak in groupby(moves, key=itemgetter(0)):
        named = "" if mover == current else f"{mover}: "
        texts.append(f"{named}{'; '.join(once([move for _, move in streak]))}")
        current = mover
    return "; ".join(texts)


def once(moves: list[str]) -> list[str]:
    """Shorten runs of three and more moves that differ only in numbers to the first and the last.

    >>> once(["passes", "bids 40", "bids 44", "bids 48", "passes", "passes", "passes"])
    ['passes', 'bids 40 …', 'bids 48', 'passes 3 times']
    """
    texts = list[str]()
    for _, similar in groupby(moves, lambda move: re.sub(r"\d+", "0", move)):
        first, *more = similar
        if len(more) < 2:
            texts += [first, *more]
        elif set(more) == {first}:
            texts.append(f"{first} {len(more) + 1} times")
        else:
            texts += [f"{first} …", more[-1]]
    return texts


# The section, and the typical game with its course, turning points and moves

KINDS_OF_GAMES = prose("""The typical game is nearest to the middle in length, lead changes and final margin;
    the wildest has the most lead changes, then the latest decision, then the closest end.""")
KINDS_OF_TEAM = prose("""The typical game is nearest to the middle in length and margin, of wins or
    defeats, whichever are more; the other one is the narrowest that ends the other way.""")
MAX_LINES = 3  # lines of a team's course
LINE_WIDTH = 80  # characters in a line of text under a board
COLOURED = {"blue": 0, "yellow": 1, "black": 2, "red": 4, "green": 5, "purple": 6}  # chart styles
Point = tuple[int, str, str]  # turn, mark in the picture, sentence


class NarratedGame(NamedTuple):
    """A game turn by turn, with the names of its seats (without article) and the unit of its score."""

    turns: list[narrate.Turn]
    seats: list[str]
    unit: str
    winner: int | None


def stories(findings: Findings) -> Section:
    """Return the typical game turn by turn, and the others with the commands that replay them.

    A game that cannot be played again keeps its title and command. With the designer's own tables the games
    are those of the first cell that has them.
    """
    run = findings.run
    own = [cell.index for cell in run.cells if has_own_files(cell.varied)]
    looked = findings.only(own[:1]) if own else findings.at_baseline()
    games = first_cell(looked, interesting_games(looked))
    parts = games.partition_by("play", maintain_order=True)
    stories = [_replay_story(findings, rows) for rows in parts]
    choice = f"Chosen by their course among {games['games'][0]:,} games, whoever won."
    why = "With --why the command says what each decision was worth, and which was the turning point."
    setting = labels_of(findings).setting(looked.run.cells[0].varied)
    text = [f"{choice} {KINDS_OF_TEAM if run.team else KINDS_OF_GAMES} {why}"]
    text.append(f"Played with {setting}." if own else here(findings))
    try:
        stories[0] = _narrate(run, stories[0], parts[0].row(0, named=True))
    except (PlayError, UsageError) as error:
        text.append(f"The games cannot be told here: {str(error).splitlines()[0]}.")
    if not run.experiment.trace:  # with a trace the section `pieces` has the note
        text.append(run.words.piece_note)
    return Section("A typical game", list(filter(None, text)), stories=stories)


def _replay_story(findings: Findings, rows: pl.DataFrame) -> Story:
    """Return a game by its title and the command that replays it."""
    row, run = rows.row(0, named=True), findings.run
    log = run.between(row["deal"], row["deal"] + 1).seats().filter(pl.col("play") == row["play"])
    seats = log.sort("seat").select(pl.col("strategy").cast(pl.String), "score").collect()
    players = [labels_of(findings).strategy(name) for name in seats["strategy"]]
    names = _seat_names(run, len(players))
    seated = "; ".join(f"{name}: {player}" for name, player in zip(names, players, strict=True))
    kinds, outcome = " and ".join(rows["kind"]), _outcome(run, row, names, seats["score"].to_list())
    title = f"{capital(kinds)}: {outcome}" + (f" ({seated})" if len(set(players)) > 1 else "")
    return Story(title, command=command_again(run, "replay", run.place, str(row["play"])))


def _seat_names(run: Run, seats: int) -> list[str]:
    return [*run.words.seats, *map(seat_name, range(len(run.words.seats), seats))][:seats]


def _outcome(run: Run, row: TableRow, names: list[str], scores: list[int]) -> str:
    """Return the length of a game, its lead changes, and who wins by which score."""
    turns, changes, winner = counted(row["turns"], "turn"), row["lead_changes"], row["winner"]
    if run.team:
        return f"{turns}, the team {'wins' if row['won'] else 'loses'}, score {number(row['margin'], 0)}"
    turns += "" if changes is None else f", {counted(changes, 'lead change')}"
    if run.sides:
        won = f"the {row['side'].replace('_', ' ')} wins" if row["side"] else "nobody wins"
        return f"{turns}, {won}"
    if winner is None:
        return f"{turns}, no single winner"
    return f"{turns}, {_with_article(names[winner])} wins, {_standing(scores, winner)}"


def _standing(scores: list[int], seat: int) -> str:
    """Return the score of a seat against the best of the others, as "12 to 9"."""
    return f"{scores[seat]} to {max(scores[:seat] + scores[seat + 1 :])}"


def _narrate(run: Run, story: Story, row: TableRow) -> Story:
    """Return a game with its course, and the boards at its turning points and its end."""
    turns = narrate.turns(run, row["play"])
    game = NarratedGame(turns, _seat_names(run, len(turns[0].rows)), run.words.score, row["winner"])
    lines, points = _team_course(run, game) if run.team else _score_course(game)
    boards = sorted({turn for turn, _, _ in points} | {len(turns) - 1})
    return story._replace(
        figure=_game_figure(run, lines, points, len(turns) - 1) if lines.height else None,
        points=[sentence for _, _, sentence in points],
        moves="\n".join(_line(game, turn, run.team) for turn in turns if turn.moves),
        board="\n\n".join(_board(turns[turn]) for turn in boards),
    )


def _score_course(game: NarratedGame) -> tuple[pl.DataFrame, list[Point]]:
    """Return the scores of the seats along the turns, in their own colours if any, and the turning points."""
    scores = [[row["score"] for row in turn.rows] for turn in game.turns[1:]]
    if all(row == scores[0] for row in scores[:-1]):
        return _lines([]), []  # the game counts scores at the end only
    own = [COLOURED.get(name, -1) for name in game.seats]
    seats = list(zip(game.seats, own if min(own) >= 0 else range(len(own)), strict=True))
    rows = [
        (*seats[seat], turn, float(x)) for turn, row in enumerate(scores, 1) for seat, x in enumerate(row)
    ]
    return _lines(rows), [_point(game, point) for point in turning_points(scores)]


def _lines(rows: list[tuple[str, int, int, float]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["line", "style", "x", "value"], orient="row")


def _point(game: NarratedGame, point: TurningPoint) -> Point:
    """Return who takes the lead, or who gains most on the others; a tie does not end a lead.

    For good means that the seat leads alone to the end, and wins.
    """
    seat, name = point.seat, game.seats[point.seat]
    before, after = ([row["score"] for row in game.turns[turn].rows] for turn in (point.turn - 1, point.turn))
    if point.kind == "lead":
        for_good = point.for_good and game.winner == seat
        duration = "for good" if for_good else f"and is not behind for {counted(point.turns, 'turn')}"
        mark, event = f"{name} leads", f"takes the lead {duration}, {_standing(after, seat)}"
    else:
        gain = counted(round(point.gain), game.unit.removesuffix("s"), game.unit)
        others = "the others" if len(game.seats) > 2 else _with_article(game.seats[1 - seat])
        standing = f"{_standing(after, seat)} after {_standing(before, seat)}"
        mark, event = f"{name} +{gain.split()[0]}", f"gains {gain} on {others}, {standing}"

    def ahead(rows: list[TableRow]) -> float:
        return float(rows[seat]["score"] - max(row["score"] for row in rows[:seat] + rows[seat + 1 :]))

    cause = _moves_behind(game, point.turn, ahead, name)
    return point.turn, mark, f"Turn {point.turn}: {_with_article(name)} {event}{cause}"


def _with_article(name: str) -> str:
    return f"the {name}" if name.endswith(" player") else name


def _moves_behind(
    game: NarratedGame, turn: int, value: Callable[[list[TableRow]], float], name: str = ""
) -> str:
    """Return the moves of a turn that raised a value; `name` is the seat that needs no naming."""
    moves = game.turns[turn].moves
    values = [value(rows) for rows in (game.turns[turn - 1].rows, *game.turns[turn].after)]
    gains = [later - sooner for sooner, later in pairwise(values)] or [0.0] * len(moves)
    text = moves_text([(game.seats[move.seat], move.what) for move in moves], gains, name)
    return f": {name_seats(text)}" if text else ""


def _team_course(run: Run, game: NarratedGame) -> tuple[pl.DataFrame, list[Point]]:
    """Return columns of the trace that are the same for all seats, and the greatest change of each."""
    meanings = run.meanings("turns") if run.experiment.trace else {}
    rows, points = list[tuple[str, int, int, float]](), list[Point]()
    for style, name in enumerate(list(_team_columns(game, meanings))[:MAX_LINES]):
        values = [turn.rows[0][name] for turn in game.turns]
        rows += [(meanings[name], style, turn, float(x)) for turn, x in enumerate(values)]
        points.append(_greatest_change(game, name, lower_first(meanings[name])))
    return _lines(rows), sorted(points)


def _team_columns(game: NarratedGame, meanings: dict[str, str]) -> Iterator[str]:
    """Yield the columns of the trace that are equal for all seats at every turn, and change."""
    for name in (name for name in game.turns[0].rows[0] if name in meanings and name != "score"):
        values = [{row[name] for row in turn.rows} for turn in game.turns]
        if all(len(levels) == 1 for levels in values) and len(set.union(*values)) > 1:
            yield name


def _greatest_change(game: NarratedGame, name: str, meaning: str) -> Point:
    """Return the turn at which a column changed most, and the moves behind the change."""
    values = [turn.rows[0][name] for turn in game.turns]
    turn = max(range(1, len(values)), key=lambda t: (abs(values[t] - values[t - 1]), -t))
    was, now = values[turn - 1], values[turn]
    cause = _moves_behind(game, turn, lambda rows: (1 if now > was else -1) * rows[0][name])
    mark = f"{meaning} {number(now - was, 0, sign=True)}"
    return turn, mark, f"Turn {turn}: {meaning} goes from {was} to {now}{cause}"


def _game_figure(run: Run, lines: pl.DataFrame, points: list[Point], turns: int) -> Figure:
    subject = "what the team has and lacks" if run.team else f"the {run.words.score} of each seat"
    unit = "At the end of the turn" if run.team else run.words.score.capitalize()
    how = {"label": "Turn", "form": "{}", "marks": [charts.Mark(mark, turn) for turn, mark, _ in points]}
    drawn = charts.picture("course", charts.curve, lines, unit=unit, **how)
    return Figure(drawn, f"A typical game: {subject} along {counted(turns, 'turn')}")


def _line(game: NarratedGame, turn: narrate.Turn, team: bool) -> str:
    """Return the moves of a turn on one line, those of a seat together, with the scores after it."""
    by_seat = groupby(turn.moves, key=attrgetter("seat"))
    parts = [f"{game.seats[seat]}: {'; '.join(move.what for move in moves)}" for seat, moves in by_seat]
    scores = "" if team else f"  ({' : '.join(str(row['score']) for row in turn.rows)})"
    return f"{turn.number:>3}  {name_seats(' / '.join(parts), article='')}{scores}"


def _board(turn: narrate.Turn) -> str:
    table = indent(dedent("\n".join(turn.table)), "  ")
    lines = name_seats(table, article="").splitlines()
    return "\n".join([f"After turn {turn.number}:", *map(_wrap, lines)])


def _wrap(line: str) -> str:
    """Return a line of text wrapped at LINE_WIDTH, and a line of a drawing, with wide gaps, unchanged.

    >>> _wrap("  a | b" + "   | c" * 20) == "  a | b" + "   | c" * 20
    True
    >>> [len(line) for line in _wrap("  first player: " + "a silo, " * 20).splitlines()]
    [79, 79, 27]
    """
    return line if "   " in line.strip() else fill(line, LINE_WIDTH, subsequent_indent="      ")
