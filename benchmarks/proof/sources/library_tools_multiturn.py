# multi-turn instructions, ToolUseBaseEnv, closures as criteria, state modification
import json
import random

TITLES = ["Tidal Charts", "The Glass Orchard", "Notes on Moss", "A Winter Ledger", "Cranes", "Salt and Iron", "The Ninth Bell",
          "Paper Boats", "An Atlas of Wind", "Quiet Engines"]
READERS = ["Imani", "Jorge", "Katya", "Liang", "Mirela", "Noor", "Otto"]


def call(tool, **arguments):
    return "<tool_call>" + json.dumps({"name": tool, "arguments": arguments}) + "</tool_call>"


class LendingDeskEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=24, **kw):
        super().__init__(max_turns=max_turns, **kw)

    def reset(self, seed=None):
        super().reset(seed=seed)
        rng = random.Random(seed)
        titles, readers = rng.sample(TITLES, 7), rng.sample(READERS, 5)
        ids = rng.sample(range(1000, 9999), 12)
        self._state = {
            "copies": {f"C{i}": {"title": t, "loan": None} for i, t in zip(ids, titles)},
            "cards": {f"R{i}": {"name": r, "blocked": False} for i, r in zip(ids[7:], readers)},
            "log": [],
        }
        self.taken, self.wanted, self.other = titles[:3]
        self.a, self.b, self.c = readers[:3]
        self._state["copies"][self.copy(self.taken)]["loan"] = self.card(self.a)
        self._state["cards"][self.card(self.c)]["blocked"] = True
        text = {"type": "string"}
        self._tools = {
            "search_title": {"description": "Copies of a title and who has them.",
                             "parameters": {"type": "object", "properties": {"title": text}, "required": ["title"]}},
            "find_reader": {"description": "Library card of a reader, by first name.",
                            "parameters": {"type": "object", "properties": {"name": text}, "required": ["name"]}},
            "check_out": {"description": "Lend a copy to a card.",
                          "parameters": {"type": "object", "properties": {"copy_id": text, "card_id": text}, "required": ["copy_id", "card_id"]}},
            "take_back": {"description": "Book the return of a copy.",
                          "parameters": {"type": "object", "properties": {"copy_id": text}, "required": ["copy_id"]}},
            "unblock": {"description": "Lift the block from a card.",
                        "parameters": {"type": "object", "properties": {"card_id": text}, "required": ["card_id"]}},
        }
        taken, wanted, other = map(self.copy, (self.taken, self.wanted, self.other))
        a, b, c = map(self.card, (self.a, self.b, self.c))

        def lent(copy, card):
            return lambda state: state.get("copies", {}).get(copy, {}).get("loan") == card

        self._message_criteria = [lent(taken, b), lent(wanted, c), lent(other, a)]
        self._user_messages = [
            f"{self.a} has just put '{self.taken}' on the desk to return it, and {self.b} wants to borrow it at once. Book both.",
            f"{self.c} paid the fine today. Please lend '{self.wanted}' to {self.c}.",
            f"And '{self.other}' for {self.a}, please.",
        ]
        return ("You work at the desk of a library; each request follows when the one before is done. Tools: " + ", ".join(self._tools) +
                f". Answer <answer>done</answer> at the very end. {self.max_turns} turns.\nFirst request: " + self._user_messages[0]), {}

    def copy(self, title):
        return next(k for k, v in self._state["copies"].items() if v["title"] == title)

    def card(self, name):
        return next(k for k, v in self._state["cards"].items() if v["name"] == name)

    def tool_search_title(self, title):
        hits = [f"{k}: {v['title']}, " + (f"on loan to card {v['loan']}" if v["loan"] else "on the shelf")
                for k, v in self._state["copies"].items() if title.strip() and title.lower() in v["title"].lower()]
        return "\n".join(hits) or "No such title."

    def tool_find_reader(self, name):
        hits = [f"{k}: {v['name']}" + (" (blocked)" if v["blocked"] else "") for k, v in self._state["cards"].items() if v["name"] == name]
        return "\n".join(hits) or "No reader of that name."

    def tool_check_out(self, copy_id, card_id):
        copy, card = self._state["copies"].get(copy_id), self._state["cards"].get(card_id)
        if not copy or not card:
            return "Unknown copy or card."
        if card["blocked"]:
            return "This card is blocked."
        if copy["loan"]:
            return "This copy is on loan; take it back first."
        copy["loan"] = card_id
        return f"{copy['title']} is lent to {card['name']}."

    def tool_take_back(self, copy_id):
        copy = self._state["copies"].get(copy_id)
        if not copy or not copy["loan"]:
            return "This copy is not on loan."
        copy["loan"] = None
        return f"{copy['title']} is back."

    def tool_unblock(self, card_id):
        if card_id not in self._state["cards"]:
            return "Unknown card."
        self._state["cards"][card_id]["blocked"] = False
        return "The card is free."

    def solution(self):
        taken, wanted, other = map(self.copy, (self.taken, self.wanted, self.other))
        a, b, c = map(self.card, (self.a, self.b, self.c))
        return [call("search_title", title=self.taken), call("find_reader", name=self.b), call("take_back", copy_id=taken),
                call("check_out", copy_id=taken, card_id=b),
                call("search_title", title=self.wanted), call("find_reader", name=self.c), call("unblock", card_id=c),
                call("check_out", copy_id=wanted, card_id=c),
                call("search_title", title=self.other), call("find_reader", name=self.a), call("check_out", copy_id=other, card_id=a),
                "<answer>done</answer>"]
