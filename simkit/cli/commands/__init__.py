"""The commands: one module each, with the name of its command; `simkit/cli/__init__.py` finds them."""
