"""Tables, charts and sentences of a study of assumptions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analyzer.errors import argument
from analyzer.report import draw, style
from analyzer.report.draw import percent
from analyzer.report.parts import Chart, titled
from analyzer.report.wins import listed
from analyzer.studies.grid import word
from analyzer.studies.guesses import SOBOL
from analyzer.studies.outcomes import column, show
from analyzer.studies.sweep_report import TEXTS, scale_name

if TYPE_CHECKING:
    from analyzer.report.renderers import Panel
    from analyzer.studies.assumptions import Assumptions, Verdict

HOLDS, DRIVES, PLAYED = "What holds whatever I guess?", "Which guess matters?", "What was played?"
MOST_CHARTS, MOST_DRIVERS, MOST_TOLD = 8, 8, 10
NOISY = 0.5  # share of the variance between samples from which it is said to be chance


def tables(found: Assumptions) -> dict[str, pd.DataFrame]:
    """findings, ranges (of every outcome), drivers_shown (the clear ones), drivers (all), samples, fixed."""
    frames = {
        "findings": findings(found),
        "ranges": ranges(found),
        "drivers_shown": drivers(found, True),
        "drivers": drivers(found, False),
        "samples": samples(found),
        "fixed": titled(
            pd.DataFrame(list(found.samples.fixed.items()), columns=["assumption", "why"]),
            "Assumptions that were not varied",
            PLAYED,
        ),
        "drawn_again": titled(
            pd.DataFrame(list(found.samples.refused.items()), columns=["reason", "combinations"]),
            "Combinations that were drawn again",
            PLAYED,
        ),
    }
    return {name: frame for name, frame in frames.items() if len(frame)}


def findings(found: Assumptions) -> pd.DataFrame:
    """One row a finding that has a sign."""
    rows = [
        {
            "finding": one.claim, "as it is": "clear" if one.settled else "unclear", "holds": one.holds,
            "flips": one.flips, "unclear": one.unclear, "verdict": one.words,
            "flips at samples": ", ".join(str(i + 1) for i in one.where[:10]),
        }
        for one in found.verdicts
    ]  # fmt: skip
    about = (
        f"In how many of {len(found.points)} samples each finding is clear of chance (holds), its "
        "opposite is "
        "(flips), or neither, with all samples judged together."
    )
    frame = pd.DataFrame(rows)
    if len(frame) and not frame["flips"].any():
        frame = frame.drop(columns="flips at samples")
    return titled(frame, "Findings over all samples", HOLDS, about)


def ranges(found: Assumptions) -> pd.DataFrame:
    """One row an outcome: as it is, and over the samples; as texts, for their units differ."""
    rows = []
    for name in found.names:
        base, values = found.at_base(name), found.values(name)
        main = found.drivers(name) if name in found.driven else None
        first = next((found.design.names[i] for i in main.order if main.clear[i]), "") if main else ""
        noise = found.noise(name)
        rows.append({
            "outcome": base.phrase, "as it is": base.shown(),
            "95 % interval": _span(base.kind, base.low, base.high),
            "lowest": show(base.kind, float(values.min())),
            "middle": show(base.kind, float(np.median(values))),
            "highest": show(base.kind, float(values.max())),
            "as it is lies": place(base.value, values),
            "chance": percent(noise, 0) if math.isfinite(noise) else "", "driven most by": first,
        })  # fmt: skip
    about = (
        f"as it is: {found.samples.base.n:,} games; lowest, middle, highest: over the samples, of "
        f"{found.samples.requests[0].n:,} games each; as it is lies: the game need not lie within them, "
        "since its own values may stand at the ends of their ranges; chance: the share of the variance "
        "between "
        "samples that the "
        "finite number of games makes, at most (the same luck makes it smaller)."
    )
    frame = pd.DataFrame(rows)
    if len(frame) and not frame["driven most by"].any():
        frame = frame.drop(columns="driven most by")
    return titled(frame, "Outcomes over all samples", HOLDS, about)


def _span(kind: str, low: float, high: float) -> str:
    return f"{show(kind, low)} to {show(kind, high)}" if math.isfinite(low) else ""


def drivers(found: Assumptions, clear: bool) -> pd.DataFrame:
    """One row an outcome and assumption; `clear`: only where the effect is clear of chance."""
    rows = []
    for name in found.driven:
        told, base = found.drivers(name), found.at_base(name)
        for i in told.order:
            if clear and not told.clear[i]:
                continue
            one = found.samples.ranges[i]
            choices = " or ".join(word(choice) for choice in one.choices)
            rows.append({
                "outcome": name, "assumption": one.name,
                "range": choices if one.kind == "choice" else f"{one.low:g} to {one.high:g}",
                "effect on it": told.effect.value[i], "effect on it low": told.effect.low[i],
                "effect on it high": told.effect.high[i], "clear": "yes" if told.clear[i] else "",
                "at one end": f"{show(base.kind, told.low_end[i])} {ends(found, i)[0]}",
                "at the other end": f"{show(base.kind, told.high_end[i])} {ends(found, i)[1]}",
            })  # fmt: skip
    frame = pd.DataFrame(rows)
    frame.attrs["kinds"] = {"effect on it": "number"}
    sobol = found.samples.kind == SOBOL
    unit = (
        "total share of the variance (Sobol)"
        if sobol
        else "standard deviations of the outcome per standard deviation of the assumption"
    )
    return titled(
        frame,
        "What drives what" + (", where it is clear of chance" if clear else ""),
        DRIVES,
        f"effect on it: {unit}, with limits that hold together over all {len(found.design.names)} "
        "assumptions; clear: of 0 and of what the luck of so few games may make; "
        "at one end, at the other end: mean outcome in the lowest and in the highest third of the range; of "
        "choices, which have no order, with the first and with the last.",
    )


def samples(found: Assumptions) -> pd.DataFrame:
    """One row a sample: its settings and outcomes."""
    frame = pd.DataFrame([{key: _value(one) for key, one in row.items()} for row in found.design.settings])
    names = {name: column(name, found.design.names) for name in found.names}
    more = {names[name]: found.values(name) for name in found.names}
    frame = pd.concat(
        [pd.DataFrame({"sample": np.arange(1, len(frame) + 1)}), frame, pd.DataFrame(more)], axis=1
    )
    frame.attrs["kinds"] = {names[name]: found.at_base(name).kind for name in found.names}
    frame.attrs |= {"keys": 1, "literal": list(found.design.names)}
    return titled(frame, "The samples", PLAYED)


def _value(one: Any) -> Any:
    """A value of a setting as it is shown: numbers stay numbers, all else is as a config has it."""
    return one if isinstance(one, int | float) and not isinstance(one, bool) else word(one)


# ---- words -----------------------------------------------------------------------------------------------


def words(found: Assumptions) -> list[str]:
    """What was played, what holds, what flips, what drives what."""
    one = found.samples
    who = listed(list(dict.fromkeys(one.base.labels)))
    again = sum(one.refused.values())
    design = "a Sobol design" if one.kind == SOBOL else "a Latin hypercube"
    told = [
        f"{len(one.requests)} samples ({design}) of {len(one.ranges)} assumptions of {one.base.game} "
        "over their "
        f"plausible ranges, {one.base.n:,} games each on the same deals and dice, {one.base.players} players "
        f"({who})" + (f"; {again} combinations that are not possible were drawn again" if again else "")
    ]
    told += [headline(found), *_held(found.verdicts, len(found.points))]
    sure = [name for name in found.driven if found.drivers(name).clear.any()]
    idle = [name for name in found.driven if name not in sure and found.noise(name) > NOISY]
    rest = [name for name in found.driven if name not in sure and name not in idle]
    told += [driven(found, name) for name in [*sure, *rest][:MOST_TOLD]]
    if idle:
        told.append(
            f"Over the samples chance alone moves these as much as they move: "
            f"{listed([found.at_base(name).phrase for name in idle])}; more games "
            f"({argument('n')}) would tell more"
        )
    share = percent(found.seen, 0)
    told.append(
        f"With {len(found.points)} samples of {len(one.ranges)} assumptions an effect is seen for "
        "certain only if "
        f"the assumption makes more than about {share} of an outcome's variance; more samples or fewer "
        f"assumptions ({argument('samples')}, {argument('only')}) see more"
    )
    return [f"{text}." for text in told if text]


def headline(found: Assumptions) -> str:
    """How many findings stand whatever is guessed, and what moves most for a known reason."""
    many, verdicts = len(found.points), found.verdicts
    turned, stand = sum(one.turns for one in verdicts), sum(one.holds == many for one in verdicts)
    if not verdicts:
        text = f"{len(found.driven)} outcomes move with the guesses"
    elif turned:
        text = f"{turned} of {len(verdicts)} findings {'depends' if turned == 1 else 'depend'} on the guesses"
    elif stand == len(verdicts):
        text = "Every finding stands, whatever is guessed"
    elif stand:
        be = "is" if stand == 1 else "are"
        text = f"No finding turns round, {stand} of {len(verdicts)} {be} clear everywhere"
    else:
        text = "No finding on who wins turns round, but none is clear everywhere"
    sure = [name for name in found.driven if found.drivers(name).clear.any()]
    if not sure:
        return text
    name = min(sure, key=lambda one: (name_noise(found, one), found.driven.index(one)))
    base, values, told = found.at_base(name), found.values(name), found.drivers(name)
    first = next(found.design.names[i] for i in told.order if told.clear[i])
    span = f"{show(base.kind, float(values.min()))} to {show(base.kind, float(values.max()))}"
    return f"{text}; {first} moves most: {base.phrase} ({span})"


def name_noise(found: Assumptions, name: str) -> float:
    """How much of an outcome's variance is chance; 1 where it is not known."""
    noise = found.noise(name)
    return noise if math.isfinite(noise) else 1.0


def _held(verdicts: Sequence[Verdict], many: int) -> list[str]:
    everywhere = [one.claim for one in verdicts if one.holds == many]
    turned = [one for one in verdicts if one.turns]
    mostly = [one for one in verdicts if not one.turns and 0 < one.holds < many]
    against = [one for one in verdicts if one.flips and not one.turns]
    nothing = [one for one in verdicts if not one.flips and not one.holds]
    told = []
    if everywhere:
        told.append(f"Holds in all {many} samples: {listed(everywhere)}")
    if turned:
        told.append("Depends on the guesses: " + listed([f"{one.claim} ({one.words})" for one in turned]))
    if mostly:
        told.append("Never clearly refuted: " + listed([f"{one.claim} ({one.words})" for one in mostly]))
    if against:
        told.append("Not so in any sample: " + listed([f"{one.claim} ({one.words})" for one in against]))
    if nothing:
        told.append(
            f"Not clear in any sample, too few games or no effect: {listed([one.claim for one in nothing])}"
        )
    return told


def driven(found: Assumptions, name: str) -> str:
    """From where to where an outcome runs, and what drives it."""
    base, values, told = found.at_base(name), found.values(name), found.drivers(name)
    phrase = base.phrase[0].upper() + base.phrase[1:]
    span = (
        f"{phrase}: {show(base.kind, float(values.min()))} to {show(base.kind, float(values.max()))} "
        f"(as it is {base.shown()}, {place(base.value, values)})"
    )
    clear = [i for i in told.order if told.clear[i]]
    if not clear:
        return f"{span}; no single assumption clearly drives it"
    texts = [
        f"{found.design.names[i]} ({show(base.kind, told.low_end[i])} {ends(found, i)[0]}, "
        f"{show(base.kind, told.high_end[i])} {ends(found, i)[1]})"
        for i in clear[:3]
    ]
    more = f" and {len(clear) - 3} more" if len(clear) > 3 else ""
    return f"{span}; driven by {listed(texts)}{more}"


def ends(found: Assumptions, number: int) -> tuple[str, str]:
    """The two ends of an assumption in words; of choices, which have no order, the first and the last."""
    one = found.samples.ranges[number]
    if one.kind != "choice":
        return "at the low end", "at the high end"
    return f"with {word(one.choices[0])}", f"with {word(one.choices[-1])}"


def place(value: float, values: np.ndarray) -> str:
    """Where the game as it is lies among the samples: the guesses may all lean to one side."""
    near = 1e-9 * max(1.0, abs(value))
    below, many = int((values < value - near).sum()), len(values)
    level = int((np.abs(values - value) <= near).sum())
    if level == many:
        return f"level with all {many} samples"
    if level:
        return f"above {below}, level with {level} of {many} samples"
    if below in (0, many):
        return f"{'above' if below else 'below'} all {many} samples"
    return f"above {below} of {many} samples"


# ---- charts ----------------------------------------------------------------------------------------------


def charts(found: Assumptions) -> list[Chart]:
    """The findings over all samples, then what drives each outcome."""
    first = [held(found)] if found.claims else []
    return [*first, *(driver(found, name) for name in found.driven[:MOST_CHARTS])]


def held(found: Assumptions) -> Chart:
    """Every signed outcome at every sample."""
    names = found.claims
    labels = [style.shorten(name.removesuffix(": edge"), 26) for name in names]
    verdict = {one.name: one for one in found.verdicts}
    shift = (
        np.random.default_rng(0).permutation(len(found.points)) / max(len(found.points) - 1, 1) - 0.5
    ) * 0.56

    def paint(axes: Sequence[Panel]) -> None:
        ax = axes[0]
        everything = np.concatenate([found.values(name) for name in names])
        low, high = min(0.0, float(everything.min())), max(0.0, float(everything.max()))
        slack = 0.05 * ((high - low) or 0.01)
        ax.set_xlim(low - slack, high + slack)
        style.rows_axis(ax, labels)
        for row, name in enumerate(names):
            one, values = verdict[name], found.values(name)
            far = _clear(found, name)
            colours = [
                style.GREY if not sure else style.BLUE if value * one.sign > 0 else style.RED
                for value, sure in zip(values, far, strict=True)
            ]
            ax.add_dots(draw.pairs(values, row + shift), colours, 3.6)
            base = found.at_base(name).value
            draw.spans(ax, [base], row - 0.4, row + 0.4, style.INK, 2.0, upright=True)
        style.x_scale(ax, "wins above or below a fair share in points, a dot a sample", style.points_text)
        draw.upright(ax, 0.0, "fair")

    sure = [one for one in found.verdicts if one.turns]
    finding = (
        f"{len(sure)} of {len(found.verdicts)} findings {'turns' if len(sure) == 1 else 'turn'} with "
        "the guesses"
        if sure
        else f"No finding turns round in any of {len(found.points)} samples"
    )
    return Chart(
        "findings",
        HOLDS,
        finding,
        paint,
        "A row a finding, a dot a sample of all assumptions.",
        ("findings", "ranges"),
        "Upright line: the game as it is. Blue: clear of chance and as the finding has it; orange: clearly "
        "the other way round; grey: unclear, with all samples judged together.",
        height=0.3 + 0.5 * len(names),
        left=style.label_room(labels),
        top=0.25,
    )


def _clear(found: Assumptions, name: str) -> np.ndarray:
    from analyzer.stats.intervals import z_value

    far = z_value(1.0 - 0.05 / len(found.points)) * found.errors(name)
    return np.asarray(np.abs(found.values(name)) > far)


def tail(key: str, most: int) -> str:
    """A key short enough for a chart; its end says more than its beginning."""
    return key if len(key) <= most else f"…{key[1 - most :]}"


def driver(found: Assumptions, name: str) -> Chart:
    """The strongest assumptions of an outcome, and the outcome over the strongest one."""
    base, told = found.at_base(name), found.drivers(name)
    chosen = told.order[:MOST_DRIVERS]
    labels = [tail(found.design.names[i], 26) for i in chosen]
    top = chosen[0]
    one = found.samples.ranges[top]
    if one.kind == "choice":
        at: Any = np.array([one.choices.index(row[one.name]) for row in found.design.settings], np.float64)
    else:
        at = np.array([float(row[one.name]) for row in found.design.settings])
    values = found.values(name)

    def effects(ax: Panel) -> None:
        value, low, high = (part[chosen] for part in told.effect)
        colours = [style.BLUE if sure else style.GREY for sure in told.clear[chosen]]
        draw.intervals_in_rows(ax, value, low, high, colours, lambda x: f"{x:+.2f}", [0.0])
        style.rows_axis(ax, labels)
        unit = "share of variance" if found.samples.kind == SOBOL else "standardised effect"
        style.x_scale(ax, unit, most=4)
        draw.spans(ax, [0.0], 0, 1, style.INK, 1.0, upright=True, where="x", zorder=1)

    def scatter(ax: Panel) -> None:
        left, right = float(at.min()), float(at.max())
        slack = 0.08 * ((right - left) or 1.0)
        ax.set_xlim(left - slack, right + slack)
        low, high = min([*values, base.value]), max([*values, base.value])
        room = 0.07 * ((high - low) or 0.01)
        ax.set_ylim(low - room, high + room)
        if base.claim and low < 0 < high:
            draw.spans(ax, [0.0], 0, 1, style.INK, 0.9, where="y", zorder=1)
        ax.add_dots(draw.pairs(at, values), style.BLUE, 3.8)
        style.y_scale(ax, scale_name(base), TEXTS[base.kind])
        label = labels[0]
        if one.kind == "choice":
            names = [style.shorten(word(choice), 12) for choice in one.choices]
            style.x_scale(ax, label, at=list(range(len(names))), names=names)
        else:
            style.x_scale(ax, label, most=4)

    def paint(axes: Sequence[Panel]) -> None:
        effects(axes[0])
        scatter(axes[1])

    slug = "".join(c if c.isalnum() else "_" for c in name.lower())
    phrase = base.phrase[0].upper() + base.phrase[1:]
    clear = [found.design.names[i] for i in told.order if told.clear[i]]
    most = f"driven most by {clear[0]}" if clear else "no single assumption clearly drives it"
    how = "each assumption judged by itself" if told.apart else "all assumptions judged in one regression"
    if found.samples.kind == SOBOL:
        how = "total shares of the variance, by Sobol' indices"
    return Chart(
        f"drivers_{slug}",
        DRIVES,
        f"{phrase}: {most}",
        paint,
        f"Left: the strongest assumptions with intervals; right: the outcome over {one.name}.",
        ("drivers_shown",) if name == found.driven[0] else (),
        f"Left: the {len(chosen)} strongest assumptions, with intervals that hold together over all "
        f"{len(found.design.names)} ({how}); blue: clear of chance. Right: a dot a sample, over the "
        "strongest one.",
        height=0.3 + 0.28 * max(len(labels), 6),
        cols=2,
        left=style.label_room(labels),
        top=0.15,
        gap=(0.95, 0.5),
    )
