"""Sentences about the tables of teams."""

from collections.abc import Callable, Iterator, Sequence

from simkit.analysis import Findings
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import games_of_100, in_words, whole
from simkit.reporting.text.phrases import Sentence, TableRow, join_names

MAX_STRATEGIES_NAMED = 4  # strategies named in a sentence


def team_strength(findings: Findings, setting: str) -> Iterator[Sentence]:
    """Yield the best team of each size at a setting, and what one member of another kind changes."""
    called, teams, mixed = labels_of(findings).strategy, findings.team_strategies, findings.mixed_teams
    if teams.width:
        for part in teams.filter(setting=setting).partition_by("seats", maintain_order=True):
            yield Sentence(best_team(part.rows(named=True), called), "team_strategies")
    if mixed.width:
        rows = mixed.filter(setting=setting).rows(named=True)
        yield Sentence(f"{single_member(rows, called)}.", "mixed_teams")


def best_team(rows: Sequence[TableRow], called: Callable[[str], str]) -> str:
    """Return the best team and those as good; `rows`: the best first.

    Example: `Best team of 3: selective wins 72 games of 100; courier may be as good.`
    """
    best = rows[0]
    text = f"Best team of {best['seats']}: {called(best['strategy'])} wins {games_of_100(best['share'])}"
    near = [row for row in rows[1:] if row["high"] > best["low"] and not _differs(best, row)]
    close = [called(row["strategy"]) for row in near]
    if not close:
        return f"{text}."
    names = join_names(close) if len(close) <= MAX_STRATEGIES_NAMED else f"{in_words(len(close))} others"
    return f"{text}; {names} may be as good."


def _differs(first: TableRow, second: TableRow) -> bool:
    """Return whether one of two strategies is compared with the other by deal and differs beyond luck."""
    for row, base in ((first, second), (second, first)):
        if row["against"] == base["strategy"]:
            return bool(row["p_adjusted"] < SURE)
    return False


def single_member(rows: Sequence[TableRow], called: Callable[[str], str]) -> str:
    """Return what a single member of another kind changes: the greatest sure effect and its opposite.

    rows: of `mixed_teams` at one setting.
    """
    single = sorted((row for row in rows if row["with_it"] == 1), key=lambda row: -abs(row["difference"]))
    sure = [row for row in single if row["p_adjusted"] < SURE]
    if not sure:
        return "What a single member is worth to a team is not settled"
    row = sure[0]
    wins = games_of_100(abs(row["difference"])).replace("game", "win")
    text = f"One {called(row['other'])} {_verb(row)} a team of {called(row['one'])} {wins}"
    for other in sure:
        if other["one"] == row["one"] and (other["difference"] > 0) != (row["difference"] > 0):
            return f"{text}, one {called(other['other'])} {_verb(other)} {whole(abs(other['difference']))}"
    return text


def _verb(row: TableRow) -> str:
    return "adds" if row["difference"] >= 0 else "costs"
