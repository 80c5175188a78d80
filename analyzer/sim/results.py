"""What a run leaves behind: `Results` = meta + tallies (additive counts) + games (one row a game).

The analysing half of the program needs nothing else: a saved run is a folder of JSON and Parquet files,
and no game object is needed to read it. pandas, pyarrow and matplotlib are imported only where they are used.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.disk import own_folder, refused, write_whole
from analyzer.errors import UserError
from analyzer.sim import rates, saved

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from analyzer.sim.balance import Balance
    from analyzer.stats.clusters import Moments

FINGERPRINT = "fingerprint"  # a column of games that repeat each other: equal games have equal ones
FEW = 30  # with fewer distinct games an interval would say more than is known: none is given
SAME_RUN = ("game", "digest", "players", "policies", "rotations", "seed", "block", "duplicate")

By = Literal["seat", "policy"]


class Rate(NamedTuple):
    """A share of games with its interval and the counts behind it."""

    rate: float
    low: float
    high: float
    hits: int
    n: int


TOLERANCE = 0.02  # of balance, where none is given


class Results:
    """The outcome of one run, in memory or in a folder.

    meta: game, players, config, digest, policies (by seat at rotation 0), rotations (policy label by
    seat, per rotation), seed, n, block, versions, assumptions, wall_seconds, command, kind ("complete" |
    "partial").
    tallies: name -> tidy frame, one column an axis (labels), first `rotation` (0-based), last `n` (int64).
    games: a frame or columns by name, one row a game; with `folder` instead, the Parquet parts below it.
    """

    def __init__(
        self,
        meta: Mapping[str, Any],
        tallies: Mapping[str, pd.DataFrame],
        games: pd.DataFrame | Mapping[str, Any] | None = None,
        folder: str | Path | None = None,
    ) -> None:
        missing = [key for key in saved.NEEDED if key not in meta]
        if missing:
            raise ValueError(f"meta lacks {', '.join(missing)}")
        self.meta: dict[str, Any] = dict(meta)
        self.tallies: dict[str, pd.DataFrame] = dict(tallies)
        self.folder = None if folder is None else Path(folder)
        self.kept = 0  # games that were there before the run that made this object
        self.seconds = 0.0  # that it played for
        self.tolerance: float | None = None  # of balance, if verdicts were asked for
        self.missing: list[str] = []  # parts of a saved run that are not in its folder any more
        self._games = games

    # ---- what was played -------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """Seats at the table."""
        return int(self.meta["players"])

    @property
    def rotations(self) -> list[list[str]]:
        """The policy's label by seat, per rotation."""
        return [[str(label) for label in row] for row in self.meta["rotations"]]

    @property
    def policies(self) -> list[str]:
        """The different policy labels, in the order of the seats they began in."""
        return list(dict.fromkeys(self.rotations[0]))

    @property
    def n(self) -> int:
        """Games counted (fewer than planned when the run was stopped)."""
        return int(self.rotation_games.sum())

    @property
    def rotation_games(self) -> NDArray[np.int64]:
        """Games of each rotation, int64[rotation]."""
        frame = self.tallies["games"]
        counts = np.zeros(len(self.meta["rotations"]), np.int64)
        np.add.at(counts, frame["rotation"].to_numpy(np.int64), frame["n"].to_numpy(np.int64))
        return counts

    @property
    def games(self) -> pd.DataFrame:
        """One row a game, all of them in memory. For long runs prefer `iter_games`."""
        import pandas as pd

        if not isinstance(self._games, pd.DataFrame):
            if self._games is not None:
                self._games = pd.DataFrame(dict(self._games))
            else:
                parts = list(self.iter_games())
                self._games = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
        return self._games

    def iter_games(self, columns: Sequence[str] | None = None) -> Iterator[pd.DataFrame]:
        """The games in pieces of bounded size, only the given columns: flat memory for any n."""
        if self._games is not None:
            frame = self.games
            yield frame if columns is None else frame[list(columns)]
            return
        for path in self.parts():
            yield from saved.read_groups(path, columns)

    def parts(self) -> list[Path]:
        """The Parquet files of the games, in order; none when the games are in memory."""
        return [] if self.folder is None else saved.part_paths(self.folder)

    @property
    def has_games(self) -> bool:
        """Whether single games are at hand (a run may keep its tallies only)."""
        return self._games is not None or bool(self.parts())

    @cached_property
    def distinct(self) -> int:
        """How many of the games differ, in games with a column `fingerprint`; else all of them.

        A game with little luck in it repeats itself, and repeats are no evidence.
        """
        if not self.has_games or FINGERPRINT not in next(self.iter_games()):
            return self.n
        seen: NDArray[np.int64] = np.empty(0, np.int64)
        for part in self.iter_games(["rotation", FINGERPRINT]):
            # The same course of a game under another seating of the policies is another game.
            marks = part[FINGERPRINT].to_numpy(np.int64) + part["rotation"].to_numpy(np.int64)
            seen = np.union1d(seen, marks)
        return len(seen)

    @property
    def weight(self) -> float:
        """What a game counts for in an interval: 1, less where games repeat, 0 if hardly any differ."""
        if self.distinct == self.n:
            return 1.0
        return self.distinct / self.n if self.distinct >= FEW else 0.0

    @property
    def duplicate(self) -> bool:
        """Whether each deal was played in all rotations of the policies."""
        return bool(self.meta.get("duplicate")) and self.has_games

    @cached_property
    def moments(self) -> Moments:
        """Sums over the complete deals of a run of duplicate deals (see `rates.moments_of`)."""
        return rates.moments_of(self)

    # ---- who wins --------------------------------------------------------------------------------------

    def credits(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Win credits and their squares, float64[rotation, seat]: a win shared by k seats counts 1/k."""
        total = np.zeros((len(self.meta["rotations"]), self.players))
        squares = np.zeros_like(total)
        shares = self.tallies["shares"]
        cell = (shares["rotation"].to_numpy(np.int64), shares["seat"].to_numpy(np.int64) - 1)
        count, winners = shares["n"].to_numpy(np.float64), shares["winners"].to_numpy(np.float64)
        np.add.at(total, cell, count / winners)
        np.add.at(squares, cell, count / winners**2)
        return total, squares

    def win_rates(self, by: By | Sequence[By] = "seat", level: float = 0.95) -> pd.DataFrame:
        """Win rates with intervals, by seat, by policy, or by both.

        Columns: seat and/or policy, n (games), wins (credit), win_rate, low, high, fair_share, edge,
        edge_low, edge_high. Every rotation weighs the same, so a seat's rate is free of who happened to
        sit there more often, and a policy's rate is free of its seats. `fair_share` is an equal part,
        seats held / seats, of the games that anybody won; `edge` = win_rate - fair_share, with its own
        interval. A policy that holds several seats is one policy: its rate is that any of its seats wins.
        Limits rest on the distinct games (see `weight`); they are NaN where hardly any are. In a run of
        duplicate deals they rest on deals; in a run until a precision they hold at every look.
        """
        import pandas as pd

        keys = (by,) if isinstance(by, str) else tuple(by)
        if not keys or set(keys) - {"seat", "policy"} or len(set(keys)) < len(keys):
            raise UserError(f"Win rates go by seat, by policy or by both, not by {by!r}.")
        found = self.cells(*keys)
        rows = [self._win_rate(cells, level) for cells in found.values()]
        names = pd.DataFrame(list(found), columns=list(keys))
        frame = pd.concat([names, pd.DataFrame(rows)], axis=1)
        if (frame["wins"] % 1 == 0).all():
            frame["wins"] = frame["wins"].astype(np.int64)
        return frame

    def cells(self, *keys: By) -> dict[tuple[Any, ...], NDArray[np.bool_]]:
        """Label(s) -> the (rotation, seat) cells they cover, bool[rotation, seat], in reading order."""
        labels = np.array(self.rotations, dtype=object)
        seats = np.broadcast_to(np.arange(1, self.players + 1), labels.shape)
        choices: dict[str, list[Any]] = {"seat": list(range(1, self.players + 1)), "policy": self.policies}
        masks = {
            "seat": {seat: seats == seat for seat in choices["seat"]},
            "policy": {label: labels == label for label in choices["policy"]},
        }
        if len(keys) == 1:
            return {(name,): mask for name, mask in masks[keys[0]].items()}
        pairs = {
            (a, b): masks[keys[0]][a] & masks[keys[1]][b] for a in choices[keys[0]] for b in choices[keys[1]]
        }
        return {pair: mask for pair, mask in pairs.items() if mask.any()}

    def _win_rate(self, cells: NDArray[np.bool_], level: float) -> dict[str, float]:
        mine, _, won, n, held = rates.sums_of(self, cells)
        rate, edge = rates.of(self, cells, level)
        some = np.divide(won, n, out=np.zeros(len(n)), where=n > 0)
        fair = float((held / self.players * some).sum() / max(1, (n > 0).sum()))
        return {
            "n": int(n.sum()),
            "wins": float(np.round(mine.sum(), 9)),
            "win_rate": float(rate.value),
            "low": float(rate.low),
            "high": float(rate.high),
            "fair_share": fair,
            "edge": float(edge.value),
            "edge_low": float(edge.low),
            "edge_high": float(edge.high),
        }

    def widest(self) -> float:
        """Half the width of the widest interval of the win rates by seat and by policy; infinite without
        any."""
        found = [self.win_rates(by)[["low", "high"]].to_numpy(np.float64) for by in ("seat", "policy")]
        half = max(float((limits[:, 1] - limits[:, 0]).max()) / 2 for limits in found)
        return half if np.isfinite(half) else float("inf")

    def duplicate_gains(self) -> pd.DataFrame:
        """What duplicate deals were worth for each policy's and seat's win rate.

        Columns: of, variance_ratio (variance of as many independent games over that of the deals; NaN where
        nothing varies).
        """
        import pandas as pd

        return pd.DataFrame(rates.gains(self), columns=["of", "variance_ratio"])

    def balance(self) -> Balance:
        """What the games say of each seat and each policy against its fair share."""
        from analyzer.sim import balance

        return balance.of(self)

    def verdicts(self, tolerance: float | None = None, level: float = 0.95) -> pd.DataFrame:
        """Is each seat, and each policy, balanced? A row a claim, all judged together.

        tolerance: how far from its fair share a win rate may lie (0.02: 2 points, unless the run was given
        another one). Columns: claim, n, edge, edge_low, edge_high, verdict ("balanced", "unbalanced", "too
        few games to tell"), games_needed.
        """
        from analyzer.sim import balance
        from analyzer.specs import share

        asked = self.tolerance or TOLERANCE if tolerance is None else tolerance
        allowed = share(asked, "tolerance", 1e-4, 0.5)
        if self.meta.get("precision"):
            return balance.lasting(self, allowed, level)
        return balance.frame([self.balance()], allowed, level)

    def nobody(self, level: float = 0.95) -> Rate:
        """How often no seat won, every rotation weighing the same."""
        n = self.rotation_games
        none = np.clip(n - np.round(self.credits()[0].sum(axis=1)), 0, n)
        found = rates.nobody(self, level)
        return Rate(float(found.value), float(found.low), float(found.high), int(none.sum()), int(n.sum()))

    # ---- words and pictures ----------------------------------------------------------------------------

    def summary(self) -> str:
        """The main findings, a paragraph in words."""
        from analyzer.report.build import paragraph

        return paragraph(self)

    def figures(self) -> dict[str, Figure]:
        """Every chart of the report, name -> matplotlib Figure (for a notebook or for further drawing)."""
        from analyzer.report.build import figures

        return figures(self)

    def report(self, folder: str | Path, plots: bool = True) -> Path:
        """Write tables, plots and report.html into a folder; returns the path of the page."""
        from analyzer.report.build import write_report

        return write_report(self, Path(folder), plots=plots)

    def __repr__(self) -> str:
        game, seed = self.meta["game"], self.meta["seed"]
        return f"<Results: {self.n:,} games of {game}, {self.players} players, seed {seed}>"

    def _repr_html_(self) -> str:
        from analyzer.report.build import notebook

        return notebook(self)

    # ---- on disk ---------------------------------------------------------------------------------------

    def save(self, folder: str | Path) -> Path:
        """Write run.json, tallies and (if they are not there already) games. Files are whole or absent."""
        folder = Path(folder)
        try:
            own_folder(folder / "tallies")
            own_folder(folder / "games")
            self._save_games(folder)
            for name, frame in self.tallies.items():
                write_parquet(frame, folder / "tallies" / f"{name}.parquet")
            told = {
                "format": saved.FORMAT,
                **self.meta,
                "tallies": sorted(self.tallies),
                "games": self.has_games,
            }
            text = json.dumps(told, indent=1, ensure_ascii=False, default=_plain)
            write_whole(folder / "run.json", (text + "\n").encode())
        except OSError as error:
            raise refused(folder, error) from error
        return folder

    def verified(self) -> Results:
        """Itself, if the files of its games are as they were when they were written. UserError otherwise."""
        from analyzer.sim import journal

        key = str(self.meta.get("key", ""))
        if self.folder is not None and (bad := journal.damaged(self.folder, key)):
            others = f" and {len(bad) - 1} more" if len(bad) > 1 else ""
            raise UserError(f"{bad[0]}{others} changed since it was written. {saved.MEND}")
        return self

    def _save_games(self, folder: Path) -> None:
        if self._games is not None:
            write_parquet(self.games, folder / "games" / "part-00000.parquet")
        elif self.folder is not None and self.folder.resolve() != folder.resolve():
            for path in self.parts():
                write_whole(folder / "games" / path.name, path.read_bytes())

    @classmethod
    def load(cls, folder: str | Path) -> Results:
        """Read a run's folder; UserError if it is none, or if a file is damaged or does not fit the
        others."""
        folder = Path(folder)
        meta = saved.read_meta(folder)
        if meta.get("kind") == "unfinished":
            command = saved.resume_command(folder)
            raise UserError(f"{folder} holds a run that was not finished; go on with: {command}")
        named, had_games = meta.pop("tallies", None), meta.pop("games", True)
        results = cls(meta, saved.read_tallies(folder, meta, named), folder=folder)
        results.missing = [f"tallies/{name}" for name in named or () if name not in results.tallies]
        if had_games and not results.has_games:
            results.missing.append("games")
        results._check()
        return results

    def _check(self) -> None:
        """The parts of a loaded run must agree on how many games there are."""
        if self.meta.get("kind", "complete") == "complete" and self.n != self.meta["n"]:
            told = f"run.json speaks of {self.meta['n']:,} games, the tallies of {self.n:,}"
            raise UserError(f"{self.folder} is damaged: {told}.")
        if (self.credits()[0].sum(axis=1) > self.rotation_games + 1e-6).any():
            raise UserError(f"{self.folder} is damaged: tallies/shares has more wins than there are games.")
        rows = saved.rows_of(self.parts())
        if self.parts() and rows != self.n:
            raise UserError(f"{self.folder} is damaged: games/ holds {rows:,} games, the tallies {self.n:,}.")

    # ---- parts of one run ------------------------------------------------------------------------------

    def merge(self, *others: Results) -> Results:
        """The sum of this and other parts of the same run (other games of the same plan), a new Results."""
        import pandas as pd

        parts = (self, *others)
        for other in others:
            wrong = [key for key in SAME_RUN if self.meta.get(key) != other.meta.get(key)]
            if wrong:
                raise UserError(f"These are parts of different runs: they differ in {', '.join(wrong)}.")
        games = None
        if all(part.has_games for part in parts):
            games = pd.concat([part.games for part in parts], ignore_index=True).sort_values("game")
            if games["game"].duplicated().any():
                raise UserError("The same games stand in several of these parts; they would count twice.")
            games = games.reset_index(drop=True)
        names = dict.fromkeys(name for part in parts for name in part.tallies)
        tallies = {
            name: add_tallies([part.tallies[name] for part in parts if name in part.tallies])
            for name in names
        }
        meta = dict(self.meta)
        meta["n"] = sum(part.meta["n"] for part in parts)
        meta["wall_seconds"] = sum(part.meta.get("wall_seconds") or 0.0 for part in parts)
        return Results(meta, tallies, games)


def add_tallies(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The sum of tallies of one name: equal rows become one, their n added, in sorted order."""
    import pandas as pd

    both = pd.concat(list(frames), ignore_index=True)
    axes = [str(column) for column in both.columns if column != "n"]
    return both.groupby(axes, sort=True, observed=True)[["n"]].sum().reset_index()


def write_parquet(frame: pd.DataFrame, path: Path) -> None:
    """Write a frame as Parquet; equal frames give equal bytes, whichever pandas wrote them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None)
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    write_whole(path, sink.getvalue().to_pybytes())


def _plain(value: Any) -> Any:
    """JSON for the numbers and paths that json does not know."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    return str(value)
