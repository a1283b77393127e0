import json
import random

TITLES = ["The Salt Road", "Winter Bees", "A House of Reeds", "Blue Ledger", "The Ninth Tide", "Paper Kites",
          "Glass Orchard", "Low Country", "The Tin Whistle", "Northern Bread", "Quiet Engines", "Maps of Rain"]
READERS = ["Ines Moro", "Pavel Dusek", "Hana Kimura", "Omar Said", "Lotte Berg", "Tomas Rey"]


class LibraryDeskEnv(ToolUseBaseEnv):
    """Multi-turn; the criteria are lambdas over the books and the fees."""

    def __init__(self, max_turns=22, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        titles, readers = rng.sample(TITLES, 10), rng.sample(READERS, 5)
        ids = [f"B{n}" for n in rng.sample(range(200, 999), 10)]
        books = {i: {"title": t, "holder": None, "copies_note": ""} for i, t in zip(ids, titles)}
        cards = {f"C{n}": {"name": r, "fee": rng.randint(1, 9)} for n, r in zip(rng.sample(range(2000, 9999), 5), readers)}
        for i, c in zip(ids[:4], rng.sample(sorted(cards), 4)):
            books[i]["holder"] = c
        self._state = {"books": books, "cards": cards}
        late, fresh = ids[rng.randrange(4)], ids[rng.randrange(4, 10)]
        holder = books[late]["holder"]
        debtor = max(cards, key=lambda c: (cards[c]["fee"], c))
        other = rng.choice([c for c in cards if c != holder])
        self.plan = (late, fresh, holder, debtor, other)
        string = {"type": "string"}

        def spec(text, *names):
            return {"description": text, "parameters": {"type": "object", "properties": {n: string for n in names}, "required": list(names)}}

        self._tools = {
            "find_book": spec("Number and holder of a title.", "title"),
            "find_card": spec("Card number and fee of a reader.", "reader"),
            "list_cards": spec("All cards with their fees."),
            "return_book": spec("Take a book back.", "book_id"),
            "lend_book": spec("Lend a free book on a card.", "book_id", "card_id"),
            "waive_fee": spec("Cancel the fee of a card.", "card_id"),
        }
        self._user_messages = [
            f"{books[late]['title']} was put into the letter box, please book it back in.",
            f"Lend {books[fresh]['title']} to {cards[other]['name']}.",
            "Whoever owes the highest fee (the higher card number if two owe the same) has won our raffle: cancel that fee, and no other.",
        ]
        was = {c: v["fee"] for c, v in cards.items()}
        self._message_criteria = [
            lambda s: s["books"][late]["holder"] is None and sum(b["holder"] is not None for b in s["books"].values()) == 3,
            lambda s: s["books"][fresh]["holder"] == other and sum(b["holder"] is not None for b in s["books"].values()) == 4,
            lambda s: s["cards"][debtor]["fee"] == 0 and all(s["cards"][c]["fee"] == f for c, f in was.items() if c != debtor),
        ]
        return f"You are at the desk of a library.\nFirst request: {self._user_messages[0]}\nWhen nothing is left to do: <answer>done</answer>", {}

    def tool_find_book(self, title):
        hits = [f"{i}: {b['title']}, {'lent on ' + b['holder'] if b['holder'] else 'free'}" for i, b in self._state["books"].items() if b["title"].lower() == title.lower()]
        return hits[0] if hits else "No such title."

    def tool_find_card(self, reader):
        return next((f"{c}: {v['name']}, fee {v['fee']}" for c, v in self._state["cards"].items() if v["name"].lower() == reader.lower()), "No such reader.")

    def tool_list_cards(self):
        return "\n".join(f"{c}: {v['name']}, fee {v['fee']}" for c, v in self._state["cards"].items())

    def tool_return_book(self, book_id):
        book = self._state["books"].get(book_id)
        if not book or book["holder"] is None:
            return "That book is not lent."
        book["holder"] = None
        return f"{book['title']} is back."

    def tool_lend_book(self, book_id, card_id):
        book = self._state["books"].get(book_id)
        if not book or card_id not in self._state["cards"] or book["holder"]:
            return "That cannot be lent."
        book["holder"] = card_id
        return f"{book['title']} is lent on {card_id}."

    def tool_waive_fee(self, card_id):
        if card_id not in self._state["cards"]:
            return "No such card."
        self._state["cards"][card_id]["fee"] = 0
        return f"The fee of {card_id} is cancelled."

    def solution(self):
        late, fresh, holder, debtor, other = self.plan
        books, cards = self._state["books"], self._state["cards"]
        steps = [("find_book", {"title": books[late]["title"]}), ("return_book", {"book_id": late}),
                 ("find_book", {"title": books[fresh]["title"]}), ("find_card", {"reader": cards[other]["name"]}),
                 ("lend_book", {"book_id": fresh, "card_id": other}), ("list_cards", {}), ("waive_fee", {"card_id": debtor})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in steps] + ["<answer>done</answer>"]

    def hint(self):
        return "Look the numbers up before you change anything, the book and the card have one each. A book lent by mistake can be returned."
