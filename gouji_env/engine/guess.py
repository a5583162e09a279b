"""Guessing what a seat cannot see: hands drawn at random that fit what the seat knows (section 10).

For agents that search: they play guesses on to the end and look what comes of them. What fits:

* every hand holds as many cards as everybody can count, and hands that the seat sees stay as they are;
* a seat holds what it got in public (bought, tribute, returns) and has not shown since;
* after buying, who took part holds a card of the kind bought, as far as there are enough of them, or has shown one;
* a revolutionary's hand had no joker and no 2; who failed a burn had no joker;
* who offers a card as a return has it, and who refused one had none;
* with natural points and burn duty it is as the guessed hands say.

One more thing is likely, though not certain: players lay whole groups, so who has shown a rank of 3..A seldom has more
of it. A card is ten times as likely to be in a hand that has not shown its rank as in one that has shown a single one,
and thirty times as in one that has shown more, which is about what it is in deals of `expert`. Before anybody has shown
a card every way to deal that fits is equally likely, but that cards which a point above asks for are dealt first.
Nothing is drawn from who passed on what.
"""

import numpy as np

from gouji_env.cards import BIG, FOUR, JOKER_COPIES, RANK_COPIES, SMALL, TEN, THREE, TWO
from gouji_env.engine import layout as at
from gouji_env.engine.asking import live_or_next
from gouji_env.engine.bounds import is_one_set
from gouji_env.engine.gouji import gouji_count
from gouji_env.engine.jit import njit
from gouji_env.engine.observe import sees_hand
from gouji_env.engine.read import has_seat, known_cards, played, seat_after
from gouji_env.engine.rng import random_int
from gouji_env.engine.start import LEAD_LAST_PLACE, LEAD_ROTATE

NONE_SHOWN, ONE_SHOWN, MORE_SHOWN = 30, 3, 1  # chances of a card by how many of its rank a hand has shown
_JOKERS = 1 << SMALL | 1 << BIG
_JOKERS_AND_TWOS = _JOKERS | 1 << TWO


@njit
def guess_hands(row, seat, streams, i):
    """Fill in all that ``seat``, whose turn it is, may not know, drawn from ``streams[i]`` (``uint64[N]``), in place.

    ``row``: the seat's hidden row or the referee's; of the latter nothing hidden is read. Afterwards it is a whole
    deal that plays on to its end: hands, what was shown and what left the deal unseen make up the pack.
    """
    wanted = np.zeros(at.SEATS, np.int64)
    pool = np.empty(at.KINDS, np.int64)
    _forget(row, seat, wanted)
    void = _count_unseen(row, pool) - wanted.sum()
    void -= _deal_known(row, wanted, pool)
    _deal_offered(row, wanted, pool)
    _deal_bought(row, wanted, pool, streams, i)
    _deal_void(row, void, pool, streams, i)
    if row[at.PHASE] == at.PHASE_RETURN:
        payer = _debt_due(row) // at.SEATS
        _deal(row, at.HAND + payer * at.KINDS, wanted[payer], _refused(row), pool, streams, i)
        wanted[payer] = 0
    _deal_hands(row, wanted, pool, streams, i)
    _guess_status(row, seat)
    if row[at.PHASE] != at.PHASE_PLAY:
        _guess_leader(row, streams, i)


@njit
def _forget(row, seat, wanted):
    """Empty the hands that the seat does not see; ``wanted`` says how many cards each of them lacks."""
    for other in range(at.SEATS):
        if other != seat and not sees_hand(row, seat, other):
            wanted[other] = row[at.HELD + other]
            for kind in range(at.KINDS):
                row[at.HAND + other * at.KINDS + kind] = 0
    for kind in range(at.KINDS):
        row[at.VOID + kind] = 0


@njit
def _count_unseen(row, pool):
    """The cards of the deck that are neither in a hand now nor shown, by kind into ``pool``; returns how many."""
    unseen = 0
    for kind in range(at.KINDS):
        left = np.int64(JOKER_COPIES if kind >= SMALL else RANK_COPIES)
        if kind == THREE or kind == FOUR:
            left = np.int64(row[at.DECK_THREES if kind == THREE else at.DECK_FOURS])
        for other in range(at.SEATS):
            left -= row[at.HAND + other * at.KINDS + kind] + played(row, other, kind)
        pool[kind] = left
        unseen += left
    return unseen


@njit
def _give(row, hand, kind, pool):
    """A card of the pool to a hand, or to the void: ``hand`` is where its counts begin."""
    row[hand + kind] += 1
    pool[kind] -= 1


@njit
def _count_fitting(pool, forbidden):
    cards = 0
    for kind in range(at.KINDS):
        if not has_seat(forbidden, kind):
            cards += pool[kind]
    return cards


@njit
def _deal(row, hand, cards, forbidden, pool, streams, i):
    """So many cards of the pool at random, none of the kinds in the set ``forbidden`` while there are others."""
    fitting = _count_fitting(pool, forbidden)
    for _ in range(cards):
        if fitting == 0:
            forbidden = 0
            fitting = _count_fitting(pool, forbidden)
        pick = random_int(streams, i, fitting)
        kind = 0
        while has_seat(forbidden, kind) or pick >= pool[kind]:
            if not has_seat(forbidden, kind):
                pick -= pool[kind]
            kind += 1
        _give(row, hand, kind, pool)
        fitting -= 1


@njit
def _deal_hands(row, wanted, pool, streams, i):
    """The rest of the pool to the hands, card by card: the ranks that most of them have shown first.

    Those are the ones that only few hands are likely to have room for.
    """
    for shown_by in range(at.SEATS, -1, -1):
        for kind in range(at.KINDS):
            if pool[kind] > 0 and _have_shown(row, wanted, kind) == shown_by:
                for _ in range(pool[kind]):
                    other = _likely_hand(row, wanted, kind, streams, i)
                    _give(row, at.HAND + other * at.KINDS, kind, pool)
                    wanted[other] -= 1


@njit
def _have_shown(row, wanted, kind):
    """How many of the hands that lack cards have shown a rank of 3..A."""
    shown_by = 0
    for other in range(at.SEATS):
        shown_by += kind < TWO and wanted[other] > 0 and played(row, other, kind) > 0
    return shown_by


@njit
def _likely_hand(row, wanted, kind, streams, i):
    """A hand for a card: each is as likely as it lacks cards, and less so if it has shown the rank."""
    chances = np.empty(at.SEATS, np.int64)
    total = 0
    for other in range(at.SEATS):
        shown = played(row, other, kind) if kind < TWO else 0
        chances[other] = wanted[other] * (NONE_SHOWN if shown == 0 else ONE_SHOWN if shown == 1 else MORE_SHOWN)
        total += chances[other]
    pick = random_int(streams, i, total)
    other = 0
    while pick >= chances[other]:
        pick -= chances[other]
        other += 1
    return other


@njit
def _deal_known(row, wanted, pool):
    """What came to a seat in public and was not shown since; returns how many of them went with a failed hand."""
    void = 0
    if row[at.TRADED] == 0:
        return void
    for other in range(at.SEATS):
        for kind in range(at.KINDS):
            known = min(known_cards(row, other, kind) - played(row, other, kind), pool[kind])
            for _ in range(known):
                if not has_seat(row[at.LIVE], other):
                    _give(row, at.VOID, kind, pool)
                    void += 1
                elif wanted[other] > 0:
                    _give(row, at.HAND + other * at.KINDS, kind, pool)
                    wanted[other] -= 1
    return void


@njit
def _debt_due(row):
    """The card of tribute that a return is due for, as payer * 6 + receiver."""
    return np.int64(row[at.DEBT_LIST + np.int64(row[at.SETUP_INDEX])]) - at.PAID


@njit
def _deal_offered(row, wanted, pool):
    """The card that is offered as a return is in the hand of who offers it."""
    if row[at.PHASE] == at.PHASE_ACCEPT:
        kind, receiver = np.int64(row[at.OFFERED_1]) - 1, _debt_due(row) % at.SEATS
        hand = at.HAND + receiver * at.KINDS
        if wanted[receiver] > 0 and row[hand + kind] == 0:
            _give(row, hand, kind, pool)
            wanted[receiver] -= 1


@njit
def _deal_bought(row, wanted, pool, streams, i):
    """A 3 (4) for every hand that would have bought one otherwise; some of them, if there are too few."""
    if row[at.PHASE] == at.PHASE_REVOLT or row[at.PHASE] == at.PHASE_RENOUNCE:
        return
    if row[at.RETURN] != 0 and row[at.TRIBUTE] != 0 and row[at.DEAL_NUMBER] > 0:
        return  # who received tribute may have returned his only one
    for kind in (THREE, FOUR):
        if row[at.BUY3 if kind == THREE else at.BUY4] == 0:
            continue
        first = random_int(streams, i, at.SEATS)
        for steps in range(at.SEATS):
            other = seat_after(first, steps)
            hand = at.HAND + other * at.KINDS
            if wanted[other] > 0 and pool[kind] > 0 and row[hand + kind] + played(row, other, kind) == 0:
                _give(row, hand, kind, pool)
                wanted[other] -= 1


@njit
def _deal_void(row, void, pool, streams, i):
    """What left the deal unseen: a revolutionary's hand, then the hands of failed burners.

    In a position set up with fewer cards, what is not in it counts as void too.
    """
    if row[at.REVOLTER_1] > 0:
        dealt = min(_dealt_to(row, np.int64(row[at.REVOLTER_1]) - 1), void)
        _deal(row, at.VOID, dealt, _JOKERS_AND_TWOS, pool, streams, i)
        void -= dealt
    _deal(row, at.VOID, void, _JOKERS if _somebody_failed(row) else 0, pool, streams, i)


@njit
def _dealt_to(row, seat):
    """Cards that a seat was dealt from the whole deck."""
    deck = 11 * RANK_COPIES + 2 * JOKER_COPIES + np.int64(row[at.DECK_THREES]) + np.int64(row[at.DECK_FOURS])
    steps = (seat - row[at.FIRST_DRAWER]) % at.SEATS
    return np.int64(deck // at.SEATS + (steps < deck % at.SEATS))


@njit
def _somebody_failed(row):
    """Whether a seat has one of the last places, and not for being choked."""
    best_free = 1
    while has_seat(row[at.TOOK_PLACES], best_free - 1):
        best_free += 1
    last_places = 0
    for seat in range(at.SEATS):
        last_places += row[at.PLACE + seat] > best_free and row[at.REVOLTER_1] != seat + 1
    return last_places > row[at.CHOKE_COUNT]


@njit
def _refused(row):
    """The set of kinds that the payer has refused for the return that is due."""
    kinds = 0
    for kind in range(at.KINDS):
        kinds |= np.int64(row[at.REFUSED + kind]) << kind
    return kinds


@njit
def _guess_status(row, seat):
    """Natural points and burn duty as they follow from the guessed hands (sections 5 and 7)."""
    if row[at.OPEN_FOUR] != 0:
        row[at.NATURAL] &= 1 << seat
        for other in range(at.SEATS):
            if other != seat and has_seat(row[at.LIVE] & ~row[at.OPENED], other) and not _was_dealt_pure(row, other):
                row[at.NATURAL] |= 1 << other
    row[at.DUTY] &= 1 << seat
    for other in range(at.SEATS):
        if other != seat and has_seat(row[at.LIVE] & row[at.BURNERS], other) and not is_one_set(row, other):
            row[at.DUTY] |= 1 << other


@njit
def _was_dealt_pure(row, seat):
    """Whether a seat was dealt a pure gouji group, going by its guessed hand."""
    for base in range(TEN, TWO):
        came = known_cards(row, seat, base)
        dealt = np.int64(row[at.HAND + seat * at.KINDS + base]) + played(row, seat, base) - came
        if dealt >= gouji_count(row, base):
            return True
    return False


@njit
def _guess_leader(row, streams, i):
    """Who leads first, before the first lead: views do not tell."""
    rule = row[at.FIRST_LEAD] if row[at.DEAL_NUMBER] == 0 else row[at.FIRST_LEAD_LATER]
    leader = random_int(streams, i, at.SEATS)
    if rule == LEAD_LAST_PLACE:
        leader = np.int64(row[at.FIRST_DRAWER])
    elif rule == LEAD_ROTATE and row[at.DEAL_NUMBER] > 0:
        leader = seat_after(np.int64(row[at.FIRST_DRAWER]), 1)
    row[at.LEADER] = live_or_next(row, leader)
