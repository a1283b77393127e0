"""Line dance: work out a repeating figure from blurred photographs, and say who stands where much later."""

import random
import re

SHORTEST, LONGEST = 3, 5
PEOPLE = 8
EMPTY = "."


def steps_between(line, photo, left=0):
    """All steps from ``line`` to a line that fits ``photo``, the empty one too: left positions of the swapped pairs."""
    if left == PEOPLE:
        return [()]
    found = []
    if photo[left] in (EMPTY, line[left]):
        found += steps_between(line, photo, left + 1)
    if left + 1 < PEOPLE and photo[left] in (EMPTY, line[left + 1]) and photo[left + 1] in (EMPTY, line[left]):
        found += [(left, *rest) for rest in steps_between(line, photo, left + 2)]
    return found


def danced(line, step):
    """The line after one step."""
    after = list(line)
    for left in step:
        after[left], after[left + 1] = line[left + 1], line[left]
    return "".join(after)


class LineDanceEnv:
    """Trains finding a hidden repetition in noisy data, separating exceptions from it, and carrying it on.

    Eight dancers in a line; at every beat some neighbours change places. The steps repeat after a number of beats that
    is not told, except that a shouted call replaces one step by another, which is the same at each call. Whether the
    figure waits during a call or runs on unseen is not told either. A part of every photograph is blurred. Instances
    are kept only if all figures that fit the photographs lead to one and the same line at the beat asked for.
    """

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.finished = True  # nothing to play before the first reset

    # ---------------------------------------------------------------- instances

    def _lines(self, figure, waits):
        """Lines at beat 0, 1, ... up to the beat asked for."""
        lines, place = [self.start], 0
        for beat in range(1, self.asked + 1):
            called = beat in self.calls
            lines.append(danced(lines[-1], self.call_step if called else figure[place % len(figure)]))
            place += 0 if called and waits else 1
        return lines

    def _blur(self, rng, line):
        hidden = rng.sample(range(PEOPLE), rng.randint(2, 4))
        return "".join(EMPTY if index in hidden else who for index, who in enumerate(line))

    def _follow(self, size, waits, beat, place, line, known, ends):
        """Depth-first search: add the last lines of all figures that fit, until two differ."""
        if len(ends) > 1:
            return
        if beat > self.asked:
            ends.add(line)
            return
        called = beat in self.calls
        key = "call" if called else place % size
        after = place if called and waits else place + 1
        photo = self.photos[beat] if beat <= self.seen else EMPTY * PEOPLE
        for step in steps_between(line, photo):
            if step and step == known.get(key, step):
                self._follow(size, waits, beat + 1, after, danced(line, step), {**known, key: step}, ends)

    def _ends(self):
        """Lines at the beat asked for, under every figure that fits the photographs (two at most are gathered)."""
        ends = set()
        for size in range(SHORTEST, LONGEST + 1):
            for waits in (False, True):
                self._follow(size, waits, 1, 0, self.start, {}, ends)
        return ends

    def _draw(self, rng):
        """Fill in one candidate instance."""
        self.start = "".join(rng.sample("ABCDEFGHJKLMNPRSTUVWXYZ", PEOPLE))
        busy = [step for step in steps_between(self.start, EMPTY * PEOPLE) if len(step) > 1]
        *figure, self.call_step = rng.sample(busy, rng.randint(SHORTEST, LONGEST) + 1)
        self.seen = 2 * len(figure) + rng.randint(3, 4)
        self.asked = self.seen + rng.randint(14, 20)
        early = rng.sample(range(2, self.seen), 2)
        late = rng.sample(range(self.seen + 2, self.asked - 1), 3)
        self.calls = sorted(early + late)
        waits = rng.random() < 0.5
        lines = self._lines(figure, waits)
        self.photos = [self.start] + [self._blur(rng, line) for line in lines[1 : self.seen + 1]]
        self.answer = lines[-1]
        return self.answer not in lines[:-1] and self.answer != self._lines(figure, not waits)[-1]

    def reset(self, seed=None):
        rng = random.Random(seed)
        while not self._draw(rng) or self.answer == "".join(sorted(self.start)) or len(self._ends()) > 1:
            pass
        self.turn = 0
        self.finished = False
        return self._describe(), {}

    # ---------------------------------------------------------------- text

    def _describe(self):
        rows = "\n".join(
            f"beat {beat:2}:  {' '.join(photo)}{'   <- call' if beat in self.calls else ''}"
            for beat, photo in enumerate(self.photos)
        )
        later = [str(beat) for beat in self.calls if beat > self.seen]
        return (
            "Eight dancers stand in a line. At every beat they make one step: some pairs of neighbours change places, "
            "at least one pair, and nobody is in two pairs, so nobody moves by more than one place. The steps follow a "
            f"figure: a fixed list of {SHORTEST} to {LONGEST} steps that starts at beat 1 and is danced over and over. "
            "A step says which places change, whoever stands there.\n"
            "When the caller shouts, the dancers make the call step at that beat instead of the step of the figure; "
            "it is the same step at every call. At calls the figure either waits, and then goes on with the step that "
            "was due, or runs on unseen, so that the step that was due is left out. It is one of the two, always.\n\n"
            "Photographs, each taken just after the beat it names (dots are blurred faces):\n"
            f"{rows}\n\n"
            f"The dance goes on in the same way, with further calls at beats {', '.join(later)}. "
            f"How does the line stand just after beat {self.asked}?\n\n"
            "Answer with the eight letters from left to right, for example "
            f"\\boxed{{{' '.join(sorted(self.start))}}} (only the format is meant). You have {self.max_turns} tries."
        )

    def _read(self, action):
        """The line in the last box; ``None`` when it does not name each dancer once."""
        boxes = re.findall(r"\\boxed\{([^{}]*)\}", action)
        line = re.sub(r"[\s,;>-]+", "", boxes[-1]).upper() if boxes else ""
        return line if sorted(line) == sorted(self.start) else None

    # ---------------------------------------------------------------- play

    def step(self, action):
        if self.finished:
            return "The episode is over.", 0.0, True, False, {}
        self.turn += 1
        out_of_tries = self.turn >= self.max_turns
        left = f" Tries left: {max(0, self.max_turns - self.turn)}."
        line = self._read(str(action))
        if line is None:
            return "Name each of the eight dancers once, in one box." + left, 0.0, False, out_of_tries, {}
        if line == self.answer:
            self.finished = True
            return "Correct, that is how they stand.", 1.0, True, False, {}
        right = sum(a == b for a, b in zip(line, self.answer))
        return f"Not so: {right} of the eight stand where you say." + left, 0.0, False, out_of_tries, {}

    def solution(self):
        """The one line that every figure leads to which fits the photographs; ``reset`` has searched them all."""
        return ["\\boxed{" + " ".join(self.answer) + "}"]

    def hint(self):
        return (
            "Write a step as the places that change, not as the dancers. First fill in blurred faces: nobody moves by "
            "more than one place, and everyone is in each photograph once. Then list what is certain about each step, "
            "leave the calls out, and look for the length after which steps agree; try both ways of counting at calls, "
            "and drop the combination as soon as two steps that should be equal cannot be. Merge what the repetitions "
            "tell you about a step, and what the calls tell you about the call step. Then dance on beat by beat with "
            "full lines, noting which step is due. Answer with all letters, left to right, in one box."
        )

    def close(self):
        pass
