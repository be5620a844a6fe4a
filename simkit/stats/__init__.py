"""Statistics with their formulas and sources, on top of NumPy, SciPy and statsmodels only."""
