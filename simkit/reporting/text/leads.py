"""Wording for the persistence of a lead."""

from simkit.reporting.text.phrases import whole

EVEN = 0.05  # distance of a slope from 1 within which leads stay as they are
PARTS = {0.25: "a quarter", 1 / 3: "a third", 0.5: "half", 2 / 3: "two thirds", 0.75: "three quarters"}


def of_a_lead(slope: float | None, low: float | None, high: float | None) -> str:
    """Return how a lead changes by the next round; empty where that is unknown.

    >>> of_a_lead(0.51, 0.48, 0.54), of_a_lead(1.2, 1.15, 1.25), of_a_lead(1.01, 0.9, 1.1)
    ('half of a lead is gone a round later', 'a lead grows by 20 % a round', 'a lead stays as it is')
    >>> of_a_lead(0.9, 0.7, 1.1), of_a_lead(0.9, 0.88, 0.92), of_a_lead(None, None, None)
    ('whether leads grow or shrink cannot be told', '10 % of a lead is gone a round later', '')
    """
    if slope is None or low is None or high is None:
        return ""
    if abs(slope - 1) <= EVEN and low <= 1 <= high:
        return "a lead stays as it is"
    if low <= 1 <= high:
        return "whether leads grow or shrink cannot be told"
    if slope > 1:
        return f"a lead grows by {whole(slope - 1)} % a round"
    if slope <= 0.02:
        return "all of a lead is gone a round later"
    near = min(PARTS, key=lambda part: abs(part - (1 - slope)))
    part = PARTS[near] if abs(near - (1 - slope)) < 0.04 else f"{whole(1 - slope)} %"
    return f"{part} of a lead is gone a round later"
