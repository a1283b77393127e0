import json, random


class StrainSensorsEnv(ToolUseBaseEnv):
    """Error recovery: the first reading of each sensor fails; some need a calibration first; then compare."""

    SITES = ["dam", "quarry", "bridge", "tunnel", "mast", "pier", "silo", "lock"]

    def __init__(self, max_turns=30, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        super().reset()
        sites = rng.sample(self.SITES, 5)
        self._state = {"sensors": {}}
        for s in sites:
            self._state["sensors"][s] = {
                "id": f"{s[:2].upper()}-{rng.randint(200, 899)}",
                "value": round(rng.uniform(10, 400), 1),
                "offset": rng.choice([0, 0, round(rng.uniform(-9, 9), 1)]),
                "failures": rng.randint(1, 2),
                "calibrated": rng.random() < 0.5,
            }
        self.sites = sites
        self._expected_answer = round(sum(d["value"] + d["offset"] for d in self._state["sensors"].values()), 1)
        self._tools = {
            "list_sensors": {"description": "Sensor id of every site.", "parameters": {"type": "object", "properties": {}}},
            "read": {
                "description": "Read a sensor. May time out; calling again is safe.",
                "parameters": {"type": "object", "properties": {"sensor_id": {"type": "string"}}, "required": ["sensor_id"]},
            },
            "calibrate": {
                "description": "Calibrate a sensor that reports it needs it.",
                "parameters": {"type": "object", "properties": {"sensor_id": {"type": "string"}, "mode": {"type": "string", "enum": ["quick", "full"]}},
                               "required": ["sensor_id", "mode"]},
            },
        }
        return (f"Read the strain sensors at {', '.join(sites)} and report the sum of the corrected values (value plus offset) "
                "with one decimal as <answer>0.0</answer>. Readings can fail, deal with it."), {}

    def _get(self, sensor_id):
        return next((d for d in self._state["sensors"].values() if d["id"] == sensor_id), None)

    def tool_list_sensors(self):
        return json.dumps({s: d["id"] for s, d in self._state["sensors"].items()})

    def tool_read(self, sensor_id):
        d = self._get(sensor_id)
        if d is None:
            return "ERROR 404: unknown sensor"
        if not d["calibrated"]:
            return "ERROR 409: calibration (full) required"
        if d["failures"] > 0:
            d["failures"] -= 1
            raise TimeoutError("gateway did not answer")
        return f"value={d['value']} offset={d['offset']}"

    def tool_calibrate(self, sensor_id, mode):
        d = self._get(sensor_id)
        if d is None:
            return "ERROR 404: unknown sensor"
        if mode != "full":
            return "WARN: quick calibration finished, but this sensor needs a full one"
        d["calibrated"] = True
        return "calibrated"

    def hint(self):
        return ("Repeat a reading that timed out. Where a sensor asks for calibration, call calibrate with mode full, then read again. "
                "Add value and offset of all sites.")

    def solution(self):
        call = lambda n, **a: "<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>"
        yield call("list_sensors")
        for s in self.sites:
            sid = self._state["sensors"][s]["id"]
            while True:
                out = yield call("read", sensor_id=sid)
                if "value=" in out:
                    break
                if "409" in out:
                    yield call("calibrate", sensor_id=sid, mode="full")
        yield f"<answer>{self._expected_answer}</answer>"
