"""Playing games: compiled rules and strategies, streams of luck, the registry of content."""
