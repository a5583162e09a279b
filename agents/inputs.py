"""Which pieces of the observation a network reads: those that can ever change under the rules it plays.

The observation has room for every rule set. Under one of them some pieces stand still, a fifth of all features under
``classic``: reading them teaches nothing and costs as much as the others.
"""

from collections.abc import Sequence

from gouji_env.engine import observation_layout
from gouji_env.rules import RuleSet

# Card counts and what lies between them: a good part of these is not zero. The others are one-hot or seldom filled.
FILLED_PIECES = frozenset({"own_hand", "seen", "unseen", "held", "held_few", "live", "passed", "headed", "round"})


def changing_pieces(rules: RuleSet) -> list[str]:
    """Names of the pieces that can change under ``rules``, in the order of the observation."""
    tribute = rules.tribute != "off"
    changes = {
        "known": tribute or rules.buy3 != "off" or rules.buy4 != "off",
        "partner_hands": rules.partner_view != "none",
        "opened": rules.open_four,
        "own_natural": rules.open_four,
        "setup": tribute or rules.revolution,
        "offered": tribute,
        "refused": tribute,
        "revolutionary": rules.revolution,
        "revolution_rights": rules.revolution,
        "rules": False,
    }
    return [piece.name for piece in observation_layout() if changes.get(piece.name, True)]


def columns(pieces: Sequence[str]) -> list[slice]:
    """Where the pieces lie in the observation, neighbours joined. Raises KeyError for a piece that does not exist."""
    layout = {piece.name: piece for piece in observation_layout()}
    parts: list[slice] = []
    for start, length in sorted((layout[name].start, layout[name].length) for name in pieces):
        if parts and parts[-1].stop == start:
            parts[-1] = slice(parts[-1].start, start + length)
        else:
            parts.append(slice(start, start + length))
    return parts
