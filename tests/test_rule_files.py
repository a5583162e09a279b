"""The rule files of configs/rules/, which people copy: each loads, says what it holds, and is played."""

from pathlib import Path

import numpy as np
import pytest

from gouji_env import Match, RuleSet
from gouji_env.cli import allowed_text
from gouji_env.rules import PRESETS

FOLDER = Path(__file__).parent.parent / "configs" / "rules"
FILES = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_match_is_played_by_the_file(file: Path) -> None:
    match = Match(RuleSet.load(file), deals=2, seed=1)
    generator = np.random.default_rng(1)
    while not match.is_over:
        match.act(generator.choice(match.legal()))
    assert len(match.points) == 2
    assert all(sorted(record["places"]) == [1, 2, 3, 4, 5, 6] for record in match.records)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_switch_is_set_twice_and_the_file_is_no_preset(file: Path) -> None:
    switches = [line.split(":")[0] for line in file.read_text().splitlines() if line and line[0] not in "# "]
    assert len(switches) == len(set(switches))
    assert all(RuleSet.load(file) != RuleSet.preset(name) for name in PRESETS)


def test_every_switch_is_there_with_all_its_values() -> None:
    lines = [line for line in (FOLDER / "every_switch.yaml").read_text().splitlines() if not line.startswith("#")]
    written = {line.split(":")[0]: line.split("#")[1] for line in lines}
    fields = {field.alias or name: field for name, field in RuleSet.model_fields.items()}
    assert list(written) == list(fields)
    for switch, field in fields.items():
        values = set(allowed_text(field).replace(",", "").split())
        told = set(written[switch].split(":")[0].replace(",", "").split())
        assert values == told or switch == "deck", switch


def test_off_without_quotes_is_a_value_where_it_is_one(tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text("preset: biesan\nsiji: off\nbuy3: off\ntribute: off\nchoke: off\n")
    rules = RuleSet.load(file)
    assert (rules.siji, rules.buy3, rules.tribute, rules.choke) == ("off", "off", "off", False)
    assert rules == RuleSet.preset("biesan").replace(siji="off", buy3="off", tribute="off", choke=False)
