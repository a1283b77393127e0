"""Curriculum, metrics and census in a real browser: what is drawn, and where it leads."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spade_envs.browse.figures import MEASURES, Extent, curve_figure, extent_of, legend_of, name_of
from spade_envs.browse.metrics import Curve
from spade_envs.browse.pages.census import bar
from spade_envs.browse.pages.curriculum import by_skill
from spade_envs.importing.census import Tally
from spade_envs.memory import SqliteMemory
from spade_envs.memory.records import Count, Stretch
from spade_envs.rules import EXAMPLE
from spade_envs.types import EnvSource

expect = pytest.importorskip("playwright.sync_api", reason="needs playwright").expect
Visit = Callable[..., Any]

INK = """canvas => {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let ink = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] > 0) ink++;
  return ink;
}"""


@pytest.fixture(scope="module")
def metrics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run's metrics, with a gap and a line that is still being written."""
    path = tmp_path_factory.mktemp("run") / "metrics.jsonl"
    lines = [json.dumps({"step": step, "reward": step / 40, "loss": 1 / (1 + step)}) for step in range(40)]
    lines[20] = '{"step": 20, "reward": NaN, "</script><b>key": 3}'
    path.write_text("\n".join([*lines, '{"step": 40, "rew']))
    return path


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, metrics: Path) -> Iterator[Any]:
    """Sixty sources, a hostile one, and metrics."""
    from stocked import attack, serving, stock

    with SqliteMemory(tmp_path_factory.mktemp("charted") / "memory.db") as memory:
        stock(memory, 5)
        attack(memory)
        with serving(memory, metrics=metrics) as page:
            yield page, ()


def stretch(first: int = 0, **changes: Any) -> Stretch:
    """A stretch like any."""
    values: dict[str, Any] = {
        "skill": "optimization",
        "first": first,
        "last": first + 9,
        "sources": 4,
        "admitted": 3,
        "probed": 2,
        "regret": 0.25,
        "plain": 0.5,
        "lines": 80.0,
        "contracts": (Count("answer", 3), Count("", 1)),
    }
    return Stretch(**{**values, **changes})


# -- figures as data -------------------------------------------------------------------------------------------


EXTENT = Extent(-0.4, 100.0)


def test_measures() -> None:
    figures = {one.name: one.figure([stretch(0), stretch(10, regret=None, plain=None)], EXTENT) for one in MEASURES}
    assert [one.values for one in figures["regret"].series] == [(0.25, None), (0.5, None)]
    assert figures["regret"].low == -0.4 and figures["regret"].x == (4.5, 14.5)
    assert [one.values for one in figures["admitted"].series] == [(0.75, 0.75)]
    assert [(one.label, one.values) for one in figures["contracts"].series] == [
        ("answer", (0.75, 0.75)),
        ("unknown", (0.25, 0.25)),
    ]
    assert name_of(stretch(7, last=7, sources=1)) == "7: 1 source"
    assert [one.label for one in legend_of(figures.values())] == [
        "regret", "won without the hint", "admitted", "lines", "answer", "unknown",
    ]  # fmt: skip
    assert legend_of([figures["length"]]) == () and figures["length"].high == 100.0
    assert extent_of([stretch(regret=-0.4), stretch(lines=120.0), stretch(regret=None)]) == Extent(-0.4, 150.0)


def test_figures_are_harmless_in_an_attribute() -> None:
    figure = curve_figure(Curve('"><script>\u202e', ((0.0, 1.0), (1.0, None)), 2))
    assert not {'"', "<", ">", "\u202e"} & set(figure.__html__())
    assert not curve_figure(Curve("a", ((0.0, None),), 1)).drawn


def test_stretches_by_skill() -> None:
    found = by_skill([stretch(10), stretch(0), stretch(0, skill="")])
    firsts = [(skill, [one.first for one in part]) for skill, part in found.items()]
    assert firsts == [("optimization", [0, 10]), ("", [0])]


def test_bars_are_filled() -> None:
    parts = bar(Tally("", admitted=1, refused=1, undecided=1))
    assert [part.verdict for part in parts] == ["admit", "undecided", "refuse"]
    assert sum(part.width for part in parts) == 1000 and parts[1].x == parts[0].width
    assert bar(Tally("")) == ()


def test_without_a_probe_the_charts_of_regret_say_what_makes_some(tmp_path: Path) -> None:
    httpx = pytest.importorskip("httpx")
    from stocked import serving

    with SqliteMemory(tmp_path / "memory.db") as memory:
        memory.add_source(EnvSource(EXAMPLE, skill="optimization"))
        with serving(memory) as site, httpx.Client(follow_redirects=True) as client:
            client.get(site.door)
            told = client.get(site.url("/curriculum")).text
            assert "Nothing was probed yet" in told and 'class="multiple"' not in told
            assert "Nothing was probed yet" not in client.get(site.url("/curriculum?show=length")).text


# -- in the browser --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [one.name for one in MEASURES])
def test_a_chart_is_drawn_for_every_skill(visit: Visit, measure: str) -> None:
    page = visit(f"/curriculum?show={measure}")
    page.wait_for_load_state("networkidle")
    canvases = page.locator("canvas[role=img]").all()
    assert len(canvases) >= 8
    inks = [canvas.evaluate(INK) for canvas in canvases]
    assert min(inks) > 300, f"a chart is empty: {inks}"
    assert page.locator(".tabs [aria-current]").inner_text().lower() == measure
    assert page.evaluate("window.acted") is None


def test_charts_follow_the_colours(visit: Visit) -> None:
    page = visit("/curriculum", color_scheme="light")
    page.wait_for_load_state("networkidle")
    colour = "() => Chart.getChart(document.querySelector('canvas')).data.datasets[0].borderColor"
    light = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => ({colour})() !== {light!r}")


def test_one_run_alone(visit: Visit) -> None:
    page = visit("/curriculum")
    page.locator(".pick summary").click()
    page.locator(".pick a", has_text="run-1").click()
    page.wait_for_url(re.compile("run=run-1"))
    expect(page.locator(".multiple figcaption .sources").first).to_have_text("2")
    page.wait_for_function("() => Chart.getChart(document.querySelector('canvas'))")
    assert page.locator("canvas").first.evaluate(INK) > 300
    axes = page.evaluate("[...document.querySelectorAll('canvas')].map(one => Chart.getChart(one).scales.x.max)")
    assert axes[0] > 80 and len(set(axes[:3])) == 1


def test_the_same_as_a_table(visit: Visit) -> None:
    page = visit("/curriculum")
    page.locator(".figures summary").click()
    assert page.locator(".figures tbody tr").count() >= 12
    page.locator(".multiple a", has_text="optimization").click()
    page.wait_for_url(re.compile("skill=optimization"))
    assert page.locator(".count b").inner_text() == "5"


def test_metrics_are_chosen_and_drawn(visit: Visit, metrics: Path) -> None:
    page = visit("/curriculum")
    page.wait_for_load_state("networkidle")
    drawn = page.locator(".metrics canvas")
    assert drawn.count() == 3 and all(canvas.evaluate(INK) > 300 for canvas in drawn.all())
    values = "canvas => Chart.getChart(canvas).data.datasets[0].data.map(point => point.y)"
    reward = drawn.first.evaluate(values)
    assert len(reward) == 40 and reward[20] is None and reward[39] == 39 / 40
    page.locator(".keys-picked a", has_text="reward").click()
    expect(page.locator(".metrics canvas")).to_have_count(2)
    page.wait_for_function("() => [...document.querySelectorAll('.metrics canvas')].every(one => Chart.getChart(one))")
    assert "key=loss" in page.url
    live = page.locator(".metrics canvas").first.get_attribute("data-live")
    figure = page.evaluate("place => fetch(place).then(answer => answer.json())", live)
    assert figure["series"][0]["label"] == "loss" and len(figure["x"]) == 39


def test_a_chart_grows_with_its_file(chromium: Any, tmp_path: Path, served: Any) -> None:
    from stocked import serving

    path = tmp_path / "metrics.jsonl"
    path.write_text('{"step": 0, "reward": 1}\n')
    points = "Chart.getChart(document.querySelector('.metrics canvas'))?.data.datasets[0].data.length"
    with serving(served[0].memory, metrics=path) as site:
        page = chromium.new_context().new_page()
        page.clock.install()  # nobody waits for it
        page.goto(site.door)
        page.wait_for_selector(".brand")
        page.goto(site.url("/curriculum"))
        page.wait_for_function(f"() => {points} === 1")
        with path.open("a") as file:
            file.write('{"step": 1, "reward": 2}\n')
        page.clock.run_for(20_000)
        page.wait_for_function(f"() => {points} === 2")
        path.unlink()
        page.goto(site.url("/curriculum"))
        assert "name the file the trainer writes" in page.locator(".metrics .notice").inner_text()
        page.context.close()


def test_the_census_counts_and_leads_to_the_sources(visit: Visit) -> None:
    page = visit("/census?pool=spade-pool")
    totals = page.locator(".totals").inner_text()
    assert "48" in totals and page.locator(".totals rect").count() == 2
    row = page.locator("tbody tr", has_text="optimization")
    sources = row.locator("td.number").first.inner_text().split()[0]
    assert sources == "4"
    row.locator("a").click()
    page.wait_for_url(re.compile("skill=optimization"))
    assert page.locator(".count b").inner_text() == sources
    page.go_back()
    refused = page.locator(".rules td.number").first.inner_text().split()[0]
    page.locator(".rules a").first.click()
    page.wait_for_url(re.compile("rule="))
    assert page.locator(".count b").inner_text() == refused


def test_pools_are_chosen_and_hostile_names_do_nothing(visit: Visit) -> None:
    page = visit("/census")
    assert page.locator(".help b").first.inner_text() == "spade-pool"
    page.locator(".pick summary").click()
    page.locator(".pick a", has_text="acted").click()
    page.wait_for_url(re.compile("pool=(?!spade)"))
    assert "window.acted" in page.locator(".help").first.inner_text()
    assert page.evaluate("window.acted") is None and page.locator("main img, main script").count() == 0
    page.goto(page.url.partition("?")[0] + "?pool=none")
    assert "there is no pool" in page.locator("main").inner_text()
    visit.complaints[:] = [one for one in visit.complaints if "400" not in one]  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", ["/curriculum", "/curriculum?show=contracts", "/census", "/play"])
def test_on_a_phone(visit: Visit, path: str) -> None:
    page = visit(path, width=360)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
