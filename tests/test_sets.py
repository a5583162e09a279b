"""Cards, hands and sets: notation, gouji sets, beating; and that the core counts the same."""

import itertools
from random import Random

import numpy as np
import pytest
from core_support import THREE_RULE_SETS
from oracle import beats, every_set, is_gouji

from gouji_env import Deal, RuleSet, engine
from gouji_env.cards import KIND_COUNT, KINDS, NotationError, format_hand, opposite, parse_hand, partners, side
from gouji_env.sets import CardSet

RANKS = range(13)


def all_sets() -> list[CardSet]:
    """Every set that four packs can make."""
    jokers = list(itertools.product(range(5), range(5)))
    found = [CardSet(None, 0, 0, small, big) for small, big in jokers[1:]]
    for base in RANKS:
        hung = range(17) if base < 12 else range(1)
        found += [
            CardSet(base, naturals, twos, small, big)
            for naturals in range(1, 17)
            for twos in hung
            for small, big in jokers
        ]
    return found


ALL_SETS = all_sets()


def random_set(generator: Random, size: int | None = None) -> CardSet:
    """A set of at most five cards, often without jokers."""
    size = size or generator.randint(1, 5)
    hung = [generator.choice((0, 0, 0, 0, 1, 1, 2)) for _ in range(3)]
    base = generator.choice(RANKS)
    twos, small, big = 0 if base == 12 else hung[0], hung[1], hung[2]
    if small + big == size:
        return CardSet(None, 0, 0, small, big)
    naturals = size - twos - small - big
    return CardSet(base, naturals, twos, small, big) if naturals > 0 else random_set(generator, size)


# --- hands


def test_hand_is_read_in_any_order_and_written_high_to_low() -> None:
    for text in ("3b2sA", "bs2A3", "A32bs"):
        assert format_hand(parse_hand(text)) == "bs2A3"
    counts = parse_hand("T9TbT")
    assert counts.dtype == np.int8 and counts.shape == (KIND_COUNT,)
    assert counts.tolist() == [0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 1]
    assert format_hand(parse_hand("")) == ""


@pytest.mark.parametrize(("text", "said"), [("10", "'1' at position 0"), ("AK x", "' ' at position 2"), ("B", "'B'")])
def test_hand_with_a_character_that_is_no_card(text: str, said: str) -> None:
    with pytest.raises(NotationError, match=said):
        parse_hand(text)


def test_seats_around_the_table() -> None:
    assert [opposite(seat) for seat in range(6)] == [3, 4, 5, 0, 1, 2]
    assert [side(seat) for seat in range(6)] == [0, 1, 0, 1, 0, 1]
    assert [partners(seat) for seat in range(6)] == [(2, 4), (3, 5), (4, 0), (5, 1), (0, 2), (1, 3)]


# --- notation


def test_every_set_has_one_spelling_and_every_spelling_one_set() -> None:
    texts = {str(made): made for made in ALL_SETS}
    assert len(texts) == len(ALL_SETS) == 24 + 12 * 16 * 17 * 25 + 16 * 25
    assert all(CardSet.parse(text) == made for text, made in texts.items())


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("bbs22TTT", (7, 3, 2, 1, 2)),
        ("222", (12, 3, 0, 0, 0)),
        ("s222", (12, 3, 0, 1, 0)),
        ("2TT", (7, 2, 1, 0, 0)),
        ("3", (0, 1, 0, 0, 0)),
        ("bs", (None, 0, 0, 1, 1)),
    ],
)
def test_notation(text: str, parts: tuple[int | None, ...]) -> None:
    made = CardSet.parse(text)
    assert (made.base, made.naturals, made.twos, made.small, made.big) == parts
    assert (str(made), made.size) == (text, len(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no set"),
        ("x", "no set"),
        ("AK", "K and A differ in rank"),
        ("sb", "written bs"),
        ("TT2", "written 2TT"),
        ("9s", "written s9"),
        ("pass", "no set"),
    ],
)
def test_what_is_no_set(text: str, said: str) -> None:
    with pytest.raises(NotationError, match=said):
        CardSet.parse(text)


# --- gouji sets


GOUJI = "TTTTT JJJJ QQQ KK AA 22 22TTT 2TTTT 2222T 2JJJ 2QQ 2K 2A s3 b3 s bs s2 TTTTTT b22TTT s33333"
NO_GOUJI = "TTTT JJJ QQ K A 22TT 2JJ 2Q 3 99999999 2999999 8888 2228"
PURE = "TTTTT TTTTTT JJJJ QQQ KK AA AAAA"


def test_gouji_sets() -> None:
    for gouji_twos in (1, 2):
        assert [text for text in GOUJI.split() if not CardSet.parse(text).is_gouji(gouji_twos)] == []
        assert [text for text in NO_GOUJI.split() if CardSet.parse(text).is_gouji(gouji_twos)] == []
    assert CardSet.parse("2").is_gouji(1) and not CardSet.parse("2").is_gouji(2)


def test_pure_gouji_sets() -> None:
    assert all(CardSet.parse(text).is_pure_gouji() for text in PURE.split())
    impure = [text for text in (GOUJI + " " + NO_GOUJI + " 2").split() if text not in PURE.split()]
    assert [text for text in impure if CardSet.parse(text).is_pure_gouji()] == []


def test_gouji_as_the_oracle_says() -> None:
    for made in ALL_SETS:
        for gouji_twos in (1, 2):
            assert made.is_gouji(gouji_twos) == is_gouji(str(made), gouji_twos), made


# --- beating


@pytest.mark.parametrize(
    ("answer", "table", "wins"),
    [
        ("bbJJJ", "ss999", True),
        ("bsJJJ", "ss999", False),
        ("bb999", "ss999", False),
        ("sTTTT", "99999", True),
        ("s8888", "99999", False),
        ("sss", "222", True),
        ("s22", "222", False),
        ("b", "s", True),
        ("s", "s", False),
        ("bb", "ss", True),
        ("2AA", "KKK", True),
        ("222", "AAA", True),
        ("AAA", "2KK", True),
        ("2KK", "AAA", False),
        ("55555", "4444", False),
        ("bbbb", "b333", False),
    ],
)
def test_beating(answer: str, table: str, wins: bool) -> None:
    assert CardSet.parse(answer).beats(CardSet.parse(table)) is wins


def test_beating_is_positional_dominance() -> None:
    generator = Random(1)
    won = 0
    for _ in range(40_000):
        size = generator.randint(1, 5)
        one, other = random_set(generator, size), random_set(generator, generator.choice((size, size, 2)))
        assert one.beats(other) == beats(str(one), str(other)), (one, other)
        won += one.beats(other)
    assert won > 1000


def test_beating_is_an_order_in_which_gouji_sets_stay_gouji() -> None:
    generator = Random(2)
    chains = 0
    for _ in range(40_000):
        size = generator.randint(1, 5)
        low, middle, high = (random_set(generator, size) for _ in range(3))
        assert not low.beats(low)
        assert low.big == 0 or not middle.beats(low)
        if not middle.beats(low):
            continue
        assert not low.beats(middle) and low.size == middle.size
        assert all(middle.is_gouji(twos) or not low.is_gouji(twos) for twos in (1, 2)), (middle, low)
        if high.beats(middle):
            assert high.beats(low)
            chains += 1
    assert chains > 500


# --- the core


@pytest.mark.parametrize("name", [*THREE_RULE_SETS, "biesan"])
def test_core_lists_what_beats(name: str) -> None:
    """Seat 0 leads a set, its opposite holds a random hand, nobody else can answer."""
    rules = RuleSet.preset(name).replace(choke=False, yield_="none")
    generator = Random(3)
    asked = 0
    for _ in range(600):
        table = random_set(generator)
        if table.twos and not rules.hung_twos:
            continue
        hand = "".join(generator.choices(KINDS[4:] + "2sbb", k=generator.randint(3, 12)))
        deal = position(rules, [f"{table}3", "3", "3", hand, "3", "3"], str(table))
        if deal is None:
            continue
        made = map(CardSet.parse, every_set(hand, rules.hung_twos))
        answers = [str(each) for each in made if each.beats(table)]
        if not answers:
            assert deal.table is None
            continue
        assert (deal.turn, deal.legal()) == (3, sorted([*answers, "pass"]))
        asked += 1
    assert asked > 100


@pytest.mark.parametrize("name", THREE_RULE_SETS)
def test_core_knows_gouji_sets_and_what_lies_on_the_table(name: str) -> None:
    rules = RuleSet.preset(name)
    generator = Random(4)
    shown = 0
    for _ in range(600):
        table = random_set(generator)
        answer = "b" * table.small + "2" * (table.size - table.small)
        if table.big or table.base == 12 or (table.base is None and table.small > 4):
            continue
        deal = position(rules, [f"{table}3", "3", "3", answer, "3", "3"], str(table))
        if deal is None:
            continue
        row = deal.row
        assert deal.table == str(table)
        assert bool(engine.table_is_gouji(row)) == table.is_gouji(rules.gouji_twos), table
        base = 13 if table.base is None else table.base
        assert (engine.table_base(row), engine.table_size(row)) == (base, table.size)
        parts = engine.table_twos(row), engine.table_small(row), engine.table_big(row)
        assert parts == (table.twos, table.small, table.big)
        shown += 1
    assert shown > 100


def position(rules: RuleSet, hands: list[str], lead: str) -> Deal | None:
    """Seat 0 has led; None where the pack cannot hold these hands."""
    total = parse_hand("".join(hands))
    if any(count > most for count, most in zip(total, rules.deck.counts(), strict=True)):
        return None
    deal = Deal.from_hands(rules, hands, 0)
    deal.act(lead)
    return deal
