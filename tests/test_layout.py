"""Laws of layout, seen through small templates and through the cards that people write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from render import fonts, png
from render.geometry import MM_PER_POINT, Rect
from render.games.kotc.faces import Faces, draw
from render.games.kotc.load import load
from render.scene import Group, Path as Drawing, Picture, Scene, TextRun, dump, walk
from tests import rasters
from tests.sets import SET, write_set
from tests.templated import as_pdf, as_png, laid_out, pictures, place, runs, svg

MINION = "kind: minion\nlevel: 1\nsp: 1\nhp: 1\n"
RED, BLUE, BLACK = (255, 0, 0), (0, 0, 255), (0, 0, 0)
