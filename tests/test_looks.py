"""The pictures in `templates/README.md` show what the program draws today."""

import numpy as np
import pytest
from PIL import Image

from tests.looks import PICTURES, TEMPLATES, picture


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_of_the_reference_are_those_that_are_drawn_and_light(name: str) -> None:
    file = TEMPLATES / f"{name}.png"
    with Image.open(file) as kept:
        assert abs(np.asarray(kept, int) - np.asarray(picture(name), int)).max() <= 2, "run `python -m tests.looks`"
    assert file.stat().st_size < 150_000
