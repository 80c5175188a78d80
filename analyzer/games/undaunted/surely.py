"""Which changes of settings surely fit together: what can be told without the model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def fit_together(rules: Any, changed: Iterable[str]) -> bool:
    """Whether changed settings (keys), each allowed by itself, surely make rules that the model accepts.

    A scenario is a whole, and must fit into the box; all other numbers stand for themselves.
    """
    return not any(key.startswith("scenario.") or key.endswith(".copies") for key in changed)
