"""A slow count of what experiments/rule_usage counts: over Deal, its public log and the oracle's words for sets."""

from collections import Counter
from typing import Any

from oracle import debts, has_pure_gouji_group, is_gouji, opposite, same_side

from gouji_env import Deal, Match, RuleSet

PLAIN = {  # events that are a use by themselves
    "free_for_all": "free-for-alls begun",
    "fail": "failures",
    "choke": "chokes",
    "open": "openings",
    "throw": "throws",
    "revolt": "revolutions",
    "keep": "heads kept",
    "renounce": "heads renounced",
    "void": "void deals",
    "return": "cards returned",
    "refuse": "returns refused",
}
HEADS = {
    "choke": "gouji sets protected by the head of a choked seat",
    "fail": "gouji sets protected by the head of a failed burner",
    "revolt": "gouji sets protected by the head of a revolutionary",
    "out": "gouji sets protected by a dead reply",
}

PAID_BY_LAST = "cards paid by the 6th to the 1st, by the 5th to the 2nd"
PAID_ELSE = "cards paid for openings, burns and chokes"


class SlowCount:
    """``watch`` a match before each action and take it through ``act``; ``uses`` counts by the texts of uses.py."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.uses: Counter[str] = Counter()
        self.deal: Deal | None = None
        self.burns_on_duty = False
        self.beaten: tuple[int, int] | None = None  # what the last answer beat, if that was a burning set

    def watch(self, match: Match) -> None:
        """Look at the deal that is played now; if it has just begun, at what came before its first decision."""
        if match.deal is self.deal:
            return
        self.deal = match.deal
        record = self.deal.record()
        self.gone: dict[int, str] = {}
        self.burning: tuple[int, int] | None = None  # (victim, burner) of a burning table set
        self.told = 0
        self.natural = [self.rules.open_four and not has_pure_gouji_group(hand) for hand in record["hands"]]
        self.uses["natural points"] += sum(self.natural)
        if self.rules.exempt:
            self.uses["hands with four jokers of a kind"] += sum("bbbb" in h or "ssss" in h for h in record["hands"])
        previous = record["previous"]
        self.owed = debts(self.rules.tribute, previous) if previous else []
        self._read_events()

    def act(self, match: Match, action: str) -> None:
        deal = match.deal
        if deal.phase != "play":
            self.uses["revolutions not declared"] += deal.phase == "revolt" and action == "pass"
            self.uses["returns accepted though they could be refused"] += action == "accept"
        elif action in ("pass", "yield", "throw"):
            self._count_word(deal, action)
        else:
            self._count_set(deal, action)
        match.act(action)
        self._read_events()
        if deal.turn is None and not deal.void:
            self._count_end(deal)

    def _count_word(self, deal: Deal, action: str) -> None:
        table, owner = deal.table, deal.owner
        if action == "yield":
            assert table is not None
            gouji = is_gouji(table, self.rules.gouji_twos)
            self.uses["yields on gouji sets" if gouji else "yields on other sets"] += 1
        elif action == "pass":
            assert owner is not None
            self.uses["burns declined in silence"] += self._restricted(deal) and deal.turn != opposite(owner)

    def _restricted(self, deal: Deal) -> bool:
        if deal.free_for_all or not is_gouji(deal.table, self.rules.gouji_twos):
            return False
        return deal.headed(deal.owner or 0)

    def _count_set(self, deal: Deal, cards: str) -> None:
        seat, owner = deal.turn, deal.owner
        assert seat is not None
        self.uses["dead sets laid"] += "b" in cards
        if is_gouji(cards, self.rules.gouji_twos):
            self.uses["gouji sets laid"] += 1
            other = opposite(seat)
            if not deal.free_for_all and other in self.gone and deal.headed(seat):
                self.uses[HEADS[self.gone[other]]] += 1
        if owner is None:
            self.uses["leads on burn duty"] += deal.duty[seat]
            self.uses["last sets of 3s"] += self.rules.choke and cards[-1] == "3"
            restricted = self.rules.open_four and not deal.free_for_all and not self.natural[seat]
            self.uses["restricted 4s led without opening"] += restricted and cards[-1] == "4"  # openings come off below
            return
        self.uses["answers by an opposite who had passed"] += deal.passed[seat] and not deal.free_for_all
        if self._restricted(deal):
            self.uses["protected gouji sets answered by the opposite"] += seat == opposite(owner)
            headless = seat != opposite(owner) and not deal.headed(seat)
            self.uses["protected gouji sets answered by a headless seat"] += headless
        self.burns_on_duty = deal.duty[seat]
        self.uses["burning sets beaten"] += self.burning is not None
        self.beaten, self.burning = self.burning, None

    def _read_events(self) -> None:
        deal = self.deal
        assert deal is not None
        new = deal.events[self.told :]
        self.told += len(new)
        names = [event["event"] for event in new]
        self.uses["chokes by a burn"] += "burn" in names and "choke" in names
        last = ""
        for event in new:
            name, seat = event["event"], event.get("seat")
            if name in ("out", "choke", "fail", "revolt"):
                self.gone[seat] = name
            self.uses["places given to hands that were left"] += name == "out" and bool(deal.hands[seat])
            if name == "burn":
                self._count_burn(deal, event, ("out", seat) in [(each["event"], each.get("seat")) for each in new])
            elif name == "round_end":
                self.uses["leads inherited"] += seat in self.gone
                self.uses["burning sets that stood"] += self.burning is not None
                self.burning = None
            elif name == "buy":
                payer = {None: "given by a partner", seat: "bought with an own 2"}
                self.uses[f"{event['card']}s {payer.get(event['payer'], 'that a partner paid for')}"] += 1
            elif name == "tribute":
                self.uses[self._debt_of(seat, event["to"])] += 1
            elif name == "open":
                self.uses["restricted 4s led without opening"] -= 1
            self.uses["free-for-alls put off to the end of a round"] += name == "free_for_all" and last == "round_end"
            if name in PLAIN:
                self.uses[PLAIN[name]] += 1
            last = name

    def _count_burn(self, deal: Deal, event: dict[str, Any], went_out: bool) -> None:
        seat, victim = event["seat"], event["victim"]
        stays = deal.live[seat] and not deal.free_for_all
        self.uses["burns"] += 1
        self.uses["exempt burns"] += went_out or (stays and not deal.duty[seat])
        self.uses["burns of a partner"] += same_side(seat, victim)
        self.uses["burns by a seat on duty"] += self.burns_on_duty
        if self.beaten:
            self.uses["burns of a burning set"] += 1
            self.uses["burns of a burning set by its victim"] += self.beaten[0] == seat
        self.burning = victim, seat

    def _debt_of(self, payer: int, receiver: int) -> str:
        """Debts are paid in their order, and some not at all."""
        while self.owed[0][:2] != (payer, receiver):
            self.owed.pop(0)
        by_last = len(self.owed) <= self._debts_of_the_last()
        if self.owed[0][2] > 1:
            self.owed[0] = payer, receiver, self.owed[0][2] - 1
        else:
            self.owed.pop(0)
        return PAID_BY_LAST if by_last else PAID_ELSE

    def _debts_of_the_last(self) -> int:
        assert self.deal is not None
        places = self.deal.record()["previous"]["places"]
        pairs = [(places.index(6), places.index(1)), (places.index(5), places.index(2))]
        return sum(not same_side(*pair) for pair in pairs)

    def _count_end(self, deal: Deal) -> None:
        assert deal.points is not None
        self.uses["sweeps"] += abs(deal.points[0]) == 12
        self.uses["draws"] += deal.points[0] == 0
        raised = [seat for seat, way in self.gone.items() if way == "revolt" and deal.places[seat] == 3]
        self.uses["revolutionaries raised to 3rd"] += len(raised)
