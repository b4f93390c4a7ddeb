from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from parsing import Finish, reader
from tests.ui.command import Tagline
from tests.ui.test_compare import CORPUS
from tests.ui.test_compare_divergence import apart
from ui.compare.comparing import compare_whole
from ui.compare.comparison import Comparison
from ui.compare.page import page
from ui.compare.pair import Pair
from ui.compare.run import Results
from ui.doors.reading import own_tools, pieces_of

CHROMIUM = shutil.which("chromium")
ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
SECOND = "1"  # the message with recorded chunks
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def html(tagline: Tagline) -> Path:
    path = str(CORPUS / "recorded.jsonl")
    ran = tagline.run("compare", "--against", "cline-v2", "--html", "page.html", path)
    assert (ran.code, ran.err) == (0, "")
    return tagline.folder / "page.html"


@pytest.fixture
def opened(browser: Browser, html: Path) -> Iterator[Page]:
    yield from looked_at(browser, html, 1280, "light")


def looked_at(
    browser: Browser, html: Path, width: int, scheme: Literal["light", "dark"]
) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    shown = context.new_page()
    wrong: list[str] = []
    shown.on("pageerror", lambda error: wrong.append(str(error)))
    shown.on("console", lambda message: wrong.append(message.text))
    shown.on("request", lambda request: asked.append(request.url))
    asked: list[str] = []
    shown.goto(html.as_uri())
    yield shown
    assert wrong == []
    assert asked == [html.as_uri()]  # nothing but the page itself
    context.close()


def chosen(shown: Page) -> Locator:
    """Choose the recorded message and give the slider, with the focus."""
    shown.select_option("#message", SECOND)
    slider = shown.locator("#slider")
    slider.focus()
    return slider


def at(shown: Page, step: int) -> None:
    shown.locator("#slider").fill(str(step))


def said(shown: Page, selector: str) -> str:
    return shown.locator(selector).inner_text()


def test_page_moves_by_keys(opened: Page) -> None:
    slider = chosen(opened)

    moved: list[str] = []
    for key in ("Home", "ArrowRight", "ArrowRight", "PageDown", "ArrowLeft", "PageUp", "End"):
        opened.keyboard.press(key)
        moved.append(slider.input_value())

    assert moved == ["0", "1", "2", "3", "2", "1", "11"]
    assert said(opened, "#place") == "at the close, after 10 · 274 of 274 characters"
    opened.locator("body").click(position={"x": 2, "y": 2})
    opened.keyboard.press("Home")
    assert said(opened, "#text") == "Nothing has come yet."
    assert slider.get_attribute("aria-valuetext") == said(opened, "#place")


def test_page_shows_the_text_so_far_and_what_is_held_back(opened: Page) -> None:
    chosen(opened)
    opened.keyboard.press("Home")
    opened.keyboard.press("ArrowRight")

    assert said(opened, "#text") == "<thin"
    assert said(opened, "#text .held") == "<thin"
    assert said(opened, "#told").startswith('came: "<thin"')
    held = opened.locator(".reading > p").all_inner_texts()
    assert held == ['held back: "<thin"', 'held back: "<thin"', "holds nothing back"]
    assert opened.locator(".reading").nth(0).inner_text().endswith("No block yet.")
    assert "<thin" in opened.locator(".reading").nth(2).inner_text()

    at(opened, 3)

    assert said(opened, "#text .new") == " what is \\x1b[2J there"
    assert said(opened, "#text .acting") == "\\x1b"
    for column in (0, 1):
        reading = opened.locator(".reading").nth(column)
        assert "0 reasoning" in reading.inner_text()
        assert "Let me see what is \\x1b[2J there" in reading.inner_text()


def test_page_moves_by_mouse(opened: Page) -> None:
    slider = chosen(opened)
    box = slider.bounding_box()
    assert box is not None

    opened.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    middle = int(slider.input_value())
    opened.mouse.down()
    opened.mouse.move(box["x"] + 3, box["y"] + box["height"] / 2, steps=8)
    opened.mouse.up()

    assert 4 <= middle <= 7
    assert slider.input_value() == "0"
    opened.get_by_label("One chunk on").click()
    assert slider.input_value() == "1"
    assert said(opened, "#text") == "<thin"
    opened.get_by_label("To the end").click()
    assert opened.get_by_label("One chunk on").is_disabled()
    opened.locator("#plot").click(position={"x": 60, "y": 100})
    assert slider.input_value() == "1"
    opened.locator("#events button").nth(2).click()
    assert said(opened, "#place").startswith("chunk 5 of 10 · at 1.00 s")
    opened.get_by_role("button", name="Next event").click()
    assert int(slider.input_value()) > 5


def test_page_shows_when_blocks_open_and_close_and_marks_faults(opened: Page) -> None:
    chosen(opened)

    rows = opened.locator("#events tbody tr")
    assert rows.count() == 5
    assert rows.nth(0).locator("td").all_inner_texts()[1:3] == [
        *("chunk 2 · 0.20 s", "chunk 4 · 0.90 s")
    ]
    assert "⚠ </path> was missing" in rows.nth(3).inner_text()
    assert opened.locator(".span.fault").count() == 1
    assert "⚠ fault: </path> was missing" in opened.locator(".reading").nth(0).inner_text()
    assert "read differently" in opened.locator(".reading").nth(2).inner_text()
    assert opened.locator(".reading h3").all_inner_texts() == [
        *("reparse (cline)", "incremental (cline)", "cline-v2 (incremental)")
    ]


def test_page_plots_both_costs(opened: Page) -> None:
    chosen(opened)

    assert opened.locator("#plot path.reparse, #plot path.incremental").count() == 2
    label = opened.locator("#plot").get_attribute("aria-label") or ""
    assert re.search(r"reparse: half of the chunks cost at most [\d.]+ (µs|ms)", label)
    at(opened, 4)
    assert re.fullmatch(r"chunk 4: [\d.]+ (µs|ms) and [\d.]+ (µs|ms)", said(opened, "#cost"))


def test_page_holds_markup_of_a_message_as_text(opened: Page, html: Path) -> None:
    chosen(opened)

    source = html.read_text("utf-8")
    assert source.count("</script>") == 2
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", source)
    assert "I write it </script><!-- <b>bold</b> 😀 \\u202e rtl" in said(opened, "#text")
    assert opened.locator("#text b, .reading b").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_page_fits_and_can_be_read(
    browser: Browser, html: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    for shown in looked_at(browser, html, width, scheme):
        chosen(shown)
        for step in (0, 2, 10):
            at(shown, step)
            assert shown.evaluate("document.documentElement.scrollWidth") == width
            assert json.loads(shown.evaluate(CONTRASTS)) == []
        readings = [box.bounding_box() for box in shown.locator(".reading").all()]
        tops = {round(box["y"]) for box in readings if box is not None}
        assert len(tops) == (1 if width == 1280 else 3)
        ground = shown.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", ground))) < 200) is (scheme == "dark")


def test_page_names_everything_that_can_be_used(opened: Page) -> None:
    nameless = opened.evaluate(
        "[...document.querySelectorAll('button, select, input, [tabindex], svg[role]')].filter("
        "(one) => !(one.getAttribute('aria-label') || one.getAttribute('aria-labelledby') ||"
        " one.textContent.trim() || (one.labels && one.labels.length))).map((one) => one.outerHTML)"
    )

    assert nameless == []


def test_page_shows_where_the_modes_differ(browser: Browser, tmp_path: Path) -> None:
    html = tmp_path / "page.html"
    html.write_text(page(Results(1, [apart()]), ""), "utf-8")

    for shown in looked_at(browser, html, 1280, "light"):
        assert said(shown, "#verdict") == "The two modes differ in 1 of 1 message"
        assert said(shown, "#told").startswith("the two modes DIFFER here")
        assert shown.locator(".mark").all_inner_texts() == ["the modes differ"] * 2
        assert shown.locator("#picker").is_hidden()
        shown.keyboard.press("End")
        shown.get_by_role("button", name="Next difference").click()
        assert said(shown, "#place").startswith("chunk 1 of ")


def test_page_makes_every_step_again_as_it_was_read(browser: Browser, tmp_path: Path) -> None:
    text = (CORPUS / "recorded.jsonl").read_text("utf-8").replace("\\n", "\n") * 3
    found = Comparison("m.txt", 1, "cline", text, "chunks of 3")
    one, two = (reader("cline", own_tools(), mode) for mode in ("reparse", "incremental"))
    compare_whole(found, Pair(one, two, Finish.STOP), pieces_of(text, 3), storied=True)
    html = tmp_path / "page.html"
    html.write_text(page(Results(1, [found]), ""), "utf-8")
    again, chunks = reader("cline", own_tools()), pieces_of(text, 3)
    expected = [0]
    for chunk in chunks:
        again.feed(chunk)
        expected.append(len(again.blocks))

    for shown in looked_at(browser, html, 1280, "light"):
        counts = shown.evaluate(
            "(() => { const steps = new Steps(JSON.parse(document.getElementById('data')"
            ".textContent).messages[0]); return [...Array(steps.count).keys()].map((step) =>"
            " steps.at(step).columns.map((blocks) => blocks.length)); })()"
        )
        assert counts == [[count, count] for count in expected]


# What has too little contrast with what lies behind it (WCAG AA, text of ordinary size).
CONTRASTS = """(() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = numbers(colour).slice(0, 3).map((part) => {
      const one = part / 255;
      return one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    for (let up = one; up; up = up.parentElement) {
      const colour = getComputedStyle(up).backgroundColor;
      if ((numbers(colour)[3] ?? 1) > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const poor = [];
  for (const one of document.body.querySelectorAll("*")) {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const drawn = one.getClientRects().length && !["SCRIPT", "OPTION"].includes(one.tagName);
    if (!own || !drawn || one.disabled) continue;
    const style = getComputedStyle(one);
    const [a, b] = [light(one.closest("svg") ? style.fill : style.color), light(behind(one))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(`${one.tagName}.${one.className}: ${ratio.toFixed(2)}`);
  }
  return JSON.stringify(poor);
})()"""
