"""Verification: checks of games, validation against known answers, benchmarks."""
