"""``gouji evaluate --until-decided``: exit status, JSON and table, for people and for CI."""

import json
from pathlib import Path

import pytest
from test_duel_cli import evaluate

TEST = ("--until-decided", "--margin")


def test_better(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    result = evaluate("greedy", "random", *TEST, "0.2", "--json", str(file))
    assert result.exit_code == 0, result.output
    content = json.loads(file.read_text())
    test = content["test"]
    assert test["decision"] == "better" and test["llr"] >= test["upper"] > test["lower"]
    assert (test["margin"], test["alpha"], test["beta"], test["most_deals"]) == (0.2, 0.05, 0.05, 100_000)
    assert content["deals"] % test["batch"] == 0 and content["deals"] < 1000
    assert "interval_95" not in content and len(content["interval_95_as_if_fixed"]) == 2
    assert "better: more than 0 points a deal, wrong in at most 5 % of such tests" in result.stdout
    assert f"LLR{test['llr']:+.2f}(-2.94..+2.94)" in result.stdout.replace(" ", "").replace("│", "")
    assert "exaggerated by stopping early" in result.stdout
    assert "as if the number of deals had been fixed" in result.stdout


def test_not_better() -> None:
    result = evaluate("random", "greedy", *TEST, "0.2", "--beta", "0.2")
    assert result.exit_code == 1, result.output
    assert "not better: less than +0.2 points a deal, wrong in at most 20 %" in result.stdout


def test_undecided(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    result = evaluate("random", "random", *TEST, "0.01", "--deals", "150", "--json", str(file))
    assert result.exit_code == 3, result.output
    content = json.loads(file.read_text())
    assert (content["deals"], content["test"]["decision"]) == (150, "undecided")
    assert "exaggerated" not in result.stdout


@pytest.mark.parametrize("deals", [("--seed", "4"), ("--deal-set", "tuning-1k")])
def test_the_same_deals_give_the_same_bytes_and_those_of_a_plain_evaluation(
    tmp_path: Path, deals: tuple[str, str]
) -> None:
    files = [tmp_path / "one.json", tmp_path / "again.json"]
    for file in files:
        evaluate("greedy", "random", *TEST, "0.2", *deals, "--json", str(file))
    assert files[0].read_bytes() == files[1].read_bytes()
    content = json.loads(files[0].read_text())
    if deals[0] == "--seed":
        plain = tmp_path / "plain.json"
        evaluate("greedy", "random", *deals, "--deals", str(content["deals"]), "--json", str(plain))
        same = json.loads(plain.read_text())
        assert content["interval_95_as_if_fixed"] == same.pop("interval_95")
        assert {name: content[name] for name in same if name != "deal_set_digest"} == {
            name: same[name] for name in same if name != "deal_set_digest"
        }
