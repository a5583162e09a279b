"""The observation written a second time, from the oracle and the public log alone: piece by piece, in plain Python."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from oracle import OracleDeal, is_gouji, opposite

from gouji_env.cards import KINDS, SEATS
from gouji_env.sets import CardSet

Events = list[dict[str, Any]]
BASES = 14
MOVES = ("play", "pass", "yield", "throw")


def one_hot(length: int, index: int | None) -> list[int]:
    return [int(i == index) for i in range(length)]


def flat(parts: Iterable[list[int]]) -> list[int]:
    return list(chain.from_iterable(parts))


def counts(cards: str) -> list[int]:
    return [cards.count(kind) for kind in KINDS]


def set_parts(cards: str | None) -> tuple[list[int], list[int]]:
    """(base one-hot, [base cards, hung 2s, small jokers, big jokers]) of a set."""
    if cards is None:
        return [0] * BASES, [0] * 4
    made = CardSet.parse(cards)
    base = BASES - 1 if made.base is None else made.base
    return one_hot(BASES, base), [made.naturals, made.twos, made.small, made.big]


class Log:
    """What the public events of a deal add up to."""

    def __init__(self, hands: list[str], natural_tribute: bool) -> None:
        self._natural_tribute = natural_tribute
        self.shown = [""] * SEATS
        self.known = [dict.fromkeys(KINDS, 0) for _ in range(SEATS)]
        self.held = [len(hand) for hand in hands]
        self.last_sets: list[str | None] = [None] * SEATS
        self.moves: list[tuple[str, int, str | None]] = []
        self.victims: dict[int, int] = {}  # of burning sets that still stand
        self.burner = None  # owner of the table set, if that burned another
        self.yielded = False
        self._read = 0

    def read(self, events: Events) -> None:
        """Go on to the end of a log that has grown."""
        for event in events[self._read :]:
            read = getattr(self, f"_{event['event']}", None)
            if read is not None:
                read(event)
        self._read = len(events)

    def _lay(self, seat: int, cards: str) -> None:
        self.shown[seat] += cards
        self.held[seat] -= len(cards)

    def _play(self, event: dict[str, Any]) -> None:
        seat, cards = event["seat"], event["set"]
        self._lay(seat, cards)
        self.last_sets[seat] = cards
        self.moves.append(("play", seat, cards))
        self.victims.pop(self.burner, None)
        self.burner, self.yielded = None, False

    def _burn(self, event: dict[str, Any]) -> None:
        self.burner = event["seat"]
        self.victims[event["seat"]] = event["victim"]

    def _pass(self, event: dict[str, Any]) -> None:
        self.moves.append(("pass", event["seat"], None))

    def _yield(self, event: dict[str, Any]) -> None:
        self.moves.append(("yield", event["seat"], None))
        self.yielded = True

    def _throw(self, event: dict[str, Any]) -> None:
        fours = "4" * event["cards"]
        self._lay(event["seat"], fours)
        self.moves.append(("throw", event["seat"], fours))

    def _choke(self, event: dict[str, Any]) -> None:
        seat = event["seat"]
        self._lay(seat, "3" * self.held[seat])
        self.victims.pop(seat, None)

    def _out(self, event: dict[str, Any]) -> None:
        self.victims.pop(event["seat"], None)

    def _fail(self, event: dict[str, Any]) -> None:
        self.victims.pop(event["seat"], None)
        self.held[event["seat"]] = 0

    def _revolt(self, event: dict[str, Any]) -> None:
        self.held[event["seat"]] = 0

    def _round_end(self, event: dict[str, Any]) -> None:
        self.burner, self.yielded = None, False

    def _free_for_all(self, event: dict[str, Any]) -> None:
        self.victims.clear()

    def _hand_over(self, giver: int, receiver: int, card: str, own: bool) -> None:
        """A card that was dealt to its giver tells nothing of what came to him before."""
        if not own:
            self.known[giver][card] = max(self.known[giver][card] - 1, 0)
        self.known[receiver][card] += 1
        self.held[giver] -= 1
        self.held[receiver] += 1

    def _buy(self, event: dict[str, Any]) -> None:
        self._hand_over(event["seller"], event["seat"], event["card"], False)
        if event["payer"] is not None:
            self._hand_over(event["payer"], event["seller"], "2", True)

    def _tribute(self, event: dict[str, Any]) -> None:
        self._hand_over(event["seat"], event["to"], event["card"], self._natural_tribute)

    def _return(self, event: dict[str, Any]) -> None:
        self._hand_over(event["seat"], event["to"], event["card"], False)


def encode(oracle: OracleDeal, log: Log, seat: int, offer: str | None, refused: str) -> dict[str, list[int]]:
    """Every piece of the observation of ``seat`` but ``selection`` and ``rules``, raw."""
    decides = oracle.turn == seat
    pieces = _cards(oracle, log, seat) | _seats(oracle, log, seat) | _table(oracle, log, seat)
    phases = ("revolt", "renounce", "return", "accept")
    pieces |= {
        "own_turn": [int(decides)],
        "setup": [int(decides and oracle.phase == phase) for phase in phases],
        "offered": counts(offer or ""),
        "refused": counts(refused),
        "free_for_all": [int(oracle.free_for_all), int(oracle.put_off)],
        "round": [oracle.round - 1],
    }
    return pieces | _revolution(oracle, seat) | _past(log, seat)


def _from(seat: int) -> list[int]:
    """The seats in the order of the observation: the observer, then in playing order."""
    return [(seat + step) % SEATS for step in range(SEATS)]


def _relative(seat: int, other: int | None) -> list[int]:
    return one_hot(SEATS, None if other is None else (other - seat) % SEATS)


def _cards(oracle: OracleDeal, log: Log, seat: int) -> dict[str, list[int]]:
    own, deck = counts(oracle.hands[seat]), oracle.rules.deck.counts()
    steps = [int(n < have) for kind, have in zip(KINDS, own, strict=True) for n in range(4 if kind in "sb" else 8)]
    seen = [counts(log.shown[other]) for other in _from(seat)]
    known = [[max(log.known[other][kind] - log.shown[other].count(kind), 0) for kind in KINDS] for other in _from(seat)]
    partners = [oracle.hands[(seat + step) % SEATS] for step in (2, 4)]
    shows = oracle.rules.partner_view == "le10"
    return {
        "own_hand": own,
        "own_hand_steps": steps,
        "seen": flat(seen),
        "unseen": [
            n - have - sum(other[k] for other in seen) for k, (n, have) in enumerate(zip(deck, own, strict=True))
        ],
        "known": flat(known),
        "partner_hands": flat(counts(hand if shows and len(hand) <= 10 else "") for hand in partners),
    }


def _seats(oracle: OracleDeal, log: Log, seat: int) -> dict[str, list[int]]:
    others = _from(seat)
    held = [len(oracle.hands[other]) for other in others]
    assert held == [log.held[other] for other in others]
    return {
        "held": held,
        "held_few": [int(n <= few) for n in held for few in (1, 2, 3, 5, 10)],
        "live": [int(oracle.gone[other] is None) for other in others],
        "passed": [int(oracle.passed[other]) for other in others],
        "headed": [int(oracle.headed(other)) for other in others],
        "opened": [int(oracle.opened[other]) for other in others],
        "burners": [int(other in log.victims) for other in others],
        "victims": flat(_relative(seat, log.victims.get(other)) for other in others),
        "places": flat(one_hot(6, (oracle.places[other] or 0) - 1) for other in others),
        "own_duty": [int(oracle.duty[seat])],
        "own_natural": [int(oracle.natural[seat])],
    }


def _table(oracle: OracleDeal, log: Log, seat: int) -> dict[str, list[int]]:
    table, owner = oracle.table, oracle.owner
    base, parts = set_parts(table)
    gouji = table is not None and is_gouji(table, oracle.rules.gouji_twos)
    restricted = gouji and not oracle.free_for_all and oracle.headed(owner)
    burns = restricted and oracle.turn == seat and seat != opposite(owner) and oracle.headed(seat)
    lead_due = table is None and oracle.phase in ("play", "revolt", "renounce")
    return {
        "table_owner": _relative(seat, owner),
        "table_base": base,
        "table_cards": [sum(parts), *parts],
        "table_status": [int(gouji), int(log.burner is not None), int(restricted), int(log.yielded), int(lead_due)],
        "answer_burns": [int(burns)],
    }


def _revolution(oracle: OracleDeal, seat: int) -> dict[str, list[int]]:
    rebel = oracle.gone.index("revolt") if "revolt" in oracle.gone else None
    used = 0 if rebel is None else len(oracle.gouji_rounds[opposite(rebel)] - {oracle.round})
    return {"revolutionary": _relative(seat, rebel), "revolution_rights": [int(oracle.renounced), used]}


def _past(log: Log, seat: int) -> dict[str, list[int]]:
    last = [set_parts(log.last_sets[other]) for other in _from(seat)]
    history: list[int] = []
    for kind, mover, cards in log.moves[:-7:-1]:
        base, parts = set_parts(cards)
        history += _relative(seat, mover) + one_hot(4, MOVES.index(kind)) + base + parts
    length = 6 * (SEATS + 4 + BASES + 4)
    return {
        "last_sets": flat(base + parts for base, parts in last),
        "history": history + [0] * (length - len(history)),
    }
