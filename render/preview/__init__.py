"""A page on this machine that shows sets while they are edited: what is drawn, what is wrong, and where it stands."""
