"""Sentences about a search for a fair value: the value, the check on fresh deals, the doubts."""

from collections import Counter
from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.fairness import POOLED
from simkit.reporting.text.best_values import Best, best_of_all, own_bests, verdicts_said
from simkit.reporting.text.confidence import sureness
from simkit.reporting.text.failed_games import failures
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import TEAM, beyond_two, side_of
from simkit.reporting.text.phrases import (
    Row,
    Summary,
    distance,
    games_of_100,
    interval_words,
    listed,
    number,
    seat_name,
    whole,
)
from simkit.reporting.text.search_path import unplayed
from simkit.stats.verdicts import OFF

BETWEEN = "between whole numbers the value is where the straight line from one share to the next is fair"


def fair_answer(findings: Findings) -> Summary:
    """Return whether there is a fair value, how certain it is, and the results on fresh deals."""
    best, own = best_of_all(findings), own_bests(findings)
    checks = [row for best_own in own.values() for row in best_own.rows] or best.rows
    rows = labels_of(findings).named(pl.DataFrame(checks, infer_schema_length=None)).rows(named=True)
    has_value = any(row["value"] is not None for row in best.values)
    sure = sureness(findings, rows) + ([BETWEEN] if has_value else []) + unplayed(findings)
    headline = (
        _depends(findings, own)
        if own
        else (_single_option if len(best.values) == 1 else _several_options)(findings, best)
    )
    doubts = [*failures(findings), *_doubts(findings)]
    return Summary(headline, _advice(findings, best, bool(own)), sure, doubts)


def other_players(count: int, command: str) -> str:
    """Return that the fair value may be another one for other strategies, and the command that asks them.

    >>> other_players(3, "simkit fair pig ...")
    'one lineup was asked; 3 other strategies of this project may disagree: simkit fair pig ...'
    >>> other_players(1, "simkit fair pig ...")
    'one lineup was asked; another strategy of this project may disagree: simkit fair pig ...'
    """
    others = "another strategy" if count == 1 else f"{count} other strategies"
    return f"one lineup was asked; {others} of this project may disagree: {command}"


def value_words(value: float) -> str:
    """Return a fair value with one decimal; a zero decimal is dropped.

    >>> value_words(20.04), value_words(20.46)
    ('20', '20.5')
    """
    return number(value).removesuffix(".0")


def _single_option(findings: Findings, best: Best) -> str:
    """Return the fair value of a single option, or that there is none."""
    (row,) = best.values
    values_tried, right = _range(row), _right(findings)
    if row["value"] is None:
        if best.good:
            within = f"within {distance(findings.run.experiment.margin)}, the best {values_tried}"
            return f"{best.setting} is {right} {within}: {_then(findings, best)}."
        certainty = "" if best.bad else "known to be "
        return f"No value {values_tried} is {certainty}{right}: nearest is {_nearest(findings, best)}."
    value, sure = value_words(row["value"]), f"({interval_words(row['low'], row['high'])})"
    about = f"About {value}"
    if best.good:
        on_check = (
            _then(findings, best) if value == best.setting else f"{best.there} {_then(findings, best, '')}"
        )
        return f"{about} is {right} {sure}: {on_check}."
    if not best.bad:
        seems = f"is nearest to {side_of(findings.run).aim}" if best.kinds & set(OFF) else f"looks {right}"
        return f"{about} {seems} {sure}: {_doubted(findings, best)}."
    if beyond_two(findings):
        first = f"{about} gives the {seat_name(0)} a fair share {sure}"
        return f"{first}, yet no value {values_tried} is fair to all: {best.there} {_farthest(best)}."
    return f"No whole number {values_tried} is {right}: nearest is {_nearest(findings, best)}."


def _several_options(findings: Findings, best: Best) -> str:
    if best.good:
        return f"Fair is {best.setting}: {_then(findings, best)}."
    if best.bad:
        return f"No values in these ranges are fair: nearest is {best.setting}, where {_farthest(best)}."
    return f"Nearest to fair is {best.setting}: {_doubted(findings, best)}."


def _depends(findings: Findings, own: dict[str, Best]) -> str:
    """Return the headline for lineups of which some have a fair value but none is fair for all."""
    called, lineups = labels_of(findings).of_column("lineup") or str, dict[str, list[str]]()
    for name, best in own.items():
        where = best.setting if best.good else _none(best) if best.bad else f"perhaps {best.setting}"
        lineups.setdefault(where, []).append(called(name))
    texts = listed(f"{where} for {listed(names)}" for where, names in lineups.items())
    return f"What is {_right(findings)} depends on who plays: {texts}."


def _none(best: Best) -> str:
    """Return the noun phrase for "no value is fair"."""
    row = best.values[0]
    return f"no whole number {_range(row)}" if len(best.values) == 1 else "none in these ranges"


def _range(row: Row) -> str:
    return f"from {row['least']} to {row['most']}"


def _right(findings: Findings) -> str:
    return "on target" if findings.run.team else "fair"


def _then(findings: Findings, best: Best, then: str = "then ") -> str:
    """Return the games won of 100 at the best whole numbers on fresh deals."""
    if not beyond_two(findings):
        games = games_of_100(*(row["share"] for row in best.rows))
        return f"the {side_of(findings.run).name} {then}wins {games}"
    cells = [row["cell"] for row in best.rows]
    shares = findings.seat_shares.filter(pl.col("cell").is_in(cells))["share"]
    return f"every player {then}wins {games_of_100(*shares)}"


def _nearest(findings: Findings, best: Best) -> str:
    wins = _farthest(best) if beyond_two(findings) else _then(findings, best, "")
    return f"{best.setting}, where {wins}{_off(findings, best)}"


def _off(findings: Findings, best: Best) -> str:
    """Return the distance from fair; empty for three and more players, whose sentence has the fair share."""
    if beyond_two(findings):
        return ""
    off, aim = [row["share"] - row["fair"] for row in best.rows], side_of(findings.run).aim
    if len(off) > 1:
        return f", up to {whole(max(map(abs, off)))} from {aim}"
    return f", {whole(abs(off[0]))} {'above' if off[0] > 0 else 'below'} {aim}"


def _doubted(findings: Findings, best: Best) -> str:
    return f"{best.there} {_then(findings, best, '')} on fresh deals ({verdicts_said(findings, best)})"


def _farthest(best: Best) -> str:
    row = max(best.rows, key=lambda check: abs(check["farthest_share"] - check["fair"]))
    fair = f"{whole(row['fair'])} would be fair"
    return f"the {seat_name(row['farthest'])} wins {games_of_100(row['farthest_share'])} ({fair})"


def _advice(findings: Findings, best: Best, depends: bool) -> str:
    now, usual = ({row["option"]: row[key] for row in best.values} for key in ("best", "usual"))
    book = labels_of(findings).book
    rest = f"the {book} {'has' if book == 'rulebook' else 'have'} {listed(map(str, usual.values()))}"
    if depends:
        return f"Try what is {_right(findings)} for those that play like your players; {rest}."
    if best.bad:
        more = (
            "Vary one option for each player but one" if _could_vary(findings, best) else "Try another option"
        )
        wider = ", or a wider range" if all(row["value"] is None for row in best.values) else ""
        return f"{more}{wider}."
    if best.good and now == usual:
        return f"That is as in the {book}: it needs no change."
    return (
        f"Try {labels_of(findings).setting(now)}; {rest}." if now != usual else f"That is as in the {book}."
    )


def _could_vary(findings: Findings, best: Best) -> bool:
    return beyond_two(findings) and len(best.values) < findings.run.cells[0].seats - 1


def _doubts(findings: Findings) -> Iterator[str]:
    called, search = labels_of(findings).of_column("lineup") or str, findings.run.search
    values = findings.fair_values.filter(pl.col("lineup") != POOLED)
    without = values.filter(pl.col("value").is_null())["lineup"].unique(maintain_order=True).to_list()
    named = [
        [f"{called(name)} ({_value(findings, name)})" for name in pair] for pair in search.differing_lineups
    ]
    pairs = list(map(" and ".join, named))
    if 0 < len(without) < values["lineup"].n_unique():
        pairs += [f"{called(name)} (none in the range)" for name in without]
    if pairs:
        noun = "value on target" if side_of(findings.run) == TEAM else "fair value"
        whom = "Trust the player closest to your audience."
        yield f"Players disagree on the {noun}: {'; '.join(pairs)}. {whom}"
    if search.unfit:
        names = listed(map(called, search.unfit))
        yield f"Straight lines fit badly ({names}): trust the check more than the value and its interval."


def _value(findings: Findings, lineup: str) -> str:
    return " / ".join(map(number, findings.fair_values.filter(lineup=lineup)["value"].drop_nulls()))


def title(findings: Findings) -> str:
    """Return a heading that summarizes the search."""
    best, right, own = best_of_all(findings), _right(findings), own_bests(findings)
    if own:
        return f"What is {right} depends on who plays: {_for_whom(findings, own)}"
    if best.bad:
        none = _none(best)
        return f"{none[0].upper()}{none[1:]} is {right}"
    if best.good:
        return f"{best.setting} is {right}, on fresh deals too"
    return f"Nearest to {side_of(findings.run).aim}: {best.setting}"


def _for_whom(findings: Findings, own: dict[str, Best]) -> str:
    """Return the values that are fair for some lineups; a single value with its lineups."""
    called = labels_of(findings).of_column("lineup") or str
    good = {name: best.setting for name, best in own.items() if best.good}
    values = dict.fromkeys(good.values())
    return listed(values, "or") if len(values) > 1 else f"{''.join(values)} for {listed(map(called, good))}"


def seats_said(findings: Findings) -> str:
    """Return the seats that gain and lose most at the best values of all lineups together."""
    best = best_of_all(findings)
    if best.good:
        return f"Every player is within {distance(findings.run.experiment.margin)} of fair"
    cells, off = [row["cell"] for row in best.rows], (pl.col("share") - pl.col("fair")).mean()
    means = findings.seat_shares.filter(pl.col("cell").is_in(cells)).group_by("seat").agg(off=off).sort("off")
    (last, low), (first, high) = means.row(0), means.row(-1)
    if {whole(high), whole(-low)} == {"0"}:
        return "Every player wins about as often as is fair"
    gains = f"The {seat_name(first)} wins {whole(high)} points more than fair"
    return f"{gains}, the {seat_name(last)} {whole(-low)} less"


def checked_said(findings: Findings) -> str:
    """Count the verdicts of the check on fresh deals."""
    checked, side = findings.first_player_advantage, side_of(findings.run)
    counts = Counter(checked["verdict"].to_list())
    if len(counts) == 1:
        return f"On fresh deals: {checked['verdict'][0]}{' in every case' if checked.height > 1 else ''}"
    parts = ", ".join(f"{counts[kind]} {kind}" for kind in side.verdicts if counts[kind])
    return f"On fresh deals, of {checked.height} cases: {parts}"
