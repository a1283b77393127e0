import random, re


class StackMachineEnv:
    """Trace a program of a tiny register machine and report a register at HALT."""

    REGS = "ABCD"

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def _gen(self, r):
        prog = []
        for reg in self.REGS:
            prog.append(("SET", reg, r.randint(3, 60)))
        n = r.randint(4, 7)
        prog.append(("SET", "D", n))
        loop = len(prog)
        for _ in range(r.randint(4, 6)):
            op = r.choice(["ADD", "ADD", "SUB", "MUL", "MOD", "PUSH", "XCH"])
            x, y = r.sample("ABC", 2)
            if op == "MUL":
                prog.append(("MUL", x, r.randint(2, 5)))
            elif op == "MOD":
                prog.append(("MOD", x, r.choice([997, 1009, 4093, 761])))
            elif op == "PUSH":
                prog.append(("PUSH", x, None))
                prog.append(("ADD", x, y))
                prog.append(("POP", y, None))
            elif op == "XCH":
                prog.append(("XCH", x, y))
            else:
                prog.append((op, x, y))
        prog.append(("MOD", "A", 9973))
        prog.append(("MOD", "B", 9973))
        prog.append(("MOD", "C", 9973))
        prog.append(("DEC", "D", None))
        prog.append(("JNZ", "D", loop))
        prog.append(("HALT", None, None))
        return prog

    def _run(self, prog):
        reg, stack, pc, steps = dict.fromkeys(self.REGS, 0), [], 0, 0
        val = lambda v: reg[v] if isinstance(v, str) else v
        while steps < 5000:
            op, x, y = prog[pc]
            pc += 1
            steps += 1
            if op == "HALT":
                return reg, steps
            if op == "SET": reg[x] = val(y)
            elif op == "ADD": reg[x] += val(y)
            elif op == "SUB": reg[x] -= val(y)
            elif op == "MUL": reg[x] *= val(y)
            elif op == "MOD": reg[x] %= val(y)
            elif op == "PUSH": stack.append(reg[x])
            elif op == "POP": reg[x] = stack.pop()
            elif op == "XCH": reg[x], reg[y] = reg[y], reg[x]
            elif op == "DEC": reg[x] -= 1
            elif op == "JNZ" and reg[x] != 0: pc = y
        return None, steps

    def reset(self, seed=None):
        r = random.Random(seed)
        while True:
            self.prog = self._gen(r)
            self.final, self.steps = self._run(self.prog)
            good = [k for k in "ABC" if self.final[k] > 250]
            if good:
                self.ask = r.choice(good)
                break
        self.turn = 0
        listing = "\n".join(f"{i:>3}: {op} " + " ".join(str(v) for v in (x, y) if v is not None)
                            for i, (op, x, y) in enumerate(self.prog))
        return (f"Register machine. Registers {', '.join(self.REGS)} and one stack. `OP x y` changes x; y is a register or "
                "a constant. MOD gives a result from 0 up to the modulus minus 1, also for negative numbers. XCH swaps. "
                "PUSH/POP use the stack. JNZ x n jumps to line n if x is not 0. DEC subtracts one.\n\n"
                f"{listing}\n\nWhat does register {self.ask} hold at HALT? \\boxed{{number}}"), {"lines": len(self.prog)}

    def step(self, action):
        self.turn += 1
        over = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(-?[0-9]{1,12})\s*\}", action)
        if not m:
            return "Format: \\boxed{number}", 0, False, over, {}
        if int(m.group(1)) == self.final[self.ask]:
            return "Right, that is the final value.", 1, True, False, {"executed": self.steps}
        return "No, trace it again.", 0, False, over, {}

    def solution(self):
        return [f"\\boxed{{{self.final[self.ask]}}}"]

    def hint(self):
        return ("Write the registers in a table with one row per pass of the loop; note the stack separately. "
                "Reduce by the modulus only where the program does.")
