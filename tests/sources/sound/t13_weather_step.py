import random
import re


class WeatherStepEnv(ToolUseBaseEnv):
    """Overrides step(): adds a status line to everything, and grades the answer itself (two tries, in words or digits)."""

    STATIONS = ["Ridge", "Shore", "Vale", "Moor", "Cape", "Glen"]

    def __init__(self, max_turns=14, **kwargs):
        self.wrong = 0
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count, self.wrong = 0, 0
        rows = {}
        for s in self.STATIONS:
            rows[s] = {day: {"rain": rng.randint(0, 480) / 10, "wind": rng.randint(3, 90)} for day in range(1, 8)}
        self._state = {"rows": rows}
        self.limit = rng.randint(25, 45)
        self.pair = rng.sample(self.STATIONS, 3)
        total = sum(v["rain"] for s in self.pair for v in rows[s].values() if v["wind"] > self.limit)
        self._expected_answer = round(total, 1)
        if total == 0:
            return self.reset(rng.randrange(2**31))
        self._tools = {
            "rain": {"description": "Rain of each day at a station, in mm.", "parameters": {"type": "object", "properties": {"station": {"type": "string", "enum": self.STATIONS}}, "required": ["station"]}},
            "wind": {"description": "Wind of each day at a station, in km/h.", "parameters": {"type": "object", "properties": {"station": {"type": "string", "enum": self.STATIONS}}, "required": ["station"]}},
        }
        return (
            f"How much rain (in mm, one decimal) fell in all at {', '.join(self.pair)} on days on which the wind at the same station blew faster than {self.limit} km/h? "
            "Use the tools and answer <answer>12.3 mm</answer>. The second wrong answer ends the task."
        ), {}

    def tool_rain(self, station):
        return "; ".join(f"day {d}: {v['rain']}" for d, v in self._state["rows"][station].items())

    def tool_wind(self, station):
        return "; ".join(f"day {d}: {v['wind']}" for d, v in self._state["rows"][station].items())

    def _read(self, text):
        m = re.fullmatch(r"\s*([0-9]{1,6}(?:[.,][0-9]{1,3})?)\s*(?:mm|millimet(?:er|re)s?)?\.?\s*", text, re.I)
        return float(m.group(1).replace(",", ".")) if m else None

    def step(self, action):
        m = re.search(r"<answer>(.*?)</answer>", action, re.S)
        if m and "<tool_call>" not in action:
            self.turn_count += 1
            value = self._read(m.group(1))
            late = self.turn_count >= self.max_turns
            if value is None:
                return "Give a number of millimetres.", -0.05, False, late, {"wrong": self.wrong}
            if abs(value - self._expected_answer) < 0.051:
                return "That is the amount.", 1.0, True, False, {"wrong": self.wrong}
            self.wrong += 1
            if self.wrong >= 2:
                return f"No. It was {self._expected_answer} mm.", -1.0, True, False, {"wrong": self.wrong}
            return "No. One try is left.", -0.2, False, late, {"wrong": self.wrong}
        observation, reward, terminated, truncated, info = super().step(action)
        info["wrong"] = self.wrong
        return observation + f"\n[turn {self.turn_count} of {self.max_turns}]", reward, terminated, truncated, info

    def solution(self):
        calls = ['<tool_call>{"name": "%s", "arguments": {"station": "%s"}}</tool_call>' % (t, s) for s in self.pair for t in ("wind", "rain")]
        return calls + [f"<answer>{self._expected_answer} mm</answer>"]
