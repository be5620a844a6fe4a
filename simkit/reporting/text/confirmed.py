"""Sentences about the check on fresh deals: what is recommended, what did not hold, what is not known yet."""

from collections.abc import Callable, Iterator

from simkit.analysis import Findings
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.ladder import settings_of_agreement
from simkit.reporting.text.numbers import distance, games_of_100, roughly
from simkit.reporting.text.perspective import TEAM, Side, label_rows, players, side_of
from simkit.reporting.text.phrases import TableRow, join_names, with_all
from simkit.reporting.text.verdict_counts import holds
from simkit.stats.verdicts import BORDERLINE, FAULTY, GOOD, INNER, NOT_SETTLED, OFF, OUTER

Called = Callable[[list[str]], str]  # noun phrase for settings


def recommended_settings(findings: Findings) -> list[str]:
    """Return the settings that held on fresh deals and with which a ladder agrees, in the given order."""
    return settings_of_agreement(findings, settings_that_held(findings))


def settings_that_held(findings: Findings) -> list[str]:
    """Return the settings that held on fresh deals, in the order of the experiment."""
    settings = _by_setting(findings.confirmed.rows(named=True))
    return [setting for setting, cases in settings.items() if holds(cases)]


def check_answer(findings: Findings) -> str:
    """Return what the check on fresh deals of a run says; empty without a check."""
    good, called, run = recommended_settings(findings), labels_of(findings).settings, findings.run
    disputed = [setting for setting in settings_that_held(findings) if setting not in good]
    if disputed and not good:
        return not_agreed(findings, disputed)
    rows = [row for row in label_rows(findings, findings.confirmed) if row["setting"] not in disputed]
    sentences = check_sentences(rows, called, players(findings), side_of(run), run.experiment.margin)
    return " ".join(sentences) if rows else ""


def not_agreed(findings: Findings, disputed: list[str]) -> str:
    """Return why no setting is recommended: a ladder disagrees with all that held."""
    names, right = labels_of(findings).settings(disputed), "on target" if findings.run.team else "fair"
    between = f"{names} would be {right} between these players"
    return f"No value is recommended: {between}, but the strongest players of the ladder disagree."


def check_sentences(
    rows: list[TableRow], called: Called, lineups: str, side: Side, margin: float
) -> Iterator[str]:
    """Yield the recommendation with what is certain of it; else what is known, settings still open first."""
    settings = _by_setting(rows)
    good = [setting for setting, cases in settings.items() if holds(cases)]
    if good:
        cases = [row for setting in good for row in settings[setting]]
        bound = distance(margin if all(row["verdict"] in GOOD for row in cases) else OUTER * margin)
        everybody = with_all(len({row["lineup"] for row in cases}), lineups)
        certain = f"certainly within {bound} of {side.aim}{everybody}"
        yield f"Recommended: {called(good)}. On fresh deals {_wins_on_fresh_deals(cases, side)}, {certain}."
        return
    texts = {name: _not_good(called([name]), cases, side, margin) for name, cases in settings.items()}
    verdicts = {setting: {row["verdict"] for row in cases} for setting, cases in settings.items()}
    still_open = [text for setting, text in texts.items() if not verdicts[setting] & {*OFF, FAULTY}]
    yield from still_open or texts.values()


def _by_setting(rows: list[TableRow]) -> dict[str, list[TableRow]]:
    settings = dict[str, list[TableRow]]()
    for row in rows:
        settings.setdefault(row["setting"], []).append(row)
    return settings


def _wins_on_fresh_deals(cases: list[TableRow], side: Side) -> str:
    """Return the games won of 100; for three and more players the largest distance from fair."""
    if max(row["seats"] for row in cases) == 2 or side == TEAM:
        return f"the {side.name} wins {games_of_100(*(row['share'] for row in cases))}"
    return f"no player is more than {distance(_farthest(cases))} off fair"


def _farthest(cases: list[TableRow]) -> float:
    return round(max(abs(float(row["farthest_share"] - row["fair"])) for row in cases), 3)


def _not_good(setting: str, cases: list[TableRow], side: Side, margin: float) -> str:
    """Return why a setting is not recommended: off with some lineup, not known yet, or borderline."""
    right = "on target" if side == TEAM else "fair"
    verdicts = [row["verdict"] for row in cases]
    if FAULTY in verdicts:
        return f"Too many games failed to say whether {setting} is {right}."
    off = [kind for kind in OFF if kind in verdicts]
    if not off and NOT_SETTLED in verdicts:
        needed = [row["more_games"] for row in cases if row["verdict"] == NOT_SETTLED]
        more = "more games" if None in needed else f"about {roughly(sum(needed))} more games"
        whom = _lineups_suffix(cases, NOT_SETTLED)
        return f"Whether {setting} is {right}{whom} is not known yet: {more} would settle it."
    kinds = off or [BORDERLINE]
    of_kinds = [row for row in cases if row["verdict"] in kinds]
    by_seat = max(row["seats"] for row in cases) == 2 or side == TEAM
    size = (
        _wins_on_fresh_deals(of_kinds, side)
        if by_seat
        else f"a player is {distance(_farthest(of_kinds))} off fair"
    )
    games = f"{'up to ' if len(of_kinds) > 1 else ''}{max(row['games'] for row in of_kinds):,} games"
    is_so = join_names(f"{kind}{_lineups_suffix(cases, kind)}" for kind in kinds)
    borderline = f"{100 * INNER * margin:g} to {distance(OUTER * margin)}"
    how_far = f"more than {distance(margin)}" if off else borderline
    why_not = f"surely {how_far} off, so it is not recommended"
    return f"On fresh deals {setting} is {is_so}, {why_not}: {size} ({games})."


def _lineups_suffix(cases: list[TableRow], verdict: str) -> str:
    """Return the lineups with this verdict, as a suffix; empty for a single case."""
    lineups = join_names(row["lineup"] for row in cases if row["verdict"] == verdict)
    return f" with {lineups}" if len(cases) > 1 else ""
