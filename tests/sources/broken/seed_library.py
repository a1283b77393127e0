# expect: accept | refuse tools.criterion_raises
# defect: discard_packet deletes the record, and the criteria index it directly: after discarding the wrong packet they raise KeyError.
import json
import random

PLANTS = ["kale", "leek", "chard", "borage", "lupin", "cosmos", "fennel", "sorrel", "dill", "aster"]
SHELVES = ["A1", "A2", "B1", "B2", "C1"]


class SeedLibraryEnv(ToolUseBaseEnv):
    """A seed library: find packets, move them, label them, throw out what does not germinate."""

    def __init__(self, max_turns=22, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._current_msg = 0
        self._call_history = []
        plants = rng.sample(PLANTS, 8)
        years = rng.sample(range(2009, 2024), 8)
        packets = {}
        rates = rng.sample(range(35, 99), 8)
        for plant, year, number, rate in zip(plants, years, rng.sample(range(100, 999), 8), rates):
            packets[f"SP{number}"] = {
                "plant": plant, "year": year, "shelf": rng.choice(SHELVES), "label": "plain",
                "germination": rate,
            }
        self._state = {"packets": packets, "log": []}
        ids = list(packets)
        self.oldest = min(ids, key=lambda key: packets[key]["year"])
        rest = [key for key in ids if key != self.oldest]
        self.weak = min(rest, key=lambda key: packets[key]["germination"])
        self.named = rng.choice([key for key in rest if key != self.weak])
        self.shelf = rng.choice([s for s in SHELVES if s != packets[self.oldest]["shelf"]])
        self._user_messages = [
            f"Move the packet with the oldest year to shelf {self.shelf}.",
            f"Give the {packets[self.named]['plant']} packet a red label.",
            "Of the packets from other years than the oldest one, discard the one that germinates worst.",
            "Last: write 'checked' to the log, please.",
        ]
        oldest, named, weak, shelf = self.oldest, self.named, self.weak, self.shelf
        self._message_criteria = [
            lambda s: s["packets"][oldest]["shelf"] == shelf,
            lambda s: s["packets"][named]["label"] == "red",
            lambda s: weak not in s["packets"],
            lambda s: "checked" in s["log"],
        ]
        packet = {"packet": {"type": "string", "description": "Packet number"}}
        self._tools = {
            "list_packets": self._spec("All packets with plant, year and shelf.", {}),
            "test_packet": self._spec("Germination rate of a packet.", packet),
            "move_packet": self._spec("Put a packet on a shelf.", {**packet, "shelf": {"type": "string", "enum": SHELVES}}),
            "label_packet": self._spec(
                "Change the label.", {**packet, "colour": {"type": "string", "enum": ["plain", "red", "blue"]}}
            ),
            "discard_packet": self._spec("Throw a packet away.", packet),
            "write_log": self._spec("Write a line to the log.", {"line": {"type": "string"}}),
        }
        return (
            "You look after a seed library. You get your tasks one by one and use tools for them, several in one reply "
            f"if you like. At the end send <answer>done</answer>. Turns: {self.max_turns}.\n\n{self._user_messages[0]}"
        ), {}

    def _spec(self, description, properties):
        return {
            "description": description,
            "parameters": {"type": "object", "properties": properties, "required": list(properties)},
        }

    def _get(self, packet):
        if packet not in self._state["packets"]:
            raise ValueError(f"there is no packet {packet}")
        return self._state["packets"][packet]

    def tool_list_packets(self):
        return "\n".join(
            f"{key}: {p['plant']}, {p['year']}, shelf {p['shelf']}" for key, p in self._state["packets"].items()
        )

    def tool_test_packet(self, packet):
        return f"{packet}: {self._get(packet)['germination']} % germinate."

    def tool_move_packet(self, packet, shelf):
        self._get(packet)["shelf"] = shelf
        return f"{packet} is on {shelf}."

    def tool_label_packet(self, packet, colour):
        self._get(packet)["label"] = colour
        return f"{packet} has a {colour} label."

    def tool_discard_packet(self, packet):
        self._get(packet)
        del self._state["packets"][packet]
        return f"{packet} is discarded."

    def tool_write_log(self, line):
        self._state["log"].append(line.strip())
        return "Written."

    def solution(self):
        calls = [("list_packets", {}), ("move_packet", {"packet": self.oldest, "shelf": self.shelf})]
        calls.append(("label_packet", {"packet": self.named, "colour": "red"}))
        calls += [("test_packet", {"packet": key}) for key in self._state["packets"]]
        calls += [("discard_packet", {"packet": self.weak}), ("write_log", {"line": "checked"})]
        return [
            f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>" for name, arguments in calls
        ] + ["<answer>done</answer>"]

    def hint(self):
        return "Test all packets before you discard one; a discarded packet does not come back."
