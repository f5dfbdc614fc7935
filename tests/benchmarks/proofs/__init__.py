"""Proofs that try thousands of inputs; tests try a few of each, and `python tests/benchmarks/prove.py NAME` all."""
