import json
import random


class RadioCatchingEnv(ToolUseBaseEnv):
    """Criteria that catch the exceptions they may meet: entries exist only once something was done."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        stations = {}
        for name in rng.sample(["Arrow", "Buoy", "Cairn", "Delta", "Ember", "Fjord", "Grove", "Heath"], 6):
            stations[name] = {"band": rng.choice(["short", "medium"]), "noise": {c: rng.randint(1, 99) for c in rng.sample(range(10, 60), 5)}}
        self._state = {"stations": stations}
        a, b = rng.sample(sorted(stations), 2)
        quiet = min(stations[a]["noise"], key=lambda c: (stations[a]["noise"][c], c))
        loud = max(stations[b]["noise"], key=lambda c: (stations[b]["noise"][c], c))
        code = rng.choice(["alpha", "bravo", "delta", "sierra", "tango"])
        self.goal = (a, b, quiet, loud, code)

        def tuned(state):
            try:
                return state["tuned"][a] == quiet
            except KeyError:
                return False

        def jammed(state):
            try:
                return state["blocked"][b] == [loud]
            except (KeyError, IndexError, TypeError):
                return False

        def sent(state):
            try:
                last = state["sent"][-1]
                return (last["to"], last["channel"], last["code"]) == (a, quiet, code) and len(state["sent"]) == 1
            except Exception:
                return False

        self._message_criteria = [tuned, jammed, sent]
        self._user_messages = [
            f"Tune station {a} to its quietest channel.",
            f"Station {b}: block the noisiest channel, that one only (a blocked channel stays blocked).",
            f"Now send the code word {code} to {a} on the channel we tuned it to. One transmission, please, the line is expensive.",
        ]
        name = {"type": "string", "enum": sorted(stations)}
        channel = {"type": "integer", "minimum": 10, "maximum": 59}
        self._tools = {
            "scan": {"description": "Noise of every channel of a station.", "parameters": {"type": "object", "properties": {"station": name}, "required": ["station"]}},
            "tune": {"description": "Tune a station.", "parameters": {"type": "object", "properties": {"station": name, "channel": channel}, "required": ["station", "channel"]}},
            "block": {"description": "Block a channel of a station.", "parameters": {"type": "object", "properties": {"station": name, "channel": channel}, "required": ["station", "channel"]}},
            "transmit": {"description": "Send a code word.", "parameters": {"type": "object", "properties": {
                "station": name, "channel": channel, "code": {"type": "string", "enum": ["alpha", "bravo", "delta", "sierra", "tango"]}}, "required": ["station", "channel", "code"]}},
        }
        return "Radio room. " + self._user_messages[0] + " When the list of jobs is empty, <answer>done</answer>.", {}

    def tool_scan(self, station):
        noise = self._state["stations"][station]["noise"]
        return ", ".join(f"channel {c}: {n} dB" for c, n in noise.items())

    def tool_tune(self, station, channel):
        if channel not in self._state["stations"][station]["noise"]:
            return f"Error: {station} has no channel {channel}."
        self._state.setdefault("tuned", {})[station] = channel
        return f"{station} is on channel {channel}."

    def tool_block(self, station, channel):
        if channel not in self._state["stations"][station]["noise"]:
            return f"Error: {station} has no channel {channel}."
        self._state.setdefault("blocked", {}).setdefault(station, []).append(channel)
        return f"Channel {channel} of {station} is blocked."

    def tool_transmit(self, station, channel, code):
        if self._state.get("tuned", {}).get(station) != channel:
            return f"Error: {station} does not listen on channel {channel}."
        self._state.setdefault("sent", []).append({"to": station, "channel": channel, "code": code})
        return "Sent."

    def solution(self):
        a, b, quiet, loud, code = self.goal
        plan = [("scan", dict(station=a)), ("tune", dict(station=a, channel=quiet)), ("scan", dict(station=b)), ("block", dict(station=b, channel=loud)),
                ("transmit", dict(station=a, channel=quiet, code=code))]
        for name, args in plan:
            yield f"<tool_call>{json.dumps({'name': name, 'arguments': args})}</tool_call>"
        yield "<answer>done</answer>"
