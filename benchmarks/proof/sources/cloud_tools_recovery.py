# multi-turn tool environment with error recovery (locks and dependencies), nested state, verbose docstrings
import json
import random


class CloudOpsEnv(ToolUseBaseEnv):
    """
    An operator changes machines that refuse to be changed in the wrong order.

    * a machine has to be stopped before it is resized or moved;
    * a protected machine has to be unprotected with the token from its audit record.
    """

    def __init__(self, max_turns=26, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        """Draw machines, tokens and the two instructions."""
        super().reset(seed=seed)
        rng = random.Random(seed)
        roles = rng.sample(["billing", "search", "mailer", "reports", "auth", "images", "queue"], 5)
        self.role, self.role2 = roles[:2]
        machines = {}
        for role in roles:
            machines[f"vm-{rng.randrange(16 ** 5):05x}"] = {
                "role": role, "zone": rng.choice("abcd"), "size": rng.choice([2, 4, 8]), "running": True,
                "guard": {"protected": role == self.role2, "audit": {"token": f"{rng.randint(100000, 999999)}"}},
            }
        self._state = {"machines": machines}
        self.new_size = rng.choice([16, 32, 64])
        here = self._by_role(self.role2)[1]["zone"]
        self.new_zone = rng.choice([z for z in "abcd" if z != here])
        one = {"vm_id": {"type": "string"}}
        self._tools = {
            "list_machines": self._schema("All machine ids with their roles."),
            "describe": self._schema("Everything public about one machine.", **one),
            "read_audit": self._schema("The audit record of one machine.", **one),
            "unprotect": self._schema("Lift the protection of a machine.", token={"type": "string"}, **one),
            "stop": self._schema("Stop a machine.", **one),
            "start": self._schema("Start a machine.", **one),
            "resize": self._schema("Change the number of cores.", cores={"type": "integer"}, **one),
            "move": self._schema("Move to another zone.", zone={"type": "string", "enum": list("abcd")}, **one),
        }
        self._user_messages = [
            f"Give the {self.role} machine {self.new_size} cores. It must run again afterwards.",
            f"Move the {self.role2} machine to zone {self.new_zone}, and leave it running.",
        ]
        self._message_criteria = [
            lambda state: any(m.get("role") == self.role and m.get("size") == self.new_size and m.get("running")
                              for m in state.get("machines", {}).values()),
            lambda state: any(m.get("role") == self.role2 and m.get("zone") == self.new_zone and m.get("running")
                              for m in state.get("machines", {}).values()),
        ]
        return (f"{self._user_messages[0]}\n(Tool calls as <tool_call>{{\"name\": ..., \"arguments\": {{...}}}}</tool_call>; another request "
                f"follows; at the end <answer>done</answer>. {self.max_turns} turns.)"), {}

    @staticmethod
    def _schema(text, **properties):
        return {"description": text, "parameters": {"type": "object", "properties": properties, "required": sorted(properties)}}

    def _by_role(self, role):
        return next((i, m) for i, m in self._state["machines"].items() if m["role"] == role)

    def _get(self, vm_id):
        return self._state["machines"].get(vm_id)

    def tool_list_machines(self):
        return "\n".join(f"{i}: {m['role']}" for i, m in self._state["machines"].items())

    def tool_describe(self, vm_id):
        m = self._get(vm_id)
        return json.dumps({k: m[k] for k in ("role", "zone", "size", "running")}) if m else "No such machine."

    def tool_read_audit(self, vm_id):
        m = self._get(vm_id)
        return f"protected: {m['guard']['protected']}; release token: {m['guard']['audit']['token']}" if m else "No such machine."

    def tool_unprotect(self, vm_id, token):
        m = self._get(vm_id)
        if not m or token != m["guard"]["audit"]["token"]:
            return "No such machine, or not its token."
        m["guard"]["protected"] = False
        return f"{vm_id} is no longer protected."

    def _change(self, vm_id, key, value):
        m = self._get(vm_id)
        if not m:
            return "No such machine."
        if m["guard"]["protected"]:
            return "Error 423: the machine is protected; its audit record holds the release token."
        if key != "running" and m["running"]:
            return "Error 409: stop the machine first."
        m[key] = value
        return f"{vm_id}: {key} = {value}"

    def tool_stop(self, vm_id):
        return self._change(vm_id, "running", False)

    def tool_start(self, vm_id):
        return self._change(vm_id, "running", True)

    def tool_resize(self, vm_id, cores):
        if cores not in (2, 4, 8, 16, 32, 64):
            return "Cores must be a power of two from 2 to 64."
        return self._change(vm_id, "size", cores)

    def tool_move(self, vm_id, zone):
        return self._change(vm_id, "zone", zone) if zone in ("a", "b", "c", "d") else "Zones are a, b, c and d."

    def solution(self):
        """Look, stop, change, start; the second machine needs its token first."""
        one, (two, m) = self._by_role(self.role)[0], self._by_role(self.role2)
        plan = [("list_machines", {}), ("stop", {"vm_id": one}), ("resize", {"vm_id": one, "cores": self.new_size}),
                ("start", {"vm_id": one}), ("stop", {"vm_id": two}), ("read_audit", {"vm_id": two}),
                ("unprotect", {"vm_id": two, "token": m["guard"]["audit"]["token"]}), ("stop", {"vm_id": two}),
                ("move", {"vm_id": two, "zone": self.new_zone}), ("start", {"vm_id": two})]
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in plan] + ["<answer>done</answer>"]

    def hint(self):
        """Approach only."""
        return "Read the error texts: they say which step has to come first."
