"""Studies that play several runs in turn: fair value, screening, design, luck study, sample size."""
