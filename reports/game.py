"""The game page: one rule set, with its components and stories in the middle."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "what happens in the game",
    """
    answer
    The rules: cards_changed rules
    Seats: seats verdicts
    Players: who skill
    Length: length load
    Tension: drama yardsticks
    Luck and scores: beginners luck endings scores
    What goes with winning: pieces components
    Games worth a look: stories
    """,
    question="What happens in a game of {game}?",
    of_baseline=True,
)
