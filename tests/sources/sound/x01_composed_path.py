import random
import json
from typing import Any, Dict, Optional, Tuple

TOPICS = ["budget", "roster", "survey", "minutes", "contract", "inspection"]
YEARS = [2017, 2018, 2019, 2020, 2021]


class ArchiveSearchEnv(ToolUseBaseEnv):
    """
    Directory tree with cross references. The agent lists folders, reads documents and reports the registry
    number of the document that finally replaced the one it was asked about.
    """

    def __init__(self, max_turns: int = 18, **kwargs: Any) -> None:
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed: Optional[int] = None) -> Tuple[str, Dict[str, Any]]:
        rng = random.Random(seed)
        self.turn_count = 0
        docs: Dict[str, Dict[str, Any]] = {}
        for year in YEARS:
            for topic in rng.sample(TOPICS, 4):
                for k in range(rng.randint(1, 3)):
                    docs[f"/{year}/{topic}/doc_{rng.randint(100, 999)}.txt"] = {"registry": f"RG-{rng.randint(10000, 99999)}", "next": None}
        paths = rng.sample(sorted(docs), 5)
        for a, b in zip(paths, paths[1:]):
            docs[a]["next"] = b
        self.chain = paths
        self._state = {"docs": docs, "reads": 0}
        self._expected_answer = docs[paths[-1]]["registry"]
        folder, name = paths[0].rsplit("/", 1)
        self._tools = {
            "list_dir": {
                "description": "List the entries of a folder.",
                "parameters": {"type": "object", "properties": {"path": {"type": "string", "description": "absolute path"}}, "required": ["path"]},
            },
            "read_file": {
                "description": "Read a document.",
                "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
            },
            "count_files": {
                "description": "Number of documents below a folder.",
                "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
            },
        }
        topic = folder.rsplit("/", 1)[1]
        obs = (f"The archive keeps documents as /YEAR/TOPIC/NAME. A colleague mentions a {topic} document from {folder.split('/')[1]} called {name}. "
               "It was superseded, possibly several times; every document says by which one. Find the registry number (RG-...) of the document "
               "that is in force today.")
        return obs, {"tools": list(self._tools)}

    def tool_list_dir(self, path: str) -> str:
        base = path.rstrip("/") + "/"
        found = sorted({p[len(base):].split("/")[0] for p in self._state["docs"] if p.startswith(base)})
        return json.dumps(found) if found else f"Error: {path} does not exist"

    def tool_read_file(self, path: str) -> str:
        doc = self._state["docs"].get(path)
        if doc is None:
            return f"Error: {path} is not a document"
        self._state["reads"] += 1
        status = f"superseded by {doc['next']}" if doc["next"] else "in force"
        return f"registry: {doc['registry']}\nstatus: {status}"

    def tool_count_files(self, path: str) -> str:
        return str(sum(p.startswith(path.rstrip("/") + "/") for p in self._state["docs"]))

    def solution(self) -> str:
        steps = [f"{i}. read_file(path='{p}')" for i, p in enumerate(self.chain, 1)]
        return "Follow the chain of replacements:\n" + "\n".join(steps) + f"\nANSWER: {self._expected_answer}"
