"""Proving a finished file by what is in it alone: nothing of what makes sheets is used here."""
