"""Formulas with their sources; NumPy, SciPy and statsmodels only."""
