"""The page in a real browser: with mouse, keyboard and phone, in light and dark, and under attack."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="needs playwright").expect
Visit = Callable[..., Any]

INK = """canvas => {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let ink = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] > 0) ink++;
  return ink;
}"""


def rows(page: Any) -> int:
    return int(page.locator("[data-row]").count())


def total(page: Any) -> str:
    return str(page.locator(".count b").inner_text())


def sideways(page: Any) -> int:
    """Pixels that the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def probed(site: Any) -> str:
    """A source with some probes and episodes."""
    from spade_envs.memory import Filters, Order
    from spade_envs.memory.looking import find

    found = [row for row in find(site.memory, Filters(), order=Order.REGRET).rows if row.measured.probes > 3]
    return str(next(row.sha256 for row in found if site.memory.episodes(row.sha256) and len(row.name) < 40))


def test_the_printed_address_opens_the_page(chromium: Any, served: Any) -> None:
    site, _ = served
    page = chromium.new_context().new_page()
    page.goto(site.door)
    page.wait_for_url(site.url())
    assert "token" not in page.url and rows(page) == 50
    assert page.evaluate("document.cookie") == "", "scripts can read the key"
    page.context.close()


def test_search_filter_open(visit: Visit) -> None:
    page = visit()
    assert total(page) == "62"
    page.keyboard.press("/")
    page.keyboard.type("kiln", delay=5)
    expect(page.locator(".count b")).to_have_text("5")
    assert page.url.endswith("/?text=kiln") and rows(page) == 5
    page.locator(".facet a", has_text="qwen3-4b").click()
    expect(page.locator(".count b")).not_to_have_text("5")
    assert "made_by=qwen3-4b" in page.url and "text=kiln" in page.url
    assert page.locator(".chip").count() == 2
    page.locator(".chip", has_text="kiln").click()
    expect(page.locator(".chip")).to_have_count(1)
    assert "text" not in page.url
    assert page.locator("#text").input_value() == "", "the field still shows what is not searched for any more"
    page.go_back()
    expect(page.locator(".chip")).to_have_count(2)
    page.locator("[data-row] a.open").first.click()
    page.wait_for_url(re.compile("/env/"))
    assert page.locator("h1").inner_text() == "KilnOrderEnv"


def test_a_search_keeps_what_is_in_force(visit: Visit) -> None:
    page = visit("/?skill=optimization&order=newest")
    assert total(page) == "5"
    page.locator("#text").fill("zzzz")
    expect(page.locator("[data-row]")).to_have_count(0)
    assert "skill=optimization" in page.url
    assert "No environment passes" in page.locator(".rows").inner_text()


def test_ranges_and_shelves(visit: Visit) -> None:
    page = visit()
    page.locator("[name=shelved]").check()
    expect(page.locator(".chip")).to_have_text(re.compile("^Shelf"))
    assert rows(page) < 20
    page.locator("[name=shelved]").uncheck()
    expect(page.locator("[data-row]")).to_have_count(50)
    page.locator("[name=regret_from]").fill("0.2")
    page.locator("[name=regret_from]").press("Tab")
    page.wait_for_selector(".chip")
    assert rows(page) and page.locator("svg.interval").count() == rows(page)


def test_more_rows_join_the_others(visit: Visit) -> None:
    page = visit()
    page.locator("#more a").click()
    expect(page.locator("[data-row]")).to_have_count(62)
    assert page.locator("#more a").count() == 0


def test_the_keyboard_alone(visit: Visit) -> None:
    page = visit("/?text=env&skill=optimization")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("j")
    second = page.locator("[data-row] a.open").nth(1)
    assert second.evaluate("one => one === document.activeElement")
    page.keyboard.press("?")
    assert page.locator("dialog#keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog#keys").is_visible()
    name = second.inner_text()
    second.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/env/"))
    assert page.locator("h1").inner_text() == name
    page.keyboard.press("u")
    page.wait_for_url(re.compile("skill=optimization"))
    assert page.locator(".chip").count() == 2


def test_letters_in_fields_are_letters(visit: Visit) -> None:
    page = visit()
    page.locator("#text").focus()
    page.keyboard.type("j?/u")
    assert page.locator("#text").input_value() == "j?/u"
    assert not page.locator("dialog#keys").is_visible()


def test_one_environment(visit: Visit, served: Any) -> None:
    site, _ = served
    page = visit(f"/env/{probed(site)}")
    page.wait_for_load_state("networkidle")
    assert page.locator("canvas").evaluate(INK) > 1000, "the chart is empty"
    assert page.locator(".tree .node").count() >= 2
    assert not page.locator(".hint .text").is_visible()
    page.locator(".hint summary").click()
    assert "Round up" in page.locator(".hint .text").inner_text()
    page.locator(".episode summary", has_text="won").first.click()
    page.wait_for_selector(".says.player")
    assert "\\boxed{901}" in page.locator(".transcript .player").last.inner_text()
    assert "Won" in page.locator(".ending").inner_text()
    page.locator(".tree a").first.click()
    page.wait_for_load_state()
    assert probed(site) not in page.url


@pytest.mark.parametrize("width", [390, 840, 960, 1199, 1201])
def test_names_have_room_at_every_width(visit: Visit, width: int) -> None:
    page = visit(width=width)
    assert sideways(page) == 0
    assert page.locator("[data-row] th").first.bounding_box()["width"] > 150


def test_findings_stand_beside_their_line(visit: Visit, served: Any) -> None:
    page = visit("/?rule=feasibility.witness")
    page.locator("[data-row] a.open").first.click()
    page.wait_for_selector("#L24 .note")
    line, note = page.locator("#L24 .c").bounding_box(), page.locator("#L24 .note").bounding_box()
    assert abs(line["y"] - note["y"]) < 12, "the note is not on its line"
    assert note["x"] > line["x"] + 200, "the note covers the code"
    page.set_viewport_size({"width": 390, "height": 800})
    line, note = page.locator("#L24 .c").bounding_box(), page.locator("#L24 .note").bounding_box()
    assert note["y"] >= line["y"] + line["height"] - 1, "the note is not below its line"


def test_without_scripts(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    page.locator(".facet a", has_text="refused").click()
    page.wait_for_url(re.compile("verdict=refuse"))
    assert 0 < rows(page) < 50
    page.locator("#text").fill("kiln")
    page.locator("#text").press("Enter")
    page.wait_for_url(re.compile("text=kiln"))
    assert "verdict=refuse" in page.url


def test_what_cannot_be_asked_is_told(visit: Visit) -> None:
    # One field is filled already: a request under way would be given up for the next, and the console say so.
    page = visit("/?step_from=9")
    assert page.locator("[name=step_from]").input_value() == "9"
    page.locator("[name=step_to]").fill("3")
    page.locator("[name=step_to]").press("Tab")
    page.wait_for_selector("#trouble:not([hidden])")
    assert "the lower end comes first" in page.locator("#trouble").inner_text()
    # The browser itself says that the answer was a 400.
    assert all("400" in one for one in visit.complaints), visit.complaints  # type: ignore[attr-defined]
    visit.complaints.clear()  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [360, 700, 1280])
def test_no_page_is_wider_than_its_window(visit: Visit, served: Any, width: int) -> None:
    site, hostile = served
    known = probed(site)
    paths = ["/", "/?text=nothing-at-all", f"/env/{known}", f"/env/{known}/episode/0", "/env/unknown"]
    paths += [f"/env/{hostile[0]}", f"/env/{hostile[1]}", f"/env/{hostile[0]}/episode/0", "/?step_from=7&step_to=7"]
    page = visit("/", width=width)
    for path in paths:
        page.goto(site.url(path))
        assert sideways(page) <= 0, path
    visit.complaints[:] = [one for one in visit.complaints if "404" not in one]  # type: ignore[attr-defined]


def test_dark_and_light(visit: Visit) -> None:
    colours = {
        scheme: visit(color_scheme=scheme).evaluate("getComputedStyle(document.documentElement).backgroundColor")
        for scheme in ("light", "dark")
    }
    assert colours == {"light": "rgb(252, 252, 250)", "dark": "rgb(21, 23, 26)"}


@pytest.mark.parametrize("which", [0, 1], ids=["short", "long"])
def test_hostile_text_does_nothing(visit: Visit, served: Any, which: int) -> None:
    _, hostile = served
    sha256 = hostile[which]
    for path in ("/?step_from=7&step_to=7", f"/env/{sha256}", f"/env/{sha256}/episode/0"):
        page = visit(path)
        for details in page.locator("details").all():
            details.evaluate("one => { one.open = true; }")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.acted") is None, path
        assert page.locator("main img, main script:not([type='application/json'])").count() == 0, path
        text = page.evaluate("document.documentElement.outerHTML + document.body.innerText")
        acts = {one for one in text if unicodedata.category(one) in ("Cc", "Cf") and one not in "\n\t\u00ad"}
        assert not acts, (path, acts)
        assert "\\u202e" in page.locator("main").inner_text(), path
        assert len(page.content()) < 600_000, path
    paths = [f"/env/{sha256}/text/source", f"/env/{sha256}/text/hint", f"/env/{sha256}/episode/0/text"]
    for path in paths[: 1 if which else 3]:
        page = visit(path)
        assert page.evaluate("window.acted") is None and "\\u202e" in page.locator("main").inner_text()
