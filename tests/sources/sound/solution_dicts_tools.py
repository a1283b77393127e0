import json, random
from spade.core.envs.tool_use_base_env import ToolUseBaseEnv
class LibraryEnv(ToolUseBaseEnv):
    def __init__(self, max_turns: int = 12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)
    def reset(self, seed=None, **kwargs):
        super().reset(seed=seed)
        r = random.Random(seed)
        self.books = {f"BK-{r.randint(100,999)}": {"title": t, "copies": r.randint(1000, 9999)} for t in ("Dune", "Emma", "Ulysses")}
        self.wanted = r.choice([b["title"] for b in self.books.values()])
        self._state = {"books": self.books, "loans": []}
        self._tools = {
            "search": {"description": "find a book id by title", "parameters": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}},
            "copies": {"description": "copies left", "parameters": {"type": "object", "properties": {"book_id": {"type": "string"}}, "required": ["book_id"]}},
        }
        self._expected_answer = str(self.copies_of(self.wanted))
        return f"How many copies of {self.wanted} are left? Use the tools, then answer with <answer>N</answer>.", {}
    def copies_of(self, title):
        return next(b["copies"] for b in self.books.values() if b["title"] == title)
    def id_of(self, title):
        return next((k for k, b in self.books.items() if b["title"].lower() == title.lower()), None)
    def tool_search(self, title):
        i = self.id_of(title)
        return json.dumps({"book_id": i}) if i else "Error: no such title"
    def tool_copies(self, book_id):
        b = self.books.get(book_id)
        if b is None: raise KeyError(f"no book {book_id}")
        return {"copies": b["copies"]}
    def solution(self):
        return [{"name": "search", "arguments": {"title": self.wanted}}, {"name": "copies", "arguments": {"book_id": self.id_of(self.wanted)}}, f"<answer>{self._expected_answer}</answer>"]
