"""Preflight: what is wrong with a finished file that is to be printed or archived, read back from its bytes.

Nothing is believed that the writer of a file remembers or says. No fault found means that a file is structured as the
standard asks, as far as is looked here; it is no certificate.
"""
