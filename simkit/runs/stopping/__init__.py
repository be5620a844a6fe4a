"""Decide at interim analyses which cells play on."""
