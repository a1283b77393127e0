# dataclasses as state, field(default_factory), partial rewards that add up to 1, shortest paths by Floyd-Warshall
import random
import re
from dataclasses import dataclass, field


@dataclass
class Parcel:
    name: str
    origin: str
    destination: str
    delivered: bool = False


@dataclass
class Truck:
    town: str
    fuel: int
    cargo: list[str] = field(default_factory=list)


@dataclass
class World:
    roads: dict[tuple[str, str], int] = field(default_factory=dict)
    parcels: dict[str, Parcel] = field(default_factory=dict)
    truck: Truck | None = None
    paid: float = 0.0


TOWNS = ["Ash", "Birk", "Cole", "Dorn", "Esk", "Fenn", "Glen"]


class CourierEnv:
    """Deliver five parcels with a small truck and a limited tank."""

    def __init__(self, max_turns: int = 45):
        self.max_turns = max_turns
        self.turn = 0
        self.world = World()
        self.reset()

    def reset(self, seed: int | None = None):
        rng = random.Random(seed)
        self.turn = 0
        w = self.world = World()
        ring = TOWNS[:]
        rng.shuffle(ring)
        links: set[tuple[str, str]] = {tuple(sorted((a, b))) for a, b in zip(ring, ring[1:] + ring[:1])}
        while len(links) < 10:
            links.add(tuple(sorted(rng.sample(TOWNS, 2))))
        for pair in sorted(links):
            w.roads[pair] = rng.randint(3, 15)
        for name in rng.sample(["crate", "drum", "sack", "chest", "tube", "box", "roll"], 5):
            a, b = rng.sample(TOWNS, 2)
            w.parcels[name] = Parcel(name, a, b)
        w.truck = Truck(rng.choice(TOWNS), 0)
        self._plan, need = self._make_plan()
        w.truck.fuel = need + rng.randint(0, 6)
        road_text = ", ".join(f"{a}-{b} {km}" for (a, b), km in w.roads.items())
        parcel_text = "; ".join(f"{p.name} from {p.origin} to {p.destination}" for p in w.parcels.values())
        return (
            f"Roads with their fuel: {road_text}.\nParcels: {parcel_text}.\nThe truck carries two parcels at most.\n"
            "Commands: \\boxed{drive TOWN} (one road), \\boxed{load PARCEL}, \\boxed{unload PARCEL} (only at its destination). "
            f"Each delivery earns a fifth; if the fuel cannot take you along any road while parcels are waiting, you have lost. "
            f"{self.max_turns} turns.\n" + self._status()
        ), {}

    def _road(self, a, b):
        return self.world.roads.get(tuple(sorted((a, b))))

    def _route(self, a, b):
        best = {a: (0, [])}
        for _ in TOWNS:
            for (p, q), km in self.world.roads.items():
                for s, t in ((p, q), (q, p)):
                    if s in best and (t not in best or best[s][0] + km < best[t][0]):
                        best[t] = (best[s][0] + km, best[s][1] + [t])
        return best[b]

    def _make_plan(self):
        """Nearest parcel first, one at a time."""
        here, fuel, plan = self.world.truck.town, 0, []
        waiting = list(self.world.parcels.values())
        while waiting:
            p = min(waiting, key=lambda p: (self._route(here, p.origin)[0], p.name))
            waiting.remove(p)
            for goal, verb in ((p.origin, "load"), (p.destination, "unload")):
                km, towns = self._route(here, goal)
                fuel += km
                plan += [f"drive {t}" for t in towns] + [f"{verb} {p.name}"]
                here = goal
        return plan, fuel

    def _status(self):
        t = self.world.truck
        return f"You are in {t.town}; fuel {t.fuel}; on board: {', '.join(t.cargo) or 'nothing'}."

    def step(self, action: str):
        self.turn += 1
        late = self.turn >= self.max_turns
        w, t = self.world, self.world.truck
        m = re.search(r"\\boxed\{\s*(drive|load|unload)\s+([A-Za-z]+)\s*\}", action)
        if not m:
            return (
                "Say \\boxed{drive TOWN}, \\boxed{load PARCEL} or \\boxed{unload PARCEL}. " + self._status(),
                0.0,
                False,
                late,
                {},
            )
        verb, what = m.groups()
        if verb == "drive":
            km = self._road(t.town, what)
            if km is None:
                return f"No road leads from {t.town} to {what[:20]}. " + self._status(), 0.0, False, late, {}
            if km > t.fuel:
                return "Not enough fuel for that road. " + self._status(), 0.0, False, late, {}
            t.town, t.fuel = what, t.fuel - km
        else:
            p = w.parcels.get(what)
            if p is None or p.delivered:
                return "No such parcel is waiting. " + self._status(), 0.0, False, late, {}
            if verb == "load":
                if p.name in t.cargo or p.origin != t.town or len(t.cargo) >= 2:
                    return "That cannot be loaded now. " + self._status(), 0.0, False, late, {}
                t.cargo.append(p.name)
            else:
                if p.name not in t.cargo or p.destination != t.town:
                    return "That cannot be unloaded here. " + self._status(), 0.0, False, late, {}
                t.cargo.remove(p.name)
                p.delivered = True
                if all(q.delivered for q in w.parcels.values()):
                    return "Everything is delivered!", 1.0 - w.paid, True, False, {}
                w.paid += 0.2
                return f"Delivered {p.name}. " + self._status(), 0.2, False, late, {}
        usable = any(t.town in pair and km <= t.fuel for pair, km in w.roads.items())
        here = any(
            not p.delivered and (p.destination if p.name in t.cargo else p.origin) == t.town for p in w.parcels.values()
        )
        if not usable and not here:
            return "The tank is as good as empty; you are stranded.", 0.0, True, False, {}
        return self._status(), 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{command}}}" for command in self._plan]

    def hint(self):
        return "Plan the whole tour first: combine parcels whose ways overlap, and compare fuel of detours."
