"""Certainty of an answer and cautions about it."""

import polars as pl

from simkit.analysis import Findings, axes
from simkit.analysis.seats import nobody_wins
from simkit.analysis.shape import game_lengths
from simkit.engine.provenance import reconstructed
from simkit.formatting import counted
from simkit.reporting.text.confirmed import recommended
from simkit.reporting.text.failed_games import failures
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import named, players, side_of
from simkit.reporting.text.phrases import Row, ends, in_words, interval, listed, percent, prose, whole
from simkit.runs.run import Run
from simkit.stats.verdicts import NOT_EQUAL, NOT_SETTLED

MAX_LINEUPS_NAMED = 3  # lineups named; more are counted
SURE = 0.05  # adjusted p-value below which a difference is stated as fact


def sureness(findings: Findings, looked: list[Row]) -> list[str]:
    """Return notes on certainty: widths of intervals, seats that surely differ, how a run stopped."""
    half = max((row["high"] - row["low"]) / 2 for row in looked)
    least, most = (limit(row["games"] for row in looked) for limit in (min, max))
    games = (f"{least:,} to " if least < most else "") + counted(most, "game")
    noise = f"±{whole(half)} in 100" if half >= 0.005 else "± less than 1 in 100"
    every_look = "it stopped by itself, so intervals of shares and scores hold at every look"
    stopped = every_look if findings.run.experiment.adaptive else ""
    return list(filter(None, [f"{noise} by luck ({games} each)", _unequal(findings), stopped]))


def limits(findings: Findings) -> list[str]:
    """Return what a run cannot tell, the most important first."""
    run = findings.run
    texts = [_people(findings)]
    if names := reconstructed(run.words.provenance):
        texts.append(f"Anything that rests on reconstructed data: {listed(names)}.")
    if _shallow(findings):
        ladder = f"simkit ladder {run.experiment.game}"
        texts.append(f"What better players make of it: none of these searches ({ladder} tries some that do).")
    swept = [axis for axis in axes(run) if len(axis.options) == 1 and axis.whole_numbers]
    for axis in swept[:1]:
        ends = f"from {min(axis.values)[0]} to {max(axis.values)[0]}"
        texts.append(f"Anything outside the range tried: {labels_of(findings).axis(axis)} {ends}.")
    if not run.experiment.trace and not run.team:
        texts.append("When the lead changes: that was not recorded (--trace 300 records it).")
    return texts


def _people(findings: Findings) -> str:
    """Return that programs played, and which of them are one program with other weights."""
    count = len({label for cell in findings.run.cells for label in cell.labels})
    programs = "one computer player" if count == 1 else f"{in_words(count)} computer players"
    kin = max(map(len, labels_of(findings).kin()), default=0)
    related = (
        "" if not kin else ", all of one program" if kin == count else f", {in_words(kin)} of one program"
    )
    return f"How people play: the games are those of {programs}{related}."


def measured(findings: Findings) -> str:
    """Return the games behind each number and what the intervals promise."""
    games = {cell.plays for cell in findings.run.cells}
    least, most = min(games), max(games)
    number = f"{least:,} to {most:,}" if least < most else f"{most:,}"
    point = "" if findings.cells.height == 1 else " for each setting and lineup"
    always = ", which hold whenever a run stops" if findings.run.experiment.adaptive else ""
    return f"{number} games{point}; 95 % intervals{always}. Programs played, not people."


def _shallow(findings: Findings) -> bool:
    """Return whether nobody searched in a game with something to decide."""
    searching = any(words.searches for words in findings.run.words.strategies.values())
    return not searching and not findings.rungs.width and max_decisions(findings) > 0


def max_decisions(findings: Findings) -> int:
    """Return the most decisions of a game."""
    return int(game_lengths(findings).filter(measure="decisions")["value"].max())  # type: ignore[arg-type]


def _unequal(findings: Findings) -> str:
    """Return a note on the unsettled cases in which one seat is certainly favoured."""
    open_ = findings.first_player_advantage.filter(verdict=NOT_SETTLED)
    count = int(open_["unequal"].sum())
    if findings.run.team or not count:
        return ""
    cases = f" in {count} of the {counted(open_.height, 'case')} {NOT_SETTLED}"
    where = cases if findings.cells.height > 1 else ""
    return f"{NOT_EQUAL}{where}: one seat is certainly favoured, by how much is {NOT_SETTLED.lower()}"


def warnings(findings: Findings, looked: list[Row]) -> list[str]:
    """Return cautions: failed games, lineups that disagree, unrotated lineups, games without a winner."""
    mixed = named(findings, findings.cells.filter(~pl.col("balanced")))
    names = list(dict.fromkeys(cell["lineup"] for cell in mixed))
    lineups = listed(names) if names and _listable(names) else "the lineups in which players differ"
    unrotated = f"Not rotated: {lineups}. There, seat and player cannot be told apart." if names else ""
    depends = different_nearest(findings)
    rest = [_nobody_wins(findings), _other_first_movers(findings)]
    texts = [*failures(findings), depends, unrotated, *rest]
    return list(filter(None, texts))


def partly(run: Run) -> list[str]:
    """Return a caution about a run that is not finished."""
    text = f"The run is not finished: this tells of {percent(run.part)} of its games. Run it again to go on."
    return [text] if run.part < 1 else []


def _nobody_wins(findings: Findings) -> str:
    """Return a note on games without a winner, which lower the fair share."""
    shares = findings.cached(nobody_wins)
    if not shares:
        return ""
    percentages = ends(*(percent(part) for part in (min(shares.values()), max(shares.values()))))
    explanation = "fair is a share of the games that somebody wins, by seats; the margin counts all games"
    where = " of some cells" if len(shares) < findings.cells.height else ""
    return f"Nobody wins {percentages} of the games{where}: {explanation}."


def different_nearest(findings: Findings) -> str:
    """Return a caution where lineups differ in their nearest setting beyond luck and none is fair for all."""
    side, first = side_of(findings.run), findings.first_player_advantage
    if first["setting"].n_unique() < 2 or not findings.run.judged or recommended(findings):
        return ""
    fair = first.group_by("setting").agg((pl.col("verdict") == side.verdicts[0]).all())
    differences = findings.lineups_apart if not fair["verdict"].any() else pl.DataFrame()
    if differences.is_empty() or (differences["p_adjusted"] >= SURE).all():
        return ""
    labels, rows = labels_of(findings), findings.nearest.rows(named=True)
    called = labels.of_column("lineup") or str
    by_setting: dict[str, list[str]] = {}
    for row in rows:
        by_setting.setdefault(row["setting"], []).append(called(row["lineup"]))
    total = f"{in_words(len(rows))} {players(findings)}"
    named = [labels.at, *[labels.place] * len(by_setting)]  # the option is named only once
    texts = (
        f"{name(at)} with {_names_or_count(names, total)}"
        for name, (at, names) in zip(named, by_setting.items(), strict=False)
    )
    places = "; ".join(texts)
    return prose(f"""What comes nearest to {side.aim} depends on who plays ({places}). Trust the
        computer player closest to your audience.""")


def _names_or_count(names: list[str], total: str) -> str:
    """Return the names if they are few and readable in a row, else their number.

    >>> _names_or_count(["a"], "three teams"), _names_or_count(["a", "b", "c", "d"], "eight teams")
    ('a', 'four of eight teams')
    >>> _names_or_count(["2 players, a", "3 players, a"], "six teams")
    'two of six teams'
    """
    listable = len(names) <= MAX_LINEUPS_NAMED and _listable(names)
    return listed(names) if listable else f"{in_words(len(names))} of {total}"


def _listable(names: list[str]) -> bool:
    """Return whether names can be listed unambiguously: none of several contains a comma."""
    return len(names) < 2 or not any(", " in name for name in names)


def _other_first_movers(findings: Findings) -> str:
    """Return a caution where another seat than the first makes the first move."""
    if findings.run.team or not findings.first_movers.height:
        return ""
    row = named(findings, findings.first_movers.sort("moved", descending=True, maintain_order=True))[0]
    where = f" at {row['setting']}" if row["setting"] else ""
    return prose(f"""The first player, whom the shares are about, does not always make the first move: with
        {row["lineup"]}{where} somebody else made it in {percent(row["moved"])} of the games, and whoever made
        it won {percent(row["share"])} ({interval(row)}).""")
