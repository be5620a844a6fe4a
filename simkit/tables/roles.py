"""Roles, such as factions or characters: what each wins against its fair share, and who counters whom."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from simkit.engine.game import SIDE
from simkit.stats.comparisons import holm, interval_p_value
from simkit.stats.deals import Mean, joint_level, mean_from_moments
from simkit.stats.sequences import mean_at_every_look
from simkit.stats.shrinkage import shrink
from simkit.stats.verdicts import BORDERLINE, FAIR, INNER, NOT_EQUAL, NOT_SETTLED, OUTER, UNFAIR
from simkit.tables.findings import Findings, add_holm_p, as_text, finding, setting_words
from simkit.tables.reading import (
    COUNT,
    LOG,
    Block,
    Reading,
    SumsRow,
    deal_sums,
    every_pair,
    log_blocks,
    looked_at,
    products,
    reals,
    sums_of_deals,
    text_columns,
    whole,
)

COLUMN = ["cell", "column"]
ROLE = [*COLUMN, "role"]
PAIR = [*ROLE, "other"]
PLACE = ["seat", "strategy"]  # with which a seat has its fair share, whatever its role
GAME = ["cell", "deal", "play"]
MOST_ROLES = 24  # in one column; of more, pairs are not compared
NOTHING = 1e-18  # squares of sums that are rounding errors
MIN_OVERLAP = 0.02  # part of the places of a role that others have, below which nothing is said of it
MIN_GAMES = 100  # of a pair or of a role in a seat, below which nothing is said of it
SECOND = Reading(log_blocks)  # second pass, which needs the fair shares of the first
PAIRS_OF_SUMS = [("n", "n"), ("n", "r"), ("r", "r")]
ENDS = ["difference", "low", "high"]
ROLES_SCHEMA = whole("cell") | text_columns("column", "role") | whole("games", "deals")
ROLES_SCHEMA |= reals("share", "fair_share", *ENDS, "joint_low", "joint_high", "p_value")


def _has_roles(findings: Findings) -> bool:
    """Return whether the seats of a run have roles; those of a team are its members."""
    return bool(findings.run.words.roles) and not findings.run.team


def _rows(findings: Findings, rows: pl.LazyFrame) -> pl.LazyFrame:
    """Return a row per column of roles and seat: role, strategy and what the seat wins.

    A seat wins with its side, so that the strategy is that of the seat on this side.
    """
    run = findings.run
    columns = [
        *(pl.col(name) for name in (*GAME, "seat")),
        as_text("strategy"),
        pl.col("share").cast(pl.Float64),
    ]
    roles = [as_text(name).alias(f"role {name}") for name in run.words.roles]
    if run.sides:
        columns[-2] = pl.format("{} {}", as_text("strategy"), as_text(SIDE)).alias("strategy")
    names = [f"role {name}" for name in run.words.roles]
    index = [*GAME, "seat", "strategy", "share"]
    long = rows.select(*columns, *roles).unpivot(names, index=index, variable_name="column")
    return long.with_columns(pl.col("column").str.strip_prefix("role ")).rename({"value": "role"})


def _of_pairs(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Return a row per seat and other seat of its game, with the role of the other seat in `other`."""
    others = rows.select(*GAME, "column", other="role", other_seat="seat")
    pairs = rows.join(others, on=[*GAME, "column"])
    return pairs.filter(pl.col("seat") != pl.col("other_seat"))


@LOG(*ROLE, *PLACE)
def role_totals(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum by column, role, seat and strategy the games and the shares won; none of teams (`members`)."""
    if not _has_roles(findings):
        return None
    rows = _rows(findings, block.seats)
    return rows.group_by(*ROLE, *PLACE).agg(n=COUNT, won=pl.col("share").sum())


@LOG(*PAIR)
def pair_totals(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Count by column, role and another role the seats that have the first while another has the second."""
    if not _has_roles(findings):
        return None
    return _of_pairs(_rows(findings, block.seats)).group_by(PAIR).agg(n=COUNT)


def fair_shares(findings: Findings) -> pl.DataFrame:
    """Return by column, seat and strategy `seats`, and the share `fair` won over all roles."""
    places = role_totals(findings).group_by(*COLUMN, *PLACE).agg(pl.col("n", "won").sum())
    return places.select(*COLUMN, *PLACE, seats="n", fair=pl.col("won") / pl.col("n"))


def excesses(findings: Findings) -> pl.DataFrame:
    """Return by column and role the games n, the share won, that `expected` of its seats, and the excess."""
    both = role_totals(findings).join(fair_shares(findings), on=[*COLUMN, *PLACE])
    expected = (pl.col("n") * pl.col("fair")).sum()
    sums = both.group_by(ROLE).agg(pl.col("n", "won").sum(), expected=expected).sort(ROLE)
    return sums.with_columns(excess=pl.col("won") - pl.col("expected"))


def strengths(findings: Findings) -> pl.DataFrame:
    """Return by column and role its `strength` a, given who else is at the table.

    Formula: the excess over the fair share of a seat is expected to be a less the mean of the a of the other
    seats; the a, with mean 0, make the sum of excesses of each role what was observed (moment equations, by
    least squares where roles never met).
    """
    parts = []
    for (cell, column), own in excesses(findings).partition_by(COLUMN, as_dict=True).items():
        met = pair_totals(findings).filter(cell=cell, column=column)
        parts.append(own.select(ROLE).with_columns(strength=pl.Series(_solve(own, met))))
    return pl.concat(parts)


def _solve(own: pl.DataFrame, met: pl.DataFrame) -> np.ndarray:
    """Return the strengths of roles from their games and excesses, and the pairs that met."""
    strength = np.linalg.pinv(_matrix(own, met)) @ own["excess"].to_numpy()
    return np.asarray(strength - strength.mean())


def _matrix(own: pl.DataFrame, met: pl.DataFrame) -> np.ndarray:
    """Return the matrix M of the moment equations M a = excess."""
    place = {role: i for i, role in enumerate(own["role"])}
    matrix = np.diag(own["n"].to_numpy().astype(float))
    rivals = dict(met.group_by("role").agg(pl.col("n").sum()).iter_rows())
    for role, other, n in met.select("role", "other", "n").iter_rows():
        matrix[place[role], place[other]] -= own["n"][place[role]] * n / rivals[role]
    return matrix


def _with_excess(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Return the rows with `r`, what the seat wins above its fair share; None without roles."""
    if not _has_roles(findings):
        return None
    fair = fair_shares(findings).lazy()
    rows = _rows(findings, block.seats).join(fair, on=[*COLUMN, *PLACE])
    return rows.with_columns(r=pl.col("share") - pl.col("fair"))


def _scores(findings: Findings, rows: pl.LazyFrame) -> pl.LazyFrame:
    """Return per role, seat and deal: n seats with the role, and u = Σ (z − z̄) r over all strategies there.

    z is 1 with the role and 0 without it, z̄ its mean in the same seat with the same strategy.
    """
    counts = role_totals(findings).select(*ROLE, *PLACE, own="n")
    every = counts.select(ROLE).unique().join(fair_shares(findings), on=COLUMN)
    every = every.join(counts, on=[*ROLE, *PLACE], how="left").with_columns(pl.col("own").fill_null(0))
    part = every.select(*PLACE, *COLUMN, candidate="role", part=pl.col("own") / pl.col("seats")).lazy()
    long = rows.join(part, on=[*COLUMN, *PLACE])
    z = (pl.col("role") == pl.col("candidate")).cast(pl.Float64)
    sums = {"n": z.sum(), "u": ((z - pl.col("part")) * pl.col("r")).sum()}
    return long.group_by(*COLUMN, "candidate", "seat", "deal").agg(**sums).rename({"candidate": "role"})


@SECOND(*ROLE)
def role_scores(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over deals, by column and role, the seats n with the role and the scores u of its mean excess."""
    rows = _with_excess(findings, block)
    if rows is None:
        return None
    sums = {"n": pl.col("n").sum(), "u": pl.col("u").sum()}
    return deal_sums(_scores(findings, rows), ROLE, sums, every_pair(["n", "u"]))


@SECOND(*ROLE, "seat")
def seat_scores(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over deals, by column, role and seat, the squared scores of what the role wins more there."""
    rows = _with_excess(findings, block)
    if rows is None:
        return None
    here = _seat_excesses(findings).lazy()
    deals = _scores(findings, looked_at(findings, rows)).join(here, on=[*ROLE, "seat"])
    key = [*ROLE, "deal"]
    u, n = (pl.col(name).sum().over(key) for name in ("u", "n"))
    there = (pl.col("u") - pl.col("mean") * pl.col("n")) / pl.col("games")
    q = there - (u - pl.col("usual") * n) / pl.col("all_games")
    return sums_of_deals(deals.with_columns(q=q, rows=pl.lit(1)), [*ROLE, "seat"], ["q"])


def _seat_excesses(findings: Findings) -> pl.DataFrame:
    """Return by column, role and seat games and mean excess, and those of the role: `all_games`, `usual`."""
    excess = (pl.col("won") - pl.col("n") * pl.col("fair")).sum() / pl.col("n").sum()
    both = role_totals(findings).join(fair_shares(findings), on=[*COLUMN, *PLACE])
    here = both.group_by(*ROLE, "seat").agg(games=pl.col("n").sum(), mean=excess)
    usual = both.group_by(ROLE).agg(all_games=pl.col("n").sum(), usual=excess)
    return here.join(usual, on=ROLE)


def _with_residuals(findings: Findings, rows: pl.LazyFrame) -> pl.LazyFrame:
    """Add `others`, the number of other seats, and `e`, the excess beyond the strengths at the table."""
    rows = rows.join(strengths(findings).lazy(), on=ROLE)
    total, others = pl.col("strength").sum().over(*GAME, "column"), pl.len().over(*GAME, "column") - 1
    of_others = (total - pl.col("strength")) / others
    rows = rows.with_columns(others=others, e=pl.col("r") - (pl.col("strength") - of_others))
    return rows.filter(pl.col("others") > 0)


def _columns(findings: Findings) -> dict[str, list[str]]:
    """Return the columns of roles of which pairs are compared, and their roles."""
    totals = role_totals(findings)
    parts = totals.partition_by("column", as_dict=True).items()
    names = {str(column): sorted(part["role"].unique()) for (column,), part in parts}
    return {column: own for column, own in names.items() if len(own) <= MOST_ROLES}


def _sums_of_roles(rows: pl.LazyFrame, names: list[str]) -> pl.LazyFrame:
    """Return per cell and deal the sum of the residuals of each role, called `x ROLE`."""
    sums = {f"x {name}": (pl.col("e") * (pl.col("role") == name)).sum() for name in names}
    return rows.group_by(*COLUMN, "deal").agg(rows=COUNT, **sums)


@SECOND(*COLUMN)
def residual_products(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over deals, by column, the products of the residuals of its roles."""
    rows, parts = _with_excess(findings, block), []
    if rows is None:
        return None
    rows = _with_residuals(findings, looked_at(findings, rows))
    for column, names in _columns(findings).items():
        sums = _sums_of_roles(rows.filter(column=column), names)
        parts.append(sums_of_deals(sums, COLUMN, x := [f"x {name}" for name in names], every_pair(x)))
    return pl.concat(parts, how="diagonal") if parts else None


@SECOND(*PAIR)
def pair_scores(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over deals, by column and two roles, seats n, their residuals e, and what strengths say of them.

    `d ROLE` is the sum of the factors of the strength of a role; products: of n and e with each other and
    with the residuals of all roles in the deal.
    """
    rows, parts = _with_excess(findings, block), []
    if rows is None:
        return None
    rows = _with_residuals(findings, looked_at(findings, rows))
    for column, names in _columns(findings).items():
        own = rows.filter(column=column)
        held = {f"h {name}": (pl.col("role") == name).sum() for name in names}
        own = own.join(own.group_by(GAME).agg(**held), on=GAME)
        factors = {f"d {name}": _factor(name).sum() for name in names}
        deals = _of_pairs(own).group_by(*PAIR, "deal").agg(n=COUNT, e=pl.col("e").sum(), **factors)
        deals = deals.join(_sums_of_roles(own, names), on=[*COLUMN, "deal"])
        x, d = [f"x {name}" for name in names], [f"d {name}" for name in names]
        pairs = [("n", "n"), ("n", "e"), ("e", "e"), *((a, b) for a in ("n", "e") for b in x)]
        parts.append(sums_of_deals(deals, PAIR, ["n", "e", *d, *x], pairs))
    return pl.concat(parts, how="diagonal") if parts else None


def _factor(name: str) -> pl.Expr:
    """Return the factor of the strength of a role in what is expected of a seat."""
    own = (pl.col("role") == name).cast(pl.Float64)
    return own - (pl.col(f"h {name}") - own) / pl.col("others")


@finding
def roles(findings: Findings) -> pl.DataFrame:
    """Per cell, column of roles and role: what seats with it win above their fair share.

    share: of the win, of a seat with the role; fair_share: what the same seats with the same strategies win
    over all roles; difference: share − fair_share, low, high (95 %); joint_low, joint_high: intervals that
    hold for all roles of a column at once (Bonferroni); verdict: UNFAIR or FAIR if these lie beyond or within
    the margin, BORDERLINE if between a half and one and a half margins, NOT EQUAL if they leave out 0, else
    NOT SETTLED; p_adjusted: Holm's adjustment over all rows;
    shrunk: difference of the best of many, corrected for its having been picked
    (`simkit.stats.shrinkage.shrink`); strength: see `strengths`. Formula: Σ z r / Σ z over the seats, r the
    share less the fair share, z = 1 with the role; variance D/(D − 1) Σ (u_d − difference · n_d)²/N² over D
    deals with the scores u_d of `role_scores` (Liang & Zeger 1986, Biometrika 73, 13-22). Left out are roles
    that hardly ever share a seat and strategy with another role, with which nothing can be compared. Between
    two sides the share of a seat is that of its side.
    """
    totals, scores = role_totals(findings), role_scores(findings)
    if not totals.width:
        return pl.DataFrame()
    rows = excesses(findings).join(scores, on=ROLE).sort(ROLE).with_columns(count=pl.len().over(COLUMN))
    rows = rows.join(_overlaps(findings), on=ROLE).filter(pl.col("overlap") >= MIN_OVERLAP)
    every = [_role(row, _interval(findings)) for row in rows.rows(named=True)]
    table = pl.DataFrame(every, schema=ROLES_SCHEMA, orient="row")
    table = table.filter(pl.len().over(COLUMN) > 1)
    if table.is_empty():
        return pl.DataFrame()
    table = add_holm_p(table, "p_value").drop("p_value").join(strengths(findings), on=ROLE)
    margin = findings.run.experiment.margin
    table = table.with_columns(verdict=_verdict(margin))
    parts = [_with_shrunk(part) for part in table.partition_by(COLUMN, maintain_order=True)]
    order = ["cell", "column", "difference"]
    ordered = pl.concat(parts).sort(order, descending=[False, False, True], maintain_order=True)
    return findings.with_cells(ordered.cast({"cell": totals.schema["cell"]}))


def _overlaps(findings: Findings) -> pl.DataFrame:
    """Return by column and role `overlap`: the part of its places that other roles have, 0 if it is alone."""
    both = role_totals(findings).join(fair_shares(findings), on=[*COLUMN, *PLACE])
    others = pl.col("n") * (1 - pl.col("n") / pl.col("seats"))
    return both.group_by(ROLE).agg(overlap=others.sum() / pl.col("n").sum())


def _role(row: SumsRow, interval: Callable[..., Mean]) -> tuple[object, ...]:
    """Return the values of one row of `roles`."""
    deals, n = row["deals"], row["n"]
    share, fair = row["won"] / n, row["expected"] / n
    excess = share - fair
    squares = row["u*u"] - 2 * excess * row["n*u"] + excess**2 * row["n*n"]
    variance = max(0.0, squares) / max(1, deals - 1) * (deals / n) ** 2
    ends = interval(excess, variance, deals)[:3]
    joint = interval(excess, variance, deals, joint_level(row["count"]))[1:3]
    p_value = interval_p_value(*mean_from_moments(excess, variance, deals)[:3])
    return *(row[name] for name in ROLE), n, deals, share, fair, *ends, *joint, p_value


def _verdict(margin: float) -> pl.Expr:
    """Return the claim that the joint interval of a role allows."""
    low, high = pl.col("joint_low"), pl.col("joint_high")
    near, far = INNER * margin, OUTER * margin
    between = ((low > near) & (high < far)) | ((high < -near) & (low > -far))
    off, fair = (low > margin) | (high < -margin), (low > -margin) & (high < margin)
    claims = pl.when(off).then(pl.lit(UNFAIR)).when(fair).then(pl.lit(FAIR))
    claims = (
        claims.when(between).then(pl.lit(BORDERLINE)).when((low > 0) | (high < 0)).then(pl.lit(NOT_EQUAL))
    )
    return claims.otherwise(pl.lit(NOT_SETTLED))


def _with_shrunk(part: pl.DataFrame) -> pl.DataFrame:
    errors = (part["high"] - part["low"]).to_numpy() / (2 * 1.96)
    return part.with_columns(shrunk=pl.Series(shrink(part["difference"], float((errors**2).mean()))))


def dealt_roles(findings: Findings) -> pl.DataFrame:
    """Return the rows of `roles` that players do not choose."""
    table = roles(findings)
    return table.filter(~pl.col("column").is_in(findings.run.words.chosen)) if table.width else table


def settings_with_unfair_roles(findings: Findings) -> set[str]:
    """Return the settings at which some role that players do not choose is UNFAIR."""
    table = dealt_roles(findings)
    return set(table.filter(verdict=UNFAIR)["setting"]) if table.width else set()


def cured_setting(findings: Findings) -> str | None:
    """Return the setting whose farthest role is nearest to its fair share, if no role there is UNFAIR.

    None where no role is UNFAIR at the baseline, so that there is nothing to cure.
    """
    unfair, table = settings_with_unfair_roles(findings), dealt_roles(findings)
    in_view = {setting_words(cell.varied) for cell in findings.at_baseline().run.cells}
    if not in_view & unfair or (cured := table.filter(~pl.col("setting").is_in(list(unfair)))).is_empty():
        return None
    farthest = cured.group_by("setting", maintain_order=True).agg(off=pl.col("difference").abs().max())
    return str(farthest.sort("off", maintain_order=True)["setting"][0])


@finding
def role_pairs(findings: Findings) -> pl.DataFrame:
    """Per cell to look at, column and two roles at a table: what the first wins beyond what strengths say.

    difference: mean excess of the seats with `role` where another seat has `other`, beyond that expected from
    the strengths of all roles at the table (`strengths`); positive: `role` counters `other`; low, high: 95 %;
    p_adjusted: for a difference of at most the margin, since strengths only add up nearly, by Holm's
    adjustment over all pairs of a run. Formula: ē = Σ e / N over N seats; its variance
    D/(D − 1) Σ u², u_d = (e_d − ē n_d)/N − f·M⁺x_d over D deals, x_d the residuals by role, M⁺ as in
    `strengths`, f the mean factors of the strengths: scores of estimating equations (Liang & Zeger 1986,
    Biometrika 73, 13-22). Left out: pairs with fewer than 100 seats, columns with more than 24 roles, and
    pairs of which the strengths say everything, as where all roles sit at every table.
    """
    pairs, products = pair_scores(findings), residual_products(findings)
    if not pairs.width:
        return pl.DataFrame()
    of_column = {(row["cell"], row["column"]): row for row in products.rows(named=True)}
    solved, rows = dict[tuple[int, str], Any](), list[dict[str, Any]]()
    for row in pairs.filter(pl.col("n") >= MIN_GAMES).rows(named=True):
        key = row["cell"], row["column"]
        solved.setdefault(key, _system(findings, *key))
        rows += _pair(row, of_column[key], solved[key], _interval(findings))
    return _adjusted(findings, rows, [*PAIR])


def _system(findings: Findings, cell: int, column: str) -> tuple[list[str], np.ndarray]:
    """Return the roles of a column, and the inverse of the matrix of their strengths."""
    own = excesses(findings).filter(cell=cell, column=column)
    met = pair_totals(findings).filter(cell=cell, column=column)
    return own["role"].to_list(), np.linalg.pinv(_matrix(own, met))


def _pair(
    row: SumsRow, column: SumsRow, system: tuple[list[str], np.ndarray], interval: Callable[..., Mean]
) -> list[dict[str, Any]]:
    """Return the row of `role_pairs` for a pair; none if its residuals never vary."""
    names, inverse = system
    n, deals, mean = row["n"], column["deals"], row["e"] / row["n"]
    x = [f"x {name}" for name in names]
    factors = np.array([row[f"d {name}"] for name in names]) / n @ inverse
    own = (row["e*e"] - 2 * mean * row["n*e"] + mean**2 * row["n*n"]) / n**2
    both = sum(f * (row[f"e*{k}"] - mean * row[f"n*{k}"]) / n for f, k in zip(factors, x, strict=True))
    squares = max(0.0, own - 2 * both + factors @ products(column, x) @ factors)
    if squares < NOTHING:
        return []
    ends = interval(mean, deals * squares * deals / max(1, deals - 1), deals)[:3]
    return [
        {
            **{name: row[name] for name in PAIR},
            "n": n,
            "deals": row["deals"],
            **dict(zip(ENDS, ends, strict=True)),
        }
    ]


@finding
def role_seats(findings: Findings) -> pl.DataFrame:
    """Per cell to look at, column, role and seat: what the role wins there beyond what it wins elsewhere.

    difference: mean excess over the fair share of the seat, beyond the mean excess of the role in all seats;
    low, high: 95 %, from scores as in `roles`; p_adjusted: for a difference of at most the
    margin, by Holm's adjustment over all rows.
    """
    sums = seat_scores(findings)
    if not sums.width:
        return pl.DataFrame()
    interval, rows = _interval(findings), []
    both = sums.drop("rows").join(_seat_excesses(findings), on=[*ROLE, "seat"])
    for row in both.filter(pl.col("games") >= MIN_GAMES).rows(named=True):
        deals = row["deals"]
        ends = interval(row["mean"] - row["usual"], row["q*q"] * deals**2 / max(1, deals - 1), deals)[:3]
        values = {name: row[name] for name in (*ROLE, "seat", "deals")} | {"n": row["games"]}
        rows.append(values | dict(zip(ENDS, ends, strict=True)))
    return _adjusted(findings, rows, [*ROLE, "seat"])


def _interval(findings: Findings) -> Callable[..., Mean]:
    """Return the function of the intervals of a run, which hold at every look if it is analysed often."""
    return mean_at_every_look if findings.always else mean_from_moments


def _adjusted(findings: Findings, rows: list[dict[str, Any]], key: list[str]) -> pl.DataFrame:
    """Return rows with p-values of differences of at most the margin, adjusted over all of them."""
    if not rows:
        return pl.DataFrame()
    values, margin = np.array([[row[name] for name in ENDS] for row in rows]), findings.run.experiment.margin
    beyond = values - values[:, :1].clip(-margin, margin)
    chances = holm([interval_p_value(*map(float, row)) for row in beyond])
    table = pl.DataFrame(rows).select(*key, pl.col("n").cast(pl.Int64).alias("games"), "deals", *ENDS)
    cell = role_totals(findings).schema["cell"]
    return findings.with_cells(table.with_columns(pl.col("cell").cast(cell), p_adjusted=pl.Series(chances)))
