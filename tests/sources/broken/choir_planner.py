# expect: refuse tools.broken
# defect: check_conflicts reads self._state.rehearsals (an attribute of a dict), so that tool raises on every call, whatever the arguments.
import json
import random

VOICES = ["soprano", "alto", "tenor", "bass"]
DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri"]
HALLS = ["chapel", "gym", "studio"]
NAMES = ["Ada", "Ben", "Cleo", "Dag", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou"]


def spec(text, required, **properties):
    return {"description": text, "parameters": {"type": "object", "properties": properties, "required": required}}


class ChoirPlannerEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._current_msg = 0
        names = rng.sample(NAMES, 12)
        members = {
            f"M{number}": {"name": name, "voice": VOICES[i % 4], "busy": sorted(rng.sample(DAYS, 2))}
            for i, (number, name) in enumerate(zip(rng.sample(range(100, 999), 12), names))
        }
        while True:
            self.voice = rng.choice(VOICES)
            group = [m for m in members.values() if m["voice"] == self.voice]
            free = [day for day in DAYS if all(day not in m["busy"] for m in group)]
            if free:
                break
            for member in group:
                member["busy"] = sorted(rng.sample(DAYS, 1))
        self.day = free[0]
        self.hall = rng.choice(HALLS)
        self.leader = rng.choice([key for key, m in members.items() if m["voice"] == self.voice])
        self._state = {"members": members, "rehearsals": {}, "leaders": {}, "sent": []}
        voice, day, hall, leader = self.voice, self.day, self.hall, self.leader
        self._user_messages = [
            f"Schedule a {voice} rehearsal in the {hall}, on the earliest weekday when nobody of that voice is busy.",
            f"Make {members[leader]['name']} the leader of that group.",
            f"Send the plan to the {voice} group.",
        ]
        self._message_criteria = [
            lambda s: s["rehearsals"].get(voice) == (day, hall),
            lambda s: s["leaders"].get(voice) == leader,
            lambda s: voice in s["sent"],
        ]
        v = {"type": "string", "enum": VOICES}
        d = {"type": "string", "enum": DAYS}
        h = {"type": "string", "enum": HALLS}
        self._tools = {
            "list_members": spec("Members of a voice.", ["voice"], voice=v),
            "member_calendar": spec("Days on which a member is busy.", ["member"], member={"type": "string"}),
            "check_conflicts": spec("Whether a hall is taken on a day.", ["day", "hall"], day=d, hall=h),
            "schedule": spec("Set the rehearsal of a voice.", ["voice", "day", "hall"], voice=v, day=d, hall=h),
            "set_leader": spec("Name a leader.", ["voice", "member"], voice=v, member={"type": "string"}),
            "send_plan": spec("Mail the plan to a voice group.", ["voice"], voice=v),
        }
        return (
            "Plan choir rehearsals with the tools. Wishes come one after another; after the last one send "
            f"<answer>done</answer>. Weekdays: {', '.join(DAYS)}. Turns: {self.max_turns}.\n\n"
            f"Wish: {self._user_messages[0]}"
        ), {}

    def tool_list_members(self, voice):
        return ", ".join(f"{key} {m['name']}" for key, m in self._state["members"].items() if m["voice"] == voice)

    def tool_member_calendar(self, member):
        if member not in self._state["members"]:
            return "Error: no such member."
        return f"{member} is busy on {' and '.join(self._state['members'][member]['busy'])}."

    def tool_check_conflicts(self, day, hall):
        taken = [voice for voice, plan in self._state.rehearsals.items() if plan == (day, hall)]
        return f"The {hall} is taken by {', '.join(taken)}." if taken else f"The {hall} is free on {day}."

    def tool_schedule(self, voice, day, hall):
        self._state["rehearsals"][voice] = (day, hall)
        return f"The {voice} group rehearses on {day} in the {hall}."

    def tool_set_leader(self, voice, member):
        if self._state["members"].get(member, {}).get("voice") != voice:
            return f"Error: {member} does not sing {voice}."
        self._state["leaders"][voice] = member
        return f"{member} leads the {voice} group."

    def tool_send_plan(self, voice):
        if voice not in self._state["rehearsals"]:
            return "Error: that group has no plan."
        self._state["sent"].append(voice)
        return f"Sent to the {voice} group."

    def solution(self):
        group = [key for key, m in self._state["members"].items() if m["voice"] == self.voice]
        calls = [("list_members", {"voice": self.voice})]
        calls += [("member_calendar", {"member": key}) for key in group]
        calls.append(("schedule", {"voice": self.voice, "day": self.day, "hall": self.hall}))
        calls.append(("set_leader", {"voice": self.voice, "member": self.leader}))
        calls.append(("send_plan", {"voice": self.voice}))
        return [
            "<tool_call>%s</tool_call>" % json.dumps({"name": name, "arguments": arguments}) for name, arguments in calls
        ] + ["<answer>done</answer>"]

    def hint(self):
        return "Look at the calendars of all three singers of the voice before you schedule anything."
