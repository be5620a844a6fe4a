"""Certainty of an answer and cautions about it."""

import polars as pl

from simkit.analysis import Findings, axes
from simkit.analysis.seats import nobody_wins
from simkit.analysis.shape import game_lengths
from simkit.engine.components import reconstructed_tables
from simkit.engine.strategy import PERSON
from simkit.reporting.text.confirmed import recommended_settings
from simkit.reporting.text.failed_games import failures
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.ladder import skill_sentence
from simkit.reporting.text.numbers import ends, in_words, percent, whole
from simkit.reporting.text.perspective import label_rows, side_of
from simkit.reporting.text.phrases import TableRow, join_names
from simkit.reporting.text.verdict_counts import of_each_case
from simkit.runs.folder import Run
from simkit.stats.verdicts import GOOD, NOT_EQUAL, NOT_SETTLED

ONLY_UNEQUAL = "NOT EQUAL: the seats surely differ, but not surely by more than the margin."
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
    count = findings.rungs.height if run.kind == "ladder" else own
    programs = "one computer player" if count == 1 else f"{in_words(count)} computer players"
    kin = max(map(len, labels_of(findings).kin()), default=0)
    of_one = "both" if kin == count == 2 else f"{in_words(kin)} of them"
    related = f", {of_one} versions of one program" if kin else ""
    besides = "" if run.kind == "ladder" or findings.rungs.is_empty() else " but those of the ladder"
    texts = [f"How people play: all games{besides} were played by {programs}{related}."]
    if PERSON.name in run.words.strategies:
        texts = ["How other people play: one seat was a person's, whose skill and habits are in the numbers."]
    if names := reconstructed_tables(run.words.provenance):
        texts.append(f"What rests on reconstructed data: {join_names(names)}.")
    searching = any(words.searches for words in run.words.strategies.values())
    if not searching and not findings.rungs.width and max_decisions(findings):
        ladder = f"simkit ladder {run.experiment.game}"
        texts.append(f"What better players make of it: none of these searches ({ladder} tries some that do).")
    if skill := skill_sentence(findings, is_open=True):
        texts.append(f"What better players make of it. {skill}")
    swept = [axis for axis in axes(run) if len(axis.options) == 1 and axis.whole_numbers]
    for axis in swept[:1]:
        ends = f"from {min(axis.values)[0]} to {max(axis.values)[0]}"
        texts.append(f"Anything outside the range tried: {labels_of(findings).axis(axis)} {ends}.")
    if not run.experiment.trace and not run.team:
        texts.append("When the lead changes: that was not recorded (--trace 300 records it).")
    return texts


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
    differ = named and findings.first_player_advantage.filter(contradicted).height > 0
    notes = {grounds(findings.run): differ, ONLY_UNEQUAL: NOT_EQUAL in sentences}
    return " ".join([text, *(note for note in notes if notes[note])])


def max_decisions(findings: Findings) -> int:
    """Return the most decisions of a game."""
    return int(game_lengths(findings).filter(measure="decisions")["value"].max())  # type: ignore[arg-type]


def warnings(findings: Findings) -> list[str]:
    """Return cautions: failed games, lineups that disagree, unrotated lineups, games without a winner."""
    unrotated = ""
    if not findings.cells["balanced"].all():
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
    side, first = side_of(findings.run), findings.first_player_advantage
    if first["setting"].n_unique() < 2 or not findings.run.judged or recommended_settings(findings):
        return ""
    fair = first.group_by("setting").agg((pl.col("verdict") == side.verdicts[0]).all())
    differences = findings.lineups_apart if not fair["verdict"].any() else pl.DataFrame()
    if differences.is_empty() or (differences["p_adjusted"] >= SURE).all():
        return ""
    names = labels_of(findings).settings(list(dict.fromkeys(findings.nearest["setting"])))
    depends = f"What comes nearest to {side.aim} depends on who plays ({names})."
    return f"{depends} Trust the computer player closest to your audience."


def _other_first_movers(findings: Findings) -> str:
    """Return a caution where another seat than the first makes the first move."""
    if findings.run.team or not findings.first_movers.height:
        return ""
    row = label_rows(findings, findings.first_movers.sort("moved", descending=True, maintain_order=True))[0]
    where = f" at {row['setting']}" if row["setting"] else ""
    moved = f"with {row['lineup']}{where} somebody else made it in {percent(row['moved'])} of the games"
    return f"The first player, whom the shares are about, does not always make the first move: {moved}."
