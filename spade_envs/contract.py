"""The three contracts and the skills, in words.

========== ============================================= =========================================================
contract   action text                                   shape of the source
========== ============================================= =========================================================
answer     ``\\boxed{answer}``, several tries             one fixed task; ``step`` grades an answer
interactive ``\\boxed{command}`` each turn                 hidden state that actions change; partial rewards
tools      ``<tool_call>{...}</tool_call>``, several      subclass of ``ToolUseBaseEnv``, or ``get_tools()`` that
           allowed, or ``<answer>...</answer>``          offers something
========== ============================================= =========================================================
"""

from __future__ import annotations

CONTRACTS = ("answer", "interactive", "tools")
"""The three shapes an environment may have."""

REASONING_SKILLS = (
    "mathematical-reasoning",
    "logical-deduction",
    "spatial-reasoning",
    "pattern-recognition",
    "optimization",
    "causal-inference",
)
"""The six reasoning skills of the paper."""

MORE_REASONING_SKILLS = ("strategic-planning", "memory-recall", "language-understanding")
"""Three more of its catalogue."""

TOOL_SKILLS = (
    "api-orchestration",
    "data-retrieval",
    "state-modification",
    "error-recovery",
    "tool-selection",
    "multi-step-workflows",
)
"""The six tool-use skills."""

SKILLS = REASONING_SKILLS + MORE_REASONING_SKILLS + TOOL_SKILLS
"""Every skill a source may declare."""

REPAIRS = {
    "bare_reset": ("contract.reset", "reset() returned a bare string; return (observation, {})"),
    "list_result": ("contract.step", "a list was returned where a tuple belongs"),
    "tuple_subclass": ("contract.step", "a tuple subclass was returned where a plain tuple belongs"),
    "four_tuple": ("contract.step", "step() returned the 4-tuple of old Gym; return five values"),
    "str_subclass": ("contract.observation", "an observation is a subclass of str; return a plain str"),
    "integer_reward": ("contract.reward", "a reward is an int; return a float"),
    "numpy_scalar": ("contract.reward", "a reward or flag is a numpy scalar; return float(...) or bool(...)"),
    "number_subclass": ("contract.reward", "a reward is no plain float; return float(...)"),
    "both_flags": ("contract.flags", "terminated and truncated were both true; only terminated counts"),
    "info_dropped": ("contract.info", "info holds values that are no JSON; they were dropped"),
    "turns_cut": ("contract.turns", "an episode ran past max_turns and was truncated by the adapter"),
}
"""What the adapter mends: the rule that warns about it, and what to change."""
