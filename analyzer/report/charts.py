"""Charts to figures, and figures to PNG and SVG: no pyplot, no global state, fixed margins (fast)."""

from __future__ import annotations

import bisect
import html
import io
import re
import struct
import zlib
from typing import TYPE_CHECKING, Any

from analyzer.report import style
from analyzer.report.parts import Chart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from analyzer.report.marks import Labels

HEAD_SIZE, FOOT_SIZE = 12.0, 7.5
MARGIN = 0.16  # inches left and right of headline and footer
HEAD = 0.3  # inches above and below the headline
LINE = HEAD_SIZE * 1.28 / 72.0
FOOT = 0.3
FOOT_ROOM = 0.22  # inches above the figure's edge that belong to the footer
WHOLE_PIXELS = 0.97  # of the room: letters set on whole pixels are wider than they were measured
NO_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}


def figure(chart: Chart, footer: str) -> Figure:
    """Draw one chart: headline (the finding), panels, footer (how many games, which seed)."""
    import matplotlib
    from matplotlib.figure import Figure

    from analyzer.report.marks import Labels
    from analyzer.report.renderers import Canvas

    lines = headline(chart)
    top = HEAD + len(lines) * LINE + chart.top
    height = top + chart.height + chart.bottom + FOOT
    with matplotlib.rc_context(style.RC):
        fig = Figure(figsize=(style.WIDTH, height), dpi=style.DPI)
        Canvas(fig)
        axes = _panels(fig, chart, top / height, (chart.bottom + FOOT) / height)
        chart.draw(axes)
        height += _deepen(fig, axes)
        edge = MARGIN
        heads = [(edge, height - 0.18 - row * LINE) for row in range(len(lines))]
        _note(fig, "headline", Labels(heads, lines, style.INK, HEAD_SIZE, va="top", bold=True))
        _note(fig, "footer", Labels([(edge, 0.07)], [footer], style.MUTED, FOOT_SIZE, va="bottom"))
    return fig


def _deepen(fig: Figure, axes: list[Any]) -> float:
    """Make room at the foot for labels below the panels that reach into the footer; inches added."""
    from analyzer.report.marks import Labels

    canvas: Any = fig.canvas
    renderer, height = canvas.get_renderer(), fig.get_figheight()
    foot = min(ax.get_position().y0 for ax in axes)
    below = [
        float(box.y0) / fig.dpi
        for ax in axes
        if ax.get_position().y0 < foot + 1e-6
        for mark in ax.get_children()
        if isinstance(mark, Labels) and mark.role.startswith("x-")
        for text, box in zip(mark.texts, mark.boxes(renderer), strict=True)
        if text.strip()
    ]
    more = FOOT_ROOM - min(below, default=FOOT_ROOM)
    if more <= 0:
        return 0.0
    for ax in axes:
        at = ax.get_position()
        up, down = (more + at.y1 * height, more + at.y0 * height)
        ax.set_position((at.x0, down / (height + more), at.width, (up - down) / (height + more)))
    fig.set_size_inches(style.WIDTH, height + more)
    return more


def _note(fig: Figure, name: str, labels: Labels) -> None:
    """Labels of the whole figure, in inches from its lower left corner; `inline` knows them by their name."""
    labels.set_gid(name)
    labels.set_transform(fig.dpi_scale_trans)
    fig.add_artist(labels)


def headline(chart: Chart) -> list[str]:
    """The finding, broken into lines that fit the figure's width."""
    return wrapped(chart.finding, HEAD_SIZE, "bold") or [chart.name]


def wrapped(text: str, size: float, weight: str = "normal") -> list[str]:
    """A text broken into lines that fit the figure's width; a word longer than that is broken, too."""
    from analyzer.report.renderers import text_width

    def fits(line: str) -> bool:
        return text_width(line, size, weight) <= room

    room = WHOLE_PIXELS * 72 * (style.WIDTH - 2 * MARGIN)
    lines: list[str] = []
    for word in filter(None, text.split(" ")):  # not at the spaces that must not break
        if lines and fits(f"{lines[-1]} {word}"):
            lines[-1] += f" {word}"
            continue
        lines.append(word)
        while not fits(lines[-1]):
            whole = lines.pop()
            most = max(1, bisect.bisect(range(1, len(whole)), False, key=lambda k: not fits(whole[:k])))
            lines += [whole[:most], whole[most:]]
    return lines


def _panels(fig: Figure, chart: Chart, top: float, bottom: float) -> list[Any]:
    """Axes by fixed margins in inches: no layout engine has to draw the figure first."""
    from analyzer.report.renderers import Panel

    height = fig.get_figheight()
    left, right = chart.left / style.WIDTH, 1 - chart.right / style.WIDTH
    across, down = chart.gap[0] / style.WIDTH, chart.gap[1] / height
    wide = (right - left - across * (chart.cols - 1)) / chart.cols
    room = 1 - top - bottom - down * (chart.rows - 1)
    ratios = chart.ratios or (1.0,) * chart.rows
    axes: list[Any] = []
    y = 1 - top
    for row in range(chart.rows):
        high = room * ratios[row] / sum(ratios)
        y -= high
        for col in range(chart.cols):
            ax = fig.add_axes(Panel(fig, (left + col * (wide + across), y, wide, high)))
            ax.set_axis_off()
            axes.append(ax)
        y -= down
    return axes


def png(fig: Figure) -> bytes:
    """The figure as PNG, 8 bits a channel, every row as it is (filter 0).

    Charts are flat: trying filters row by row, as image libraries do, costs three times as much and makes
    them no smaller.
    """
    import numpy as np

    canvas: Any = fig.canvas
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    for channel in range(3):
        rows[:, 1 + channel :: 3] = pixels[..., channel]
    dots = round(style.DPI / 0.0254)  # a metre
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"pHYs", struct.pack(">IIB", dots, dots, 1)),
        (b"IDAT", zlib.compress(rows.tobytes(), 2)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def svg(fig: Figure) -> str:
    """The figure as SVG, the same text for the same data."""
    import matplotlib

    from analyzer.report.renderers import TextSVG

    make: Any = TextSVG
    out = io.StringIO()
    dpi, (width, height) = fig.dpi, fig.get_size_inches()
    with matplotlib.rc_context(style.RC):
        try:
            fig.dpi = 72  # an SVG's unit is the point
            renderer = make(72 * width, 72 * height, out, image_dpi=dpi, metadata=NO_METADATA)
            fig.draw(renderer)
            renderer.finalize()
        finally:
            fig.dpi = dpi
    return out.getvalue()


def inline(text: str, chart: Chart) -> str:
    """An SVG made fit to stand inside the page.

    The headline and the footer are cut off (the page has its own, which wrap on a phone), ids get the chart's
    name (several drawings share one page), named colours become CSS variables, and nothing refers outside.
    """
    text = text[text.index("<svg") :]
    whole = float(re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', text)[1])  # type: ignore[index]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'<g id="(?:headline|footer)">.*?</g>\s*', "", text, flags=re.S)
    text = re.sub(r'<g id="patch_1">.*?</g>\s*', "", text, count=1, flags=re.S)  # the paper
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.S)
    text = re.sub(r"\n\s*", "\n", text)
    text = re.sub(r'\bid="', f'id="{chart.name}-', text)
    text = re.sub(r'((?:xlink:)?href)="#', rf'\1="#{chart.name}-', text).replace("xlink:href", "href")
    text = text.replace("url(#", f"url(#{chart.name}-")
    text = re.sub(r"<text .*?>", _readable, text)
    for colour, variable in style.VARIABLES.items():
        text = text.replace(colour, f"var(--{variable})")
    lines = len(headline(chart))
    top = 72 * (HEAD - 0.1 + lines * LINE)
    width = 72 * style.WIDTH
    # By the drawing itself, not by the chart: labels may have needed more room at its foot.
    tall = whole - top - 72 * (FOOT - 0.1)
    label = html.escape(f"{chart.finding} {chart.alt}", quote=True)
    head = f'<svg role="img" aria-label="{label}" viewBox="0 {top:.1f} {width:.1f} {tall:.1f}">'
    return head + text[text.index(">") + 1 :]


def _readable(tag: re.Match[str]) -> str:
    """The tag of a text in the darker (or lighter) shade of its colour that is fit for letters."""
    found = tag[0]
    for colour, variable in style.VARIABLES.items():
        found = found.replace(colour, f"var(--{variable}-ink, var(--{variable}))")
    return found
