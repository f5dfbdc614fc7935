"""Which pictures there are: each painter's function signs its work with ``@picture``."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from .canvas import Canvas
from .palette import Colour

Painter = Callable[[Canvas], None]


@dataclass(frozen=True, slots=True)
class Hung:
    """A picture: the colour of the sheet it is begun on, its painter, and the folder of the set it belongs to."""

    ground: Colour
    painter: Painter
    folder: str

    def paint(self) -> Canvas:
        """Paint it."""
        canvas = Canvas(self.ground)
        self.painter(canvas)
        return canvas

    def file(self, sets: Path) -> Path:
        """Return where it lies, among the pictures of its set; `sets` is the folder of all sets."""
        return sets / self.folder / "art" / f"{_name(self.painter)}.jpg"


_hung: dict[str, Hung] = {}


def picture(ground: Colour, folder: str = "starter") -> Callable[[Painter], Painter]:
    """Hang a picture of the set in `folder`, named after its painter: ``night_owl`` is night-owl."""

    def hang(painter: Painter) -> Painter:
        name = _name(painter)
        if name in _hung:
            raise ValueError(f"two pictures are called {name}")
        _hung[name] = Hung(ground, painter, folder)
        return painter

    return hang


def pictures() -> dict[str, Hung]:
    """Every picture in the package, by name."""
    for module in _scenes():
        import_module(module)
    return dict(sorted(_hung.items()))


def _name(painter: Painter) -> str:
    return painter.__name__.replace("_", "-")


def _scenes() -> Iterator[str]:
    package = __name__.rpartition(".")[0]
    for module in iter_modules(import_module(package).__path__):
        if not module.name.startswith("__"):
            yield f"{package}.{module.name}"
