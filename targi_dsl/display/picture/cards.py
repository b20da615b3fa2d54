"""Draws cards: faces with the fields that the look shows, backs, stacks and zones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from targi_dsl.display.picture import svg
from targi_dsl.display.picture.svg import Box
from targi_dsl.display.scene import Scene
from targi_dsl.text.languages import words_of
from targi_dsl.text.structs import Frozen
from targi_dsl.view.questions import MOST_SHOWN
from targi_dsl.view.shape import Card, Face, Field, Named

WIDE, HIGH = 118.0, 92.0
"""The size of a card with text."""
SMALL_WIDE, SMALL_HIGH = 54.0, 74.0
"""The size of a card with a number and a value, and of a back."""
SLIM = 30.0
"""The height of cells in a player's empty row."""
BAND = 20.0
_FEW, _MANY = 2, 14
"""Fields of a card that are written large, and cards that are drawn in rows."""
_LARGEST, _SMALLER = 14.0, 0.94
"""The largest size of text on a card, and each next one as a part of the one before."""
_READ_AT_ONCE = 8.0
"""Above this size, a price is set apart from the text below it."""
_NAME, _HALF_NAME, _IN_ONE = 11.0, 6.9, 0.8
"""The largest size of a name in one line and in two, and how small it may be in one."""
EDGE = 7.0
_STOPS = (",", ".", ";", ":")


class Front(Frozen):
    """What is shown on a face: values, numbers and texts."""

    values: tuple[str, ...]
    numbers: tuple[Field, ...]
    texts: tuple[str, ...]

    @property
    def is_small(self) -> bool:
        """Whether a small card can show everything, its name included."""
        is_named = bool(self.values) or all(one.is_named for one in self.numbers)
        count = len(self.numbers) + len(self.values)
        return is_named and not self.texts and 0 < count <= _FEW


def front(scene: Scene, face: Face) -> Front:
    """The fields that the look shows, or all."""
    fields = {one.id: one for one in face.fields}
    names = scene.look(face.kind).shows or [one for one in fields if one != "number"]
    values, numbers, texts = list[str](), list[Field](), list[str]()
    for field in (fields[one] for one in names if one in fields):
        match field.sort:
            case "truth":
                texts += [field.name] * field.number
            case "number":
                numbers.append(field)
            case "value":
                values += field.values
            case "values" | "text":
                texts.append(field.text)
    return Front(tuple(values), tuple(numbers), tuple(line for line in texts if line))


def card_size(scene: Scene) -> tuple[float, float]:
    """The size of face-up cards: small if all cards of the game are."""
    small = all(front(scene, face).is_small for face in scene.game.cards.values())
    return (SMALL_WIDE, SMALL_HIGH) if small else (WIDE, HIGH)


def card(scene: Scene, one: Card, below: float = 0) -> Box:
    """A card as the viewers see it. below: space kept free below its text."""
    if not one.id:
        return _back(svg.paint(scene.look(one.back).colour), scene.look(one.back).symbol, one.said)
    drawn = drawn_face(scene, scene.face(one), below)
    return svg.layer(drawn, _corner(drawn)) if scene.is_turned(one) else drawn


@lru_cache(128)  # a picture is arranged in several ways, and each draws all cards
def drawn_face(scene: Scene, face: Face, below: float = 0) -> Box:
    """A face."""
    shown = front(scene, face)
    return _small(scene, face, shown) if shown.is_small else _wide(scene, face, shown, below)


def _corner(drawn: Box) -> Box:
    """The mark of a known card that lies face down."""
    side = 14
    path = f"M{drawn.width:g} {drawn.height - side:g}v{side}h-{side}Z"
    return Box(drawn.width, drawn.height, svg.element("path", d=path, class_="soft", opacity=0.6))


def _colour(scene: Scene, face: Face, shown: Front) -> svg.Paint:
    own = (scene.things[value].look.colour for value in shown.values)
    return svg.paint(next(filter(None, own), scene.look(face.kind).colour or "grey"))


def _blank(wide: float, high: float) -> str:
    return svg.frame(wide, high, EDGE, class_="card line")


def _small(scene: Scene, face: Face, shown: Front) -> Box:
    """A small face: a large number or word, and the token of a value."""
    values = [scene.things[one] for one in shown.values]
    value = next(filter(svg.has_token, values), None)
    words = [one.text for one in shown.numbers]
    words += [other.name for other in values if other != value]
    ink = _colour(scene, face, shown)
    wide, high = SMALL_WIDE, SMALL_HIGH
    rim = ink.edge if ink == svg.paint("white") else ink.fill  # too close to the ground of a card
    body = _blank(wide, high)
    body += svg.frame(wide, high, EDGE - 2.5, 3.5, fill="none", stroke=rim, stroke_width=3)
    if value and not words:
        large = svg.move(svg.token(value, 28), (wide - 28) / 2, 12)
        return Box(wide, high, body + large + _line(value.name, high - 20))
    step = (high * 0.5 if value else high - 24) / len(words)
    for at, word in enumerate(words):
        body += _line(word, 12 + step * (at + 0.5))
    if value:
        body += svg.move(svg.token(value, 22), (wide - 22) / 2, high - 31)
    return Box(wide, high, body)


def _line(line: str, y: float) -> str:
    """A word or number on a small card, as large as fits."""
    size = svg.fitting_size(line, 24.0, SMALL_WIDE - 16, bold=True)
    return svg.centred_text(line, size, SMALL_WIDE / 2, y, "ink")


def _wide(scene: Scene, face: Face, shown: Front, below: float) -> Box:
    ink = _colour(scene, face, shown)
    band = (
        f"M.5 {BAND:g}V{EDGE + 0.5:g}a{EDGE:g} {EDGE:g} 0 0 1 {EDGE:g}-{EDGE:g}"
        f"H{WIDE - EDGE - 0.5:g}a{EDGE:g} {EDGE:g} 0 0 1 {EDGE:g} {EDGE:g}V{BAND:g}Z"
    )
    body = _blank(WIDE, HIGH) + svg.element("path", d=band, fill=ink.fill)
    side = min(15.0, (WIDE / 2 - 4) / max(len(shown.values), 1) - 2)  # half is for the name
    marks = svg.row((_badge(scene.things[value], side) for value in shown.values), 2)
    room = WIDE - 14 - (marks.width + 4 if marks.width else 0)
    name = _name(face.name, room, ink.ink)
    body += svg.move(name, 7, (BAND - name.height) / 2 + 0.5)
    body += svg.move(marks, WIDE - marks.width - 4, (BAND - marks.height) / 2)
    numbers = svg.row((_number(scene, one) for one in shown.numbers), 6, centred=True)
    high = HIGH - BAND - 10 - max(below, 14 if numbers.width else 0)
    body += svg.move(_texts(scene, shown.texts, WIDE - 14, high), 7, BAND + 5)
    body += svg.move(numbers, WIDE - numbers.width - 7, HIGH - numbers.height - 5)
    return Box(WIDE, HIGH, body)


def _texts(scene: Scene, texts: Sequence[str], room: float, high: float) -> Box:
    """Texts as large as they fit; the first, often a price, is emphasized, and set apart if there
    is room.
    """
    size, head = _largest(scene, texts[:1], room, high / 3, "ink")
    if len(texts) > 1 and size > _READ_AT_ONCE:
        size, rest = _largest(scene, texts[1:], room, high - head.height - 1, "soft")
        if size > svg.LEAST:
            return svg.column([head, rest], 1)
    return _largest(scene, texts, room, high, "ink")[1]


def _largest(
    scene: Scene, texts: Sequence[str], room: float, high: float, style: str
) -> tuple[float, Box]:
    """The largest size in which texts fit, and the texts in that size; the first has this style."""
    size = _LARGEST
    while size > svg.LEAST:
        drawn = svg.column(_set(scene, texts, size, room, style), size / 12)
        if drawn.height <= high and drawn.width <= room:
            return size, drawn
        size *= _SMALLER
    dots = svg.text("…", svg.LEAST, "soft")
    boxes = _set(scene, texts, svg.LEAST, room - dots.width, style)
    most = max(int(high // boxes[0].height), 1)
    return svg.LEAST, svg.column([*boxes[: most - 1], svg.row([boxes[most - 1], dots], 1)])


def _set(scene: Scene, texts: Sequence[str], size: float, room: float, style: str) -> list[Box]:
    """The lines of texts in one size."""
    return [
        line
        for at, text in enumerate(texts)
        for line in svg.lines(list(rich(scene, text, size)), room, size, "soft" if at else style)
    ]


def _name(name: str, room: float, fill: str) -> Box:
    """A name as large as it fits, on one line, or on two if it would be much smaller on one."""
    parts, size = [name], svg.fitting_size(name, _NAME, room, bold=True)
    if size < _IN_ONE * _NAME and (gaps := [at for at, one in enumerate(name) if one == " "]):
        middle = min(gaps, key=lambda at: abs(2 * at - len(name)))
        halves = [name[:middle], name[middle + 1 :]]
        halved = min(svg.fitting_size(half, _HALF_NAME, room, bold=True) for half in halves)
        parts, size = (halves, halved) if halved > size else (parts, size)
    return svg.column(svg.fitted(part, size, room, bold=True, fill=fill) for part in parts)


def _badge(value: Named, size: float) -> Box:
    """The token of a value, if it has one."""
    if not svg.has_token(value):
        return svg.NONE
    ring = svg.circle(size / 2, size / 2, size / 2 + 0.7, fill="#ffffff", opacity=0.85)
    return Box(size, size, ring + svg.token(value, size).body)


def _number(scene: Scene, field: Field) -> Box:
    """A number with the token of what it counts, or with its name."""
    mark, thing = svg.text(field.text, 12, bold=True), scene.things.get(field.id)
    if svg.has_token(thing):
        return svg.row([mark, svg.token(thing, 14)], 2, centred=True)
    return svg.row([svg.text(field.name, 8.5, "soft"), mark], 3, centred=True)


def rich(scene: Scene, words: str, size: float) -> Iterator[str | Box]:
    """The words of a text, with tokens in place of resources that have one."""
    at, amounts = 0, _amounts(scene)
    for match in amounts.finditer(words):
        if svg.has_token(thing := scene.forms[match[2]]):
            yield from words_of(words[at : match.start()]).split()
            stop = words[match.end() : match.end() + 1].strip(" ")
            at = match.end() + (stop in _STOPS)
            is_last = stop in _STOPS and not _is_amount(scene, words, at + 1)
            amount = svg.text(match[1], size, bold=True)
            after = [svg.text(stop, size)] * is_last
            yield svg.row([amount, svg.token(thing, size * 1.3), *after], 1.5, centred=True)
    yield from words_of(words[at:]).split()


def _is_amount(scene: Scene, words: str, at: int) -> bool:
    """Whether an amount with a token follows, so that no comma is needed before it."""
    match = _amounts(scene).match(words, at)
    return match is not None and svg.has_token(scene.forms[match[2]])


def _amounts(scene: Scene) -> re.Pattern[str]:
    """The pattern of amounts in the language of the scene."""
    forms = "|".join(map(re.escape, sorted(scene.forms, key=len, reverse=True))) or "(?!)"
    return re.compile(rf"([+-]?\d+) ?({forms})\b")


def _back(ink: svg.Paint, symbol: str, label: str = "") -> Box:
    wide, high = SMALL_WIDE, SMALL_HIGH
    body = svg.frame(wide, high, EDGE, fill=ink.fill, stroke=ink.edge)
    body += svg.frame(wide, high, EDGE - 3, 5.5, fill="none", stroke=ink.ink, opacity=0.35)
    body += svg.centred_text(symbol or "◆", 20, wide / 2, high / 2 - (8 if label else 0), ink.ink)
    for at, part in enumerate(label.split(", ")[:2]):
        line = svg.fitted(part, 8, wide - 8, bold=True, fill=ink.ink)
        body += svg.move(line, (wide - line.width) / 2, high - 33 + 11 * at)
    return Box(wide, high, body)


def spread(boxes: Sequence[Box], room: float, gap: float = 5) -> Box:
    """Cards side by side in rows; many of them overlapping in one row."""
    if len(boxes) <= _MANY:
        return svg.flow(boxes, room, gap)
    step = (room - boxes[-1].width) / (len(boxes) - 1)
    body = "".join(svg.move(box, step * at, 0) for at, box in enumerate(boxes))
    return Box(room, max(box.height for box in boxes), body)


def cascade(boxes: Iterable[Box]) -> Box:
    """A stack of overlapping cards, the last one on top."""
    shown = list(boxes)
    step = BAND + 2 if shown[0].width == WIDE else SMALL_HIGH * 0.54
    body = "".join(svg.move(box, 0, step * at) for at, box in enumerate(shown))
    return Box(max(box.width for box in shown), shown[-1].height + step * (len(shown) - 1), body)


def pile(cards: Sequence[Card], top: Box) -> Box:
    """A pile under its top card."""
    depth = min(len(cards) - 1, 3)
    blank = Box(top.width, top.height, _blank(top.width, top.height))
    under = "".join(svg.move(blank, 2.5 * at, 2.5 * at) for at in range(depth, 0, -1))
    edge = 2.5 * depth
    return Box(top.width + edge, top.height + edge, under + top.body)


def empty(wide: float, high: float, label: str = "", ground: str = "", foot: float = 0) -> Box:
    """An empty place; foot: the height of other things on it."""
    kind, fill = f"{ground} line".strip(), "" if ground else "none"
    body = svg.frame(wide, high, EDGE, class_=kind, fill=fill, stroke_dasharray="4 4")
    mark = svg.centred_text(label, 10, wide / 2, (high - foot) / 2, "soft") if label else ""
    return Box(wide, high, body + mark)


def zone(scene: Scene, place: str, room: float) -> Box:
    """A zone: all its cards if it is a player's, or if they are few and open; otherwise a pile."""
    info, cards = scene.game.places[place], scene.cards(place)
    title = _title(info.own_name if info.owner else info.name, len(cards))
    if not cards:
        return svg.column([title, empty(SMALL_WIDE, SLIM)], 3)
    boxes = [card(scene, one) for one in cards]
    if info.owner or (len(cards) <= MOST_SHOWN and all(one.id for one in cards)):
        is_spread = info.owner or boxes[0].width < WIDE
        laid = spread(boxes, room) if is_spread else cascade(reversed(boxes))
        return svg.column([title, laid], 3)
    return svg.column([title, pile(cards, boxes[0])], 3)


def _title(name: str, count: int) -> Box:
    box = svg.fitted(name, 10.5, 160, "soft")
    return svg.row([box, svg.text(str(count), 10.5, bold=True)] if count else [box], 5)
