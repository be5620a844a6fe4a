"""Compile rules and strategies with Numba, cache the machine code, explain what does not compile."""
