"""How far to trust an answer: failed games, the check on fresh deals, certainty, cautions, limits."""

from collections.abc import Callable, Iterator

import polars as pl

from simkit.engine.components import reconstructed_tables
from simkit.engine.strategy import PERSON
from simkit.page.advice import recommended_settings, settings_that_held
from simkit.page.words.commands import command_again
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import (
    TableRow,
    distance,
    ends,
    fair_of_100,
    games_of_100,
    in_words,
    join_names,
    percent,
    prose,
    quoted,
    roughly,
    seat_name,
    whole,
    with_all,
)
from simkit.page.words.skill import KINDS, agreement_words
from simkit.page.words.verdicts import (
    FIRST_SEAT,
    TEAM,
    Side,
    holds,
    label_rows,
    of_each_case,
    players,
    side_of,
)
from simkit.runs.folder import Run
from simkit.stats.verdicts import BORDERLINE, FAULTY, GOOD, INNER, NOT_EQUAL, NOT_SETTLED, OFF, OUTER
from simkit.tables.compare import comparisons
from simkit.tables.fairness import confirmed, lineups_apart, nearest
from simkit.tables.findings import Findings, axes, cells, fault_kinds, open_findings
from simkit.tables.length import game_lengths
from simkit.tables.luck import beginner_findings
from simkit.tables.rungs import LADDER_FOLDER, deciding_rows, rung_answers, rungs
from simkit.tables.seats import first_movers, first_player_advantage, nobody_wins
from simkit.tables.teams import mixed_teams, team_strategies

MAX_FAULTS_NAMED = 3  # faults


def failures(findings: Findings) -> list[str]:
    """Return warnings about failed games of a run that keeps going, and of the runs inside its folder."""
    run = findings.run
    if not run.experiment.keep_going:
        return []
    runs, beginner_games = [(findings, "games")], findings.cached(beginner_findings)
    runs += [(beginner_games, "games with a player who errs")] if beginner_games else []
    runs += [(open_findings(stage), f"games of the {stage.name} look") for stage in run.search_runs]
    return [warning for run_findings, games in runs for warning in _warning(run_findings, games)]


def _warning(findings: Findings, games: str) -> Iterator[str]:
    kinds = fault_kinds(findings)
    if kinds.is_empty():
        return
    failed, total = kinds["games"].sum(), sum(cell.plays for cell in findings.run.cells)
    faults = [_fault(row) for row in kinds.head(MAX_FAULTS_NAMED).iter_rows(named=True)]
    rest = kinds["games"][MAX_FAULTS_NAMED:].sum()
    faults += [f"{rest:,} by other faults"] if rest else []
    lost = "the team" if findings.run.team else "the seat whose strategy failed (by all, where the rules did)"
    command = command_again(findings.run, "replay", findings.run.place, str(kinds["play"][0]))
    yield prose(f"""{failed:,} of {total:,} {games} failed. They count as lost by {lost}, with the turns and
        scores up to there: {"; ".join(faults)}. To replay it up to there: {command}""")


def _fault(row: TableRow) -> str:
    """Return the number of games with a fault, and its first occurrence."""
    line = f" ({row['fault_line']})" if row["fault_line"] else ""
    seat = "" if row["fault_seat"] is None else f", seat {row['fault_seat']}"
    place = f"first in play {row['play']} (deal {row['deal']}{seat})"
    return f"{row['games']:,}, {place}: {row['fault']}{line}"


# The check on fresh deals: what is recommended, what did not hold, what is open

Called = Callable[[list[str]], str]  # noun phrase for settings


def check_answer(findings: Findings) -> str:
    """Return what the check on fresh deals of a run says; empty without a check."""
    good, called, run = recommended_settings(findings), labels_of(findings).settings, findings.run
    disputed = [setting for setting in settings_that_held(findings) if setting not in good]
    if disputed and not good:
        return disagreement(findings, disputed)
    rows = [row for row in label_rows(findings, confirmed(findings)) if row["setting"] not in disputed]
    sentences = check_sentences(rows, called, players(findings), side_of(run), run.experiment.margin)
    agreed = [agreement_words(findings)] if good else []
    return " ".join(filter(None, [*sentences, *agreed])) if rows else ""


def disagreement(findings: Findings, disputed: list[str]) -> str:
    """Return why no setting is recommended: a ladder disagrees, or is not sure, about all that held."""
    called, right = labels_of(findings).settings, "on target" if findings.run.team else "fair"
    rows, texts = deciding_rows(rung_answers(findings).rows(named=True)), list[str]()
    unfair = {row["setting"] for row in rows if row["verdict"] in OFF}
    if off := [setting for setting in disputed if setting in unfair]:
        texts.append(f"{called(off)} would be {right} between these players, but not between the strongest")
    if unsettled := [setting for setting in disputed if setting not in unfair]:
        texts.append(f"whether the strongest players find {called(unsettled)} {right} is not settled")
    return f"No value is recommended: {'; '.join(texts)}."


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
    if max(row["seats"] for row in cases) == 2 or side != FIRST_SEAT:
        return f"the {side.name} wins {games_of_100(*(row['share'] for row in cases))}"
    return f"no player is more than {distance(_farthest(cases))} off fair"


def _farthest(cases: list[TableRow]) -> float:
    return round(max(abs(float(row["farthest_share"] - row["fair"])) for row in cases), 3)


def _farthest_wins(cases: list[TableRow]) -> str:
    """Return what the player farthest from fair wins."""
    row = max(cases, key=lambda row: abs(row["farthest_share"] - row["fair"]))
    wins = games_of_100(row["farthest_share"])
    return f"the {seat_name(row['farthest'])} wins {wins}, where {fair_of_100(row['fair'])} would be fair"


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
    by_seat = max(row["seats"] for row in cases) == 2 or side != FIRST_SEAT
    size = _wins_on_fresh_deals(of_kinds, side) if by_seat else _farthest_wins(of_kinds)
    games = f"{'up to ' if len(of_kinds) > 1 else ''}{max(row['games'] for row in of_kinds):,} games"
    is_so = join_names(f"{kind}{_lineups_suffix(cases, kind)}" for kind in kinds)
    borderline = f"{100 * INNER * margin:g} to {distance(OUTER * margin)}"
    how_far = f"more than {distance(margin)}" if off else borderline
    why_not = f"surely {how_far} off, so it is not recommended"
    return f"On fresh deals {setting} is {is_so}, {why_not}: {size} ({games})."


def _lineups_suffix(cases: list[TableRow], verdict: str) -> str:
    """Return the lineups with this verdict, as a suffix; empty for a single case."""
    names = (row["lineup"] for row in cases if row["verdict"] == verdict)
    lineups = join_names(quoted(name) if ", " in name else name for name in names)
    return f" with {lineups}" if len(cases) > 1 else ""


# Certainty of an answer and cautions about it.

ONLY_UNEQUAL = "NOT EQUAL: the share is surely not the fair one, but not surely off by more than the margin."
SURE = 0.05  # adjusted p-value below which a difference is stated as fact


def grounds(run: Run) -> str:
    """Return a note on the intervals that verdicts rest on: in a run that stops by itself those shown."""
    if run.experiment.adaptive:
        return "Verdicts rest on the intervals beside them, which hold at every look."
    return "Verdicts rest on wider intervals (“surely” in the tables), which hold at every look."


def sureness(findings: Findings, looked: list[TableRow]) -> list[str]:
    """Return notes on certainty: the widest interval, and how a run stopped."""
    half = max((row["high"] - row["low"]) / 2 for row in looked)
    games = ends(*(f"{limit(row['games'] for row in looked):,}" for limit in (min, max)))
    noise = f"±{whole(half)} in 100" if half >= 0.005 else "± less than 1 in 100"
    stopped = "it stopped by itself, so intervals of shares and scores hold at every look"
    size = "1 game" if games == "1" else f"{games} games"
    return [f"{noise} by luck ({size} each)", *([stopped] if findings.run.experiment.adaptive else [])]


def limits(findings: Findings) -> list[str]:
    """Return what a run cannot tell, the most important first."""
    run = findings.run
    own = len({label for cell in run.cells for label in cell.labels})
    count = rungs(findings).height if run.kind == "ladder" else own
    programs = "one computer player" if count == 1 else f"{in_words(count)} computer players"
    kin = max(map(len, labels_of(findings).kin()), default=0)
    of_one = "both" if kin == count == 2 else f"{in_words(kin)} of them"
    related = f", {of_one} versions of one program" if kin else ""
    besides = "" if run.kind == "ladder" or rungs(findings).is_empty() else " but those of the ladder"
    texts = [f"How people play: all games{besides} were played by {programs}{related}."]
    if PERSON.name in run.words.strategies:
        texts = ["How other people play: one seat was a person's, whose skill and habits are in the numbers."]
    if names := reconstructed_tables(run.words.provenance):
        texts.append(f"What rests on reconstructed data: {join_names(names)}.")
    if (kind := _only_family(findings)) and max_decisions(findings):
        played = run.kind == "ladder" or LADDER_FOLDER in run.manifest.outstanding
        some = "" if played else f" (simkit ladder {run.experiment.game} plays some)"
        texts.append(f"What players other than {kind} ones make of it{some}.")
    texts += [f"How a player trained for these rules would play ({note})." for note in run.manifest.notes]
    swept = [axis for axis in axes(run) if len(axis.options) == 1 and axis.whole_numbers]
    for axis in swept[:1]:
        settings = run.answer.tried_settings if run.answer else []
        values = [*(value for (value,) in axis.values), *(each[axis.options[0]] for each in settings)]
        ends = f"from {min(values)} to {max(values)}"
        texts.append(f"Anything outside the range tried: {labels_of(findings).axis(axis)} {ends}.")
    if not run.experiment.trace and not run.team:
        record = "" if run.kind else " (--trace 300 records it)"  # a study has no such option
        texts.append(f"When the lead changes: that was not recorded{record}.")
    return texts


def _only_family(findings: Findings) -> str:
    """Return the only kind of players in a run and its ladder; empty if there are several families."""
    if PERSON.name in findings.run.words.strategies or not findings.run.words.families:
        return ""
    families = {*findings.run.words.families.values()}
    families |= {*rungs(findings)["family"]} if rungs(findings).width else set()
    kinds = [KINDS.get(family, family) for family in families if family] or ["random"]
    return kinds[0] if len(kinds) == 1 else ""


def measurement_note(findings: Findings, sentences: str) -> str:
    """Return the games behind each number, and what intervals promise; `sentences`: of the brief."""
    games = {cell.plays for cell in findings.run.cells}
    number = f"{ends(f'{min(games):,}', f'{max(games):,}')} games{of_each_case(findings)}"
    number = f"{findings.run.games_in_all:,} games in all" if findings.run.kind else number
    always = ", which hold whenever a run stops" if findings.run.experiment.adaptive else ""
    text = f"{number}; 95 % intervals{always}."
    if not findings.run.judged or findings.run.kind not in ("", "fair"):
        return text
    is_open, good = pl.col("verdict") == NOT_SETTLED, pl.col("verdict").is_in(GOOD)
    low, high = ((pl.col(end) - pl.col("fair")) / findings.run.experiment.margin for end in ("low", "high"))
    decided = (low > 1) | (high < -1) | ((low > -1) & (high < 1))
    contradicted = (is_open & decided) | (good & ((low < -1) | (high > 1)))
    named = any(verdict in sentences for verdict in (*side_of(findings.run).verdicts, NOT_EQUAL))
    differ = named and first_player_advantage(findings).filter(contradicted).height > 0
    notes = {grounds(findings.run): differ, ONLY_UNEQUAL: NOT_EQUAL in sentences}
    return " ".join([text, *(note for note in notes if notes[note])])


def max_decisions(findings: Findings) -> int:
    """Return the most decisions of a game."""
    return int(game_lengths(findings).filter(measure="decisions")["value"].max())  # type: ignore[arg-type]


def warnings(findings: Findings) -> list[str]:
    """Return cautions: failed games, lineups that disagree, unrotated lineups, games without a winner."""
    unrotated = ""
    if not cells(findings)["balanced"].all():
        unrotated = "Lineups in which players differ were not rotated: seat and player cannot be told apart."
    texts = [*failures(findings), different_nearest(findings), unrotated]
    return list(filter(None, [*texts, _nobody_wins(findings), _other_first_movers(findings)]))


def _nobody_wins(findings: Findings) -> str:
    """Return a note on games without a winner, which lower the fair share."""
    shares = findings.cached(nobody_wins).values()
    if not shares:
        return ""
    explanation = "fair is a share of the games that somebody wins, by seats; the margin counts all games"
    return f"Nobody wins up to {percent(max(shares))} of the games of a case: {explanation}."


def different_nearest(findings: Findings) -> str:
    """Return a caution where lineups differ in their nearest setting beyond luck, and none fits all."""
    side, first = side_of(findings.run), first_player_advantage(findings)
    if first["setting"].n_unique() < 2 or not findings.run.judged or recommended_settings(findings):
        return ""
    if findings.run.manifest.outstanding:  # which may recommend a setting
        return ""
    if first["lineup"].n_unique() == first["seats"].n_unique():  # tables differ in size only
        return ""
    fair = first.group_by("setting").agg((pl.col("verdict") == side.verdicts[0]).all())
    differences = lineups_apart(findings) if not fair["verdict"].any() else pl.DataFrame()
    if differences.is_empty() or (differences["p_adjusted"] >= SURE).all():
        return ""
    names = labels_of(findings).settings(list(dict.fromkeys(nearest(findings)["setting"])))
    depends = f"What comes nearest to {side.aim} depends on who plays ({names})."
    return f"{depends} Trust the computer player closest to your audience."


def _other_first_movers(findings: Findings) -> str:
    """Return a caution where another seat than the first makes the first move."""
    if findings.run.one_share or not first_movers(findings).height:
        return ""
    row = label_rows(findings, first_movers(findings).sort("moved", descending=True, maintain_order=True))[0]
    where = f" at {row['setting']}" if row["setting"] else ""
    moved = f"with {row['lineup']}{where} somebody else made it in {percent(row['moved'])} of the games"
    return f"The first player, whom the shares are about, does not always make the first move: {moved}."


STOPPED = prose("""The cells of this run stopped by themselves. The intervals and p-values of differences are
    those of a number of deals fixed beforehand, so they are a little too sure here; confirm what matters with
    a run of fixed length and another seed.""")


def stopping_cautions(findings: Findings) -> list[str]:
    """Return a caution about p-values where cells stopped by themselves."""
    tables = comparisons(findings), team_strategies(findings), mixed_teams(findings)
    return [STOPPED] if findings.run.experiment.adaptive and any(table.height for table in tables) else []
