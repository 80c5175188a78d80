"""Eastfront's tables: tallies in, tidy frames with intervals out. No chart, no game object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analyzer.games.eastfront import odds
from analyzer.games.eastfront.model import EastfrontRules
from analyzer.report import wins
from analyzer.report.parts import MIDDLE, TENTHS, limited, titled
from analyzer.sim.results import Results
from analyzer.stats import counts, intervals

ALL, RAN_OUT = "all rescued", "deck ran out"
ENDS, RESCUES, EXCHANGES = "How and when do games end?", "Who rescues, and when?", "Which exchanges are won?"
STALL, HINDER = "Do strong Soviet cards stall the game?", "Who hinders whom?"
FEW_RESCUES = 1  # so many friends or fewer are few
STEP = 4  # German fire is shown in steps of so much
SIZES = 8  # exact odds are told for up to so many German cards

Counts = NDArray[np.float64]


def rules(results: Results) -> EastfrontRules:
    """The rules of the run, out of its config."""
    config = {key: value for key, value in results.meta["config"].items() if key != "game"}
    return EastfrontRules.model_validate(config)


def summed(frame: pd.DataFrame, *keys: str) -> tuple[list[tuple[Any, ...]], Counts]:
    """The distinct values of some columns in order, and the sum of n of each."""
    sums = frame.groupby(list(keys), sort=True, observed=True)["n"].sum()
    places = [key if isinstance(key, tuple) else (key,) for key in sums.index.to_list()]
    return places, sums.to_numpy(np.float64)


# ---- how and when games end ------------------------------------------------------------------------------


def outcomes(results: Results) -> pd.DataFrame:
    """How games end: outcome, n, share, low, high. Outcomes may overlap."""
    tally, each = results.tallies["ends"], results.rotation_games
    nobody = results.nobody()
    wanted = {
        "all friends rescued": tally["end"] == ALL,
        "deck ran out": tally["end"] == RAN_OUT,
        f"at most {FEW_RESCUES} friend rescued": tally["rescued"] <= FEW_RESCUES,
        "no friend rescued": tally["rescued"] == 0,
    }
    rows: list[tuple[Any, ...]] = []
    for name, chosen in wanted.items():
        part = tally[chosen]
        hits = np.bincount(part["rotation"].to_numpy(np.int64), part["n"], minlength=len(each))
        rows.append((name, int(hits.sum()), *map(float, intervals.average_rate(hits, each))))
    shares = results.tallies["shares"]
    shared = shares[shares["winners"] > 1]
    hits = np.bincount(shared["rotation"].to_numpy(np.int64), shared["n"] / shared["winners"], len(each))
    hits = np.round(hits)
    rows.append(("win shared", int(hits.sum()), *map(float, intervals.average_rate(hits, each))))
    rows.append(("nobody wins", nobody.hits, nobody.rate, nobody.low, nobody.high))
    frame = pd.DataFrame(rows, columns=["outcome", "n", "share", "low", "high"])
    return titled(frame, "How games end", ENDS, "Outcomes overlap: a game may be in several rows.")


def rescued(results: Results) -> pd.DataFrame:
    """Friends rescued in a game: rescued, end, n, share, low, high."""
    tally, each = results.tallies["ends"], results.rotation_games
    most = rules(results).friends
    n = np.zeros((most + 1, 2, len(each)))
    kind = (tally["end"] == RAN_OUT).to_numpy(np.int64)
    np.add.at(n, (tally["rescued"].to_numpy(), kind, tally["rotation"].to_numpy()), tally["n"].to_numpy())
    share = intervals.average_rate(n, np.broadcast_to(each, n.shape))
    frame = pd.DataFrame({
        "rescued": np.repeat(np.arange(most + 1), 2), "end": [ALL, RAN_OUT] * (most + 1),
        "n": n.sum(axis=-1).astype(np.int64).ravel(), "share": share.value.ravel(),
        "low": share.low.ravel(), "high": share.high.ravel(),
    })  # fmt: skip
    frame = frame[(frame["n"] > 0) | ((frame["end"] == RAN_OUT) & (frame["rescued"] < most))]
    return titled(frame.reset_index(drop=True), "Friends rescued in a game", ENDS)


def length(results: Results) -> pd.DataFrame:
    """Length of games and friends rescued: measure, n, mean, mean_low, mean_high, 10 %, median, 90 %."""
    turns, ends = results.tallies["turns"], results.tallies["ends"]
    rows, limits = [], []
    for measure, values, n in (
        ("turns", turns["turns"], turns["n"]),
        ("rounds", ends["round"], ends["n"]),
        ("friends rescued", ends["rescued"], ends["n"]),
    ):
        mean = intervals.mean(*counts.moments(values, n))
        quantiles = counts.quantiles(values, n, MIDDLE)
        limits.append(counts.quantile_limits(values, n, MIDDLE))
        rows.append((measure, int(n.sum()), *(float(x) for x in mean), *quantiles))
    names = ["measure", "n", "mean", "mean_low", "mean_high", *TENTHS]
    frame = titled(pd.DataFrame(rows, columns=names), "Length of a game, and rescues", ENDS)
    limited(frame, limits, TENTHS)
    return frame


# ---- rescues ---------------------------------------------------------------------------------------------


def points(results: Results) -> pd.DataFrame:
    """Points and friends of a seat or policy: who, n (seat-games), points, mean_low, mean_high, friends,
    friends_low, friends_high, share (without a friend), low, high."""
    by, names = wins.groups(results)[0], wins.group_names(results)
    rows = []
    for place, name in enumerate(names):
        mine = {
            key: frame[wins.codes(results, frame) == place]
            for key, frame in ((k, results.tallies[k]) for k in ("points", "friends"))
        }
        mean = intervals.mean(*counts.moments(mine["points"]["points"], mine["points"]["n"]))
        taken = counts.moments(mine["friends"]["friends"], mine["friends"]["n"])
        n, friends = taken[0], intervals.mean(*taken)
        none = mine["friends"][mine["friends"]["friends"] == 0]["n"].sum()
        without = intervals.wilson(none, n)
        rows.append((name, int(n), *map(float, mean), *map(float, friends), *map(float, without)))
    columns = [by, "n", "points", "mean_low", "mean_high", "friends", "friends_low", "friends_high", "share"]
    columns += ["low", "high"]
    about = "points and friends: means a game; share: games in which it takes no friend at all."
    return titled(pd.DataFrame(rows, columns=columns), f"Points by {by}", RESCUES, about)


def rescues(results: Results) -> pd.DataFrame:
    """Stacks cleared by round: round, n, a_game, mean_low, mean_high, and their sum so far: so_far,
    so_far_low, so_far_high."""
    tally = results.tallies["rescues"]
    if tally.empty:
        return pd.DataFrame()
    last = int(tally["round"].max())
    n = np.bincount(tally["round"].to_numpy(np.int64), tally["n"], last + 1)[1:]
    found, sums = intervals.poisson(n, results.n), intervals.poisson(np.cumsum(n), results.n)
    frame = pd.DataFrame({
        "round": np.arange(1, last + 1), "n": n.astype(np.int64), "a_game": found.value,
        "mean_low": found.low, "mean_high": found.high, "so_far": sums.value,
        "so_far_low": sums.low, "so_far_high": sums.high,
    })  # fmt: skip
    return titled(
        frame,
        "Stacks cleared by round",
        RESCUES,
        "a_game: friends rescued in this round, a game; so_far: in this round and all before it.",
    )


def luck(results: Results) -> pd.DataFrame:
    """What decides who wins: source, share, low, high. The variance of a seat's credit, taken apart.

    The mean credit of every (rotation, seat) cell is known; what cells differ by is policy and seat, what is
    left inside them is the luck of the cards (and of equal choices). The interval is that of a correlation
    ratio, from Fisher's z of its root.
    """
    total, squares = results.credits()
    n = np.broadcast_to(results.rotation_games[:, None], total.shape).astype(np.float64)
    mean = total.sum() / n.sum()
    variance = float(squares.sum() - n.sum() * mean**2)
    if variance <= 0:
        return pd.DataFrame()
    labels = np.array(results.rotations, dtype=object)
    seats = np.broadcast_to(np.arange(results.players), total.shape)
    both = np.char.add(labels.astype(str), seats.astype(str))
    both = np.char.add(labels.astype(str), seats.astype(str))
    sources = {"seat": seats, "policy": labels, "policy and seat": both}
    rows = []
    for name, cells in sources.items():
        between = sum(
            float(total[cells == cell].sum() ** 2 / n[cells == cell].sum())
            for cell in np.unique(cells)
            if n[cells == cell].sum()
        )
        rows.append((name, max(0.0, between - n.sum() * mean**2) / variance))
    rows.append(("luck of the cards", 1.0 - rows[-1][1]))
    frame = pd.DataFrame(rows, columns=["source", "share"])
    limits = [_correlation_limits(share, n.sum()) for share in frame["share"]]
    frame["low"], frame["high"] = zip(*limits, strict=True)
    about = "Shares of the variance in who wins; policy and seat together, and what neither explains."
    return titled(frame, "What decides who wins", "Who wins?", about)


def _correlation_limits(share: float, n: float) -> tuple[float, float]:
    """An interval of a correlation ratio: Fisher's z of its root, or of its complement's if that is small."""
    flip = share > 0.5
    root = np.sqrt(min(1 - share if flip else share, 1 - 1e-12))
    half = intervals.z_value(0.95) / np.sqrt(max(n - 3, 1))
    low, high = (float(np.tanh(max(0.0, np.arctanh(root) + side * half)) ** 2) for side in (-1, 1))
    return (1 - high, 1 - low) if flip else (low, high)


# ---- exchanges -------------------------------------------------------------------------------------------


def exchanges(results: Results) -> pd.DataFrame:
    """Exchanges by German fire and Soviet card: soviet, defence, card, fire (from), n, won, share, low, high,
    losses (German cards an exchange), losses_low, losses_high."""
    tally = results.tallies["exchanges"]
    if tally.empty:
        return pd.DataFrame()
    cards = {card.title: card for card in rules(results).cards.soviet}
    part = tally.assign(
        step=tally["fire"] // STEP * STEP, won=tally["n"] * tally["won"], lost=tally["n"] * tally["lost"],
        squares=tally["n"] * tally["lost"] ** 2,
    )  # fmt: skip
    sums = ["n", "won", "lost", "squares"]
    frame = part.groupby(["soviet", "step"], sort=True, observed=True)[sums].sum().reset_index()
    order = {title: place for place, title in enumerate(_by_strength(results))}
    frame = frame.assign(place=[order[s] for s in frame["soviet"]]).sort_values(["place", "step"])
    found = intervals.wilson(frame["won"], frame["n"])
    lost = intervals.mean(frame["n"], frame["lost"], frame["squares"])
    shown = pd.DataFrame({
        "soviet": frame["soviet"], "card": [f"{cards[s].fire}/{cards[s].defence}" for s in frame["soviet"]],
        "fire": frame["step"], "n": frame["n"], "won": frame["won"], "share": found.value,
        "low": found.low, "high": found.high, "losses": lost.value,
        "losses_low": lost.low, "losses_high": lost.high,
    })  # fmt: skip
    about = (
        f"fire: German fire with support before the Soviet card fires, in steps of {STEP}; share: exchanges "
        "in which the Soviet card is destroyed; losses: German cards lost an exchange."
    )
    return titled(shown.reset_index(drop=True), "Exchanges by German fire and Soviet card", EXCHANGES, about)


def _by_strength(results: Results) -> list[str]:
    """Titles of the Soviet cards, the weakest defence first."""
    cards = sorted(rules(results).cards.soviet, key=lambda card: (card.defence, card.fire))
    return [card.title for card in cards]


def attack_length(results: Results) -> pd.DataFrame:
    """Cards destroyed in one attack: at least, n (attacks), share, low, high."""
    tally = results.tallies["depth"]
    if tally.empty:
        return pd.DataFrame()
    first = tally[tally["exchange"] == 1]["n"].sum()
    won = tally[tally["won"] == 1]
    n = np.bincount(won["exchange"].to_numpy(np.int64), won["n"])[1:] if len(won) else np.zeros(0)
    n = np.concatenate([[first], n[n > 0]])
    found = intervals.wilson(n, first)
    frame = pd.DataFrame({
        "at_least": np.arange(len(n)), "n": n.astype(np.int64), "share": found.value, "low": found.low,
        "high": found.high,
    })  # fmt: skip
    return titled(frame, "Soviet cards destroyed in one attack", EXCHANGES, "Shares are of all attacks.")


def exact_odds(results: Results) -> pd.DataFrame:
    """Exact chances against a full stack that lies face down, nothing else seen: german, cards, fire,
    destroyed (at least so many cards of the stack), exact."""
    now = rules(results)
    rows = [
        (title, size, fire, destroyed, float(chance))
        for name, title, size, fire in _forces(now)
        for destroyed, chance in enumerate(odds.clears(now, {name: size}), 1)
    ]
    columns = ["german", "cards", "fire", "destroyed", "exact"]
    about = (
        "By enumeration: chance that one attack destroys at least so many cards of a full stack, nothing "
        "being known of the Soviet cards; the neighbour shoots the best card, no support, no pillbox."
    )
    return titled(pd.DataFrame(rows, columns=columns), "Exact odds against an unseen stack", EXCHANGES, about)


def _forces(now: EastfrontRules) -> Iterator[tuple[str, str, int, int]]:
    """(name, title, cards, fire) of tables of one kind: the commonest card of three values of fire."""
    best: dict[int, Any] = {}
    for card in now.cards.german:
        if card.fire not in best or card.count > best[card.fire].count:
            best[card.fire] = card
    most = sorted(best.values(), key=lambda card: card.count, reverse=True)[:3]
    for card in sorted(most, key=lambda card: card.fire):
        for size in range(1, min(SIZES, card.count) + 1):  # no attack has more than the deck holds
            yield card.name, card.title, size, size * card.fire


# ---- strong Soviet cards -----------------------------------------------------------------------------------


def stalls(results: Results) -> pd.DataFrame:
    """What becomes of Soviet cards once they lie face up: soviet, card, n (turned up), a_game, at_once (share
    destroyed in the same turn), turns (mean they lie open), mean_low, mean_high, share (still open at the
    end), low, high."""
    tally = results.tallies["stalls"]
    if tally.empty:
        return pd.DataFrame()
    cards = {card.title: card for card in rules(results).cards.soviet}
    rows = []
    for title in _by_strength(results):
        part = tally[tally["soviet"] == title]
        if part.empty:
            continue
        n = part["n"].sum()
        mean = intervals.mean(*counts.moments(part["turns"], part["n"]))
        still = intervals.wilson(part[part["beaten"] == 0]["n"].sum(), n)
        at_once = intervals.wilson(part[(part["beaten"] == 1) & (part["turns"] == 0)]["n"].sum(), n)
        name = f"{cards[title].fire}/{cards[title].defence}"
        turned = intervals.poisson(n, results.n)
        numbers = [float(x) for found in (turned, at_once, mean, still) for x in found]
        rows.append((title, name, int(n), *numbers))
    columns = ["soviet", "card", "n", "a_game", "a_game_low", "a_game_high", "at_once", "at_once_low",
               "at_once_high", "turns", "mean_low", "mean_high"]  # fmt: skip
    columns += ["share", "low", "high"]
    about = (
        "n: cards turned up; at_once: part destroyed in the turn they are turned up; turns: mean number of "
        "turns of the game they lie open; share: part still open when the game ends."
    )
    return titled(pd.DataFrame(rows, columns=columns), "Soviet cards that lie face up", STALL, about)


# ---- hindering -------------------------------------------------------------------------------------------


def hindering(results: Results) -> pd.DataFrame:
    """Cards that hinder, a game: by, against, n, a_game, mean_low, mean_high."""
    tally = results.tallies["hindered"]
    if tally.empty:
        return pd.DataFrame()
    names = wins.group_names(results)
    cells = np.zeros((len(names), len(names)))
    np.add.at(cells, (wins.codes(results, tally), wins.codes(results, tally, "target")), tally["n"])
    found = intervals.poisson(cells, results.n)
    frame = pd.DataFrame({
        "by": np.repeat(names, len(names)), "against": names * len(names),
        "n": cells.astype(np.int64).ravel(), "a_game": found.value.ravel(), "mean_low": found.low.ravel(),
        "mean_high": found.high.ravel(),
    })  # fmt: skip
    if wins.groups(results)[0] == "seat":
        frame = frame[frame["by"] != frame["against"]]
    return titled(frame.reset_index(drop=True), "Who hinders whom", HINDER, "Cards that hinder, a game.")


def hinder_cards(results: Results) -> pd.DataFrame:
    """Cards that hinder by kind: card, n, a_game, share (cancelled by cover), low, high, leader (share played
    on who had taken most friends)."""
    tally = results.tallies["hindered"]
    if tally.empty:
        return pd.DataFrame()
    rows = []
    for card in dict.fromkeys(tally["card"]):
        part = tally[tally["card"] == card]
        n = part["n"].sum()
        covered = intervals.wilson(part[part["covered"] == 1]["n"].sum(), n)
        leader = intervals.wilson(part[part["leader"] == 1]["n"].sum(), n)
        played = intervals.poisson(n, results.n)
        rows.append((card, int(n), *(float(x) for found in (played, covered, leader) for x in found)))
    columns = ["card", "n", "a_game", "a_game_low", "a_game_high", "share", "low", "high", "leader"]
    columns += ["leader_low", "leader_high"]
    about = (
        "a_game: cards played; share: cancelled by Cover; leader: part played on a player nobody led "
        "in friends taken."
    )
    return titled(pd.DataFrame(rows, columns=columns), "Cards that hinder", HINDER, about)


# ---- games to look at ------------------------------------------------------------------------------------


def to_replay(results: Results) -> pd.DataFrame:
    """Games worth a look: which, game; from one pass over the games, piece by piece."""
    if not results.has_games:
        return pd.DataFrame()
    wanted: dict[str, tuple[float, int]] = {}
    for piece in results.iter_games(["game", "turns", "rescued", "winner"]):
        all_in = piece["rescued"] == piece["rescued"].max()
        for which, keys, part in (
            ("the most friends in the fewest turns", piece["turns"] - 1000.0 * piece["rescued"], all_in),
            ("a game without a rescue", piece["game"], piece["rescued"] == 0),
            ("a shared win", piece["game"], piece["winner"] == -1),
        ):
            if part.any():
                place = int(np.argmin(np.where(part, keys, np.inf)))
                found = (float(keys.iloc[place]), int(piece["game"].iloc[place]))
                wanted[which] = min(wanted.get(which, found), found)
    frame = pd.DataFrame([(which, game) for which, (_, game) in wanted.items()], columns=["which", "game"])
    return titled(frame, "Games to replay", "Look at single games")
