# string.Template based; an invented language is inferred from parallel sentences (pattern recognition)
import random
import re
from string import Template

NOUNS = ["dog", "child", "farmer", "bird", "teacher", "wolf"]
VERBS = ["sees", "follows", "calls", "fears"]
ADJS = ["old", "small", "red"]
ENGLISH = Template("the $adj1 $noun1 $verb the $adj2 $noun2")
FEEDBACK = Template("Attempt $n: $what.")


def coin(rng, used):
    while True:
        w = "".join(rng.choice("ptkmnslr") + rng.choice("aeiou") for _ in range(rng.randint(2, 3)))
        if w not in used:
            used.add(w)
            return w


class FieldLinguistEnv:
    """You are given a small corpus; translate one more sentence."""

    def __init__(self, max_turns=5):
        self.max_turns = max_turns
        self.reset(seed=0)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.n = 0
        used = set()
        self.lex = {w: coin(rng, used) for w in NOUNS + VERBS + ADJS}
        self.subj = rng.choice(["-ka", "-to", "-mi", ""])
        self.obj = rng.choice(["-ru", "-ne", "-so"])
        self.verb_suffix = rng.choice(["", "-ti", "-la"])
        # word order of the three blocks and of the adjective in its block
        order = ["S", "O", "V"]
        rng.shuffle(order)
        self.order = order
        self.adj_first = rng.random() < 0.5
        self.agree = rng.random() < 0.5  # does the adjective take the case ending as well?

        corpus, seen = [], set()
        nouns = NOUNS * 2
        rng.shuffle(nouns)
        for i in range(9):
            s, o = (nouns[i], nouns[i + 1]) if i + 1 < len(nouns) and nouns[i] != nouns[i + 1] else rng.sample(NOUNS, 2)
            meaning = (ADJS[i % 3], s, VERBS[i % 4], rng.choice(ADJS), o)
            seen.add(meaning)
            corpus.append(meaning)
        for noun in NOUNS:  # every word occurs somewhere
            if not any(noun in m for m in corpus):
                other = rng.choice([x for x in NOUNS if x != noun])
                corpus.append((rng.choice(ADJS), noun, rng.choice(VERBS), rng.choice(ADJS), other))
        seen.update(corpus)
        while True:
            s, o = rng.sample(NOUNS, 2)
            self.target = (rng.choice(ADJS), s, rng.choice(VERBS), rng.choice(ADJS), o)
            if self.target not in seen:
                break
        lines = ["An unknown language, with translations:", ""]
        for m in corpus:
            lines.append("  %s  =  %s" % (self.translate(m), self.english(m)))
        lines += [
            "",
            "Translate: " + self.english(self.target),
            r"Answer with the sentence only, in lower case with its hyphens: \boxed{...}. "
            + "You have %d attempts." % self.max_turns,
        ]
        return "\n".join(lines), {}

    def english(self, m):
        return ENGLISH.substitute(adj1=m[0], noun1=m[1], verb=m[2], adj2=m[3], noun2=m[4])

    def phrase(self, adj, noun, case):
        a = self.lex[adj] + (case if self.agree else "")
        n = self.lex[noun] + case
        return [a, n] if self.adj_first else [n, a]

    def translate(self, m):
        blocks = {
            "S": self.phrase(m[0], m[1], self.subj),
            "O": self.phrase(m[3], m[4], self.obj),
            "V": [self.lex[m[2]] + self.verb_suffix],
        }
        return " ".join(w for b in self.order for w in blocks[b])

    def step(self, action):
        self.n += 1
        late = self.n >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        words = m.group(1).lower().split() if m else []
        if len(words) != 5:
            return (
                FEEDBACK.substitute(n=self.n, what="a sentence of this kind has five words, in \\boxed{...}"),
                0.0,
                False,
                late,
                {},
            )
        if " ".join(words) == self.translate(self.target):
            return FEEDBACK.substitute(n=self.n, what="a native speaker nods"), 1.0, True, False, {}
        return FEEDBACK.substitute(n=self.n, what="a native speaker shakes her head"), 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{%s}" % self.translate(self.target)]

    def hint(self):
        return "Compare pairs of sentences that share a word, find the word order, then separate endings from stems."
