"""The pages in a real browser: the page of each game, of a series, of runs side by side, and of odd names.

Skipped where no browser is found. Everything else about pages is tested without one, in test_page.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import analyzer
from analyzer import registry
from analyzer.report.build import Report
from analyzer.report.series import SeriesReport
from tests import synthetic
from tests.report import browser as browsers

PATH = browsers.found()
pytestmark = pytest.mark.skipif(PATH is None, reason="no browser on PATH: " + ", ".join(browsers.NAMES))

GAMES = registry.game_names()
PAGES = (*GAMES, "series", "side by side", "odd names", "wide tables")
N = 250
SCRIPT = "<script>document.title = 'taken'; throw 1</script>"
# Shorter, for names in configs, with all else that has a meaning in HTML, and a letter of Japan.
ODD = "<script>document.title=1</script>&\"'東"
QUOTED = "'" + ODD.replace("'", "''") + "'"
TITLE = "'" + (ODD + " ").replace("'", "''") * 5 + "'"
# What of each game's own config they stand for: names of decks, units, cards, scenarios; explanations.
NAMES = {
    "moscow": {"about: cards dealt to each player": f"about: {QUOTED}"},
    "eastfront": {"title: Panther,": f"title: {TITLE},", "title: Rifles,": f"title: {QUOTED},"},
    "kraskar": {"Two Banners": QUOTED, "Plains Outriders": QUOTED.replace("document", "window")},
    "undaunted": {"base: undaunted/01-la-raye": f"base: undaunted/01-la-raye\nscenario: {{name: {QUOTED}}}"},
}

# What the page shows as text, with its colour and all that is painted below it, as WCAG 2.2 weighs them.
# Below a text of the page lie its ancestors; below a text of a drawing the shapes drawn before it, too.
CONTRAST = """
(() => {
  document.querySelectorAll("details").forEach(d => d.open = true);
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const known = new Map();
  const parse = colour => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data; known.set(colour, [r, g, b, a / 255]);
    }
    return [...known.get(colour)];
  };
  const over = (top, under) => top.slice(0, 3).map((c, k) => c * top[3] + under[k] * (1 - top[3]));
  const light = rgb => rgb.map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, k) => sum + c * [.2126, .7152, .0722][k], 0);
  const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  const ground = one => {
    const layers = [];
    for (let up = one; up; up = up.parentElement) layers.push(parse(getComputedStyle(up).backgroundColor));
    return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const found = []; let seen = 0;
  const weigh = (one, ink, below, look) => {
    const size = parseFloat(look.fontSize), is = ratio(light(over(parse(ink), below)), light(below)); seen++;
    if (is < (size >= 24 || (size >= 18.66 && look.fontWeight >= 600) ? 3 : 4.5))
      found.push(`${one.textContent.trim().slice(0, 40)}: ${is.toFixed(2)} (${ink} on ${below.map(Math.round)})`);
  };
  for (const one of document.body.querySelectorAll("*:not(svg *, script, style)")) {
    if (![...one.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const row = one.closest("tbody tr");
    if ((row && row.sectionRowIndex > 2) || !one.checkVisibility()) continue;  // all rows look the same
    const look = getComputedStyle(one); weigh(one, look.color, ground(one), look);
  }
  for (const drawing of document.querySelectorAll("svg")) {
    const paper = ground(drawing.parentElement), texts = [...drawing.querySelectorAll("text")];
    const shapes = [...drawing.querySelectorAll("path, rect, polygon")].filter(s => !s.closest("defs, clipPath"))
      .map(shape => [shape, getComputedStyle(shape)]).filter(([_, look]) => look.fill !== "none")
      .map(([shape, look]) => {
        const colour = parse(look.fill); colour[3] *= look.fillOpacity * look.opacity;
        return [shape, colour, shape.getBoundingClientRect()];
      });
    for (const text of texts) {
      const box = text.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
      let below = paper;
      for (const [shape, colour, at] of shapes)
        if (at.left <= x && x <= at.right && at.top <= y && y <= at.bottom
            && (shape.compareDocumentPosition(text) & 4)
            && shape.isPointInFill(new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse())))
          below = over(colour, below);
      const look = getComputedStyle(text); weigh(text, look.fill, below, look);
    }
  }
  return [seen, [...new Set(found)]];
})()
"""  # noqa: E501

WIDE = """
(() => {
  document.querySelectorAll("details").forEach(d => d.open = true);
  const wide = [...document.body.querySelectorAll("*")].filter(one => !one.closest(".scroll, svg")
    && one.getBoundingClientRect().right > document.documentElement.clientWidth + 1);
  return [document.documentElement.scrollWidth, wide.map(one => one.outerHTML.slice(0, 120))];
})()
"""

# Tables that do not fit the page, folded ones opened.
SCROLLING = """
(() => {
  document.querySelectorAll("details").forEach(d => d.open = true);
  return [...document.querySelectorAll(".scroll")].filter(one => one.scrollWidth > one.clientWidth + 1)
    .map(one => `${one.querySelector("caption")?.textContent}: ${one.scrollWidth} > ${one.clientWidth}`);
})()
"""

# Every column of every table, clicked once: is its order the order of its keys?
SORTED = """
(() => {
  document.querySelectorAll("details").forEach(d => d.open = true);
  const wrong = []; let clicked = 0;
  document.querySelectorAll("table.sortable").forEach(table => {
    [...table.tHead.rows[0].cells].forEach((head, k) => {
      const before = [...table.tBodies[0].rows].length;
      head.querySelector("button").click(); clicked++;
      const cells = [...table.tBodies[0].rows].map(row => row.cells[k]);
      const keys = cells.map(cell => cell.dataset.key ?? cell.textContent);
      const numbers = keys.filter(key => key !== "").map(Number);
      const fine = numbers.some(isNaN)
        || numbers.every((x, i) => i === 0 || numbers[i - 1] <= x);
      if (!fine || head.getAttribute("aria-sort") !== "ascending" || before !== keys.length)
        wrong.push(table.caption?.textContent + ": " + head.textContent);
    });
  });
  return [clicked, wrong];
})()
"""


@pytest.fixture(scope="session")
def browser() -> Iterator[browsers.Browser]:
    assert PATH is not None
    one = browsers.Browser(PATH)
    yield one
    one.close()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Name -> its page, made when it is first asked for."""
    home, pages = tmp_path_factory.mktemp("pages"), dict[str, Path]()

    def page(name: str) -> Path:
        if name not in pages:
            pages[name] = make(name, home / name.replace(" ", "-"))
        return pages[name]

    return page


def make(name: str, folder: Path) -> Path:
    if name.startswith("config of "):
        return odd_config(name.removeprefix("config of "), folder)
    if name in GAMES:
        return analyzer.run(name, n=N, jobs=1).report(folder)
    if name == "series":
        return SeriesReport(analyzer.run("moscow", players=[2, 3], n=N, jobs=1, out=folder)).write(folder)
    if name == "side by side":
        runs = [synthetic.make(N, policies=("balanced", SCRIPT), players=k) for k in (2, 4)]
        return analyzer.side_by_side(*runs).write(folder)
    if name == "wide tables":
        report = Report(synthetic.make(N))
        report.tables["wide"] = wide(14)
        report.charts = report.charts[:1]
        return report.write(folder)
    return Report(synthetic.make(N, policies=(SCRIPT, "$x^2_", "=cmd()", "[bold]a & b\"'"))).write(folder)


def wide(measures: int) -> pd.DataFrame:
    """A table as a sweep over two keys makes it: names that hardly break, many numbers with intervals."""
    keys = ["policy.a_parameter_of_a_long_name", "deck.another_setting"]
    frame = pd.DataFrame({keys[0]: ["scenario", "both"], keys[1]: ["spoiler:whom=leader,hinder=0.75", "US"]})
    for k in range(measures):
        frame[f"seat {k}: edge"], frame[f"seat {k}: edge low"], frame[f"seat {k}: edge high"] = (
            k,
            -1.5,
            1234.5,
        )
    frame.attrs |= {"title": "A wide table", "keys": 2, "literal": keys}
    return frame


def odd_config(game: str, folder: Path) -> Path:
    """The page of a game whose config has a script for names."""
    text = (Path(__file__).parents[2] / "configs" / f"{game}.yaml").read_text(encoding="utf-8")
    for name, odd in NAMES[game].items():
        assert name in text
        text = text.replace(name, odd)
    config = folder.with_name(f"{folder.name}.yaml")
    config.write_text(text, encoding="utf-8")
    return analyzer.run(game, config=config, n=30, jobs=1).report(folder)


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest, made: Any) -> Path:
    path: Path = made(request.param)
    return path


def test_a_page_asks_for_nothing_else_and_the_console_stays_empty(
    page: Path, browser: browsers.Browser
) -> None:
    browser.open(page)
    browser.ask("document.querySelectorAll('th button').forEach(b => b.click())")
    browser.ask("dispatchEvent(new Event('beforeprint'))")
    assert browser.requests() == [page.resolve().as_uri()]
    assert browser.complaints() == []


def test_tables_sort(page: Path, browser: browsers.Browser) -> None:
    browser.open(page)
    clicked, wrong = browser.ask(SORTED)
    assert clicked > 5
    assert wrong == []


def test_tables_sort_by_keyboard(page: Path, browser: browsers.Browser) -> None:
    browser.open(page)
    at = "document.activeElement.closest('th')"
    for _ in range(60):
        browser.key("Tab", 9)
        if browser.ask(f"Boolean({at})"):
            break
    assert browser.ask(f"getComputedStyle({at}.firstElementChild).outlineStyle") == "solid"
    for expected in ("ascending", "descending"):
        browser.key("Enter", 13, "\r")
        assert browser.ask(f"{at}.getAttribute('aria-sort')") == expected


def test_text_contrast_passes_wcag_aa_in_light_and_dark(page: Path, browser: browsers.Browser) -> None:
    browser.open(page)
    papers = []
    for scheme in ("light", "dark"):
        browser.scheme(scheme)
        papers.append(browser.ask("getComputedStyle(document.body).backgroundColor"))
        seen, poor = browser.ask(CONTRAST)
        assert seen > 100
        assert poor == [], scheme
    assert papers == ["rgb(254, 254, 254)", "rgb(20, 24, 30)"]


def test_nothing_overflows_on_a_phone(page: Path, browser: browsers.Browser) -> None:
    browser.open(page, 375, 800)
    wide, elements = browser.ask(WIDE)
    assert elements == []
    assert wide <= 375


def test_tables_scroll_sideways_on_a_phone_only(page: Path, browser: browsers.Browser) -> None:
    for width in (1050, 1300):
        browser.open(page, width)
        wide, elements = browser.ask(WIDE)
        assert elements == []
        assert wide <= width
        assert browser.ask(SCROLLING) == [], width


def test_headings_and_names_are_in_order_for_a_screen_reader(page: Path, browser: browsers.Browser) -> None:
    browser.open(page)
    levels = browser.ask("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    names = browser.ask("[...document.querySelectorAll('figure svg')].map(s => s.getAttribute('aria-label'))")
    assert names
    assert all(name and len(name) > 30 for name in names)
    assert browser.ask("[...document.querySelectorAll('table')].every(t => t.caption || t.ariaLabel)")


def test_print_shows_folded_tables_on_white(page: Path, browser: browsers.Browser) -> None:
    browser.open(page, dark=True)
    browser.scheme("dark", media="print")
    browser.ask("dispatchEvent(new Event('beforeprint'))")
    assert browser.ask("[...document.querySelectorAll('details')].every(d => d.open)")
    assert browser.ask("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.ask("getComputedStyle(document.querySelector('nav')).display") == "none"


def test_all_columns_of_a_wide_table_are_on_the_page_each_part_with_the_names_of_its_rows(
    made: Any, browser: browsers.Browser
) -> None:
    browser.open(made("wide tables"))
    rows = browser.ask(
        "[...document.querySelectorAll('table')].filter(t => t.textContent.includes('A wide table'))"
        ".map(t => [...t.tHead.rows[0].cells].map(c => c.textContent))"
    )
    assert len(rows) > 1
    named = [name for row in rows for name in row if name.startswith("seat ")]
    assert named == [f"seat {k}: edge" for k in range(14)]
    assert all(row[:2] == ["policy.a_parameter_of_a_long_name", "deck.another_setting"] for row in rows)
    many = sum(map(len, rows[1:])) - 2 * (len(rows) - 1)
    assert (
        browser.ask("document.querySelector('details.columns > summary').textContent")
        == f"{many} more columns"
    )


@pytest.mark.parametrize("name", ["odd names", "side by side"])
def test_names_that_hold_a_script_are_text(name: str, made: Any, browser: browsers.Browser) -> None:
    browser.open(made(name))
    assert browser.ask("document.title") != "taken"
    assert browser.ask("document.scripts.length") == 1
    assert SCRIPT in browser.ask("document.body.textContent")


@pytest.mark.parametrize("game", GAMES)
def test_scripts_in_a_config_are_text(game: str, made: Any, browser: browsers.Browser) -> None:
    """Names and explanations of a config file: whole in the page's text, nowhere run, in no drawing's tag."""
    browser.open(made(f"config of {game}"))
    assert browser.ask("document.title") != "1"
    assert browser.ask("document.scripts.length") == 1
    assert browser.complaints() == []
    assert ODD in browser.ask("document.body.textContent")
    for name in browser.ask(
        "[...document.querySelectorAll('figure svg')].map(s => s.getAttribute('aria-label'))"
    ):
        assert len(name) > 30
