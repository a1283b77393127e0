"""Retail order desk. Multi-turn tool use."""
import json
import random
from typing import Any, Dict, List, Optional, Tuple

from tool_use_base_env import ToolUseBaseEnv


class RetailDeskEnv(ToolUseBaseEnv):
    def __init__(self, max_turns: int = 15, **kwargs: Any) -> None:
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed: Optional[int] = None) -> Tuple[str, Dict[str, Any]]:
        rng = random.Random(seed)
        self.turn_count = 0
        self._current_msg = 0
        names = rng.sample(["Ana", "Bo", "Cy", "Dee", "Eli"], 3)
        ids = [f"ORD-{rng.randint(1000, 9999)}" for _ in names]
        self._state = {"orders": {i: {"customer": n, "status": "open", "total": rng.randint(20, 400)} for i, n in zip(ids, names)}}
        self.target = ids[0]
        self.other = ids[1]
        self._tools = {
            "list_orders": {"description": "List all orders.", "parameters": {"type": "object", "properties": {}, "required": []}},
            "cancel_order": {"description": "Cancel.", "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}, "reason": {"type": "string", "enum": ["customer", "stock"]}}, "required": ["order_id", "reason"]}},
            "refund": {"description": "Refund.", "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}, "amount": {"type": "number"}}, "required": ["order_id", "amount"]}},
        }
        self._user_messages = [
            f"Cancel the order of {names[0]} because the customer asked.",
            f"Refund {names[1]} exactly 10.",
        ]
        self._message_criteria = [
            lambda s: s["orders"][self.target]["status"] == "cancelled:customer",
            lambda s: s["orders"][self.other].get("refunded") == 10,
        ]
        self._expected_answer = "done"
        return f"You are a support agent. User: {self._user_messages[0]}\nSay <answer>done</answer> at the end.", {}

    def _advance(self, result: str) -> str:
        if self._current_msg < len(self._user_messages) and self._message_criteria[self._current_msg](self._state):
            self._current_msg += 1
            if self._current_msg < len(self._user_messages):
                return f"{result}\n\n[User]: {self._user_messages[self._current_msg]}"
            return f"{result}\n\n[User]: Thanks, that's all."
        return result

    def tool_list_orders(self) -> str:
        return self._advance(json.dumps(self._state["orders"]))

    def tool_cancel_order(self, order_id: str, reason: str) -> str:
        order = self._state["orders"].get(order_id)
        if order is None:
            return "Error: no such order"
        order["status"] = f"cancelled:{reason}"
        return self._advance("cancelled")

    def tool_refund(self, order_id: str, amount: float) -> str:
        order = self._state["orders"].get(order_id)
        if order is None:
            return "Error: no such order"
        order["refunded"] = amount
        return self._advance("refunded")

    def solution(self) -> str:
        return (f"1. list_orders()\n2. cancel_order(order_id='{self.target}', reason='customer')\n"
                f"3. refund(order_id='{self.other}', amount=10)\nThen answer: done")
