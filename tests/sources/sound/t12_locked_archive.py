import json
import random


class LockedArchiveEnv(ToolUseBaseEnv):
    """Every tool but two answers with an error until one has logged in with the PIN from the notice board."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.pin = f"{rng.randint(0, 999999):06d}"
        topics = ["harvest", "flood", "railway", "fire", "market", "school"]
        docs = {}
        for n in rng.sample(range(100, 999), 18):
            docs[f"DOC-{n}"] = {"topic": rng.choice(topics), "year": rng.randint(1820, 1940), "pages": rng.randint(2, 80), "drawer": None}
        topic = rng.choice(topics)
        mine = [d for d, v in docs.items() if v["topic"] == topic]
        if len(mine) < 2 or len({docs[d]["year"] for d in mine}) < len(mine) or len({docs[d]["pages"] for d in mine}) < len(mine):
            return self.reset(rng.randrange(2**31))
        oldest, longest = min(mine, key=lambda d: docs[d]["year"]), max(mine, key=lambda d: docs[d]["pages"])
        drawer = rng.choice(["red", "green", "brown", "grey"])
        other = rng.choice([c for c in ("red", "green", "brown", "grey") if c != drawer])
        self.todo = [(topic, oldest, drawer), (topic, longest, other)]
        self._state = {"session": False, "docs": docs, "failed_logins": 0}
        self._user_messages = [
            "Log in to the archive; today's PIN is on the notice board.",
            f"Put the oldest document about the {topic} into the {drawer} drawer, and leave the rest where it is.",
            f"Put the one with the most pages about the same topic into the {other} drawer.",
        ]

        def filed(s):
            return {d: v["drawer"] for d, v in s["docs"].items() if v["drawer"]}

        self._message_criteria = [
            lambda s: s["session"],
            lambda s: filed(s) == {oldest: drawer},
            lambda s: s["docs"][longest]["drawer"] == other and len(filed(s)) == len({oldest, longest}),
        ]
        props = lambda **kw: {"type": "object", "properties": kw, "required": list(kw)}
        self._tools = {
            "read_board": {"description": "The notice board.", "parameters": props()},
            "login": {"description": "Log in.", "parameters": props(pin={"type": "string", "pattern": "^[0-9]{6}$"})},
            "search": {"description": "Documents about a topic.", "parameters": props(topic={"type": "string", "enum": topics})},
            "file_away": {"description": "Put a document into a drawer.", "parameters": props(
                document={"type": "string"}, drawer={"type": "string", "enum": ["red", "green", "brown", "grey"]})},
        }
        self.staff = rng.choice(["Mr Ott", "Ms Pye", "Dr Rhys"])
        return f"An old archive. {self._user_messages[0]} Send <answer>done</answer> when you are told that nothing is left.", {}

    def tool_read_board(self):
        return f"Today on duty: {self.staff}. PIN of the day: {self.pin}. Please close the windows."

    def tool_login(self, pin):
        if pin != self.pin:
            self._state["failed_logins"] += 1
            return "Error: wrong PIN."
        self._state["session"] = True
        return "Welcome."

    def tool_search(self, topic):
        if not self._state["session"]:
            return "Error: locked. Log in first."
        return json.dumps([dict(id=d, **v) for d, v in self._state["docs"].items() if v["topic"] == topic])

    def tool_file_away(self, document, drawer):
        if not self._state["session"]:
            return "Error: locked. Log in first."
        if document not in self._state["docs"]:
            return "Error: no such document."
        self._state["docs"][document]["drawer"] = drawer
        return f"{document} lies in the {drawer} drawer."

    def solution(self):
        calls = [("read_board", {}), ("login", {"pin": self.pin})]
        for topic, document, drawer in self.todo:
            calls += [("search", {"topic": topic}), ("file_away", {"document": document, "drawer": drawer})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in calls] + ["<answer>done</answer>"]
