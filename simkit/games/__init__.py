"""The games: one file or folder each; a game is found by its name and its `game = Game(...)`."""
