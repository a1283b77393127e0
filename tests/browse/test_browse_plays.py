"""Playing in the page with a real browser: by hand, with forms, and the author's solution."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from spade_envs.actions import last_boxed
from spade_envs.browse.pages import plays
from spade_envs.browse.sessions import PlaySessions
from spade_envs.memory import SqliteMemory
from spade_envs.reproduction import witness_actions
from spade_envs.schema_calls import call
from spade_envs.shelf import Shelf
from spade_envs.store import bundled_path
from spade_envs.types import EnvSource, Finding, Report, Severity

expect = pytest.importorskip("playwright.sync_api", reason="needs playwright").expect
Visit = Callable[..., Any]

ATTACK = "</pre><script>window.acted = 1</script><img src=x onerror='window.acted = 1'>\x1b[31m\u202eevil\u200b"
EVIL = EnvSource(f"""
class EvilEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=6, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed=seed)
        about = {{"type": "string", "description": {ATTACK!r}, "enum": [{ATTACK!r}, "b"]}}
        properties = {{"where": about, {ATTACK!r}: {{"type": "integer", "description": {ATTACK!r}}}}}
        schema = {{"type": "object", "properties": properties, "required": ["where"]}}
        self._tools = {{"look": {{"description": {ATTACK!r}, "parameters": schema}}}}
        self._expected_answer = "x"
        return {ATTACK!r} + "x" * 30_000, {{"tools": self.get_tools()}}

    def execute_tool(self, name, arguments):
        if "fail" in str(arguments):
            raise ValueError({ATTACK!r})
        return {{"output": {ATTACK!r}, "returncode": 0}}

    def hint(self):
        return {ATTACK!r}
""")
CRASHING = EnvSource(f"""
class CrashingEnv:
    def __init__(self, max_turns=6, **kwargs):
        self.max_turns = max_turns

    def reset(self, seed=None):
        return "Begin.", {{}}

    def step(self, action):
        if "crash" in action:
            raise ValueError({ATTACK!r})
        return {ATTACK!r}, -0.5, False, False, {{}}

    def solution(self):
        return ["no"]
""")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The bundled shelf, a hostile source and one that crashes."""
    from stocked import serving, stock

    made = PlaySessions()
    with SqliteMemory(tmp_path_factory.mktemp("played") / "memory.db") as memory:
        stock(memory, 1)
        for source in (EVIL, CRASHING):
            memory.add_source(source)
        finding = Finding("load.raised", Severity.ERROR, "It raises.")
        memory.add_report(Report(CRASHING.sha256, (finding,), contract="interactive", max_turns=6))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(plays, "PlaySessions", lambda: made)
            with serving(memory) as page:
                yield page, made


@pytest.fixture(autouse=True)
def sessions(served: Any) -> Iterator[PlaySessions]:
    """The episodes of the page; they end with the test."""
    yield served[1]
    for one in served[1].all():
        served[1].end(one.key)


def bundled(name: str) -> EnvSource:
    """A source of the bundled shelf."""
    return Shelf(bundled_path()).read_source(name)


def begun(visit: Visit, env: str, *, seed: int = 7, hint: bool = False, button: str = "Play", **options: Any) -> Any:
    """A page on which an episode has begun."""
    page = visit(f"/play/new?env={env}", **options)
    page.locator("#seed").fill(str(seed))
    if hint:
        page.locator("[name=hint]").check()
    page.get_by_role("button", name=button, exact=True).click()
    page.wait_for_url(re.compile("/play/[0-9a-f]{12}$"))
    return page


def say(page: Any, reply: str) -> None:
    """Type a reply and wait for what comes back."""
    turns = page.locator("#turns > li").count()
    page.locator("#reply").fill(reply)
    page.keyboard.press("Enter")
    expect(page.locator("#turns > li")).to_have_count(turns + 1)


@pytest.mark.parametrize("hint", [False, True])
def test_played_to_a_win_with_the_keyboard(visit: Visit, hint: bool) -> None:
    page = begun(visit, "env-0001", hint=hint)
    assert page.locator("#reply").evaluate("field => field === document.activeElement"), "typing goes nowhere"
    assert page.locator(".told").count() == hint
    say(page, "not this")
    assert page.locator("#state .count").inner_text().split() == ["turn", "2", "of", "4", "return", "0"]
    for action in witness_actions(bundled("env-0001"), 7):
        say(page, last_boxed(action) or action)
    assert page.locator(".end .outcome").inner_text() == "Won"
    assert page.locator("#turn-2 .reward").inner_text() == "reward 1"
    assert page.locator("#turn-1 .reply pre").inner_text() == "\\boxed{not this}"
    page.reload()
    assert page.locator("#turns > li").count() == 2 and page.locator(".end .outcome").inner_text() == "Won"


def test_the_last_reply_comes_back_and_lines_can_be_broken(visit: Visit, sessions: PlaySessions) -> None:
    page = begun(visit, "env-0002")
    say(page, "one")
    page.keyboard.press("ArrowUp")
    assert page.locator("#reply").input_value() == "one"
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")
    assert page.locator("#reply").input_value() == "one\ntwo" and page.locator("#turns > li").count() == 1
    page.keyboard.press("Enter")
    expect(page.locator("#turns > li")).to_have_count(2)
    assert sessions.all()[0].episode.turns[1].reply == "\\boxed{one\ntwo}"
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    assert page.locator("#reply").evaluate("field => field === document.activeElement")


def test_sent_twice_counts_once(visit: Visit) -> None:
    page = begun(visit, "env-0002")
    page.locator("#reply").fill("one")
    page.evaluate("() => { const form = document.getElementById('say'); form.requestSubmit(); form.requestSubmit(); }")
    expect(page.locator("#turn")).to_have_value("1")
    say(page, "two")
    assert page.locator("#turns > li").count() == 2 and page.locator("#turn").input_value() == "2"


def test_tools_are_called_with_forms(visit: Visit) -> None:
    page = begun(visit, "env-0003")
    tool = page.locator(".tool", has_text="search_ships")
    tool.locator("summary").click()
    chosen = tool.locator("select").first.locator("option").nth(1).inner_text()
    tool.locator("select").first.select_option(index=1)
    tool.get_by_role("button", name="Call").click()
    expect(page.locator("#turn-1 .reply pre")).to_have_text(
        f'<tool_call>{{"name": "search_ships", "arguments": {{"cargo": "{chosen}"}}}}</tool_call>'
    )
    say(page, "search_ships()")
    assert "tool_call" in page.locator("#turn-2 .reply pre").inner_text()
    answer = page.locator(".tool", has_text="Final answer")
    answer.locator("summary").click()
    answer.locator("input[name=answer]").fill("done")
    answer.get_by_role("button", name="Submit").click()
    expect(page.locator("#turn-3 .reply pre")).to_have_text("<answer>done</answer>")


def test_a_wrong_argument_is_told_and_not_played(visit: Visit, sessions: PlaySessions) -> None:
    page = begun(visit, EVIL.sha256)
    tool = page.locator(".tool").first
    tool.locator("summary").click()
    tool.locator("input[name=argument-1]").fill("many")
    tool.get_by_role("button", name="Call").click()
    expect(page.locator("#state .notice")).to_contain_text("type a whole number")
    assert page.locator("#turns > li").count() == 0
    tool.locator("input[name=argument-1]").fill("")
    tool.locator("select").select_option(index=0)
    tool.get_by_role("button", name="Call").click()
    expect(page.locator("#turns > li")).to_have_count(1)
    assert sessions.all()[0].episode.turns[0].reply == call("look", {"where": ATTACK})


@pytest.mark.parametrize("name", ["env-0001", "env-0003"])
def test_the_authors_solution_turn_by_turn(visit: Visit, name: str) -> None:
    actions = witness_actions(bundled(name), 5)
    page = begun(visit, name, seed=5, button="Watch the author's solution")
    assert page.locator(".planned pre").inner_text() == actions[0]
    for number in range(1, len(actions) + 1):
        page.keyboard.press("n")
        expect(page.locator(f"#turn-{number}")).to_be_visible()
    assert page.locator(".end .outcome").inner_text() == "Won"
    assert page.locator("#turns > li").count() == len(actions)
    page.get_by_role("button", name="Play this seed yourself").click()
    page.wait_for_selector("#reply")
    assert "seed 5" in page.locator(".known").inner_text()


def test_what_was_refused_can_be_played_with_a_warning(visit: Visit) -> None:
    page = begun(visit, CRASHING.sha256)
    assert "The gate refused it" in page.locator(".notice.open").inner_text()
    say(page, "go")
    assert page.locator("#turn-1 .reward").inner_text() == "reward −0.5"
    say(page, "crash")
    assert page.locator(".end .outcome").inner_text() == "The environment failed"
    assert "ValueError" in page.locator(".end").inner_text() and "line 11" in page.locator(".end").inner_text()


def test_giving_up(visit: Visit) -> None:
    page = begun(visit, "env-0002")
    page.get_by_role("button", name="Give up").click()
    expect(page.locator(".end .outcome")).to_have_text("Stopped")
    page.get_by_role("button", name="This seed again").click()
    page.wait_for_selector("#reply")
    assert "seed 7" in page.locator(".known").inner_text()


def test_hostile_environments_do_nothing_to_the_page(visit: Visit) -> None:
    page = begun(visit, EVIL.sha256, hint=True)
    say(page, 'look(where="b")')
    for details in page.locator("details").all():
        details.evaluate("one => { one.open = true; }")
    say(page, 'look(where="fail")')
    page.reload()
    assert page.evaluate("window.acted") is None
    assert page.locator("main img, main script").count() == 0
    text = page.evaluate("document.documentElement.outerHTML + document.body.innerText")
    assert not {one for one in text if unicodedata.category(one) in ("Cc", "Cf") and one not in "\n\t\u00ad"}
    for place in (".answer.first", ".told", "#turn-1 .answer", ".tool summary", ".end"):
        assert "\\u202e" in page.locator(place).first.inner_text(), place
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_an_episode_is_taken_along(visit: Visit, tmp_path: Any) -> None:
    page = begun(visit, "env-0001", permissions=["clipboard-read", "clipboard-write"])
    (action,) = witness_actions(bundled("env-0001"), 7)
    say(page, action)
    page.get_by_role("button", name="Copy as JSON").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    episode = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert episode["seed"] == 7 and episode["success"] and episode["turns"][0]["reply"] == action
    page.get_by_role("button", name="Copy as a test").click()
    page.wait_for_function("() => navigator.clipboard.readText().then(text => text.includes('def test'))")
    test = page.evaluate("navigator.clipboard.readText()")
    assert "gymnasium.make('spade/env-0001')" in test
    scope: dict[str, Any] = {}
    exec(compile(test, "test_copied.py", "exec"), scope)  # noqa: S102  # its own text
    scope["test_it_plays_the_same_again"]()
    with pytest.raises(AssertionError):
        exec(compile(test.replace("1.0]", "0.5]"), "test_copied.py", "exec"), scope)  # noqa: S102  # its own text
        scope["test_it_plays_the_same_again"]()


def test_a_source_without_an_id_is_taken_along(visit: Visit) -> None:
    page = begun(visit, CRASHING.sha256, permissions=["clipboard-read", "clipboard-write"])
    say(page, "go")
    page.get_by_role("button", name="Copy as a test").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    test = page.evaluate("navigator.clipboard.readText()")
    assert CRASHING.sha256 in test
    scope: dict[str, Any] = {}
    exec(compile(test, "test_copied.py", "exec"), scope)  # noqa: S102  # its own text
    scope["test_it_plays_the_same_again"]()


def test_without_scripts(visit: Visit) -> None:
    page = begun(visit, "env-0001", java_script_enabled=False)
    page.locator("#reply").fill("not this")
    page.get_by_role("button", name="Send").click()
    page.wait_for_load_state()
    assert page.locator("#turns > li").count() == 1
    page.get_by_role("button", name="Give up").click()
    page.wait_for_load_state()
    assert page.locator(".end .outcome").inner_text() == "Stopped"


def test_what_cannot_be_begun_is_told(visit: Visit) -> None:
    page = visit("/play")
    page.locator("#env").fill("env-9999")
    page.keyboard.press("Enter")
    expect(page.locator(".notice.bad")).to_contain_text("env-9999")
    assert page.locator("#env").input_value() == "env-9999"
    page = visit("/play/0123456789ab")
    assert page.locator("h1").inner_text() == "No such episode"
    visit.complaints[:] = [one for one in visit.complaints if "404" not in one]  # type: ignore[attr-defined]


def test_no_more_than_so_many(visit: Visit, sessions: PlaySessions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "most", 1)
    page = begun(visit, "env-0004")
    page.goto(page.url.rpartition("/")[0])
    page.locator("#env").fill("env-0004")
    page.keyboard.press("Enter")
    expect(page.locator(".notice.bad")).to_contain_text("no more than 1 may be")
    visit.complaints[:] = [one for one in visit.complaints if "409" not in one]  # type: ignore[attr-defined]
    page.locator(".standings form button").first.click()
    page.wait_for_url(re.compile("/play/[0-9a-f]{12}$"))
    assert begun(visit, "env-0004").locator("#reply").count() == 1


@pytest.mark.parametrize("env", ["env-0003", EVIL.sha256])
def test_on_a_phone(visit: Visit, env: str) -> None:
    page = begun(visit, env, width=360, reduced_motion="reduce")
    say(page, "look around")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.locator("#turn-1 .answer").bounding_box()["y"] < page.locator("#state").bounding_box()["y"]
    page.get_by_role("button", name="Give up").click()
    expect(page.locator(".end .outcome")).to_have_text("Stopped")


def test_from_the_page_of_an_environment(visit: Visit) -> None:
    page = visit("/env/env-0001")
    page.locator(".actions a", has_text="Watch").click()
    page.wait_for_url(re.compile("/play/[0-9a-f]{64}"))
    page.keyboard.press("Enter")  # the button is in focus
    page.wait_for_selector("#step")
    page.wait_for_load_state()  # with its scripts
    page.keyboard.press("u")
    page.wait_for_url(re.compile("/env/"))
    page.locator(".actions a", has_text="Play").click()
    page.wait_for_url(re.compile("/play/[0-9a-f]{64}"))
    page.keyboard.press("Enter")
    page.wait_for_selector("#reply")
