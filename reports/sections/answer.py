"""Whether a game is fair, the cases behind the answer, and the next step."""

import polars as pl

from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Figure, Section, Step
from simkit.page.document.tables import Table, with_extremes
from simkit.page.pictures import drawn_cells, figure, margin, takeaways_of, where_drawn
from simkit.page.sweeps import along, wins_grid, wins_table
from simkit.page.words.answer import advised_settings, balance_answer, in_order, near_fair
from simkit.page.words.changes import single_changes
from simkit.page.words.commands import command_again, compensations, fair_command, fresh_command
from simkit.page.words.confidence import max_decisions
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import about, capital, join_names, with_all
from simkit.page.words.stamps import answer_stamp
from simkit.page.words.verdicts import TEAM, beyond_two, players, side_of, with_not_equal
from simkit.stats.verdicts import NOT_SETTLED, OFF, UNFAIR
from simkit.tables.fairness import answered, confirmed
from simkit.tables.findings import Findings, axes, cells
from simkit.tables.rungs import rungs
from simkit.tables.seats import first_player_advantage, seat_shares


def cases(findings: Findings) -> Table:
    """Return all cells; a long table opens on the cells of the answer and of the settings nearest to fair."""
    side, rows = side_of(findings.run), with_not_equal(first_player_advantage(findings), findings.run.team)
    heads = {"share": f"{side.name} wins"} | ({"fair": "target"} if side == TEAM else {})
    fair = "fair " if side == TEAM or rows["fair"].n_unique() > 1 else ""
    farthest = "farthest farthest_share " if beyond_two(findings) else ""
    place = "setting lineup" if axes(findings.run) else "lineup"
    names = f"{place} share low high {fair}{farthest}verdict n"
    listed = table(findings, rows, names, "Every case", **heads)
    in_answer = pl.col("cell").is_in(answered(findings)["cell"].to_list())
    near = pl.col("setting").is_in(near_fair(findings) if findings.run.judged else [])
    order = pl.when(in_answer).then(2).when(near).then(1).otherwise(0)
    return with_extremes(listed, rows, order, "those of the answer first")


def answer(findings: Findings) -> Section:
    """Return the takeaways, the picture, the cases behind them and the warnings of the brief."""
    summary = findings.cached(balance_answer)
    judged = findings.run.judged
    return Section(
        takeaways=takeaways_of(findings, summary, "first_player_advantage"),
        stamp=answer_stamp(findings),
        picture=(findings.cached(along) or [_seats_figure(findings)])[0] if judged else wins_grid(findings),
        glance=cases(findings) if judged else wins_table(findings),
        warnings=summary.warnings,
    )


def _seats_figure(findings: Findings) -> Figure:
    """Return the share of the team or the first of two players, else of each seat, at the setting shown."""
    shares, side = drawn_cells(findings, seat_shares(findings)), side_of(findings.run)
    parts, how = {"label": "lineup", "kind": pl.lit("")}, {"unit": f"{capital(side.name)} wins"}
    who, style, how = f"the {side.name}", "", how | ({"aim": "target"} if findings.run.team else {})
    if not findings.run.team and max(shares["seats"]) > 2:
        who, style, how = "each player", "seat", {"unit": "Share of games won"}
        parts = {"label": "lineup", "kind": "seat", "low": "joint_low", "high": "joint_high"}
    elif not findings.run.team:
        shares = shares.filter(seat=0)
    alt = f"How often {who} wins, with 95 % intervals and the {how.get('aim', 'fair share')}"
    chart, caption = ("seats", charts.forest), where_drawn(findings)
    return figure(findings, chart, shares, alt, caption, parts, style, **how)


# The next step: the first that applies of a target, a verdict, a fair value and what else may help

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
    played = cells(findings)
    baseline = played.filter("baseline")["setting"].to_list()
    if not (picked := [setting for setting in _unchecked_settings(findings) if setting not in baseline]):
        return None
    first = [played.filter(setting=setting)["cell"][0] for setting in picked]
    commands = "\n".join(fresh_command(findings.run, cell) for cell in first)
    return Step(f"Confirm {labels_of(findings).settings(picked)} on fresh deals.", commands)


def _verdict(findings: Findings) -> Step | None:
    """Return the games that settle the answer, where no player of a ladder gives it."""
    return None if rungs(findings).width else settle(findings, answered(findings))


def settle(findings: Findings, cases: pl.DataFrame) -> Step | None:
    """Return the games that settle the open ones of some cases, or None."""
    run, checked = findings.run, confirmed(findings).rows(named=True)
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
    if run.team and names and off and off | {*settings} == {*first_player_advantage(findings)["setting"]}:
        text += f"All other settings are off target{' with some team' if whom else ''}. "
    text += "Play on until there is a verdict."
    until = ["--until-verdict", "--deals", str(about(max(needed))), "-o", f"{run.place}-settled"]
    return Step(text, command_again(run, "run", f"{run.place}/experiment.toml", *until))


def _compensation(findings: Findings) -> Step | None:
    """Return the sweep of the first option that could compensate a seat where the seats are not fair."""
    commands = compensations(findings.run)
    if not commands or UNFAIR not in set(answered(findings)["verdict"]):
        return None
    name, command = next(iter(commands.items()))
    return Step(f"Try to compensate one player: {labels_of(findings).option(name)}.", command)


def _better_players(findings: Findings) -> Step | None:
    """Return the ladder, which shows whether better players change the answer."""
    run = findings.run
    if rungs(findings).width or max_decisions(findings) == 0:
        return None
    return Step("See whether better players change this.", command_again(run, "ladder", run.experiment.game))


def _unchecked_settings(findings: Findings) -> list[str]:
    """Return the settings that look fair and were not played on fresh deals."""
    return [] if confirmed(findings).width else in_order(findings, advised_settings(findings))
