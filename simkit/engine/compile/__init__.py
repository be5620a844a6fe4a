"""Compilation of rules and strategies with Numba: machine code, its cache, errors of the compiler."""
