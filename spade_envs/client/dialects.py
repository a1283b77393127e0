"""From a request to the body that this kind of server understands; what it does not understand is refused."""

from __future__ import annotations

from typing import Any

from .capabilities import Capabilities, Kind
from .failures import RequestFailed, refused
from .replies import Expected
from .requests import Asked, ChatRequest, Form, Message, Sampling, Structure, TokensRequest, clean
from .wires import Call


def chat_call(request: ChatRequest, model: str, able: Capabilities) -> Call:
    """A chat for a server.

    Raises:
        RequestFailed: when it asks for what the server cannot do.
    """
    _check_ids(request, request.token_ids, able)
    body = _common(request, model, able)
    body["messages"] = [message_body(message) for message in request.messages]
    if request.logprobs or (able.kind is Kind.LLAMACPP and request.token_ids):
        # llama.cpp takes 0 for no log probabilities at all.
        body.update(logprobs=True, top_logprobs=1 if able.kind is Kind.LLAMACPP else 0)
    if request.tools:
        named = {"type": "function", "function": {"name": request.tool_choice}}
        body["tools"] = [tool_body(request, at) for at in range(len(request.tools))]
        body["tool_choice"] = request.tool_choice if request.tool_choice in ("auto", "none", "required") else named
    if request.template_options:
        if able.kind is Kind.BARE:
            raise _lacking(able, "template_options")
        body["chat_template_kwargs"] = dict(request.template_options)
    return Call("/chat/completions", body)


def tokens_call(request: TokensRequest, model: str, able: Capabilities) -> Call:
    """A completion for a server; raises as :func:`chat_call`."""
    _check_ids(request, request.token_ids, able)
    body = _common(request, model, able)
    body["prompt"] = list(request.prompt)
    if request.logprobs or (able.kind is Kind.LLAMACPP and request.token_ids):
        # vLLM takes 0 for the drawn token alone; to others 0 may mean none.
        body["logprobs"] = 0 if able.kind is Kind.VLLM else 1
    return Call("/completions", body)


def expected_of(request: ChatRequest | TokensRequest, able: Capabilities) -> Expected:
    """What the answer to a request must hold."""
    return Expected(
        n=request.sampling.n,
        max_tokens=request.sampling.max_tokens,
        prompt=request.prompt if isinstance(request, TokensRequest) else None,
        logprobs=request.logprobs,
        token_ids=request.token_ids,
        ids_in_logprobs=able.kind is Kind.LLAMACPP and request.token_ids,
    )


def message_body(message: Message) -> dict[str, Any]:
    """A message as JSON."""
    body: dict[str, Any] = {"role": message.role, "content": clean(message.content)}
    if message.tool_calls:
        body["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        body["tool_call_id"] = message.tool_call_id
    return body


def tool_body(request: ChatRequest, at: int) -> dict[str, Any]:
    """A tool as JSON."""
    tool = request.tools[at]
    function: dict[str, Any] = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    if tool.strict:
        function["strict"] = True
    return {"type": "function", "function": function}


def _common(request: Asked, model: str, able: Capabilities) -> dict[str, Any]:
    body: dict[str, Any] = {"model": model, "stream": False, **_sampling(request.sampling, able)}
    if able.kind in (Kind.VLLM, Kind.SGLANG):
        body["return_token_ids"] = True
    if request.structure is not None:
        body.update(_structure(request.structure, able))
    return body


def _sampling(sampling: Sampling, able: Capabilities) -> dict[str, Any]:
    body: dict[str, Any] = {
        name: getattr(sampling, name)
        for name in ("temperature", "top_p", "presence_penalty", "frequency_penalty", "max_tokens", "n")
    }
    if sampling.seed is not None:
        body["seed"] = sampling.seed
    if sampling.stop:
        body["stop"] = list(sampling.stop)
    neutral = Sampling()
    for name in ("top_k", "min_p", "repetition_penalty", "min_tokens", "ignore_eos", "stop_token_ids"):
        value = getattr(sampling, name)
        if able.extra_sampling and (able.kind is not Kind.LLAMACPP or name not in ("min_tokens", "stop_token_ids")):
            body[name] = list(value) if isinstance(value, tuple) else value
        elif value != getattr(neutral, name):
            raise _lacking(able, name)
    if able.kind is Kind.SGLANG and sampling.top_k == 0:
        body["top_k"] = -1
    if able.kind is Kind.LLAMACPP:
        body["repeat_penalty"] = body.pop("repetition_penalty")
    return body


def _structure(structure: Structure, able: Capabilities) -> dict[str, Any]:
    value = list(structure.value) if structure.form is Form.CHOICE else structure.value
    if able.kind is Kind.VLLM:
        return {"structured_outputs": {structure.form.value: value}}
    if structure.form is Form.JSON:
        schema = {"name": "reply", "schema": dict(structure.value), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    names = {(Kind.SGLANG, Form.REGEX): "regex", (Kind.SGLANG, Form.GRAMMAR): "ebnf"}
    names[(Kind.LLAMACPP, Form.GRAMMAR)] = "grammar"
    name = names.get((able.kind, structure.form))
    if name is None:
        raise _lacking(able, f"a structure of form {structure.form}")
    return {name: value}


def _check_ids(request: Asked, token_ids: bool, able: Capabilities) -> None:
    if token_ids and not able.token_ids:
        raise _lacking(able, "token_ids; set token_ids=False where text is enough")


def _lacking(able: Capabilities, what: str) -> RequestFailed:
    return refused(
        f"a server of kind {able.kind} does not take {what}. Its limits: {'; '.join(able.lacks()) or 'no others'}"
    )
