"""Smart home with relative wishes."""
import json
import random
from dataclasses import dataclass, asdict


@dataclass
class Device:
    id: str
    kind: str
    room: str
    level: int = 0
    on: bool = False
    mode: str = "auto"


class SmartHomeEnv(ToolUseBaseEnv):
    ROOMS = ["kitchen", "nursery", "office", "hall", "loft"]

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        devices = {}
        for room in self.ROOMS:
            for kind in ("lamp", "heater", "blind"):
                d = Device(f"{kind[0]}{rng.randint(100, 999)}{room[0]}", kind, room)
                d.level = {"lamp": rng.randrange(20, 61, 10), "heater": rng.randint(17, 21), "blind": rng.randrange(0, 101, 25)}[kind]
                d.on = rng.random() < 0.5
                devices[d.id] = d
        self._state = {"devices": devices, "scene": None}
        pick = lambda kind: rng.choice([d for d in devices.values() if d.kind == kind])
        lamp, heater, blind = pick("lamp"), pick("heater"), pick("blind")
        others = [d for d in devices.values() if d.kind == "lamp" and d.room != lamp.room]
        off = rng.choice(others)
        off.on = True
        up, warmer = rng.choice([20, 30]), rng.randint(2, 4)
        goal_lamp, goal_heat = lamp.level + up, heater.level + warmer
        goal_blind = rng.choice([v for v in (0, 50, 100) if v != blind.level])
        self.scene = rng.choice(["movie", "party", "sleep"])
        word = {0: "completely open", 50: "half closed", 100: "completely closed"}[goal_blind]
        self._user_messages = [
            f"Make the lamp in the {lamp.room} {up} percent points brighter than it is.",
            f"It should be {warmer} degrees warmer in the {heater.room}.",
            f"I want the blind in the {blind.room} {word} (0 is open, 100 is closed).",
            f"Switch off the lamp in the {off.room}.",
            f"Finally start the {self.scene} scene.",
        ]
        self._message_criteria = [
            lambda s: s["devices"][lamp.id].level == goal_lamp,
            lambda s: s["devices"][heater.id].level == goal_heat,
            lambda s: s["devices"][blind.id].level == goal_blind,
            lambda s: s["devices"][off.id].on is False,
            lambda s: s["scene"] == self.scene,
        ]
        self.plan = [("devices", {"room": lamp.room}), ("set_level", {"device": lamp.id, "level": goal_lamp}),
                     ("devices", {"room": heater.room}), ("set_level", {"device": heater.id, "level": goal_heat}),
                     ("devices", {"room": blind.room}), ("set_level", {"device": blind.id, "level": goal_blind}),
                     ("devices", {"room": off.room}), ("switch", {"device": off.id, "on": False}), ("start_scene", {"scene": self.scene})]
        dev = {"type": "string", "description": "device id"}
        room = {"type": "string", "enum": self.ROOMS}
        self._tools = {
            "devices": {"description": "Devices of a room and their state.", "parameters": {"type": "object", "properties": {"room": room}, "required": ["room"]}},
            "set_level": {"description": "Brightness in percent, temperature in degrees or closing of a blind in percent.",
                          "parameters": {"type": "object", "properties": {"device": dev, "level": {"type": "integer", "minimum": 0, "maximum": 100}}, "required": ["device", "level"]}},
            "switch": {"description": "Switch a device on or off.", "parameters": {"type": "object", "properties": {"device": dev, "on": {"type": "boolean"}}, "required": ["device", "on"]}},
            "start_scene": {"description": "Start a scene.", "parameters": {"type": "object", "properties": {"scene": {"type": "string", "enum": ["movie", "party", "sleep", "wake"]}}, "required": ["scene"]}},
        }
        return f"Smart home control. User says: {self._user_messages[0]}", {"rooms": len(self.ROOMS)}

    def tool_devices(self, room):
        return json.dumps([asdict(d) for d in self._state["devices"].values() if d.room == room])

    def tool_set_level(self, device, level):
        d = self._state["devices"].get(device)
        if d is None:
            return "Error: no such device."
        if d.kind == "heater" and not 10 <= level <= 28:
            return "Error: heaters go from 10 to 28."
        d.level, d.on = level, True
        return f"{device}: {level}"

    def tool_switch(self, device, on):
        d = self._state["devices"].get(device)
        if d is None:
            return "Error: no such device."
        d.on = on
        return f"{device} is {'on' if on else 'off'}"

    def tool_start_scene(self, scene):
        self._state["scene"] = scene
        return f"Scene {scene} is running."

    def solution(self):
        return [f"<tool_call>{json.dumps(dict(name=n, arguments=a))}</tool_call>" for n, a in self.plan] + ["<answer>done</answer>"]
