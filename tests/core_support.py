"""Random rule sets, hands and players for the tests of the core, and readings of a row as plain numbers."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from gouji_env import Deal, RuleSet, engine
from gouji_env.cards import KIND_COUNT, KINDS, SEATS

THREE_RULE_SETS = ("classic", "yang2004", "qingdao")
DECKS = (216, {"threes": 6, "fours": 16}, {"threes": 6, "fours": 6}, {"threes": 16, "fours": 1})

Row = npt.NDArray[np.int8]

# Every switch with a value that classic does not have
CLASSIC_CHANGED: dict[str, Any] = {
    "deck": {"threes": 6},
    "first_lead": "threes",
    "first_lead_later": "last_place",
    "gouji_twos": 2,
    "burn_order": "fed_first",
    "pass": "strict",
    "yield": "any",
    "siji": "any",
    "four_fate": "play",
    "buy3": "enemy_first",
    "buy4": "partner_first",
    "revolution_rights": 0,
    "partner_view": "le10",
    "tribute": "full",
    "return": "none",
    "record": "positive_only",
    "end": "side",
    "hung_twos": False,
    "burn_after_open": True,
    "counter_burn": False,
    "fail_keeps_head": False,
    "choke": True,
    "choke_keeps_head": False,
    "open_four": True,
    "revolution": True,
    "renounce": True,
    "tribute_natural": True,
    "exempt": True,
}

_codes = np.empty(engine.MAX_SETS, np.int32)


@cache
def text_of(code: int) -> str:
    return engine.code_text(code)


def legal_codes(row: Row) -> list[int]:
    return _codes[: engine.legal_sets(row, _codes)].tolist()


def is_set(action: str) -> bool:
    """Whether a whole action lays cards."""
    return set(action) <= set(KINDS)


# --- what to play


def random_rules(generator: Random, **fixed: Any) -> RuleSet:
    """Every switch at random, but for those that are fixed."""
    switches: dict[str, Any] = {"deck": generator.choice(DECKS), "revolution_rights": generator.randrange(4)}
    for name, field in RuleSet.model_fields.items():
        if name not in ("deck", "revolution_rights", "first_lead"):
            switches[name] = generator.choice(get_args(field.annotation) or (True, False))
    return RuleSet.preset("classic").replace(**(switches | fixed))


def random_previous(generator: Random) -> dict[str, Any]:
    """A deal before, as ``Deal.summary`` gives it."""
    pairs = [[seat, other] for seat in range(SEATS) for other in range(SEATS) if seat != other]
    return {
        "places": generator.sample(range(1, SEATS + 1), SEATS),
        "leader": generator.randrange(SEATS),
        "opened": [generator.random() < 0.5 for _ in range(SEATS)],
        "burns": generator.sample(pairs, generator.randrange(4)),
        "chokes": generator.sample(pairs, generator.randrange(3)),
    }


def pack_of(rules: RuleSet) -> str:
    return "".join(KINDS[kind] * copies for kind, copies in enumerate(rules.deck.counts()))


def short_hands(rules: RuleSet, generator: Random, fewest: int = 3, most: int = 10) -> list[str]:
    """Six hands of a few cards of a few ranks, so that sets meet sets and the corners of the rules come up."""
    ranks = generator.sample(KINDS[:13], generator.randint(3, 7)) + list("34KA2sb")
    pack = [card for card in pack_of(rules) if card in ranks]
    generator.shuffle(pack)
    hands = []
    for _ in range(SEATS):
        size = min(generator.randint(fewest, most), len(pack) // SEATS)
        hands.append("".join(pack.pop() for _ in range(size)))
    return hands


# --- players: from the sorted legal actions to one of them


def uniform(generator: Random, legal: list[str]) -> str:
    return generator.choice(legal)


def sensible(generator: Random, legal: list[str]) -> str:
    """Often passes, seldom yields or throws, and lays small sets without jokers: deals become long and close."""
    if "pass" in legal and generator.random() < 0.35:
        return "pass"
    few = generator.sample(legal, min(4, len(legal)))
    return min(few, key=lambda action: (sum(card in "bs2" for card in action), len(action)))


PLAYERS = (uniform, sensible)


def play_some(deal: Deal, generator: Random, decisions: int) -> None:
    """Play on at random for so many whole actions, or to the end."""
    for _ in range(decisions):
        if deal.turn is None:
            return
        deal.act(generator.choice(PLAYERS)(generator, deal.legal()))


# --- reading a row

STATE = 4 + 6 * SEATS


@engine.njit
def read_state(row, out):
    """Who decides, who owns the table set, how every seat stands, into ``out`` (``int64[STATE]``)."""
    out[0], out[1] = engine.turn(row), engine.owner(row)
    out[2], out[3] = engine.free_for_all(row), engine.is_over(row)
    for seat in range(SEATS):
        first = 4 + 6 * seat
        out[first], out[first + 1] = engine.place(row, seat), engine.live(row, seat)
        out[first + 2], out[first + 3] = engine.passed(row, seat), engine.on_duty(row, seat)
        out[first + 4], out[first + 5] = engine.headed(row, seat), engine.cards_held(row, seat)


def hand_of(row: Row, seat: int) -> list[int]:
    return [engine.hand(row, seat, kind) for kind in range(KIND_COUNT)]


# --- many different states


def short_start(generator: Random, rules: RuleSet) -> dict[str, Any]:
    """Arguments of ``Deal.from_dealt``: short hands, anybody first, in half of the cases with a deal before."""
    return {
        "hands": short_hands(rules, generator),
        "leader": generator.randrange(SEATS),
        "first_drawer": generator.randrange(SEATS),
        "previous": generator.choice((None, random_previous(generator))),
    }


def short_deal(seed: int, **fixed: Any) -> Deal:
    """Short hands under random rules, going through what comes before the first lead."""
    generator = Random(seed)
    rules = random_rules(generator, **fixed)
    return Deal.from_dealt(rules, **short_start(generator, rules))


def deals(full: int, short: int) -> Iterator[tuple[Deal, Random]]:
    """So many fresh deals of each of the three rule sets, and so many short ones, each with a generator to play it."""
    for name in THREE_RULE_SETS:
        for seed in range(full):
            yield Deal.new(RuleSet.preset(name), seed), Random(seed)
    for seed in range(short):
        yield short_deal(seed), Random(seed)


def states(full: int, short: int) -> Iterator[Row]:
    """The rows of such deals at every decision; each is the caller's only until the next is asked for."""
    for deal, generator in deals(full, short):
        player = generator.choice(PLAYERS)
        while deal.turn is not None:
            yield deal.row
            legal = {text_of(code): code for code in legal_codes(deal.row)}
            engine.act_whole(deal.row, legal[player(generator, sorted(legal))])


# --- a player whose choices are the same for ever: data files rest on it


def steady_choice(streams: npt.NDArray[np.uint64], legal: list[str]) -> str:
    """The shorter of two actions drawn from ``streams[0]``."""
    one, other = (legal[engine.random_int(streams, 0, len(legal))] for _ in range(2))
    return min(one, other, key=len)
