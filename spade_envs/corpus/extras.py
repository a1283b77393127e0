"""The libraries of the extra ``corpus``, imported when a file needs one."""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import StoreError


def library(name: str, wanted_for: str) -> Any:
    """Import ``name``.

    Raises:
        StoreError: when it is not installed; says how to install it.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        what = name.partition(".")[0]
        raise StoreError(
            f"{wanted_for} needs {what}, which is not installed: pip install 'spade-envs[corpus]'"
        ) from error
