"""The brief of a match: the stronger strategy, its lead in Elo, and the shares by seat."""

from simkit.formatting import counted
from simkit.reporting.document import Figure, Step, Table
from simkit.reporting.pages import Findings, Section, Show, charts, figure, labels_of, table, takeaways_of
from simkit.reporting.text.commands import command_again, game_words
from simkit.reporting.text.match import games_needed, is_settled, match_answer
from simkit.reporting.text.numbers import about
from simkit.reporting.text.stamps import match_stamp

MATCH_WORDS = {
    "Normalised Elo": "347 times the lead over one half in points per game, in standard deviations of a "
    "game: it says how many games show who is stronger, whatever part of them luck decides.",
    "LLR": "log-likelihood ratio of the two differences that the test decides between: at its upper bound "
    "the greater is taken, at its lower bound the smaller.",
}


def match(findings: Findings) -> Section:
    """Return the brief."""
    summary = match_answer(findings)
    return Section(
        takeaways=takeaways_of(findings, summary, "match"),
        stamp=match_stamp(labels_of(findings).label(findings.match).row(0, named=True)),
        picture=_match_figure(findings),
        glance=_match_table(findings),
        step=_match_step(findings),
        warnings=summary.warnings,
        words=MATCH_WORDS,
    )


def _match_figure(findings: Findings) -> Figure:
    """Return the shares of each strategy in each seat."""
    parts = {"label": "strategy", "kind": "seat", "style": "seat"}
    alt, chart = "How often each strategy wins in each seat, with 95 % interval", ("match", charts.forest)
    return figure(findings, chart, findings.match_seats, alt, "", parts, aim="if all were equal")


def _match_table(findings: Findings) -> Table:
    meaning = "of all games; corrected for stopping where the test stopped"
    score = Show("wins" if findings.match["seats"][0] == 2 else "scores", "{:.1%}", meaning)
    names = "strategy score low high elo elo_low elo_high"
    return table(findings, findings.match, names, "The match", score=score)


def _match_step(findings: Findings) -> Step:
    """Return the next step: more deals where the match is open, else a game to watch."""
    run, (row,) = findings.run, findings.match.rows(named=True)
    if is_settled(row):
        return Step("Watch a game of this match.", command_again(run, "replay", run.place, "0"))
    bounds = run.experiment.until_elo
    needed = None if row["decision"] else games_needed(row)
    each = row["games"] // row["deals"]
    deals = about(needed // each) if needed else 10 * row["deals"]
    words = ["--deals", str(deals)]
    words += ["--elo0", f"{bounds[0]:g}", "--elo1", f"{bounds[1]:g}"] if bounds else []
    words += ["--normalized"] if run.experiment.normalized_elo else []
    names = row["strategy"], row["opponent"]
    command = command_again(run, "match", run.experiment.game, *names, *words, *game_words(run, []))
    return Step(f"Play on, to {deals:,} deals of {counted(each, 'game')}.", command)
