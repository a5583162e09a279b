"""The row: one deal as 512 bytes (``int8``). The only file that says what lies where.

Seats are 0..5, seat sets are bit masks, card kinds 0..14 and bases 0..13 (13: jokers only) as in ``cards.py``.
Fields called ``..._1`` hold a seat plus one, so that a blank row (all zero) means "nobody".
"""

ROW = 512
KINDS = 15
SEATS = 6

# Cards, 15 counts a seat. SHOWN: laid, thrown, or left in a choked hand. VOID: what left the deal unseen.
HAND = 0
SHOWN = HAND + SEATS * KINDS
VOID = SHOWN + SEATS * KINDS
HELD = VOID + KINDS  # cards in hand, one number a seat

# Rules: the switches that the core reads, in the order in which rules_row() writes them.
RULES = HELD + SEATS
(
    DECK_THREES,
    DECK_FOURS,
    FIRST_LEAD,
    FIRST_LEAD_LATER,
    HUNG_TWOS,
    GOUJI_TWOS,
    BURN_ORDER,
    BURN_AFTER_OPEN,
    COUNTER_BURN,
    FAIL_KEEPS_HEAD,
    PASS_STRICT,
    YIELD_RULE,
    SIJI,
    CHOKE,
    CHOKE_KEEPS_HEAD,
    OPEN_FOUR,
    FOUR_THROW,
    BUY3,
    BUY4,
    REVOLUTION,
    REVOLUTION_RIGHTS,
    RENOUNCE,
    PARTNER_VIEW,
    TRIBUTE,
    RETURN,
    TRIBUTE_NATURAL,
    EXEMPT,
    END_SIDE,
) = range(RULES, RULES + 28)
RULE_FIELDS = 28

# The deal so far
(
    PHASE,  # PLAY ... OVER below
    TURN,  # the seat that decides; -1 when the deal is over
    LIVE,  # seats that take part
    PASSED,  # seats that have passed in this round (public)
    TOOK_PLACES,  # bit p-1: place p is taken
    ROUND,  # rounds finished, 0..
    FREE_FOR_ALL,
    FREE_FOR_ALL_DELAYED,  # it starts with the end of this round
    DEAD_REPLY,  # seats that went out in this round and whose opposite has the dead reply right
    HEAD_KEPT,  # choked or failed seats whose opposite keeps the head
    DUTY,  # seats on burn duty (whether an exempt burner is one is secret)
    BURNERS,  # seats whose last burning set still stands, exempt or not (public)
    NATURAL,  # natural points: hands dealt without a pure gouji group (secret)
    OPENED,
    WON_PURE_1,  # the seat whose pure gouji set has just won the round
    REVOLTER_1,
    HEAD_RENOUNCED,
    GOUJI_THIS_ROUND,  # seats that have laid a gouji set in this round
    REVOLT_ROUNDS,  # earlier rounds in which the revolutionary's opposite laid a gouji set
    VOIDED,  # a second revolution
    FIRST_DRAWER,
    LEADER,  # the first leader; before buying, the one that the rule names
    DEAL_NUMBER,  # deals of the match before this one
    TRADED,  # cards were bought, paid or returned in this deal
) = range(RULES + RULE_FIELDS, RULES + RULE_FIELDS + 24)

# The table set and who is asked about it
(
    OWNER_1,  # 0: a lead is due
    BASE,
    SIZE,
    TWOS,
    SMALLS,
    BIGS,
    GOUJI,
    BURNING,  # the table set burned another one
    MODE,  # OPEN, RESTRICTED, EVERYBODY below
    CURSOR,  # how far the asking has come
    YIELDED,  # the opposite has yielded on this set and not decided yet
    OPPOSITE_DECLINED,  # the opposite has declined this set ...
    DECLINED_AFTER,  # ... and another seat has done so after him
    COMPOSING,  # a SELECT waits for its COMPOSE
    SELECTED_BASE,
    SELECTED_SIZE,
) = range(TRADED + 1, TRADED + 17)

PLACE = SELECTED_SIZE + 1  # 0: none yet, 1..6
VICTIM = PLACE + SEATS  # whom the seat burned last
SEED = VICTIM + SEATS  # eight bytes, low first

# What was laid last by each seat: base + 1 (0: nothing yet), naturals, twos, smalls, bigs
LAST_SET = SEED + 8
SET_FIELDS = 5
# The last public moves, a ring: kind (MOVE_... below), seat, then a set as above; NEWEST is the last one written
NEWEST = LAST_SET + SEATS * SET_FIELDS
HISTORY = NEWEST + 1
MOVES = 6
MOVE_FIELDS = 2 + SET_FIELDS

# For the next deal's tribute: victim * 6 + burner of burning sets that stand; choked * 6 + choker
BURN_COUNT = HISTORY + MOVES * MOVE_FIELDS
BURN_LIST = BURN_COUNT + 1
BURN_SLOTS = 32
CHOKE_COUNT = BURN_LIST + BURN_SLOTS
CHOKE_LIST = CHOKE_COUNT + 1

# What the last action brought about, for Deal's log: code (EVENT_... below), seat, other seat or place
EVENT_COUNT = CHOKE_LIST + SEATS
EVENT_LIST = EVENT_COUNT + 1
EVENT_SLOTS = 20
EVENT_FIELDS = 3

# Cards that each seat is known to hold: bought, paid or returned to it and not given away before the first lead.
# Two kinds a byte.
KNOWN = EVENT_LIST + EVENT_SLOTS * EVENT_FIELDS
KNOWN_BYTES = 8
USED = KNOWN + SEATS * KNOWN_BYTES
assert USED <= ROW, USED

# Nobody has shown a card before the first lead, so the bytes of SHOWN serve the time before it (section 8).
SETUP_STAGE = SHOWN  # STAGE_... below
SETUP_INDEX = SHOWN + 1  # buyers asked, debts paid or returned, in this stage
OFFERED_1 = SHOWN + 2  # the kind that is offered as a return, plus one
REFUSED = SHOWN + 3  # 15 flags: kinds refused for this return
EXEMPT_SEATS = REFUSED + KINDS
DEBT_COUNT = EXEMPT_SEATS + 1
DEBT_LIST = DEBT_COUNT + 1  # payer * 6 + receiver for each card of tribute, PAID added once it is paid
DEBT_SLOTS = VOID - DEBT_LIST
PAID = 64

# Values of PHASE, MODE, HISTORY kinds and events
PHASE_PLAY, PHASE_REVOLT, PHASE_RENOUNCE, PHASE_RETURN, PHASE_ACCEPT, PHASE_OVER, PHASE_SETUP = range(7)
STAGE_REVOLUTION, STAGE_BUY_THREES, STAGE_BUY_FOURS, STAGE_PAY, STAGE_RETURN, STAGE_LEAD = range(6)
LEAD_DUE, OPEN, RESTRICTED, EVERYBODY = range(4)
MOVE_NONE, MOVE_PLAY, MOVE_PASS, MOVE_YIELD, MOVE_THROW = range(5)
(
    EVENT_PLAY,
    EVENT_PASS,
    EVENT_SILENT_PASS,
    EVENT_YIELD,
    EVENT_THROW,
    EVENT_BURN,
    EVENT_OUT,
    EVENT_CHOKE,
    EVENT_FAIL,
    EVENT_OPEN,
    EVENT_FREE_FOR_ALL,
    EVENT_ROUND_END,
    EVENT_REVOLT,
    EVENT_SILENT_LOYAL,
    EVENT_KEEP,
    EVENT_RENOUNCE,
    EVENT_VOID,
    EVENT_OVER,
    EVENT_BUY_THREE,
    EVENT_BUY_FOUR,
    EVENT_TRIBUTE,
    EVENT_OFFER,
    EVENT_REFUSE,
    EVENT_RETURN,
) = range(24)

# Cursor values beyond the seats' offsets in an open or restricted asking
CURSOR_AFTER_YIELD = 6
CURSOR_ONCE_MORE = 7
