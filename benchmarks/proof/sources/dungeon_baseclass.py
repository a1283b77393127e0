# helper base class for text adventures, ordered exploration, rewards 0.2 x 3 + 0.4; f-strings and properties
import random
import re


class AdventureBase:
    """Reading commands and counting turns."""

    default_turns = 90

    def __init__(self, max_turns=None):
        self.max_turns = max_turns or self.default_turns
        self.turn = 0
        self.reset()

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{([^{}]{1,80})\}", action)
        words = m.group(1).lower().split() if m else []
        handler = getattr(self, "do_" + words[0], None) if words and words[0] in self.verbs else None
        if handler is None or len(words) != 2:
            text, reward, over = f"Two words in a box, please: {self.grammar}", 0.0, False
        else:
            text, reward, over = handler(words[1])
        return text, reward, over, not over and self.turn >= self.max_turns, {"room": self.here}


class RuneCryptEnv(AdventureBase):
    """Find three runes in a crypt of ten rooms, then speak the word that they spell."""

    verbs = ("go", "read", "say")
    grammar = "\\boxed{go ROOM}, \\boxed{read wall} or \\boxed{say WORD}."
    rooms = "atrium bathhouse chapel den foundry gallery hall icehouse kitchen library".split()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        names = rng.sample(self.rooms, len(self.rooms))
        self.doors = {n: set() for n in names}
        for i, n in enumerate(names[1:], 1):
            self._join(n, names[rng.randrange(max(0, i - 2), i)])
        self._join(*rng.sample(names, 2))
        self.here = names[0]
        self.runes = ["".join(rng.choice("bdgklmnrstvz") + rng.choice("aeiou") for _ in range(2)) for _ in range(3)]
        self.places = rng.sample(names[3:], 3)
        self.found = set()
        return (
            f"You are in a crypt of ten rooms. The walls of three rooms bear runes, numbered first, second and third; said together in "
            f"this order, without blanks, anywhere, they set you free. A wrong word wakes the guardian. {self.grammar} "
            f"{self.max_turns} turns.\n{self.view}"
        ), {}

    def _join(self, a, b):
        if a != b:
            self.doors[a].add(b)
            self.doors[b].add(a)

    @property
    def view(self):
        return f"You are in the {self.here}. Doors lead to: {', '.join(sorted(self.doors[self.here]))}."

    @property
    def password(self):
        return "".join(self.runes)

    def do_go(self, room):
        if room not in self.doors[self.here]:
            return f"No door leads to that place. {self.view}", 0.0, False
        self.here = room
        return self.view, 0.0, False

    def do_read(self, what):
        if what != "wall":
            return "Only walls can be read here.", 0.0, False
        if self.here not in self.places:
            return f"The wall of the {self.here} is bare.", 0.0, False
        i = self.places.index(self.here)
        fresh = i not in self.found
        self.found.add(i)
        return f"The {('first', 'second', 'third')[i]} rune: {self.runes[i]}.", 0.2 if fresh else 0.0, False

    def do_say(self, word):
        if word != self.password:
            return "That was not the word. The guardian wakes.", 0.0, True
        return "The slab moves aside; you are free.", round(1.0 - 0.2 * len(self.found), 6), True

    def _route(self, start, goal):
        routes, queue = {start: []}, [start]
        for room in queue:
            for other in sorted(self.doors[room]):
                if other not in routes:
                    routes[other] = routes[room] + [other]
                    queue.append(other)
        return routes[goal]

    def solution(self):
        out, here = [], self.here
        for place in self.places:
            out += [f"\\boxed{{go {room}}}" for room in self._route(here, place)] + ["\\boxed{read wall}"]
            here = place
        return out + [f"\\boxed{{say {self.password}}}"]

    def hint(self):
        return "Visit every room once, read every wall, and keep a map of the doors so that you do not walk in circles."
