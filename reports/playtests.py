"""The page of playtests: which simulated players play as people did, and how often each seat wins."""

from collections.abc import Iterator

from simkit.formatting import counted
from simkit.page.columns import table
from simkit.page.document.parts import Report, Section
from simkit.page.document.tables import Show, Table
from simkit.page.pictures import takeaways_of
from simkit.page.recipe import Recipe
from simkit.page.terminal import study_document
from simkit.page.words.numbers import Summary, TableRow, join_names, percent, roughly, span
from simkit.page.words.skill import line_table, worth_and_games
from simkit.page.words.verdicts import label_rows, side_of
from simkit.questions.playtests import playtest_fits, playtest_seats, playtests_table
from simkit.tables.findings import Findings
from simkit.tables.seats import first_player_advantage

from .sections.length import length
from .sections.players import who
from .sections.seats import seats

# Sentences


def playtest_sentences(rows: list[TableRow], seats: list[TableRow], games: int, side: str) -> Iterator[str]:
    """Yield the answer (rows of `playtest_fits`), who wins (`playtest_seats`) and what more games tell."""
    best, out, every = rows[0]["strategy"], sum(not row["possible"] for row in rows), len(rows)
    fits, players = "comes nearest" if out == every else "fits best", counted(every, "simulated player")
    yield f"{counted(games, 'playtest')} can rule out {out or 'none'} of {players}; {best} {fits}."
    for row in seats[:1] if len({row["cell"] for row in seats}) == 1 else ():
        interval = span(row["low"], row["high"], scale=100)
        people = f"{percent(row['people'])} ({interval}) of the playtests"
        both = _comparison(row, rows[0])
        yield f"The {side} wins {people} and {percent(row['simulated'])} with {best}: {both}."
        if row["more_games"]:
            yield f"About {roughly(row['more_games'])} more games narrow people's share to ±10 points."
    if needs := sorted((row["more_games"], row["strategy"]) for row in rows if row["more_games"]):
        pairs = dict.fromkeys([needs[0], needs[-1]])
        texts = [f"from {name} takes about {roughly(more)} more games" for more, name in pairs]
        yield f"To tell {best} {join_names(texts)}."


def _comparison(seat: TableRow, best: TableRow) -> str:
    """Return whether people's share can be the simulated one, in agreement with the verdict on the player.

    A difference in one seat may be beyond luck by itself, but not among all results that are compared.
    """
    if seat["low"] <= seat["simulated"] <= seat["high"]:
        return "they can both be true"
    if seat["p"] <= 0.05 and not best["possible"]:
        return "they cannot both be true"
    return f"this difference alone does not rule {best['strategy']} out"


# Sections

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
    answer, *advice = playtest_sentences(rows, seats.rows(named=True), games, side_of(findings.run).name)
    seat = "" if findings.run.team else "seat"
    names = "strategy winner highest gap length p possible more_games"
    best_first, shares = "Players, the best fit first", f"where {seat} people low high games simulated"
    return Section(
        heading="Who wins: people and the player that fits best",
        by_strength=by_player(findings),
        takeaways=takeaways_of(findings, Summary(answer, " ".join(advice), [], []), "playtest_fits"),
        glance=table(findings, fits, names, best_first, more_games="more games", **FIT_HEADS),
        tables=[table(findings, seats, shares, "Seats", **SEAT_HEADS)],
        limits=PLAYTEST_LIMITS,
    )


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
