"""The page of playtests: which simulated players play as people did, and how often each seat wins."""

from collections.abc import Iterator

import polars as pl

from simkit.formatting import counted
from simkit.page.columns import table
from simkit.page.document.parts import Report, Section, Step, Tile, TileLine
from simkit.page.document.tables import Show, Table
from simkit.page.pictures import takeaways_of
from simkit.page.recipe import Recipe
from simkit.page.terminal import study_document
from simkit.page.words.commands import command_again
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import (
    Summary,
    TableRow,
    capital,
    join_names,
    number,
    percent,
    quoted,
    roughly,
    span,
    whole,
)
from simkit.page.words.skill import line_table, worth_and_games
from simkit.page.words.verdicts import label_rows, side_of
from simkit.questions.playtests import playtest_fits, playtest_seats, playtests_table
from simkit.system import typed_here
from simkit.tables.findings import Findings
from simkit.tables.length import lengths, scores
from simkit.tables.seats import first_player_advantage

from .sections.length import length
from .sections.players import who
from .sections.seats import seats

# Sentences

MOST_NAMED = 3  # simulated players ruled out that a sentence names


def playtest_sentences(rows: list[TableRow], seats: list[TableRow], games: int, side: str) -> Iterator[str]:
    """Yield the answer (rows of `playtest_fits`), and who wins (`playtest_seats`)."""
    best, every = quoted(rows[0]["strategy"]), counted(len(rows), "simulated player")
    out = [quoted(row["strategy"]) for row in rows if not row["possible"]]
    fits = "comes nearest" if len(out) == len(rows) else "fits best"
    named = f" ({join_names(out)})" if 0 < len(out) <= MOST_NAMED and len(out) < len(rows) else ""
    yield f"{counted(games, 'playtest')} can rule out {len(out) or 'none'} of {every}{named}; {best} {fits}."
    for row in seats[:1] if len({row["cell"] for row in seats}) == 1 else ():
        interval = span(row["low"], row["high"], scale=100)
        people = f"{percent(row['people'])} ({interval}) of the playtests"
        both = _comparison(row, rows[0])
        yield f"The {side} wins {people} and {percent(row['simulated'])} with {best}: {both}."


def games_to_play(rows: list[TableRow], seats: list[TableRow]) -> str:
    """Return how many more games people should play, and what these tell; empty where none are needed.

    rows, seats: of `playtest_fits` and `playtest_seats`.
    """
    narrow = max((row["more_games"] for row in seats), default=0)
    texts = [f"about {roughly(narrow)} more games to know people's share to ±10 points"] if narrow else []
    if needs := [(row["more_games"], row["strategy"]) for row in rows if row["more_games"]]:
        more, other = min(needs)
        games = f"{roughly(more)} to" if texts else f"about {roughly(more)} more games to"
        texts.append(f"{games} tell {quoted(rows[0]['strategy'])} from {quoted(other)}")
    return f"Play {join_names(texts)}; add them to the sheet." if texts else ""


def _comparison(seat: TableRow, best: TableRow) -> str:
    """Return whether people's share can be the simulated one, in agreement with the verdict on the player.

    A difference in one seat may be beyond luck by itself, but not among all results that are compared.
    """
    if seat["low"] <= seat["simulated"] <= seat["high"]:
        return "they can both be true"
    if seat["p"] <= 0.05 and not best["possible"]:
        return "they cannot both be true"
    return f"this difference alone does not rule {quoted(best['strategy'])} out"


# Tiles: people and the player that fits best, side by side


def playtest_tiles(people: pl.DataFrame, seats: list[TableRow], simulated: TableRow, side: str) -> list[Tile]:
    """Return a tile for who wins, for the length and for the scores: of people and of the best player.

    people: rows of `playtests_table` in one cell; seats: of `playtest_seats` there; simulated: the player by
    `strategy`, the median of its `turns`, and its mean `scores` by seat.
    """
    player = simulated["strategy"]
    tiles = [
        Tile(
            f"{capital(side)} wins",
            [
                TileLine(whole(row["people"]), f"({span(row['low'], row['high'], 0, scale=100)})", PEOPLE),
                TileLine(whole(row["simulated"]), "", player),
            ],
            "games in 100",
        )
        for row in seats[:1]
    ]
    if len(turns := people.filter(seat=0)["turns"].drop_nulls()):
        median = turns.sort()[(len(turns) - 1) // 2]
        lines = [TileLine(str(median), "", PEOPLE), TileLine(str(simulated["turns"]), "", player)]
        tiles.append(Tile("Length in turns", lines, "the median"))
    scores = people.drop_nulls("score").group_by("seat").agg(pl.col("score").mean()).sort("seat")["score"]
    if len(scores) == len(simulated["scores"]):
        both = ((scores, PEOPLE), (simulated["scores"], player))
        lines = [TileLine(" : ".join(number(mean) for mean in means), "", who) for means, who in both]
        tiles.append(Tile("Scores", lines, "means, in the order of play"))
    return tiles


def _simulated(findings: Findings, cell: int, strategy: str) -> TableRow:
    """Return the length and the scores of the simulated games of a cell."""
    turns = lengths(findings).filter(cell=cell, measure="turns")["p50"][0]
    means = scores(findings).filter(cell=cell).sort("seat")["mean"].to_list()
    return {"strategy": strategy, "turns": turns, "scores": means}


# Sections

PEOPLE = "people"
LOSS = "mean log-loss of its prediction of people's games: the smaller, the better"
FIT_HEADS = {name: Show(name, "{:.2f}", LOSS) for name in ("winner", "highest", "gap", "length")}
FIT_HEADS |= {"possible": Show("possible", lambda possible: "yes" if possible else "no")}
SEAT_HEADS = {name: Show(name, "{:.1%}") for name in ("people", "simulated")}
PLAYTEST_LIMITS = [
    "Whether people play like any of these players: those possible are only not ruled out.",
    "How other people play: only the games of one sheet are compared, as if none depended on another.",
    "Whether people learn: their first and their last games count alike.",
]


def by_player(findings: Findings) -> Table | None:
    """Return what going first is worth to each simulated player and to people, who stand as one more rung.

    None where people played by several rules or at tables of several sizes.
    """
    people = playtest_seats(findings)
    people = people.filter(seat=0) if people.width else people
    first = first_player_advantage(findings)
    if people.is_empty() or len(first.unique(["setting", "seats"])) > 1:
        return None
    team, rows = findings.run.team, label_rows(findings, first.sort("share"))
    lines = [{"player": row["lineup"], **worth_and_games(row, row["games"], team)} for row in rows]
    own = people.rename({"low": "ever_low", "high": "ever_high"}).row(0, named=True)
    fair = {"fair": rows[0]["fair"]}
    lines.append({"player": "people", **worth_and_games(own | fair, own["games"], team)})
    return line_table(lines, team, "Programs and people")


def playtests(findings: Findings) -> Section:
    """Return the answer, the players by fit, and the shares of the seats beside those of the best."""
    fits, seats = playtest_fits(findings), playtest_seats(findings)
    if seats.width:
        best = [cell.index for cell in findings.run.cells if cell.labels[0] == fits["strategy"][0]]
        seats = seats.filter(seats["cell"].is_in(best)).rename({"share": "people"})
    rows, games = label_rows(findings, fits), playtests_table(findings)["play"].n_unique()
    side, shares = side_of(findings.run).name, seats.rows(named=True)
    answer, *advice = playtest_sentences(rows, shares, games, side)
    run = findings.run
    command = typed_here(run.manifest.command or "")
    command = command or command_again(run, "playtests", run.experiment.game, "SHEET")
    more = games_to_play(rows, shares)
    seat = "" if findings.run.team else "seat"
    names = "strategy winner highest gap length p possible more_games"
    best_first, columns = "Players, the best fit first", f"where {seat} people low high games simulated"
    return Section(
        heading="Who wins: people and the player that fits best",
        by_strength=by_player(findings),
        takeaways=takeaways_of(findings, Summary(answer, " ".join(advice), [], []), "playtest_fits"),
        glance=table(findings, fits, names, best_first, more_games="more games", **FIT_HEADS),
        tables=[table(findings, seats, columns, "Seats", **SEAT_HEADS)],
        step=Step(more, command) if more else None,
        tiles=_tiles(findings, shares, rows[0]["strategy"]),
        tiles_of=f"People, and {quoted(rows[0]['strategy'])} in simulated games",
        limits=PLAYTEST_LIMITS,
    )


def _tiles(findings: Findings, seats: list[TableRow], best: str) -> list[Tile]:
    """Return the tiles of the first setting and number of players of the sheet."""
    label = labels_of(findings).strategy
    played = [cell for cell in findings.run.cells if label(cell.labels[0]) == best]
    cell = next((cell for cell in played if seats and cell.index == seats[0]["cell"]), played[0])
    people = playtests_table(findings).filter(seats=cell.seats, **cell.varied)
    own = [row for row in seats if row["cell"] == cell.index]
    return playtest_tiles(people, own, _simulated(findings, cell.index, best), side_of(findings.run).name)


# The JSON document and the page


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    return study_document(findings, brief) | {
        "playtests": playtests_table(findings).to_dicts(),
        "playtest_seats": playtest_seats(findings).to_dicts(),
        "playtest_fits": playtest_fits(findings).to_dicts(),
    }


recipe = Recipe(
    "playtests",
    brief=[playtests],
    chapters={"Seats": [playtests], "Simulated games": [seats, length], "Players": [who]},
    needs="a run of simkit playtests",
    fits=lambda findings: playtests_table(findings).width > 0,
    document=document,
)
