"""What a seat may know (section 10): the observation, the hidden row, and the critic's view of all hands.

The observation is a vector of small integers made of named pieces; seats in it are relative to the observer
(0 itself, 1 the next in playing order, 3 its opposite, 2 and 4 its partners). ``OBSERVATION_SCALE`` brings it to
about 0..1. ``observation_layout`` is the table of pieces for docs and for people's own encoders.
"""

import hashlib
import json
from typing import NamedTuple

import numpy as np

from gouji_env.cards import JOKER_COPIES, RANK_COPIES, SMALL, TWO
from gouji_env.engine import layout as at
from gouji_env.engine.actions import BASE_JOKERS
from gouji_env.engine.bounds import burns_now
from gouji_env.engine.jit import njit
from gouji_env.engine.read import has_seat, headed, known_cards, play_began, played, seat_after

VIEW_LIMIT = 10  # a hand of so many cards or fewer is shown to partners (partner_view)
STEPS = 8
JOKER_STEPS = JOKER_COPIES
BASES = BASE_JOKERS + 1
SET_PIECE = BASES + 4
MOVE_PIECE = at.SEATS + 4 + SET_PIECE


class Piece(NamedTuple):
    """A named part of the observation: ``observation[start : start + length]``."""

    name: str
    start: int
    length: int
    scale: float
    meaning: str


def _lay_out() -> list[Piece]:
    parts = (
        ("own_hand", at.KINDS, 4, "cards of each kind in the own hand"),
        (
            "own_hand_steps",
            TWO * STEPS + STEPS + 2 * JOKER_STEPS,
            1,
            "the same as steps: 8 a rank, 4 a joker; the n-th is 1 from n cards on",
        ),
        ("seen", at.SEATS * at.KINDS, 4, "cards of each kind that each seat has laid, thrown or been choked with"),
        ("unseen", at.KINDS, 8, "cards of each kind that are neither in the own hand nor seen"),
        (
            "known",
            at.SEATS * at.KINDS,
            4,
            "cards that each seat was sold, paid or returned in public, less those seen",
        ),
        ("partner_hands", 2 * at.KINDS, 4, "hands of seats +2 and +4 of ten cards or fewer, under partner_view le10"),
        ("held", at.SEATS, 18, "cards in each hand"),
        ("held_few", at.SEATS * 5, 1, "each hand: at most 1, 2, 3, 5, 10 cards"),
        ("live", at.SEATS, 1, "seats that take part"),
        ("passed", at.SEATS, 1, "seats that have passed in this round"),
        ("headed", at.SEATS, 1, "seats that are headed"),
        ("opened", at.SEATS, 1, "seats that have opened"),
        ("burners", at.SEATS, 1, "seats whose last burning set still stands"),
        ("victims", at.SEATS * at.SEATS, 1, "whom each of these burned, one-hot"),
        ("places", at.SEATS * 6, 1, "place of each seat, one-hot"),
        ("own_duty", 1, 1, "the observer is on burn duty"),
        ("own_natural", 1, 1, "the observer's hand is a natural point"),
        ("table_owner", at.SEATS, 1, "owner of the table set, one-hot; all zero when a lead is due"),
        ("table_base", BASES, 1, "base of the table set, one-hot: 3..A, 2, jokers only"),
        ("table_cards", 5, 4, "size of the table set, and its base cards, hung 2s, small and big jokers"),
        (
            "table_status",
            5,
            1,
            "the table set is gouji; burned another; is for the opposite alone; was yielded on; a lead is due",
        ),
        ("own_turn", 1, 1, "the observer decides"),
        ("answer_burns", 1, 1, "the observer decides, and an answer would be a burn"),
        ("selection", 1 + BASES, 1, "the observer is to compose; base selected, one-hot"),
        ("selection_size", 1, 4, "size selected"),
        ("setup", 4, 1, "the observer decides on: revolting, keeping the head, returning a card, accepting a card"),
        ("offered", at.KINDS, 1, "the card offered as a return, one-hot"),
        ("refused", at.KINDS, 1, "kinds refused for this return"),
        ("free_for_all", 2, 1, "free-for-all; it starts with the end of this round"),
        ("round", 1, 32, "rounds finished"),
        ("revolutionary", at.SEATS, 1, "who revolted, one-hot"),
        ("revolution_rights", 2, 2, "the head was renounced; protected rounds used up"),
        (
            "last_sets",
            at.SEATS * SET_PIECE,
            1,
            "last set of each seat: base one-hot, base cards, hung 2s, small and big jokers",
        ),
        (
            "history",
            at.MOVES * MOVE_PIECE,
            1,
            "last public moves, newest first: seat one-hot; play, pass, yield, throw one-hot; set as in last_sets",
        ),
        ("rules", at.RULE_FIELDS, 1, "the switches in force"),
    )
    pieces, start = [], 0
    for name, length, divisor, meaning in parts:
        pieces.append(Piece(name, start, length, 1 / divisor, meaning))
        start += length
    return pieces


_PIECES = _lay_out()
_START = {piece.name: piece.start for piece in _PIECES}
OBSERVATION = _PIECES[-1].start + _PIECES[-1].length
HIDDEN = (at.SEATS - 1) * at.KINDS

OWN_HAND, OWN_STEPS, SEEN, UNSEEN = (_START[n] for n in ("own_hand", "own_hand_steps", "seen", "unseen"))
KNOWN, OFFERED, REFUSED = (_START[n] for n in ("known", "offered", "refused"))
PARTNER_HANDS, HELD_BY, HELD_FEW = (_START[n] for n in ("partner_hands", "held", "held_few"))
SEAT_FLAGS, VICTIMS, PLACES = (_START[n] for n in ("live", "victims", "places"))
OWN_DUTY, TABLE_OWNER, TABLE_BASE = (_START[n] for n in ("own_duty", "table_owner", "table_base"))
TABLE_CARDS, TABLE_STATUS, OWN_TURN = (_START[n] for n in ("table_cards", "table_status", "own_turn"))
SELECTION, SETUP, GENERAL = (_START[n] for n in ("selection", "setup", "free_for_all"))
LAST_SETS, HISTORY_AT, RULES_AT = (_START[n] for n in ("last_sets", "history", "rules"))


def _scale() -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    scale = np.ones(OBSERVATION, np.float32)
    for piece in _PIECES:
        scale[piece.start : piece.start + piece.length] = piece.scale
    for i in range(at.SEATS):
        first = LAST_SETS + i * SET_PIECE + BASES
        scale[first : first + 4] = 1 / 4
    for i in range(at.MOVES):
        first = HISTORY_AT + (i + 1) * MOVE_PIECE - 4
        scale[first : first + 4] = 1 / 4
    scale[RULES_AT : RULES_AT + 2] = 1 / RANK_COPIES
    scale.setflags(write=False)
    return scale


OBSERVATION_SCALE = _scale()


def observation_layout() -> list[Piece]:
    """All pieces of the observation in order."""
    return list(_PIECES)


def observation_digest() -> str:
    """Sixteen hexadecimal digits that change whenever the layout does; a network is bound to one."""
    text = json.dumps([tuple(piece) for piece in _PIECES])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@njit
def sees_hand(row, seat, other):
    """Whether ``seat`` may see the hand of another seat now (partner_view)."""
    partner = (other - seat) % 2 == 0
    return row[at.PARTNER_VIEW] != 0 and partner and row[at.HELD + other] <= VIEW_LIMIT


@njit
def _observe_cards(row, seat, out):
    own = at.HAND + seat * at.KINDS
    for kind in range(at.KINDS):
        count = np.int64(row[own + kind])
        out[OWN_HAND + kind] = count
        steps = STEPS if kind < SMALL else JOKER_STEPS
        first = OWN_STEPS + kind * STEPS if kind <= SMALL else OWN_STEPS + SMALL * STEPS + JOKER_STEPS
        for step in range(min(count, steps)):
            out[first + step] = 1
        copies = np.int64(RANK_COPIES if kind < SMALL else JOKER_COPIES)
        if kind < 2:
            copies = np.int64(row[at.DECK_THREES if kind == 0 else at.DECK_FOURS])
        unseen = copies - count
        if play_began(row):
            for i in range(at.SEATS):
                seen = np.int64(row[at.SHOWN + seat_after(seat, i) * at.KINDS + kind])
                out[SEEN + i * at.KINDS + kind] = seen
                unseen -= seen
        out[UNSEEN + kind] = unseen
    for j in range(2):
        partner = seat_after(seat, 2 + 2 * j)
        if sees_hand(row, seat, partner):
            for kind in range(at.KINDS):
                out[PARTNER_HANDS + j * at.KINDS + kind] = row[at.HAND + partner * at.KINDS + kind]


@njit
def _observe_trade(row, seat, out):
    """What everybody knows of hands from cards that changed them before the first lead, and of the card offered now."""
    for i in range(at.SEATS):
        other = seat_after(seat, i)
        for kind in range(at.KINDS):
            out[KNOWN + i * at.KINDS + kind] = max(known_cards(row, other, kind) - played(row, other, kind), 0)
    if row[at.PHASE] == at.PHASE_RETURN or row[at.PHASE] == at.PHASE_ACCEPT:
        if row[at.OFFERED_1] > 0:
            out[OFFERED + np.int64(row[at.OFFERED_1]) - 1] = 1
        for kind in range(at.KINDS):
            out[REFUSED + kind] = row[at.REFUSED + kind]


@njit
def _observe_seats(row, seat, out):
    for i in range(at.SEATS):
        other = seat_after(seat, i)
        held = np.int64(row[at.HELD + other])
        out[HELD_BY + i] = held
        few = HELD_FEW + i * 5
        out[few], out[few + 1], out[few + 2] = held <= 1, held <= 2, held <= 3
        out[few + 3], out[few + 4] = held <= 5, held <= VIEW_LIMIT
        out[SEAT_FLAGS + i] = has_seat(row[at.LIVE], other)
        out[SEAT_FLAGS + at.SEATS + i] = has_seat(row[at.PASSED], other)
        out[SEAT_FLAGS + 2 * at.SEATS + i] = headed(row, other)
        out[SEAT_FLAGS + 3 * at.SEATS + i] = has_seat(row[at.OPENED], other)
        if has_seat(row[at.BURNERS], other):
            out[SEAT_FLAGS + 4 * at.SEATS + i] = 1
            out[VICTIMS + i * at.SEATS + (np.int64(row[at.VICTIM + other]) - seat) % at.SEATS] = 1
        if row[at.PLACE + other] > 0:
            out[PLACES + i * 6 + np.int64(row[at.PLACE + other]) - 1] = 1
    out[OWN_DUTY] = has_seat(row[at.DUTY], seat)
    out[OWN_DUTY + 1] = has_seat(row[at.NATURAL], seat)


@njit
def _was_yielded_on(row):
    """As everybody sees it: also while the opposite is asked again."""
    return row[at.YIELDED] != 0 or row[at.CURSOR] == at.CURSOR_AFTER_YIELD


@njit
def _observe_table(row, seat, out):
    if row[at.OWNER_1] > 0:
        size = np.int64(row[at.SIZE])
        out[TABLE_OWNER + (np.int64(row[at.OWNER_1]) - 1 - seat) % at.SEATS] = 1
        out[TABLE_BASE + np.int64(row[at.BASE])] = 1
        out[TABLE_CARDS] = size
        out[TABLE_CARDS + 1] = 0 if row[at.BASE] == BASE_JOKERS else size - row[at.TWOS] - row[at.SMALLS] - row[at.BIGS]
        out[TABLE_CARDS + 2], out[TABLE_CARDS + 3], out[TABLE_CARDS + 4] = row[at.TWOS], row[at.SMALLS], row[at.BIGS]
        out[TABLE_STATUS], out[TABLE_STATUS + 1] = row[at.GOUJI], row[at.BURNING]
        out[TABLE_STATUS + 2] = row[at.MODE] == at.RESTRICTED
        out[TABLE_STATUS + 3] = _was_yielded_on(row)
    elif row[at.PHASE] <= at.PHASE_RENOUNCE:  # nobody sees whether somebody is asked to revolt before the first lead
        out[TABLE_STATUS + 4] = 1
    if row[at.TURN] != seat:
        return
    out[OWN_TURN] = 1
    phase = np.int64(row[at.PHASE])
    if phase != at.PHASE_PLAY:
        out[SETUP + phase - at.PHASE_REVOLT] = 1
    elif row[at.OWNER_1] > 0:
        out[OWN_TURN + 1] = burns_now(row)
    if row[at.COMPOSING] != 0:
        out[SELECTION] = 1
        out[SELECTION + 1 + np.int64(row[at.SELECTED_BASE])] = 1
        out[SELECTION + 1 + BASES] = row[at.SELECTED_SIZE]


@njit
def _observe_general(row, seat, out):
    out[GENERAL], out[GENERAL + 1] = row[at.FREE_FOR_ALL], row[at.FREE_FOR_ALL_DELAYED]
    out[GENERAL + 2] = row[at.ROUND]
    if row[at.REVOLTER_1] > 0:
        out[GENERAL + 3 + (np.int64(row[at.REVOLTER_1]) - 1 - seat) % at.SEATS] = 1
    out[GENERAL + 9], out[GENERAL + 10] = row[at.HEAD_RENOUNCED], row[at.REVOLT_ROUNDS]
    for j in range(at.RULE_FIELDS):
        out[RULES_AT + j] = row[at.RULES + j]


@njit
def _observe_set(row, start, out, first):
    """A set of the row (base + 1 and four counts) as base one-hot and counts."""
    if row[start] > 0:
        out[first + np.int64(row[start]) - 1] = 1
        for j in range(4):
            out[first + BASES + j] = row[start + 1 + j]


@njit
def _observe_past(row, seat, out):
    for i in range(at.SEATS):
        _observe_set(row, at.LAST_SET + seat_after(seat, i) * at.SET_FIELDS, out, LAST_SETS + i * SET_PIECE)
    for i in range(at.MOVES):
        move = at.HISTORY + (np.int64(row[at.NEWEST]) - i) % at.MOVES * at.MOVE_FIELDS
        if row[move] == 0:
            return
        first = HISTORY_AT + i * MOVE_PIECE
        out[first + (np.int64(row[move + 1]) - seat) % at.SEATS] = 1
        out[first + at.SEATS + np.int64(row[move]) - 1] = 1
        _observe_set(row, move + 2, out, first + at.SEATS + 4)


@njit
def observe(row, seat, out):
    """What ``seat`` may know, raw, into ``out`` (``int8[OBSERVATION]``)."""
    out[:] = 0
    _observe_cards(row, seat, out)
    if row[at.TRADED] != 0:
        _observe_trade(row, seat, out)
    _observe_seats(row, seat, out)
    _observe_table(row, seat, out)
    _observe_general(row, seat, out)
    _observe_past(row, seat, out)


@njit
def observe_scaled(row, seat, out):
    """The same times OBSERVATION_SCALE, into ``out`` (``float32[OBSERVATION]``)."""
    observe(row, seat, out)
    for j in range(OBSERVATION):
        out[j] *= OBSERVATION_SCALE[j]


@njit
def observe_hidden(row, seat, out):
    """For critics only: hands of the five others, seat + 1 first, 15 counts each, into ``out`` (``int8[HIDDEN]``)."""
    for i in range(1, at.SEATS):
        start = at.HAND + seat_after(seat, i) * at.KINDS
        for kind in range(at.KINDS):
            out[(i - 1) * at.KINDS + kind] = row[start + kind]


@njit
def hide(row, seat, out):
    """The row as ``seat`` may know it, into ``out`` (``int8[ROW]``): all that is secret is zero."""
    for j in range(at.ROW):
        out[j] = row[j]
    for other in range(at.SEATS):
        if other != seat and not sees_hand(row, seat, other):
            for kind in range(at.KINDS):
                out[at.HAND + other * at.KINDS + kind] = 0
    for kind in range(at.KINDS):
        out[at.VOID + kind] = 0
    out[at.DUTY] &= 1 << seat
    out[at.NATURAL] &= 1 << seat
    out[at.LEADER] = 0  # it passes on from a revolutionary when nobody is asked any more
    for j in range(8):
        out[at.SEED + j] = 0
    for j in range(at.EVENT_COUNT, at.KNOWN):
        out[j] = 0
    if row[at.PHASE] == at.PHASE_RETURN or row[at.PHASE] == at.PHASE_ACCEPT:
        out[at.EXEMPT_SEATS] = 0
    if row[at.TURN] == seat or row[at.PHASE] == at.PHASE_OVER:
        return
    out[at.TURN] = -1
    out[at.YIELDED] = _was_yielded_on(row)
    out[at.CURSOR], out[at.COMPOSING], out[at.SELECTED_BASE], out[at.SELECTED_SIZE] = 0, 0, 0, 0
    if row[at.PHASE] == at.PHASE_REVOLT or row[at.PHASE] == at.PHASE_RENOUNCE:
        out[at.PHASE] = at.PHASE_PLAY
        for j in range(at.SHOWN, at.VOID):
            out[j] = 0
