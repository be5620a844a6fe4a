"""Small games whose answers are known exactly: what `simkit validate` holds the engine against."""
