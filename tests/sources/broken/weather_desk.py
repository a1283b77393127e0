# expect: refuse tools.broken
# defect: tool_station_history reads the state key "history", which is called "records"; every call raises KeyError
import json
import random


class WeatherDeskEnv(ToolUseBaseEnv):
    """Tool selection among look-alikes at a weather service."""

    def __init__(self, max_turns=15, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        towns = rng.sample(["Alta", "Bodo", "Hamar", "Narvik", "Oppdal", "Roros", "Skien", "Voss"], 5)
        self._state = {"stations": {}, "records": {}, "bulletins": []}
        for town, number in zip(towns, rng.sample(range(10000, 99999), 5)):
            sid = f"ST{number}"
            self._state["stations"][sid] = {"town": town, "metres": rng.randint(3, 900), "alarm": "none"}
            self._state["records"][sid] = [rng.randint(-250, 250) / 10 for _ in range(6)]
        ids = list(self._state["stations"])
        self.cold = min(ids[:3], key=lambda i: (min(self._state["records"][i]), i))
        names = ", ".join(self._state["stations"][i]["town"] for i in ids[:3])
        self.other = ids[3]
        self.level = rng.choice(["yellow", "orange", "red"])
        self._user_messages = [
            f"Of {names}: set the alarm of the station with the lowest reading to 'frost'.",
            f"Then set the alarm for {self._state['stations'][self.other]['town']} to '{self.level}'.",
        ]
        self._message_criteria = [
            lambda s: s["stations"][self.cold]["alarm"] == "frost",
            lambda s: s["stations"][self.other]["alarm"] == self.level,
        ]
        sid = {"station_id": {"type": "string"}}
        self._tools = {
            "find_station": {"description": "Station of a town.", "parameters": {
                "type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]}},
            "station_summary": {"description": "Lowest and highest reading of a station.", "parameters": {
                "type": "object", "properties": sid, "required": ["station_id"]}},
            "station_history": {"description": "All readings of a station, oldest first.", "parameters": {
                "type": "object", "properties": sid, "required": ["station_id"]}},
            "set_alarm": {"description": "Set a station's alarm.", "parameters": {
                "type": "object", "properties": {**sid, "alarm": {"type": "string", "enum": ["none", "frost", "yellow", "orange", "red"]}},
                "required": ["station_id", "alarm"]}},
        }
        return "Weather desk. Several calls per reply are fine. Finish with <answer>done</answer>.\n" + self._user_messages[0], {}

    def tool_find_station(self, town):
        for key, station in self._state["stations"].items():
            if station["town"].lower() == town.lower():
                return json.dumps({"station_id": key, **station})
        return "No station there."

    def tool_station_summary(self, station_id):
        values = self._state["records"].get(station_id)
        if not values:
            return "Unknown station."
        return f"lowest {min(values)}, highest {max(values)}"

    def tool_station_history(self, station_id):
        if station_id not in self._state["stations"]:
            values = self._state["history"].get(station_id, [])
        else:
            values = self._state["history"][station_id]
        return ", ".join(str(v) for v in values) or "Unknown station."

    def tool_set_alarm(self, station_id, alarm):
        if station_id not in self._state["stations"]:
            return "Unknown station."
        self._state["stations"][station_id]["alarm"] = alarm
        return f"{station_id}: alarm {alarm}."

    def solution(self):
        def call(name, **arguments):
            return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"

        plan = []
        for sid in list(self._state["stations"])[:3]:
            plan.append(call("find_station", town=self._state["stations"][sid]["town"]))
            plan.append(call("station_summary", station_id=sid))
        plan.append(call("set_alarm", station_id=self.cold, alarm="frost"))
        plan.append(call("find_station", town=self._state["stations"][self.other]["town"]))
        plan.append(call("set_alarm", station_id=self.other, alarm=self.level))
        return plan + ["<answer>done</answer>"]
