import json
import random
from datetime import datetime, timedelta


class SignalClockEnv(ToolUseBaseEnv):
    """A simulated clock moves one minute per change, never per look; log lines carry its time and a running number."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.now = datetime(1962, rng.randint(1, 12), rng.randint(1, 28), rng.randint(0, 23), rng.randint(0, 59))
        tracks = {n: {"signal": "red", "train": None} for n in rng.sample(range(1, 40), 7)}
        trains = {}
        for code, n in zip(rng.sample(range(4000, 9999), 4), rng.sample(sorted(tracks), 4)):
            tracks[n]["train"] = f"X{code}"
            trains[f"X{code}"] = {"track": n, "minutes_late": rng.randint(0, 90), "goods": rng.choice(["coal", "mail", "milk", "sand"])}
        if len({t["minutes_late"] for t in trains.values()}) < 4:
            return self.reset(rng.randrange(2**31))
        self._state = {"tracks": tracks, "trains": trains, "log": []}
        late = sorted(trains, key=lambda t: -trains[t]["minutes_late"])
        empty = min(n for n, t in tracks.items() if t["train"] is None)
        one, last = trains[late[0]]["track"], trains[late[-1]]["track"]
        self.todo = (late[0], one, empty, late[-1], last)
        self._user_messages = [
            "The train that is most behind time goes first: give its track green. All other signals stay red.",
            "Set that signal back to red, and shunt the most punctual train to the free track with the lowest number.",
        ]
        self._message_criteria = [
            lambda s: [n for n, t in s["tracks"].items() if t["signal"] == "green"] == [one],
            lambda s: s["trains"][late[-1]]["track"] == empty and all(t["signal"] == "red" for t in s["tracks"].values()),
        ]
        number = {"type": "integer", "minimum": 1, "maximum": 39}
        self._tools = {
            "overview": {"description": "Tracks, signals and trains.", "parameters": {"type": "object", "properties": {}}},
            "train": {"description": "Delay and load of a train.", "parameters": {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}},
            "set_signal": {"description": "Set a signal.", "parameters": {"type": "object", "properties": {"track": number, "colour": {"type": "string", "enum": ["red", "green"]}}, "required": ["track", "colour"]}},
            "shunt": {"description": "Move a train to a free track.", "parameters": {"type": "object", "properties": {"code": {"type": "string"}, "track": number}, "required": ["code", "track"]}},
            "read_log": {"description": "The last lines of the log.", "parameters": {"type": "object", "properties": {"lines": {"type": "integer", "default": 5}}}},
        }
        return f"Signal box, {self.now:%d %B %Y, %H:%M}. {self._user_messages[0]} At the end: <answer>done</answer>.", {"clock": self.now.isoformat()}

    def _record(self, text):
        self.now += timedelta(minutes=1)
        self._state["log"].append(f"#{len(self._state['log']) + 1} {self.now:%H:%M} {text}")
        return self._state["log"][-1]

    def tool_overview(self):
        rows = [f"track {n}: {t['signal']}, {t['train'] or 'free'}" for n, t in sorted(self._state["tracks"].items())]
        return f"[{self.now:%H:%M}]\n" + "\n".join(rows)

    def tool_train(self, code):
        t = self._state["trains"].get(code)
        return f"{code}: {t['goods']}, {t['minutes_late']} minutes late, track {t['track']}" if t else "Error: unknown train."

    def tool_set_signal(self, track, colour):
        if track not in self._state["tracks"]:
            return "Error: no such track."
        self._state["tracks"][track]["signal"] = colour
        return self._record(f"signal {track} {colour}")

    def tool_shunt(self, code, track):
        t = self._state["trains"].get(code)
        if t is None or self._state["tracks"].get(track, {"train": "?"})["train"] is not None:
            return "Error: that cannot be shunted."
        self._state["tracks"][t["track"]]["train"] = None
        self._state["tracks"][track]["train"] = code
        t["track"] = track
        return self._record(f"{code} to track {track}")

    def tool_read_log(self, lines=5):
        return "\n".join(self._state["log"][-max(1, min(lines, 50)):]) or "(empty)"

    def solution(self):
        first, one, empty, last, _ = self.todo
        calls = [("overview", {})] + [("train", {"code": c}) for c in self._state["trains"]]
        calls += [("set_signal", {"track": one, "colour": "green"}), ("set_signal", {"track": one, "colour": "red"}), ("shunt", {"code": last, "track": empty})]
        return ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in calls] + ["<answer>done</answer>"]
