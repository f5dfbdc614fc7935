"""What editors know of the cards of a quartet."""

from render.game.card_reading import CARD_KEYS, PICTURE, card_file
from render.source import shapes
from render.source.fields import HIGHEST
from render.source.shapes import Shape

OF_BEASTS: dict[str, Shape] = {"family": shapes.FULL_LINE, "weight": shapes.whole(1, HIGHEST)}


def of_card_files(_game: object, edition: int | None = None, kinds: object = ()) -> Shape:
    """Return the schema of a card file: beasts have a family and a weight, tokens have neither, nor a picture."""
    beast = shapes.mapping(
        CARD_KEYS.properties_in(["beast"]) | OF_BEASTS | {"art": PICTURE}, ["name", "kind", *OF_BEASTS]
    )
    token = shapes.mapping(CARD_KEYS.properties_in(["token"]), ["name", "kind"])
    return card_file(shapes.either(beast, token))
