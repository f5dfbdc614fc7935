"""What several of the tests of preflight look at."""

import pytest

from tests.support.pdf_faults import job_of_two, shop_file


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The file of two cards for each kind of shop that takes a PDF."""
    job = job_of_two(tmp_path_factory.mktemp("set"))
    return {name: shop_file(job, name) for name in ("drivethrucards", "pdf-x4", "pdf-a2b")}
