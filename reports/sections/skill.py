"""Skill: whether the first player's advantage depends on who plays, and how much the deal decides."""

import polars as pl

from simkit.reporting.pages import Findings, Section, labels_of, looked_at, prose
from simkit.reporting.text.meetings import everybody_met
from simkit.reporting.text.pacing import skill

MORE_STRATEGIES = prose("""To see whether the seats matter more to strong play, play several strategies, each
    against itself too (--lineup A,A --lineup B,B).""")
DEAL = prose("""How much the deal decides: 1, the luck of the deal alone says which seat wins; 0, nothing of
    it carries over when the strategies change seats; below 0, the luck of the deal goes with the strategy
    rather than with the seat.""")
MORE_SEATINGS = prose("""To see how much the luck of the deal decides, play a lineup of two different
    strategies: each deal is then played with both seatings. How much of it is setup, draws during play and
    chance in choices, any run says: simkit report RUN --luck-study 1000.""")


def section(findings: Findings) -> Section | None:
    """Return advantages by strength and the luck of the deal; None for a team or where none is measured."""
    if findings.run.team:
        return None
    mirrors, luck = _mirrors(findings), findings.at_baseline().deal_luck
    if luck.is_empty() and mirrors["strength"].is_null().all():  # the brief shows the rest
        return None
    text = _by_strength(labels_of(findings).named(mirrors)) if mirrors.height > 1 else [MORE_STRATEGIES]
    return Section(skill(findings), [*text, DEAL if luck.height else MORE_SEATINGS])


def _mirrors(findings: Findings) -> pl.DataFrame:
    """Return the cells shown with one strategy in every seat, the strongest first where ranked."""
    names = {cell.index: cell.labels[0] for cell in findings.run.cells if len(set(cell.labels)) == 1}
    rows = looked_at(findings, findings.first_player_advantage).filter(pl.col("cell").is_in(list(names)))
    strategy = pl.col("cell").cast(pl.Int64).replace_strict(names, default=None, return_dtype=pl.String)
    rows, ranked = rows.with_columns(strategy.alias("strategy")), findings.at_baseline().ranking
    if not everybody_met(findings.at_baseline().meetings):
        ranked = ranked.clear()  # shares against different opponents do not rank
    if rows.is_empty() or ranked.is_empty():
        return rows.with_columns(pl.lit(None, pl.Float64).alias("strength"))
    strength = ranked.select("seats", "strategy", pl.col("share").alias("strength"))
    rows = rows.join(strength, on=["seats", "strategy"], how="left", maintain_order="left")
    return rows.sort("strength", descending=True, nulls_last=True, maintain_order=True)


def _by_strength(mirrors: pl.DataFrame) -> list[str]:
    rated = mirrors["strength"].is_not_null().any()
    order = "from the strongest to the weakest" if rated else "in the order of the experiment"
    caution = "Where it hangs on who plays, it may be another one among people."
    sides = pl.col("fpa_low") > 0, pl.col("fpa_high") < 0
    ahead, behind = (", ".join(mirrors.filter(side)["strategy"]) for side in sides)
    artefact = prose(f"""Beware of a bot artefact: the first player is ahead when all play {ahead}, but behind
        with {behind}. It is made by how the bots play, not by the rules alone; trust the strategies that play
        most like people.""")
    return [f"The first player among equals, {order}. {caution}", *([artefact] if ahead and behind else [])]
