"""Schemas of what lies in a run folder: manifest, answers of searches, tables."""
