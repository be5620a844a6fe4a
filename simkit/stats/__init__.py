"""Statistics with their formulas and sources, on top of NumPy and SciPy only."""
