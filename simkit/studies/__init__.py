"""Questions that play, look and play again: fair value, screening, design, luck study, sample size."""
