"""Tables of a series for readers: a row a setting, each number with half its interval: 24.8 ±0.4."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from analyzer.report.parts import titled

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.series import Row, Series

HALF = "± half the 95 % interval"
RATES = ["win_rate", "low", "high"]


def text(value: float, low: float = math.nan, high: float = math.nan, kind: str = "share") -> str:
    """A number with half the width of its interval, if it has one; shares and points in per cent."""
    if not math.isfinite(value):
        return ""
    scale = 1 if kind == "number" else 100
    # Two digits where a share is small, so that a rare event is not rounded away.
    digits = 2 if (abs(value) < 10 if kind == "number" else 0 < abs(value) < 0.01) else 1
    half = f" ±{scale * (high - low) / 2:.{digits}f}" if math.isfinite(low) and math.isfinite(high) else ""
    return f"{scale * value:,.{digits}f}{half}"


def wins(series: Series, by: Literal["seat", "policy"]) -> pd.DataFrame:
    """One row a setting, one column a seat or policy: win rates in per cent."""
    import pandas as pd

    records, held = [], dict[str, set[float]]()
    for setting in series.settings:
        row = series.row(setting.name)
        rates = row.by_seat if by == "seat" else row.by_policy
        names = series.seats if by == "seat" else [str(label) for label in rates["policy"]]
        cells = [text(*cell) for cell in rates[RATES].to_numpy(float).tolist()]
        shares = rates["fair_share"].to_numpy(float).tolist()
        fair = " / ".join(dict.fromkeys(text(share) for share in shares))
        part = parts(row, by)
        for name in names[: len(cells)]:
            held.setdefault(name, set()).add(part.get(name, 0.0))
        record = {"setting": setting.name, "n": row.n, "fair share": fair}
        records.append({**record, **dict(zip(names, cells, strict=False))})
    title = f"Win rate by {by} in per cent, {HALF}"
    frame = pd.DataFrame(records).fillna("")
    if all(len(one) < 2 for one in held.values()):
        return titled(frame.drop(columns="fair share"), title, "Who wins?")
    about = (
        "fair share: an equal part, by seats held, of the games that anybody won; it is not the same in all "
        "rows, so that a win rate must be held against its own."
    )
    return titled(frame, title, "Who wins?", about)


def parts(row: Row, by: Literal["seat", "policy"]) -> dict[str, float]:
    """The part of all seats that each seat, or each policy, holds."""
    if by == "seat":
        return dict.fromkeys(row.seats, 1 / len(row.seats))
    policies = [str(one) for one in row.meta["policies"]]
    return {name: policies.count(name) / len(policies) for name in policies}


def without_seats(series: Series, frame: pd.DataFrame) -> pd.DataFrame:
    """The table of the settings without its win rates."""
    seats = {f"{seat}{end}" for seat in series.seats for end in ("", " low", " high")}
    left = frame[[column for column in frame if column not in seats]]
    left.attrs.update(frame.attrs)
    return left


def compact(series: Series) -> pd.DataFrame:
    """One row a setting, one column a measure."""
    import pandas as pd

    records = []
    for setting in series.settings:
        row = series.row(setting.name)
        record: dict[str, Any] = {"setting": setting.name, "n": row.n}
        for one in row.measures:
            name = f"{one.name} %" if one.kind == "share" else one.name
            record[name] = text(one.value, one.low, one.high, one.kind)
        records.append(record)
    return titled(pd.DataFrame(records).fillna(""), f"The settings, {HALF}")


def cross(matrix: pd.DataFrame) -> pd.DataFrame:
    """A matrix as rows against columns: win rates in per cent. With further axes they stand in front."""
    others = [str(column) for column in matrix.columns[: list(matrix.columns).index("row")]]
    order = list(dict.fromkeys(matrix["row"]))
    texts = [text(*cell) for cell in matrix[RATES].to_numpy(float).tolist()]
    left = [*others, "row"]
    wide = matrix.assign(text=texts).set_index([*left, "column"])["text"].unstack("column")
    rows = matrix[left].drop_duplicates()
    frame = rows.merge(wide[order].reset_index(), on=left, how="left").fillna("")
    return titled(frame, f"Win rate of the row against the column in per cent, {HALF}")


def against_all(matrix: pd.DataFrame) -> pd.DataFrame:
    """Each of a pairing axis against all others, every opponent weighing the same: as `matrix`, without
    `column` and the other axes."""
    import pandas as pd

    from analyzer.series import RATE, average

    others = matrix[matrix["row"] != matrix["column"]]
    records = [(name, *average(list(part.itertuples()))) for name, part in others.groupby("row", sort=False)]
    frame = pd.DataFrame(records, columns=["row", "n", *RATE])
    about = "Averages over all opponents with equal weight; pairings with itself are left out."
    return titled(frame, "Win rate against all others", "Who beats whom?", about)
