"""Interactive environments of moving and serving: mazes with hidden walls, queues with hidden urgency."""

from __future__ import annotations

import random

from .frame import lay_out
from .model import Command, GeneratedSource, Sketch
from .words import COLOURS, NATURE, PEOPLE, class_name

_ROUTE = """
    def route(doors: dict, start: tuple, goal: tuple) -> list:
        \"\"\"The shortest way, breadth first.\"\"\"
        queue = [(start, [])]
        seen = {start}
        while queue:
            here, way = queue.pop(0)
            if here == goal:
                return way
            for word in doors[here]:
                there = (here[0] + STEPS[word][0], here[1] + STEPS[word][1])
                if there not in seen:
                    seen.add(there)
                    queue.append((there, way + [word]))
        return []
"""

_DIG = """
    def dig(rng, width: int, height: int, walls: int) -> dict:
        \"\"\"The doors of every cell; a wall that would cut a cell off is taken away again.\"\"\"
        inside = {(x, y) for x in range(width) for y in range(height)}
        doors = {}
        for x, y in sorted(inside):
            doors[x, y] = [word for word, (dx, dy) in STEPS.items() if (x + dx, y + dy) in inside]
        for _ in range(walls):
            here = rng.choice(list(doors))
            word = rng.choice(doors[here])
            there = (here[0] + STEPS[word][0], here[1] + STEPS[word][1])
            doors[here].remove(word)
            doors[there].remove(BACK[word])
            if not F.route(doors, here, there):
                doors[here].append(word)
                doors[there].append(BACK[word])
        return doors
"""


_HIDDEN_MAZE_SETUP = """
    length = <<limit>> + 1
    # Draw again where the shortest way would leave too few turns for looking around.
    while length > <<limit>>:
        S.doors = F.dig(R, <<width>>, <<height>>, <<walls>>)
        places = R.sample(sorted(S.doors), <<things>> + 2)
        S.here, S.goal, S.spots = places[0], places[1], places[2:]
        stops = [S.here, *S.spots, S.goal]
        length = sum(len(F.route(S.doors, a, b)) + 1 for a, b in zip(stops, stops[1:]))
    S.mistakes = 0
"""


_HIDDEN_MAZE_TASK = """
    text = f"You stand at {S.here} in <<scene>> of <<width>> by <<height>> cells, x from 0 to the <<right>>, "
    text += "y from 0 going <<down>>. The walls between cells cannot be seen from afar. "
    text += f"There is a <<thing>> to <<take>> at each of {', '.join(map(str, S.spots))}. "
    text += f"With all of them, come to {S.goal} and <<leave>>. "
    text += "Taking where nothing is twice, or leaving too early, loses. Directions: " + ", ".join(STEPS) + "."
"""


_HIDDEN_MAZE_SOLUTION = """
    here = S.here
    for spot in [*S.spots, S.goal]:
        for word in F.route(S.doors, here, spot):
            SEND "<<go>> " + word
        if spot != S.goal:
            SEND "<<take>>"
        here = spot
    SEND "<<leave>>"
"""


_HIDDEN_MAZE_COMMANDS = [
    Command(
        "<<go>>",
        "<<go>> DIRECTION",
        1,
        """
        if args[0] not in STEPS:
            => f"Directions are {', '.join(STEPS)}."
        if args[0] not in S.doors[S.here]:
            => f"You bump into a wall. You are still at {S.here}."
        dx, dy = STEPS[args[0]]
        S.here = (S.here[0] + dx, S.here[1] + dy)
        => f"You are at {S.here}."
        """,
    ),
    Command(
        "<<look>>",
        "<<look>>",
        0,
        """
        => f"At {S.here} you can go {' or '.join(sorted(S.doors[S.here]))}."
        """,
    ),
    Command(
        "<<take>>",
        "<<take>>",
        0,
        """
        if S.here not in S.spots:
            S.mistakes += 1
            if S.mistakes > 1:
                => "Nothing here again. The noise wakes the guard; you have lost." ;; LOSE
            => "There is nothing to take here. Once more, and the guard wakes."
        S.spots.remove(S.here)
        => f"You have the <<thing>>. Left: {len(S.spots)}." ;; <<share>>
        """,
    ),
    Command(
        "<<leave>>",
        "<<leave>>",
        0,
        """
        if S.here != S.goal:
            => "No exit here; the alarm goes off, and you have lost." ;; LOSE
        if S.spots:
            => "You leave without everything. Lost." ;; LOSE
        => "You are out, with everything." ;; WIN <<rest>>
        """,
    ),
]


def hidden_maze(rng: random.Random) -> GeneratedSource:
    """Fetch things from a maze whose walls are not shown, and leave by the exit."""
    turns = rng.choice([70, 80, 90])
    things = rng.randint(2, 3)
    share = 0.25 if rng.random() < 0.6 else 0.0
    go, look, take, leave = (
        rng.choice(["go", "move", "walk"]),
        rng.choice(["look", "scan", "feel"]),
        rng.choice(["take", "grab", "collect"]),
        rng.choice(["leave", "exit", "finish"]),
    )
    names = rng.choice([["north", "south", "east", "west"], ["up", "down", "right", "left"], ["n", "s", "e", "w"]])
    words = {
        "up": names[0],
        "down": names[1],
        "right": names[2],
        "left": names[3],
        "thing": rng.choice(["lamp", "crystal", "battery", "scroll", "valve"]),
        "scene": rng.choice(["a dark cellar", "a flooded mine", "a foggy garden", "an unlit museum"]),
        "things": str(things),
        "width": str(rng.randint(5, 7)),
        "height": str(rng.randint(5, 6)),
        "walls": str(rng.randint(18, 34)),
        "limit": str(turns * 2 // 3),
        "share": str(share),
        "rest": str(1.0 - share * things),
        "go": go,
        "look": look,
        "take": take,
        "leave": leave,
    }
    sketch = Sketch(
        class_name=class_name(rng, "Maze", "Cellar", "HiddenWalls", "Explorer"),
        about="Fetch all things from a maze with hidden walls.",
        contract="interactive",
        max_turns=turns,
        fields={
            "doors": "dict",
            "here": "tuple",
            "spots": "list",
            "goal": "tuple",
            "mistakes": "int",
        },
        setup=_HIDDEN_MAZE_SETUP,
        task=_HIDDEN_MAZE_TASK,
        solution=_HIDDEN_MAZE_SOLUTION,
        hint="Look before you go, keep a map of what you have learned, and back out of dead ends.",
        words=words,
        functions=[_ROUTE, _DIG],
        constants=[
            'STEPS = {"<<up>>": (0, -1), "<<down>>": (0, 1), "<<right>>": (1, 0), "<<left>>": (-1, 0)}',
            'BACK = {"<<up>>": "<<down>>", "<<down>>": "<<up>>", "<<right>>": "<<left>>", "<<left>>": "<<right>>"}',
        ],
        commands=rng.sample(_HIDDEN_MAZE_COMMANDS, len(_HIDDEN_MAZE_COMMANDS)),
        refusal="I do not understand.",
    )
    return lay_out(sketch, rng)


_URGENT_QUEUE_SETUP = """
    names = R.sample(NAMES, <<total>>)
    numbers = R.sample(list(range(1, <<top>> + 1)), <<total>>)
    S.urgency = dict(zip(names, numbers))
    S.waiting = names[:<<first>>]
    # The others come one by one, each time somebody is done.
    S.outside = names[<<first>>:]
"""


_URGENT_QUEUE_TASK = """
    text = f"There are <<total>> <<many>> today; waiting now: {', '.join(S.waiting)}. "
    text += "Whenever one is done, the next one arrives, until all are here. Each has a number, which you learn "
    text += "with <<ask>>. Always <<call>> the one with the <<order>> number among those who wait; one mistake ends it."
"""


_URGENT_QUEUE_SOLUTION = """
    waiting, outside = list(S.waiting), list(S.outside)
    while waiting:
        name = F.next_of(waiting, S.urgency)
        SEND "<<call>> " + name
        waiting.remove(name)
        if outside:
            waiting.append(outside.pop(0))
"""


_URGENT_QUEUE_FUNCTIONS = [
    """
    def next_of(waiting: list, urgency: dict) -> str:
        return <<best>>(waiting, key=lambda name: urgency[name])
    """
]


_URGENT_QUEUE_COMMANDS = [
    Command(
        "<<call>>",
        "<<call>> NAME",
        1,
        """
        name = args[0].capitalize()
        if name not in S.waiting:
            => "Nobody of that name waits. Waiting: " + ", ".join(S.waiting) + "."
        if name != F.next_of(S.waiting, S.urgency):
            => f"{name} was not the one to come next. It is over." ;; LOSE
        S.waiting.remove(name)
        if S.outside:
            S.waiting.append(S.outside.pop(0))
        if not S.waiting:
            => "That was the last one. Well done." ;; WIN <<rest>>
        => f"{name} is done. Waiting: {', '.join(S.waiting)}." ;; <<share>>
        """,
    ),
    Command(
        "<<ask>>",
        "<<ask>> NAME",
        1,
        """
        name = args[0].capitalize()
        if name in S.waiting:
            => f"{name} has the number {S.urgency[name]}."
        => f"No <<one>> of that name is here."
        """,
    ),
]


def urgent_queue(rng: random.Random) -> GeneratedSource:
    """Serve the most urgent first, while more arrive; urgency is told only when asked for."""
    pool, one, many = rng.choice(
        [
            (PEOPLE, "patient", "patients"),
            ([word.capitalize() for word in NATURE], "ship", "ships"),
            ([word.capitalize() for word in COLOURS], "train", "trains"),
        ]
    )
    call, ask = rng.choice(["call", "serve", "admit"]), rng.choice(["ask", "check", "inspect"])
    total = rng.choice([8, 10])
    paid = rng.random() < 0.5
    lowest = rng.random() < 0.35
    words = {
        "call": call,
        "ask": ask,
        "one": one,
        "many": many,
        "names": repr(rng.sample(pool, 14)),
        "total": str(total),
        "first": str(rng.randint(5, 6)),
        "order": "lowest" if lowest else "highest",
        "best": "min" if lowest else "max",
        "share": "round(1.0 / <<total>>, 3)".replace("<<total>>", str(total)) if paid else "0.0",
        "rest": f"1.0 - {total - 1} * round(1.0 / {total}, 3)" if paid else "1.0",
        "top": str(rng.choice([99, 200, 999])),
    }
    sketch = Sketch(
        class_name=class_name(rng, "Queue", "Triage", "Desk", "Harbour"),
        about="Serve <<many>> in the right order while more arrive.",
        contract="interactive",
        max_turns=total * 2 + rng.randint(4, 12),
        fields={"urgency": "dict", "waiting": "list", "outside": "list"},
        setup=_URGENT_QUEUE_SETUP,
        task=_URGENT_QUEUE_TASK,
        solution=_URGENT_QUEUE_SOLUTION,
        hint="Ask everyone who waits, remember the numbers, and ask each newcomer before you take the next.",
        words=words,
        functions=_URGENT_QUEUE_FUNCTIONS,
        constants=["NAMES = <<names>>"],
        commands=rng.sample(_URGENT_QUEUE_COMMANDS, len(_URGENT_QUEUE_COMMANDS)),
        refusal="I do not know that.",
    )
    return lay_out(sketch, rng)
