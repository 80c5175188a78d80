"""Charts to figures, and figures to PNG and SVG: no pyplot, no global state, fixed margins (fast)."""

from __future__ import annotations

import html
import io
import re
import textwrap
from typing import TYPE_CHECKING, Any

from analyzer.report import style
from analyzer.report.parts import Chart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEAD_SIZE, FOOT_SIZE = 12.0, 7.5
HEAD_CHARACTERS = 54  # of the bold headline on one line
HEAD = 0.3  # inches above and below the headline
LINE = HEAD_SIZE * 1.28 / 72.0
FOOT = 0.3


def figure(chart: Chart, footer: str) -> Figure:
    """Draw one chart: headline (the finding), panels, footer (how many games, which seed)."""
    import matplotlib
    from matplotlib.figure import Figure

    from analyzer.report.agg import Canvas

    lines = headline(chart)
    top = HEAD + len(lines) * LINE + chart.top
    height = top + chart.height + chart.bottom + FOOT
    with matplotlib.rc_context(style.RC):
        fig = Figure(figsize=(style.WIDTH, height), dpi=style.DPI)
        Canvas(fig)
        axes = _panels(fig, chart, top / height, (chart.bottom + FOOT) / height)
        chart.draw(axes)
        edge = 0.16 / style.WIDTH
        head = fig.text(edge, 1 - 0.18 / height, "\n".join(lines), size=HEAD_SIZE, weight="bold", va="top")
        foot = fig.text(edge, 0.12 / height, footer, size=FOOT_SIZE, color=style.MUTED, va="bottom")
        head.set_gid("headline")
        head.set_linespacing(1.2)
        foot.set_gid("footer")
    return fig


def headline(chart: Chart) -> list[str]:
    """The finding, broken into lines that fit the figure's width."""
    return textwrap.wrap(chart.finding, HEAD_CHARACTERS) or [chart.name]


def _panels(fig: Figure, chart: Chart, top: float, bottom: float) -> list[Any]:
    """Axes by fixed margins in inches: no layout engine has to draw the figure first."""
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
            ax = fig.add_axes((left + col * (wide + across), y, wide, high))
            ax.set_axis_off()
            axes.append(ax)
        y -= down
    return axes


def png(fig: Figure) -> bytes:
    """The figure as PNG."""
    from PIL import Image

    canvas: Any = fig.canvas
    canvas.draw()
    out = io.BytesIO()
    image = Image.frombuffer("RGBX", canvas.get_width_height(), canvas.buffer_rgba(), "raw", "RGBX", 0, 1)
    image.convert("RGB").save(out, format="png", compress_level=2, dpi=(style.DPI, style.DPI))
    return out.getvalue()


def svg(fig: Figure) -> str:
    """The figure as SVG, the same text for the same data."""
    import matplotlib

    out = io.StringIO()
    with matplotlib.rc_context(style.RC):
        fig.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return out.getvalue()


def inline(text: str, chart: Chart) -> str:
    """An SVG made fit to stand inside the page.

    The headline and the footer are cut off (the page has its own, which wrap on a phone), ids get the chart's
    name (several drawings share one page), named colours become CSS variables, and nothing refers outside.
    """
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'<g id="(?:headline|footer)">.*?</g>\s*', "", text, flags=re.S)
    text = re.sub(r'<g id="patch_1">.*?</g>\s*', "", text, count=1, flags=re.S)  # the paper
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.S)
    text = re.sub(r"\n\s*", "\n", text)
    text = re.sub(r'\bid="', f'id="{chart.name}-', text)
    text = re.sub(r'((?:xlink:)?href)="#', rf'\1="#{chart.name}-', text).replace("xlink:href", "href")
    text = text.replace("url(#", f"url(#{chart.name}-")
    for colour, variable in style.VARIABLES.items():
        text = text.replace(colour, f"var(--{variable})")
    lines = len(headline(chart))
    top = 72 * (HEAD - 0.1 + lines * LINE)
    width = 72 * style.WIDTH
    tall = 72 * (chart.top + chart.height + chart.bottom + 0.1)
    label = html.escape(f"{chart.finding} {chart.alt}", quote=True)
    head = f'<svg role="img" aria-label="{label}" viewBox="0 {top:.1f} {width:.1f} {tall:.1f}">'
    return head + text[text.index(">") + 1 :]
