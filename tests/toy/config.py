"""A config as the engine sees one: what `analyzer.config.Config` offers, no more."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import yaml

from tests.toy.model import DiceRules


@dataclass(frozen=True)
class ToyConfig:
    rules: DiceRules
    game: str = "dice_race"
    assumptions: tuple[Any, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {"game": self.game, **self.rules.model_dump()}

    @property
    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.as_dict(), sort_keys=True).encode()).hexdigest()

    def warnings(self) -> list[str]:
        return []

    def describe(self) -> list[dict[str, str]]:
        return [{"key": key, "value": str(value)} for key, value in self.rules.model_dump().items()]

    def records(self) -> list[dict[str, Any]]:
        return [dict(row) for row in self.describe()]


def toy_config(overrides: Iterable[str] | dict[str, str] = ()) -> ToyConfig:
    pairs = overrides.items() if isinstance(overrides, dict) else (one.split("=") for one in overrides)
    return ToyConfig(DiceRules(**{key: yaml.safe_load(value) for key, value in pairs}))
