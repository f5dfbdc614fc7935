"""Which pictures there are: each painter's function signs its work with ``@picture``."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from .canvas import Canvas
from .palette import Colour

Painter = Callable[[Canvas], None]

_hung: dict[str, tuple[Colour, Painter]] = {}
_lent: dict[str, str] = {}


class Loan(Canvas):
    """A picture painted for another set: it is saved under the same name, but among that set's pictures."""

    def __init__(self, ground: Colour, folder: str) -> None:
        super().__init__(ground)
        self._folder = folder

    def save(self, path: Path) -> None:
        """Write the JPEG to the other set's ``art``; `path` says where it would lie in this one's."""
        art = path.parents[2] / self._folder / path.parent.name
        art.mkdir(parents=True, exist_ok=True)
        super().save(art / path.name)


def picture(ground: Colour, folder: str | None = None) -> Callable[[Painter], Painter]:
    """Hang a picture, begun on a sheet of this colour and named after its painter: ``night_owl`` is night-owl.

    It belongs to the set this package lies in, unless `folder` names the folder of another set beside it.
    """
    def hang(painter: Painter) -> Painter:
        name = painter.__name__.replace("_", "-")
        if name in _hung:
            raise ValueError(f"two pictures are called {name}")
        _hung[name] = ground, painter
        if folder is not None:
            _lent[name] = folder
        return painter

    return hang


def pictures() -> dict[str, tuple[Colour, Painter]]:
    """Every picture in the package, by name."""
    for module in _scenes():
        import_module(module)
    return dict(sorted(_hung.items()))


def paint(name: str) -> Canvas:
    """Paint one picture."""
    ground, painter = pictures()[name]
    canvas = Loan(ground, _lent[name]) if name in _lent else Canvas(ground)
    painter(canvas)
    return canvas


def _scenes() -> Iterator[str]:
    package = __name__.rpartition(".")[0]
    for module in iter_modules(import_module(package).__path__):
        if not module.name.startswith("__"):
            yield f"{package}.{module.name}"
