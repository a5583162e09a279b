"""Why an action is illegal: the sentence in IllegalAction."""

from typing import TYPE_CHECKING

from gouji_env.cards import KINDS, THREE, NotationError, parse_hand
from gouji_env.sets import CardSet

if TYPE_CHECKING:
    from gouji_env.deal import Deal

_WORDS = ("pass", "yield", "throw", "revolt", "keep", "renounce", "accept", "refuse")


def reason_against(deal: "Deal", action: object) -> str:
    """The rule that forbids an action which is not among ``deal.legal()``."""
    if not isinstance(action, str):
        return "an action is a text, as in legal()"
    if deal.phase != "play":
        return f"seat {deal.turn} decides in the phase {deal.phase!r}: {', '.join(deal.legal())} (section 8)"
    if action in _WORDS or action.startswith("give:"):
        return _against_word(deal, action)
    try:
        wanted = CardSet.parse(action)
    except NotationError as error:
        return str(error)
    return _against_holding(deal, action) or _against_set(deal, wanted)


def _against_word(deal: "Deal", action: str) -> str:
    if action == "pass":
        return "a leader must lead (section 4)"
    if action == "yield":
        return "one yields on the opposite's set alone, with a set that beats it, before a seat that may still play"
    if action == "throw":
        return "one throws only restricted 4s, at an own lead, and not as the whole hand (section 7)"
    return f"{action} belongs to the time before the first lead (section 8)"


def _against_holding(deal: "Deal", action: str) -> str:
    seat = deal.turn
    assert seat is not None
    missing = parse_hand(action) - deal.hand_counts(seat)
    short = [f"{int(n)} {KINDS[kind]}" for kind, n in enumerate(missing) if n > 0]
    return f"the hand lacks {', '.join(short)}" if short else ""


def _against_set(deal: "Deal", wanted: CardSet) -> str:
    rules = deal.rules
    if wanted.twos and not rules.hung_twos:
        return "2s are not hung under these rules (hung_twos off)"
    if wanted.base == THREE and rules.choke:
        return "3s are led only as the whole remaining hand, in one set without hung cards (section 7)"
    table = deal.table
    if table is None:
        assert deal.turn is not None
        if deal.duty[deal.turn] and not wanted.small + wanted.big:
            return "on burn duty every lead holds a joker or is the whole hand (section 5)"
        return "restricted 4s are led all together, without hung cards (section 7)"
    laid = CardSet.parse(table)
    if laid.big:
        return "a set with a big joker is dead: nothing beats it (section 2)"
    if wanted.size != laid.size:
        return f"it has {wanted.size} cards, the table set has {laid.size} (section 2)"
    if not wanted.beats(laid):
        return "not every card of it is higher than the card in the same place of the table set (section 2)"
    return "restricted 4s never answer (section 7)"
