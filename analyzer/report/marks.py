"""What the charts are made of: labels, lines, areas and dots, each many at once in one artist.

matplotlib has an object for every text and line. Making them, laying each out and drawing each twice (PNG and
SVG) is most of the time of a chart. A mark here draws all its labels or lines in a few calls of the renderer;
it is an ordinary artist otherwise, and any renderer of matplotlib can draw it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.colors import to_rgba
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Bbox
from numpy.typing import ArrayLike, NDArray

# The font's box about its baseline, in parts of its size (DejaVu Sans: 1556 and 492 of 2048).
ASCENT, DESCENT = 0.76, 0.24
BASELINE = {"top": -ASCENT, "center": -(ASCENT - DESCENT) / 2, "bottom": DESCENT, "baseline": 0.0}
LIFT = {"top": 0.0, "center": 0.5, "bottom": 1.0, "baseline": 0.0}  # of the lines below the first
LINE = 1.2  # from line to line, in parts of the size
BACK = {"left": 0.0, "center": 0.5, "right": 1.0}  # parts of its width by which a label is moved back
RIM = 0.8  # points: the rim of a dot

Colours = str | Sequence[Any]
_rgba = lru_cache(maxsize=128)(to_rgba)


class Mark(Artist):
    """Base of all marks. `colours`: one for all or one an item; items of one colour are drawn together."""

    def __init__(self, items: int, colours: Colours, zorder: float, alpha: float = 1.0) -> None:
        super().__init__()
        self.set_zorder(zorder)
        self._opacity = alpha
        self.role = ""  # what it is for on its axes, see `Panel.add_labels`
        self.items: dict[Any, list[int]] = {}  # by colour
        each = repeat(colours, items) if isinstance(colours, str) else map(_key, colours)
        for item, colour in zip(range(items), each, strict=True):
            self.items.setdefault(colour, []).append(item)

    def draw(self, renderer: Any) -> None:
        """Draw the items, colour by colour."""
        if not self.get_visible():
            return
        name = type(self).__name__.lower()
        renderer.open_group(name, self.get_gid())
        gc = renderer.new_gc()
        if self.get_clip_box() is not None:
            gc.set_clip_rectangle(self.get_clip_box())
        for colour in self.items:
            red, green, blue, opacity = _rgba(colour)
            self.paint(renderer, gc, colour, (red, green, blue, opacity * self._opacity))
        gc.restore()
        renderer.close_group(name)

    def paint(self, renderer: Any, gc: Any, colour: Any, rgba: tuple[float, ...]) -> None:
        """Draw the items of a colour."""
        raise NotImplementedError

    def points(self) -> int:
        """How many data points it shows."""
        raise NotImplementedError


def _key(colour: Any) -> Any:
    """A colour that can be a key: RGB arrays as tuples."""
    return colour if isinstance(colour, str) else tuple(map(float, colour))


class Labels(Mark):
    """Texts, `texts[i]` at `places[i]`, all of one size and alignment. A text may have several lines.

    shift: right and up, in points. angle: degrees; alignment is that of the text before it is turned.
    """

    def __init__(self, places: ArrayLike, texts: Iterable[str], colours: Colours, size: float,
                 ha: str = "left", va: str = "center", shift: tuple[float, float] = (0.0, 0.0),
                 bold: bool = False, angle: float = 0.0, zorder: float = 3.0) -> None:  # fmt: skip
        lines = [text.split("\n") for text in texts]
        of = [item for item, parts in enumerate(lines) for _ in parts]
        self.texts = [line for parts in lines for line in parts]
        # How many lines each stands below where its label alone would stand.
        self.below = np.array([k - LIFT[va] * (len(parts) - 1) for parts in lines for k in range(len(parts))])
        super().__init__(
            len(self.texts), colours if isinstance(colours, str) else [colours[item] for item in of], zorder
        )
        self.places = np.asarray(places, np.float64).reshape(-1, 2)[of]
        self.size, self.ha, self.va, self.shift = size, ha, va, shift
        self.bold, self.angle = bold, angle

    def paint(self, renderer: Any, gc: Any, colour: Any, rgba: tuple[float, ...]) -> None:
        """Draw the labels of a colour."""
        gc.set_foreground(rgba, isRGBA=True)
        font, anchors, (cos, sin) = _font(self.size, self.bold), self._anchors(renderer), self._along()
        height = renderer.get_canvas_width_height()[1] if renderer.flipy() else None
        anchored = getattr(renderer, "draw_anchored", None)
        for item in self.items[colour]:
            text, (x, y) = self.texts[item], anchors[item]
            if not text:
                continue
            if anchored is None:
                back = BACK[self.ha] * renderer.get_text_width_height_descent(text, font, False)[0]
                x, y = x - back * cos, y - back * sin
            y = y if height is None else height - y
            if anchored is None:
                renderer.draw_text(gc, x, y, text, font, self.angle)
            else:
                anchored(gc, x, y, text, font, self.angle, self.ha)

    def _along(self) -> tuple[float, float]:
        """The direction of the text."""
        return math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))

    def _anchors(self, renderer: Any) -> list[list[float]]:
        """The point on each label's baseline at its start, middle or end, in the renderer's units."""
        cos, sin = self._along()
        up = (BASELINE[self.va] - LINE * self.below) * self.size
        moved = np.column_stack([self.shift[0] - up * sin, self.shift[1] + up * cos])
        places = self.get_transform().transform(self.places) + renderer.points_to_pixels(moved)
        found: list[list[float]] = places.tolist()
        return found

    def boxes(self, renderer: Any) -> list[Bbox]:
        """The box around each label, in the renderer's units."""
        font, size, found = _font(self.size, self.bold), renderer.points_to_pixels(self.size), []
        cos, sin = self._along()
        for text, (x, y) in zip(self.texts, self._anchors(renderer), strict=True):
            width = renderer.get_text_width_height_descent(text, font, False)[0] if text else 0.0
            along = np.array([-BACK[self.ha], 1 - BACK[self.ha]]) * width
            across = np.array([-DESCENT, ASCENT]) * size
            corners = [(x + a * cos - b * sin, y + a * sin + b * cos) for a in along for b in across]
            found.append(Bbox([np.min(corners, axis=0), np.max(corners, axis=0)]))
        return found

    def points(self) -> int:
        """None: a label names data."""
        return 0


class Hints(Mark):
    """Words shown where the pointer rests, `texts[i]` around `places[i]`: on pages; a picture has none.

    radius: points within which they are shown.
    """

    def __init__(self, places: ArrayLike, texts: Iterable[str], radius: float = 8.0) -> None:
        self.places, self.texts = np.asarray(places, np.float64).reshape(-1, 2), list(texts)
        super().__init__(len(self.texts), "black", 9.0)
        self.radius = radius

    def paint(self, renderer: Any, gc: Any, colour: Any, rgba: tuple[float, ...]) -> None:
        """Hand each to a renderer that knows what hints are."""
        show = getattr(renderer, "draw_hint", None)
        if show is None:
            return
        height = renderer.get_canvas_width_height()[1]
        at = self.get_transform().transform(self.places)
        for (x, y), text in zip(at.tolist(), self.texts, strict=True):
            if text and math.isfinite(x) and math.isfinite(y):
                show(x, height - y, renderer.points_to_pixels(self.radius), text)

    def points(self) -> int:
        """None: a hint names data."""
        return 0


@lru_cache(maxsize=32)
def _font(size: float, bold: bool) -> FontProperties:
    return FontProperties(family=["DejaVu Sans"], size=size, weight="bold" if bold else "normal")


class Shapes(Mark):
    """Several polylines or polygons: `shapes[i]` is float[point, xy]."""

    def __init__(
        self, shapes: Sequence[ArrayLike], colours: Colours, zorder: float, alpha: float = 1.0
    ) -> None:
        super().__init__(len(shapes), colours, zorder, alpha)
        corners = [np.asarray(shape, np.float64).reshape(-1, 2) for shape in shapes]
        self.paths = {
            colour: _joined([corners[item] for item in items]) for colour, items in self.items.items()
        }

    def points(self) -> int:
        """Finite corners of all shapes."""
        return sum(int(np.isfinite(path.vertices).all(axis=1).sum()) for path in self.paths.values())


def _joined(shapes: list[NDArray[np.float64]]) -> Path:
    """Shapes as one path, the pen lifted between them."""
    points = np.concatenate(shapes)
    codes = np.full(len(points) + 1, Path.LINETO, np.uint8)
    codes[np.cumsum([0, *map(len, shapes)])] = Path.MOVETO  # where a shape begins; the last is one too many
    return Path(points, codes[:-1])


class Lines(Shapes):
    """Lines through the points of each shape. `dashes`: on and off, in widths of the line."""

    def __init__(self, shapes: Sequence[ArrayLike], colours: Colours, width: float,
                 dashes: tuple[float, float] | None = None, zorder: float = 2.0,
                 alpha: float = 1.0) -> None:  # fmt: skip
        super().__init__(shapes, colours, zorder, alpha)
        self.width, self.dashes = width, dashes

    def paint(self, renderer: Any, gc: Any, colour: Any, rgba: tuple[float, ...]) -> None:
        """Draw the lines of a colour."""
        width = renderer.points_to_pixels(self.width)
        gc.set_foreground(rgba, isRGBA=True)
        gc.set_linewidth(width)
        if self.dashes:
            gc.set_dashes(0, [part * width for part in self.dashes])
        renderer.draw_path(gc, self.paths[colour], self.get_transform())


class Areas(Shapes):
    """Filled polygons."""

    def paint(self, renderer: Any, gc: Any, colour: Any, rgba: tuple[float, ...]) -> None:
        """Fill the polygons of a colour."""
        gc.set_linewidth(0)
        renderer.draw_path(gc, self.paths[colour], self.get_transform(), rgba)


class Dots(Mark):
    """Round dots of a diameter in points at `places`, float[point, xy]; `edge`: the colour of their rim."""

    def __init__(self, places: ArrayLike, colours: Colours, diameter: float, edge: str | None = None,
                 zorder: float = 3.0) -> None:  # fmt: skip
        self.places = np.asarray(places, np.float64).reshape(-1, 2)
        super().__init__(len(self.places), colours, zorder)
        self.diameter, self.edge = diameter, edge

    def paint(self, renderer: Any, gc: Any, colour: Any, rgba: tuple[float, ...]) -> None:
        """Draw the dots of a colour."""
        scale = Affine2D().scale(renderer.points_to_pixels(self.diameter) / 2)
        gc.set_linewidth(renderer.points_to_pixels(RIM) if self.edge else 0)
        gc.set_foreground(_rgba(self.edge) if self.edge else rgba, isRGBA=True)
        places = Path(self.places[self.items[colour]])
        renderer.draw_markers(gc, Path.unit_circle(), scale, places, self.get_transform(), rgba)

    def points(self) -> int:
        """Finite dots."""
        return int(np.isfinite(self.places).all(axis=1).sum())
