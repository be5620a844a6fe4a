"""What happens in the game: one rule set, with its components and stories in the middle."""

from simkit.pages import Recipe

recipe = Recipe(
    "what happens in the game",
    """highlights answer rules who components stories drama length load endings scores
    seats advantage verdicts stopping skill""",
    question="What happens in a game of {game}?",
    of_baseline=True,
)
