"""The comparison page: rule sets against the baseline on the same deals."""

from simkit.reporting.pages import Recipe

RULE_FOLDS = """
    rule_sets next_steps
    What would be fair: confirmed cures
    Your own cards: cards_changed
    What else changes: changes
    Deal by deal: deal_by_deal
    Tension: drama
    What goes with winning: pieces
    Games worth a look: stories
    """
OTHER_FOLDS = """
    Who beats whom: matchups
    Players and certainty: verdicts luck seats who
    """
recipe = Recipe(
    "comparison of rules",
    RULE_FOLDS + OTHER_FOLDS,
    of_team=f"{RULE_FOLDS}How it ends: endings{OTHER_FOLDS}",
    needs="several settings of the rules and a baseline among them (simkit compare)",
    fits=lambda findings: findings.comparisons.height > 0,
)
