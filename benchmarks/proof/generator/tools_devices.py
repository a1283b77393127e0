"""A tools environment of devices that are locked, and must be changed by relative amounts."""

from __future__ import annotations

import random

from .model import GeneratedSource
from .tools_frame import Tool, ToolSketch, lay_out_tools
from .words import class_name

_DEVICE = {"device_id": ("string", "Number of the device")}
_DONE = "When there is nothing left to do, reply <answer>done</answer>."


_DEVICE_SETUP_SETUP = """
    self.max_turns = 24
    models = [f"M{n}" for n in R.sample(range(100, 999), 3)]
    numbers = iter(R.sample(range(1000, 9999), len(ROOMS) * len(KINDS)))
    codes = {model: str(R.randint(100000, 999999)) for model in models}
    self._state = {"devices": {}, "codes": codes, "changes": []}
    for room in ROOMS:
        for kind in KINDS:
            row = {"room": room, "kind": kind, "model": R.choice(models), "locked": True}
            row["<<level>>"] = R.randint(41, 60)
            self._state["devices"][f"D{next(numbers)}"] = row
    # Each job is a device with its change.
    S.jobs = [
        (number, R.choice([-1, 1]) * R.randint(<<low>>, <<high>>))
        for number in R.sample(list(self._state["devices"]), 2)
    ]
"""


_DEVICE_SETUP_ASK = """
    devices = self._state["devices"]
    spoken = []
    for number, change in S.jobs:
        word = "Raise" if change > 0 else "Lower"
        d = devices[number]
        place = f"{d['kind']} in the room {d['room']}"
        spoken.append(f"{word} the <<level>> of the {place} by {abs(change)}, in one step.")
    wanted = [[number, devices[number]["<<level>>"] + change] for number, change in S.jobs]
    self._user_messages = [spoken[0] + " Change nothing else. <<done>>", "Thanks. " + spoken[1]]
    self._message_criteria = [
        lambda state: state.get("changes") == wanted[:1],
        lambda state: state.get("changes") == wanted,
    ]
    text = self._user_messages[0]
"""


_DEVICE_SETUP_SOLUTION = """
    for number, change in S.jobs:
        d = self._state["devices"][number]
        CALL <<list>>(room=d["room"])
        CALL <<status>>(device_id=number)
        CALL <<manual>>(model=d["model"])
        CALL <<unlock>>(device_id=number, code=self._state["codes"][d["model"]])
        CALL <<set>>(device_id=number, value=d["<<level>>"] + change)
    ANSWER "done"
"""


_DEVICE_SETUP_TOOLS = [
    Tool(
        "<<list>>",
        "Kinds and numbers of the devices in a room.",
        {"room": ("string", "Name of the room")},
        """
        found = [f"{d['kind']} {n}" for n, d in self._state["devices"].items() if d["room"] == room]
        return ", ".join(found) or "There are no devices under that name. Rooms: " + ", ".join(ROOMS)
        """,
    ),
    Tool(
        "<<status>>",
        "Model, <<level>> and lock of a device.",
        _DEVICE,
        """
        d = self._state["devices"].get(device_id)
        if d is None:
            return "Unknown device."
        lock = "locked" if d["locked"] else "unlocked"
        return f"{device_id}: model {d['model']}, <<level>> {d['<<level>>']}, {lock}"
        """,
    ),
    Tool(
        "<<manual>>",
        "What the manual says of a model.",
        {"model": ("string", "Name of the model")},
        """
        if model not in self._state["codes"]:
            return "No manual for that model."
        return f"Model {model} is unlocked with the code {self._state['codes'][model]}."
        """,
    ),
    Tool(
        "<<unlock>>",
        "Unlock a device with the code of its model.",
        {**_DEVICE, "code": ("string", "Code out of the manual")},
        """
        d = self._state["devices"].get(device_id)
        if d is None:
            return "Unknown device."
        if self._state["codes"][d["model"]] != code.strip():
            return "That is not the code of this model."
        d["locked"] = False
        return f"{device_id} is unlocked."
        """,
    ),
    Tool(
        "<<set>>",
        "Set the <<level>> of an unlocked device. Every change is recorded.",
        {**_DEVICE, "value": ("integer", "The new <<level>>, 0 to 100")},
        """
        d = self._state["devices"].get(device_id)
        value = int(value)
        if d is None:
            return "Unknown device."
        if d["locked"]:
            return "The device is locked; unlock it with its code first."
        if not 0 <= value <= 100:
            return "Values go from 0 to 100."
        d["<<level>>"] = value
        self._state["changes"].append([device_id, value])
        return f"<<level>> of {device_id} is now {value}."
        """,
    ),
]


def device_setup(rng: random.Random) -> GeneratedSource:
    """Find a device, unlock it with the code of its model, and change its level; every change is recorded."""
    rooms, kinds, level = rng.choice(
        [
            (["kitchen", "attic", "garage", "study"], ["heater", "fan", "lamp"], "level"),
            (["hall A", "hall B", "hall C", "yard"], ["pump", "press", "mixer"], "speed"),
            (["deck", "bridge", "galley", "hold"], ["radio", "winch", "light"], "power"),
        ]
    )
    words = {
        "rooms": repr(rooms),
        "kinds": repr(kinds),
        "level": level,
        "list": rng.choice(["list_devices", "devices_in", "scan_room"]),
        "status": rng.choice(["device_status", "read_status", "inspect"]),
        "manual": rng.choice(["read_manual", "manual_for", "open_manual"]),
        "unlock": rng.choice(["unlock", "enter_code", "sign_in"]),
        "set": rng.choice([f"set_{level}", "configure", "adjust"]),
        "low": str(rng.randint(3, 6)),
        "high": str(rng.randint(34, 40)),
        "done": _DONE,
    }
    sketch = ToolSketch(
        class_name=class_name(rng, "Devices", "Control", "Building", "Setup"),
        about="Unlock devices and change them by what is asked.",
        tools=_DEVICE_SETUP_TOOLS,
        setup=_DEVICE_SETUP_SETUP,
        ask=_DEVICE_SETUP_ASK,
        solution=_DEVICE_SETUP_SOLUTION,
        hint="List, look at the status, read the manual of the model, unlock, and set once to the sum or difference.",
        words=words,
        constants=["ROOMS = <<rooms>>", "KINDS = <<kinds>>"],
    )
    return lay_out_tools(sketch, rng)
