"""Calendar assistant with datetime."""
from __future__ import annotations
import json
import random
from datetime import datetime, timedelta, date, time
from enum import Enum
from typing import Any, Optional

class Status(str, Enum):
    FREE = "free"
    BUSY = "busy"

class Event:
    _counter = 0
    __slots__ = ("eid", "title", "start", "minutes")
    def __init__(self, eid: str, title: str, start: datetime, minutes: int) -> None:
        self.eid, self.title, self.start, self.minutes = eid, title, start, minutes
    @property
    def end(self) -> datetime: return self.start + timedelta(minutes=self.minutes)
    def overlaps(self, other: Event) -> bool: return self.start < other.end and other.start < self.end
    def as_dict(self) -> dict[str, Any]:
        return {"id": self.eid, "title": self.title, "start": self.start.strftime("%Y-%m-%d %H:%M"), "end": self.end.isoformat(sep=" ", timespec="minutes")}
    def __lt__(self, o: Event) -> bool: return self.start < o.start

class CalendarAssistantEnv(ToolUseBaseEnv):
    def __init__(self, max_turns: int = 16, **kwargs):
        self.events: dict[str, Event] = {}
        super().__init__(max_turns=max_turns, **kwargs)
    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None):
        super().reset(seed=seed)
        rng = random.Random(seed)
        base = datetime.combine(date(2025, rng.randint(1, 12), rng.randint(1, 28)), time(9, 0))
        self.events = {}
        titles = rng.sample(["Standup", "Review", "1:1 with Kim", "Planning", "Demo"], 4)
        for k, t in enumerate(titles):
            e = Event(f"ev_{rng.randint(100, 999)}{k}", t, base + timedelta(hours=2 * k), rng.choice([30, 45, 60]))
            self.events[e.eid] = e
        first, second = sorted(self.events.values())[:2]
        self.first, self.second = first.eid, second.eid
        self.new_start = (first.start + timedelta(days=1)).strftime("%Y-%m-%d %H:%M")
        self._sync()
        p = lambda **kw: {"type": "object", "properties": kw, "required": list(kw)}
        s = {"type": "string"}
        self._tools = {
            "list_events": {"description": "All events of the day.", "parameters": p()},
            "move_event": {"description": "Move to 'YYYY-MM-DD HH:MM'.", "parameters": p(event_id=s, start=s)},
            "delete_event": {"description": "Delete.", "parameters": p(event_id=s)},
        }
        self._user_messages = [f"Move '{first.title}' to the next day, same time.", f"Delete '{second.title}'."]
        self._message_criteria = [lambda st: st["events"].get(self.first, {}).get("start") == self.new_start, lambda st: self.second not in st["events"]]
        self._expected_answer = "done"
        return f"Calendar assistant. {self._user_messages[0]} When finished: <answer>done</answer>", {"day": base.date().isoformat()}
    def _sync(self): self._state = {"events": {k: e.as_dict() for k, e in self.events.items()}}
    def _check_message(self) -> str:
        self._sync()
        i = self._current_msg
        if i < len(self._message_criteria) and self._message_criteria[i](self._state):
            self._current_msg += 1
            return "\n\n[User]: " + (self._user_messages[i + 1] if i + 1 < len(self._user_messages) else "Great, done.")
        return ""
    def tool_list_events(self): return json.dumps([e.as_dict() for e in sorted(self.events.values())]) + self._check_message()
    def tool_move_event(self, event_id, start):
        if event_id not in self.events: return "Error: unknown event"
        try: when = datetime.strptime(start, "%Y-%m-%d %H:%M")
        except ValueError as e: return f"Error: {e}"
        self.events[event_id].start = when
        return json.dumps(self.events[event_id].as_dict()) + self._check_message()
    def tool_delete_event(self, event_id):
        return ("deleted" if self.events.pop(event_id, None) else "Error: unknown event") + self._check_message()
    def solution(self):
        return "\n".join([f"1. list_events()", f"2. move_event(event_id='{self.first}', start='{self.new_start}')", f"3. delete_event(event_id='{self.second}')", "4. <answer>done</answer>"])
