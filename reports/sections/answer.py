"""Whether a game is fair, the cases behind the answer, and the next step."""

import math

import polars as pl

from simkit.page import charts
from simkit.page.advice import advised_settings, near_fair, recommended_settings, settings_to_advise
from simkit.page.columns import table
from simkit.page.document.parts import Figure, Section, Stamp, Step
from simkit.page.document.tables import Show, Table, with_extremes
from simkit.page.pictures import drawn_cells, figure, margin, takeaways_of, where_drawn
from simkit.page.sweeps import along
from simkit.page.words.commands import (
    command_again,
    compare_command,
    compensations,
    fair_command,
    fresh_command,
    ladder_command,
    role_command,
)
from simkit.page.words.confidence import check_answer, disagreement, max_decisions, sureness, warnings
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import (
    Summary,
    TableRow,
    about,
    capital,
    distance,
    fair_of_100,
    games_of_100,
    join_names,
    roughly,
    seat_name,
    whole,
    with_all,
)
from simkit.page.words.roles import cured_words, dealt, roles_sentence, unfair_role
from simkit.page.words.skill import (
    labelled_answers,
    open_answer,
    perfect,
    settings_of_agreement,
    skill_sentence,
)
from simkit.page.words.verdicts import (
    CHANGE,
    TEAM,
    beyond_two,
    claim,
    fairness_stamp,
    games_that_settle,
    games_to_settle,
    holds,
    joint_verdict,
    joint_verdict_words,
    joint_verdicts,
    label_rows,
    more_games,
    of_each_size,
    open_setting,
    players,
    side_of,
    stamp_of_rungs,
    verdicts_by_size,
    with_not_equal,
)
from simkit.stats.quantiles import normal
from simkit.stats.verdicts import FAULTY, NOT_EQUAL, NOT_SETTLED, OFF, UNFAIR
from simkit.tables.fairness import answered, confirmed, settings
from simkit.tables.findings import Findings, axes, cells, setting_words
from simkit.tables.roles import cured_setting
from simkit.tables.rungs import deciding_rows, rung_answers, rungs
from simkit.tables.seats import first_player_advantage, less_bias, seat_shares

from .changes import single_changes

# Sentences: verdicts and shares for each number of players, and what to use instead

LEVEL = 0.95  # of the intervals
PICKED = "Picked from these games, so check it on fresh deals before it is printed."


def balance_answer(findings: Findings) -> Summary:
    """Return the answer to the question of a run, for each number of players."""
    looked = label_rows(findings, answered(findings))
    sure, cautions = sureness(findings, looked), warnings(findings)
    if not findings.run.judged:
        return Summary(_wins_of_team(findings), "", sure, cautions)
    swept = first_player_advantage(findings)["setting"].n_unique() > 1
    advice = [of_each_size(findings, _balance_advice if swept else _among)]
    about_roles, off = roles_sentence(dealt(findings), findings.run.experiment.margin), unfair_role(findings)
    advice += [skill_sentence(findings), perfect(findings), "" if off else about_roles]
    headline = f"{balance_headline(findings)} {about_roles if off else ''}".strip()
    advice.append(cured_words(findings) if off else "")
    return Summary(headline, " ".join(filter(None, advice)), sure, cautions)


def balance_headline(findings: Findings) -> str:
    """Return verdicts and shares of the cells of the answer; verdicts only for several numbers of players."""
    sizes = findings.by_size()
    if len(sizes) == 1:
        return _claim(findings)
    claims = dict[int, tuple[str, str]]()
    for seats, part in sizes:
        looked = _rows_of_claim(part)
        claims[seats] = _subject(part, looked[0]), joint_verdict([row["verdict"] for row in looked])
    return verdicts_by_size(claims)


def _wins_of_team(findings: Findings) -> str:
    """Return how often a team wins that has no target: as printed, and where it wins most and least."""
    first, labels = first_player_advantage(findings), labels_of(findings)
    parts = first.partition_by("setting", maintain_order=True)
    ranked = sorted(parts, key=lambda part: -float(str(part["share"].mean())))
    won = [games_of_100(*part["share"]) for part in ranked]
    if len(ranked) == 1:
        return f"The team wins {won[0]}."
    names = [labels.with_base(labels.at(part["setting"][0]), part["baseline"][0]) for part in ranked]
    between = [place for place, part in enumerate(ranked[1:-1], 1) if part["baseline"][0]]
    printed = "".join(f"The team wins {won[place]} with {names[place]}. " for place in between)
    team = "It" if printed else "The team"
    return f"{printed}{team} wins most, {won[0]}, with {names[0]}, and least, {won[-1]}, with {names[-1]}."


def _rows_of_claim(findings: Findings) -> list[TableRow]:
    """Return the cells of the headline: those of the answer, else of the setting nearest to fair."""
    rows, names = answered(findings), settings(findings)["setting"].to_list()
    if names and _without_baseline(findings):
        rows = first_player_advantage(findings).filter(setting=names[0]).with_columns(chosen=True)
    return label_rows(findings, with_not_equal(rows, findings.run.team))


def _without_baseline(findings: Findings) -> bool:
    """Return whether several settings were played and none of them is the printed one."""
    return bool(answered(findings)["chosen"].any())


def _claim(findings: Findings) -> str:
    """Summarize the verdicts and shares of the cells of the answer, at tables of one size."""
    looked = _rows_of_claim(findings)
    subject, kinds = _subject(findings, looked[0]), [row["verdict"] for row in looked]
    verdict, numbers = joint_verdict_words(kinds, players(findings)), wins_phrase(findings, looked)
    if verdict == FAULTY:
        return claim(f"too many games failed to judge {subject}", numbers)
    two_sides = len({row["share"] > row["fair"] for row in looked}) == 2
    if verdict == UNFAIR and max(row["seats"] for row in looked) == 2 and two_sides:
        verdict = f"{UNFAIR}, and who is ahead depends on who plays"
    is_open = set(kinds) <= {NOT_SETTLED, NOT_EQUAL, FAULTY}
    if is_open and looked[0]["chosen"]:
        return f"Nearest to {side_of(findings.run).aim} is {looked[0]['setting']}, where {numbers}."
    if is_open and (games := games_that_settle(answered(findings))):
        more_than = f"whether that is more than {distance(findings.run.experiment.margin)} off"
        what = more_than if NOT_EQUAL in kinds else "it"
        numbers = f"{numbers}; about {roughly(games)} games in all would settle {what}"
    return claim(f"{subject} is {verdict}", numbers)


def _subject(findings: Findings, row: TableRow) -> str:
    called = findings.run.experiment.called.get("baseline")
    if row["baseline"] and called:
        return called
    where = row["setting"]
    if not where:
        balanced = cells(findings).filter(cell=row["cell"])["balanced"][0]
        return "this team" if findings.run.team else "the game" if balanced else "this lineup"
    if row["chosen"]:
        return f"{where}, the nearest to {side_of(findings.run).aim} of all settings tried,"
    labels = labels_of(findings)
    if where == labels.base:
        return "the game as printed" if where == "rulebook" else f"the {where}"
    return labels.with_base(where, True) if row["baseline"] else where


def wins_phrase(findings: Findings, rows: list[TableRow]) -> str:
    """Return the games won of 100 over the cells of some rows, at tables of one size.

    They are the team's, the first of two players', else those of the player farthest from fair; all are
    corrected for the bias of stopping.
    """
    games, seats = games_of_100(*(row.get("adjusted") or row["share"] for row in rows)), rows[0]["seats"]
    if findings.run.team:
        return f"the team wins {games} ({fair_of_100(rows[0]['fair'])} is the target)"
    if findings.run.one_side:
        side, fair = side_of(findings.run), fair_of_100(rows[0]["fair"])
        aimed = "is the target" if side.has_target else "would be fair"
        return f"the {side.name} wins {games}" + ("" if fair == "50" else f" ({fair} {aimed})")
    if seats == 2 and {row["fair"] for row in rows} == {0.5}:
        return f"the first player wins {games}"
    shares = seat_shares(findings).filter(pl.col("cell").is_in([row["cell"] for row in rows]))
    off = (pl.col("share") - pl.col("fair")).abs().max().alias("off")
    seat = 0 if seats == 2 else shares.group_by("seat").agg(off).sort("off", "seat")["seat"][-1]
    own = shares.filter(seat=seat)
    fair = fair_of_100(float(str(own["fair"].mean())))
    return f"the {seat_name(seat)} wins {games_of_100(*less_bias(own)['share'])} ({fair} would be fair)"


def _among(findings: Findings) -> str:
    """Return the lineups with which the side wins least and most, where they differ beyond luck."""
    looked = sorted(label_rows(findings, answered(findings)), key=lambda row: row["share"])
    least, most = looked[0], looked[-1]
    if not extremes_differ(least, most, math.comb(len(looked), 2)):
        return ""
    low, high = (f"{row['lineup']} ({whole(row['share'])} of 100)" for row in (least, most))
    return f"The {side_of(findings.run).name} wins least with {low}, most with {high}."


def extremes_differ(least: TableRow, most: TableRow, pairs: int) -> bool:
    """Return whether two shares differ beyond luck, chosen as the extremes of `pairs` possible pairs.

    >>> least, most = ({"share": mean, "low": mean - 0.02, "high": mean + 0.02} for mean in (0.5, 0.53))
    >>> extremes_differ(least, most, 1), extremes_differ(least, most, 10)
    (True, False)
    """
    half = math.hypot(*((row["high"] - row["low"]) / 2 for row in (least, most)))
    stricter = normal(1 - (1 - LEVEL) / max(1, pairs)) / normal(LEVEL)
    return bool(most["share"] - least["share"] > half * stricter)


def _balance_advice(findings: Findings) -> str:
    """Return the advice: settings to use instead, or the nearest to fair."""
    side, good = side_of(findings.run), advised_settings(findings)
    first = first_player_advantage(findings)
    base = first.filter("baseline")["setting"].unique().to_list()
    base_is_fair = bool(base) and set(first.filter("baseline")["verdict"]) == {side.verdicts[0]}
    if findings.run.manifest.outstanding:  # whose games advice rests on
        return "" if base_is_fair else _nearest_so_far(findings)
    if base_is_fair:
        keep = "The seats need" if unfair_role(findings) else "It needs"
        return f"{keep} no change." if settings_of_agreement(findings, base) else disagreement(findings, base)
    if (disputed := settings_to_advise(findings)) and not good:
        return disagreement(findings, disputed)
    if confirmed(findings).width:
        return check_answer(findings)
    good = good[: good.index(base[0])] if base and base[0] in good else good  # nearer than the baseline
    if good:
        return f"{_instead(findings, good)} {_not_known_yet(findings)}".strip()
    nearest, names = _nearest_so_far(findings), settings(findings)["setting"].to_list()
    if not names or base == names[:1]:
        return nearest
    lineups = with_all(first["lineup"].n_unique(), players(findings))
    right = "on target" if findings.run.team else "fair"
    verdict = f"No setting tried is known to be {right}{lineups}"
    if {NOT_SETTLED, FAULTY} & set(joint_verdicts(findings).values()):
        why = "It is not settled" if NOT_SETTLED in first["verdict"] else "Too many games failed to say"
        verdict = f"{why} whether a setting is {right}{lineups}{games_to_settle(first)}"
    return f"{verdict}. {nearest}"


def _nearest_so_far(findings: Findings) -> str:
    """Return the setting nearest to fair by the games of the run alone, which recommend nothing.

    It is the farthest where the headline is about the nearest.
    """
    names, first = settings(findings)["setting"].to_list(), first_player_advantage(findings)
    if not names:
        return ""
    if _without_baseline(findings):
        won = wins_phrase(findings, _rows_at(findings, names[-1]))
        return f"Farthest is {labels_of(findings).at(names[-1])}, where {won}."
    if first.filter("baseline")["setting"].unique().to_list() == names[:1]:
        return f"No other setting tried is nearer to {side_of(findings.run).aim}."
    won = wins_phrase(findings, _rows_at(findings, names[0]))
    return f"Nearest so far is {labels_of(findings).at(names[0])}, where {won}."


def _instead(findings: Findings, good: list[str]) -> str:
    """Return the settings to use instead; none is picked if the one farthest from fair holds, too."""
    rows = [row for setting in good for row in _rows_at(findings, setting)]
    lineups = with_all(len(_rows_at(findings, good[0])), players(findings))
    names = labels_of(findings).settings(in_order(findings, good))
    then = f"{names}. Then {wins_phrase(findings, rows)}{lineups}."
    if holds(answered(findings).rows(named=True)):
        return f"Each of these is near {side_of(findings.run).aim}: {then}"
    return f"{'Try' if _without_baseline(findings) else 'Instead try'}: {then} {PICKED}"


def _not_known_yet(findings: Findings) -> str:
    """Return the settings near fair that are not settled, and the deals that would settle them."""
    kinds, good = joint_verdicts(findings), advised_settings(findings)
    candidates = [setting for setting in near_fair(findings) if setting not in good]
    open_still = [setting for setting in candidates if kinds[setting] in (NOT_SETTLED, FAULTY)]
    if not open_still:
        return ""
    names = labels_of(findings).settings(in_order(findings, open_still), "and")
    rows = first_player_advantage(findings).filter(pl.col("setting").is_in(open_still))
    return f"Not known yet: {names}{games_to_settle(rows)}."


def _rows_at(findings: Findings, setting: str) -> list[TableRow]:
    return label_rows(findings, first_player_advantage(findings).filter(setting=setting))


def in_order(findings: Findings, settings: list[str]) -> list[str]:
    """Return settings in the order of the experiment."""
    return sorted(settings, key=cells(findings)["setting"].unique(maintain_order=True).to_list().index)


# Stamp, picture and tables of the brief

MAX_COLUMNS = 8  # lineups with a column each


def answer_stamp(findings: Findings) -> Stamp | None:
    """Return the stamp of the setting that a run is about; a team without a target has none.

    Nor have games of competitors of whom each kept a seat, and settings of which some are right where none is
    the printed one. If the run has a ladder, the strongest rungs of two families of players decide.
    """
    rows, answers = answered(findings), rung_answers(findings).rows(named=True)
    mixed = cells(findings).filter(~pl.col("balanced"), pl.col("cell").is_in(rows["cell"].implode()))
    if not findings.run.judged or (mixed.height and not findings.run.team):
        return None
    if unfair_role(findings):
        return CHANGE
    if here := [row for row in answers if row["setting"] in set(rows["setting"])]:
        return stamp_of_rungs(deciding_rows(here), findings.run.experiment.margin)
    stamp = fairness_stamp(rows.rows(named=True), more_games(rows))
    nearest_is_off = {row["verdict"] for row in _rows_of_claim(findings)} & set(OFF)
    return None if stamp == CHANGE and _without_baseline(findings) and not nearest_is_off else stamp


def _wins_grid(findings: Findings) -> Figure:
    """Return the share of won games by setting and lineup, with half the width of the intervals."""
    first = first_player_advantage(findings)
    row = "setting" if first["setting"].n_unique() > 1 else "lineup"
    column = "lineup" if row == "setting" else pl.lit("the team wins")
    parts = {"row": row, "column": column}
    alt = "Games of 100 that the team wins, with half the width of the 95 % intervals"
    return figure(findings, ("wins", charts.heat), first, alt, "", parts, across="", title="The team wins, %")


def _wins_table(findings: Findings) -> Table:
    """Return the share of won games: a row per setting and a column per lineup, or a row for each of both."""
    first, caption = first_player_advantage(findings), "How often the team wins"
    lineups = first["lineup"].unique(maintain_order=True).to_list()
    if len(lineups) > MAX_COLUMNS:
        return table(findings, first, "cell share low high n", caption, share="team wins")
    wide = first.pivot("lineup", index="setting", values="share")
    called = labels_of(findings).of_column("lineup") or str
    heads = {name: Show(called(name) if len(lineups) > 1 else "team wins", "{:.0%}") for name in lineups}
    return table(findings, wide, ["setting", *lineups], caption, **heads)


def cases(findings: Findings) -> Table:
    """Return all cells; a long table opens on the cells of the answer and of the settings nearest to fair."""
    side, rows = side_of(findings.run), with_not_equal(first_player_advantage(findings), findings.run.team)
    heads = {"share": f"{side.name} wins"} | ({"fair": "target"} if side == TEAM else {})
    fair = "fair " if side.has_target or rows["fair"].n_unique() > 1 else ""
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
    judged, stamp = findings.run.judged, answer_stamp(findings)
    return Section(
        takeaways=takeaways_of(findings, summary, "first_player_advantage"),
        stamp=stamp,
        plays_on=open_setting(findings.run, stamp, answered(findings)["setting"]),
        picture=(findings.cached(along) or [_seats_figure(findings)])[0] if judged else _wins_grid(findings),
        glance=cases(findings) if judged else _wins_table(findings),
        warnings=summary.warnings,
    )


def _seats_figure(findings: Findings) -> Figure:
    """Return the share of the team or the first of two players, else of each seat, at the setting shown."""
    shares, side = drawn_cells(findings, seat_shares(findings)), side_of(findings.run)
    parts, how = {"label": "lineup", "kind": pl.lit("")}, {"unit": f"{capital(side.name)} wins"}
    who, style, how = f"the {side.name}", "", how | ({"aim": "target"} if side.has_target else {})
    if beyond_two(findings):
        who, style, how = "each player", "seat", {"unit": "Share of games won"}
        parts = {"label": "lineup", "kind": "seat", "low": "joint_low", "high": "joint_high"}
    else:
        shares = shares.filter(seat=0)
    alt = f"How often {who} wins, with 95 % intervals and the {how.get('aim', 'fair share')}"
    chart, caption = ("seats", charts.forest), where_drawn(findings)
    return figure(findings, chart, shares, alt, caption, parts, style, **how)


# The next step: the first that applies

MAX_NAMED = 12  # open settings named


def next_steps(findings: Findings) -> Section:
    """Return the step to take next, with its command."""
    steps = (
        _target,
        cure_role,
        _verdict,
        _fair_value,
        _fresh_deals,
        _compensation,
        _better_players,
        _what_else,
    )
    return Section(step=next(filter(None, (step(findings) for step in steps)), None))


def _target(findings: Findings) -> Step | None:
    """Return the run that judges a team by a target, where there is none."""
    run = findings.run
    if run.judged:
        return None
    words = [f"{run.place}/experiment.toml", "--target", "0.5", "-o", f"{run.place}-judged"]
    return Step("Set a target to judge it.", command_again(run, "run", *words))


def cure_role(findings: Findings) -> Step | None:
    """Return the search for the value at which the role farthest from its fair share wins it.

    Of a run about one role it is this role; if some setting cures all roles, there is nothing to search.
    """
    run, row = findings.run, unfair_role(findings)
    cells_off = _judged_off(findings) if run.role else [] if row is None else [(row["role"], row["cell"])]
    if not cells_off or cured_setting(findings):
        return None
    role, cell = cells_off[0]
    who = run.role or f"{row['noun']} {row['name']}" if row else run.role
    command = role_command(run, role, cell)
    if command is None:
        text = f"Find an option that helps or weakens the {who}."
        return Step(text, command_again(run, "rules", run.experiment.game))
    several = len({other.seats for other in run.cells}) > 1
    (seats,) = (other.seats for other in run.cells if other.index == cell)
    size = f" with {seats} players (each number of players has a value of its own)" if several else ""
    return Step(f"Find the value at which the {who} wins its fair share{size}.", command)


def _judged_off(findings: Findings) -> list[tuple[str, int]]:
    """Return the role that a run is about, with the cells in view where it is UNFAIR, the farthest first."""
    rows = answered(findings).filter(verdict=UNFAIR).sort((pl.col("share") - pl.col("fair")).abs())
    return [(findings.run.cells[0].role, cell) for cell in rows["cell"].reverse()]


def _fair_value(findings: Findings) -> Step | None:
    """Return the search for the fair value of the only number that was swept, unless its answer is known.

    It is known where a setting held on fresh deals, and where no value in the range can be fair. If the run
    has a ladder, the players that decide are asked.
    """
    run, stamp, deciding = findings.run, answer_stamp(findings), _deciding_lineups(findings)
    settled = recommended_settings(findings) or (stamp and stamp.kind == "keep")
    if settled or not may_have_fair_value(findings) or not (command := fair_command(run, deciding)):
        return None
    value, picked = "value on target" if run.team else "fair value", _unchecked_settings(findings)
    if deciding:
        return Step(f"Find the {value} for the strongest players.", command)
    confirm = f"confirm {labels_of(findings).settings(picked)} and " if picked else ""
    return Step(f"On fresh deals, {confirm}find the exact {value}.", command)


def may_have_fair_value(findings: Findings) -> bool:
    """Return whether a value in the range of the only number swept may be fair, by the games played.

    Not if each is off with some lineup, and all whole numbers were played or all shares lie on one side.
    """
    axis, first = next(iter(axes(findings.run)), None), first_player_advantage(findings)
    if axis is None or len(axis.options) > 1 or not axis.whole_numbers:
        return False
    values, sides = [value for (value,) in axis.values], set(first["share"] > first["fair"])
    off = set(first.filter(pl.col("verdict").is_in(OFF))["setting"])
    gaps = max(values) - min(values) >= len(values)
    return off < set(first["setting"]) or (gaps and len(sides) > 1)


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
    """Return the games that settle the answer of the run, or of a rung that decides where it has a ladder."""
    if not rungs(findings).width:
        return settle(findings, answered(findings))
    row, stamp = open_answer(labelled_answers(findings)), answer_stamp(findings)
    if row is None or not ((stamp and stamp.kind == "open") or not advised_settings(findings)):
        return None
    (strategy,) = rungs(findings).filter(rung=row["rung"])["strategy"]
    cell = cells(findings).filter(setting=row["setting"])["cell"][0]
    command = fresh_command(findings.run, cell, [[strategy] * findings.run.cells[0].seats])
    place = f" {labels_of(findings).at(row['setting'])}" if row["setting"] else ""
    return Step(f"Settle{place or ' it'} where all play {row['strategy']}.", command)


def settle(findings: Findings, cases: pl.DataFrame) -> Step | None:
    """Return the games that settle the open ones of some cases, or None."""
    run, checked = findings.run, confirmed(findings).rows(named=True)
    off = {row["setting"] for row in [*checked, *cases.rows(named=True)] if row["verdict"] in OFF}
    total, cases = cases.height, cases.filter(verdict=NOT_SETTLED)
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
    text = (
        f"It is open {', and '.join(what)}. " if what else f"Not settled: {cases.height} of {total} cases. "
    )
    if run.team and names and off and off | {*settings} == {*first_player_advantage(findings)["setting"]}:
        text += f"All other settings are off target{' with some team' if whom else ''}. "
    text += "Play on until there is a verdict."
    until = ["--until-verdict", "--deals", str(about(max(needed))), "-o", f"{run.place}-settled"]
    return Step(text, command_again(run, "run", f"{run.place}/experiment.toml", *until))


def _compensation(findings: Findings) -> Step | None:
    """Return the sweep of the first option that could compensate a seat where the seats are not fair."""
    commands = compensations(findings.run)
    if not commands or UNFAIR not in set(answered(findings)["verdict"]) or recommended_settings(findings):
        return None
    name, command = next(iter(commands.items()))
    return Step(f"Try to compensate one player: {labels_of(findings).option(name)}.", command)


def _better_players(findings: Findings) -> Step | None:
    """Return the ladder, which shows whether better players change the answer."""
    run, good = findings.run, recommended_settings(findings)
    if rungs(findings).width or max_decisions(findings) == 0 or run.role:
        return None
    chosen = good or [*answered(findings)["setting"]]
    answering = [cell for cell in run.cells if cell.baseline or setting_words(cell.varied) in chosen]
    settings = [cell.varied for cell in sorted(answering, key=lambda cell: not cell.baseline)]
    return Step("See whether better players change this.", ladder_command(run, settings))


def _what_else(findings: Findings) -> Step | None:
    """Return the comparison of a recommended setting with the baseline, else the list of other options."""
    run, good = findings.run, recommended_settings(findings)
    if good and run.experiment.report != "compare":
        text = f"See what else changes with {labels_of(findings).at(good[0])}."
        return Step(text, compare_command(run, good[0], _deciding_lineups(findings)))
    if (stamp := answer_stamp(findings)) and stamp.kind == "change":
        command = command_again(run, "rules", run.experiment.game)
        return Step("See which other options there are.", command)
    return None


def _deciding_lineups(findings: Findings) -> list[list[str]]:
    """Return a lineup of each rung that decides; empty without a ladder."""
    rows = deciding_rows(rungs(findings).rows(named=True))
    return [[row["strategy"]] * findings.run.cells[0].seats for row in rows]


def _unchecked_settings(findings: Findings) -> list[str]:
    """Return the settings that look fair and were not played on fresh deals."""
    return [] if confirmed(findings).width else in_order(findings, advised_settings(findings))
