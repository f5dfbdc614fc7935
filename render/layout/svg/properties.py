"""Properties and attributes: which are drawn, which change nothing here and are passed over, which are refused."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

DRAWN = frozenset(
    "fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray"
    " stroke-dashoffset stroke-opacity paint-order opacity clip-path clip-rule color display visibility overflow"
    " font-family font-size font-style font-weight font-stretch letter-spacing word-spacing font-kerning"
    " font-variant-ligatures font-variant-caps font-variant-numeric font-feature-settings text-shadow text-anchor direction"
    " stop-color stop-opacity".split()
)
"""Properties of CSS that decide what is drawn."""

INHERITED = DRAWN - frozenset("opacity clip-path display overflow stop-color stop-opacity".split())
"""Those that elements take from the one around them, which is also what `inherit` says of them."""

OF_LINES = frozenset("line-height text-align text-align-last white-space white-space-collapse".split())
WRAPPING = frozenset(("inline-size", "shape-inside"))
LAYING_OUT = OF_LINES | WRAPPING
"""Properties of how text is laid out in lines. They mean something only to a text with a box."""

PRESERVING = frozenset(("pre", "pre-wrap", "break-spaces", "preserve", "preserve-spaces"))
"""Values of `white-space` with which all spaces count."""

_OF_GRADIENTS = frozenset("gradientUnits gradientTransform spreadMethod href".split())
OF_OTHERS: Mapping[str, frozenset[str]] = {
    "use": frozenset("x y width height href transform".split()),
    "a": frozenset(("href", "transform")),
    "switch": frozenset(("transform",)),
    "symbol": frozenset("x y width height viewBox preserveAspectRatio".split()),
    "clipPath": frozenset("clipPathUnits transform".split()),
    "linearGradient": _OF_GRADIENTS | frozenset("x1 y1 x2 y2".split()),
    "radialGradient": _OF_GRADIENTS | frozenset("cx cy r fx fy fr".split()),
    "stop": frozenset(("offset",)),
    "text": frozenset(("dx", "dy")),
    "tspan": frozenset(("x", "y", "dx", "dy")),
    "textPath": frozenset("href startOffset side method spacing".split()),
}
"""The attributes of elements that stand for others."""

# Properties with values that change nothing of what is drawn here; with any other value they are refused.
_USUAL = frozenset({"normal", "auto", "inherit", "initial", "unset"})
_NOTHING = _USUAL | {"none"}
_ZERO = frozenset({"0", "0px", "0em", "0%", "0pt", "0 0"})
_PAPER = _NOTHING | {"transparent", "white", "#fff", "#ffffff", "rgb(255, 255, 255)", "rgb(255,255,255)"}
NEUTRAL: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        "filter mask marker marker-start marker-mid marker-end mix-blend-mode vector-effect clip text-decoration"
        " text-transform font-variant text-decoration-line transform-origin text-indent".split(),
        _NOTHING | _ZERO,
    ),
    **dict.fromkeys(
        "font-variant-east-asian font-variant-position font-variant-alternates font-variant-emoji kerning".split(),
        _USUAL,
    ),
    "writing-mode": _NOTHING | {"lr", "lr-tb", "horizontal-tb"},
    "dominant-baseline": _NOTHING | {"alphabetic"},
    "alignment-baseline": _NOTHING | {"baseline", "alphabetic"},
    "baseline-shift": _NOTHING | _ZERO | {"baseline"},
    **dict.fromkeys(("font-size-adjust", "font-variation-settings"), _NOTHING),
    "color-interpolation": _NOTHING | {"srgb"},
    "color-profile": _NOTHING | {"srgb"},
    "image-rendering": _NOTHING | {"optimizespeed", "optimizequality", "smooth", "high-quality"},
    "glyph-orientation-horizontal": _NOTHING | _ZERO | {"0deg"},
    "transform-box": _NOTHING | {"view-box"},
    "background": _PAPER,
    "background-color": _PAPER,
    "rotate": _ZERO,
}

PASSED = frozenset(
    # ways to the same picture
    "shape-rendering text-rendering color-rendering"
    # of filters, masks, other paints, blending, decorations, vertical text and shapes to flow in: these are refused
    " color-interpolation-filters enable-background flood-color flood-opacity lighting-color mask-type solid-color"
    " solid-opacity isolation text-decoration-color text-decoration-style text-decoration-thickness"
    " text-orientation glyph-orientation-vertical unicode-bidi shape-padding shape-margin shape-subtract text-overflow"
    # of screens
    " pointer-events cursor will-change user-select".split()
)
"""Properties no value of which changes what is drawn here."""

_DISPLAYS = (
    "none inline block inline-block list-item run-in contents flow-root flex inline-flex grid inline-grid table"
    " inline-table table-row table-cell table-row-group table-header-group table-footer-group table-column"
    " table-column-group table-caption"
)
WORDS: Mapping[str, tuple[str, ...]] = {
    "fill-rule": ("nonzero", "evenodd"),
    "clip-rule": ("nonzero", "evenodd"),
    "stroke-linecap": ("butt", "round", "square"),
    "stroke-linejoin": ("miter", "round", "bevel"),
    "display": tuple(_DISPLAYS.split()),
    "visibility": ("visible", "hidden", "collapse"),
    "paint-order": (
        "normal",
        *(" ".join(order) for count in (1, 2, 3) for order in permutations(("fill", "stroke", "markers"), count)),
    ),
    "overflow": ("hidden", "visible", "auto", "scroll"),
    "font-style": ("normal", "italic", "oblique"),
    "text-anchor": ("start", "middle", "end", "justify"),
    "direction": ("ltr", "rtl"),
    "side": ("left", "right"),
    "method": ("align",),
    "spacing": ("exact", "auto"),
}
"""The values of properties that have few."""

ATTRIBUTES_PASSED = frozenset(
    "id class style role lang tabindex focusable version baseProfile zoomAndPan contentScriptType contentStyleType"
    " requiredFeatures requiredExtensions systemLanguage externalResourcesRequired target rel download type"
    " lengthAdjust xmlns".split()
)
"""Attributes of any element that change nothing of what is drawn, or are read before."""

UNDRAWN = frozenset(
    "title desc metadata defs symbol clipPath linearGradient radialGradient stop mask pattern filter marker style"
    " view cursor color-profile font font-face solidColor hatch mesh meshgradient swatch".split()
)
"""Elements that draw nothing where they stand."""

REFUSED: Mapping[str, str] = {
    "foreignObject": "it holds what is no SVG",
    "flowRoot": "its text flows as in no other program; in Inkscape, choose Text, Convert to Text",
    "textPath": "it stands in a `<text>`, and holds its words",
    "script": "a card does nothing",
    **dict.fromkeys(("animate", "animateTransform", "animateMotion", "animateColor", "set"), "a card does not move"),
    "video": "a card does not move",
    "audio": "a card makes no sound",
}
"""Elements of SVG that are refused, and why."""

INSTEAD: Mapping[str, str] = {
    "filter": "draw it as a picture: in Inkscape, choose Edit, Make a Bitmap Copy",
    "mask": "use a `clipPath`, or draw it as a picture",
    "mix-blend-mode": "choose colors as they look in the end, or draw it as a picture",
    **dict.fromkeys(
        ("marker", "marker-start", "marker-mid", "marker-end"),
        "draw the ends as paths: in Inkscape, choose Path, Object to Path",
    ),
    "font": "write `font-family`, `font-size` and the others each by itself",
    "text-decoration": "draw the line as a shape",
    "dominant-baseline": "place the text by its baseline",
    **dict.fromkeys(
        "font-variant-east-asian font-variant-position font-variant-alternates font-variant-emoji".split(),
        "use `font-feature-settings`, with the tag of the feature",
    ),
    "font-variant": "write `font-variant-caps`, `font-variant-numeric` or `font-variant-ligatures`",
    "kerning": "use `font-kerning`",
    **dict.fromkeys(("background", "background-color"), "draw a `rect` as large as the card, first"),
    "image-rendering": "enlarge the picture itself, in an image editor",
    "text-transform": "write the words so, or use `|upper` in the template",
    "line-height": "use `leading`",
    **dict.fromkeys(("text-align", "text-align-last"), "use `text-anchor`"),
    **dict.fromkeys(
        ("white-space", "white-space-collapse"),
        "give `<text>` no `height` for one line, and each line a text of its own",
    ),
    **dict.fromkeys(WRAPPING, "give `<text>` a `width` and a `height`"),
    "textLength": "use `width` and `min-stretch`",
    "rotate": "turn the text with `transform`",
}
"""What to do instead of a property or attribute that is refused."""


def is_line_first(paint_order: str) -> bool:
    """Return whether a value of `paint-order` draws the line beneath the fill (SVG 2, 13.8)."""
    order = paint_order.split()
    return "stroke" in order and "fill" not in order[: order.index("stroke")]


def changes_nothing(name: str, value: str) -> bool:
    """Return whether a property that is not drawn has a value that draws nothing else."""
    return name in PASSED or name.startswith("-") or " ".join(value.lower().split()) in NEUTRAL.get(name, ())


def is_foreign(name: str) -> bool:
    """Return whether an attribute is of another vocabulary, or says nothing about what is drawn."""
    return name.startswith(("{", "data-", "aria-")) or name in ATTRIBUTES_PASSED
