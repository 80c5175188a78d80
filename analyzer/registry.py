"""Games and policies by name: what the rest of the program asks for, whichever module has it.

`rooms`: where games live, and what they say of themselves. `policy_choice`: policies by name or line.
`policy_source`: the modules and files they come from, their digests, and their way to other machines.
"""

from analyzer.policy_choice import (
    POLICIES,
    Chosen,
    choose,
    choose_again,
    default_policy,
    make,
    policies_of,
    policy,
    prepare,
)
from analyzer.policy_source import (
    MAX_SOURCE,
    bring,
    see_folder,
    sources_of,
)
from analyzer.rooms import (
    GAMES,
    MATCHUPS,
    PLAYERS,
    Room,
    axes,
    changed_config,
    forget_room,
    game_class,
    game_config,
    game_names,
    names_folder,
    player_counts,
    players_in_words,
    register_room,
    room,
    rooms,
)

__all__ = [
    "GAMES",
    "MATCHUPS",
    "MAX_SOURCE",
    "PLAYERS",
    "POLICIES",
    "Chosen",
    "Room",
    "axes",
    "bring",
    "changed_config",
    "choose",
    "choose_again",
    "default_policy",
    "forget_room",
    "game_class",
    "game_config",
    "game_names",
    "make",
    "names_folder",
    "player_counts",
    "players_in_words",
    "policies_of",
    "policy",
    "prepare",
    "register_room",
    "room",
    "rooms",
    "see_folder",
    "sources_of",
]
