#!/usr/bin/env python3
"""A Gouji bot in plain Python: copy this file and change `choose`.

    gouji evaluate "cmd:python3 experiments/bots/bot.py" greedy --deals 20

It speaks the protocol of docs/bots.md and needs neither the project nor any other package.
"""

import json
import sys

KINDS = "3456789TJQKA2sb"  # low to high; s and b are the jokers
GOUJI_FROM = {"T": 5, "J": 4, "Q": 3, "K": 2, "A": 2}  # that many equal cards are a gouji set
LARGE_GROUP = 4  # equal cards: such a group is laid whole or not at all
NEAR_END = 12  # cards in hand; from here on jokers and 2s are spent


def choose(seat, rules, view, legal):
    """One of the legal actions: text such as "pass", "ss99" or "give:3"."""
    sets = [action for action in legal if all(card in KINDS for card in action)]
    if len(legal) == 1:
        return legal[0]
    if view["phase"] != "play":
        return before_the_first_lead(legal)
    for action in sets:
        if len(action) == len(view["hand"]):
            return action  # the whole hand: out
    if view["table"] is None:
        return min(sets or legal, key=lambda action: cost(action, view["hand"]))
    if partners_hold(seat, view) or would_burn(seat, rules, view):
        return "pass"
    cheap = [action for action in sets if affordable(action, view["hand"])]
    return min(cheap, key=lambda action: cost(action, view["hand"])) if cheap else "pass"


def before_the_first_lead(legal):
    """Stay loyal, keep the head, accept, give the lowest card."""
    for action in ("pass", "keep", "accept"):
        if action in legal:
            return action
    return min(legal, key=lambda action: KINDS.index(action[-1]))


def partners_hold(seat, view):
    """Whether the table set is a partner's who can lead on."""
    owner = view["owner"]
    return owner % 2 == seat % 2 and view["live"][owner]


def would_burn(seat, rules, view):
    """Whether the table set is a gouji set that only its owner's opposite answers freely."""
    owner = view["owner"]
    restricted = view["headed"][owner] and not view["free_for_all"]
    return restricted and (seat - owner) % 6 != 3 and is_gouji(view["table"], rules)


def is_gouji(cards, rules):
    base = cards[-1]  # a set is written jokers, 2s, then its base rank
    if "s" in cards or "b" in cards:
        return True
    if base == "2":
        return len(cards) >= rules["switches"]["gouji_twos"]
    return len(cards) >= GOUJI_FROM.get(base, 99)


def cost(cards, hand):
    """What a set costs, dear things first: jokers and 2s, then a group that is broken, then its rank."""
    base = cards[-1]
    return special(cards), hand.count(base) - cards.count(base), KINDS.index(base)


def special(cards):
    return sum(card in "2sb" for card in cards)


def affordable(cards, hand):
    """Whether an answer spends no joker and no 2 and breaks no large group, or the end is near."""
    base = cards[-1]
    broken = 0 < hand.count(base) - cards.count(base) and hand.count(base) >= LARGE_GROUP
    return len(hand) <= NEAR_END or not (special(cards) or broken)


def main():
    answers, sys.stdout = sys.stdout, sys.stderr  # a print() for debugging is then no answer
    seat = rules = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            seat, rules = message["seat"], message["rules"]
            answer = {"type": "ready", "protocol": 1, "name": "bot.py"}
        elif message["type"] == "decide":
            answer = {"id": message["id"], "action": choose(seat, rules, message["view"], message["legal"])}
        else:  # "deal", "bye", and what a later protocol may add
            continue
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
