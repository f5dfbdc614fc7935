"""On how many examples a law is tried if each of them takes long: it reads files, or draws."""

from hypothesis import settings

_USUAL = settings().max_examples
_STEADY = 60  # examples of any law in the whole suite, see `tests/conftest.py`

costly = settings(max_examples=20 if _USUAL <= _STEADY else _USUAL)
"""Put above a law: a third of the usual examples; all of them in the profile `thorough`."""
