"""Can games and numbers be believed? Checks of games, known answers, speeds."""
