"""Calendar desk: four requests, each needs a look at the calendar first."""
import datetime
import json
import random

PEOPLE = ["Rhea", "Tariq", "Beate", "Owen", "Lucia", "Satoshi"]
TOPICS = ["budget review", "design critique", "hiring panel", "supplier call", "retro", "launch check"]
ROOMS = ["Elm", "Fir", "Yew"]


class CalendarDeskEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=24, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        self.turn_count = 0
        self._current_msg = 0
        rng = random.Random(seed)
        monday = datetime.date(2025, 1, 6) + datetime.timedelta(weeks=rng.randint(0, 40))
        week = [monday + datetime.timedelta(days=d) for d in range(5)]
        events = {}
        slots = rng.sample([(d, h) for d in week for h in range(9, 17)], 9)
        topics = TOPICS + [t + " II" for t in TOPICS[:3]]
        for (day, hour), topic, n in zip(slots, topics, rng.sample(range(100, 999), 9)):
            events[f"ev{n}"] = {"topic": topic, "day": day.isoformat(), "hour": hour, "room": rng.choice(ROOMS), "who": rng.sample(PEOPLE, 2), "status": "planned"}
        self._state = {"events": events, "sent": []}
        keys = sorted(events)
        rng.shuffle(keys)
        self.move, self.cancel, self.extra, self.mail = keys[:4]
        busy = {(e["day"], e["hour"]) for e in events.values()}
        free = [(d.isoformat(), h) for d in week for h in range(9, 17) if (d.isoformat(), h) not in busy]
        self.new_day, self.new_hour = rng.choice(free)
        self.guest = rng.choice([p for p in PEOPLE if p not in events[self.extra]["who"]])
        old = events[self.move]["hour"], events[self.move]["day"]
        self._user_messages = [
            f"Move the {events[self.move]['topic']} to {self.new_day} at {self.new_hour}:00.",
            f"Cancel the meeting that {' and '.join(events[self.cancel]['who'])} have on {events[self.cancel]['day']} at {events[self.cancel]['hour']}:00.",
            f"{self.guest} wants to join the {events[self.extra]['topic']}.",
            f"Please send a reminder to everybody in the {events[self.mail]['topic']}.",
        ]
        self._message_criteria = [
            lambda s, k=self.move: (s["events"][k]["day"], s["events"][k]["hour"]) == (self.new_day, self.new_hour),
            lambda s, k=self.cancel: s["events"][k]["status"] == "cancelled",
            lambda s, k=self.extra: self.guest in s["events"][k]["who"],
            lambda s, k=self.mail: k in s["sent"],
        ]
        text = {"type": "string"}
        ident = {"type": "string", "description": "event id such as ev000"}
        def t(desc, **p):
            return {"description": desc, "parameters": {"type": "object", "properties": p, "required": list(p)}}
        self._tools = {
            "day_view": t("Events of a day, with ids.", day={"type": "string", "format": "date"}),
            "search_events": t("Events whose topic contains a text.", text=text),
            "move_event": t("Reschedule an event.", event_id=ident, day={"type": "string", "format": "date"}, hour={"type": "integer", "minimum": 8, "maximum": 18}),
            "cancel_event": t("Cancel an event.", event_id=ident),
            "add_guest": t("Invite one more person.", event_id=ident, person={"type": "string", "enum": PEOPLE}),
            "send_reminder": t("Remind all participants.", event_id=ident),
        }
        return (f"You keep the calendar of a team for the week of {monday.isoformat()} (a Monday). Requests come one by one.\n"
                f"Request: {self._user_messages[0]}"), {"events": len(events)}

    def _row(self, k):
        e = self._state["events"][k]
        return f"{k}: {e['topic']}, {e['day']} {e['hour']}:00, room {e['room']}, {' and '.join(e['who'])}, {e['status']}"

    def tool_day_view(self, day):
        return "\n".join(self._row(k) for k, e in sorted(self._state["events"].items(), key=lambda kv: kv[1]["hour"]) if e["day"] == day) or "Nothing planned."

    def tool_search_events(self, text):
        return "\n".join(self._row(k) for k, e in self._state["events"].items() if text.lower() in e["topic"].lower()) or "No match."

    def _event(self, event_id):
        if event_id not in self._state["events"]:
            raise KeyError(f"no event {event_id}")
        return self._state["events"][event_id]

    def tool_move_event(self, event_id, day, hour):
        e = self._event(event_id)
        datetime.date.fromisoformat(day)
        e["day"], e["hour"] = day, hour
        return "Moved. " + self._row(event_id)

    def tool_cancel_event(self, event_id):
        self._event(event_id)["status"] = "cancelled"
        return "Cancelled. " + self._row(event_id)

    def tool_add_guest(self, event_id, person):
        e = self._event(event_id)
        if person in e["who"]:
            return "Already invited."
        e["who"].append(person)
        return "Invited. " + self._row(event_id)

    def tool_send_reminder(self, event_id):
        e = self._event(event_id)
        self._state["sent"].append(event_id)
        return f"Reminder sent to {len(e['who'])} people."

    def solution(self):
        call = lambda n, **a: "<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>"
        ev = self._state["events"]
        return [
            call("search_events", text=ev[self.move]["topic"]),
            call("move_event", event_id=self.move, day=self.new_day, hour=self.new_hour),
            call("day_view", day=ev[self.cancel]["day"]),
            call("cancel_event", event_id=self.cancel),
            call("search_events", text=ev[self.extra]["topic"]),
            call("add_guest", event_id=self.extra, person=self.guest),
            call("search_events", text=ev[self.mail]["topic"]),
            call("send_reminder", event_id=self.mail),
            "<answer>done</answer>",
        ]
