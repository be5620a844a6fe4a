"""How sure an answer is, and what to beware of."""

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.seats import nobody_wins
from simkit.engine.provenance import reconstructed
from simkit.formatting import counted
from simkit.reporting.text.failed_games import failures
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import named, players, side_of, verdict_scale
from simkit.reporting.text.phrases import Row, ends, in_words, interval, listed, percent, prose, whole
from simkit.runs.run import Run
from simkit.stats.verdicts import NOT_SETTLED

MOST_NAMED = 3  # lineups; of more their number is told
SURE = 0.05  # adjusted p-value below which a difference is said without a doubt


def sureness(findings: Findings, looked: list[Row]) -> list[str]:
    """How sure the numbers are: who played, how wide the intervals are, what each verdict means."""
    lineups = findings.cells["lineup"].n_unique()
    each = [f"{in_words(lineups)} {players(findings)}", _one_program(findings)]
    who = ", ".join(filter(None, each)) if lineups > 1 else ""
    half = max((row["high"] - row["low"]) / 2 for row in looked)
    least, most = (some(row["games"] for row in looked) for some in (min, max))
    games = f"{least:,} to " * (least < most) + counted(most, "game")
    noise = f"±{whole(half)} in 100" if half >= 0.005 else "± less than 1 in 100"
    stopped = (
        "it stopped by itself, so intervals of shares and scores hold at every look"
        * findings.run.experiment.adaptive
    )
    noise = f"{noise} by luck ({games} each)"
    scale = verdict_scale(findings.run)
    texts = ["programs played, not people", who, noise, scale, _unequal(findings), stopped]
    return list(filter(None, texts))


def _unequal(findings: Findings) -> str:
    """Of how many cases without a verdict the seats surely differ."""
    open_ = findings.first_player_advantage.filter(verdict=NOT_SETTLED)
    many = int(open_["unequal"].sum())
    if findings.run.team or not many:
        return ""
    where = "" if findings.cells.height == 1 else f" in {many} of {counted(open_.height, 'open case')}"
    return f"the seats are surely not equal{where}, by how much is open"


def _one_program(findings: Findings) -> str:
    """How many lineups are one program with other weights; where these mix, how many of the players."""
    labels, kin = labels_of(findings), labels_of(findings).kin()
    if not kin:
        return ""
    if not labels.all_alike:
        return f"with {in_words(max(map(len, kin)))} players that are one program with other weights"
    played = [labels.strategy(lineup[0]) for lineup in {tuple(cell.labels) for cell in findings.run.cells}]
    many = max(sum(player in alike for player in played) for alike in kin)
    which = "all" if many == len(played) else f"{in_words(many)} of them"
    return f"{which} one program with other weights"


def warnings(findings: Findings, looked: list[Row]) -> list[str]:
    mixed = named(findings, findings.cells.filter(~pl.col("balanced")))
    names = list(dict.fromkeys(cell["lineup"] for cell in mixed))
    which = listed(names) if names and _listable(names) else "the lineups in which players differ"
    apart = f"Not rotated: {which}. There, seat and player cannot be told apart." if names else ""
    depends = different_nearest(findings)
    rest = [_nobody_wins(findings), _other_first_movers(findings), *reconstructions(findings.run)]
    texts = [*failures(findings), depends, apart, *rest]
    return list(filter(None, texts))


def partly(run: Run) -> list[str]:
    """How much of a run that is not finished is told of."""
    some = f"The run is not finished: this tells of {percent(run.part)} of its games. Run it again to go on."
    return [some] if run.part < 1 else []


def _nobody_wins(findings: Findings) -> str:
    """How many games nobody wins, which is what the fair share is less for."""
    lost = findings.kept(nobody_wins)
    if not lost:
        return ""
    some = ends(*(percent(part) for part in (min(lost.values()), max(lost.values()))))
    less = "fair is a share of the games that somebody wins, by seats; the margin counts all games"
    return f"Nobody wins {some} of the games{' of some cells' * (len(lost) < findings.cells.height)}: {less}."


def reconstructions(run: Run) -> list[str]:
    """What to beware of where data of the game rest on no source."""
    names = reconstructed(run.words.provenance)
    rest = "no source gives them in full, and what depends on them is no surer than they are"
    return [f"Some data of this game are reconstructed ({listed(names)}): {rest}."] if names else []


def different_nearest(findings: Findings) -> str:
    """Whether lineups differ at their nearest settings beyond luck, unless one setting is FAIR for all."""
    side, first = side_of(findings.run), findings.first_player_advantage
    if first["setting"].n_unique() < 2:
        return ""
    fair = first.group_by("setting").agg((pl.col("verdict") == side.verdicts[0]).all())
    apart = findings.lineups_apart if not fair["verdict"].any() else pl.DataFrame()
    if apart.is_empty() or (apart["p_adjusted"] >= SURE).all():
        return ""
    labels, rows = labels_of(findings), findings.nearest.rows(named=True)
    called = labels.of_column("lineup") or str
    by_setting: dict[str, list[str]] = {}
    for row in rows:
        by_setting.setdefault(row["setting"], []).append(called(row["lineup"]))
    many = f"{in_words(len(rows))} {players(findings)}"
    named = [labels.at, *[labels.place] * len(by_setting)]  # what is varied is said once
    texts = (
        f"{name(at)} with {_some(names, many)}"
        for name, (at, names) in zip(named, by_setting.items(), strict=False)
    )
    said = "; ".join(texts)
    return prose(f"""What comes nearest to {side.aim} depends on who plays ({said}). Weigh most those that
        play like your players.""")


def _some(names: list[str], of: str) -> str:
    """Names where these are few and easy to read in a row, else how many they are.

    >>> _some(["a"], "three teams"), _some(["a", "b", "c", "d"], "eight teams")
    ('a', 'four of eight teams')
    >>> _some(["2 players, a", "3 players, a"], "six teams")
    'two of six teams'
    """
    few = len(names) <= MOST_NAMED and _listable(names)
    return listed(names) if few else f"{in_words(len(names))} of {of}"


def _listable(names: list[str]) -> bool:
    """Whether a reader sees where a name ends: of several none has a comma of its own."""
    return len(names) < 2 or not any(", " in name for name in names)


def _other_first_movers(findings: Findings) -> str:
    """Games in which another seat than the first made the first move."""
    if findings.run.team or not findings.first_movers.height:
        return ""
    row = named(findings, findings.first_movers.sort("moved", descending=True, maintain_order=True))[0]
    where = f" at {row['setting']}" if row["setting"] else ""
    return prose(f"""The first player, whom the shares are about, does not always make the first move: with
        {row["lineup"]}{where} somebody else made it in {percent(row["moved"])} of the games, and whoever made
        it won {percent(row["share"])} ({interval(row)}).""")
