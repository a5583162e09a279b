"""What seats, leads and cards are worth: a regression over deals that six experts play.

    python experiments/baselines/worth.py [DEALS]

writes ``worth.json`` beside this file. The agents at all seats are the same, so what one side gains over the other
comes from the cards and the seats alone.
"""

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from agents.arena.dealsets import deal_set
from agents.expert import choose
from gouji_env import RuleSet, engine
from gouji_env.cards import BIG, KIND_COUNT, SEATS, SMALL, TWO
from gouji_env.rules import PRESETS

HERE = Path(__file__).parent
DEALS = 10_000
CARDS = {"big joker": BIG, "small joker": SMALL, "2": TWO}
# Whose cards they are, seen from a seat, by steps in playing order.
HOLDERS = {"own": (0,), "partners'": (2, 4), "opposite's": (3,), "other enemies'": (1, 5)}
PLACE_POINTS = np.array([0, 4, 2, 0, 0, -2, -4], np.float64)

Floats = npt.NDArray[np.float64]


@dataclass
class Worth:
    """An effect in points, with its 95 % interval."""

    what: str
    points: float
    low: float
    high: float


@dataclass
class Dealt:
    """Deals with what became of them. ``hands`` as held when the first card is laid, -1: nobody led."""

    hands: npt.NDArray[np.int64]  # [deals, 6, 15]
    leaders: npt.NDArray[np.int64]  # [deals]
    places: npt.NDArray[np.int64]  # [deals, 6]
    points: npt.NDArray[np.int64]  # [deals], of side 0


def played(rules: RuleSet, deals: int) -> Dealt:
    """The first deals of the named set, played by six experts; void ones are left out."""
    rows = engine.new_rows(rules, deal_set("standard-10k").seeds(0, deals))
    hands = np.zeros((deals, SEATS, KIND_COUNT), np.int64)
    leaders, places, points = np.empty(deals, np.int64), np.zeros((deals, SEATS), np.int64), np.empty(deals, np.int64)
    play_rows(rows, hands, leaders, places, points)
    counts = (places > 0).all(1)
    return Dealt(hands[counts], leaders[counts], places[counts], points[counts])


@engine.njit
def play_rows(rows, hands, leaders, places, points):
    options = np.empty(engine.ACTIONS, np.int16)
    for i in range(rows.shape[0]):
        row = rows[i]
        leaders[i] = -1
        while not engine.is_over(row):
            if leaders[i] < 0 and engine.is_play(row):
                leaders[i] = engine.turn(row)
                for seat in range(hands.shape[1]):
                    for kind in range(hands.shape[2]):
                        hands[i, seat, kind] = engine.hand(row, seat, kind)
            engine.act(row, choose(row, options))
        points[i] = engine.points(row)
        for seat in range(places.shape[1]):
            places[i, seat] = engine.place(row, seat)


def regression(features: Floats, values: Floats, names: list[str], groups: int) -> list[Worth]:
    """Least squares. ``groups`` rows in a row belong to one deal: errors may hang together within it.

    ``features`` ``float64[N, K]``, ``values`` ``float64[N]``.
    """
    inverse = np.linalg.inv(features.T @ features)
    weights = inverse @ features.T @ values
    scores = (features * (values - features @ weights)[:, None]).reshape(-1, groups, features.shape[1]).sum(1)
    errors = np.sqrt(np.diag(inverse @ (scores.T @ scores) @ inverse))
    return [
        Worth(name, float(w), float(w - 1.96 * e), float(w + 1.96 * e))
        for name, w, e in zip(names, weights, errors, strict=True)
    ]


def worth_to_a_side(dealt: Dealt) -> tuple[list[Worth], float]:
    """What side 0 gains by its seats, the first lead, and each card that it holds more; the share explained."""
    side = np.where(np.arange(SEATS) % 2 == 0, 1, -1)
    more = np.einsum("dsk,s->dk", dealt.hands, side)
    columns = [np.ones(len(more)), side[dealt.leaders]]
    columns += [more[:, kind] for kind in CARDS.values()]
    names = ["seats 0, 2, 4", "first lead", *(f"one {card} more" for card in CARDS)]
    features, values = np.column_stack(columns).astype(np.float64), dealt.points.astype(np.float64)
    found = regression(features, values, names, 1)
    explained = 1 - np.var(values - features @ [one.points for one in found]) / np.var(values)
    return found, float(explained)


def worth_to_a_seat(dealt: Dealt) -> list[Worth]:
    """What a seat's own place gains by a card, whoever of the six holds it, and by leading first."""
    seats = np.arange(SEATS)
    columns, names = [np.ones(dealt.places.size)], ["everybody"]
    for card, kind in CARDS.items():
        for holder, steps in HOLDERS.items():
            held = sum(dealt.hands[:, (seats + step) % SEATS, kind] for step in steps)
            columns.append(np.ravel(held))
            names.append(f"{card}, {holder}")
    columns.append(np.ravel(dealt.leaders[:, None] == seats))
    names.append("first lead")
    # What one holds the others do not: a big joker of the other enemies is the measure, and left out.
    kept = [i for i, name in enumerate(names) if not name.endswith("other enemies'")]
    features = np.column_stack([columns[i] for i in kept]).astype(np.float64)
    values = PLACE_POINTS[np.ravel(dealt.places)]
    return regression(features, values, [names[i] for i in kept], SEATS)[1:]


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    worth = {}
    for preset in PRESETS:
        dealt = played(RuleSet.preset(preset), deals)
        to_side, explained = worth_to_a_side(dealt)
        worth[preset] = {
            "deals": len(dealt.points),
            "explained": explained,
            "to_side": [asdict(one) for one in to_side],
            "to_seat": [asdict(one) for one in worth_to_a_seat(dealt)],
        }
        print(f"{preset}: {len(dealt.points):,} deals, {explained:.0%} of the variance explained")
        for one in (*to_side, *worth_to_a_seat(dealt)):
            print(f"  {one.what:32} {one.points:+.2f} ({one.low:+.2f} .. {one.high:+.2f})")
    (HERE / "worth.json").write_text(json.dumps(worth, indent=1) + "\n")
    print(f"written: {HERE / 'worth.json'}")


if __name__ == "__main__":
    main()
