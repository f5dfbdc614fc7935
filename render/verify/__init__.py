"""Proving a finished file of print sheets: what is wrong with it, measured in the file alone.

Nothing of the arithmetic that made the sheets is used here, or a mistake in it would prove itself right.
"""
