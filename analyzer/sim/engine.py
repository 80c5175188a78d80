"""The lockstep loop: run a turn of every game of a block, ask the policies, pick their best legal actions.

The engine owns what no game should repeat: routing a decision to the seat's policy, random tie-breaking,
the illegal-action check, finished lanes and compaction, the step limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from analyzer.errors import PolicyError, Suspected, words_of
from analyzer.games.base import ZERO_UINT8, Array, Decision, Game, Policy, Score
from analyzer.sim.cards import chunks, some
from analyzer.sim.chance import Luck, Ties

_IDS = np.arange(256, dtype=np.uint8)[:, None]
_ONE = np.array(1, np.uint8)  # quicker than a scalar on small arrays
COMPACT_BELOW = 0.75  # share of living lanes below which finished games are taken out


@dataclass
class Asker:
    """Asks one block's policies and turns their scores into actions."""

    policies: Sequence[Policy]
    luck: Luck
    game_numbers: NDArray[np.int64]  # [row]: the run-wide number of each game, for error texts
    lanes: NDArray[np.intp] = field(init=False)  # [lane]: the block row that each lane plays now
    turn: int = field(init=False)
    decisions: int = 0
    _buffer: NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8))

    def __post_init__(self) -> None:
        self.ties = Ties(self.luck)

    def digit(self, count: Any, lanes: NDArray[np.intp] | None) -> NDArray[np.uint64]:
        """uint64[lane]: a uniform number 0..count-1 for each lane, from the game's own random stream."""
        return self.ties.digit(count, self.lanes if lanes is None else self.lanes[lanes])

    def ask(self, decision: Decision) -> Array:
        """The checked answer to a decision: uint8[row] codes or uint8[type, row] amounts."""
        legal, policy = decision.legal, self.policies[decision.seat]
        n = legal.shape[1]
        self.decisions += n if decision.asked is None else int(np.count_nonzero(decision.asked.view(bool)))
        decision.view.bind(self, decision)
        score = Score(partial(self._zeros, legal.shape, policy.score_dtype), decision.blocks)
        since = perf_counter()
        try:
            answer = getattr(policy, decision.kind)(decision.view, score)
        except Suspected:
            raise
        except KeyboardInterrupt as stop:  # tells where, and after how many seconds (`patience.hung`)
            told = self._fault(decision, 0, f"was still at it{_place_of(stop, policy)}")
            stop.args = (str(told), perf_counter() - since)
            raise
        except BaseException as error:  # a policy must not end the program either
            where = _place_of(error, policy)
            raise self._fault(decision, 0, f"raised {words_of(error)}{where}") from error
        if answer is not None:
            return self._check(decision, answer)
        if decision.form == "amounts" and decision.need is None:
            raise self._fault(decision, 0, "answered nothing; how many cards of each type is needed")
        values = score.values
        if values.shape != legal.shape:
            raise self._fault(decision, 0, f"changed the shape of the scores to {values.shape}")
        if policy.noise and decision.noise is not None:
            decision.noise(values, policy.noise)
        elif policy.noise:
            lanes = self.lanes if decision.rows is None else self.lanes[decision.rows]
            noise = self.luck.noise(decision.kind, self.turn, decision.slot, len(legal), lanes)
            np.add(values, policy.noise * noise, out=values, casting="unsafe")
        if decision.form == "choice":
            alike = score.alike or policy.steady
            codes = self._best(decision, values, legal, decision.rows, decision.asked, alike)
            if decision.asked is not None:
                codes *= decision.asked
                codes += (decision.asked ^ _ONE) * np.uint8(decision.idle)
            return codes
        return self._best_cards(decision, values)

    def _zeros(self, shape: tuple[int, ...], dtype: Any) -> Array:
        """Scores of 0. All decisions use one buffer: fresh memory of this size costs more than filling it."""
        if dtype is not np.uint8:
            return np.zeros(shape, dtype)
        if self._buffer.size < shape[0] * shape[1]:
            self._buffer = np.empty(shape[0] * shape[1], np.uint8)
        values = self._buffer[: shape[0] * shape[1]].reshape(shape)
        values.fill(ZERO_UINT8)
        return values

    def _best(
        self,
        decision: Decision,
        values: Array,
        legal: Array,
        lanes: NDArray[np.intp] | None,
        asked: Array | None = None,
        alike: bool = False,
    ) -> NDArray[np.uint8]:
        """The code of the best legal action of every row, ties broken by the game's own randomness.

        Overwrites `values`. Rows that are not `asked` get some code without a draw; where ties are `alike`
        (as a steady policy takes them) all get the last of the best.
        """
        if values.dtype != np.uint8:
            self._mask(decision, values, legal)
        if alike or self.policies[decision.seat].steady:
            return _find_last(values, legal)
        hits, codes, count = _find_best(values, legal)
        if asked is not None:
            count *= asked
        tied = np.greater(count, _ONE).nonzero()[0]
        if tied.size:
            count = count[tied]
            pick = self.digit(count, tied if lanes is None else lanes[tied]).astype(np.intp)
            # All tied actions, lane by lane; each lane's choice is the `pick`-th of its own.
            every = (
                np.ascontiguousarray(hits.take(tied, axis=1, mode="clip").T)
                .reshape(-1)
                .view(bool)
                .nonzero()[0]
            )
            first = np.add.accumulate(count, dtype=np.intp) - count
            codes[tied] = every[first + pick] % len(hits)
        return codes

    def _mask(self, decision: Decision, values: Array, legal: Array) -> None:
        """Float scores: all must be finite; set illegal ones to -inf, in place."""
        if not np.isfinite(values).all():
            odd = ~np.isfinite(values).all(axis=0)
            raise self._fault(decision, int(np.argmax(odd)), "gave a score that is not a finite number")
        np.copyto(values, -np.inf, where=legal == 0)

    def _best_cards(self, decision: Decision, values: Array) -> NDArray[np.uint8]:
        """Amounts form: `need` cards a row, the best scored first, one by one."""
        assert decision.need is not None
        need, rows = decision.need, decision.rows
        steady = self.policies[decision.seat].steady
        taken, picks = np.zeros(decision.legal.shape, np.uint8), []
        asking = np.greater(need, 0).nonzero()[0]
        held = decision.legal
        if asking.size < need.size:
            held, values = held.take(asking, axis=1), values.take(asking, axis=1)
        for k in range(1, int(need.max(initial=0)) + 1):
            more = np.greater(need.take(asking), k).nonzero()[0]
            again = values.take(more, axis=1)
            lanes = asking if rows is None else rows[asking]
            codes = self._best(decision, values, some(held), lanes, alike=steady)
            picks.append((codes, asking))
            taken.reshape(-1)[codes * np.intp(need.size) + asking] += 1
            asking, values = asking[more], again
            held = decision.legal.take(asking, axis=1) - taken.take(asking, axis=1)
        decision.picks = picks
        return taken

    def _check(self, decision: Decision, answer: Any) -> Array:
        """Check an answer that a policy gave itself instead of scores."""
        amounts = decision.form == "amounts"
        shape = decision.legal.shape if amounts else decision.legal.shape[1:]
        # Of subclasses (masked arrays, ...) nobody knows what they make of an index or a comparison.
        if type(answer) is not np.ndarray or answer.shape != shape or answer.dtype.kind not in "iu":
            got = f"{answer.dtype}{answer.shape}" if type(answer) is np.ndarray else type(answer).__name__
            raise self._fault(
                decision, 0, f"answered {got}; an array of whole numbers of shape {shape} is needed"
            )
        if amounts:
            wrong = answer > decision.legal
            if answer.dtype.kind == "i":
                wrong |= answer < 0
            bad = np.logical_or.reduce(wrong, axis=0)
            if decision.need is not None:
                bad |= answer.sum(axis=0) != decision.need
            if decision.check is not None:
                bad |= decision.check(answer)
        else:
            if decision.asked is not None:
                answer = np.where(decision.asked, answer, decision.idle)
            bad = _illegal(decision.legal, answer)
            if bad is None:
                return answer.astype(np.uint8)
        if bad.any():
            lane = int(np.argmax(bad))
            given = answer[:, lane].tolist() if amounts else int(answer[lane])
            raise self._fault(decision, lane, f"chose an illegal answer: {given}")
        return answer.astype(np.uint8)

    def _fault(self, decision: Decision, lane: int, what: str) -> PolicyError:
        lane = lane if decision.rows is None else int(decision.rows[lane])
        policy = self.policies[decision.seat]
        number = int(self.game_numbers[self.lanes[lane]])
        return PolicyError(
            f"Policy {type(policy).__name__} (seat {decision.seat + 1}) {what}, "
            f"at decision '{decision.kind}' of turn {self.turn + 1}, game {number}."
        )


def _place_of(error: BaseException, policy: Policy) -> str:
    """Where in the files of a policy and its bases it raised (outside this package, if there are any): the
    last line of them that was carried out; "" if none was."""
    import sys
    import traceback
    from pathlib import Path

    asked = getattr(policy, "_policy", policy)  # some stand in for the one they ask (`steady`)
    modules = {cls.__module__ for cls in type(asked).__mro__}
    modules = {
        name for name in modules if not name.startswith("analyzer.")
    } or modules  # the user's own first
    files = {getattr(sys.modules.get(name), "__file__", None) for name in modules} - {None}
    own = [one for one in traceback.extract_tb(error.__traceback__) if one.filename in files]
    if not own:
        return ""
    return f" ({Path(own[-1].filename).name}, line {own[-1].lineno}: {own[-1].line})"


@lru_cache(maxsize=1)
def _all_places(most: int) -> NDArray[np.intp]:
    return np.arange(most)


def _places(n: int) -> NDArray[np.intp]:
    """intp[n]: 0, 1, 2, ...; not to be written to."""
    return _all_places(max(1 << 17, 1 << n.bit_length()))[:n]


def _illegal(legal: NDArray[np.uint8], answer: Array) -> NDArray[np.bool_] | None:
    """Where a code is not legal, bool[row]; None: nowhere."""
    if answer.dtype == np.uint8:  # the quick way, if no code is beyond the last action
        with suppress(IndexError):
            if np.count_nonzero(_of_codes(legal, answer)) == len(answer):
                return None
    inside = (answer >= 0) & (answer < len(legal))
    return np.asarray(_of_codes(legal, answer * inside) <= np.logical_not(inside))


def _of_codes(legal: NDArray[np.uint8], codes: Array) -> NDArray[np.uint8]:
    """0/1 [row]: whether the code of each row is legal. Raises IndexError beyond the last row of `legal`."""
    place = np.multiply(codes, len(codes), dtype=np.intp, casting="unsafe")
    place += _places(len(codes))
    return legal.reshape(-1).take(place)


def _find_best(
    values: Array, legal: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """Which actions are best 0/1 [action, lane], one of them [lane], and how many they are [lane].

    uint8 scores are masked here (legal ones are positive); float scores have been.
    """
    small = values.dtype == np.uint8
    hits, lanes = np.empty(values.shape, np.uint8), values.shape[1]
    codes, count = np.empty(lanes, np.uint8), np.empty(lanes, np.uint8)
    ids = _IDS[: len(values)]
    for part in chunks(lanes):
        scores, hit = values[:, part], hits[:, part]
        if small:
            scores *= legal[:, part]
        np.equal(scores, np.maximum.reduce(scores, axis=0), out=hit.view(bool))
        np.add.reduce(hit, axis=0, dtype=np.uint8, out=count[part])
        np.maximum.reduce(hit * ids, axis=0, out=codes[part])
    return hits, codes, count


def _find_last(values: Array, legal: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The last of the best actions of every lane: uint8[lane]; scores as in `_find_best`."""
    codes = np.empty(values.shape[1], np.uint8)
    ids = _IDS[: len(values)]
    for part in chunks(values.shape[1]):
        scores = values[:, part]
        if values.dtype == np.uint8:
            scores *= legal[:, part]
        hits = np.equal(scores, np.maximum.reduce(scores, axis=0)).view(np.uint8)
        hits *= ids
        np.maximum.reduce(hits, axis=0, out=codes[part])
    return codes


@dataclass
class Played:
    """What one block gives: measures of its games in row order, and additive tallies."""

    columns: dict[str, Array]
    tallies: dict[str, Any]
    decisions: int


class Recorder(Protocol):
    """Watches a block being played. It must copy what it keeps: the engine changes the state in place."""

    def start(self, state: Any) -> None:
        """Called once, after setup."""

    def decision(self, state: Any, turn: int, decision: Decision, answer: Array) -> None:
        """Called after every answer, before it is carried out."""

    def turn_end(self, state: Any, turn: int) -> None:
        """Called at the end of every turn (0-based)."""


def play(
    game: Game,
    policies: Sequence[Policy],
    luck: Luck,
    game_numbers: NDArray[np.int64],
    recorder: Recorder | None = None,
) -> Played:
    """Play the games `luck.rows` to their ends.

    `game_numbers` int64[block row] names the games in error texts. `recorder` sees every decision with its
    answer and every turn's end (tests, replays).
    """
    state = game.start(luck)
    if recorder is not None:
        recorder.start(state)
    asker = Asker(policies, luck, game_numbers)
    harvest: list[tuple[NDArray[np.intp], dict[str, Array]]] = []
    for turn in range(game.max_turns):
        asker.lanes, asker.turn = state.rows, turn
        steps = game.turn(state, turn, luck)
        answer = None
        while True:
            try:
                decision = steps.send(answer)  # type: ignore[arg-type]
            except StopIteration:
                break
            answer = asker.ask(decision)
            if recorder is not None:
                recorder.decision(state, turn, decision, answer)
        if recorder is not None:
            recorder.turn_end(state, turn)
        over = np.count_nonzero(state.over.view(bool))
        if over == len(state.over):
            break
        if over > (1 - COMPACT_BELOW) * len(state.over):
            done = state.over.view(bool).nonzero()[0]
            harvest.append((state.rows[done], game.outcome(state, done)))
            state.take(np.flatnonzero(state.over == 0))
    if not state.over.all():
        raise RuntimeError(
            f"{game.name}: {np.count_nonzero(state.over == 0)} games did not end in {game.max_turns} turns"
        )
    harvest.append((state.rows, game.outcome(state, np.arange(len(state.rows)))))
    columns = _in_row_order(harvest)
    return Played(columns, game.tallies(state, columns), asker.decisions)


def _in_row_order(harvest: list[tuple[NDArray[np.intp], dict[str, Array]]]) -> dict[str, Array]:
    order = np.argsort(np.concatenate([rows for rows, _ in harvest]))
    return {
        name: np.concatenate([part[name] for _, part in harvest], axis=-1).take(order, axis=-1)
        for name in harvest[0][1]
    }
