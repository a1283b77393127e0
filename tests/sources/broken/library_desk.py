# expect: refuse tools.criterion_stuck | feasibility.witness
# defect: the second criterion compares the borrower kept as text with the member number kept as int, so it never becomes true
import json
import random


def obj(required, **properties):
    return {"type": "object", "properties": properties, "required": required}


class LibraryDeskEnv(ToolUseBaseEnv):
    """Loans, returns and holds at a small library."""

    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        titles = rng.sample(["Dunes", "Granite", "Harbour", "Icefall", "Juniper", "Kelp", "Lantern", "Moor"], 5)
        people = rng.sample(["Anker", "Birgit", "Claude", "Dario", "Edda", "Flor"], 4)
        self.member = {p: n for p, n in zip(people, rng.sample(range(10000, 99999), 4))}
        shelf = {t: f"BK{n}" for t, n in zip(titles, rng.sample(range(100, 999), 5))}
        self._state = {
            "books": {shelf[t]: {"title": t, "borrower": None, "hold": None} for t in titles},
        }
        self._state["books"][shelf[titles[0]]]["borrower"] = str(self.member[people[0]])
        self.returned, self.lent, self.held = (shelf[t] for t in titles[:3])
        self.reader, self.waiting = people[1], people[2]
        reader_no, waiting_no = self.member[self.reader], self.member[self.waiting]
        self._user_messages = [
            f"{people[0]} brings back '{titles[0]}'. Take it in.",
            f"{self.reader} would like to borrow '{titles[1]}'.",
            f"Put '{titles[2]}' on hold for {self.waiting}.",
        ]
        self._message_criteria = [
            lambda s: s["books"][self.returned]["borrower"] is None,
            lambda s: s["books"][self.lent]["borrower"] == reader_no,
            lambda s: s["books"][self.held]["hold"] == str(waiting_no),
        ]
        text = {"type": "string"}
        self._tools = {
            "search_catalogue": {"description": "Book number and state of a title.", "parameters": obj(["title"], title=text)},
            "find_member": {"description": "Member number of a person.", "parameters": obj(["name"], name=text)},
            "return_book": {"description": "Take a book back.", "parameters": obj(["book"], book=text)},
            "lend_book": {"description": "Lend a book to a member.", "parameters": obj(["book", "member"], book=text, member=text)},
            "hold_book": {"description": "Reserve a book.", "parameters": obj(["book", "member"], book=text, member=text)},
        }
        return f"Library desk. Finish every request, then send <answer>done</answer>.\nRequest: {self._user_messages[0]}", {}

    def tool_search_catalogue(self, title):
        for number, book in self._state["books"].items():
            if book["title"].lower() == title.lower():
                return json.dumps({"book": number, **book})
        return "Nothing found."

    def tool_find_member(self, name):
        return f"{name}: member {self.member[name]}" if name in self.member else "Unknown person."

    def tool_return_book(self, book):
        if book not in self._state["books"]:
            return "Unknown book number."
        self._state["books"][book]["borrower"] = None
        return "Returned."

    def tool_lend_book(self, book, member):
        entry = self._state["books"].get(book)
        if entry is None or member not in map(str, self.member.values()):
            return "Unknown book or member number."
        if entry["borrower"]:
            return "It is out on loan."
        entry["borrower"] = member
        return f"{entry['title']} is lent to member {member}."

    def tool_hold_book(self, book, member):
        if book not in self._state["books"] or member not in map(str, self.member.values()):
            return "Unknown book or member number."
        self._state["books"][book]["hold"] = member
        return "On hold."

    def solution(self):
        titles = {n: b["title"] for n, b in self._state["books"].items()}
        steps = [
            ("search_catalogue", {"title": titles[self.returned]}), ("return_book", {"book": self.returned}),
            ("search_catalogue", {"title": titles[self.lent]}), ("find_member", {"name": self.reader}),
            ("lend_book", {"book": self.lent, "member": str(self.member[self.reader])}),
            ("search_catalogue", {"title": titles[self.held]}), ("find_member", {"name": self.waiting}),
            ("hold_book", {"book": self.held, "member": str(self.member[self.waiting])}),
        ]
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in steps] + ["<answer>done</answer>"]
