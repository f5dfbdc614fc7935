"""Laws are tried on the same examples in every run, so that a failure is the same for everyone who sees it."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")
