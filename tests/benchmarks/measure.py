"""What the benchmarks share: programs measured in turn, memory, the machine's name, start-up."""

from __future__ import annotations

import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
STARTS = 7


@dataclass
class Runner:
    """One of the programs that are compared, and the games a second it reached."""

    name: str
    run: Callable[[int, int], Any]
    games: int
    speeds: list[float] = field(default_factory=list)

    def measure(self, seed: int) -> Any:
        begin = time.process_time()  # other work on the machine does not count
        result = self.run(self.games, seed)
        self.speeds.append(self.games / (time.process_time() - begin))
        return result


def compare_speeds(runners: Sequence[Runner], repeats: int, seed: int) -> None:
    """A B C A B C ...: games/s and decisions/s a core, and the ratios of the first to each other one."""
    first = runners[0]
    decisions = 0
    for repeat in range(repeats):
        for runner in runners:
            result = runner.measure(seed + repeat)
            decisions += result if runner is first else 0
    a_game = decisions / (repeats * first.games)
    print(f"\nCPU time, {repeats} times in turn, {first.games} games each; {a_game:.1f} decisions a game")
    print(f"{'':34}{'games/s':>10}{'decisions/s':>14}   engine / this: median (min - max)")
    for runner in runners:
        speed = statistics.median(runner.speeds)
        line = f"{runner.name:34}{speed:10,.0f}{speed * a_game:14,.0f}"
        if runner is not first:
            ratios = [a / b for a, b in zip(first.speeds, runner.speeds, strict=True)]
            line += f"   {statistics.median(ratios):.2f} ({min(ratios):.2f} - {max(ratios):.2f})"
        print(line)


def peak_memory() -> float:
    """MiB this process has used at most (Linux counts in KiB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")


def start_up() -> tuple[float, float]:
    """Median milliseconds (wall clock) of a bare Python and of `analyze --help`, started in turn."""
    commands = {"bare": ["-c", "pass"], "help": ["-m", "analyzer.cli", "--help"]}
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(STARTS):
        for name, arguments in commands.items():
            begin = time.perf_counter()
            subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            taken[name].append((time.perf_counter() - begin) * 1000)
    return statistics.median(taken["bare"]), statistics.median(taken["help"])
