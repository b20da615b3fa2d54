"""Validates nodes against a JSON Schema; violations become problems with spans."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from targi_dsl.cardfiles.nodes import Mapping, Node, Sequence, plain
from targi_dsl.text import resources
from targi_dsl.text.diagnostics import Problem
from targi_dsl.text.source import Span
from targi_dsl.text.suggestions import did_you_mean

Json = Any
Schema = dict[str, Json]
"""A JSON Schema, or a part of one."""


@cache
def shipped_schema(name: str) -> Schema:
    """A schema that is shipped with this program."""
    data = resources.read(f"schema/{name}.json")
    if data is None:
        raise FileNotFoundError(f"schema/{name}.json is not shipped with this program")
    schema: Schema = json.loads(data)
    return schema


def validate(node: Node, schema: Schema) -> list[Problem]:
    """The violations of the schema (draft 2020-12), one problem for each fault."""
    validator = _validator(json.dumps(schema))
    data: Json = plain(node)
    found = [
        (key, problem)
        for error in validator.iter_errors(data)
        for key, problem in _problems(node, error)
    ]
    # A value of the wrong type usually violates other constraints too: report the type.
    found.sort(key=lambda one: (one[0], one[1].code != "E503"))
    once: dict[tuple[int, int, str], Problem] = {}
    for key, problem in found:
        once.setdefault(key, problem)
    return list(once.values())


_Fault = tuple[tuple[int, int, str], Problem]
"""A problem with its subject: a span, and a name to distinguish subjects of one span."""


@lru_cache(maxsize=16)
def _validator(schema: str) -> Validator:
    def matches(_: Validator, pattern: str, value: object, __: object) -> Iterator[ValidationError]:
        # In a JSON Schema `$` is the end; in Python it may also stand before a last line feed.
        ends = pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern
        if isinstance(value, str) and not re.search(ends, value):
            yield ValidationError(pattern)

    exact: type[Validator] = extend(Draft202012Validator, {"pattern": matches})  # type: ignore[no-untyped-call]
    return exact(json.loads(schema))


def _problems(root: Node, error: ValidationError) -> Iterator[_Fault]:
    node, key = _node_at(root, list(error.absolute_path))
    schema: Schema = error.schema if isinstance(error.schema, dict) else {}
    if "propertyNames" in error.absolute_schema_path and isinstance(node, Mapping):
        name = str(error.instance)
        yield _fault(node.keys[name], name, "E506", "not a key", *_misfit(error, schema))
    elif error.validator == "required" and isinstance(node, Mapping):
        yield from _missing_keys(node, key, schema)
    elif error.validator == "additionalProperties" and isinstance(node, Mapping):
        yield from _unknown(node, schema)
    else:
        yield _value_fault(node, error, schema)


def _node_at(root: Node, path: list[str | int]) -> tuple[Node, Span | None]:
    """The node at a path, and the span of its key."""
    node = root
    key: Span | None = None
    for step in path:
        if isinstance(node, Mapping):
            key, node = node.keys[str(step)], node.entries[str(step)]
        elif isinstance(node, Sequence):
            key, node = None, node.items[int(step)]
    return node, key


def _fault(span: Span, about: str, code: str, title: str, text: str, hint: str = "") -> _Fault:
    return (span.start, span.end, about), Problem(code, title, span, text, hint)


def _missing_keys(node: Mapping, key: Span | None, schema: Schema) -> Iterator[_Fault]:
    # There is one error for each missing key, without its name; here each reports all of them.
    place = key or _first_line(node.span)
    misspelt = _unknown_keys(node, schema).values()
    for name in schema["required"]:
        if name not in node.entries and name not in misspelt:
            examples = schema.get("properties", {}).get(name, {}).get("examples", ["..."])
            text = f'"{name}" is needed here.'
            hint = f"Add `{name}: {examples[0]}`."
            yield _fault(place, name, "E501", f'"{name}" is missing', text, hint)


def _first_line(span: Span) -> Span:
    length = span.text.find("\n")
    return span if length < 0 else Span(span.home, span.first, span.first + length)


def _unknown(node: Mapping, schema: Schema) -> Iterator[_Fault]:
    known = ", ".join(schema.get("properties", {}))
    text = f"Possible keys are: {known}." if known else "No keys are allowed here."
    for name, near in _unknown_keys(node, schema).items():
        title = f'unknown key "{name}"'
        yield _fault(node.keys[name], name, "E502", title, text, _mean(near))


def _unknown_keys(node: Mapping, schema: Schema) -> dict[str, str | None]:
    """The keys that are not allowed, each with the missing key that was probably meant."""
    if schema.get("additionalProperties") is not False:
        return {}
    known = schema.get("properties", {})
    missing = [name for name in known if name not in node.entries]
    return {name: did_you_mean(name, missing) for name in node.entries if name not in known}


def _mean(name: str | None) -> str:
    return f"Did you mean `{name}`?" if name else ""


def _value_fault(node: Node, error: ValidationError, schema: Schema) -> _Fault:
    allowed: Json = error.validator_value
    match error.validator:
        case "type" if error.instance is None:
            text = f"Nothing follows the colon; {_types_allowed(error)} belongs there."
            return _fault(node.span, "", "E503", "the value is missing", text)
        case "type":
            text, hint = _wrong_type(error, schema)
            return _fault(node.span, "", "E503", "wrong type of value", text, hint)
        case "enum":
            near = did_you_mean(str(error.instance), [str(value) for value in allowed])
            words = ", ".join(json.dumps(value, ensure_ascii=False) for value in allowed)
            title, text = (
                f"unknown value {_excerpt(error.instance)}",
                f"Only {words} may stand here.",
            )
            return _fault(node.span, "", "E504", title, text, _mean(near))
        case "const":
            return _fault(node.span, "", *_wrong_constant(error))
        case _:
            return _fault(node.span, "", "E506", "value does not fit", *_misfit(error, schema))


def _wrong_type(error: ValidationError, schema: Schema) -> tuple[str, str]:
    needed = _types_allowed(error)
    text = f"{needed[0].upper()}{needed[1:]} is needed here, not {_described(error.instance)}."
    return text, _right_type(error, schema)


def _types_allowed(error: ValidationError) -> str:
    """The types of value that are allowed."""
    wanted: Json = error.validator_value
    names = [_TYPES[name] for name in ([wanted] if isinstance(wanted, str) else wanted)]
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _right_type(error: ValidationError, schema: Schema) -> str:
    """A hint how the value is written as the right type."""
    wanted: Json = error.validator_value
    value = error.instance
    if "string" in wanted and isinstance(value, int):
        return f'Write `"{json.dumps(value)}"` in quotes for a text.'
    if isinstance(value, str) and schema.get("required") == ["en"]:
        text = value if re.fullmatch(r"\w[\w ]*", value) else json.dumps(value, ensure_ascii=False)
        return f"Texts are given by language. Write `{{en: {text}}}`."
    return ""


_TYPES = {
    "integer": "a number",
    "number": "a number",
    "string": "a text",
    "boolean": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "a block of keys",
}


def _described(value: object) -> str:
    match value:
        case bool():
            return json.dumps(value)
        case int():
            return f"the number {value}"
        case str():
            return f"the text {_excerpt(value)}"
        case list():
            return "a list"
        case _:
            return "a block of keys"


def _excerpt(value: object) -> str:
    text = " ".join(str(value).split())
    return f"'{text[:37]}...'" if len(text) > 40 else f"'{text}'"


def _wrong_constant(error: ValidationError) -> tuple[str, str, str, str]:
    wanted, given = error.validator_value, error.instance
    newer = isinstance(given, int) and isinstance(wanted, int) and given > wanted
    if list(error.absolute_path) == ["language"] and newer:
        text = f"This file is written in language {given}; this program reads language {wanted}."
        return "E505", "newer language", text, "Use a newer version of the program."
    text = f"Only {json.dumps(wanted)} is allowed here."
    return "E504", f"unknown value {_excerpt(given)}", text, f"Write `{json.dumps(wanted)}`."


def _misfit(error: ValidationError, schema: Schema) -> tuple[str, str]:
    """Why a value of the right type is invalid, with a hint."""
    limit, value = error.validator_value, error.instance
    match error.validator:
        case "minimum":
            return f"The number must be at least {limit}.", f"Write `{limit}` or more."
        case "maximum":
            return f"The number must be at most {limit}.", f"Write `{limit}` or less."
        case "minLength" if not value:
            return "The text is empty.", ""
        case "minLength" | "maxLength":
            return f"The text must have {_limit_of(error)} characters, not {_length(value)}.", ""
        case "minItems" | "maxItems":
            return f"The list must have {_limit_of(error)} entries, not {_length(value)}.", ""
        case "uniqueItems":
            return "The list has something twice.", ""
        case "pattern":
            words = schema.get("examples", [])
            near = next(
                (found for one in str(value).split() if (found := did_you_mean(one, words))), None
            )
            joined = "_".join(str(value).lower().split())
            fits = " " in str(value) and re.fullmatch(str(schema.get("pattern")), joined)
            text = f"{_excerpt(value)} does not have the right form."
            text = f"{text} {schema.get('description', '')}".strip()
            return text, _mean(near or (joined if fits else None))
        case "anyOf" | "oneOf":
            # It is unknown which alternative was meant: a schema works better with if and then.
            return "This has none of the allowed forms.", ""
        case _:
            return f"This does not fit: {error.message}.", ""


def _limit_of(error: ValidationError) -> str:
    side = "at least" if str(error.validator).startswith("min") else "at most"
    return f"{side} {error.validator_value}"


def _length(value: object) -> int:
    return len(value) if isinstance(value, str | list) else 0
