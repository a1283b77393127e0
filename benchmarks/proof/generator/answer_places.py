"""Answer environments about places: cheapest ways through a graph, walks over a plane."""

from __future__ import annotations

import random

from .answer_body import answer_body
from .frame import lay_out
from .model import GeneratedSource, Sketch
from .words import NATURE, TOWNS, class_name

_SHORTEST = {
    "heap": """
        def cheapest(names: list, roads: dict, start: str, goal: str) -> int:
            \"\"\"Dijkstra's algorithm.\"\"\"
            best = {start: 0}
            heap = [(0, start)]
            while heap:
                cost, here = heapq.heappop(heap)
                if here == goal:
                    return cost
                for (a, b), price in roads.items():
                    if a == here and cost + price < best.get(b, 10**9):
                        best[b] = cost + price
                        heapq.heappush(heap, (best[b], b))
            return -1
    """,
    "relax": """
        def cheapest(names: list, roads: dict, start: str, goal: str) -> int:
            # Bellman and Ford: with n places no way needs more than n - 1 rounds.
            cost = {name: 10**9 for name in names}
            cost[start] = 0
            for _ in names:
                for (a, b), price in roads.items():
                    cost[b] = min(cost[b], cost[a] + price)
            return cost[goal]
    """,
    "numpy": """
        def cheapest(names: list, roads: dict, start: str, goal: str) -> int:
            at = {name: i for i, name in enumerate(names)}
            cost = np.full((len(names), len(names)), 10**9, dtype=np.int64)
            np.fill_diagonal(cost, 0)
            for (a, b), price in roads.items():
                cost[at[a], at[b]] = price
            for k in range(len(names)):
                cost = np.minimum(cost, cost[:, k : k + 1] + cost[k : k + 1, :])
            return int(cost[at[start], at[goal]])
    """,
    "floyd": """
        def cheapest(names: list, roads: dict, start: str, goal: str) -> int:
            table = {(a, b): 0 if a == b else roads.get((a, b), 10**9) for a in names for b in names}
            for middle in names:
                for a in names:
                    for b in names:
                        table[a, b] = min(table[a, b], table[a, middle] + table[middle, b])
            return table[start, goal]
    """,
}


_GRAPH_DISTANCE_SETUP = """
    S.names = list(PLACES)
    R.shuffle(S.names)
    S.roads = {}
    # A chain through all places, so that every one can be reached, and some more on top.
    pairs = list(zip(S.names, S.names[1:]))
    pairs += [tuple(R.sample(S.names, 2)) for _ in range(<<extra>>)]
    for a, b in pairs:
        # A direct way from start to goal would show the answer in the list.
        if (a, b) not in S.roads and {a, b} != {S.names[0], S.names[-1]}:
            S.roads[a, b] = R.randint(<<low>>, <<high>>)
            <<linkback>>
    S.start, S.goal = S.names[0], S.names[-1]
"""


_GRAPH_DISTANCE_TASK = """
    lines = sorted(f"{a} <<arrow>> {b}: {price}" for (a, b), price in <<told>>)
    text = "These <<thing>> exist, with their length in <<unit>>; they can be used <<ways>>:\\n"
    text += "\\n".join(lines)
    text += f"\\nWhat is the least total of <<unit>> with which you can <<verb>> from {S.start} to {S.goal}?"
"""


def graph_distance(rng: random.Random) -> GeneratedSource:
    """The price of the cheapest way between two places."""
    oneway = rng.random() < 0.4
    thing, verb, unit = rng.choice(
        [
            ("roads", "drive", "metres"),
            ("cables", "send a packet", "microseconds"),
            ("ferries", "travel", "pence"),
            ("tunnels", "crawl", "steps"),
        ]
    )
    words = {
        "names": repr(rng.sample(rng.choice([TOWNS, [word.capitalize() for word in NATURE]]), rng.randint(7, 10))),
        "extra": str(rng.randint(5, 9)),
        "low": str(rng.choice([101, 120, 150])),
        "high": str(rng.choice([899, 950, 999])),
        "thing": thing,
        "verb": verb,
        "unit": unit,
        "arrow": "to" if oneway else "and",
        "ways": "in the direction given only" if oneway else "in both directions",
        "form": rng.choice(["N", "COST", "total"]),
    }
    # Both directions of a road are stored; only one is told.
    told = "S.roads.items()" if oneway else "S.roads.items() if a < b"
    words["told"] = told
    words["linkback"] = "pass" if oneway else "S.roads[b, a] = S.roads[a, b]"
    sketch = Sketch(
        class_name=class_name(rng, "Route", "Network", "Distance", "Graph"),
        about="The cheapest way between two places of a small network.",
        contract="answer",
        max_turns=rng.randint(1, 3),
        fields={"names": "list", "roads": "dict", "start": "str", "goal": "str"},
        setup=_GRAPH_DISTANCE_SETUP,
        task=_GRAPH_DISTANCE_TASK,
        solution="SEND str(F.cheapest(S.names, S.roads, S.start, S.goal))",
        hint="Settle the places in the order of their distance from the start, and improve their neighbours each time.",
        words=words,
        functions=[_SHORTEST[rng.choice(list(_SHORTEST))]],
        constants=["PLACES = <<names>>"],
        body=answer_body(rng, "int", "F.cheapest(S.names, S.roads, S.start, S.goal)"),
        one_action=True,
    )
    return lay_out(sketch, rng)


_PLANE_WALK_BRANCHES = {
    "forward": "x, y = x + dx * n, y + dy * n",
    "left": "dx, dy = -dy, dx",
    "right": "dx, dy = dy, -dx",
    "around": "dx, dy = -dx, -dy",
    "mirror": "x = -x",
    "strafe": "x, y = x + dy * n, y - dx * n",
}


_PLANE_WALK_SPOKEN = {
    "forward": 'f"go {n} forward"',
    "left": '"turn left"',
    "right": '"turn right"',
    "around": '"turn around"',
    "mirror": '"jump to the mirror point: x changes its sign, the direction stays"',
    "strafe": 'f"step {n} sideways to the right, without turning"',
}


_PLANE_WALK_FUNCTIONS = [
    """
    def walk(start: tuple, moves: list) -> tuple:
        \"\"\"Follow all moves; north is y upwards.\"\"\"
        x, y = start
        dx, dy = 0, 1
        for kind, n in moves:
            <<branches>>
        return x, y
    """,
    """
    def say(kind: str, n: int) -> str:
        return {
            <<spoken>>
        }[kind]
    """,
]


_PLANE_WALK_SETUP = """
    S.start = (R.randint(-99, 99), R.randint(-99, 99))
    S.moves = [("forward", R.randint(5, <<far>>))]
    S.moves += [(R.choice(<<kinds>>), R.randint(5, <<far>>)) for _ in range(<<length>>)]
"""


_PLANE_WALK_TASK = """
    steps = "; ".join(F.say(kind, n) for kind, n in S.moves)
    text = f"A <<walker>> on a large <<ground>> starts at x = {S.start[0]}, y = {S.start[1]} and faces north, "
    text += f"where y grows (x grows towards the east). Its moves: {steps}. At which x and y does it end?"
"""


def plane_walk(rng: random.Random) -> GeneratedSource:
    """Where a walker ends up who turns, goes forward and is mirrored now and then."""
    walker, ground = rng.choice([("robot", "floor"), ("turtle", "sheet"), ("drone", "field"), ("plotter pen", "paper")])
    kinds = ["forward", "forward", *rng.sample(["left", "right", "around", "mirror", "strafe"], rng.randint(2, 4))]
    distinct = list(dict.fromkeys(kinds))
    words = {
        "walker": walker,
        "ground": ground,
        "kinds": repr(kinds),
        "branches": "\n".join(
            f'{"elif" if at else "if"} kind == "{kind}":\n    {_PLANE_WALK_BRANCHES[kind]}'
            for at, kind in enumerate(distinct)
        ),
        "spoken": "\n".join(f'"{kind}": {_PLANE_WALK_SPOKEN[kind]},' for kind in distinct),
        "length": str(rng.randint(9, 16)),
        "far": str(rng.randint(40, 90)),
        "form": rng.choice(["X,Y", "x, y"]),
    }
    sketch = Sketch(
        class_name=class_name(rng, "Walk", "Turtle", "Navigation", "Heading"),
        about="Follow a walker over a plane.",
        contract="answer",
        max_turns=rng.randint(1, 4),
        fields={"start": "tuple", "moves": "list"},
        setup=_PLANE_WALK_SETUP,
        task=_PLANE_WALK_TASK,
        solution='SEND "%d,%d" % F.walk(S.start, S.moves)',
        hint="Write down place and direction after each move; a right turn makes north to east, east to south.",
        words=words,
        functions=_PLANE_WALK_FUNCTIONS,
        body=answer_body(rng, "pair", "F.walk(S.start, S.moves)"),
        one_action=True,
    )
    return lay_out(sketch, rng)
