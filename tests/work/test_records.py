"""Plain data made into dataclasses: what fits is made, what does not is named by its path."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from classy_aesop import InputError
from classy_aesop.work.records import TypedReader


class Shape:
    """A family of two kinds."""


@dataclass(frozen=True)
class Circle(Shape):
    radius: float


@dataclass(frozen=True)
class Several(Shape):
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Paper:
    format: Literal["letter", "a4"] = "a4"


@dataclass(frozen=True)
class Drawing:
    title: str
    shapes: tuple[Shape, ...] = ()
    size: tuple[int, int] = (1, 1)
    colours: Mapping[str, bool] = field(default_factory=dict)
    note: str | None = None
    names: tuple[str | tuple[str, ...], ...] = ()
    anything: Any = None
    paper: Paper = field(default_factory=Paper)

    def __post_init__(self):
        if not self.title:
            raise ValueError("no title")


READER = TypedReader(families={Shape: {"circle": Circle, "several": Several}})


def test_what_fits_is_made():
    circle = {"kind": "circle", "radius": 2}
    table = {
        "title": "t",
        "shapes": [{"kind": "several", "shapes": [circle]}],
        "size": [3, 4],
        "colours": {"red": True},
        "note": None,
        "names": ["a", ["b", "c"]],
        "anything": {"x": [1]},
    }
    made = READER.build(Drawing, table)
    assert made == Drawing(
        "t", (Several((Circle(2.0),)),), (3, 4), {"red": True}, None, ("a", ("b", "c")), {"x": [1]}
    )
    assert isinstance(made.shapes[0].shapes[0].radius, float)


def test_fields_that_are_made_already_are_taken():
    assert READER.build(Drawing, {"note": "n"}, extra_fields={"title": "t"}) == Drawing("t", note="n")
    with pytest.raises(InputError, match="unknown key 'title'; known keys here: shapes"):
        READER.build(Drawing, {"title": "t"}, extra_fields={"title": "t"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"title": None}, "title: Expected `str`, got `null`"),
        ({"title": ""}, "no title"),
        ({"size": [1]}, "size: Expected `array` of length 2, got 1"),
        ({"size": [1, True]}, "size[2]: Expected `int`, got `bool`"),
        ({"colours": {"red": 1}}, "colours[...]: Expected `bool`, got `int`"),
        ({"colours": []}, "colours: Expected `object`, got `array`"),
        ({"names": ["a", 1]}, "names[2]: Expected `str | array`, got `int`"),
        ({"names": [["a", 1]]}, "names[1][2]: Expected `str`, got `int`"),
        (
            {"shapes": [{"kind": "square"}]},
            "shapes[1]: kind: found 'square'; expected one of circle, several",
        ),
        ({"shapes": [{"kind": "circle"}]}, "shapes[1]: Object missing required field `radius`"),
        (
            {"shape": 1},
            "unknown key 'shape'; known keys here: title, shapes, size, colours, note, names, anything, paper",
        ),
        ({"paper": {"format": "a5"}}, "paper.format: found 'a5'; expected one of letter, a4"),
        ({"note": ["x" * 100]}, "note: Expected `str | null`, got `array`"),
    ],
)
def test_what_does_not_fit_is_named(change, message):
    with pytest.raises(InputError) as caught:
        READER.build(Drawing, {"title": "t", **change})
    assert str(caught.value) == message
