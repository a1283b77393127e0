"""Family tree with parent links; previews run on a deep copy (memo[id(self)])."""
import copy, random, re
class Node:
    def __init__(self, name, parent=None):
        self.name, self.parent, self.kids = name, parent, []
        if parent is not None: parent.kids.append(self)
    def __deepcopy__(self, memo):
        if id(self) in memo: return memo[id(self)]
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        twin.name = self.name
        twin.parent = copy.deepcopy(self.parent, memo)
        twin.kids = [copy.deepcopy(k, memo) for k in self.kids]
        return twin
    def depth(self): return 0 if self.parent is None else 1 + self.parent.depth()
    def walk(self):
        yield self
        for k in self.kids: yield from k.walk()
class GraftEnv:
    def __init__(self, max_turns=8): self.max_turns = max_turns; self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed); names = list("ABCDEFGHIJ"); rng.shuffle(names)
        self.root = Node(names[0]); nodes = [self.root]
        for n in names[1:]: nodes.append(Node(n, rng.choice(nodes)))
        self.t = 0
        deep = max(self.root.walk(), key=lambda n: (n.depth(), n.name))
        leafs = [n for n in self.root.walk() if not n.kids and n is not deep]
        self.moved = min(leafs, key=lambda n: n.name).name if leafs else deep.name
        self.under = self.root.name
        preview = copy.deepcopy(self.root)
        node = next(n for n in preview.walk() if n.name == self.moved)
        node.parent.kids.remove(node); node.parent = preview; preview.kids.append(node)
        self.answer = sum(n.depth() for n in preview.walk())
        edges = ", ".join(f"{n.parent.name}>{n.name}" for n in self.root.walk() if n.parent)
        return f"Tree {edges}. Graft leaf {self.moved} under the root {self.under}. Sum of all depths then? \\boxed{{N}}", {}
    def step(self, action):
        self.t += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,5})\s*\}", action)
        ok = bool(m and int(m[1]) == self.answer)
        return ("yes" if ok else "no"), float(ok), ok, self.t >= self.max_turns and not ok, {}
    def solution(self):
        # independent of the preview
        ds = {n.name: n.depth() for n in self.root.walk()}; ds[self.moved] = 1
        return str(sum(ds.values()))
