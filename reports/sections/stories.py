"""Games worth a look: a typical one and the wildest, with their course, turning points and moves."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, pairwise
from operator import attrgetter
from textwrap import dedent, fill, indent
from typing import NamedTuple

import polars as pl

from simkit.analysis.turning import TurningPoint, turning_points
from simkit.errors import PlayError, UsageError
from simkit.formatting import counted
from simkit.reporting import charts
from simkit.reporting.pages import Figure, Findings, Section, Story, first_cell, here, labels_of, prose
from simkit.reporting.pages.commands import command_again
from simkit.reporting.text import seat_name, seats_named
from simkit.reporting.text.labels import lowered
from simkit.reporting.text.moves import moves_told
from simkit.reporting.text.phrases import Row, listed, number
from simkit.runs import narrate
from simkit.runs.run import Run
from simkit.runs.table_files import has_own_files

KINDS = prose("""The typical game is nearest to the middle in length, lead changes and final margin; the
    wildest has the most lead changes, then the latest decision, then the closest end.""")
KINDS_OF_TEAM = prose("""The typical game is nearest to the middle in length and margin, of wins or
    defeats, whichever are more; the other one is the narrowest that ends the other way.""")
MAX_LINES = 3  # lines of a team's course
LINE_WIDTH = 80  # characters in a line of text under a board


class NarratedGame(NamedTuple):
    """A game turn by turn, with the names of its seats and the unit of its score."""

    row: Row
    kinds: str
    turns: list[narrate.Turn]
    seats: list[str]
    unit: str


COLOURED = {"blue": 0, "yellow": 1, "black": 2, "red": 4, "green": 5, "purple": 6}  # chart styles


def section(findings: Findings) -> Section:
    """Return the typical game turn by turn, and the others with the commands that replay them.

    A game that cannot be played again keeps its title and command.
    """
    looked = _looked(findings)
    games = first_cell(looked, looked.interesting_games)
    kinds, game_count = KINDS_OF_TEAM if findings.run.team else KINDS, games["games"][0]
    parts, refusals = games.partition_by("play", maintain_order=True), list[str]()
    stories = [
        Story(_title(findings, rows), command=_command(findings.run, rows["play"][0])) for rows in parts
    ]
    try:
        stories[0] = _story(findings, parts[0], _narrated_game(findings, parts[0]))
    except (PlayError, UsageError) as error:
        refusals = [f"The games cannot be told here: {str(error).splitlines()[0]}."]
    choice = f"Chosen by their course among {game_count:,} games, whoever won. {kinds}"
    setting = labels_of(findings).setting(looked.run.cells[0].varied)
    played = here(findings) if looked is findings.at_baseline() else f"Played with {setting}."
    text = [choice, played, *refusals]
    if not findings.run.experiment.trace:  # with a trace the section `pieces` has the note
        text.append(findings.run.words.piece_note)
    return Section(_heading(games, findings.run), list(filter(None, text)), stories=stories)


def _looked(findings: Findings) -> Findings:
    """Return the findings of the first cell with the designer's own tables, else of the cells in view."""
    own = [cell.index for cell in findings.run.cells if has_own_files(cell.varied)]
    return findings.only(own[:1]) if own else findings.at_baseline()


def _heading(games: pl.DataFrame, run: Run) -> str:
    """Describe the two games in a line."""
    typical, other = games.filter(kind="typical"), games.filter(pl.col("kind") != "typical")
    changes = typical["lead_changes"].item()
    if run.team:
        ends = "win" if typical["won"].item() else "defeat"
        return " and ".join([f"A typical {ends}", *(f"the {kind}" for kind in other["kind"])])
    if changes is None:
        return f"A typical game takes {counted(typical['turns'].item(), 'turn')}"
    most_changes = max(other["lead_changes"], default=changes)
    if changes == most_changes:
        return f"Even the wildest game has {_changes(changes)}"
    return f"A typical game has {_changes(changes)}, the wildest {most_changes}"


def _changes(count: int) -> str:
    """Return the number of lead changes in words.

    >>> _changes(0), _changes(1), _changes(12)
    ('no lead change', '1 lead change', '12 lead changes')
    """
    return counted(count, "lead change") if count else "no lead change"


def _narrated_game(findings: Findings, rows: pl.DataFrame) -> NarratedGame:
    row, run = rows.row(0, named=True), findings.run
    turns = narrate.turns(run, row["play"])
    names = [_seat(run, seat) for seat in range(len(turns[0].rows))]
    return NarratedGame(row, _kind(rows["kind"]), turns, names, run.words.score)


def _seat(run: Run, seat: int) -> str:
    return run.words.seats[seat] if seat < len(run.words.seats) else f"the {seat_name(seat)}"


def _command(run: Run, play: int) -> str:
    return command_again(run, "replay", run.place, str(play))


def _title(findings: Findings, rows: pl.DataFrame) -> str:
    """Return the kind of game, what happened, and who sat where unless all seats play alike."""
    row, run = rows.row(0, named=True), findings.run
    winner = "" if row["winner"] is None else _seat(run, row["winner"])
    log = run.between(row["deal"], row["deal"] + 1).seats().filter(pl.col("play") == row["play"])
    seats = log.sort("seat").select(pl.col("strategy").cast(pl.String), "score").collect().rows(named=True)
    if row["winner"] is not None and not run.team:
        row["margin"] = seats[row["winner"]]["score"] - _other_scores(seats, row["winner"])[0]
    players = [labels_of(findings).strategy(seat_row["strategy"]) for seat_row in seats]
    seated = (f"{_seat(run, place).removeprefix('the ')}: {name}" for place, name in enumerate(players))
    players_text = f" ({'; '.join(seated)})" if len(set(players)) > 1 else ""
    return f"{_kind(rows['kind'])}: {_facts(row, run.words.score, winner, run.team)}{players_text}"


def _kind(kinds: Iterable[str]) -> str:
    """Name what a game is an example of.

    >>> _kind(["typical", "wildest"]), _kind(["narrowest defeat"])
    ('Typical and wildest game', 'Narrowest defeat')
    """
    label = " and ".join(kinds).capitalize()
    return label if "arrowest" in label else f"{label} game"


def _facts(row: Row, unit: str, winner: str, team: bool = False) -> str:
    """Return the length of a game, its lead changes and its winner in a line.

    >>> _facts({"turns": 30, "lead_changes": 1, "winner": 0, "margin": 4}, "points", "red")
    '30 turns, 1 lead change, red wins by 4 points'
    >>> _facts({"turns": 30, "lead_changes": None, "winner": 0, "margin": 0}, "points", "red")
    '30 turns, red wins the tie-break'
    >>> _facts({"turns": 30, "lead_changes": None, "winner": 0, "margin": -2}, "points", "red")
    '30 turns, red wins, 2 points behind'
    """
    facts = [counted(row["turns"], "turn")]
    if team:
        return ", ".join(
            [*facts, f"the team {'wins' if row['won'] else 'loses'}, score {number(row['margin'], 0)}"]
        )
    facts += [] if row["lead_changes"] is None else [_changes(row["lead_changes"])]
    if not winner:
        return ", ".join([*facts, "no single winner"])
    if not row["margin"]:
        return ", ".join([*facts, f"{winner} wins the tie-break"])
    lead = _points(str(abs(row["margin"])), unit)
    return ", ".join(
        [*facts, f"{winner} wins by {lead}" if row["margin"] > 0 else f"{winner} wins, {lead} behind"]
    )


def _story(findings: Findings, rows: pl.DataFrame, game: NarratedGame) -> Story:
    """Return a game with its course, and the boards at its turning points and its end."""
    run = findings.run
    lines, points = _team_course(run, game) if run.team else _course(game)
    marked = [(turn, mark) for turn, mark, _ in points]
    drawn = _picture(findings, lines, marked, game) if lines.height else None
    boards = "\n\n".join(
        _board(game, turn) for turn in sorted({turn for turn, _ in marked} | {_last_turn(game)})
    )
    moves = "\n".join(_line(game, turn, run.team) for turn in game.turns if turn.moves)
    sentences = [text for _, _, text in points]
    return Story(
        _title(findings, rows),
        command=_command(run, game.row["play"]),
        figure=drawn,
        points=sentences,
        moves=moves,
        board=boards,
    )


def _last_turn(game: NarratedGame) -> int:
    return len(game.turns) - 1


Point = tuple[int, str, str]  # turn, mark in the picture, sentence


def _course(game: NarratedGame) -> tuple[pl.DataFrame, list[Point]]:
    """Return the scores of the seats along the turns, and the turning points."""
    scores = [[row["score"] for row in turn.rows] for turn in game.turns[1:]]
    styles = _seat_styles(game.seats)
    lines = pl.DataFrame(
        [
            (game.seats[seat].removeprefix("the "), styles[seat], turn, float(x))
            for turn, row in enumerate(scores, 1)
            for seat, x in enumerate(row)
        ],
        schema=["line", "style", "x", "value"],
        orient="row",
    )
    if all(row == scores[0] for row in scores[:-1]):
        return lines.clear(), []  # the game counts scores at the end only
    return lines, [*(_point(game, point) for point in turning_points(scores)), *_ending(game)]


def _seat_styles(seats: list[str]) -> list[int]:
    """Return the chart style of each seat: its own colour where the game names seats by colours.

    >>> _seat_styles(["red", "yellow"]), _seat_styles(["the first player", "the second player"])
    ([4, 1], [0, 1])
    """
    styles = [COLOURED.get(name) for name in seats]
    return [style for style in styles if style is not None] if None not in styles else list(range(len(seats)))


def _point(game: NarratedGame, point: TurningPoint) -> Point:
    event = _lead(game, point) if point.kind == "lead" else _swing(game, point)
    mark = f"{game.seats[point.seat]} {'leads' if point.kind == 'lead' else number(point.gain, 0, sign=True)}"

    def ahead(rows: list[Row]) -> float:
        """Return the seat's lead over the best of the others, or over their mean for a swing."""
        others = _other_scores(rows, point.seat)
        return float(
            rows[point.seat]["score"] - (others[0] if point.kind == "lead" else sum(others) / len(others))
        )

    cause = _moves_behind(game, point.turn, ahead, game.seats[point.seat])
    return point.turn, mark.removeprefix("the "), f"Turn {point.turn}: {event}{cause}"


def _lead(game: NarratedGame, point: TurningPoint) -> str:
    """Return who takes the lead, and for how long; for good means without a tie and with the win."""
    to_the_end = point.turn - 1 + point.turns == _last_turn(game) and game.row["winner"] == point.seat
    if point.for_good and to_the_end:
        action = "takes the lead for good"
    elif to_the_end:
        action = "takes the lead and is never behind again"
    elif point.alone == point.turns:
        action = f"takes the lead for {counted(point.turns, 'turn')}"
    else:
        action = f"takes the lead and is not behind for {counted(point.turns, 'turn')}"
    return f"{game.seats[point.seat]} {action}, {_standing(game, point.turn, point.seat)}"


def _swing(game: NarratedGame, point: TurningPoint) -> str:
    """Return who gains points, or which of two loses them while the other's score stays."""
    now, was = (game.turns[turn].rows for turn in (point.turn, point.turn - 1))
    points = _points(number(point.gain, 0), game.unit)
    others = [seat for seat in range(len(game.seats)) if seat != point.seat]
    name, opponent = game.seats[point.seat], game.seats[others[0]]
    if len(others) > 1:
        return f"{name} gains {points} on the others, {_standing(game, point.turn, point.seat)}"
    before = f"after {_standing(game, point.turn - 1, point.seat)}"
    if now[point.seat]["score"] == was[point.seat]["score"]:
        return (
            f"{opponent} loses {points} and {name} none, {_standing(game, point.turn, point.seat)} {before}"
        )
    return f"{name} gains {points} on {opponent}, {_standing(game, point.turn, point.seat)} {before}"


def _standing(game: NarratedGame, turn: int, seat: int) -> str:
    """Return the score of a seat against the best of the others, as "12 to 9"."""
    rows = game.turns[turn].rows
    return f"{rows[seat]['score']} to {_other_scores(rows, seat)[0]}"


def _other_scores(rows: list[Row], seat: int) -> list[int]:
    """Return the scores of the other seats, the best first."""
    return sorted((row["score"] for row in rows[:seat] + rows[seat + 1 :]), reverse=True)


def _points(amount: str, unit: str) -> str:
    return f"{amount} {unit.removesuffix('s') if amount == '1' else unit}"


def _ending(game: NarratedGame) -> list[Point]:
    """Return the end as a point where the winner is not the only seat with the best score."""
    turn, winner = _last_turn(game), game.row["winner"]
    scores = [row["score"] for row in game.turns[turn].rows]
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    if best == [winner]:
        return []
    if winner is None:
        names = listed([game.seats[seat] for seat in best])
        scores_text = f"{names} end with {scores[best[0]]} each" if len(best) > 1 else f"{names} has most"
        return [(turn, "no winner", f"Turn {turn}: {scores_text}, and nobody wins alone")]
    name, standing = game.seats[winner], _standing(game, turn, winner)
    outcome = f"{name} wins the tie-break" if winner in best else f"{name} wins all the same"
    return [(turn, f"{name} wins".removeprefix("the "), f"Turn {turn}: {outcome}, {standing}")]


def _moves_behind(game: NarratedGame, turn: int, value: Callable[[list[Row]], float], name: str = "") -> str:
    """Return the moves of a turn that raised a value; `name` is the seat that needs no naming."""
    moves, seats = game.turns[turn].moves, [seat.removeprefix("the ") for seat in game.seats]
    values = [value(rows) for rows in (game.turns[turn - 1].rows, *game.turns[turn].after)]
    gains = [later - sooner for sooner, later in pairwise(values)] or [0.0] * len(moves)
    moves_text = moves_told(
        [(seats[move.seat], move.what) for move in moves], gains, name.removeprefix("the ")
    )
    return f": {seats_named(moves_text)}" if moves_text else ""


def _team_course(run: Run, game: NarratedGame) -> tuple[pl.DataFrame, list[Point]]:
    """Return the logged columns of the team along the turns, and the greatest change of each."""
    meanings = run.meanings("turns") if run.experiment.trace else {}
    rows, points = list[tuple[str, int, int, float]](), list[Point]()
    for name in list(_team_columns(game, meanings))[:MAX_LINES]:
        values = [turn.rows[0][name] for turn in game.turns]
        style = len({row[1] for row in rows})
        rows += [(meanings[name], style, turn, float(x)) for turn, x in enumerate(values)]
        points.append(_greatest_change(game, name, meanings[name]))
    return pl.DataFrame(rows, schema=["line", "style", "x", "value"], orient="row"), sorted(points)


def _team_columns(game: NarratedGame, meanings: dict[str, str]) -> Iterator[str]:
    """Yield the columns of the trace that are equal for all seats at every turn, and change."""
    for name in game.turns[0].rows[0]:
        values = [{row[name] for row in turn.rows} for turn in game.turns]
        same_for_all, several = all(len(levels) == 1 for levels in values), len(set.union(*values)) > 1
        if name in meanings and name != "score" and same_for_all and several:
            yield name


def _greatest_change(game: NarratedGame, name: str, meaning: str) -> Point:
    """Return the turn at which a column changed most, and the moves behind the change."""
    values = [turn.rows[0][name] for turn in game.turns]
    turn = max(range(1, len(values)), key=lambda t: (abs(values[t] - values[t - 1]), -t))
    was, now = values[turn - 1], values[turn]
    cause = _moves_behind(game, turn, lambda rows: (1 if now > was else -1) * rows[0][name])
    sentence = f"Turn {turn}: {lowered(meaning)} goes from {was} to {now}{cause}"
    return turn, f"{lowered(meaning)} {number(now - was, 0, sign=True)}", sentence


def _picture(
    findings: Findings, lines: pl.DataFrame, marked: list[tuple[int, str]], game: NarratedGame
) -> Figure:
    subject = "what the team has and lacks" if findings.run.team else f"the {game.unit} of each seat"
    alt = f"{game.kinds}: {subject} along {counted(_last_turn(game), 'turn')}"
    unit = "At the end of the turn" if findings.run.team else game.unit.capitalize()
    how = {"label": "Turn", "unit": unit, "form": "{}", "marks": [charts.Mark(text, x) for x, text in marked]}
    drawn = charts.picture("course", charts.curve, lines, **how)
    return Figure(drawn, alt)


def _line(game: NarratedGame, turn: narrate.Turn, team: bool) -> str:
    """Return the moves of a turn on one line, with the scores after it."""
    moves = seats_named(" / ".join(_moves_by_seat(game, turn)), article="")
    scores = "" if team else f"  ({' : '.join(str(row['score']) for row in turn.rows)})"
    return f"{turn.number:>3}  {moves}{scores}"


def _moves_by_seat(game: NarratedGame, turn: narrate.Turn) -> Iterator[str]:
    """Yield the moves of each seat in a turn, consecutive moves together."""
    for seat, moves in groupby(turn.moves, key=attrgetter("seat")):
        name = game.seats[seat].removeprefix("the ")
        yield f"{name}: {'; '.join(move.what for move in moves)}"


def _board(game: NarratedGame, number: int) -> str:
    table = indent(dedent("\n".join(game.turns[number].table)), "  ")
    lines = seats_named(table, article="").splitlines()
    return "\n".join([f"After turn {number}:", *map(_wrapped, lines)])


def _wrapped(line: str) -> str:
    """Return a line of text wrapped at LINE_WIDTH, and a line of a drawing, with wide gaps, unchanged.

    >>> _wrapped("  a | b" + "   | c" * 20) == "  a | b" + "   | c" * 20
    True
    >>> [len(line) for line in _wrapped("  first player: " + "a silo, " * 20).splitlines()]
    [79, 79, 27]
    """
    return line if "   " in line.strip() else fill(line, LINE_WIDTH, subsequent_indent="      ")
