"""The questions: one module each, with a function of its name; `simkit` and its commands find them."""
