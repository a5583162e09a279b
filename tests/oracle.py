"""A slow referee of one deal of Gouji: the oracle that the compiled engine is tested against.

It is docs/rules.md written down a second time, by somebody who has not seen the engine and with the shortest way from a
sentence of the rules to a line of code in mind. It imports nothing of the project. "Section 4.3" and the like are
sections of docs/rules.md.

The deal is a *script*: a generator that plays it from the first decision to the last and stops, with
``yield phase, seat, options``, wherever a seat has something to decide. So a round reads from top to bottom as it is
played at a table, and what is to be asked next is kept nowhere but in the place where the script stands.
``OracleDeal`` holds what the script knows and hands the decisions out.

Not here: shuffling, dealing and who shows his 3s or 4s first (sections 8.1 and 8.5). Hands and first leader are given.
"""

from collections import Counter
from functools import cache, lru_cache
from operator import gt

KINDS = "3456789TJQKA2sb"
JOKERS = "sb"
SEATS = range(6)
PURE_GOUJI = {"T": 5, "J": 4, "Q": 3, "K": 2, "A": 2}
POINTS = {1: 4, 2: 2, 3: 0, 4: 0, 5: -2, 6: -4}
OPPOSITE, PARTNERS, NEIGHBOURS, IN_TURN = 3, (2, 4), (1, 5), (1, 2, 3, 4, 5)
BURN_ORDERS = {
    "fed_first": (2, 4, 1, 5, OPPOSITE),
    "seat_first": (1, 2, 4, 5, OPPOSITE),
    "seat_around": (1, 2, OPPOSITE, 4, 5),
}
SELLERS = {
    "enemy_first": (OPPOSITE, *NEIGHBOURS, *PARTNERS),
    "partner_first": (OPPOSITE, *PARTNERS, *NEIGHBOURS),
}


# Seats and cards


def opposite(seat):
    return (seat + OPPOSITE) % 6


def same_side(seat, other):
    return seat % 2 == other % 2


def around(seat, steps=IN_TURN):
    """The seats that many steps after `seat`; all the others in turn unless told."""
    return [(seat + step) % 6 for step in steps]


def high_to_low(cards):
    return "".join(sorted(cards, key=KINDS.index, reverse=True))


def without(hand, cards):
    for card in cards:
        hand = hand.replace(card, "", 1)
    return hand


def only(kind, cards):
    return set(cards) == {kind}


# Sets (section 2)


@lru_cache(maxsize=10_000)
def every_set(hand, hung_twos):
    """Every set that can be made of a hand, in the one spelling it has."""
    held = Counter(hand)
    jokers = ["b" * b + "s" * s for b in range(held["b"] + 1) for s in range(held["s"] + 1)]
    found = jokers[1:]  # the first is none at all
    for base in KINDS.strip(JOKERS):
        may_hang = held["2"] if hung_twos and base != "2" else 0
        for naturals in range(1, held[base] + 1):
            for twos in range(may_hang + 1):
                found += [hung + "2" * twos + base * naturals for hung in jokers]
    return tuple(found)


@cache
def positions(cards):
    """The ranks of a set from high to low, hung 2s counted as the base rank."""
    base = cards[-1]
    return sorted((KINDS.index(card if card in JOKERS else base) for card in cards), reverse=True)


def beats(answer, table):
    """Positional dominance: every card is strictly higher than the card in the same place."""
    return len(answer) == len(table) and all(map(gt, positions(answer), positions(table)))


def has_joker(cards):
    return "b" in cards or "s" in cards


def is_dead(cards):
    return "b" in cards


def is_gouji(cards, gouji_twos):
    least = {**PURE_GOUJI, "2": gouji_twos}
    base = cards[-1]
    return has_joker(cards) or (base in least and len(cards) >= least[base])


def is_pure_gouji(cards):
    base = cards[-1]
    return only(base, cards) and base in PURE_GOUJI and len(cards) >= PURE_GOUJI[base]


def has_pure_gouji_group(hand):
    return any(hand.count(kind) >= least for kind, least in PURE_GOUJI.items())


# Tribute (section 8.4)


def is_sweep(places):
    return {places[seat] for seat in (0, 2, 4)} in ({1, 2, 3}, {4, 5, 6})


def debts(tribute, previous):
    """What the previous deal leaves owing: (payer, receiver, number of cards), in the order of payment."""
    places = previous["places"]
    if tribute == "off" or is_sweep(places):
        return []
    owed = []
    if tribute == "full":
        opened = previous["opened"]
        owed += [(seat, opposite(seat), 1) for seat in SEATS if opened[opposite(seat)] and not opened[seat]]
        owed += [(victim, burner, 1) for victim, burner in previous["burns"]]
        owed += [(choked, choker, 1) for choked, choker in previous["chokes"]]
    owed += [(places.index(6), places.index(1), 2), (places.index(5), places.index(2), 1)]
    return [debt for debt in owed if not same_side(debt[0], debt[1])]


class OracleDeal:
    """One deal, its referee, and all that the referee knows.

    `rules` is any object whose attributes are the switches of section 9 (`pass_`, `yield_`, `return_` in Python).
    """

    def __init__(self, rules, hands):
        self.rules = rules
        self.hands = [high_to_low(hand) for hand in hands]
        self.dealt = list(self.hands)  # what each seat still has of the cards dealt to it
        self.natural = [rules.open_four and not has_pure_gouji_group(hand) for hand in self.hands]
        self.gone = [None] * 6  # None while live, else how the seat left: "out", "choke", "fail", "revolt"
        self.places = [None] * 6
        self.void = False
        self.first_leader = None

        self.round = 1
        self.table = self.owner = None
        self.table_burns = False  # is the table set a burning set?
        self.won = None  # (owner, set) that stood at the end of the last round
        self.passed = [False] * 6
        self.free_for_all = False
        self.put_off = False  # the free-for-all waits for the end of the round

        self.victims = [None] * 6  # whom a seat on burn duty has burned
        self.opened = [False] * 6
        self.last_sets = {}  # seat: (round, set) of those who played their last card
        self.gouji_rounds = [set() for _ in SEATS]  # rounds in which a seat laid gouji sets
        self.renounced = False
        self.burns = []  # [victim, burner] of burning sets that earn tribute as matters stand
        self.chokes = []  # [choked, choker]
        self.events = []

        self.turn = self.phase = self._options = self._script = None

    @classmethod
    def from_hands(cls, rules, hands, leader):
        deal = cls(rules, hands)
        return deal._begin(deal._play(leader))

    @classmethod
    def from_dealt(cls, rules, hands, leader, first_drawer=0, previous=None):
        deal = cls(rules, hands)
        return deal._begin(deal._whole_deal(leader, first_drawer, previous))

    # What the deal shows

    @property
    def duty(self):
        return [victim is not None for victim in self.victims]

    @property
    def points(self):
        """Points of side 0 and side 1 (section 6); None until the deal is over."""
        if self.phase != "over":
            return None
        if self.void:
            return 0, 0
        points = sum(POINTS[self.places[seat]] for seat in (0, 2, 4)) * (2 if is_sweep(self.places) else 1)
        return points, -points

    def legal(self):
        return sorted(self._options)

    def act(self, action):
        if action not in self._options:
            raise ValueError(f"seat {self.turn} may not {action!r} on {self.table!r}")
        self._go_on(action)

    def headed(self, seat):
        """Section 3: the opposite is still there, or counts as if he were."""
        other = opposite(seat)
        way = self.gone[other]
        if way is None:
            return True
        if way == "out":
            return self._dead_reply(seat)
        if way == "choke":
            return self.rules.choke_keeps_head
        if way == "fail":
            return self.rules.fail_keeps_head
        earlier_rounds = self.gouji_rounds[seat] - {self.round}
        rights_left = len(earlier_rounds) < self.rules.revolution_rights
        return 1 not in self.places and rights_left and not self.renounced

    def summary(self):
        return {
            "places": list(self.places),
            "opened": list(self.opened),
            "burns": [list(burn) for burn in self.burns],
            "chokes": [list(choke) for choke in self.chokes],
            "leader": self.first_leader,
        }

    # The script and its decisions

    def _begin(self, script):
        self._script = script
        self._go_on(None)
        return self

    def _go_on(self, action):
        try:
            self.phase, self.turn, self._options = self._script.send(action)
        except StopIteration:
            self.phase, self.turn, self._options = "over", None, []

    def _whole_deal(self, leader, first_drawer, previous):
        """Section 8, then the rounds."""
        yield from self._revolution(first_drawer)
        if self.void:
            return
        leader = self._live_from(leader)
        self._buy("3", self.rules.buy3, leader)
        self._buy("4", self.rules.buy4, leader)
        if previous is not None:
            yield from self._tribute(previous)
        yield from self._play(leader)

    def _play(self, leader):
        """Sections 4 to 7: round after round until the deal is over."""
        self.first_leader = leader
        while not self._is_over():
            leads = self._leads(leader)
            if not leads:  # only burn duty can leave a leader without one
                leader = self._fail(leader)
                continue
            action = yield "play", leader, leads
            if action == "throw":
                self._throw(leader)
                continue
            self._lay(leader, action)
            yield from self._rest_of_round()
            leader = self._end_round()
        self._share_free_places()

    # A round (section 4)

    def _rest_of_round(self):
        while not self._is_over():
            answer = yield from self._answer()
            if answer is None:
                return
            self._lay(*answer)

    def _answer(self):
        """The (seat, set) that beats the table set, or None if the round ends."""
        if is_dead(self.table):
            return None
        if self.free_for_all:
            return (yield from self._answer_in_free_for_all())
        if self._restricted():
            return (yield from self._answer_restricted())
        return (yield from self._answer_open())

    def _answer_in_free_for_all(self):
        """Section 4.2: a decline is not final. Seats have passed only if the round began before."""
        return (yield from self._ask_in_turn(self._may_speak(IN_TURN), decline=self._log_pass))

    def _answer_restricted(self):
        """Section 4.3. The decline of anybody but the opposite is silence."""
        other = opposite(self.owner)

        def decline(seat):
            if seat == other:
                self._pass(seat)

        return (yield from self._ask_in_turn(self._restricted_queue(), decline, may_yield=self.rules.yield_ == "any"))

    def _restricted_queue(self):
        order = BURN_ORDERS[self.rules.burn_order]
        if self.table_burns and not self.rules.counter_burn:
            order = (OPPOSITE,)  # section 5
        return self._may_speak(order)

    def _may_speak(self, order):
        """Live seats that have not passed, and the opposite also if he has, unless passes are strict."""
        excused = opposite(self.owner) if self.rules.pass_ == "opp_last" else None
        live = [seat for seat in around(self.owner, order) if self._live(seat)]
        return [seat for seat in live if not self.passed[seat] or seat == excused]

    def _answer_open(self):
        """Section 4.4."""
        declined = []

        def decline(seat):
            declined.append(seat)
            self._pass(seat)

        queue = [seat for seat in around(self.owner) if self._live(seat) and not self.passed[seat]]
        answer = yield from self._ask_in_turn(queue, decline, may_yield=self.rules.yield_ != "none")
        if answer is None and self._asked_once_more(opposite(self.owner), declined):
            answer = yield from self._ask_in_turn([opposite(self.owner)], decline)
        return answer

    def _asked_once_more(self, other, declined):
        """Not if his own decline of this table set was the last: then there is nothing new to decide."""
        may_close = self.rules.pass_ == "opp_last" and self._live(other) and self.passed[other]
        return may_close and declined[-1:] != [other]

    def _ask_in_turn(self, queue, decline, may_yield=False):
        """Ask seat after seat, until one beats the table set: (seat, set), or None.

        Those who come after the opposite, where anybody does, are the lower two as far as they are live and have not
        passed: to them he may yield. He comes again when they have declined; if one of them plays, he has passed.
        """
        yielder = None
        while queue:
            seat, *queue = queue
            sets = self._answers(seat)
            action = "pass"  # by itself, where nothing else is legal
            if sets:
                yields = ["yield"] if may_yield and seat == opposite(self.owner) and queue else []
                action = yield "play", seat, [*sets, "pass", *yields]
            if action == "yield":
                self._log("yield", seat)
                yielder = seat
                queue.append(seat)
            elif action == "pass":
                decline(seat)
            else:
                if yielder not in (None, seat):
                    self.passed[yielder] = True
                return seat, action
        return None

    def _pass(self, seat):
        self.passed[seat] = True
        self._log_pass(seat)

    def _log_pass(self, seat):
        self._log("pass", seat)

    def _end_round(self):
        """Section 4.5. Returns who leads next."""
        self._log("round_end", self.owner)
        leader = self._live_from(self.owner)
        self.won = self.owner, self.table
        self.table = self.owner = None
        self.table_burns = False
        self.passed = [False] * 6
        self.round += 1
        if self.put_off:
            self._start_free_for_all()
        return leader

    # Laying a set

    def _lay(self, seat, cards):
        beaten, beaten_owner = self.table, self.owner
        burns = beaten is not None and self._is_burner(seat)
        if self._opens(seat, cards):
            self.opened[seat] = True
        self._log("play", seat, cards=cards, burn=burns)
        self.hands[seat] = without(self.hands[seat], cards)
        if is_gouji(cards, self.rules.gouji_twos):
            self.gouji_rounds[seat].add(self.round)
        if beaten is not None:
            self._beaten(beaten_owner, by=seat)
        self.table, self.owner, self.table_burns = cards, seat, burns
        if burns:
            self._burn(seat, victim=beaten_owner)
        if not self.hands[seat]:
            self.last_sets[seat] = self.round, cards
            self._leave(seat, "out", min(self._free_places()))
        self._look_for_free_for_all()

    def _beaten(self, owner, by):
        if self.table_burns:  # section 5: the duty ends; section 8.4: the burn earns nothing
            self.victims[owner] = None
            self.burns.pop()
        if self.rules.choke and only("3", self.hands[owner]):
            self.chokes.append([owner, by])
            self._leave(owner, "choke", max(self._free_places()))

    # Gouji sets and burning (sections 3, 4.3 and 5)

    def _restricted(self):
        """Is the table set one that only the opposite may answer? Not asked in the free-for-all."""
        return is_gouji(self.table, self.rules.gouji_twos) and self.headed(self.owner)

    def _is_burner(self, seat):
        """Would it be a burn if this seat beat the table set?"""
        if self.free_for_all or seat == opposite(self.owner):
            return False
        return self._restricted() and self.headed(seat)

    def _may_burn(self, seat):
        if not (self.rules.open_four and self.rules.burn_after_open):
            return True
        return "4" not in self.hands[seat] or self.opened[seat] or self.natural[seat]

    def _burn(self, burner, victim):
        self.burns.append([victim, burner])
        self.victims[burner] = None if self._is_exempt(burner) else victim

    def _is_exempt(self, burner):
        """Is the rest of the hand empty, or could it be led as one set? A hand that is a set is spelt like it."""
        rest = self.hands[burner]
        return not rest or (rest in every_set(rest, self.rules.hung_twos) and self._may_lead(burner, rest))

    def _fail(self, seat):
        """Out for want of a lead that burn duty allows. Returns who leads instead."""
        victim = self.victims[seat]
        self.burns = [burn for burn in self.burns if burn[1] != seat]
        self._leave(seat, "fail", max(self._free_places()))
        self._look_for_free_for_all()
        return self._live_from(victim)

    # What may be laid (sections 5 and 7)

    def _leads(self, seat):
        hand = self.hands[seat]
        leads = [cards for cards in every_set(hand, self.rules.hung_twos) if self._may_lead(seat, cards)]
        if self.duty[seat]:
            leads = [cards for cards in leads if has_joker(cards) or cards == hand]
        return leads + (["throw"] if self._may_throw(seat) else [])

    def _may_lead(self, seat, cards):
        hand = self.hands[seat]
        if self.rules.choke and "3" in cards:
            return cards == hand and only("3", cards)
        if self._fours_restricted(seat) and "4" in cards:
            return cards == "4" * hand.count("4")
        return True

    def _answers(self, seat):
        if self._is_burner(seat) and not self._may_burn(seat):
            return []
        return [
            cards
            for cards in every_set(self.hands[seat], self.rules.hung_twos)
            if beats(cards, self.table) and self._may_answer(seat, cards)
        ]

    def _may_answer(self, seat, cards):
        if self.rules.choke and "3" in cards:
            return False
        return not (self._fours_restricted(seat) and "4" in cards)

    def _fours_restricted(self, seat):
        return self.rules.open_four and not self.free_for_all and not self.natural[seat]

    def _may_throw(self, seat):
        hand = self.hands[seat]
        holds_fours = "4" in hand and not only("4", hand)
        return self.rules.four_fate == "throw" and self._fours_restricted(seat) and holds_fours

    def _throw(self, seat):
        fours = "4" * self.hands[seat].count("4")
        self.hands[seat] = without(self.hands[seat], fours)
        self._log("throw", seat, cards=fours)

    def _opens(self, seat, cards):
        """Section 7: the lead of all his 4s comes right after his pure gouji set won, with all six taking part.

        A seat whose 4s are restricted can lay them in no other way than by leading them all.
        """
        nobody_out = set(self.gone) <= {None, "revolt"}
        in_time = self.won is not None and self.won[0] == seat and is_pure_gouji(self.won[1])
        return self._fours_restricted(seat) and only("4", cards) and nobody_out and in_time

    # Going out, free-for-all, end (sections 3 and 6)

    def _live(self, seat):
        return self.gone[seat] is None

    def _live_seats(self):
        return [seat for seat in SEATS if self._live(seat)]

    def _live_from(self, seat):
        """This seat if it is live, else the next live one after it; None if there is none."""
        return next((each for each in (seat, *around(seat)) if self._live(each)), None)

    def _free_places(self):
        return {1, 2, 3, 4, 5, 6} - set(self.places)

    def _leave(self, seat, way, place):
        self.gone[seat] = way
        self.hands[seat] = ""
        self.victims[seat] = None
        self._log(way, seat, place=place)
        self._take_place(seat, place)

    def _take_place(self, seat, place):
        self.places[seat] = place
        self._promote_revolutionary()

    def _promote_revolutionary(self):
        """Section 8.2: 3rd instead of 4th once both his partners are 1st and 2nd."""
        if "revolt" not in self.gone:
            return
        rebel = self.gone.index("revolt")
        if self.places[rebel] == 4 and {self.places[seat] for seat in around(rebel, PARTNERS)} == {1, 2}:
            if 3 in self.places:
                self.places[self.places.index(3)] = 4
            self.places[rebel] = 3

    def _dead_reply(self, seat):
        """Section 3 (a): the opposite went out in this very round as 1st or 2nd, and the reply is protected."""
        other = opposite(seat)
        if other not in self.last_sets or self.places[other] not in (1, 2):
            return False
        when, last_set = self.last_sets[other]
        protected = {"any": True, "gouji": is_gouji(last_set, self.rules.gouji_twos), "off": False}
        return when == self.round and protected[self.rules.siji]

    def _look_for_free_for_all(self):
        if self.free_for_all or self.put_off:
            return
        first_two = self.gone.count("out") + self.gone.count("revolt")
        if first_two < 2 and len(self._live_seats()) > 3:
            return
        if any(self._dead_reply(seat) for seat in SEATS if self._live(seat) or seat == self.owner):
            self.put_off = True
        else:
            self._start_free_for_all()

    def _start_free_for_all(self):
        self.free_for_all = True
        self.put_off = False
        self.victims = [None] * 6
        self._log("free_for_all", None)

    def _is_over(self):
        live = self._live_seats()
        if self.rules.end == "one":
            return len(live) <= 1
        return len({seat % 2 for seat in live}) < 2

    def _share_free_places(self):
        """Fewer cards first, then the lower seat; with `end: one` there is at most one seat to place."""
        for seat in sorted(self._live_seats(), key=lambda seat: (len(self.hands[seat]), seat)):
            self._take_place(seat, min(self._free_places()))
        self._log("over", None, places=list(self.places))

    # Before the first lead (section 8)

    def _revolution(self, first_drawer):
        """Section 8.2."""
        if not self.rules.revolution:
            return
        for seat in (first_drawer, *around(first_drawer)):
            if has_joker(self.dealt[seat]) or "2" in self.dealt[seat]:
                continue
            if (yield "revolt", seat, ["pass", "revolt"]) == "pass":
                continue
            if "revolt" in self.gone:
                self._log("revolt", seat)
                self._make_void()
                return
            self._leave(seat, "revolt", 4)
        if "revolt" in self.gone and self.rules.renounce:
            other = opposite(self.gone.index("revolt"))
            choice = yield "renounce", other, ["keep", "renounce"]
            self.renounced = choice == "renounce"
            self._log(choice, other)

    def _make_void(self):
        self.void = True
        self.places = [None] * 6
        self._log("void", None)

    def _buy(self, kind, order, leader):
        """Section 7, buying: every live seat without this kind, in turn from the first leader."""
        if order == "off":
            return
        for buyer in (leader, *around(leader)):
            if not self._live(buyer) or kind in self.hands[buyer]:
                continue
            seller, payer = self._deal_for(kind, buyer, around(buyer, SELLERS[order]))
            if seller is None:
                continue
            self._hand_over(kind, seller, buyer)
            if payer is not None:
                self._hand_over("2", payer, seller)
            self._log("buy", buyer, card=kind, seller=seller, payer=payer)

    def _deal_for(self, kind, buyer, order):
        """Who sells and who pays, None where nobody does."""
        sellers = [seat for seat in order if self._live(seat) and self.hands[seat].count(kind) >= 2]
        partners = [seat for seat in sellers if same_side(seat, buyer)]
        enemies = [seat for seat in sellers if not same_side(seat, buyer)]
        if "2" in self.dealt[buyer]:
            seller = next(iter(sellers), None)
            return seller, (buyer if seller in enemies else None)
        if partners:
            return partners[0], None
        payer = next((seat for seat in around(buyer, PARTNERS) if self._live(seat) and "2" in self.dealt[seat]), None)
        return (enemies[0], payer) if enemies and payer is not None else (None, None)

    def _hand_over(self, card, giver, receiver):
        self.hands[giver] = without(self.hands[giver], card)
        self.dealt[giver] = without(self.dealt[giver], card)
        self.hands[receiver] = high_to_low(self.hands[receiver] + card)

    def _tribute(self, previous):
        """Section 8.4: all payments, then the returns in the same order."""
        exempt = self._exempt_payers()
        paid = []
        for payer, receiver, number in debts(self.rules.tribute, previous):
            if payer not in exempt and self._live(payer) and self._live(receiver):
                paid += [(payer, receiver)] * self._pay(payer, receiver, number)
        if self.rules.return_ == "same":
            for payer, receiver in paid:
                yield from self._give_back(receiver, payer)

    def _exempt_payers(self):
        if not self.rules.exempt:
            return set()
        four_big = [seat for seat in SEATS if self.dealt[seat].count("b") == 4]
        four_small = [seat for seat in SEATS if self.dealt[seat].count("s") == 4]
        return {*four_small, *(seat for seat in SEATS for holder in four_big if same_side(seat, holder))}

    def _pay(self, payer, receiver, number):
        """Pay up to `number` cards, the highest first. Returns how many there were."""
        purses = self.dealt if self.rules.tribute_natural else self.hands
        for done in range(number):
            card = next((card for card in "bs2" if card in purses[payer]), None)
            if card is None:
                return done
            self._hand_over(card, payer, receiver)
            self._log("tribute", payer, to=receiver, card=card)
        return number

    def _give_back(self, giver, payer):
        """One card back, of a rank that the payer holds or does not refuse."""
        refused = set()
        while True:
            ranks = set(self.hands[giver]) - refused
            offer = yield "return", giver, [f"give:{rank}" for rank in ranks]
            rank = offer.removeprefix("give:")
            if rank in self.hands[payer] or len(ranks) == 1:
                break
            if (yield "accept", payer, ["accept", "refuse"]) == "accept":
                break
            self._log("refuse", payer, to=giver, card=rank)
            refused.add(rank)
        self._hand_over(rank, giver, payer)
        self._log("return", giver, to=payer, card=rank)

    def _log(self, event, seat, **more):
        self.events.append({"event": event, "seat": seat, **more})
