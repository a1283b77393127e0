# Old-Gym manners: reset returns a bare string, step returns a 4-tuple. Domain: molecular biology.
import random
import re

BASES = "UCAG"
AMINO = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
CODON = {
    a + b + c: AMINO[16 * i + 4 * j + k]
    for i, a in enumerate(BASES)
    for j, b in enumerate(BASES)
    for k, c in enumerate(BASES)
}
PAIR = {"A": "U", "T": "A", "G": "C", "C": "G"}


class SpliceEnv:
    """Template strand -> mRNA -> splicing -> protein."""

    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.count = 0
        self.protein = ""
        self.reset()

    def _codons(self, rng):
        """Random sense codons without an accidental stop."""
        for _ in range(rng.randint(14, 22)):
            yield rng.choice(sorted(c for c in CODON if CODON[c] != "*"))

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.count = 0
        coding = "AUG" + "".join(self._codons(rng)) + rng.choice(["UAA", "UAG", "UGA"])
        self.protein = self.translate(coding)
        # two introns with GU...AG borders
        cuts = sorted(rng.sample(range(4, len(coding) - 4), 2))
        introns = ["GU" + "".join(rng.choice(BASES) for _ in range(rng.randint(5, 12))) + "AG" for _ in cuts]
        a, b = cuts
        pre = coding[:a] + introns[0] + coding[a:b] + introns[1] + coding[b:]
        lead = "".join(rng.choice("CU") for _ in range(rng.randint(3, 8)))  # no AUG in here
        pre = lead + pre
        first = len(lead) + a
        second = len(lead) + b + len(introns[0])
        spans = [(first + 1, first + len(introns[0])), (second + 1, second + len(introns[1]))]
        back = {"U": "A", "A": "T", "C": "G", "G": "C"}
        template = "".join(back[x] for x in pre)
        obs = "Template strand of a gene, written 3' to 5':\n"
        obs += "\n".join("  " + template[i : i + 60] for i in range(0, len(template), 60))
        obs += "\n\nPositions are counted from 1 at the left. Introns (to be removed from the transcript): "
        obs += " and ".join("%d-%d" % s for s in spans) + "."
        obs += "\nTranslate the spliced mRNA from its first AUG to the stop codon with the standard code."
        obs += "\nAnswer with one-letter amino acids, no stop sign: \\boxed{M...}. Tries: %d." % self.max_turns
        return obs

    @staticmethod
    def translate(rna):
        out = []
        for i in range(rna.index("AUG"), len(rna) - 2, 3):
            acid = CODON[rna[i : i + 3]]
            if acid == "*":
                break
            out.append(acid)
        return "".join(out)

    def step(self, action):
        self.count += 1
        done = self.count >= self.max_turns
        m = re.search(r"\\boxed\{([A-Za-z\s]{1,200})\}", action)
        if not m:
            return "Give one-letter amino acid codes inside \\boxed{...}.", 0.0, done, {}
        answer = "".join(m.group(1).split()).upper()
        strange = sorted(set(answer) - set(AMINO))
        if strange:
            return "No amino acid has the letter " + strange[0] + ".", 0.0, done, {}
        if answer == self.protein:
            return "That is the protein.", 1.0, True, {"tries": self.count}
        return "The ribosome makes something else.", 0.0, done, {}

    def solution(self):
        return ["\\boxed{" + self.protein + "}"]

    def hint(self):
        return "Complement the strand base by base (A gives U), cut the listed ranges, then read triplets."
