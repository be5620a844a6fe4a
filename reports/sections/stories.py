"""Games worth a look: a typical one and the wildest, with their course, what turned them, their moves."""

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
from simkit.reporting.pages.commands import again
from simkit.reporting.text import seat_name, seats_named
from simkit.reporting.text.labels import lowered
from simkit.reporting.text.moves import moves_told
from simkit.reporting.text.phrases import Row, listed, number
from simkit.runs import narrate
from simkit.runs.run import Run

KINDS = prose("""The typical game is nearest to the middle in length, lead changes and final margin; the
    wildest has the most lead changes, then the latest decision, then the closest end.""")
KINDS_OF_TEAM = prose("""The typical game is nearest to the middle in length and margin, of wins or
    defeats, whichever are more; the other one is the narrowest that ends the other way.""")
MOST_LINES = 3  # that show how a team fares
WIDE = 80  # letters of a line of words under a board


class Told(NamedTuple):
    """A game told turn by turn, with the names of its seats and what its score counts."""

    row: Row
    kinds: str
    turns: list[narrate.Turn]
    seats: list[str]
    unit: str


COLOURED = {"blue": 0, "yellow": 1, "black": 2, "red": 4, "green": 5, "purple": 6}  # styles of charts


def section(findings: Findings) -> Section:
    games = first_cell(findings, findings.looked().interesting_games)
    kinds, many = KINDS_OF_TEAM if findings.run.team else KINDS, games["games"][0]
    stories, refused = list[Story](), dict[str, None]()
    for rows in games.partition_by("play", maintain_order=True):
        try:
            stories.append(_story(findings, _told(findings, rows), len(stories)))
        except (PlayError, UsageError) as error:
            refused[f"The games cannot be told here: {str(error).splitlines()[0]}."] = None
            stories.append(
                Story(_title(findings, rows), "Not told.", _command(findings.run, rows["play"][0]))
            )
    text = [f"Chosen by their course among {many:,} games, whoever won. {kinds}", here(findings), *refused]
    if not findings.run.experiment.trace:  # else the components have said it
        text.append(findings.run.words.piece_note)
    return Section(_heading(games, findings.run), list(filter(None, text)), stories=stories)


def _heading(games: pl.DataFrame, run: Run) -> str:
    """What the two games show, in a line."""
    typical, other = games.filter(kind="typical"), games.filter(pl.col("kind") != "typical")
    changes = typical["lead_changes"].item()
    if run.team:
        ends = "win" if typical["won"].item() else "defeat"
        return " and ".join([f"A typical {ends}", *(f"the {kind}" for kind in other["kind"])])
    if changes is None:
        return f"A typical game takes {counted(typical['turns'].item(), 'turn')}"
    most = max(other["lead_changes"], default=changes)
    if changes == most:
        return f"Even the wildest game has {_changes(changes)}"
    return f"A typical game has {_changes(changes)}, the wildest {most}"


def _changes(many: int) -> str:
    """How often the lead changed.

    >>> _changes(0), _changes(1), _changes(12)
    ('no lead change', '1 lead change', '12 lead changes')
    """
    return counted(many, "lead change") if many else "no lead change"


def _told(findings: Findings, rows: pl.DataFrame) -> Told:
    row, run = rows.row(0, named=True), findings.run
    turns = narrate.turns(run, row["play"])
    names = [_seat(run, seat) for seat in range(len(turns[0].rows))]
    return Told(row, _kind(rows["kind"]), turns, names, run.words.score)


def _seat(run: Run, seat: int) -> str:
    return run.words.seats[seat] if seat < len(run.words.seats) else f"the {seat_name(seat)}"


def _command(run: Run, play: int) -> str:
    return again(run, "replay", run.place, str(play))


def _title(findings: Findings, rows: pl.DataFrame) -> str:
    """Which game, what happened, and who sat where, if not all play alike."""
    row, run = rows.row(0, named=True), findings.run
    winner = "" if row["winner"] is None else _seat(run, row["winner"])
    log = run.between(row["deal"], row["deal"] + 1).seats().filter(pl.col("play") == row["play"])
    seats = log.sort("seat").select(pl.col("strategy").cast(pl.String), "score").collect().rows(named=True)
    if row["winner"] is not None and not run.team:
        row["margin"] = seats[row["winner"]]["score"] - _rest(seats, row["winner"])[0]
    players = [labels_of(findings).strategy(one["strategy"]) for one in seats]
    named = (f"{_seat(run, place).removeprefix('the ')}: {who}" for place, who in enumerate(players))
    who = f" ({'; '.join(named)})" if len(set(players)) > 1 else ""
    return f"{_kind(rows['kind'])}: {_facts(row, run.words.score, winner, run.team)}{who}"


def _kind(kinds: Iterable[str]) -> str:
    """What a game is an example of.

    >>> _kind(["typical", "wildest"]), _kind(["narrowest defeat"])
    ('Typical and wildest game', 'Narrowest defeat')
    """
    said = " and ".join(kinds).capitalize()
    return said if "arrowest" in said else f"{said} game"


def _facts(row: Row, word: str, winner: str, team: bool = False) -> str:
    """What happened, in a line.

    >>> _facts({"turns": 30, "lead_changes": 1, "winner": 0, "margin": 4}, "points", "red")
    '30 turns, 1 lead change, red wins by 4 points'
    >>> _facts({"turns": 30, "lead_changes": None, "winner": 0, "margin": 0}, "points", "red")
    '30 turns, red wins the tie-break'
    >>> _facts({"turns": 30, "lead_changes": None, "winner": 0, "margin": -2}, "points", "red")
    '30 turns, red wins, 2 points behind'
    """
    said = [counted(row["turns"], "turn")]
    if team:
        return ", ".join(
            [*said, f"the team {'wins' if row['won'] else 'loses'}, score {number(row['margin'], 0)}"]
        )
    said += [] if row["lead_changes"] is None else [_changes(row["lead_changes"])]
    if not winner:
        return ", ".join([*said, "no single winner"])
    if not row["margin"]:
        return ", ".join([*said, f"{winner} wins the tie-break"])
    by = _points(str(abs(row["margin"])), word)
    return ", ".join(
        [*said, f"{winner} wins by {by}" if row["margin"] > 0 else f"{winner} wins, {by} behind"]
    )


def _story(findings: Findings, told: Told, place: int) -> Story:
    """A game with its course; the boards stand where it turned and at its end."""
    run = findings.run
    games = first_cell(findings, findings.looked().interesting_games).filter(play=told.row["play"])
    lines, points = _team_course(run, told) if run.team else _course(told)
    marked = [(turn, mark) for turn, mark, _ in points]
    drawn = _picture(findings, lines, marked, told, place) if lines.height else None
    boards = "\n\n".join(_board(told, turn) for turn in sorted({turn for turn, _ in marked} | {_last(told)}))
    moves = "\n".join(_line(told, turn, run.team) for turn in told.turns if turn.moves)
    says = [text for _, _, text in points]
    return Story(
        _title(findings, games),
        command=_command(run, told.row["play"]),
        figure=drawn,
        points=says,
        moves=moves,
        board=boards,
    )


def _last(told: Told) -> int:
    return len(told.turns) - 1


Point = tuple[int, str, str]  # turn, what stands in the picture, what is said


def _course(told: Told) -> tuple[pl.DataFrame, list[Point]]:
    """The scores of the seats along the turns, and what turned the game."""
    scores = [[row["score"] for row in turn.rows] for turn in told.turns[1:]]
    looks = _looks(told.seats)
    lines = pl.DataFrame(
        [
            (told.seats[seat].removeprefix("the "), looks[seat], turn, float(x))
            for turn, row in enumerate(scores, 1)
            for seat, x in enumerate(row)
        ],
        schema=["line", "style", "x", "y"],
        orient="row",
    )
    if all(row == scores[0] for row in scores[:-1]):
        return lines.clear(), []  # the score is counted at the end only
    return lines, [*(_point(told, point) for point in turning_points(scores)), *_ending(told)]


def _looks(seats: list[str]) -> list[int]:
    """The style of each seat: in its own colour where the game names seats by colours.

    >>> _looks(["red", "yellow"]), _looks(["the first player", "the second player"])
    ([4, 1], [0, 1])
    """
    known = [COLOURED.get(name) for name in seats]
    return [one for one in known if one is not None] if None not in known else list(range(len(seats)))


def _point(told: Told, point: TurningPoint) -> Point:
    said = _lead(told, point) if point.kind == "lead" else _swing(told, point)
    mark = f"{told.seats[point.seat]} {'leads' if point.kind == 'lead' else number(point.gain, 0, sign=True)}"

    def ahead(rows: list[Row]) -> float:
        """By how much the seat is better than the best of the others, or than their mean."""
        rest = _rest(rows, point.seat)
        return float(rows[point.seat]["score"] - (rest[0] if point.kind == "lead" else sum(rest) / len(rest)))

    doing = _doing(told, point.turn, ahead, told.seats[point.seat])
    return point.turn, mark.removeprefix("the "), f"Turn {point.turn}: {said}{doing}"


def _lead(told: Told, point: TurningPoint) -> str:
    """Who takes the lead, and for how long: for good only who also wins, with no tie on the way."""
    to_the_end = point.turn - 1 + point.turns == _last(told) and told.row["winner"] == point.seat
    if point.for_good and to_the_end:
        keeps = "takes the lead for good"
    elif to_the_end:
        keeps = "takes the lead and is never behind again"
    elif point.alone == point.turns:
        keeps = f"takes the lead for {counted(point.turns, 'turn')}"
    else:
        keeps = f"takes the lead and is not behind for {counted(point.turns, 'turn')}"
    return f"{told.seats[point.seat]} {keeps}, {_standing(told, point.turn, point.seat)}"


def _swing(told: Told, point: TurningPoint) -> str:
    """Who gains, or of two who loses, where the score of the other stays as it was."""
    now, was = (told.turns[turn].rows for turn in (point.turn, point.turn - 1))
    points = _points(number(point.gain, 0), told.unit)
    others = [seat for seat in range(len(told.seats)) if seat != point.seat]
    name, on = told.seats[point.seat], told.seats[others[0]]
    if len(others) > 1:
        return f"{name} gains {points} on the others, {_standing(told, point.turn, point.seat)}"
    before = f"after {_standing(told, point.turn - 1, point.seat)}"
    if now[point.seat]["score"] == was[point.seat]["score"]:
        return f"{on} loses {points} and {name} none, {_standing(told, point.turn, point.seat)} {before}"
    return f"{name} gains {points} on {on}, {_standing(told, point.turn, point.seat)} {before}"


def _standing(told: Told, turn: int, seat: int) -> str:
    """The score of a seat to the best of the others."""
    rows = told.turns[turn].rows
    return f"{rows[seat]['score']} to {_rest(rows, seat)[0]}"


def _rest(rows: list[Row], seat: int) -> list[int]:
    """The scores of the others, the best first."""
    return sorted((row["score"] for row in rows[:seat] + rows[seat + 1 :]), reverse=True)


def _points(many: str, unit: str) -> str:
    return f"{many} {unit.removesuffix('s') if many == '1' else unit}"


def _ending(told: Told) -> list[Point]:
    """How a game ends that whoever has the best score does not win for that."""
    turn, winner = _last(told), told.row["winner"]
    scores = [row["score"] for row in told.turns[turn].rows]
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    if best == [winner]:
        return []
    if winner is None:
        names = listed([told.seats[seat] for seat in best])
        said = f"{names} end with {scores[best[0]]} each" if len(best) > 1 else f"{names} has most"
        return [(turn, "no winner", f"Turn {turn}: {said}, and nobody wins alone")]
    name, standing = told.seats[winner], _standing(told, turn, winner)
    wins = f"{name} wins the tie-break" if winner in best else f"{name} wins all the same"
    return [(turn, f"{name} wins".removeprefix("the "), f"Turn {turn}: {wins}, {standing}")]


def _doing(told: Told, turn: int, value: Callable[[list[Row]], float], name: str = "") -> str:
    """What happened in a turn that raised a value; whose turn it is needs no naming."""
    moves, seats = told.turns[turn].moves, [one.removeprefix("the ") for one in told.seats]
    values = [value(rows) for rows in (told.turns[turn - 1].rows, *told.turns[turn].after)]
    gains = [later - sooner for sooner, later in pairwise(values)] or [0.0] * len(moves)
    said = moves_told([(seats[move.seat], move.what) for move in moves], gains, name.removeprefix("the "))
    return f": {seats_named(said)}" if said else ""


def _team_course(run: Run, told: Told) -> tuple[pl.DataFrame, list[Point]]:
    """What the game notes of the whole team along the turns, and where each line changed most."""
    meanings = run.meanings("turns") if run.experiment.trace else {}
    rows, points = list[tuple[str, int, int, float]](), list[Point]()
    for name in list(_of_team(told, meanings))[:MOST_LINES]:
        values = [turn.rows[0][name] for turn in told.turns]
        style = len({row[1] for row in rows})
        rows += [(meanings[name], style, turn, float(x)) for turn, x in enumerate(values)]
        points.append(_change(told, name, meanings[name]))
    return pl.DataFrame(rows, schema=["line", "style", "x", "y"], orient="row"), sorted(points)


def _of_team(told: Told, meanings: dict[str, str]) -> Iterator[str]:
    """The columns of the trace that are the same for all seats at every turn, and change."""
    for name in told.turns[0].rows[0]:
        values = [{row[name] for row in turn.rows} for turn in told.turns]
        alike, several = all(len(one) == 1 for one in values), len(set.union(*values)) > 1
        if name in meanings and name != "score" and alike and several:
            yield name


def _change(told: Told, name: str, meaning: str) -> Point:
    """Where a column of the trace changed most, and what changed it."""
    values = [turn.rows[0][name] for turn in told.turns]
    turn = max(range(1, len(values)), key=lambda t: (abs(values[t] - values[t - 1]), -t))
    was, now = values[turn - 1], values[turn]
    doing = _doing(told, turn, lambda rows: (1 if now > was else -1) * rows[0][name])
    says = f"Turn {turn}: {lowered(meaning)} goes from {was} to {now}{doing}"
    return turn, f"{lowered(meaning)} {number(now - was, 0, sign=True)}", says


def _picture(
    findings: Findings, lines: pl.DataFrame, marked: list[tuple[int, str]], told: Told, place: int
) -> Figure:
    marks = pl.DataFrame(marked, schema={"x": pl.Int64, "text": pl.String}, orient="row")
    what = "what the team has and lacks" if findings.run.team else f"the {told.unit} of each seat"
    alt = f"{told.kinds}: {what} along {counted(_last(told), 'turn')}"
    unit = "At the end of the turn" if findings.run.team else told.unit.capitalize()
    drawn = charts.picture(f"course-{place}", charts.score_line, lines, marks=marks, unit=unit)
    return Figure(drawn, alt)


def _line(told: Told, turn: narrate.Turn, team: bool) -> str:
    """The moves of a turn on one line, with the scores after it."""
    moves = seats_named(" / ".join(_by_seat(told, turn)), article="")
    scores = "" if team else f"  ({' : '.join(str(row['score']) for row in turn.rows)})"
    return f"{turn.number:>3}  {moves}{scores}"


def _by_seat(told: Told, turn: narrate.Turn) -> Iterator[str]:
    """Who does what in a turn, each named once for what it does in a row."""
    for seat, moves in groupby(turn.moves, key=attrgetter("seat")):
        name = told.seats[seat].removeprefix("the ")
        yield f"{name}: {'; '.join(move.what for move in moves)}"


def _board(told: Told, number: int) -> str:
    table = indent(dedent("\n".join(told.turns[number].table)), "  ")
    lines = seats_named(table, article="").splitlines()
    return "\n".join([f"After turn {number}:", *map(_broken, lines)])


def _broken(line: str) -> str:
    """A line of words in lines that can be read; a line of a drawing, where words stand apart, as it is.

    >>> _broken("  a | b" + "   | c" * 20) == "  a | b" + "   | c" * 20
    True
    >>> [len(line) for line in _broken("  first player: " + "a silo, " * 20).splitlines()]
    [79, 79, 27]
    """
    return line if "   " in line.strip() else fill(line, WIDE, subsequent_indent="      ")
