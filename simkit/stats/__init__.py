"""Formulas with their sources; NumPy and SciPy only."""
