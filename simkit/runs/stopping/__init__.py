"""Decide at interim analyses which cells continue."""
