"""What a form of the page sent."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request

from ..env import SEEDS

MOST_FIELDS = 200


async def given(request: Request) -> dict[str, str]:
    """Fields of a form, URL-encoded; of a field that comes twice, the last.

    Raises:
        ValueError: it is no such form, or has more than :data:`MOST_FIELDS` fields.
    """
    body = await request.body()
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        raise ValueError(f"this is no form of the page; it has at most {MOST_FIELDS} URL-encoded fields") from None


def whole(fields: Mapping[str, str], name: str, most: int = SEEDS - 1) -> int | None:
    """A whole number from 0 to ``most``; ``None`` for an empty field.

    Raises:
        ValueError: it is something else.
    """
    text = fields.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 20 and int(text) <= most):
        raise ValueError(f"{name} has to be a whole number from 0 to {most}, not {text[:80]!r}")
    return int(text)
