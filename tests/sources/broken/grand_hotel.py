# expect: refuse leak.hint
# defect: hint() names the number of the room with the manuscript, hidden state that no first observation shows.
import random
import re

STAFF = {"porter": "lobby", "maid": "linen room", "barman": "bar", "gardener": "terrace"}
GUESTS = ["Mrs Adler", "Mr Brandt", "Miss Corvo", "Dr Dufour", "Captain Egan", "Lady Frost"]
FACES = ["a red scarf", "a cane", "ink on the cuff", "muddy boots", "a monocle", "a bandaged hand"]


class GrandHotelEnv:
    """Interrogation: combine what four people saw, look up one register, and open one door."""

    def __init__(self, max_turns=20, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.rooms = dict(zip(GUESTS, rng.sample(range(110, 499), len(GUESTS))))
        self.faces = dict(zip(GUESTS, rng.sample(FACES, len(FACES))))
        self.thief = rng.choice(GUESTS)
        self.target = str(self.rooms[self.thief])
        staff = rng.sample(sorted(STAFF), 4)
        wrong = [face for guest, face in self.faces.items() if guest != self.thief]
        self.tells = {
            staff[0]: f"'Whoever came in last night had {self.faces[self.thief]}, I saw it.'",
            staff[1]: f"'It was certainly not the one with {rng.choice(wrong)}.'",
            staff[2]: "'I was asleep.'",
            staff[3]: "'Ask the others. I only keep the register; \\boxed{REGISTER name} shows a line of it.'",
        }
        self.keeper = staff[3]
        self.met = False
        self.tried = 0
        people = ", ".join(f"{who} ({place})" for who, place in STAFF.items())
        return (
            "A manuscript was stolen and lies in the room of one of the guests: " + ", ".join(GUESTS) + ". "
            f"The staff may help: {people}.\n"
            "Commands: \\boxed{ASK who} (one of the staff), \\boxed{WATCH guest} (how a guest looks), "
            "\\boxed{OPEN number} (a room). The second wrong room ends the search. Whoever keeps the register will say "
            f"so. You have {self.max_turns} turns."
        ), {}

    def _guest(self, text):
        return next((guest for guest in GUESTS if guest.lower() == text.lower()), None)

    def _obey(self, verb, rest):
        guest = self._guest(rest)
        if verb == "ASK" and rest.lower() in STAFF:
            self.met = self.met or rest.lower() == self.keeper
            return self.tells[rest.lower()]
        if verb == "WATCH" and guest:
            return f"{guest} has {self.faces[guest]}."
        if verb == "REGISTER" and guest:
            if not self.met:
                return "You do not know where the register is."
            return f"{guest}: room {self.rooms[guest]}."
        return "That leads nowhere. Use ASK, WATCH or OPEN."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*([A-Za-z]+)\s+([^{}]*?)\s*\}", action)
        if not match:
            return "A command and its object, please, as in \\boxed{ASK porter}.", 0.0, False, late, {}
        verb, rest = match.group(1).upper(), match.group(2)
        if verb == "OPEN":
            if rest == self.target:
                return "Under the mattress lies the manuscript.", 1.0, True, False, {}
            self.tried += 1
            over = self.tried >= 2
            return "An empty room." + (" The police take over." if over else ""), 0.0, over, late and not over, {}
        return self._obey(verb, rest), 0.0, False, late, {}

    def solution(self):
        asks = [f"ASK {who}" for who in STAFF]
        watches = [f"WATCH {guest}" for guest in GUESTS]
        commands = [*asks, *watches, f"REGISTER {self.thief}", f"OPEN {self.target}"]
        return [f"\\boxed{{{command}}}" for command in commands]

    def hint(self):
        return (
            "Ask all four of the staff before you watch anybody; one answer names a feature and another keeps the book. "
            f"The door you want is {self.target}."
        )
