"""Playtests: the simulated players that fit the games of people, and how often each seat wins."""

from collections.abc import Iterator

from simkit.reporting.pages import Findings, Section, Show, labels_of, table, takeaways_of
from simkit.reporting.text.changes import p_value
from simkit.reporting.text.numbers import percent, roughly, span
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Row, Summary, listed

LOSS = "mean log-loss of its prediction of people's games: the smaller, the better"
HEADS = {name: Show(name, "{:.2f}", LOSS) for name in ("winner", "highest", "lowest", "length")}
HEADS |= {"possible": Show("possible", {True: "yes", False: "no"}.get), "p": Show("p", p_value)}
SEATS = {name: Show(name, "{:.1%}") for name in ("people", "simulated")} | {"p": Show("p", p_value)}


def section(findings: Findings) -> Section:
    """Return the answer, the players by fit, and the shares of the seats beside those of the best."""
    fits, seats, labels = findings.playtest_fits, findings.playtest_seats, labels_of(findings)
    best = [cell.index for cell in findings.run.cells if cell.labels[0] == fits["strategy"][0]]
    if seats.width:
        seats = seats.filter(seats["cell"].is_in(best)).rename({"share": "people"})
    rows = [row | {"name": labels.strategy(row["strategy"])} for row in fits.rows(named=True)]
    texts = [headline(rows, findings.playtests["play"].n_unique())]
    texts += advice(rows, seats.rows(named=True), side_of(findings.run).name)
    names = "strategy winner highest lowest length p possible more_games"
    return Section(
        heading="Who wins: people and the player that fits best",
        takeaways=takeaways_of(findings, Summary(texts[0], " ".join(texts[1:]), [], []), "playtest_fits"),
        glance=table(findings, fits, names, "Players, the best fit first", more_games="more games", **HEADS),
        tables=[table(findings, seats, "where seat people low high games simulated p", "Seats", **SEATS)],
        limits=["Whether people play like any of these players: those possible are only not ruled out."],
    )


def headline(rows: list[Row], games: int) -> str:
    """Return how many players the games rule out, and which is best; rows of `playtest_fits`."""
    out = len(rows) - sum(row["possible"] for row in rows)
    counts = f"{out or 'none'} of {len(rows)} simulated players"
    nearest = "comes nearest" if out == len(rows) else "fits best"
    return f"{games} games of people rule out {counts}; {rows[0]['name']} {nearest}."


def advice(rows: list[Row], seats: list[Row], side: str) -> Iterator[str]:
    """Yield who wins, by the first row of `playtest_seats`, and how many more games would tell more."""
    for row in seats[:1]:
        both = "can both be true" if row["p"] > 0.05 else "cannot both be true"
        people = (
            f"{percent(row['people'])} ({span(row['low'], row['high'], scale=100)}) of the games of people"
        )
        yield f"The {side} wins {people} and {percent(row['simulated'])} of the simulated: they {both}."
        if row["needed"] and row["low"] <= row["fair"] <= row["high"]:
            yield f"About {roughly(row['needed'])} games would show whether that is more than luck."
    if needs := sorted((row["more_games"], row["name"]) for row in rows if row["more_games"]):
        each = listed([f"about {roughly(games)} more games from {name}" for games, name in needs], most=2)
        yield f"To tell {rows[0]['name']} apart takes {each}."
