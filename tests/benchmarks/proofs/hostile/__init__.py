"""Hostile input: generators of files that nobody should have to be afraid of, and the bounds that a run must keep."""
