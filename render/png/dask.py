"""Workers of a Dask cluster, as an executor."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from distributed import Client

PATIENCE = 10  # seconds that a scheduler has to answer


@contextmanager
def connect(address: str) -> Iterator[Executor]:
    """Give the executor of the cluster with that scheduler; OSError if it does not answer."""
    logging.getLogger("distributed").setLevel(logging.ERROR)  # the program reports problems itself
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise OSError(None, "no scheduler answers there", address) from error
    with client:
        yield client.get_executor()
