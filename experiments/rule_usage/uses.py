"""What is counted: one line of the table for each use of a rule, with the rule sets in which it can come up."""

from collections.abc import Callable
from dataclasses import dataclass

from gouji_env import RuleSet

Applies = Callable[[RuleSet], bool]


@dataclass(frozen=True)
class Use:
    """``section`` of docs/rules.md; ``text``: what was done; ``applies``: whether the rules allow it at all."""

    section: str
    text: str
    applies: Applies = lambda rules: True


def _yields_on_gouji(rules: RuleSet) -> bool:
    return rules.yield_ == "any" and rules.burn_order == "seat_around"


def _asks_to_renounce(rules: RuleSet) -> bool:
    return rules.revolution and rules.renounce


def _returns(rules: RuleSet) -> bool:
    return rules.tribute != "off" and rules.return_ == "same"


# In the order of the counters in count.py
USES = (
    Use("4.1", "dead sets laid"),
    Use("4.2", "free-for-alls begun"),
    Use("4.2", "free-for-alls put off to the end of a round"),
    Use("4.3", "gouji sets laid"),
    Use("4.3", "protected gouji sets answered by the opposite"),
    Use("4.3", "protected gouji sets answered by a headless seat"),
    Use("4.3", "burns declined in silence"),
    Use("4.3", "yields on gouji sets", _yields_on_gouji),
    Use("4.4", "yields on other sets", lambda rules: rules.yield_ != "none"),
    Use("4.4", "answers by an opposite who had passed", lambda rules: rules.pass_ == "opp_last"),
    Use("4.5", "leads inherited"),
    Use("3", "gouji sets protected by a dead reply", lambda rules: rules.siji != "off"),
    Use("3", "gouji sets protected by the head of a choked seat", lambda rules: rules.choke and rules.choke_keeps_head),
    Use("3", "gouji sets protected by the head of a failed burner", lambda rules: rules.fail_keeps_head),
    Use(
        "3",
        "gouji sets protected by the head of a revolutionary",
        lambda rules: rules.revolution and rules.revolution_rights > 0,
    ),
    Use("5", "burns"),
    Use("5", "exempt burns"),
    Use("5", "burns of a burning set", lambda rules: rules.counter_burn),
    Use("5", "burns of a burning set by its victim"),
    Use("5", "burns of a partner"),
    Use("5", "burns by a seat on duty"),
    Use("5", "burning sets beaten"),
    Use("5", "burning sets that stood"),
    Use("5", "leads on burn duty"),
    Use("5", "failures"),
    Use("6", "places given to hands that were left"),
    Use("6", "sweeps"),
    Use("6", "draws"),
    Use("7", "last sets of 3s", lambda rules: rules.choke),
    Use("7", "chokes", lambda rules: rules.choke),
    Use("7", "chokes by a burn", lambda rules: rules.choke),
    Use("7", "natural points", lambda rules: rules.open_four),
    Use("7", "openings", lambda rules: rules.open_four),
    Use("7", "restricted 4s led without opening", lambda rules: rules.open_four),
    Use("7", "throws", lambda rules: rules.open_four and rules.four_fate == "throw"),
    Use("7", "3s bought with an own 2", lambda rules: rules.buy3 != "off"),
    Use("7", "3s that a partner paid for", lambda rules: rules.buy3 != "off"),
    Use("7", "3s given by a partner", lambda rules: rules.buy3 != "off"),
    Use("7", "4s bought with an own 2", lambda rules: rules.buy4 != "off"),
    Use("7", "4s that a partner paid for", lambda rules: rules.buy4 != "off"),
    Use("7", "4s given by a partner", lambda rules: rules.buy4 != "off"),
    Use("8.2", "revolutions", lambda rules: rules.revolution),
    Use("8.2", "revolutions not declared", lambda rules: rules.revolution),
    Use("8.2", "heads kept", _asks_to_renounce),
    Use("8.2", "heads renounced", _asks_to_renounce),
    Use("8.2", "void deals", lambda rules: rules.revolution),
    Use("8.2", "revolutionaries raised to 3rd", lambda rules: rules.revolution),
    Use("8.4", "cards paid by the 6th to the 1st, by the 5th to the 2nd", lambda rules: rules.tribute != "off"),
    Use("8.4", "cards paid for openings, burns and chokes", lambda rules: rules.tribute == "full"),
    Use("8.4", "hands with four jokers of a kind", lambda rules: rules.tribute != "off" and rules.exempt),
    Use("8.4", "cards returned", _returns),
    Use("8.4", "returns accepted though they could be refused", _returns),
    Use("8.4", "returns refused", _returns),
)
