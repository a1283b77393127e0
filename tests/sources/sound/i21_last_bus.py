import hashlib
import heapq
import random
import re

STOPS = ["Abbey", "Bridge", "Canal", "Dock", "Estate", "Forum", "Garage", "Hospital", "Inn", "Junction"]


class LastBusEnv:
    """Timetable travel. You only see the board of the stop you are at; arriving late loses."""

    def __init__(self, max_turns=14):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(int(hashlib.sha256(f"last bus {seed}".encode()).hexdigest()[:16], 16))
        while True:
            self.lines = {}
            for number in rng.sample(range(11, 99), 16):
                a, b = rng.sample(STOPS, 2)
                self.lines[number] = (a, b, rng.randint(0, 19), rng.choice([20, 25, 30]), rng.randint(6, 24))
            self.home, self.goal = rng.sample(STOPS, 2)
            found = self._earliest()
            if found and 4 <= len(found[1]) <= 7:
                break
        self.arrival, self.way = found
        self.place, self.clock, self.turn = self.home, 0, 0
        self.deadline = self.arrival + 4
        return (
            f"You are at {self.home} and must be at {self.goal} by minute {self.deadline}; it is minute 0. Stops: {', '.join(STOPS)}. "
            "A board shows the buses that leave its stop. \\boxed{ride 42} waits for line 42 and rides to its other end, "
            "\\boxed{map} lists where every line runs, without times, but takes a minute. The clock only runs when you ride or read the map.\n" + self._board()
        ), {}

    def _departure(self, line, now):
        _, _, offset, every, _ = self.lines[line]
        wait = (offset - now) % every
        return now + wait

    def _earliest(self):
        heap, seen = [(0, self.home, ())], set()
        while heap:
            now, at, way = heapq.heappop(heap)
            if at == self.goal:
                return now, way
            if at in seen:
                continue
            seen.add(at)
            for line, (a, b, _, _, ride) in self.lines.items():
                if a == at:
                    heapq.heappush(heap, (self._departure(line, now) + ride, b, way + (line,)))
        return None

    def _board(self):
        rows = [f"  line {n} to {b}: leaves at {self._departure(n, self.clock)}, then every {every}, {ride} minutes"
                for n, (a, b, _, every, ride) in sorted(self.lines.items()) if a == self.place]
        return f"Minute {self.clock}, {self.place}:\n" + ("\n".join(rows) or "  no bus leaves here")

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.fullmatch(r"\\boxed\{\s*(map|ride(?:\s+line)?\s+([0-9]{1,3}))\s*\}", action.lower())
        if m and m.group(1) == "map":
            self.clock += 1
            return "; ".join(f"{n}: {a} to {b}" for n, (a, b, *_) in sorted(self.lines.items())), 0.0, False, late, {"minute": self.clock}
        line = int(m.group(2)) if m else -1
        if line not in self.lines or self.lines[line][0] != self.place:
            return "No such bus here.\n" + self._board(), 0.0, False, late, {"minute": self.clock}
        self.clock = self._departure(line, self.clock) + self.lines[line][4]
        self.place = self.lines[line][1]
        if self.clock > self.deadline:
            return f"It is minute {self.clock}. You have missed the appointment.", 0.0, True, False, {"minute": self.clock}
        if self.place == self.goal:
            return f"You arrive at {self.goal} in minute {self.clock}.", 1.0, True, False, {"minute": self.clock}
        return self._board(), 0.0, False, late, {"minute": self.clock}

    def solution(self):
        return [f"\\boxed{{ride {line}}}" for line in self.way]

    def hint(self):
        changes = len(self.way) - 1
        return f"Reading the map is worth its minute. The best way changes {changes} times; a slow bus that leaves at once often beats a fast one that you wait for."
