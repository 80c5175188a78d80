"""Several saved runs of one game side by side: what differs in their setup, and what comes of it.

    study = analyzer.side_by_side("reports/a", "reports/b")
    study.tables["differences"]; print(study.paragraph); study.write("folder")

The first run is what the others are held against. Seeds, policies, numbers of players and configs may differ.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from analyzer.errors import UserError
from analyzer.report import again, series_charts, series_tables, series_words
from analyzer.report.parts import Chart, points, titled
from analyzer.report.series import SeriesReport
from analyzer.report.wins import wider
from analyzer.series import Row, Series, Setting
from analyzer.sim.results import Results
from analyzer.stats import intervals
from analyzer.studies.study import Study

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.report.renderers import Panel

NAME = "report"
LONGEST = 36  # letters of a run's name that says what is different in it; with more it goes by its folder
MOST_ROWS = 30  # rows of the chart of differences
WHAT, SETUP = "What differs?", "What was played?"


class Run(NamedTuple):
    """A run, and what tells which one it is: the name of its folder, or of its setting."""

    results: Results
    place: str


def side_by_side(*runs: str | Path | Results | Series, command: str = "") -> Study:
    """A study of two or more runs of one game; of a series every setting is a run.

    Raises UserError if a folder holds no run or is damaged, if there is only one run, if the runs are of
    different games, or if the same run is given twice.
    """
    found = list(_runs(runs))
    _check(found)
    setup = _setup([one.results for one in found])
    names = _names(found, setup)
    series = _series(found, names)
    for name, one in zip(names, found, strict=True):
        with again.readable(one.place):
            series.row(name)
    return _study(series, found, setup, command)


# ---- which runs ------------------------------------------------------------------------------------------


def _runs(given: Sequence[str | Path | Results | Series]) -> Iterator[Run]:
    for number, one in enumerate(given, 1):
        held = again.load(one) if isinstance(one, str | Path) else one
        if isinstance(held, Series):
            yield from (Run(results, name) for name, results in held.items())
        else:
            folder = Path(one) if isinstance(one, str | Path) else held.folder
            yield Run(held, (folder.name or str(folder)) if folder is not None else f"run {number}")


def _check(runs: Sequence[Run]) -> None:
    if len(runs) < 2:
        raise UserError("Two runs or more are needed to set them side by side.")
    first = runs[0].results.meta["game"]
    seen: dict[str, str] = {}
    for one in runs:
        meta = one.results.meta
        if meta["game"] != first:
            raise UserError(
                f"Only runs of one game stand side by side: {runs[0].place} is one of {first}, "
                f"{one.place} one of {meta['game']}."
            )
        key = str(meta.get("key") or id(one.results))
        if key in seen:
            raise UserError(f"{seen[key]} and {one.place} hold the same run: same setup, seed and games.")
        seen[key] = one.place


# ---- what differs between them ---------------------------------------------------------------------------


def _setup(runs: Sequence[Results]) -> dict[str, list[Any]]:
    """What is not the same in all runs, in words -> its value in each: players, policies, settings, ..."""
    metas = [run.meta for run in runs]
    told: dict[str, list[Any]] = {
        "players": [meta["players"] for meta in metas],
        "policies": [", ".join(dict.fromkeys(map(str, meta["policies"]))) for meta in metas],
        **_settings(metas),
        "seed": [meta["seed"] for meta in metas],
        "games": [run.n for run in runs],
        "version": [(meta.get("versions") or {}).get("analyzer", "") for meta in metas],
        "code of policies": [_code(meta) for meta in metas],
    }  # fmt: skip
    if _differ(told["policies"]):
        told.pop("code of policies")
    return {name: values for name, values in told.items() if _differ(values)}


def _code(meta: Mapping[str, Any]) -> str:
    """Which code of the user's own the policies had; "" if they are all the program's."""
    return ", ".join(dict.fromkeys(str(part)[:8] for part in meta.get("policy_digests") or [] if part))


def _settings(metas: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Settings by dotted key; a part of the config that no marked setting tells of stands for itself."""
    marked = [{entry["key"]: entry["value"] for entry in meta.get("assumptions") or []} for meta in metas]
    keys = dict.fromkeys(key for one in marked for key in one)
    told = {key: [one.get(key, "") for one in marked] for key in keys}
    told = {key: values for key, values in told.items() if _differ(values)}
    configs = [meta.get("config") or {} for meta in metas]
    for part in dict.fromkeys(part for config in configs for part in config):
        values = [config.get(part, "") for config in configs]
        if part != "game" and _differ(values) and not any(key.split(".")[0] == part for key in told):
            told[part] = [one if isinstance(one, str | int | float) else _digest(one) for one in values]
    return told


def _digest(value: Any) -> str:
    return f"({hashlib.sha256(repr(value).encode()).hexdigest()[:6]})"


def _differ(values: Sequence[Any]) -> bool:
    return any(value != values[0] for value in values[1:])


def _names(runs: Sequence[Run], setup: Mapping[str, Sequence[Any]]) -> list[str]:
    """A name for each run: what is different in it, if that is short and enough; else its folder."""
    telling = [name for name in setup if name not in ("games", "version", "code of policies")] or ["games"]
    telling = [name for name in telling if name in setup]
    found = [" · ".join(_told(name, setup[name][k]) for name in telling) for k in range(len(runs))]
    if max(map(len, found)) > LONGEST or len(set(found)) < len(found) or not all(found):
        found = [one.place for one in runs]
    if len(set(found)) < len(found):
        found = [f"{number}: {name}" for number, name in enumerate(found, 1)]
    return found


def _told(name: str, value: Any) -> str:
    if name in ("players", "games"):
        return f"{value:,} {name if value != 1 else name.removesuffix('s')}"
    return str(value) if name == "policies" else f"{name} {value}"


def _series(runs: Sequence[Run], names: Sequence[str]) -> Series:
    """The runs as a series over one axis: its tables and charts serve here, too."""
    metas = [one.results.meta for one in runs]
    meta = {
        "game": metas[0]["game"],
        "axes": [{"name": "run", "each": 1}],
        "n": sum(one.results.n for one in runs),
        "seed": ", ".join(dict.fromkeys(str(meta["seed"]) for meta in metas)),
    }
    settings = [Setting(name, {"run": (name,)}, "") for name in names]
    return Series(meta, settings, results={name: one.results for name, one in zip(names, runs, strict=True)})


# ---- differences -----------------------------------------------------------------------------------------


class Number(NamedTuple):
    """A number of one run: its kind as in `parts.Measure`, its value and its 95 % limits."""

    kind: str
    value: float
    low: float
    high: float


def _numbers(row: Row, unlike: Collection[str]) -> dict[str, Number]:
    """Every number of a run that another may have, too, in words -> number.

    unlike: the seats and policies whose fair shares differ (see `_unlike`): of them not win rates but
    differences from the fair share can be held against each other.
    """
    found: dict[str, Number] = {}

    def add(name: str, rate: Any) -> None:
        as_edge = name in unlike
        columns = ("edge", "edge_low", "edge_high") if as_edge else ("win_rate", "low", "high")
        numbers = (float(getattr(rate, column)) for column in columns)
        end, kind = ("above its fair share", "points") if as_edge else ("wins", "share")
        found[f"{name} {end}"] = Number(kind, *numbers)

    for seat, rate in zip(row.seats, row.by_seat.itertuples(), strict=True):
        add(seat, rate)
    if len(row.by_policy) > 1:
        for rate in row.by_policy.itertuples():
            add(str(rate.policy), rate)
    return found | {one.name: Number(one.kind, one.value, one.low, one.high) for one in row.measures}


def _unlike(rows: Collection[Row]) -> set[str]:
    """The seats and policies that hold different parts of all seats in different runs, so that an equal
    share of the wins is not the same for them."""
    parts: dict[str, set[float]] = {}
    for row in rows:
        for name, part in (series_tables.parts(row, "seat") | series_tables.parts(row, "policy")).items():
            parts.setdefault(name, set()).add(part)
    return {name for name, held in parts.items() if len(held) > 1}


RATES = ("share", "points")
PLAIN = ("win_rate_by_seat", "win_rate_by_policy", "settings")  # tables of a series that serve here


def _differences(series: Series) -> dict[str, pd.DataFrame]:
    """differences: of shares; differences_of_numbers: of all else. A row a number and run after the first."""
    import pandas as pd

    first, *others = series
    rows = {name: series.row(name) for name in series}
    unlike = _unlike(rows.values())
    numbers = {name: _numbers(row, unlike) for name, row in rows.items()}
    records: list[dict[str, Any]] = []
    for what, base in numbers[first].items():
        for name in others:
            one = numbers[name].get(what)
            if one is None:
                continue
            a, b = (intervals.Interval(*np.array(part[1:], np.float64)) for part in (one, base))
            found = [float(x) for x in intervals.difference(a, b)]
            records.append({
                "kind": one.kind, "number": what, "run": name, "n": rows[name].n, "value": one.value,
                "n of the first": rows[first].n, "first run": base.value,
                "effect": found[0], "effect_low": found[1], "effect_high": found[2],
            })  # fmt: skip
    frame = pd.DataFrame(records)
    if frame.empty:
        return {}
    known = frame["effect_low"].notna()
    frame = frame[known | (frame["effect"] != 0)].copy()
    by = wider(int(known.sum()))
    low = frame["effect"] - by * (frame["effect"] - frame["effect_low"])
    high = frame["effect"] + by * (frame["effect_high"] - frame["effect"])
    judged = np.where((low > 0) | (high < 0), "clear of chance", "may be chance")
    frame["judged together"] = np.where(low.notna(), judged, "not known")
    shares = frame["kind"].isin(RATES)
    parts = {"differences": frame[shares], "differences_of_numbers": frame[~shares]}
    many = int(known.sum())
    return {name: _shown(part, first, name, many, bool(unlike)) for name, part in parts.items() if len(part)}


def _shown(frame: pd.DataFrame, first: str, name: str, many: int, unlike: bool) -> pd.DataFrame:
    shares = name == "differences"
    kept = frame.drop(columns="kind").rename(
        columns={"effect": "difference", "effect_low": "difference low", "effect_high": "difference high"}
    )
    kept = kept.reset_index(drop=True)
    unit = ", in points" if shares else ""
    about = (
        f"Difference: the run less the first one ({first}){unit}; its 95 % interval is that of this row "
        "alone, for independent games (runs with the same seed share some luck, which mostly makes it too "
        f"wide). Of {many} such intervals about {max(1, round(0.05 * many))} would leave 0 out by chance "
        "alone. Judged together therefore asks for more: a row may be chance although its own interval "
        "leaves 0 out."
    )
    if shares and unlike:
        about += (
            " Above its fair share: where a seat or policy holds different parts of the seats in these runs, "
            "an equal share of the wins is not the same, so that distances from it are compared instead of "
            "win rates."
        )
    titled(kept, f"Differences of {'shares' if shares else 'other numbers'} from {first}", WHAT, about)
    kept.attrs["keys"] = 2
    kept.attrs["by_row"] = dict.fromkeys(("value", "first run"), frame["kind"].tolist())
    kept.attrs["kinds"] = {"difference": "points" if shares else "number"}
    return kept


# ---- the study -------------------------------------------------------------------------------------------


def _study(series: Series, runs: Sequence[Run], setup: Mapping[str, list[Any]], command: str) -> Study:
    found = _differences(series)
    report = SeriesReport(series)
    plain = {name: _renamed(frame) for name, frame in report.page_tables.items() if name in PLAIN}
    plain["settings"] = titled(plain["settings"], "The runs", SETUP)
    plain["settings"].attrs["kinds"] = report.tables["settings"].attrs["kinds"]
    tables = {**found, "setup": _setup_table(list(series), setup, runs), **plain}
    charts = (
        [_chart(found["differences"], next(iter(series)), _main(found))] if "differences" in found else []
    )
    # The report's own tables, not those shown: the charts need numbers.
    charts += series_charts.charts(series, {**report.tables, **found})
    first = runs[0].results.meta
    keys = [str(one.results.meta.get("key") or one.place) for one in runs]
    same = not _differ([one.results.meta.get("digest") for one in runs])
    meta = {
        **{name: first.get(name) for name in ("game", "players", "versions")},
        "assumptions": report.meta["assumptions"],
        "digest": first.get("digest") if same else None,
        "seed": series.meta["seed"], "n": series.meta["n"], "command": command,
        "block": None, "wall_seconds": None,
        "study": NAME, "key": hashlib.sha256(" ".join(keys).encode()).hexdigest(), "runs": keys,
    }  # fmt: skip
    played, *more = _words(series, runs, setup)
    main = _main(found) if found else "These runs have no number in common"
    words = [played, main, *more, *_rest(series, report.tables)]
    said = [f"{word.rstrip('.')}." for word in dict.fromkeys(words) if word]
    facts = [f"{len(runs)} runs side by side"]
    return Study(NAME, meta, tables, charts, said, facts, ["win_rate_by_seat", *found, "setup"])


def _renamed(frame: pd.DataFrame) -> pd.DataFrame:
    """A table of a series with its settings called what they are here: runs."""
    found = frame.rename(columns={"setting": "run"})
    found.attrs.update(frame.attrs)
    return found


def _setup_table(names: Sequence[str], setup: Mapping[str, list[Any]], runs: Sequence[Run]) -> pd.DataFrame:
    """What differs between the runs: one row a thing, one column a run."""
    import pandas as pd

    rows = {**setup, "folder": [one.place for one in runs]}
    records = [
        {"what": what, **dict(zip(names, map(str, values), strict=True))} for what, values in rows.items()
    ]
    return titled(pd.DataFrame(records), "What differs in the setup of the runs", SETUP)


def _words(series: Series, runs: Sequence[Run], setup: Mapping[str, list[Any]]) -> Iterator[str]:
    """What was played, and what differs in it."""
    names = list(series)
    listed = ", ".join(f"{name} ({one.results.n:,} games)" for name, one in zip(names, runs, strict=True))
    yield f"{len(names)} runs of {series.meta['game']} side by side: {listed}"
    settings = [name for name in setup if name not in ("games", "folder")]
    more = f" and {len(settings) - 8} more" if len(settings) > 8 else ""
    yield f"They differ in {', '.join(settings[:8])}{more}" if settings else "They differ in their games only"
    for name, one in zip(names, runs, strict=True):
        if one.results.meta.get("kind", "complete") != "complete":
            yield f"{name} was stopped: {one.results.n:,} of {one.results.meta['n']:,} games are counted"
    if set(setup) <= {"games"}:
        yield "They play the same games as far as both go, so that they are no two independent looks"


def _main(found: Mapping[str, pd.DataFrame]) -> str:
    """How many differences are clear of chance, and the largest of the shares."""
    count = sum(int((frame["judged together"] != "not known").sum()) for frame in found.values())
    clear = {name: frame[frame["judged together"] == "clear of chance"] for name, frame in found.items()}
    many = sum(len(frame) for frame in clear.values())
    if not many:
        return f"No number differs clearly from the first run (with all {count} judged together)"
    said = f"{many} of {count} numbers differ clearly from the first run"
    for name, frame in clear.items():
        if len(frame):
            top = frame.iloc[int(np.argmax(frame["difference"].abs().to_numpy(np.float64)))]
            size = abs(float(top["difference"]))
            shown = points(size) if name == "differences" else series_words.show("number", size)
            side = "more" if top["difference"] > 0 else "less"
            return f"{said}, most of all {top['number']}: {shown} {side} ({top['run']})"
    return said


def _rest(series: Series, tables: Mapping[str, pd.DataFrame]) -> list[str]:
    found = [series_words.seats_finding(series, tables)]
    if "win_rate_by_policy" in tables:
        found.append(series_words.policies_finding(series, tables))
    found += [series_words.measure_finding(series, name) for name in series_words.measures(series)]
    return [one.text for one in sorted(found, key=lambda one: not one.clear)]


def _chart(frame: pd.DataFrame, first: str, finding: str) -> Chart:
    """The differences of shares from the first run, in points."""
    from analyzer.report import draw, style

    shown = frame[frame["difference low"].notna()].head(MOST_ROWS)
    several = shown["run"].nunique() > 1
    labels = [
        style.shorten(f"{row['number']} · {row['run']}" if several else str(row["number"]), 34)
        for row in shown.to_dict("records")
    ]
    value, low, high = (shown[f"difference{end}"].to_numpy(np.float64) for end in ("", " low", " high"))
    colours = [
        style.GREY if word != "clear of chance" else style.BLUE if x > 0 else style.RED
        for word, x in zip(shown["judged together"], value, strict=True)
    ]

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        draw.intervals_in_rows(ax, value, low, high, colours, lambda x: f"{100 * x:+.1f}", [0.0])
        style.rows_axis(ax, labels)
        style.x_scale(ax, "difference from the first run in points, 95 % intervals", style.points_text)
        draw.spans(ax, [0], 0, 1, style.INK, 1.0, upright=True, where="x", zorder=1)

    whom = f" All rows: {shown['run'].iloc[0]}." if len(shown) and not several else ""
    note = (
        f"Against the first run ({first}).{whom} Intervals are of single rows. Blue and orange: clear of "
        "zero with all numbers judged together, which asks for more; grey: it may be chance."
    )
    return Chart(
        "differences", WHAT, finding, paint, "One row a number, with 95 % intervals.",
        ("differences", "differences_of_numbers"), note,
        height=0.15 + 0.3 * len(labels), left=style.label_room(labels),
    )  # fmt: skip
