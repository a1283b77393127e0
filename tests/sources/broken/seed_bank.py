# expect: refuse tools.schema | tools.broken
# defect: the schema of germination_report names its argument accession_id while the method takes accession, so every legal call fails
import json
import random


class SeedBankEnv(ToolUseBaseEnv):
    """Data retrieval in a seed bank: which accession should be sown?"""

    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        species = rng.sample(["Avena", "Brassica", "Cicer", "Daucus", "Eruca", "Festuca"], 3)
        self._state = {"accessions": {}}
        for name in species:
            for number in rng.sample(range(1000, 9999), 5):
                self._state["accessions"][f"ACC{number}"] = {
                    "species": name, "year": rng.randint(1988, 2020), "grams": rng.randint(2, 60),
                    "tested": rng.randint(40, 90), "sprouted": 0, "vault": rng.choice(["north", "south"])}
        for entry in self._state["accessions"].values():
            entry["sprouted"] = rng.randint(5, entry["tested"])
        self.species = rng.choice(species)
        self.limit = rng.randint(5, 12)
        pool = [k for k, a in self._state["accessions"].items() if a["species"] == self.species and a["grams"] >= self.limit]
        if not pool:
            self.limit = 2
            pool = [k for k, a in self._state["accessions"].items() if a["species"] == self.species]
        acc = self._state["accessions"]
        self.best = max(pool, key=lambda k: (acc[k]["sprouted"] / acc[k]["tested"], k))
        rate = 100 * acc[self.best]["sprouted"] / acc[self.best]["tested"]
        self._expected_answer = f"{self.best}/{int(rate)}"
        one = {"type": "object", "properties": {"accession_id": {"type": "string"}}, "required": ["accession_id"]}
        self._tools = {
            "list_accessions": {"description": "Accession numbers of a species.", "parameters": {
                "type": "object", "properties": {"species": {"type": "string"}}, "required": ["species"]}},
            "accession_details": {"description": "Year, amount, vault and test counts of one accession.", "parameters": one},
            "germination_report": {"description": "Germination rate of one accession in words.", "parameters": one},
        }
        return (
            f"Which accession of {self.species} with at least {self.limit} g left has the highest germination rate "
            "(sprouted / tested)? Reply <answer>ACCnnnn/RR</answer>, RR being its rate in per cent, cut down to a whole number."
        ), {}

    def tool_list_accessions(self, species):
        found = [k for k, a in self._state["accessions"].items() if a["species"].lower() == species.lower()]
        return ", ".join(found) if found else "No accession of that species."

    def tool_accession_details(self, accession_id):
        entry = self._state["accessions"].get(accession_id)
        return json.dumps(entry) if entry else f"No accession {accession_id!r}."

    def tool_germination_report(self, accession):
        entry = self._state["accessions"].get(accession)
        if entry is None:
            return f"No accession {accession!r}."
        return f"{entry['sprouted']} of {entry['tested']} seeds of {accession} sprouted."

    def solution(self):
        keys = [k for k, a in self._state["accessions"].items() if a["species"] == self.species]
        steps = [("list_accessions", {"species": self.species})] + [("accession_details", {"accession_id": k}) for k in keys]
        calls = [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in steps]
        return calls + [f"<answer>{self._expected_answer}</answer>"]
