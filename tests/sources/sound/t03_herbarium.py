import random


class HerbariumEnv(ToolUseBaseEnv):
    """Follow references from a specimen to its collector and his field book; solution in prose."""

    def __init__(self, max_turns=10, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        genera = rng.sample(["Carex", "Salix", "Viola", "Rumex", "Silene", "Draba"], 5)
        people = rng.sample(["Aalto", "Brun", "Cermak", "Dufour", "Engel", "Fiala"], 5)
        books = rng.sample(range(10, 99), 5)
        self.sheets, self.books = {}, {}
        for genus, who, book in zip(genera, people, books):
            page = rng.randint(100, 890)
            self.sheets[genus] = {"collector": who, "page": page}
            self.books[who] = {"book": f"FB-{book}", "pages": {p: rng.randint(301, 2950) for p in (page - 1, page, page + 1)}}
        self.genus = rng.choice(genera)
        sheet = self.sheets[self.genus]
        self.who, self.page = sheet["collector"], sheet["page"]
        self._expected_answer = str(self.books[self.who]["pages"][self.page])
        self._state = {"sheets": self.sheets, "books": self.books}
        self._tools = {
            "sheet": {"description": "Label of the herbarium sheet of a genus.", "parameters": {
                "type": "object", "properties": {"genus": {"type": "string"}}, "required": ["genus"]}},
            "field_book": {"description": "Field book of a collector.", "parameters": {
                "type": "object", "properties": {"collector": {"type": "string"}}, "required": ["collector"]}},
            "altitude": {"description": "Altitude noted on a page.", "parameters": {
                "type": "object", "properties": {"book": {"type": "string"}, "page": {"type": "integer", "minimum": 1}},
                "required": ["book", "page"]}},
        }
        return (
            f"At which altitude, in metres, was the {self.genus} of our herbarium collected? Ask the catalogue with "
            "<tool_call>{\"name\": ..., \"arguments\": {...}}</tool_call> and answer with <answer>metres</answer>."
        ), {}

    def tool_sheet(self, genus):
        s = self.sheets.get(genus.strip().capitalize())
        return f"{genus}, leg. {s['collector']}, see field book p. {s['page']}" if s else "Error: not in the herbarium."

    def tool_field_book(self, collector):
        b = self.books.get(collector)
        return f"{b['book']}, three pages digitised" if b else "Error: no field book of that collector."

    def tool_altitude(self, book, page):
        for b in self.books.values():
            if b["book"] == book:
                return f"{b['pages'][page]} m" if page in b["pages"] else "Error: that page is not digitised."
        return "Error: no such book."

    def solution(self):
        book = self.books[self.who]["book"]
        return (
            f"1. sheet(genus='{self.genus}') -> collector and page\n2. field_book(collector='{self.who}') -> number of the book\n"
            f"3. altitude(book='{book}', page={self.page}) -> metres\nANSWER: {self._expected_answer}"
        )
