"""What would be fair: the fitted curve, the fair value with its interval, the check on fresh deals."""

from simkit.pages import Recipe

recipe = Recipe(
    "what would be fair",
    "fair_value fair_seats fair_check fair_next who fair_looks",
    instead="no_search who seats",
)
