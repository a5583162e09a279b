"""More positions with their right answers: the corners of the rule texts, each with the sentence that decides it.

``data/own_positions.json`` has the format of ``data/positions.json`` (see ``test_cases.py``), and besides: ``section``
of docs/rules.md, ``decides``, the sentence in our own words, and ``text``, where it comes from, if a rule text says it.
"""

import json
from typing import get_args

import pytest
from oracle import OracleDeal
from test_cases import DATA, POSITIONS, Case, check, rules_of, trials

from gouji_env import Deal, RuleSet
from gouji_env.rules import PRESETS

OWN = json.loads((DATA / "own_positions.json").read_text())
SECTIONS = ("2", "3", "4.1", "4.2", "4.3", "4.4", "4.5", "5", "6", "7", "8.2", "8.3", "8.4", "8.5")
TEXTS = ("HomyGame", "Yang's manual", "the Qingdao rules", "the rule book in the novel")
# Switches that a position of given hands cannot show: dealing, what partners see, the score sheet.
ELSEWHERE = ("deck", "first_lead", "first_lead_later", "partner_view", "record", "revolution_rights")


@pytest.mark.parametrize(("kind", "case"), trials(OWN, [case["id"] for case in OWN]))
def test_own_position(kind: type[Deal] | type[OracleDeal], case: Case) -> None:
    check(kind, case)


def test_they_are_others_than_those_of_test_cases() -> None:
    def key(case: Case) -> str:
        return json.dumps([case.get(name) for name in ("rules", "hands", "leader", "setup", "play")], sort_keys=True)

    own = [key(case) for case in OWN]
    assert not set(own) & {key(case) for case in POSITIONS}
    assert sorted(case["id"] for case in OWN) == sorted({case["id"] for case in OWN})
    assert len(OWN) >= 215


def test_each_says_what_decides_it() -> None:
    for case in OWN:
        assert case["section"] in (*SECTIONS, "4"), case["id"]
        assert case["decides"].endswith(".") and case.get("text", TEXTS[0]) in TEXTS, case["id"]
        assert case["expect"], case["id"]


def test_they_reach_every_section_preset_and_switch() -> None:
    assert {case["section"] for case in OWN} >= set(SECTIONS)
    assert {case["rules"]["preset"] for case in OWN} == set(PRESETS)
    switches = [rules_of(case).model_dump() for case in OWN]
    for name, field in RuleSet.model_fields.items():
        if name not in ELSEWHERE:
            values = get_args(field.annotation) or (True, False)
            assert {rules[name] for rules in switches} == set(values), name


@pytest.mark.parametrize("case", OWN, ids=[case["id"] for case in OWN])
def test_each_expects_more_than_the_start_shows(case: Case) -> None:
    """A position that is played on expects something that was not so before its last action."""
    if not case["play"]:
        return
    before = case | {"play": " ".join(case["play"].split()[:-1])}
    with pytest.raises((AssertionError, ValueError, TypeError, pytest.fail.Exception)):
        check(Deal, before)
