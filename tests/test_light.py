"""Light dataclasses behave like those of the standard library."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from copy import deepcopy
from typing import Any
from weakref import ref

import pytest

from targi_dsl.text import light


def classes(dataclass: Callable[..., Any]) -> tuple[Any, Any, Any]:
    """A class, one with everything else under it, and one without fields."""

    @dataclass(frozen=True, slots=True)
    class Point:
        """A point."""

        x: int
        y: int = 2
        place: str = dataclasses.field(kw_only=True, compare=False, repr=False)

    @dataclass(frozen=True, slots=True)
    class Named(Point):
        name: str = "P"
        more: list[int] = dataclasses.field(default_factory=list, hash=False)

        def __post_init__(self) -> None:
            assert self.name

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    return Point, Named, Empty


@pytest.fixture(params=[dataclasses.dataclass, light.dataclass], ids=["standard", "light"])
def all_three(request: pytest.FixtureRequest) -> tuple[Any, Any, Any]:
    return classes(request.param)


def test_objects_are_equal_by_their_fields(all_three: tuple[Any, Any, Any]) -> None:
    point, named, empty = all_three
    one = point(1, place="here")
    assert one == point(1, 2, place="there") != point(2, place="here")
    assert hash(one) == hash(point(x=1, y=2, place=""))
    assert one != named(1, place="here") != named(1, name="Q", place="here")
    assert empty() == empty() and hash(empty()) == hash(empty())
    assert one != (1, 2) and empty() != 0


def test_objects_tell_their_fields(all_three: tuple[Any, Any, Any]) -> None:
    point, named, empty = all_three
    assert repr(named(1, place="")).endswith("Named(x=1, y=2, name='P', more=[])")
    assert repr(empty()).endswith("Empty()")
    assert [one.name for one in dataclasses.fields(named)] == ["x", "y", "place", "name", "more"]
    assert point.__match_args__ == ("x", "y")
    assert point.__doc__ == "A point."
    assert dataclasses.replace(point(1, place="p"), y=3) == point(1, 3, place="")


def test_objects_are_frozen(all_three: tuple[Any, Any, Any]) -> None:
    point, named, _ = all_three
    for one in (point(1, place=""), named(1, place="")):
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
            one.x = 3
        with pytest.raises(dataclasses.FrozenInstanceError):
            del one.y
        with pytest.raises((AttributeError, TypeError)):  # the latter by a slip of Python 3.11
            one.other = 1
        assert not hasattr(one, "__dict__")


def test_what_a_class_demands_is_demanded(all_three: tuple[Any, Any, Any]) -> None:
    point, named, _ = all_three
    for wrong in ((), (1, 2, "here")):
        with pytest.raises(TypeError):
            point(*wrong)
    with pytest.raises(AssertionError):
        named(1, name="", place="")
    assert named(1, place="").more is not named(1, place="").more


def test_objects_are_copied(all_three: tuple[Any, Any, Any]) -> None:
    _, named, _ = all_three
    one = named(1, more=[1, 2], place="here")
    again = deepcopy(one)
    assert again == one and again.place == "here" and again.more is not one.more


@pytest.fixture(params=[dataclasses.dataclass, light.dataclass], ids=["standard", "light"])
def counter(request: pytest.FixtureRequest) -> Any:
    """A class that is not frozen, with a field that gets its value later."""

    @request.param(slots=True, kw_only=True, weakref_slot=True)
    class Counter:
        start: int
        marks: list[int] = dataclasses.field(default_factory=list)
        now: int = dataclasses.field(init=False)

        def __post_init__(self) -> None:
            self.now = self.start

    return Counter


def test_what_is_not_frozen_can_be_changed(counter: Any) -> None:
    one, other = counter(start=3), counter(start=3)
    assert one == other and one.now == 3
    assert ref(other)() is not None
    one.now, one.marks = 4, [1]
    assert one != other and repr(one).endswith("Counter(start=3, marks=[1], now=4)")
    assert dataclasses.replace(one, start=5).now == 5
    for call in (lambda: hash(one), lambda: counter(3), lambda: counter(start=3, now=3)):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("dataclass", [dataclasses.dataclass, light.dataclass])
def test_what_is_compared_by_identity_is_equal_to_itself_alone(dataclass: Any) -> None:
    @dataclass(frozen=True, slots=True, eq=False)
    class Place:
        x: int

    one = Place(1)
    assert one == one != Place(1) and len({one, one, Place(1)}) == 2


@light.dataclass(frozen=True, slots=True)
class Pair:
    left: int
    right: Pair | None = None


def test_objects_are_pickled() -> None:
    pair = Pair(1, Pair(2))
    assert pickle.loads(pickle.dumps(pair)) == pair
