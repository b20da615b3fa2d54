"""The colours of pictures: one palette for things, and tints of it for light and dark pages."""

from __future__ import annotations

from targi_dsl.text.light import dataclass

_INKS = {
    "red": "#c4473d",
    "orange": "#d67a2f",
    "amber": "#dfa52b",
    "yellow": "#e8cf52",
    "lime": "#93b440",
    "green": "#3f8a5f",
    "teal": "#2e8c8f",
    "blue": "#3b70b2",
    "violet": "#7b5aac",
    "pink": "#cb6b9a",
    "brown": "#8b5e42",
    "sand": "#d9c08f",
    "grey": "#878d96",
    "black": "#2c2e33",
    "white": "#f8f6f1",
}
_DARK, _LIGHT = "#26231f", "#ffffff"
_PAGE, _NIGHT = "#f5f2eb", "#1a1c20"
_BRIGHT = 0.5
"""From this lightness on the ink on a colour is dark."""


@dataclass(frozen=True, slots=True)
class Paint:
    """A colour with its edge, and the ink that can be read on it."""

    fill: str
    edge: str
    ink: str


def paint(colour: str) -> Paint:
    """The paint for a colour of the language; grey if it is unknown."""
    fill = _INKS.get(colour, _INKS["grey"])
    red, green, blue = _parts(fill)
    lightness = (0.299 * red + 0.587 * green + 0.114 * blue) / 255
    edge = {"black": "#7d828b", "white": "#b3ac9c"}.get(colour) or blended(fill, "#000000", 0.28)
    return Paint(fill, edge, _DARK if lightness > _BRIGHT else _LIGHT)


def is_pale(ink: Paint) -> bool:
    """Whether a colour is too close to the background of a card."""
    return ink.fill == _INKS["white"]


def blended(first: str, other: str, share: float) -> str:
    """A colour mixed with a share of another."""
    both = zip(_parts(first), _parts(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in both)


def _parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def tint(colour: str) -> str:
    """The class of a soft ground in a colour."""
    return f"tint-{colour or 'grey'}"


_CLASSES = {
    "page": ("fill", _PAGE, _NIGHT),
    "panel": ("fill", "#fffdf9", "#24272d"),
    "card": ("fill", "#fffefb", "#2d3138"),
    "ink": ("fill", "#26231f", "#efece5"),
    "soft": ("fill", "#756f64", "#a9a69e"),
    "line": ("stroke", "#ddd6c7", "#3d4149"),
    "rule": ("stroke", "#8d8471", "#777c86"),
}


def style(body: str) -> str:
    """The rules for the classes that a drawing uses, for light pages and for dark ones."""
    pairs = dict(_CLASSES)
    for colour, fill in _INKS.items():
        light, dark = blended(fill, _LIGHT, 0.78), blended(fill, _NIGHT, 0.72)
        pairs[tint(colour)] = ("fill", light, dark)
    used = {name: rule for name, rule in pairs.items() if f'"{name}' in body or f" {name}" in body}
    day = "".join(f".{name}{{{what}:{light}}}" for name, (what, light, _) in used.items())
    night = "".join(f".{name}{{{what}:{dark}}}" for name, (what, _, dark) in used.items())
    fonts = "text{font-family:'Helvetica Neue',Helvetica,Arial,sans-serif}"
    return f"{fonts}{day}@media (prefers-color-scheme:dark){{{night}}}"
