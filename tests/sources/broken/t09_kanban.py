# expect: refuse tools.criterion_raises
# defect: the criteria index the cards by number, and delete_card removes the record, after which they raise KeyError
import json
import random


class KanbanBoardEnv(ToolUseBaseEnv):
    """Move, assign and archive cards of a team board."""

    PEOPLE = ["Ines", "Jonas", "Karim", "Lotte"]
    COLUMNS = ["backlog", "doing", "review", "shipped"]

    def __init__(self, max_turns=18, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        titles = rng.sample(["Login page", "Export to CSV", "Dark theme", "Search index", "Mail digest", "Audit log"], 4)
        numbers = rng.sample(range(100, 999), 4)
        self._state = {"cards": {n: {"title": t, "column": "backlog", "owner": ""} for n, t in zip(numbers, titles)}}
        self.one, self.two, self.three = numbers[:3]
        self.owner = rng.choice(self.PEOPLE)
        number = {"type": "integer"}
        self._tools = {
            "show_board": {"description": "All cards.", "parameters": {"type": "object", "properties": {}}},
            "move_card": {"description": "Move a card.", "parameters": {
                "type": "object", "properties": {"number": number, "column": {"type": "string", "enum": self.COLUMNS}},
                "required": ["number", "column"]}},
            "assign": {"description": "Give a card to a person.", "parameters": {
                "type": "object", "properties": {"number": number, "person": {"type": "string", "enum": self.PEOPLE}},
                "required": ["number", "person"]}},
            "delete_card": {"description": "Delete a card for good.", "parameters": {
                "type": "object", "properties": {"title": {"type": "string", "enum": titles}}, "required": ["title"]}},
        }
        self._user_messages = [
            f"Put '{titles[0]}' into review.",
            f"'{titles[1]}' belongs to {self.owner} from now on.",
            f"'{titles[2]}' is shipped.",
        ]
        one, two, three, owner = self.one, self.two, self.three, self.owner
        self._message_criteria = [
            lambda s: s["cards"][one]["column"] == "review",
            lambda s: s["cards"][two]["owner"] == owner,
            lambda s: s["cards"][three]["column"] == "shipped",
        ]
        return (
            "You look after a board. Send <tool_call>{\"name\": \"show_board\", \"arguments\": {}}</tool_call> and the "
            "like; when no wish is left, <answer>done</answer>.\nTeam: " + self._user_messages[0]
        ), {}

    def tool_show_board(self):
        return json.dumps(self._state["cards"])

    def tool_move_card(self, number, column):
        if number not in self._state["cards"]:
            return "Error: no such card."
        self._state["cards"][number]["column"] = column
        return f"Card {number} is in {column}."

    def tool_assign(self, number, person):
        if number not in self._state["cards"]:
            return "Error: no such card."
        self._state["cards"][number]["owner"] = person
        return f"Card {number} belongs to {person}."

    def tool_delete_card(self, title):
        for number, card in list(self._state["cards"].items()):
            if card["title"] == title:
                del self._state["cards"][number]
                return f"Card {number} is gone."
        return "Error: no such card."

    def solution(self):
        calls = [("show_board", {}), ("move_card", {"number": self.one, "column": "review"}),
                 ("assign", {"number": self.two, "person": self.owner}),
                 ("move_card", {"number": self.three, "column": "shipped"})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in calls] + [
            "<answer>done</answer>"]
