"""Pictures: a position as one SVG drawing of what an observer knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from targi_dsl.api import result
from targi_dsl.api.state import State
from targi_dsl.display.picture import svg
from targi_dsl.display.picture.boards import table
from targi_dsl.display.picture.cards import rich, zone
from targi_dsl.display.picture.svg import Box
from targi_dsl.display.scene import Scene, split_by_player
from targi_dsl.engine.chance import Asked
from targi_dsl.information.observation import Observation
from targi_dsl.ir.layout import Item, Items, PlayerPart, Table
from targi_dsl.text.languages import ENGLISH, Language
from targi_dsl.view.outcomes import outcome_of
from targi_dsl.view.shape import Named, Value
from targi_dsl.view.views import view
from targi_dsl.view.words import Words

GAP = 14.0
MARGIN = 28.0
LEAST = 480.0
"""The least width of the common table."""
SHAPE = 1.45
"""The preferred ratio of width to height."""


def picture(observation: Observation, language: Language = ENGLISH) -> str:
    """A position as SVG, drawn from the layout, the cards and the look of its game. It depends on
    the observation alone, so equal observations give equal pictures.
    """
    words, outcome = Words(observation.game, language), None
    if observation.turn is None and not observation.unknown and not observation.hidden:
        ended = State(observation.game, observation.vector, Asked(), None)
        outcome = outcome_of(result(ended), words)
    scene = Scene(view(observation, words, outcome=outcome), words)
    table = _table(scene)
    legend = svg.flow(_legend(scene), table.width, 16, centred=True)
    body = svg.column([_head(scene, table.width), table, legend], 20)
    drawn = svg.pad(body, MARGIN, MARGIN)
    ground = svg.element("rect", width="100%", height="100%", class_="page")
    title = f"<title>{escape(scene.game.title)}</title>"
    inner = ground + drawn.body
    rules = f"<style>{svg.style(inner)}</style>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {svg.number(drawn.width)} '
        f'{svg.number(drawn.height)}" role="img">{title}{rules}{inner}</svg>\n'
    )


def _head(scene: Scene, room: float) -> Box:
    whose, asked = scene.say("as everybody sees it"), scene.view.question
    if scene.you:
        whose = scene.say("as {seat} sees it", seat=scene.players[scene.you].name)
    heading = scene.say("the game is over")
    if asked is not None:
        heading = scene.language.labelled(scene.seat(asked.seat), asked.text)
    title = svg.text(scene.game.title, 24, bold=True)
    line = svg.row([title, svg.text(whose, 12, "soft")], 12, centred=True)
    return svg.column([line, *svg.lines(list(rich(scene, heading, 13)), room, 13, "soft")], 2)


def _table(scene: Scene) -> Box:
    """The common table with the players beside or below it, in the arrangement of the best
    proportions.
    """
    _, own = split_by_player(scene.game)
    arranged = _arrange(scene, own) if own else iter([_middle(scene, 0)])
    return min(arranged, key=lambda box: abs(box.width / box.height - SHAPE))


def _middle(scene: Scene, room: float) -> Box:
    """The common table, at least as wide as the room."""
    shared, _ = split_by_player(scene.game)
    least = max(LEAST, room - 32, _widest_table(scene, shared))
    zones = svg.flow((zone(scene, place, least) for place in scene.left_out("")), least, GAP)
    middle = svg.column([parts(scene, shared, "", least), zones], GAP)
    is_board = len(shared) == 1 and not scene.game.cards
    return middle if is_board or not middle.height else panel(middle, room - 32)


def _arrange(scene: Scene, own: list[PlayerPart]) -> Iterator[Box]:
    """Arrangements: the players beside the common table, or below it in rows of one, two or all."""
    least = max(300.0, _widest_table(scene, (one for entry in own for one in entry.parts)))

    def panels(each: float) -> list[Box]:
        return [player(scene, entry, each) for entry in own]

    yield svg.row([_middle(scene, 0), svg.column(panels(least), GAP)], GAP)
    for across in sorted({1, 2, len(own)}):
        middle = _middle(scene, across * (least + 32) + GAP * (across - 1))
        drawn = panels(max(least, (middle.width - GAP * (across - 1)) / across - 32))
        rows = (svg.row(drawn[at : at + across], GAP) for at in range(0, len(drawn), across))
        yield svg.column([middle, *rows], GAP, centred=True)


def _widest_table(scene: Scene, found: Iterable[Table | Items]) -> float:
    tables = (table(scene, one) for one in found if isinstance(one, Table))
    return max((one.width for one in tables), default=0.0)


# ---- panels ----


def parts(scene: Scene, found: Iterable[Table | Items], player: str, room: float) -> Box:
    """Tables and lines, side by side where there is room."""
    return svg.flow((_part(scene, one, player, room) for one in found), room, GAP)


def _part(scene: Scene, part: Table | Items, player: str, room: float) -> Box:
    if isinstance(part, Table):
        return table(scene, part)
    items = [box for one in part.items for box in item(scene, one, player, room)]
    chips = [one for one in items if one.height <= _CHIP]
    others = [one for one in items if one.height > _CHIP]
    return svg.column([svg.flow(chips, room, 8), svg.flow(others, room, GAP)], GAP)


_CHIP = 30.0


def item(scene: Scene, of: Item, player: str, room: float) -> Iterator[Box]:
    """The boxes of an entry of a line."""
    match of.what:
        case "resource":
            thing, have = scene.resources[of.name], scene.amount(player, of.of)
            yield _chip(thing.name, [svg.text(str(have), 14, bold=True)], _mark(thing))
        case "variable":
            value = scene.view.values[of.of[0]]
            yield _chip(value.name, _value(scene, value), [])
        case "pieces":
            off = [scene.game.pieces[one] for one in scene.view.off_board if one in of.of]
            marks = [svg.piece(scene.game, one.kind, one.owner, 18) for one in off]
            if marks:
                left = svg.text(str(len(off)), 14, bold=True)
                yield _chip(scene.piece_kinds[of.name].name, [svg.row(marks[:6], 1), left], [])
        case _:
            for place in of.of:
                yield zone(scene, place, room)


def _mark(thing: Named | None) -> list[Box]:
    return [svg.token(thing, 18)] if svg.has_token(thing) else []


def _value(scene: Scene, value: Value) -> list[Box]:
    """The value of a variable, with its mark."""
    if value.sort == "player":
        dot = svg.shape("disc", svg.paint(scene.players[value.id].look.colour), 12)
        return [svg.row([dot, svg.text(value.text, 14, bold=True)], 4, centred=True)]
    return [*_mark(scene.things.get(value.id)), svg.text(value.text, 14, bold=True)]


def _chip(name: str, value: list[Box], mark: list[Box]) -> Box:
    """A name and a value in a rounded frame."""
    inner = svg.row([*mark, svg.text(name, 11, "soft"), *value], 6, centred=True)
    return svg.on_ground(inner, 9, 5, 13.5, class_="page line")


# ---- players ----


def player(scene: Scene, part: PlayerPart, room: float) -> Box:
    """The panel of a player: name and notes, the parts of the layout, and zones that it leaves
    out.
    """
    name, ink = part.player, svg.paint(scene.players[part.player].look.colour)
    boxes = [svg.shape("disc", ink, 16), svg.text(scene.players[name].name, 16, bold=True)]
    for note in scene.notes(name):
        is_flag = note == scene.say("to move")
        boxes.append(_flag(note, ink) if is_flag else svg.text(note, 12, "soft"))
    ended = scene.view.outcome
    if ended is not None and ended.scores is not None:
        total = ended.scores.totals[[*scene.players].index(name)]
        in_all = scene.language.labelled(scene.say("in all"), total)
        boxes.append(svg.text(in_all, 14, bold=True))
    head = svg.row(boxes, 8, centred=True)
    left_out = svg.flow((zone(scene, place, room) for place in scene.left_out(name)), room, GAP)
    inner = [head, parts(scene, part.parts, name, room), left_out]
    return panel(svg.column(inner, 12), room)


def _flag(note: str, ink: svg.Paint) -> Box:
    inner = svg.text(note, 10.5, bold=True, fill=ink.ink)
    return svg.on_ground(inner, 8, 2.5, 9, fill=ink.fill, stroke=ink.edge)


def panel(inner: Box, room: float = 0) -> Box:
    """A box with a background."""
    wide = Box(max(inner.width, room), inner.height, inner.body)
    return svg.on_ground(wide, 16, 16, 14, class_="panel line")


# ---- legend ----


def _legend(scene: Scene) -> Iterator[Box]:
    """Explanations of the marks."""
    game = scene.game
    kinds = {(one.kind, one.owner): one.name for one in game.pieces.values()}
    for kind, name in kinds.items():
        yield _entry(svg.piece(game, *kind, 16), name)
    things = (one for one in scene.things.values() if one.id not in game.groups)
    for thing in filter(svg.has_token, things):
        yield _entry(svg.token(thing, 16), thing.name)
    for back in game.card_kinds:
        if back.look.colour:
            yield _entry(svg.shape("square", svg.paint(back.look.colour), 15), back.name)


def _entry(mark: Box, name: str) -> Box:
    return svg.row([mark, svg.text(name, 11, "soft")], 5, centred=True)
