"""The base class imported by its long name; tool calls in the solution as blocks of text; no super().__init__ arguments."""
import json
import random
from typing import Any, Dict, Optional, Tuple

from spade.core.envs.tool_use_base_env import ToolUseBaseEnv


class StockroomEnv(ToolUseBaseEnv):
    def __init__(self, max_turns: int = 12, **kwargs: Any) -> None:
        self.skus: list = []
        super().__init__(max_turns, **kwargs)

    def reset(self, seed: Optional[int] = None) -> Tuple[str, Dict[str, Any]]:
        rng = random.Random(seed)
        self.turn_count = 0
        self.skus = [f"SKU-{n}" for n in rng.sample(range(100, 999), 6)]
        self._state = {sku: {"bin": rng.choice("ABCD") + str(rng.randint(1, 9)), "count": rng.randint(5, 60)} for sku in self.skus}
        self.low = min(self.skus, key=lambda s: (self._state[s]["count"], s))
        self.need = rng.randint(61, 99)
        self._expected_answer = self._state[self.low]["bin"]
        self._expected_answer += f"-{self.need - self._state[self.low]['count']}"
        self._tools = {
            "list_skus": {"description": "All article numbers.", "parameters": {"type": "object", "properties": {}}},
            "inspect": {
                "description": "Bin and count of one article.",
                "parameters": {"type": "object", "properties": {"sku": {"type": "string"}, "verbose": {"type": "boolean"}}, "required": ["sku"]},
            },
        }
        return (
            f"Find the article with the smallest count (the alphabetically first, if several) and how many are missing to "
            f"{self.need}. Reply <answer>BIN-MISSING</answer>, for example <answer>A1-20</answer>. There are two tools."
        ), {}

    def tool_list_skus(self) -> str:
        return ", ".join(self.skus)

    def tool_inspect(self, sku: str, verbose: bool = False) -> str:
        if sku not in self._state:
            raise KeyError(f"unknown article {sku}")
        item = self._state[sku]
        return json.dumps(item) if verbose else f"bin {item['bin']}, count {item['count']}"

    def solution(self) -> str:
        blocks = [{"name": "list_skus", "arguments": {}}] + [{"name": "inspect", "arguments": {"sku": s}} for s in self.skus]
        text = "\n".join(f"<tool_call>{json.dumps(b)}</tool_call>" for b in blocks)
        return f"{text}\nANSWER: {self._expected_answer}"
