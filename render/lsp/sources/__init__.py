"""A file as it is being written: its places as editors count them, its cards one by one, and what may stand where."""
