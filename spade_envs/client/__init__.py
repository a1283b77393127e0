"""Models behind servers: ask them, count what they cost, record what they said.

Nothing heavy is imported before a client is opened.
"""

from __future__ import annotations

from .capabilities import Capabilities, Kind, ServedModel
from .client import Client, Finished
from .counters import Counters
from .counting import Count
from .failures import Reason, RequestFailed
from .replies import Answer, Reply, Usage
from .requests import ChatRequest, Form, Message, Sampling, Structure, TokensRequest, Tool, ToolCall
from .settings import Settings

__all__ = [
    "Answer",
    "Capabilities",
    "ChatRequest",
    "Client",
    "Count",
    "Counters",
    "Finished",
    "Form",
    "Kind",
    "Message",
    "Reason",
    "Reply",
    "RequestFailed",
    "Sampling",
    "ServedModel",
    "Settings",
    "Structure",
    "TokensRequest",
    "Tool",
    "ToolCall",
    "Usage",
]
