"""Wording for the persistence of leads."""

from simkit.reporting.text.phrases import whole

EVEN = 0.05  # distance of a slope from 1 within which leads stay as they are
PARTS = {
    0.25: "a quarter",
    1 / 3: "a third",
    0.5: "half",
    2 / 3: "two thirds",
    0.75: "three quarters",
    1: "all",
}


def of_leads(slope: float | None, low: float | None, high: float | None) -> str:
    """Return what becomes of leads by the next round; empty where that is unknown.

    >>> of_leads(0.51, 0.48, 0.54), of_leads(1.2, 1.15, 1.25)
    ('leads shrink: half of one is gone a round later', 'leads run away: they grow by 20 % a round')
    >>> of_leads(1.01, 0.9, 1.1), of_leads(0.9, 0.7, 1.1), of_leads(None, None, None)
    ('leads stay as they are', 'whether leads grow or shrink is not settled', '')
    >>> of_leads(0.9, 0.88, 0.92), of_leads(-0.3, -0.5, -0.1)
    ('leads shrink: 10 % of one is gone a round later', 'leads shrink: all of one is gone a round later')
    """
    if slope is None or low is None or high is None:
        return ""
    if low <= 1 <= high:
        even = abs(slope - 1) <= EVEN
        return "leads stay as they are" if even else "whether leads grow or shrink is not settled"
    if slope > 1:
        return f"leads run away: they grow by {whole(slope - 1)} % a round"
    lost = min(1 - slope, 1.0)
    near = min(PARTS, key=lambda part: abs(part - lost))
    part = PARTS[near] if abs(near - lost) < 0.04 else f"{whole(lost)} %"
    return f"leads shrink: {part} of one is gone a round later"
