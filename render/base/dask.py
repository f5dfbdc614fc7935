"""Workers of a Dask cluster, as an executor."""

from __future__ import annotations

import asyncio
import logging
import struct
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from distributed import Client, Security
from distributed.comm import connect as open_connection

PATIENCE = 10  # seconds that a scheduler has to answer
_OTHER_WORDS = (ValueError, TypeError, LookupError, MemoryError, struct.error)  # where a server of another kind answers


@contextmanager
def connect(address: str) -> Iterator[Executor]:
    """Give the executor of the cluster with that scheduler; OSError if it does not answer."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # the program reports problems itself
    try:
        asyncio.run(_greet(address))
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, *_OTHER_WORDS) as error:
        raise OSError(None, "no scheduler answers there", address) from error
    with client:
        yield client.get_executor()


async def _greet(address: str) -> None:
    """Raise OSError if nothing answers: a `Client` waits without end for the first word of whoever takes its call."""
    arguments = Security().get_connection_args("client")
    connection = await asyncio.wait_for(open_connection(address, timeout=PATIENCE, **arguments), PATIENCE)
    connection.abort()
