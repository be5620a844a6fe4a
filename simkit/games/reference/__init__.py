"""Small games with exactly known answers, against which `simkit validate` checks the engine."""
