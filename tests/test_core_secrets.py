"""What one seat may know does not depend on what it may not know (docs/rules.md section 10).

A deal is set beside another in which two seats have swapped a card that neither has shown, and in which everything
that is public happened alike. For the four others the two deals must look the same at every moment.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from core_support import (
    PLAYERS,
    THREE_RULE_SETS,
    Row,
    hand_of,
    play_some,
    random_rules,
    short_deal,
    short_start,
    states,
)

from gouji_env import Deal, RuleSet, engine
from gouji_env.cards import KIND_COUNT, SEATS
from gouji_env.engine import layout

Key = tuple[int, int, bool]  # the observer, how many events it knows, whether it decides
Looks = dict[Key, bytes]


def look(deal: Deal, seat: int) -> tuple[Key, bytes]:
    """All that a seat's view gives away, in bytes."""
    view = deal.view(seat)
    shown = (view.row.tobytes(), view.observation().tobytes(), view.action_mask().tobytes(), str(view.events))
    return (seat, len(view.events), view.decides), repr(shown).encode()


def watch(deal: Deal, looks: Looks, observers: list[int]) -> None:
    """Note what the observers see now. Who saw and knew as much before must have seen the same."""
    for seat in observers:
        key, seen = look(deal, seat)
        assert looks.setdefault(key, seen) == seen, (key, deal.phase, deal.turn)


def next_action(deal: Deal, told: list[dict[str, Any]]) -> str | None:
    """What the deciding seat did if the public log went on as told: None if the log cannot be true here."""
    event = told[len(deal.events)]
    action = "accept" if deal.phase == "accept" else "pass"
    if event.get("seat") == deal.turn:
        action = event.get("set") or {"offer": f"give:{event.get('card')}"}.get(event["event"], event["event"])
    return action if action in deal.legal() else None


def retell(rules: RuleSet, start: dict[str, Any], told: list[dict[str, Any]], observers: list[int]) -> Looks | None:
    """The same public log with other hands; None if they cannot have made it."""
    deal, looks = Deal.from_dealt(rules, **start), {}
    while deal.turn is not None and len(deal.events) < len(told):
        watch(deal, looks, observers)
        action = next_action(deal, told)
        if action is None:
            return None
        deal.act(action)
        if deal.events[: len(told)] != told[: len(deal.events)]:
            return None
    return looks


def swapped(hands: list[str], one: int, other: int, given: str, taken: str) -> list[str]:
    changed = list(hands)
    changed[one] = hands[one].replace(given, "", 1) + taken
    changed[other] = hands[other].replace(taken, "", 1) + given
    return changed


def worlds(rules: RuleSet, start: dict[str, Any], generator: Random) -> Iterator[tuple[list[int], Looks, Looks]]:
    """(observers, what they saw in a deal, what they saw in one that they cannot tell from it)."""
    deal, looks = Deal.from_dealt(rules, **start), {}
    before, player = deal.hands, generator.choice(PLAYERS)
    for _ in range(generator.randrange(5, 120)):
        if deal.turn is None or len([hand for hand in deal.hands if hand]) < 4:
            break
        watch(deal, looks, list(range(SEATS)))
        before = deal.hands
        deal.act(player(generator, deal.legal()))
    for _ in range(6):
        one, other = generator.sample([seat for seat in range(SEATS) if before[seat]], 2)
        given, taken = generator.choice(before[one]), generator.choice(before[other])
        if given == taken or given not in start["hands"][one] or taken not in start["hands"][other]:
            continue
        hands = swapped(start["hands"], one, other, given, taken)
        observers = [seat for seat in range(SEATS) if seat not in (one, other)]
        again = retell(rules, {**start, "hands": hands}, deal.events, observers)
        if again is not None:
            yield observers, looks, again


def compare_worlds(rules: RuleSet, start: dict[str, Any], generator: Random, seen: Counter) -> None:
    for observers, looks, again in worlds(rules, start, generator):
        seen["worlds"] += 1
        for key in looks.keys() & again.keys():
            if key[0] in observers:
                assert looks[key] == again[key], key
                seen["looks"] += 1
                seen["decisions"] += key[2]


@pytest.mark.parametrize("name", THREE_RULE_SETS)
def test_full_deals_look_the_same(name: str) -> None:
    rules, seen = RuleSet.preset(name), Counter()
    for seed in range(16):
        dealt = Deal.new(rules, seed).record()
        start = {key: dealt[key] for key in ("hands", "leader", "first_drawer")}
        compare_worlds(rules, start, Random(seed), seen)
    assert seen["worlds"] > 10 and seen["looks"] > 1000 and seen["decisions"] > 50


@pytest.mark.parametrize("chunk", range(3))
def test_short_deals_look_the_same(chunk: int) -> None:
    seen = Counter()
    for seed in range(chunk * 150, (chunk + 1) * 150):
        generator = Random(seed)
        rules = random_rules(generator, partner_view="none")
        compare_worlds(rules, short_start(generator, rules), generator, seen)
    assert seen["worlds"] > 100 and seen["looks"] > 3000 and seen["decisions"] > 300


# --- hidden rows


def test_a_hidden_row_is_enough_for_its_seat() -> None:
    """Observation and mask are the same from the hidden row, and hiding twice is hiding."""
    hidden, twice = np.empty(engine.ROW, np.int8), np.empty(engine.ROW, np.int8)
    one, other = np.empty(engine.OBSERVATION, np.int8), np.empty(engine.OBSERVATION, np.int8)
    masks = np.empty((2, engine.ACTIONS), np.int8)
    for row in states(full=6, short=150):
        for seat in range(SEATS):
            engine.hide(row, seat, hidden)
            engine.observe(row, seat, one)
            engine.observe(hidden, seat, other)
            assert np.array_equal(one, other)
            engine.hide(hidden, seat, twice)
            assert np.array_equal(hidden, twice)
            if engine.turn(row) == seat:
                engine.mask(row, masks[0])
                engine.mask(hidden, masks[1])
                assert np.array_equal(masks[0], masks[1]) and engine.turn(hidden) == seat
            else:
                assert engine.turn(hidden) == -1


@pytest.mark.parametrize("partner_view", ["none", "le10"])
def test_whose_hands_a_seat_sees(partner_view: str) -> None:
    """Its own, and under le10 those of partners who hold ten cards or fewer."""
    seen = Counter()
    for seed in range(40):
        deal, generator = short_deal(seed, partner_view=partner_view), Random(seed)
        if seed % 2:
            deal = Deal.new(RuleSet.preset("classic").replace(partner_view=partner_view), seed)
            play_some(deal, generator, 60)
        while deal.turn is not None:
            for seat in range(SEATS):
                row = deal.view(seat).row
                for other in range(SEATS):
                    hand = hand_of(deal.row, other)
                    few = partner_view == "le10" and (other - seat) % 2 == 0 and sum(hand) <= 10
                    assert hand_of(row, other) == (hand if other == seat or few else [0] * len(hand))
                    seen[other == seat, few] += any(hand)
            play_some(deal, generator, 1)
    assert min(seen.values()) > 500


def test_a_hidden_row_has_no_seed() -> None:
    deal = Deal.new(RuleSet.preset("classic"), 12345)
    assert int(engine.deal_seed(deal.row)) == 12345
    assert [int(engine.deal_seed(deal.view(seat).row)) for seat in range(SEATS)] == [0] * SEATS


def test_a_hidden_row_does_not_change_with_what_is_secret() -> None:
    """Every field that a seat may not know is changed; its row stays the same, byte by byte."""
    generator, changed = np.random.default_rng(1), Counter()
    one, other = np.empty(engine.ROW, np.int8), np.empty(engine.ROW, np.int8)
    for row in states(full=2, short=250):
        for seat in range(SEATS):
            disguised = row.copy()
            changed.update(disguise(disguised, seat, generator))
            engine.hide(row, seat, one)
            engine.hide(disguised, seat, other)
            assert np.array_equal(one, other), (seat, np.flatnonzero(one != other))
    assert changed.keys() == {"always", "hand", "exempt", "turn", "yielded", "asked again", "revolt"}
    assert min(changed.values()) > 10


def disguise(row: Row, seat: int, generator: np.random.Generator) -> Iterator[str]:
    """Change everything that a seat may not know; tells what there was to change."""
    yield "always"
    others = generator.integers(1, 64) & ~(1 << seat)
    for secret in (layout.DUTY, layout.NATURAL):
        row[secret] ^= others
    row[layout.VOID : layout.VOID + KIND_COUNT] += 1
    row[layout.LEADER] = (row[layout.LEADER] + 1) % SEATS
    row[layout.SEED : layout.SEED + 8] += 1
    row[layout.EVENT_COUNT : layout.KNOWN] += 1
    for owner in range(SEATS):
        few = row[layout.PARTNER_VIEW] and (owner - seat) % 2 == 0 and row[layout.HELD + owner] <= 10
        if owner != seat and not few and row[layout.HELD + owner]:
            yield "hand"
            hand = slice(layout.HAND + owner * KIND_COUNT, layout.HAND + (owner + 1) * KIND_COUNT)
            row[hand] = np.roll(row[hand], 1)
    if row[layout.PHASE] in (layout.PHASE_RETURN, layout.PHASE_ACCEPT):
        yield "exempt"
        row[layout.EXEMPT_SEATS] ^= 63
    if row[layout.TURN] != seat and row[layout.PHASE] != layout.PHASE_OVER:
        yield "turn"
        yield from disguise_turn(row, seat)


def disguise_turn(row: Row, seat: int) -> Iterator[str]:
    """Another of the others decides, in the middle of an action, somewhere else in the queue."""
    row[layout.TURN] = next(other for other in range(SEATS) if other not in (seat, row[layout.TURN]))
    row[layout.COMPOSING] ^= 1
    row[layout.SELECTED_BASE : layout.SELECTED_SIZE + 1] += 1
    if row[layout.YIELDED]:
        yield "yielded"
        row[layout.YIELDED], row[layout.CURSOR] = 0, layout.CURSOR_AFTER_YIELD
    elif row[layout.CURSOR] == layout.CURSOR_AFTER_YIELD:
        yield "asked again"
        row[layout.YIELDED], row[layout.CURSOR] = 1, 4
    else:
        row[layout.CURSOR] = (row[layout.CURSOR] + 1) % layout.CURSOR_AFTER_YIELD
    if row[layout.PHASE] in (layout.PHASE_REVOLT, layout.PHASE_RENOUNCE):
        yield "revolt"
        row[layout.PHASE] = layout.PHASE_PLAY
        row[layout.SHOWN : layout.VOID] = 0
