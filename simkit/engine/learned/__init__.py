"""Nets of learned players: what they read of a view, how they value it, and the files that hold them."""
