"""`python -m simkit` is `simkit`."""

from simkit.cli import main

main()
