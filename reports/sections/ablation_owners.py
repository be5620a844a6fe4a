"""Owning a component compared with changing it: how each goes with winning."""

from simkit.reporting.pages import Findings, Section, Show, points, prose, table

TEXT = prose("""Who owns a component wins more or less often for many reasons: who is ahead can take more,
    and a card that is played late was hardly ever the reason. What goes with winning compares owners with
    all who sit in their place. What changing it does compares the two sides of a coin. Where they differ,
    the second is what the component does.""")
BY_LOT_TEXT = prose("""Where a component is dealt in the setup and kept (“by lot”), luck says who owns it, and
    what goes with it is what it does.""")


def section(findings: Findings) -> Section | None:
    """Return the table of owners, or None for a run without measured owners."""
    rows = findings.ablation_owners
    if not rows.width or rows["gap"].is_null().all():
        return None
    ablation = findings.run.words.ablation
    by_lot = bool(rows["lot"].any())
    names = "case component owned owned_changed gap gap_low gap_high effect low high p_adjusted fell"
    shows = {
        "component": Show(ablation.word if ablation else "component"),
        "owned": Show("owners", "{:.2f}", "owners in a game, as printed"),
        "owned_changed": Show("changed", "{:.2f}", "owners in a game with it changed"),
        "gap": Show("owners win more", points, "games of 100 more than all in their place, as printed"),
        "effect": Show("changing it", points, "what it does to the seat that it falls to, games of 100"),
        "fell": Show("n", "{:,}", "games in which it fell to a seat"),
    }
    if by_lot:
        names = f"{names} lot"
        rows = rows.with_columns(lot=rows["lot"].replace_strict({True: "yes", False: ""}))
        shows["lot"] = Show("by lot", "{}", "luck alone says who owns it")
    listed = table(findings, rows, names, "What goes with winning, and what does it", **shows)
    texts = [TEXT, BY_LOT_TEXT] if by_lot else [TEXT]
    return Section("Owning it and what it does are two things", texts, tables=[listed])
