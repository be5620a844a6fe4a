"""The page of a team's defeats: how games are lost, and which rules change that."""

from .compare import recipe as compare

chapters = """
    lost next_steps
    How games end: endings
    Rule by rule: deal_by_deal
    What else changes: changes
    Players and certainty: verdicts luck who
"""
recipe = compare._replace(title="how it is lost", sections=chapters, of_team="")
