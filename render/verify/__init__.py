"""Proving a finished file by what is seen of it, and by what a press or a reader meets. Nothing that makes sheets is used."""
