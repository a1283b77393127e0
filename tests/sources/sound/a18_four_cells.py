import random
import re


class FourCellsEnv:
    """Four cells of a spreadsheet. Each newly right cell pays a quarter; the last share ends the episode."""

    def __init__(self, max_turns=6):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        cells = {f"A{i}": rng.randint(3, 40) for i in range(1, 7)}
        formulas = {}
        values = dict(cells)
        known = list(cells)
        for name in ("B1", "B2", "B3", "B4"):
            x, y = rng.sample(known, 2)
            kind = rng.choice(["{}*{}+{}", "{}*{}-{}", "SUM(A1:A6)*{}+{}*{}", "MAX({},{})*{}"])
            k = rng.choice([n for n in known if n not in (x, y)])
            formulas[name] = "=" + kind.format(x, y, k)
            vx, vy, vk = values[x], values[y], values[k]
            values[name] = {
                "{}*{}+{}": vx * vy + vk,
                "{}*{}-{}": vx * vy - vk,
                "SUM(A1:A6)*{}+{}*{}": sum(cells.values()) * vx + vy * vk,
                "MAX({},{})*{}": max(vx, vy) * vk,
            }[kind]
            known.append(name)
        self.want = [values[n] for n in ("B1", "B2", "B3", "B4")]
        self.solved = [False] * 4
        self.turn = 0
        left = "\n".join(f"A{i} | {cells[f'A{i}']}" for i in range(1, 7))
        right = "\n".join(f"{n} | {f}" for n, f in formulas.items())
        return (
            f"A spreadsheet:\n{left}\n{right}\n\nGive the values of B1, B2, B3 and B4: \\boxed{{v1; v2; v3; v4}}. "
            "Cells that are right once count for good, a quarter each; you hear how many are still open."
        ), {"open": 4}

    def step(self, action):
        self.turn += 1
        over = self.turn >= self.max_turns
        inside = re.findall(r"-?[0-9]{1,30}", action)
        if len(inside) != 4:
            return "Four whole numbers, please.", 0.0, False, over, {"open": self.solved.count(False)}
        fresh = [i for i in range(4) if not self.solved[i] and int(inside[i]) == self.want[i]]
        for i in fresh:
            self.solved[i] = True
        open_cells = self.solved.count(False)
        if open_cells == 0:
            return "The sheet is complete.", 0.25 * len(fresh), True, False, {"open": 0}
        return f"Still open: {open_cells} cell(s).", 0.25 * len(fresh), False, over, {"open": open_cells}

    def solution(self):
        return ["\\boxed{" + "; ".join(map(str, self.want)) + "}"]

    def hint(self):
        return "Work from B1 downwards, later cells use earlier ones. Multiply before you add, and check the sum of the first column twice."
