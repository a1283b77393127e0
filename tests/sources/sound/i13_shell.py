"""A toy shell: find the pieces of a passphrase and unlock the vault."""
import random
import re

WORDS = ("amber basalt cinder dahlia ember fjord granite hazel indigo juniper kelp lichen marl nettle opal pumice quartz "
         "russet slate thistle umber willow yarrow zephyr").split()
DIRS = ["archive", "backup", "configs", "drafts", "exports", "finance", "garage", "history"]


class ToyShellEnv:
    def __init__(self, max_turns=30):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.cwd = "/"
        self.files = {}
        dirs = rng.sample(DIRS, 6)
        pieces = rng.sample(WORDS, 3)
        self.phrase = "-".join(pieces)
        spots = rng.sample(dirs, 3)
        for d in dirs:
            for _ in range(rng.randint(1, 2)):
                self.files[f"/{d}/{rng.choice(WORDS)}{rng.randint(10, 99)}.txt"] = rng.choice(
                    ["nothing of interest", "shopping list: eggs, twine", "meeting moved again", "old invoice, paid"])
        chain = []
        for k, (spot, word) in enumerate(zip(spots, pieces)):
            name = f"/{spot}/{'note' if k else 'readme'}{rng.randint(100, 999)}.txt"
            chain.append(name)
        for k, name in enumerate(chain):
            nxt = f"The next piece is in {chain[k + 1]}." if k < 2 else "That is all of it."
            self.files[name] = f"Piece {k + 1} of the passphrase: {pieces[k]}. {nxt}"
        self.chain = chain
        self.tries = 2
        return ("Toy shell. Somewhere below / lies a readme file with the first of three pieces of a passphrase.\n"
                "Commands: \\boxed{ls DIR}, \\boxed{cat PATH}, \\boxed{find TEXT} (searches file names), \\boxed{vault A-B-C} "
                f"(the three pieces joined with hyphens; two attempts).\n{self.max_turns} turns.\n\n/$ "), {}

    def _run(self, verb, arg):
        if verb == "ls":
            base = "/" + arg.strip("/") + "/" if arg.strip("/") else "/"
            rest = [f[len(base):] for f in self.files if f.startswith(base)]
            names = sorted({r.split("/")[0] + ("/" if "/" in r else "") for r in rest})
            return "  ".join(names) if names else f"ls: {arg}: no such directory"
        if verb == "cat":
            return self.files.get(arg, f"cat: {arg}: no such file")
        if verb == "find":
            hits = sorted(f for f in self.files if arg in f.rsplit("/", 1)[1])
            return "\n".join(hits) if hits else "(nothing found)"
        return "command not found: " + verb

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(\S+)\s*(.*?)\s*\}", action, re.S)
        if not m:
            return "/$ (type a command)", 0.0, False, late, {"turn": self.turn}
        verb, arg = m.group(1), m.group(2)[:200]
        if verb == "vault":
            if arg == self.phrase:
                return "The vault opens.", 1.0, True, False, {"turn": self.turn}
            self.tries -= 1
            if self.tries == 0:
                return "Wrong. The vault seals itself.", 0.0, True, False, {"turn": self.turn}
            return "Wrong. One attempt left.", 0.0, False, late, {"turn": self.turn}
        return f"{self._run(verb, arg)}\n/$ ", 0.0, False, late, {"turn": self.turn}

    def solution(self):
        cmds = ["ls /", "find readme"] + [f"cat {p}" for p in self.chain] + [f"vault {self.phrase}"]
        return [f"\\boxed{{{c}}}" for c in cmds]

    def hint(self):
        return "Search for the readme by name first, then follow the paths from file to file and keep the words in order."
