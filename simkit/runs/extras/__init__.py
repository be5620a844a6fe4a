"""Play further games for a run: with random errors, with forced choices."""
