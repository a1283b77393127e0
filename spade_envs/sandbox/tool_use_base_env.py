"""The base class of ``tools`` environments, executed anew in the namespace of every instance.

Single-task form: set ``_tools``, ``_state`` and ``_expected_answer`` in ``reset``; the agent calls tools and submits
``<answer>...</answer>``. Multi-turn form: also set ``_user_messages`` (instructions revealed one at a time) and
``_message_criteria`` (one callable state -> bool each); the answer is "done", and counts when all are met.
"""

import json
import re

_CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_TYPES = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": (list, tuple),
    "object": dict,
}


class ToolUseBaseEnv:
    """Subclass it, define ``reset``, ``tool_<name>`` methods and ``solution``."""

    # For subclasses whose own __init__ does not call this one's.
    max_turns = 10
    turn_count = 0
    _expected_answer = None
    _user_messages = ()
    _message_criteria = ()
    _current_msg = 0

    def __init__(self, max_turns=10, **kwargs):
        self.max_turns = max_turns
        self.turn_count = 0
        self._tools = {}
        self._state = {}
        self._call_history = []
        self._expected_answer = None
        self._user_messages = []
        self._message_criteria = []
        self._current_msg = 0
        self.reset()

    def reset(self, seed=None, options=None):
        self.turn_count = 0
        self._call_history = []
        self._current_msg = 0
        return "", {}

    def close(self):
        return None

    def get_tools(self):
        """OpenAI tool schemas of ``_tools``."""
        empty = {"type": "object", "properties": {}}
        return [
            {
                "type": "function",
                "function": {
                    "name": name,
                    "description": spec.get("description", ""),
                    "parameters": spec.get("parameters") or empty,
                },
            }
            for name, spec in self._tools.items()
        ]

    def execute_tool(self, name, arguments=None):
        """Run one tool; ``{"output": text, "returncode": 0 or 1}``."""
        problem = self._spade_call_problem(name, arguments)
        if problem:
            return {"output": problem, "returncode": 1}
        before = self._current_msg
        try:
            output = getattr(self, "tool_" + name)(**(arguments or {}))
        except Exception as error:  # a failing tool answers; it does not end the episode
            return {"output": f"Error: {type(error).__name__}: {error}", "returncode": 1}
        self._call_history = getattr(self, "_call_history", [])
        self._call_history.append({"name": name, "arguments": dict(arguments or {})})
        output = output if isinstance(output, str) else json.dumps(output, default=str)
        if self._current_msg == before:
            output += self._spade_advance()
        return {"output": output, "returncode": 0}

    def _spade_call_problem(self, name, arguments):
        """Why a call cannot be made, or an empty string."""
        if not isinstance(name, str) or name not in self._tools or not hasattr(self, "tool_" + name):
            return f"Error: unknown tool {name!r}. Available tools: {', '.join(self._tools)}."
        arguments = {} if arguments is None else arguments
        if not isinstance(arguments, dict):
            return f"Error: the arguments of {name} must be a JSON object."
        schema = self._tools[name].get("parameters") or {}
        properties = schema.get("properties", {})
        missing = [key for key in schema.get("required", []) if key not in arguments]
        if missing:
            return f"Error: {name} is missing required argument(s): {', '.join(missing)}."
        unknown = [key for key in arguments if key not in properties]
        if unknown and schema.get("additionalProperties") is not True:
            allowed = ", ".join(properties) or "none"
            return f"Error: {name} has no argument {unknown[0]!r}. Allowed: {allowed}."
        for key, value in arguments.items():
            spec = properties.get(key, {})
            kind = _TYPES.get(spec.get("type")) if isinstance(spec.get("type"), str) else None
            wrong_bool = isinstance(value, bool) and spec.get("type") in ("integer", "number")
            if kind and (not isinstance(value, kind) or wrong_bool):
                return f"Error: {name}: argument {key!r} must be of type {spec['type']}."
            if "enum" in spec and value not in spec["enum"]:
                return f"Error: {name}: argument {key!r} must be one of {spec['enum']}."
        return ""

    def _spade_advance(self):
        """Move on when the pending instruction is fulfilled; the text to append to the tool's output."""
        if self._current_msg >= len(self._user_messages) or self._current_msg >= len(self._message_criteria):
            return ""
        try:
            met = self._message_criteria[self._current_msg](self._state)
        except Exception:
            # The author may call his criteria differently, and moves the pointer himself.
            met = False
        if not met:
            return ""
        self._current_msg += 1
        if self._current_msg < len(self._user_messages):
            return f"\n\n[User]: {self._user_messages[self._current_msg]}"
        return "\n\n[User]: That is everything. Submit <answer>done</answer>."

    def step(self, action):
        """One turn: every tool call of the text in order, or else its answer."""
        self.turn_count += 1
        calls = _CALL.findall(action)
        if calls:
            return self._spade_step_calls(calls)
        answer = _ANSWER.search(action)
        if answer:
            return self._spade_step_answer(answer.group(1).strip())
        text = 'Reply with <tool_call>{"name": ..., "arguments": {...}}</tool_call> or <answer>...</answer>.'
        return text, -0.1, False, self._spade_out_of_turns(), {}

    def _spade_step_calls(self, calls):
        outputs = []
        reward = 0.0
        for call in calls:
            try:
                data = json.loads(call)
            except (ValueError, RecursionError):
                data = None
            if not isinstance(data, dict) or "name" not in data:
                outputs.append('Error: a tool call must be JSON with "name" and "arguments".')
                reward = -0.1
                continue
            reward = 0.0
            outputs.append(str(self.execute_tool(data["name"], data.get("arguments"))["output"]))
        return "\n".join(outputs), reward, False, self._spade_out_of_turns(), {}

    def _spade_step_answer(self, answer):
        if self._check_answer(answer):
            return "Correct!", 1.0, True, False, {}
        truncated = self._spade_out_of_turns()
        return self._spade_wrong_answer_text(), 0.0, False, truncated, {}

    def _spade_wrong_answer_text(self):
        if self._user_messages and 0 <= self._current_msg < len(self._user_messages):
            number = self._current_msg + 1
            pending = self._user_messages[self._current_msg]
            return f"Not finished: instruction {number} of {len(self._user_messages)} is pending: {pending}"
        return "That is not correct. Keep using the tools, then answer again."

    def _spade_out_of_turns(self):
        return self.turn_count >= self.max_turns

    def _check_answer(self, answer):
        """Case-insensitively equal, or numerically within 0.01 after removing ``$`` and ``,``."""
        expected = "done" if self._expected_answer is None else str(self._expected_answer)
        if self._user_messages and self._current_msg < len(self._user_messages):
            return False
        if self._expected_answer is None and not self._user_messages:
            return False
        if answer.strip().lower() == expected.strip().lower():
            return True
        try:
            clean = [float(text.replace("$", "").replace(",", "")) for text in (answer, expected)]
        except ValueError:
            return False
        return abs(clean[0] - clean[1]) <= 0.01
