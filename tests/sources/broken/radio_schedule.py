# expect: refuse tools.criterion_stuck | feasibility.witness | undecided feasibility.no_witness
# defect: the criteria are lambdas made in a loop that all close over the last wish, so the first instruction stays pending after it was carried out and the episode cannot be finished in order.
import random

SHOWS = ["Jazz Attic", "Morning Mail", "Night Owls", "Quiz Box", "Sound Atlas", "Talk Back"]
SLOTS = ["06:00", "09:00", "12:00", "15:00", "18:00", "21:00"]
HOSTS = ["Anouk", "Basil", "Clea", "Dorian", "Elif"]


class RadioScheduleEnv(ToolUseBaseEnv):
    """Programme planning with three wishes, each of which moves or fills a slot."""

    def __init__(self, max_turns=15, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._current_msg = 0
        order = rng.sample(SHOWS, 3)
        free = rng.sample(SLOTS, 6)
        self._state = {
            "slots": {slot: None for slot in SLOTS},
            "hosts": {show: rng.choice(HOSTS) for show in SHOWS},
            "repeats": {},
        }
        for show, slot in zip(order, free):
            self._state["slots"][slot] = show
        self.wishes = []
        for show, slot in zip(order, free[3:]):
            host = rng.choice([name for name in HOSTS if name != self._state["hosts"][show]])
            self.wishes.append((show, slot, host))
        self._user_messages = [
            f"Move '{show}' to {slot} and let {host} present it." for show, slot, host in self.wishes
        ]
        self._message_criteria = []
        for show, slot, host in self.wishes:
            self._message_criteria.append(
                lambda state: state["slots"][slot] == show and state["hosts"][show] == host
            )
        self._tools = {
            "show_programme": {
                "description": "All slots and what is on.",
                "parameters": {"type": "object", "properties": {}},
            },
            "move_show": {
                "description": "Put a show into a free slot; its old slot becomes free.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "show": {"type": "string", "enum": SHOWS},
                        "slot": {"type": "string", "enum": SLOTS},
                    },
                    "required": ["show", "slot"],
                },
            },
            "set_host": {
                "description": "Change who presents a show.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "show": {"type": "string", "enum": SHOWS},
                        "host": {"type": "string", "enum": HOSTS},
                    },
                    "required": ["show", "host"],
                },
            },
            "plan_repeat": {
                "description": "Plan a repeat of a show; changes no slot.",
                "parameters": {
                    "type": "object",
                    "properties": {"show": {"type": "string", "enum": SHOWS}},
                    "required": ["show"],
                },
            },
        }
        return (
            "You plan the programme of a radio station. The editor's wishes come one by one. Carry each out with the "
            f"tools and send <answer>done</answer> after the last. Turns: {self.max_turns}.\n\n"
            f"Editor: {self._user_messages[0]}"
        ), {}

    def tool_show_programme(self):
        rows = []
        for slot, show in self._state["slots"].items():
            rows.append(f"{slot} {show} with {self._state['hosts'][show]}" if show else f"{slot} free")
        return "\n".join(rows)

    def tool_move_show(self, show, slot):
        slots = self._state["slots"]
        if slots[slot] is not None:
            return f"Error: {slot} is taken by {slots[slot]}."
        for other, held in slots.items():
            if held == show:
                slots[other] = None
        slots[slot] = show
        return f"{show} is on at {slot}."

    def tool_set_host(self, show, host):
        self._state["hosts"][show] = host
        return f"{host} presents {show}."

    def tool_plan_repeat(self, show):
        self._state["repeats"][show] = True
        return f"A repeat of {show} is planned."

    def solution(self):
        steps = ["show_programme()"]
        for show, slot, host in self.wishes:
            steps.append(f"move_show(show='{show}', slot='{slot}')")
            steps.append(f"set_host(show='{show}', host='{host}')")
        return " -> ".join(steps) + "\nANSWER: done"

    def hint(self):
        return "Each wish takes two calls; the order of the two does not matter."
