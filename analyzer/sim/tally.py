"""Additive integer tallies with named axes: what is counted during play, and adds up exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd


@dataclass(eq=False)
class Tally:
    """Counts int64[axis 0, axis 1, ...]; `axes` maps each axis' name to the labels of its places.

    Labels that are tuples fill several columns, named in the axis' name with commas ("action,card").
    """

    axes: Mapping[str, Sequence[Any]]
    counts: NDArray[np.int64]

    def __post_init__(self) -> None:
        shape = tuple(len(labels) for labels in self.axes.values())
        if self.counts.shape != shape:
            raise ValueError(f"counts of shape {self.counts.shape} do not fit axes {shape}")

    def __add__(self, other: Tally) -> Tally:
        if list(self.axes) != list(other.axes):
            raise ValueError(f"tallies differ: {list(self.axes)} and {list(other.axes)}")
        return Tally(self.axes, self.counts + other.counts)

    def frame(self) -> pd.DataFrame:
        """Tidy: one column an axis with its labels, `n` last, zero counts left out, in axis order."""
        import pandas as pd

        places = np.nonzero(self.counts)
        columns: dict[str, Any] = {}
        for (name, labels), place in zip(self.axes.items(), places, strict=True):
            names = name.split(",")
            parts = list(zip(*labels, strict=True)) if len(names) > 1 else [labels]
            for column, part in zip(names, parts, strict=True):
                values = np.asarray(part, dtype=object if isinstance(part[0], str) else None)
                columns[column] = values[place]
        return pd.DataFrame({**columns, "n": self.counts[places]})


def histogram(axes: Mapping[str, Sequence[Any]], *codes: NDArray[Any]) -> Tally:
    """Counts of code combinations: `codes[k]` int[game] are places on the k-th axis."""
    shape = tuple(len(labels) for labels in axes.values())
    flat = np.ravel_multi_index(tuple(np.asarray(c, np.intp) for c in codes), shape)
    return Tally(axes, np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape))
