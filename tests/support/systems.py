"""What not every system has, as marks of tests."""

import os

import pytest

with_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
with_sockets = pytest.mark.skipif(os.name != "posix", reason="only POSIX systems have sockets in folders")
with_devices = pytest.mark.skipif(os.name != "posix", reason="only POSIX systems have devices in folders")
not_as_superuser = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to the superuser, or on Windows"
)
