"""The kinds of attack of Kraskar: whom each exhausts and who has it, as data. Nothing is imported for it."""

from __future__ import annotations

CAUSES = ("melee", "charge", "shot", "snipe", "thrust", "interception", "strike")
# Whom each attack exhausts: troop types (K12, K15, K17, K19); an interception and a strike nobody.
EXHAUSTS = {
    "melee": ("cavalry", "archer", "spearman", "infantry"),
    "charge": ("archer",),
    "shot": ("spearman",),
    "snipe": ("spearman",),
    "thrust": ("cavalry",),
}
# The only troop type that has an attack (K15 to K19); all have the melee, and a strike who carries one.
ONLY = {
    "charge": "cavalry",
    "shot": "archer",
    "snipe": "archer",
    "thrust": "spearman",
    "interception": "spearman",
}
