"""A faster way to put text into PNG files.

matplotlib's Agg renderer shapes and rasterises every glyph of every label anew, which takes two thirds
of the time of a chart. This canvas has Pillow (matplotlib's own dependency) set each label in one call,
in the same font, and remembers it. All else is matplotlib's renderer.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians, sin
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.font_manager import FontProperties, findfont
from numpy.typing import NDArray
from PIL import ImageFont


class TextAgg(RendererAgg):
    """Agg whose plain text is set by Pillow; anything special goes the usual way."""

    def draw_text(self, gc: Any, x: float, y: float, s: str, prop: FontProperties, angle: float,
                  ismath: Any = False, mtext: Any = None) -> None:  # fmt: skip
        """Draw one line of text, its baseline beginning at (x, y) in pixels."""
        if ismath or not s.strip():
            plain: Any = super().draw_text
            plain(gc, x, y, s, prop, angle, ismath, mtext)
            return
        picture, right, below = _picture(s, findfont(prop), self._pixels(prop))
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
        return _measure(s, findfont(prop), self._pixels(prop))

    def _pixels(self, prop: FontProperties) -> float:
        return float(prop.get_size_in_points()) * float(self.dpi) / 72.0


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
