"""The next step after a page about fairness: the fair value between the values tried, or a verdict."""

import polars as pl

from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section, labels_of, margin
from simkit.reporting.text.answer import UNFAIR, advised_settings, in_order
from simkit.reporting.text.commands import command_again, compensations, fair_command, fresh_command
from simkit.reporting.text.confidence import max_decisions
from simkit.reporting.text.numbers import about
from simkit.reporting.text.perspective import players
from simkit.reporting.text.phrases import join_names, with_all
from simkit.reporting.text.rules import single_changes
from simkit.reporting.text.verdict_counts import NOT_SETTLED, OFF

MAX_NAMED = 12  # open settings named


def next_steps(findings: Findings) -> Section:
    """Return the step to take next, with its command."""
    steps = (_target, _verdict, _fair_value, _fresh_deals, _compensation, _better_players)
    return Section(step=next(filter(None, (step(findings) for step in steps)), None))


def _target(findings: Findings) -> Step | None:
    """Return the run that judges a team by a target, where there is none."""
    run = findings.run
    if run.judged:
        return None
    words = [f"{run.place}/experiment.toml", "--target", "0.5", "-o", f"{run.place}-judged"]
    return Step("Set a target to judge it.", command_again(run, "run", *words))


def _fair_value(findings: Findings) -> Step | None:
    """Return the search for the fair value of the only number that was swept."""
    run = findings.run
    if not (command := fair_command(run)):
        return None
    value, picked = "value on target" if run.team else "fair value", _unchecked_settings(findings)
    confirm = f"confirm {labels_of(findings).settings(picked)} and " if picked else ""
    return Step(f"On fresh deals, {confirm}find the exact {value}.", command)


def _fresh_deals(findings: Findings) -> Step | None:
    """Return the games that confirm the settings other than the baseline that look fair."""
    run, baseline = findings.run, findings.cells.filter("baseline")["setting"].to_list()
    if not (picked := [setting for setting in _unchecked_settings(findings) if setting not in baseline]):
        return None
    cells = [findings.cells.filter(setting=setting)["cell"][0] for setting in picked]
    commands = "\n".join(fresh_command(run, cell) for cell in cells)
    return Step(f"Confirm {labels_of(findings).settings(picked)} on fresh deals.", commands)


def _verdict(findings: Findings) -> Step | None:
    """Return the games that settle the answer, where no player of a ladder gives it."""
    return None if findings.rungs.width else settle(findings, findings.answered)


def settle(findings: Findings, cases: pl.DataFrame) -> Step | None:
    """Return the games that settle the open ones of some cases, or None."""
    run, checked = findings.run, findings.confirmed.rows(named=True)
    off = {row["setting"] for row in [*checked, *cases.rows(named=True)] if row["verdict"] in OFF}
    cases = cases.filter(verdict=NOT_SETTLED)
    if (needed := cases["needed"].drop_nulls()).is_empty():
        return None
    settings = [name for name in dict.fromkeys(cases["setting"]) if name not in off]
    labels = labels_of(findings)
    named = {"": "the game", labels.base: f"the {labels.base}"}
    names = [named.get(label, label) for label in map(labels.at, settings)]
    unequal = not run.team and cases.filter(pl.col("setting").is_in(settings))["unequal"].all()
    right = "on target" if run.team else f"more than {margin(findings)} off fair" if unequal else "fair"
    is_fair = f"{'is' if len(names) == 1 else 'are'} {right}"
    changes = single_changes(findings)
    unsure = dict.fromkeys(changes.filter(~pl.col("sure"))["setting"]) if changes.height else {}
    whom = with_all(cases["lineup"].n_unique(), players(findings)) if run.team else ""
    what = [f"whether {join_names(names, most=MAX_NAMED)} {is_fair}{whom}"] if names else []
    what += [f"what {join_names(map(labels.rule, unsure))} would change"] if unsure else []
    text = f"It is open {', and '.join(what)}. " if what else ""
    if run.team and names and off and off | {*settings} == {*findings.first_player_advantage["setting"]}:
        text += f"All other settings are off target{' with some team' if whom else ''}. "
    text += "Play on until there is a verdict."
    until = ["--until-verdict", "--deals", str(about(max(needed))), "-o", f"{run.place}-settled"]
    return Step(text, command_again(run, "run", f"{run.place}/experiment.toml", *until))


def _compensation(findings: Findings) -> Step | None:
    """Return the sweep of the first option that could compensate a seat where the seats are not fair."""
    commands = compensations(findings.run)
    if not commands or UNFAIR not in set(findings.answered["verdict"]):
        return None
    name, command = next(iter(commands.items()))
    return Step(f"Try to compensate one player: {labels_of(findings).option(name)}.", command)


def _better_players(findings: Findings) -> Step | None:
    """Return the ladder, which shows whether better players change the answer."""
    run = findings.run
    if findings.rungs.width or max_decisions(findings) == 0:
        return None
    return Step("See whether better players change this.", command_again(run, "ladder", run.experiment.game))


def _unchecked_settings(findings: Findings) -> list[str]:
    """Return the settings that look fair and were not played on fresh deals."""
    return [] if findings.confirmed.width else in_order(findings, advised_settings(findings))
