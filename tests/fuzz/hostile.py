"""What a stranger may write where a plain value is expected: YAML texts, plain values, and names."""

from __future__ import annotations

from random import Random
from typing import Any

NUMBERS = [
    *("0", "-1", "1", "2", "3", "250", "251", "1000", "65535", "65536", "2147483648", "-2147483649"),
    *("999999999999999", "1000000000000000", "-999999999999999", "1" + "0" * 400, "-" + "9" * 5000),
    *("1e308", "1e309", "-1e309", "5e-324", "0.1", "-0.0", "1.", ".5", "1e15", "1e2", "4.0", "4.5"),
    *(".nan", ".NaN", ".inf", "-.inf", "nan", "inf", "-Infinity", "NaN", "1_000", "+1", "0x1F", "0o17"),
    *("010", "1:30", "190:20:30", "0b101", "١٢", "½", "1,000", "1e", "--1", "1e400000000000000000000"),
]
WORDS = [
    *("", "~", "null", "true", "false", "yes", "no", "on", "off", "Y", "=", "<<", "-", "?", "|", ">", "..."),
    *("2001-12-14", "2001-12-14t21:59:43.10-05:00", "../../etc/passwd", "/etc/passwd", "~/.ssh/id_rsa"),
    *(
        "${HOME}",
        "$(id)",
        "`id`",
        "{{7*7}}",
        "%s%n",
        "{0.__class__}",
        "__class__",
        "con",
        "a/b",
        "..",
        "x" * 70,
    ),
    *("<script>alert(1)</script>", '"><img src=x>', "=1+1", "+1+1", "-1+1", "@SUM(A1)", "=cmd|' /C calc'!A0"),
    *("balanced", "moscow", "kraskar", "lose_turn", "september", "value", "mark", "R", "A", "count"),
]
SIGNS = [
    *("\u202e", "\u200b", "\u2066", "\ufeff", "\u2028", "\x85", "\xa0", "\xad", "\U0001f600", "e\u0301" * 9),
    *(
        "\0",
        "\x07",
        "\x1b[2J",
        "\x1b]0;x\x07",
        "\x7f",
        "\x9b31m",
        "\r",
        "\t",
        "\x0b",
        "\ud800",
        "\udfff\ud800",
    ),
    *("\ufffe", "\U0010ffff", "\uff11", "\u0430", "ﷺ" * 50, "\u034f" * 40),
]
QUOTED = [
    *('"\\x1b[2J"', '"\\0"', '"\\r"', '"\\t=1"', '"\\n=1"', '"\\ud800"', '"\\ud83d\\ude00"', '"\\U0010FFFF"'),
    *(
        '"\\u202e"',
        '"\\u200b"',
        '"\\xff"',
        '"=1+1"',
        "'@x'",
        "'it''s'",
        '"\\q"',
        '"open',
        "'open",
        '"\\N\\L\\P"',
    ),
    *("|\n   a\n   b", ">-\n   a\n\n   b", "|2\n x", "|+9\n", '"a\n   b"', '""', "''", f'"{"x" * 5000}"'),
]
TAGGED = [
    *("!!int 3", "!!str 3", "!!float x", "!!binary aGk=", "!!timestamp 2001-12-14", "!!set {a, b}"),
    *("!!omap [a: 1]", "!!null x", "!!bool yes", "!!merge <<", "!local 1", "!<tag:x,2000:y> 1", "! 1"),
    *("!!python/object/apply:os.system ['id']", "!!python/name:os.system", "!!python/tuple [1, 2]"),
    *("&a 1", "*a", "&a [*a]", "&a {b: *a}", "&\u202e x", "*" + "b" * 3000, "!" + "t" * 3000 + " 1"),
]
NESTED = [
    *("[]", "{}", "[[]]", "[{}]", "[1, {a: 1}]", "{value: 1}", "{value: {a: 1}}", "{value: [1, 2]}", "[~]"),
    *("{value: 1, mark: Z}", "{value: 1, range: [2, 1]}", "{value: 1, range: [0, .inf]}", "{mark: A}"),
    *("{value: 1, options: [1, 2], range: [0, 3]}", "{value: 1, options: []}", "{value: 1, about: [x]}"),
    *("{value: 1, extra: 2}", "{count: 3}", "{count: -3}", "{count: 250}", "[{count: 3}, {count: 3}]"),
    *(
        "{? [a] : 1}",
        "{? {a: b} : 1}",
        "{~: 1}",
        "{1: 2}",
        "{true: 1}",
        "{.nan: 1}",
        "{<<: {a: 1}}",
        "{a, b}",
    ),
    *(
        "[1, 2",
        "{a: 1",
        "]",
        "}",
        "[,]",
        "{:}",
        "[a: b]",
        "{value: 1, value: 2}",
        "{a: 1, a: 2}",
        "- 1",
        "? x",
    ),
    *("[" * 15 + "]" * 15, "[" * 30 + "]" * 30, "{a: " * 19 + "1" + "}" * 19, "{a: " * 40 + "1" + "}" * 40),
]
LARGE = [
    *("[" * 3000 + "]" * 3000, "{a: " * 3000, "- " * 3000 + "x", "[" + "1, " * 3000 + "1]", "x" * 100_000),
    "{" + ", ".join(f"k{i}: {i}" for i in range(1500)) + "}",
    "[" + "{count: 1}, " * 700 + "{count: 1}]",
    "[" + ", ".join(f"{{name: n{i}, count: 1}}" for i in range(400)) + "]",
    "? " * 1500,
    "\n" * 20_000,
    "#" * 50_000,
]
DOCUMENTS = [
    *(
        "---\n",
        "...\n",
        "---\n---\n",
        "%YAML 1.1\n---\n",
        "%YAML 9.9\n---\n",
        "%TAG ! tag:x,2000:\n---\n",
        "--- x\n",
    ),
    *(
        "\ufeff",
        "# only this\n",
        "\n\n",
        "\t\n",
        "- a\n",
        "x\n",
        "&a\n",
        "*a\n",
        "<<: *a\n",
        "? \n",
        ": \n",
        "%\n",
    ),
]

GROUPS = [NUMBERS, NUMBERS, WORDS, SIGNS, QUOTED, TAGGED, NESTED, NESTED]


def value(rng: Random) -> str:
    """The YAML text of a value."""
    if rng.random() < 0.01:
        return rng.choice(LARGE)
    text = rng.choice(rng.choice(GROUPS))
    if rng.random() < 0.1:
        text += rng.choice(rng.choice(GROUPS))
    return text


def bomb(rng: Random) -> str:
    """Aliases of aliases: few lines that stand for more values than there is memory."""
    many, deep = rng.randint(2, 12), rng.randint(2, 12)
    lines = ["a0: &a0 [x, x, x]"]
    for level in range(1, deep):
        inner = ", ".join([f"*a{level - 1}"] * many)
        lines.append(
            f"a{level}: &a{level} [{inner}]"
            if rng.random() < 0.7
            else f"a{level}: &a{level} {{<<: [{inner}]}}"
        )
    return "\n".join(lines) + "\n"


PLAIN: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        2,
        250,
        10**15,
        10**400,
        -(10**400),
        0.5,
        1e308,
        float("nan"),
        float("inf"),
    ),
    *(
        "",
        "x",
        "\0",
        "\ud800",
        "\u202e",
        "=1",
        "x" * 5000,
        b"x",
        object(),
        {1, 2},
        (1, 2),
        [],
        {},
        [[]],
        [{}],
    ),
    *(
        {"value": 1},
        {"a": {"b": 1}},
        {None: 1},
        {1: 2},
        {"": 1},
        {(1, 2): 3},
        {"\ud800": 1},
        complex(1, 2),
        range(3),
    ),
]


def plain(rng: Random, depth: int = 0) -> Any:
    """A value as Python has it, for overrides."""
    kind = rng.random()
    if kind < 0.75 or depth > 3:
        return rng.choice(PLAIN)
    if kind < 0.85:
        return [plain(rng, depth + 1) for _ in range(rng.randint(0, 4))]
    if kind < 0.99:
        return {name(rng): plain(rng, depth + 1) for _ in range(rng.randint(0, 4))}
    nested: Any = 1
    for _ in range(rng.choice([10, 30, 500])):
        nested = [nested] if rng.random() < 0.5 else {"a": nested}
    return nested


def name(rng: Random) -> str:
    """A key, or a part of one."""
    return rng.choice(rng.choice([WORDS, SIGNS, NUMBERS, WORDS]))


FILES = [
    *("my.yaml", "a b.yaml", "=1+1.yaml", "@x.yaml", "-x.yaml", "%s.yaml", "<b>.yaml", "\u202elmay.yaml"),
    *(
        "a\nb.yaml",
        "\x1b[2J.yaml",
        "'\".yaml",
        "\u200b.yaml",
        "進撃.yaml",
        "x" * 200 + ".yaml",
        "{0}.yaml",
        "\t.yaml",
    ),
]
