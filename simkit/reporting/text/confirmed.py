"""Sentences about the check on fresh deals: what is recommended, what did not hold, what is not known yet."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from simkit.analysis import Findings
from simkit.analysis.confirmed import GOOD, OFF
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import named, players, side_of
from simkit.reporting.text.phrases import Row, distance, games_of_100, in_words, listed, roughly
from simkit.stats.verdicts import BORDERLINE, FAULTY, NOT_SETTLED


class Names(NamedTuple):
    """What readers call the settings, the several lineups, the side whose share is shown, and its aim."""

    settings: Any  # function of settings to a noun phrase
    lineups: str
    side: str
    right: str  # fair, or on target


def recommended(findings: Findings) -> list[str]:
    """Return the settings that held on fresh deals, in the order of the experiment."""
    rows = findings.confirmed.rows(named=True)
    return [setting for setting, cases in _by_setting(rows).items() if holds(cases)]


def holds(cases: list[Row]) -> bool:
    """Return whether a setting is FAIR or BORDERLINE with every lineup, and FAIR with one.

    >>> holds([{"verdict": "FAIR"}, {"verdict": "BORDERLINE"}]), holds([{"verdict": "BORDERLINE"}])
    (True, False)
    """
    verdicts = {row["verdict"] for row in cases}
    return verdicts <= {*GOOD, BORDERLINE} and bool(verdicts & set(GOOD))


def check_said(findings: Findings) -> str:
    """Return what the check on fresh deals of a run says; empty without a check."""
    if not findings.confirmed.width:
        return ""
    labels, side = labels_of(findings), side_of(findings.run)
    right = "on target" if findings.run.team else "fair"
    return " ".join(
        check_sentences(
            named(findings, findings.confirmed), Names(labels.settings, players(findings), side.name, right)
        )
    )


def check_sentences(rows: list[Row], names: Names) -> Iterator[str]:
    """Yield the recommendation, then a sentence for each setting that is not recommended."""
    settings = _by_setting(rows)
    good = [setting for setting, cases in settings.items() if holds(cases)]
    if good:
        cases = [row for setting in good for row in settings[setting]]
        won = f"{_wins(cases, names)}{_with(cases, names)}"
        yield f"Recommended: {names.settings(good)}. On fresh deals {won}."
    else:
        yield f"On fresh deals no setting is known to be {names.right}{_with(rows, names)}."
    for setting, cases in settings.items():
        if setting not in good:
            yield _not_good(names.settings([setting]), cases, names)


def _by_setting(rows: list[Row]) -> dict[str, list[Row]]:
    settings = dict[str, list[Row]]()
    for row in rows:
        settings.setdefault(row["setting"], []).append(row)
    return settings


def _wins(cases: list[Row], names: Names) -> str:
    """Return the games won of 100; for three and more players the largest distance from fair."""
    if max(row["seats"] for row in cases) == 2 or names.side == "team":
        return f"the {names.side} wins {games_of_100(*(row['share'] for row in cases))}"
    off = max(abs(row["farthest_share"] - row["fair"]) for row in cases)
    return f"no player is more than {distance(round(off, 3))} off fair"


def _with(cases: list[Row], names: Names) -> str:
    """Return "with both … lineups", and how many are borderline."""
    lineups = len({row["lineup"] for row in cases})
    if lineups == 1:
        return ""
    edge = sum(row["verdict"] == BORDERLINE for row in cases)
    borderline = f" ({in_words(edge)} borderline)" if edge and holds(cases) else ""
    return f" with {'both' if lineups == 2 else f'all {in_words(lineups)}'} {names.lineups}{borderline}"


def _not_good(setting: str, cases: list[Row], names: Names) -> str:
    """Return why a setting is not recommended: off with some lineup, borderline, or open."""
    lineups = len(cases)
    off = [row["lineup"] for row in cases if row["verdict"] in OFF]
    if off:
        kind = next(row["verdict"] for row in cases if row["verdict"] in OFF)
        with_whom = f" with {listed(off)}" if lineups > 1 else ""
        return f"Not recommended: {setting}, which is {kind}{with_whom} on fresh deals."
    if {row["verdict"] for row in cases} == {BORDERLINE}:
        every = " with every lineup" if lineups > 1 else ""
        return f"Not recommended: {setting}, which is BORDERLINE{every} on fresh deals."
    if any(row["verdict"] == FAULTY for row in cases):
        return f"Too many games failed to say whether {setting} is {names.right}."
    open_cases = [row for row in cases if row["verdict"] == NOT_SETTLED]
    with_whom = f" with {listed(row['lineup'] for row in open_cases)}" if lineups > 1 else ""
    needed = [row["more_games"] for row in open_cases]
    more = "more games" if None in needed else f"about {roughly(sum(needed))} more games"
    return f"Whether {setting} is {names.right}{with_whom} is not known yet: {more} would settle it."
