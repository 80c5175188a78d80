"""The journal of a run: a line for every piece that was played, with its tallies and its files' digests.

Whoever played a piece adds its line, after its games are on disk, in one write to the end of the file; a run
that goes on first leaves out what is not whole. So a run may be killed at any moment: what has a whole line
and whole files is kept, everything else is played. A line is

    <checksum> {"block": 3, "first": 0, "games": 25000, "decisions": 9, "files": [sha256], "tallies": "..."}

with the tallies' counts in the order of their names as the game gives them, as little-endian int64, packed by
zlib, in base64. The checksum rests on the run's key, too: a line of another run is none of this one.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from analyzer.disk import is_plain, refused, write_whole
from analyzer.errors import UserError
from analyzer.sim import parts
from analyzer.sim.request import Request
from analyzer.sim.seating import Block
from analyzer.sim.tally import Tally

JOURNAL = "journal.jsonl"
MAX_LINE = 2**26  # bytes; a longer one is none of ours
CHECK = 32  # hex digits of a line's checksum
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Kept:
    """A piece of a block that need not be played again: its line stands at byte `place` of the journal."""

    block: Block
    decisions: int
    files: tuple[str, ...]  # the sha256 of each of its files, when it had been written
    place: int


# ---------------------------------------------------------------- writing


def append(
    folder: Path, key: str, block: Block, decisions: int, tallies: Mapping[str, Tally], files: Sequence[str]
) -> None:
    """Note that a piece is finished. Several processes may do so at once. Raises DiskError."""
    counts = [np.ascontiguousarray(tally.counts, "<i8").tobytes() for tally in tallies.values()]
    told = {"block": block.number, "first": block.first, "games": block.games, "decisions": decisions}
    packed = base64.b64encode(zlib.compress(b"".join(counts), 1)).decode()
    text = json.dumps({**told, "files": list(files), "tallies": packed}).encode()
    # A line that another process could not finish ends here.
    line = b"\n" + _checksum(key, text) + b" " + text + b"\n"
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        file = os.open(folder / JOURNAL, flags, 0o644)
        try:
            if os.write(file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(file)
    except OSError as error:
        raise refused(folder, error) from error


def _checksum(key: str, text: bytes) -> bytes:
    return hashlib.sha256(b"journal 1 " + key.encode() + b" " + text).hexdigest()[:CHECK].encode()


def tidy(folder: Path, kept: Sequence[Kept]) -> list[Kept]:
    """Leave only the lines of these pieces in the journal; returns them with their new places."""
    path = folder / JOURNAL
    if not is_plain(path):
        return []
    found, place = [], 0
    with open(path, "rb") as file:
        for one in kept:
            file.seek(one.place)
            found.append(replace(one, place=place))
            place += len(file.readline(MAX_LINE))
        if place == os.fstat(file.fileno()).st_size:
            return list(kept)
        try:
            write_whole(path, _lines(file, kept))
        except OSError as error:
            raise refused(folder, error) from error
    return found


def _lines(file: BinaryIO, kept: Sequence[Kept]) -> Iterator[bytes]:
    for one in kept:
        file.seek(one.place)
        yield file.readline(MAX_LINE)


# ---------------------------------------------------------------- reading


def read(folder: Path, key: str, request: Request) -> Iterator[Kept]:
    """The whole lines of the journal, in order. Raises UserError if one is of a game beyond the last."""
    path = folder / JOURNAL
    if not is_plain(path):
        return
    blocks = {block.number: block for block in request.blocks()}
    with open(path, "rb") as file:
        for place, line in _whole_lines(file):
            told = _told(line, key)
            if told is not None:
                yield _kept(told, blocks, place, folder, request.n)


def _whole_lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Every line with its place, up to one that does not end: a file of anything may be without end."""
    place = 0
    while (line := file.readline(MAX_LINE)).endswith(b"\n"):
        yield place, line
        place += len(line)


def _told(line: bytes, key: str) -> dict[str, Any] | None:
    """What a line tells, None if it is not whole or not of this run."""
    text = line.rstrip(b"\n")[CHECK + 1 :]
    if not text or not line.endswith(b"\n") or line[: CHECK + 1] != _checksum(key, text) + b" ":
        return None
    try:
        told = json.loads(text)
        numbers = [told[name] for name in ("block", "first", "games", "decisions")]
        right = all(type(number) is int and 0 <= number < 2**62 for number in numbers) and told["games"] > 0
        right &= isinstance(told["tallies"], str)
        right &= isinstance(told["files"], list)
        right &= all(isinstance(one, str) and _DIGEST.fullmatch(one) for one in told["files"])
        return told if right else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _kept(told: Mapping[str, Any], blocks: Mapping[int, Block], place: int, folder: Path, n: int) -> Kept:
    block = blocks.get(told["block"])
    if block is None or told["first"] + told["games"] > block.games:
        raise UserError(
            f"{folder} holds more than {n:,} games of this very run, which would be lost; ask for as many "
            "as it has or more, or choose another folder."
        )
    piece = replace(block, first=told["first"], games=told["games"])
    return Kept(piece, told["decisions"], tuple(told["files"]), place)


def find(folder: Path, request: Request, verify: bool = True) -> list[Kept]:
    """The pieces of a run that are whole, by block and row, none twice.

    verify: whether the bytes of all files are looked at, or only whether files that are full are there.
    Raises UserError if games beyond the last one asked for were kept.
    """
    pieces: dict[int, list[Kept]] = {}
    files: dict[
        tuple[int, int], tuple[int, str]
    ] = {}  # (block, file) -> (its end in rows, digest), the latest
    for one in read(folder, request.key, request):
        listed = parts.files_of(one.block)
        if len(listed) == len(one.files):
            pieces.setdefault(one.block.number, []).append(one)
            for part, digest in zip(listed, one.files, strict=True):
                files[part.number, part.first // parts.PART] = (part.end, digest)
    found = []
    for number in sorted(pieces):
        ends = {}
        for one in pieces[number]:
            for part in parts.files_of(one.block):
                place = part.first // parts.PART
                path = parts.part_path(folder, part)
                end, digest = files.get((number, place), (0, ""))
                if place not in ends:
                    open_end = end % parts.PART and end < part.size  # it may have been written anew, for more
                    whole = parts.digest(path) == digest if verify or open_end else is_plain(path)
                    ends[place] = end if whole else 0
        found += _consistent(_disjoint(pieces[number]), ends)
    return found


def damaged(folder: Path, key: str) -> list[Path]:
    """The files of games that are there, and not as they were when the run of this key had written them."""
    path = folder / JOURNAL
    latest: dict[tuple[int, int], str] = {}
    if not is_plain(path):
        return []
    with open(path, "rb") as file:
        for _, line in _whole_lines(file):
            if told := _told(line, key):
                first = told["first"] // parts.PART
                latest |= {(told["block"], first + place): one for place, one in enumerate(told["files"])}
    found = [(parts.path_of(folder, *one), digest) for one, digest in sorted(latest.items())]
    return [one for one, digest in found if is_plain(one) and parts.digest(one) != digest]


def _disjoint(pieces: Sequence[Kept]) -> list[Kept]:
    """Without those that a later one has played again, by row."""
    found: list[Kept] = []
    for one in reversed(pieces):
        if all(one.block.end <= other.block.first or other.block.end <= one.block.first for other in found):
            found.append(one)
    return sorted(found, key=lambda one: one.block.first)


def _consistent(pieces: list[Kept], ends: Mapping[int, int]) -> list[Kept]:
    """Those of a block's pieces all of whose files are whole and hold games of such pieces only.

    ends: file -> the first row after its games, 0 if it is damaged.
    """
    while True:
        rows: dict[int, int] = {}
        for one in pieces:
            for part in parts.files_of(one.block):
                place = part.first // parts.PART
                rows[place] = rows.get(place, place * parts.PART) + part.games
        right = {place for place, end in rows.items() if end == ends[place]}
        left = [
            one
            for one in pieces
            if all(part.first // parts.PART in right for part in parts.files_of(one.block))
        ]
        if len(left) == len(pieces):
            return left
        pieces = left


def gaps(request: Request, kept: Sequence[Kept]) -> list[Block]:
    """What is left to play: the games of each block that are in no piece that is kept."""
    there: dict[int, list[Block]] = {}
    for one in kept:
        there.setdefault(one.block.number, []).append(one.block)
    found = []
    for block in request.blocks():
        row = 0
        for piece in there.get(block.number, ()):
            if piece.first > row:
                found.append(replace(block, first=row, games=piece.first - row))
            row = piece.end
        if row < block.games:
            found.append(replace(block, first=row, games=block.games - row) if row else block)
    return found


def tallies(
    folder: Path, key: str, kept: Sequence[Kept], like: Mapping[str, Tally]
) -> Iterator[tuple[Kept, dict[str, Tally]]]:
    """Each piece with its tallies. like: tallies of any games of this run, for their names and axes.

    Raises UserError if a line has changed since it was found, or does not fit.
    """
    if not kept:
        return
    with open(folder / JOURNAL, "rb") as file:
        for one in kept:
            file.seek(one.place)
            told = _told(file.readline(MAX_LINE), key)
            found = None if told is None else _unpacked(told["tallies"], like)
            if found is None:
                raise UserError(f"{folder / JOURNAL} is damaged; remove it, and repeat the command.")
            yield one, found


def _unpacked(packed: str, like: Mapping[str, Tally]) -> dict[str, Tally] | None:
    size = sum(tally.counts.size for tally in like.values())
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(packed, validate=True), 8 * size + 1)
    except (ValueError, zlib.error):  # of base64: other signs, or too few
        return None
    if len(data) != 8 * size:
        return None
    counts, found, start = np.frombuffer(data, "<i8").astype(np.int64), {}, 0
    for name, tally in like.items():
        own = counts[start : start + tally.counts.size].reshape(tally.counts.shape)
        found[name], start = Tally(tally.axes, own), start + tally.counts.size
    return found
