"""Proving a finished file by what is in it alone. Nothing that makes sheets is used here."""
