"""Cable in the wall: find out with few walks which bare end in the cellar is which bare end in the attic."""

import copy
import random
import re

COLOURS = [
    "amber", "black", "blue", "brown", "cream", "green", "grey", "lilac", "mauve", "ochre", "olive", "pink",
    "plum", "red", "rust", "teal", "white", "yellow",
]
LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
CELLAR, ATTIC = "cellar", "attic"
BROKEN = "broken"


class CableInTheWallEnv:
    """Trains planning experiments and deducing from what they leave open.

    Seven to nine wires run unseen through a wall; one or two of them are broken inside, and some ends in the attic
    were left twisted together. The agent twists ends together on one floor, walks, and sees which ends on the other
    floor have become connected. A meter tells groups, never single wires, and walks are few, so that trying wire after
    wire is hopeless: twists have to be laid out so that two views together name every wire, broken ones included.
    """

    def __init__(self, max_turns=40, **kwargs):
        self.max_turns = max_turns
        self.reset()

    # ---------------------------------------------------------------- the hidden wall

    def reset(self, seed=None):
        rng = random.Random(seed)
        count = rng.randint(7, 9)
        colours, letters = rng.sample(COLOURS, count), rng.sample(LETTERS, count)
        self.ends = {CELLAR: colours, ATTIC: sorted(letters)}
        self.wire = dict(zip(colours, letters))
        self.dead = rng.sample(colours, rng.randint(1, 2))
        left_over = rng.sample(letters, 5)
        self.twists = {CELLAR: [], ATTIC: [left_over[:2], left_over[2:]][: rng.randint(1, 2)]}
        self.place = CELLAR
        self.walks = 4
        self.tags = {}
        self.turn = 0
        self.outcome = None
        return self._describe() + "\n\n" + self._state(), {}

    def _groups(self):
        """Ends at this place as the meter sorts them: lists of ends that are connected, single ends included."""
        names = {end: {end} for ends in self.ends.values() for end in ends}
        links = [(a, b) for a, b in self.wire.items() if a not in self.dead]
        links += [(twist[0], end) for twists in self.twists.values() for twist in twists for end in twist[1:]]
        for a, b in links:
            both = names[a] | names[b]
            for end in both:
                names[end] = both
        groups = []
        for end in self.ends[self.place]:
            if not any(end in group for group in groups):
                groups.append([other for other in self.ends[self.place] if other in names[end]])
        return groups

    # ---------------------------------------------------------------- text

    def _describe(self):
        a, b, c, d = self.ends[CELLAR][:4]
        k, m = self.ends[ATTIC][:2]
        count = len(self.wire)
        return (
            f"A cable of {count} wires runs through the wall from the cellar, where you are, up to the attic. The "
            f"bare ends in the cellar are coloured {', '.join(self.ends[CELLAR])}; the ends in the attic are lettered "
            f"{', '.join(self.ends[ATTIC])}. Every wire has one end on each floor, and nobody knows which belongs to "
            f"which. One or two of the wires are {BROKEN} somewhere in the wall and carry nothing. The last "
            "electrician left some of the ends in the attic twisted together, without a note; none in the cellar.\n\n"
            "Find the letter of every sound wire, and the colours of the broken ones. One command per turn, in a box:\n"
            f"  \\boxed{{join {a} {b}, {c} {d}}}  twist ends on your floor together, in groups of two or more\n"
            "  \\boxed{split}  undo all twists on your floor\n"
            "  \\boxed{test}  see which ends on your floor are connected, by sound wires and twists on either floor\n"
            f"  \\boxed{{walk}}  go to the other floor; twists stay. You can walk {self.walks} times\n"
            f"  \\boxed{{tag {a} {k}, {b} {m}, {c} {BROKEN}}}  note what you believe of some colours; may be changed\n"
            f"  \\boxed{{report}}  hand in the tags of all {count} colours: all must be right; only one report\n"
            f"You have {self.max_turns} turns."
        )

    def _state(self):
        tags = ", ".join(f"{colour} {tag}" for colour, tag in self.tags.items()) or "none"
        return (
            f"You are in the {self.place}. Tags: {tags}. Walks left: {self.walks}. "
            f"Turn {self.turn} of {self.max_turns}."
        )

    # ---------------------------------------------------------------- play

    def _join(self, groups):
        """Twist ends together; a twist that shares an end with an older one becomes one with it."""
        here = self.ends[self.place]
        spelling = {end.lower(): end for end in here}
        if not all(len(set(group)) == len(group) >= 2 and set(group) <= set(spelling) for group in groups):
            return f"Join groups of at least two different ends on your floor: {', '.join(here)}."
        for group in groups:
            twist = [spelling[word] for word in group]
            for old in [old for old in self.twists[self.place] if set(old) & set(twist)]:
                self.twists[self.place].remove(old)
                twist += [end for end in old if end not in twist]
            self.twists[self.place].append(twist)
        return "Twisted."

    def _tag(self, groups):
        letters = {letter.lower(): letter for letter in self.ends[ATTIC]} | {BROKEN: BROKEN}
        if not all(len(group) == 2 and group[0] in self.wire and group[1] in letters for group in groups):
            return f"A tag is a colour followed by a letter of the attic or by the word {BROKEN}; commas between tags."
        self.tags.update({colour: letters[word] for colour, word in groups})
        return "Noted."

    def _obey(self, action):
        """Carry one command out; returns the sentence to show."""
        boxes = re.findall(r"\\boxed\{([^{}]*)\}", action)
        verb, _, rest = boxes[-1].lower().strip().partition(" ") if boxes else ("", "", "")
        groups = [group.split() for group in rest.split(",")]
        if verb == "join":
            return self._join(groups)
        if verb == "tag":
            return self._tag(groups)
        if verb == "split" and not rest:
            self.twists[self.place] = []
            return f"No ends are twisted in the {self.place} now."
        if verb == "test" and not rest:
            found = self._groups()
            together = "; ".join(" ".join(group) for group in found if len(group) > 1) or "none"
            alone = " ".join(group[0] for group in found if len(group) == 1) or "none"
            return f"Connected with each other: {together}. Connected with nothing here: {alone}."
        if verb == "walk" and not rest:
            if not self.walks:
                return "You are too tired to walk again."
            self.walks -= 1
            self.place = ATTIC if self.place == CELLAR else CELLAR
            return f"You go to the {self.place}."
        if verb == "report" and not rest:
            if len(self.tags) < len(self.wire):
                return "The report is not accepted yet: some colours have no tag."
            truth = {colour: BROKEN if colour in self.dead else letter for colour, letter in self.wire.items()}
            self.outcome = self.tags == truth
            return "Every tag is right. Well done!" if self.outcome else "The report is wrong. The work is over."
        return "That is no command. Use join, split, test, walk, tag or report, in a box, as described at the start."

    def step(self, action):
        if self.outcome is not None:
            return "The episode is over.", 0.0, True, False, {}
        self.turn += 1
        text = self._obey(str(action))
        if self.outcome is not None:
            return text, 1.0 if self.outcome else 0.0, True, False, {}
        return f"{text}\n{self._state()}", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        """Plays fairly on a copy: all that is used of the wall is what ``test`` shows there."""
        twin, actions = copy.deepcopy(self), []

        def send(command):
            actions.append(f"\\boxed{{{command}}}")
            twin._obey(actions[-1])

        def test():
            send("test")
            return twin._groups()

        def join(groups):
            send("join " + ", ".join(" ".join(group) for group in groups))

        # One bunch of all ends: whatever is outside it on the other floor is broken. Once up, once down.
        join([self.ends[CELLAR]])
        for command in ("walk", "split"):
            send(command)
        attic = max(test(), key=len)
        join([attic])
        for command in ("walk", "split"):
            send(command)
        cellar = max(test(), key=len)
        # Sound wires in pairs, one or two left over; in the attic the pairs are chained to one of the left-overs.
        pairs = [cellar[index : index + 2] for index in range(0, len(cellar) - 2, 2)]
        spare = cellar[2 * len(pairs):]
        join(pairs)
        for command in ("walk", "split"):
            send(command)
        found = test()
        chain = [end for group in found if len(group) == 2 for end in group]
        loose = [group[0] for group in found if len(group) == 1 and group[0] in attic]
        line = chain + loose[:1]
        join([line[index : index + 2] for index in range(1, len(line), 2)])
        for command in ("walk", "split"):
            send(command)
        # Back in the cellar, follow the chain from the left-over that hangs on it.
        partner = {a: b for group in test() if len(group) == 2 for a, b in (group, group[::-1])}
        mate = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
        colour = next(end for end in spare if end in partner)
        known = {colour: line.pop()}
        known.update({end: loose[1] for end in spare if end != colour})
        while line:
            colour = partner[colour]
            known[colour] = line.pop()
            colour = mate[colour]
            known[colour] = line.pop()
        send("tag " + ", ".join(f"{end} {known.get(end, BROKEN)}" for end in self.ends[CELLAR]))
        send("report")
        return actions

    def hint(self):
        return (
            "Broken wires spoil every later conclusion, so find them first: with all ends of one floor in one bunch, "
            "whatever is connected with nothing on the other floor is broken; undo old twists there before you look. "
            "Do this in both directions. Then twist sound ends in pairs and leave one or two alone. On the other floor "
            "you see the pairs, without knowing which is which: undo your bunch, twist one end of each pair to an end "
            "of the next, and the last to one that is alone. Go back, undo the pairs and test: start at the end that "
            "was alone, and follow the chain, changing between twists and pairs."
        )

    def close(self):
        pass
