"""Faster text for PNG and SVG files, and axes without ticks.

matplotlib shapes every label anew each time its size is asked for, and its Agg renderer rasterises every
glyph of it again: two thirds of the time of a chart. Here Pillow (which matplotlib itself needs) sets a
label in one call, in the same font, and remembers it. All else is matplotlib's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from math import cos, radians, sin
from operator import attrgetter
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.colors import to_hex
from matplotlib.font_manager import FontProperties, findfont
from numpy.typing import ArrayLike, NDArray
from PIL import ImageFont

from analyzer.report.marks import Areas, Colours, Dots, Hints, Labels, Lines, Mark


class TextAgg(RendererAgg):
    """Agg whose plain text is set by Pillow; anything special goes the usual way."""

    def draw_text(self, gc: Any, x: float, y: float, s: str, prop: FontProperties, angle: float,
                  ismath: Any = False, mtext: Any = None) -> None:  # fmt: skip
        """Draw one line of text, its baseline beginning at (x, y) in pixels."""
        if ismath or not s.strip():
            plain: Any = super().draw_text
            plain(gc, x, y, s, prop, angle, ismath, mtext)
            return
        picture, right, below = _picture(s, _file(prop), self._pixels(prop))
        a = radians(angle)
        # Agg wants the lower left corner of the picture: moved from the baseline's start, turned with
        # the text.
        left = round(x + right * cos(a) + below * sin(a))
        bottom = round(y + below * cos(a) - right * sin(a))
        renderer: Any = self._renderer
        renderer.draw_text_image(picture, left, bottom + 1, angle, gc)

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> Any:
        """Width, height and descent of a line in pixels."""
        if ismath or not s.strip():
            plain: Any = super().get_text_width_height_descent
            return plain(s, prop, ismath)
        return _measure(s, _file(prop), self._pixels(prop))

    def _pixels(self, prop: FontProperties) -> float:
        return float(prop.get_size_in_points()) * float(self.dpi) / 72.0


class TextSVG(RendererSVG):
    """SVG whose plain text is measured by Pillow."""

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> Any:
        """Width, height and descent of a line in points."""
        if ismath or not s.strip():
            plain: Any = super().get_text_width_height_descent
            return plain(s, prop, ismath)
        # Measured ten times as large: small sizes have their widths rounded.
        measured = _measure(s, _file(prop), 10 * float(prop.get_size_in_points()))
        return tuple(x / 10 for x in measured)

    def draw_anchored(self, gc: Any, x: float, y: float, s: str, prop: FontProperties, angle: float,
                      anchor: str) -> None:  # fmt: skip
        """Write one line of text that begins, ends or has its middle at (x, y), whatever font shows it."""
        place = {"x": f"{x:.2f}", "y": f"{y:.2f}"}
        if angle:
            place["transform"] = f"rotate({-angle:g} {place['x']} {place['y']})"
        size, weight = prop.get_size_in_points(), prop.get_weight()
        writer: Any = self.writer
        writer.element("text", s, attrib={"style": _css(size, weight, gc.get_rgb(), anchor), **place})

    def draw_hint(self, x: float, y: float, radius: float, text: str) -> None:
        """Words that are shown where the pointer rests near (x, y); nothing is drawn."""
        writer: Any = self.writer
        place = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": f"{radius:g}"}
        writer.start("circle", attrib={**place, "fill": "none", "pointer-events": "all"})
        writer.element("title", text)
        writer.end("circle")


@lru_cache(maxsize=256)
def _css(size: float, weight: Any, rgba: Any, anchor: str) -> str:
    bold = "" if weight == "normal" else f" font-weight: {weight};"
    side = {"left": "start", "center": "middle", "right": "end"}[anchor]
    font = f"font-size: {size:g}px;{bold} font-family: 'DejaVu Sans', sans-serif"
    return f"{font}; text-anchor: {side}; fill: {to_hex(rgba)}"


class Canvas(FigureCanvasAgg):
    """A canvas that draws with `TextAgg`."""

    def get_renderer(self) -> Any:
        """The renderer of the figure's present size, made anew when the size has changed."""
        made: Any = TextAgg
        key = (*self.figure.bbox.size, self.figure.dpi)
        if getattr(self, "_made_for", None) != key:
            self.renderer = made(*key)
            self._made_for = key
        return self.renderer


class Panel(Axes):
    """Axes that hold marks. Its own ticks are made when somebody asks for them: charts here switch them off,
    and to make and to go through them is most of the work of axes."""

    _children: list[Any]

    def add_artist(self, a: Any) -> Any:
        """Add an artist; a mark says itself where it is clipped."""
        if not isinstance(a, Mark):
            return super().add_artist(a)
        mark: Any = a
        mark.axes = self
        mark.set_figure(self.figure)
        self._children.append(mark)
        mark._remove_method = self._children.remove
        return mark

    def put(self, mark: Mark, where: str = "data", clip: bool = True) -> None:
        """Put a mark on the axes, cut off where they end if `clip`.

        where: "data"; "axes", from 0 to 1; "x" or "y": data in this direction only.
        """
        transforms: dict[str, Any] = {
            "data": lambda: self.transData, "axes": lambda: self.transAxes,
            "x": self.get_xaxis_transform, "y": self.get_yaxis_transform,
        }  # fmt: skip
        mark.set_transform(transforms[where]())
        if clip:
            mark.set_clip_box(self.bbox)
        self.add_artist(mark)

    def add_labels(self, places: ArrayLike, texts: Iterable[str], colours: Colours, size: float,
                   where: str = "data", role: str = "", **how: Any) -> None:  # fmt: skip
        """Texts at places [text, xy]; see `marks.Labels`. role: what they are, "x-ticks" or "empty"."""
        labels = Labels(places, texts, colours, size, **how)
        labels.role = role
        self.put(labels, where, clip=False)

    def add_lines(self, shapes: Sequence[ArrayLike], colours: Colours, width: float, where: str = "data",
                  clip: bool = True, **how: Any) -> None:  # fmt: skip
        """Lines through the points of each shape [point, xy]; see `marks.Lines`."""
        self.put(Lines(shapes, colours, width, **how), where, clip)

    def add_areas(
        self, shapes: Sequence[ArrayLike], colours: Colours, zorder: float = 1.0, **how: Any
    ) -> None:
        """Filled polygons [corner, xy]; see `marks.Areas`."""
        self.put(Areas(shapes, colours, zorder, **how))

    def add_dots(self, places: ArrayLike, colours: Colours, diameter: float, **how: Any) -> None:
        """Dots at places [dot, xy]; see `marks.Dots`."""
        self.put(Dots(places, colours, diameter, **how))

    def add_hints(self, places: ArrayLike, texts: Iterable[str], radius: float = 8.0) -> None:
        """Words shown where the pointer rests near places [text, xy]; see `marks.Hints`."""
        self.put(Hints(places, texts, radius), clip=False)

    def draw(self, renderer: Any) -> None:
        """Draw what was put on the axes."""
        plain: Any = super()
        if self.axison:
            plain.draw(renderer)
            return
        plain._unstale_viewLim()
        renderer.open_group("axes", self.get_gid())
        for artist in sorted(self._children, key=attrgetter("zorder")):
            artist.draw(renderer)
        renderer.close_group("axes")

    def _init_axis(self) -> None:
        plain: Any = super()
        plain._init_axis()
        for axis in (self.xaxis, self.yaxis):
            made: Any = axis
            made.reset_ticks = partial(_no_ticks, axis)


def _no_ticks(axis: Axis) -> None:
    axis.majorTicks, axis.minorTicks = [], []


def _file(prop: FontProperties) -> str:
    """The file of a font. matplotlib's own search reads a dozen settings before it remembers."""
    family, sans = tuple(prop.get_family()), tuple(rcParams["font.sans-serif"])
    return _found(family, sans, prop.get_style(), prop.get_variant(), prop.get_weight(), prop.get_stretch())


@lru_cache(maxsize=64)
def _found(family: tuple[str, ...], _sans: Any, look: Any, variant: Any, weight: Any, stretch: Any) -> str:
    return str(
        findfont(
            FontProperties(family=list(family), style=look, variant=variant, weight=weight, stretch=stretch)
        )
    )


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """The width in points of a line in the charts' font."""
    path = findfont(FontProperties(family="DejaVu Sans", weight=weight))
    # Small sizes have their widths rounded to whole pixels, so measure a large one.
    return _measure(text, path, 20 * size)[0] / 20


@lru_cache(maxsize=32)
def _font(path: str, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=2048)
def _measure(text: str, path: str, size: float) -> tuple[float, float, float]:
    font = _font(path, size)
    _, top, _, bottom = font.getbbox(text, anchor="ls")
    return float(font.getlength(text)), float(bottom - top), float(max(bottom, 0))


@lru_cache(maxsize=2048)
def _picture(text: str, path: str, size: float) -> tuple[NDArray[np.uint8], int, int]:
    """Coverage uint8[height, width], its left edge right of the start, its lower edge below the baseline."""
    mask, (right, top) = _font(path, size).getmask2(text, mode="L", anchor="ls")
    width, height = mask.size
    return np.array(mask, dtype=np.uint8).reshape(height, width), int(right), int(top) + height
