# expect: refuse determinism.replay | feasibility.witness
# defect: reset copies the table of rooms only one level deep, so things taken in one episode are missing from the rooms in the next one.
import random
import re

HOUSE = {
    "kitchen": {"doors": ["pantry", "hall"], "things": ["corkscrew", "cheese", "bread", "salt"]},
    "pantry": {"doors": ["kitchen", "cellar"], "things": ["honey", "apples", "pickles"]},
    "cellar": {"doors": ["pantry"], "things": ["cider", "lantern", "rope"]},
    "hall": {"doors": ["kitchen", "attic", "garden"], "things": ["umbrella", "blanket", "hat"]},
    "attic": {"doors": ["hall"], "things": ["kite", "basket lid", "map"]},
    "garden": {"doors": ["hall"], "things": ["mint", "plums", "ball"]},
}
THINGS = sorted(thing for room in HOUSE.values() for thing in room["things"])


class PicnicPantryEnv:
    """Memory and planning: walk through a house, pack exactly what was asked for, and leave from the garden.

    The list of wishes is told only once; rooms show their things only when one is in them.
    """

    def __init__(self, max_turns=32, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.rooms = dict(HOUSE)
        self.wishes = rng.sample(THINGS, 4)
        self.place = rng.choice(sorted(self.rooms))
        self.bag = []
        self.turn = 0
        self.over = False
        return (
            f"Pack for a picnic: {', '.join(self.wishes)}, and nothing else. Then say LEAVE in the garden.\n"
            "Commands, one per turn: \\boxed{GO room}, \\boxed{TAKE thing}, \\boxed{PUT thing}, \\boxed{LEAVE}. "
            f"The bag holds five things. You have {self.max_turns} turns, and LEAVE can be said only once.\n"
            + self._look()
        ), {}

    def _look(self):
        room = self.rooms[self.place]
        seen = ", ".join(room["things"]) or "nothing"
        return f"You are in the {self.place}. Doors: {', '.join(room['doors'])}. You see: {seen}."

    def _do(self, verb, rest):
        room = self.rooms[self.place]
        if verb == "GO":
            if rest not in room["doors"]:
                return "There is no such door here."
            self.place = rest
            return self._look()
        if verb == "TAKE":
            if rest not in room["things"]:
                return "You do not see that here."
            if len(self.bag) >= 5:
                return "The bag is full."
            room["things"].remove(rest)
            self.bag.append(rest)
            return f"Packed: {rest}."
        if verb == "PUT":
            if rest not in self.bag:
                return "That is not in the bag."
            self.bag.remove(rest)
            room["things"].append(rest)
            return f"You leave the {rest} here."
        return "Use GO, TAKE, PUT or LEAVE."

    def step(self, action):
        if self.over:
            return "The picnic is over.", 0.0, True, False, {}
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.fullmatch(r"\\boxed\{\s*([A-Za-z]+)\s*([a-z ]*?)\s*\}", action)
        if not match:
            return "Write a command such as \\boxed{GO hall}.", 0.0, False, late, {}
        verb, rest = match.group(1).upper(), match.group(2)
        if verb == "LEAVE" and self.place == "garden":
            self.over = True
            if sorted(self.bag) == sorted(self.wishes):
                return "Everything is there. A fine day!", 1.0, True, False, {}
            return "On the meadow you find that the bag is packed wrongly.", 0.0, True, False, {}
        return self._do(verb, rest), 0.0, False, late, {}

    def _way(self, goal, start):
        paths = [[start]]
        for path in paths:
            if path[-1] == goal:
                return path[1:]
            paths.extend(path + [door] for door in HOUSE[path[-1]]["doors"] if door not in path)
        return []

    def solution(self):
        here, actions = self.place, []
        for wish in sorted(self.wishes, key=lambda w: next(r for r in HOUSE if w in self.rooms[r]["things"])):
            goal = next(r for r in HOUSE if wish in self.rooms[r]["things"])
            actions += [f"\\boxed{{GO {room}}}" for room in self._way(goal, here)] + [f"\\boxed{{TAKE {wish}}}"]
            here = goal
        return actions + [f"\\boxed{{GO {room}}}" for room in self._way("garden", here)] + ["\\boxed{LEAVE}"]

    def hint(self):
        return "Write the wishes down, go through the rooms one after another and note what each holds."
