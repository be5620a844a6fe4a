"""Findings become sentences, charts and pages."""
