# expect: refuse tools.criterion_free
# defect: two of the three criteria ask for the absence of something that is absent from the start, so they hold at reset
import json
import random


class LibraryDeskEnv(ToolUseBaseEnv):
    """Loans, holds and fines of a small library."""

    def __init__(self, max_turns=16, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        names = rng.sample(["Alba Ortiz", "Ben Sato", "Cleo Marsh", "Dan Ruiz", "Eva Lind", "Finn Okoye"], 4)
        cards = rng.sample(range(1000, 9999), 4)
        titles = rng.sample(["Tides", "Northern Lights", "Glass Road", "The Orchard", "Salt", "Winter Bees"], 4)
        self._state = {
            "members": {f"LC-{c}": {"name": n, "loans": [t], "holds": [], "fine": rng.randint(2, 30)}
                        for c, n, t in zip(cards, names, titles)},
        }
        ids = list(self._state["members"])
        self.a, self.b, self.c = ids[0], ids[1], ids[2]
        members = self._state["members"]
        self.title_a, self.title_b = titles[0], titles[3]
        text = {"type": "string"}

        def spec(about, *fields):
            return {"description": about, "parameters": {
                "type": "object", "properties": {f: text for f in fields}, "required": list(fields)}}

        self._tools = {
            "find_member": spec("Card number, loans, holds and fine of a member.", "name"),
            "return_book": spec("Take a book back.", "card", "title"),
            "place_hold": spec("Put a title on hold for a member.", "card", "title"),
            "cancel_hold": spec("Remove a hold.", "card", "title"),
        }
        self._user_messages = [
            f"{members[self.a]['name']} brings back {self.title_a}. Please return it.",
            f"Make sure that {members[self.b]['name']} has no hold on {self.title_b}.",
            f"And {members[self.c]['name']} must not have any hold at all.",
        ]
        a, b, c, ta, tb = self.a, self.b, self.c, self.title_a, self.title_b
        self._message_criteria = [
            lambda s: ta not in s["members"][a]["loans"],
            lambda s: tb not in s["members"][b]["holds"],
            lambda s: not s["members"][c]["holds"],
        ]
        return (
            "You serve a library desk. Call tools as <tool_call>{\"name\": ..., \"arguments\": {...}}</tool_call>; after "
            f"the last request send <answer>done</answer>.\n[User]: {self._user_messages[0]}"
        ), {}

    def tool_find_member(self, name):
        for card, m in self._state["members"].items():
            if m["name"].lower() == name.lower():
                return json.dumps({"card": card, **m})
        return "Error: no such member."

    def _change(self, card, shelf, title, add):
        member = self._state["members"].get(card)
        if member is None:
            return "Error: unknown card."
        if (title in member[shelf]) == add:
            return "Error: nothing to change."
        if add:
            member[shelf].append(title)
        else:
            member[shelf].remove(title)
        return f"{shelf} of {card}: {member[shelf]}"

    def tool_return_book(self, card, title):
        return self._change(card, "loans", title, False)

    def tool_place_hold(self, card, title):
        return self._change(card, "holds", title, True)

    def tool_cancel_hold(self, card, title):
        return self._change(card, "holds", title, False)

    def solution(self):
        m = self._state["members"]
        calls = [("find_member", {"name": m[self.a]["name"]}), ("return_book", {"card": self.a, "title": self.title_a}),
                 ("find_member", {"name": m[self.b]["name"]}), ("find_member", {"name": m[self.c]["name"]})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": x}) + "</tool_call>" for n, x in calls] + [
            "<answer>done</answer>"]
