"""Dataclasses with slots that are cheap to create.

The standard library compiles six methods for each class, which for hundreds of node classes takes
longer than all other imports. Here most methods are shared, and `__init__` is made when the first
object is created. Otherwise the classes behave like standard ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

Method = Callable[..., Any]
_FIELD: Any = vars(dataclasses)["_FIELD"]
"""The standard library's mark of an ordinary field."""


def _made(of: Any, frozen: bool, eq: bool, kw_only: bool, weakref_slot: bool) -> Any:
    """The class again, with slots and methods: the slots of a class cannot be changed."""
    own = dict(of.__dict__)
    fields = _inherited(of) | {
        name: _field(name, annotation, own.pop(name, dataclasses.MISSING), kw_only)
        for name, annotation in own.get("__annotations__", {}).items()
    }
    taken = {name for base in of.__mro__[1:] for name in base.__dict__.get("__slots__", ())}
    names = (*fields, "__weakref__") if weakref_slot else fields
    given: dict[str, object] = {
        "__doc__": of.__doc__ or of.__name__,
        "__slots__": tuple(name for name in names if name not in taken),
        "__dataclass_fields__": fields,
        "__match_args__": tuple(
            one.name for one in fields.values() if one.init and not one.kw_only
        ),
    }
    for name in ("__dict__", "__weakref__"):
        own.pop(name, None)
    methods: dict[str, Method | None] = {"__init__": _init(frozen), "__repr__": _written}
    methods |= {"__replace__": replace}  # what copy.replace calls
    methods |= _compared([*fields.values()], frozen) if eq else {}
    methods |= _FROZEN if frozen else {}
    return type(of)(of.__name__, of.__bases__, methods | own | given)


def _inherited(of: type) -> dict[str, Any]:
    """The fields of the classes that a class is derived from."""
    fields = dict[str, Any]()
    for base in reversed(of.__mro__[1:]):
        fields |= base.__dict__.get("__dataclass_fields__", {})
    return fields


def _field(name: str, annotation: object, given: Any, kw_only: bool) -> Any:
    """A field as the standard library would leave it."""
    one: Any = given if isinstance(given, dataclasses.Field) else dataclasses.field(default=given)
    one.name, one.type, one._field_type = name, annotation, _FIELD
    if one.kw_only is dataclasses.MISSING:
        one.kw_only = kw_only
    return one


def _init(frozen: bool) -> Method:
    def init(self: Any, *given: object, **named: object) -> None:
        made: Any = next(one for one in type(self).__mro__ if vars(one).get("__init__") is init)
        made.__init__ = _own_init(made, frozen)
        made.__init__(self, *given, **named)

    return init


def _compared(fields: list[Any], frozen: bool) -> dict[str, Method | None]:
    compared = [one.name for one in fields if one.compare]
    values: Method = attrgetter(*compared) if compared else _nothing

    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    return {"__eq__": equal, "__hash__": (lambda self: hash(values(self))) if frozen else None}


def _nothing(_: object) -> tuple[()]:
    return ()


def _written(self: Any) -> str:
    shown = [one.name for one in dataclasses.fields(self) if one.repr]
    said = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{type(self).__qualname__}({said})"


def _refused(_: object, name: str, value: object = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _reduced(self: Any) -> tuple[Method, tuple[object, ...]]:
    return _restored, (type(self), *(getattr(self, one.name) for one in dataclasses.fields(self)))


def _restored(of: Any, *values: object) -> object:
    made = of.__new__(of)
    for one, value in zip(dataclasses.fields(of), values, strict=True):
        object.__setattr__(made, one.name, value)
    return made


_FROZEN: dict[str, Method] = {
    "__setattr__": _refused,
    "__delattr__": _refused,
    "__reduce__": _reduced,
}


def _own_init(made: Any, frozen: bool) -> Method:
    """An `__init__` that fills each slot. It is compiled with a number in place of each name, once
    for all classes of the same shape.
    """
    scope, names = dict[str, Any](), dict[str, str]()
    by_place, by_name, lines = ["self"], list[str](), list[str]()
    for number, one in enumerate(dataclasses.fields(made)):
        if not one.init:
            continue  # is given a value later
        name = value = f"f{number}"
        default = f"default_{name}"
        names[name] = one.name
        (by_name if one.kw_only else by_place).append(f"{name}{_default(one, default, scope)}")
        if one.default_factory is not dataclasses.MISSING:
            value = f"{default}() if {name} is None else {name}"
        if frozen:
            scope[f"set_{name}"] = getattr(made, one.name).__set__
            lines.append(f"    set_{name}(self, {value})\n")
        else:
            lines.append(f"    self.{name} = {value}\n")
    if hasattr(made, "__post_init__"):
        lines.append("    self.__post_init__()\n")
    given = ", ".join([*by_place, *(["*", *by_name] if by_name else [])])
    exec(_compiled(f"def __init__({given}):\n{''.join(lines) or '    pass'}"), scope)
    init: FunctionType = scope["__init__"]
    init.__code__ = _named(init.__code__, names)
    if init.__kwdefaults__:
        init.__kwdefaults__ = {names[name]: one for name, one in init.__kwdefaults__.items()}
    return init


def _default(one: Any, name: str, scope: dict[str, Any]) -> str:
    """How a parameter says its default, which is put in the scope."""
    if one.default is not dataclasses.MISSING:
        scope[name] = one.default
        return f"={name}"
    if one.default_factory is not dataclasses.MISSING:
        scope[name] = one.default_factory
        return "=None"
    return ""


@cache
def _compiled(text: str) -> CodeType:
    return compile(text, "<light>", "exec")


def _named(code: CodeType, names: dict[str, str]) -> CodeType:
    """Code with other names of variables and attributes."""
    variables = tuple(names.get(one, one) for one in code.co_varnames)
    attributes = tuple(names.get(one, one) for one in code.co_names)
    return code.replace(co_varnames=variables, co_names=attributes)


@cache
def _given(of: type) -> tuple[tuple[str, ...], Method]:
    """The fields that `__init__` takes, and how they are read from an object."""
    names = tuple(one.name for one in dataclasses.fields(of) if one.init)
    if len(names) == 1:
        return names, lambda one: (getattr(one, names[0]),)
    return names, attrgetter(*names) if names else _nothing


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:

    def replace(one: object, **changes: object) -> object:
        """A copy of a dataclass with other values for some fields."""
        names, values = _given(type(one))
        return type(one)(**(dict(zip(names, values(one), strict=True)) | changes))

    def dataclass(
        *, slots: bool, frozen: bool = False, eq: bool = True, kw_only: bool = False,
        weakref_slot: bool = False,
    ) -> Callable[[type], type]:  # fmt: skip
        """Makes a class a dataclass with slots."""
        assert slots
        return lambda of: _made(of, frozen, eq, kw_only, weakref_slot)
