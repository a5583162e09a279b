"""experiments/rule_usage: the kernel counts what a slow count over Deal counts; the tables are of the figures."""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pytest
from usage_support import SlowCount

from agents import make
from agents.protocol import staged
from gouji_env import Match, RuleSet, engine
from gouji_env.rules import PRESETS

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "experiments" / "rule_usage"
USAGE = json.loads((FOLDER / "usage.json").read_text())
DEALS = 12  # more than one match
EVERYTHING = {"tribute": "full", "open_four": True, "choke": True, "revolution": True, "return": "same", "exempt": True}
RULES = [
    *map(RuleSet.preset, PRESETS),
    RuleSet.preset("qingdao").replace(**EVERYTHING, siji="gouji", buy4="partner_first"),
]


@pytest.fixture(scope="module")
def study() -> Iterator[dict[str, ModuleType]]:
    sys.path.insert(0, str(FOLDER))
    yield {name: importlib.import_module(name) for name in ("uses", "count", "table")}
    sys.path.remove(str(FOLDER))


@pytest.mark.parametrize("greedy", [False, True], ids=["random", "greedy"])
@pytest.mark.parametrize("rules", RULES, ids=RuleSet.name)
def test_the_kernel_counts_what_the_log_says(study: dict[str, ModuleType], rules: RuleSet, greedy: bool) -> None:
    seed = 3
    counted = study["count"].count_uses(rules, greedy, DEALS, seed)
    slow = slow_count(rules, greedy, seed, study["count"].MATCH)
    texts = [use.text for use in study["uses"].USES]
    assert dict(zip(texts, counted.tolist(), strict=True)) == {text: slow.uses[text] for text in texts}
    assert set(slow.uses) <= set(texts)


def slow_count(rules: RuleSet, greedy: bool, seed: int, length: int) -> SlowCount:
    """The same deals, played by the same players one whole action after the other."""
    slow, streams, agent = SlowCount(rules), np.array([seed], np.uint64), make("greedy")
    played = 0
    while played < DEALS:
        match = Match(rules, length, seed)
        while match.turn is not None and played + len(match.points) < DEALS:
            slow.watch(match)
            view = match.view(match.turn)
            slow.act(match, agent.act(view) if greedy else drawn(match, streams))
        played += len(match.points)
        seed = int(engine.successor_seed(match.records[-1]["seed"]))
    return slow


def drawn(match: Match, streams: npt.NDArray[np.uint64]) -> str:
    """A whole action, drawn as the random agent draws staged ones."""
    row, legal = match.deal.row.copy(), match.legal()
    ids = np.empty(engine.ACTIONS, np.int16)
    step = ids[engine.random_int(streams, 0, engine.legal(row, ids))]
    legal = [action for action in legal if staged(action)[0] == step]
    if len(legal) > 1:
        engine.act(row, step)
        step = ids[engine.random_int(streams, 0, engine.legal(row, ids))]
        legal = [action for action in legal if staged(action)[1] == step]
    (action,) = legal
    return action


def test_the_tables_are_those_of_the_figures(study: dict[str, ModuleType]) -> None:
    table = study["table"].markdown(USAGE)
    for page in study["table"].PAGES:
        assert f"<!-- counted: rule usage -->\n\n{table}\n\n<!-- end of counts -->" in page.read_text()


def test_the_figures_are_of_these_presets_and_uses(study: dict[str, ModuleType]) -> None:
    assert USAGE["deals"] >= 10_000
    assert USAGE["rules"] == {name: RuleSet.preset(name).digest() for name in PRESETS}
    uses = study["uses"].USES
    assert [(use["section"], use["use"]) for use in USAGE["uses"]] == [(use.section, use.text) for use in uses]
    for use, figures in zip(uses, USAGE["uses"], strict=True):
        for name in PRESETS:
            applies = use.applies(RuleSet.preset(name))
            assert all((figures[player][name] is not None) == applies for player in ("random", "greedy")), use.text


def test_what_the_rules_do_not_have_is_not_used(study: dict[str, ModuleType]) -> None:
    for name in PRESETS:
        rules = RuleSet.preset(name)
        counted = study["count"].count_uses(rules, False, 200, 1)
        for use, times in zip(study["uses"].USES, counted.tolist(), strict=True):
            assert use.applies(rules) or times == 0, (name, use.text)
