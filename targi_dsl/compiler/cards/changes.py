"""Applies the changes that modules make to single cards: fields set, replaced or removed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from targi_dsl import cardfiles
from targi_dsl.cardfiles import Mapping as Entries
from targi_dsl.cardfiles import Node, Scalar, Sequence
from targi_dsl.compiler.cards.decks import SENTENCES, DeckCard, Sets, Words, with_copies
from targi_dsl.compiler.layers.changes import CardChange
from targi_dsl.compiler.layers.error_symbols import Unresolved
from targi_dsl.syntax import ast as n
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Embedded
from targi_dsl.text.suggestions import suggestion

_TRANSLATED = ("name", "short", "text")
_FIXED = ("id", "source")


def changed_sets(
    sets: Sets, words: Words, changes: Mapping[str, tuple[CardChange, ...]], problems: list[Problem]
) -> Sets:
    """The card sets with all changes applied; each set is evaluated once."""
    cache: dict[str, tuple[DeckCard, ...]] = {}

    def cards(word: n.Word) -> tuple[DeckCard, ...]:
        if word.text not in cache:
            # By identity, since two entries may have the same id, which is an error.
            entries = {id(card.entry): card for card in sets(word)}
            changed = (
                _change_card(card, changes.get(card.entry.id, ()), words, problems)
                for card in entries.values()
            )
            cache[word.text] = with_copies(changed)
        return cache[word.text]

    return cards


def unknown_cards(
    changes: Mapping[str, tuple[CardChange, ...]], cards: Iterable[str]
) -> Iterator[Problem]:
    """Problems of changes of cards that are in none of the sets that the decks use."""
    known = list(cards)
    for name, ones in changes.items():
        if name not in known:
            text = "No deck of this game names a set with such a card, so it cannot be changed."
            for one in ones:
                title, hint = f"unknown card `{name}`", suggestion(name, known)
                yield Unresolved("E402", title, one.card.span, text, hint, name=name)


def _change_card(
    card: DeckCard, changes: tuple[CardChange, ...], words: Words, problems: list[Problem]
) -> DeckCard:
    nodes = (change.node for change in changes)
    fields = [one for node in nodes if isinstance(node, n.ChangeCard) for one in node.changes]
    if not fields:
        return card
    entries, keys = dict(card.entry.node.entries), dict(card.entry.node.keys)
    changed_fields: set[str] = set()
    for one in fields:
        name = one.name.text
        keys[name] = one.name.span
        if name in _FIXED:
            text = f"A card's other fields can be changed, but not its `{name}`."
            problems.append(Problem("E510", f"`{name}` stays", one.name.span, text))
        elif one.values:
            before = entries.get(name) if name in changed_fields else None
            entries[name] = _value(card, one, before, words)
        elif entries.pop(name, None) is None:
            text = f"Card {card.entry.id} has no `{name}`, so there is nothing to remove."
            problems.append(Problem("E402", f"no `{name}` here", one.name.span, text))
        changed_fields.add(name)
    if card.entry.texts and "text" not in changed_fields:
        problems.extend(_old_text(card, fields, words))
    if "name" not in changed_fields:
        problems.extend(_old_name(card, fields, words))
    entry, misfits = cardfiles.entry_of(Entries(entries, keys, card.entry.node.span))
    problems.extend(misfits)
    changed = card if entry is None else card.with_entry(entry)
    return replace(changed, changes=tuple(one.span for one in fields))


def _value(card: DeckCard, change: n.FieldChange, before: Node | None, words: Words) -> Node:
    """The new value as a card file would have it. `before`: what earlier lines of the same change
    have set, with texts in other languages.
    """
    name = change.name.text
    if name in _TRANSLATED:
        language = change.language or n.Word("en", span=change.name.span)
        translations = before if isinstance(before, Entries) else Entries({}, {}, change.span)
        return Entries(
            {**translations.entries, language.text: _scalar(change.values[0])},
            {**translations.keys, language.text: language.span},
            change.span,
        )
    type_ = words.type([card.kind], name)
    if len(change.values) > 1 or (type_ is not None and type_.form == "list"):
        return Sequence(tuple(map(_scalar, change.values)), change.span)
    return _scalar(change.values[0])


def _scalar(word: n.Word) -> Scalar:
    start, end = word.span.first, word.span.last
    text = word.text
    if text.startswith('"'):
        text, start, end = text[1:-1], start + 1, end - 1
    inner = Embedded(word.span.home, text, range(start, end + 1))
    if word.text.isdecimal():
        return Scalar(int(text), word.span, Embedded(word.span.home, "", (start,)))
    return Scalar({"yes": True, "no": False}.get(word.text, text), word.span, inner)


def _old_text(card: DeckCard, fields: Iterable[n.FieldChange], words: Words) -> Iterator[Problem]:
    """Warns (W910) if an ability changes but the text that describes it does not."""
    for one in fields:
        type_ = words.type([card.kind], one.name.text)
        if type_ is not None and type_.name in SENTENCES:
            title = f"the text of `{card.entry.id}` still describes the old ability"
            text = f"Its `{one.name.text}` has changed. Change its text too:"
            yield Problem("W910", title, one.name.span, text, 'text "..."')


def _old_name(card: DeckCard, fields: Iterable[n.FieldChange], words: Words) -> Iterator[Problem]:
    """Warns (W910) if the card's name contains a number of the ability that has changed."""
    name = next(iter(card.entry.names.values()), "")
    for one in fields:
        type_, before = words.type([card.kind], one.name.text), card.entry.fields.get(one.name.text)
        if type_ is None or type_.name not in SENTENCES or not isinstance(before, Scalar):
            continue
        was, now = _numbers(before.span.text), _numbers(" ".join(word.text for word in one.values))
        new = now - was
        for number in sorted(_counted(name) & (was - now)):
            renamed = re.sub(rf"\b{number}(?!\d)", min(new), name) if len(new) == 1 else "..."
            title = f"the name of `{card.entry.id}` still says {number}"
            text = f"Its `{one.name.text}` no longer does. Change its name too:"
            yield Problem("W910", title, one.name.span, text, f'name "{renamed}"')


def _counted(name: str) -> set[str]:
    """The numbers in a name that precede what they count: in `3 coins`, but not in `inn 3`."""
    return {*re.findall(r"\b\d+(?= +\w)", name)}


def _numbers(text: str) -> set[str]:
    return {*re.findall(r"\b\d+", text)}
