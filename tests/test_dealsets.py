"""Deal sets: named deals that stay what they are, and that no training ever meets."""

from itertools import pairwise

import numpy as np
import pytest

from agents import make
from agents.arena import duel
from agents.arena.dealsets import DealSetError, deal_set, known
from gouji_env import Deal, DealBatch, RuleSet, env, raw_env
from gouji_env.engine import deal_seed
from gouji_env.seat_env import SeatEnv

CLASSIC = RuleSet.preset("classic")

# Never to be changed: what was measured on a set could no longer be compared. Other deals get another VERSION.
DIGESTS = {
    "standard-100": "3ecbc9450dfdcc49",
    "standard-1k": "668bbd06f730748d",
    "standard-10k": "47f9519890d382cc",
    "standard-100k": "605b867f95478fb1",
    "tuning-100": "d24bc09f969ba51b",
    "tuning-1k": "37c8d75f2b2a1873",
    "tuning-10k": "534b4c032093d5da",
    "tuning-100k": "375e2499a07870e8",
}
FIRST_HANDS = [
    "s222AKQQQQQJTT9998887666666554333333",
    "bbs222AAAAKQQQJJJTTT9998665555554443",
    "bs222AAAKKQQQQJJJTT98888777755554333",
    "s2AAAAKKKQQJJJTTTTTT9998887776654443",
    "b22222AAKKKKKKQJJTT98877776666554433",
    "2AAKKKQJJJJT999998887777665444444333",
]


def test_the_named_sets_are_what_they_have_always_been() -> None:
    assert {name: deal_set(name).digest() for name in known()} == DIGESTS
    first = deal_set("standard-100")
    assert first.seeds(0, 2).tolist() == [0xA8C0200475532106, 0xA6CCE13AD0F86C61]
    assert first.streams(0, 1)[0, 1, 0] == 13220074308841400460
    deal = Deal.new(CLASSIC, int(first.seeds(0, 1)[0]))
    assert (deal.hands, deal.turn) == (FIRST_HANDS, 3)


def test_a_set_begins_with_the_smaller_one_and_shares_nothing_with_the_other_family() -> None:
    sets = [deal_set(name) for name in known()]
    for smaller, larger in pairwise(sets):
        if smaller.deals < larger.deals:
            assert (larger.seeds(0, smaller.deals) == smaller.seeds()).all()
            assert (larger.streams(0, smaller.deals) == smaller.streams()).all()
    seeds = np.concatenate([deal_set(f"{family}-100k").seeds() for family in ("standard", "tuning")])
    assert np.unique(seeds).size == 200_000
    assert seeds.min() >= 1 << 63


def test_a_slice_is_the_same_as_in_the_whole() -> None:
    deals = deal_set("standard-1k")
    assert (deals.seeds(990) == deals.seeds()[990:]).all() and deals.seeds(990).shape == (10,)
    assert (deals.streams(7, 9) == deals.streams()[7:9]).all() and deals.streams(7, 9).shape == (2, 2, 2)
    assert deals.seeds(5, 5).shape == (0,) and deals.streams(5, 5).shape == (0, 2, 2)


def test_a_plain_seed_is_a_set_too() -> None:
    deals = deal_set("seed-7", 60)
    assert (deals.name, deals.deals, deals.entropy) == ("seed-7", 60, 7)
    assert (deals.seeds()[:20] == deal_set("seed-7", 20).seeds()).all()
    assert (deals.seeds() != deal_set("seed-8", 60).seeds()).all()
    recorded: list[dict] = []
    duel(make("random"), make("greedy"), CLASSIC, 3, 7, record=recorded.append)
    assert [record["seed"] for record in recorded[::2]] == deals.seeds(0, 3).tolist()
    assert [record["agent_seeds"][0] for record in recorded[::2]] == deals.streams(0, 3)[:, 0, 0].tolist()


@pytest.mark.parametrize(
    ("name", "deals", "message"),
    [
        ("standard", None, "unknown deal set 'standard'; known sets: standard-100, standard-1k, .*, and seed-N"),
        ("standard-2k", None, "unknown deal set"),
        ("seed--1", 5, "unknown deal set"),
        ("seed-1", None, "'seed-1': give the number of deals"),
        ("seed-1", 0, "'seed-1': give the number of deals"),
        ("standard-1k", 200, "has 1,000 deals, not 200; sizes are 100, 1k, 10k, 100k"),
    ],
)
def test_unknown_sets_are_refused(name: str, deals: int | None, message: str) -> None:
    with pytest.raises(DealSetError, match=message):
        deal_set(name, deals)


@pytest.mark.parametrize(("start", "stop"), [(-1, 5), (0, 101), (6, 5)])
def test_deals_that_a_set_does_not_have_are_refused(start: int, stop: int) -> None:
    with pytest.raises(DealSetError, match="'standard-100' has 100 deals"):
        deal_set("standard-100").seeds(start, stop)
    with pytest.raises(DealSetError):
        deal_set("standard-100").streams(start, stop)


# --- no training meets these deals


def test_environments_and_batches_refuse_them_unless_told_that_they_measure() -> None:
    seeds = deal_set("standard-100").seeds()
    seed = int(seeds[0])
    for table in (raw_env(), env(), SeatEnv()):
        with pytest.raises(ValueError, match=rf"seed {seed}: deals from 2\*\*63 on are for evaluation.*smaller seed"):
            table.reset(seed=seed)
        table.reset(seed=seed, options={"evaluation": True})
        table.reset(seed=(1 << 63) - 1)
    with pytest.raises(ValueError, match=rf"seed {seed}: deals from 2\*\*63 on .* evaluation=True"):
        DealBatch(CLASSIC, 3, seeds=[1, seed, 2])
    batch = DealBatch(CLASSIC, 100, seeds=seeds, evaluation=True)
    assert [int(deal_seed(row)) for row in batch.rows] == seeds.tolist()


@pytest.mark.parametrize("seed", [0, 1, 1 << 63, (1 << 64) - 1])
def test_no_deal_that_is_drawn_is_among_them(seed: int) -> None:
    """Nor is one that follows on it; what training itself deals is held in test_train_selfplay.py."""
    assert all(deal_seed(row) < 1 << 63 for row in DealBatch(CLASSIC, 64, seed=seed).rows)
    table = raw_env()
    for _ in range(64):
        table.reset()
        assert deal_seed(table._row) < 1 << 63
