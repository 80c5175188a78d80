"""What a check raises if it found anything."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.errors import UserError


class ContractError(UserError):
    """A policy or a game does not keep its contract; the text lists all that was found."""

    def __init__(self, what: str, faults: Sequence[str]) -> None:
        self.what, self.faults = what, list(dict.fromkeys(faults))
        super().__init__(
            "\n".join([f"{what} does not keep its contract:", *(f"- {one}" for one in self.faults)])
        )

    def __reduce__(self) -> tuple[type[ContractError], tuple[str, list[str]]]:
        return ContractError, (self.what, self.faults)
