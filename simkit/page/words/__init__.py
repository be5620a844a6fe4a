"""Sentences in English, built from tables, for the terminal and the pages."""
