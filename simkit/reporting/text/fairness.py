"""Sentences about a search for a fair value: the value, the check on fresh deals, the doubts."""

from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.fairness import POOLED
from simkit.analysis.seats import less_bias
from simkit.engine import registry
from simkit.formatting import counted
from simkit.reporting.text.commands import command_again, game_words, lineups, target_words
from simkit.reporting.text.confidence import sureness
from simkit.reporting.text.failed_games import failures
from simkit.reporting.text.labels import Labels, labels_of
from simkit.reporting.text.numbers import fair_of_100, games_of_100, interval_words, number, whole
from simkit.reporting.text.perspective import beyond_two, players, side_of
from simkit.reporting.text.phrases import Summary, TableRow, capital, join_names, seat_name
from simkit.reporting.text.verdict_counts import joint_verdict_words
from simkit.runs.folder import Run
from simkit.stats.verdicts import GOOD, OFF

RANDOM = "random"  # nobody's way to play
MAX_OTHERS = 2  # other strategies in the command that asks them, too
BETWEEN = "between the values played straight lines stand for the shares"


class Best(NamedTuple):
    """Best whole numbers of a lineup, or of all together, with their results on fresh deals."""

    values: list[TableRow]  # one row per option
    setting: str  # "20" for one option, else with the names of the options
    there: str  # "at 20" for one option, else "there"
    rows: list[TableRow]  # one row of the check per lineup

    @property
    def kinds(self) -> set[str]:
        """Verdicts of the lineups."""
        return {row["verdict"] for row in self.rows}

    @property
    def bad(self) -> bool:
        """True if it is off with every lineup."""
        return bool(self.kinds) and self.kinds <= set(OFF)

    @property
    def is_fair(self) -> bool | None:
        """True if it is fair with every lineup, False if it is off with some; None while that is open."""
        return False if self.kinds & set(OFF) else True if self.kinds and self.kinds <= set(GOOD) else None

    def mark(self, number: int) -> str:
        """Return a best whole number, marked where it is not (or not surely) fair."""
        if self.is_fair is False:
            return f"none, nearest {number}"
        return f"{number}" if self.is_fair or not self.kinds else f"perhaps {number}"


def best_of_all(findings: Findings) -> Best:
    """Return the best values of the only lineup, or of all lineups together."""
    return best_of(findings, findings.fair_values["lineup"][-1])


def best_of(findings: Findings, lineup: str) -> Best:
    """Return the best values of a lineup."""
    values = findings.fair_values.filter(lineup=lineup).rows(named=True)
    rows = findings.fair_checks.filter(wanted=lineup).rows(named=True)
    if len(values) == 1:
        return Best(values, f"{values[0]['best']}", f"at {values[0]['best']}", rows)
    setting = labels_of(findings).setting({row["option"]: row["best"] for row in values})
    return Best(values, setting, "there", rows)


def best_table(findings: Findings) -> pl.DataFrame:
    """Return `fair_values` with `interval` and `whole` (the best) in words and the results on fresh deals."""
    rows = []
    for (wanted,), values in findings.fair_values.group_by("lineup", maintain_order=True):
        best = best_of(findings, str(wanted))
        checked = {"cell": None, "share": None, "deals": None, "verdict": verdicts_phrase(findings, best)}
        if len(best.rows) == 1:
            checked = {name: best.rows[0][name] for name in checked}
        for row in values.rows(named=True):
            interval = "" if row["value"] is None else interval_words(row["low"], row["high"])
            rows.append(row | checked | {"whole": best.mark(row["best"]), "interval": interval})
    return pl.DataFrame(rows, infer_schema_length=None)


def of_each_seat(findings: Findings) -> pl.DataFrame:
    """Return `seat_shares` at the best values of all lineups together, with `off`: the distance from fair."""
    cells = [row["cell"] for row in best_of_all(findings).rows]
    off = (pl.col("share") - pl.col("fair")).alias("off")
    return findings.seat_shares.filter(pl.col("cell").is_in(cells)).with_columns(off)


def verdicts_phrase(findings: Findings, best: Best) -> str:
    """Return the verdict with all lineups, and with how many of them it is so."""
    kinds = [row["verdict"] for row in best.rows]
    return joint_verdict_words(kinds, players(findings)) if kinds else "not checked"


def own_bests(findings: Findings) -> dict[str, Best]:
    """Return each lineup's own best values where the best of all is off for some and some have a fair one."""
    names = findings.fair_values["lineup"].unique(maintain_order=True).to_list()
    each = {name: best_of(findings, name) for name in names if name != POOLED}
    has_fair = any(best.is_fair for best in each.values())
    return each if len(each) > 1 and has_fair and best_of_all(findings).kinds & set(OFF) else {}


def fair_answer(findings: Findings) -> Summary:
    """Return whether there is a fair value, how certain it is, and the results on fresh deals."""
    best, own = best_of_all(findings), own_bests(findings)
    checks = [row for best_own in own.values() for row in best_own.rows] or best.rows
    rows = labels_of(findings).label(pl.DataFrame(checks, infer_schema_length=None)).rows(named=True)
    headline = _depends(findings, own) if own else _fair_headline(findings, best)
    sure = [*sureness(findings, rows), BETWEEN]
    warnings = [*failures(findings), *_doubts(findings)]
    return Summary(headline, _fair_advice(findings, best, bool(own)), sure, warnings)


def _fair_headline(findings: Findings, best: Best) -> str:
    """Return what is fair, or what is nearest where nothing is or where that is not settled."""
    right, wins = "on target" if findings.run.team else "fair", _wins_at_best(findings, best)
    if best.bad:
        return f"{capital(_nothing(best))} is {right}: nearest is {best.setting}, where {wins}."
    about, (row, *others) = best.setting, best.values
    if row["value"] is not None and not others:
        value = number(row["value"]).removesuffix(".0")
        about = f"about {value} ({interval_words(row['low'], row['high'])})"
    if best.is_fair:
        return f"{capital(about)} is {right}: {best.there} {wins}."
    checked = f"on fresh deals {best.there} {wins}: {verdicts_phrase(findings, best)}"
    return f"Nearest to {side_of(findings.run).aim} is {about}; {checked}."


def _nothing(best: Best) -> str:
    """Return the noun phrase for "no value is fair"."""
    row = best.values[0]
    several = len(best.values) > 1
    return "nothing in these ranges" if several else f"no whole number from {row['least']} to {row['most']}"


def _depends(findings: Findings, own: dict[str, Best]) -> str:
    """Return the headline for lineups of which some have a fair value but none is fair for all."""
    called, lineups = labels_of(findings).of_column("lineup") or str, dict[str, list[str]]()
    for name, best in own.items():
        where = best.setting if best.is_fair else _nothing(best) if best.bad else f"perhaps {best.setting}"
        lineups.setdefault(where, []).append(called(name))
    texts = join_names(f"{where} for {join_names(names)}" for where, names in lineups.items())
    return f"What is {'on target' if findings.run.team else 'fair'} depends on who plays: {texts}."


def _wins_at_best(findings: Findings, best: Best) -> str:
    """Return the games won of 100 at the best whole numbers on fresh deals, and how many would be fair."""
    team, shares = findings.run.team, [row["share"] for row in best.rows]
    subject = f"the {side_of(findings.run).name}"
    if beyond_two(findings) and best.is_fair:
        cells = [row["cell"] for row in best.rows]
        shares = less_bias(findings.seat_shares.filter(pl.col("cell").is_in(cells)))["share"].to_list()
        subject = "every player"
    elif beyond_two(findings):
        row = max(best.rows, key=lambda check: abs(check["farthest_share"] - check["fair"]))
        subject, shares = f"the {seat_name(row['farthest'])}", [row["farthest_share"]]
    fair = f"{fair_of_100(best.rows[0]['fair'])} {'is the target' if team else 'would be fair'}"
    if not beyond_two(findings):
        low, high = min(row["low"] for row in best.rows), max(row["high"] for row in best.rows)
        fair = f"{whole(low)} to {whole(high)}; {fair}"
    return f"{subject} wins {games_of_100(*shares)} ({fair})"


def _fair_advice(findings: Findings, best: Best, depends: bool) -> str:
    now, usual = ({row["option"]: row[key] for row in best.values} for key in ("best", "usual"))
    book = labels_of(findings).book
    rest = f"({book}: {join_names(map(str, usual.values()))})"
    if depends:
        return f"Try what suits those that play like your players {rest}."
    if best.is_fair is False:
        if beyond_two(findings) and len(best.values) < findings.run.cells[0].seats - 1:
            return "Vary one option for each player but one."
        return "Try another option or a wider range."
    return f"That is as in the {book}." if now == usual else f"Try {labels_of(findings).setting(now)} {rest}."


def _doubts(findings: Findings) -> Iterator[str]:
    """Yield the lineups whose fair values differ beyond luck, and those whose curve fits badly."""
    called, search = labels_of(findings).of_column("lineup") or str, findings.run.search
    if differing := dict.fromkeys(name for pair in search.differing_lineups for name in pair):
        names = join_names(map(called, differing))
        yield f"Players disagree on the value ({names}). Trust the player closest to your audience."
    if search.unfit:
        names = join_names(map(called, search.unfit))
        yield f"Straight lines fit badly ({names}): trust the check more than the value and its interval."


def search_sentence(run: Run) -> str:
    """Return the ranges, settings and method of a search; empty for other runs."""
    if run.kind != "fair":
        return ""
    options, labels, points = run.search.vary, Labels(run), run.search.points
    ranges = join_names(
        f"{labels.option(name)} from {low} to {high}" for name, (low, high) in options.items()
    )
    settings = {tuple(dict(point)[name] for name in options) for point in points}
    stages = counted(len({point.look for point in points}), "look")
    played = f"{counted(len(settings), 'setting')} in {stages}, each on deals of its own"
    return f"{ranges}; {played}"


def caution_about_players(run: Run) -> str:
    """Return a caution about a single lineup where the project has other strategies for the game."""
    played, game = lineups(run), registry.game(run.experiment.game)
    names = {RANDOM, *(named.name for cell in run.cells for named in cell.lineup)}
    own = [name for name, strategy in registry.scripted(game).items() if strategy.game and name not in names]
    if len(played) > 1 or not own:
        return ""
    tables = [*played, *([name] * run.cells[0].seats for name in own[:MAX_OTHERS])]
    ranges = [f"{name}={low}:{high}" for name, (low, high) in run.search.vary.items()]
    words = [word for text in ranges for word in ("--vary", text)]
    words += [*game_words(run, tables), "--margin", f"{run.experiment.margin:g}", *target_words(run)]
    command = command_again(run, "fair", run.experiment.game, *words)
    return f"one lineup was asked; other strategies of this project ({len(own)}) may disagree: {command}"
