"""Studies: questions that play several runs in turn (`study`), the luck study, and sample sizes."""
