"""A trained policy as an agent: found, read, refused, and played without Ray."""

import json
import subprocess
import sys
import warnings

import numpy as np
import pytest
import torch
from train_support import networks, tiny

import agents
from agents import AgentError
from agents.arena import duel
from agents.checkpoint import CheckpointAgent, NetworkAgent, describe, export
from agents.inputs import changing_pieces
from agents.network import PolicyNetwork
from gouji_env import Deal
from gouji_env.engine import new_rows
from gouji_env.rules import RuleSet
from train import kernels

CLASSIC = RuleSet.preset("classic")


def write(folder, count=1, rules=CLASSIC, hidden=(32, 32)):
    """An export of networks with opinions."""
    folder.mkdir(parents=True)
    teams = [networks(tiny(rules=rules.name()), seed).policy for seed in range(count)]
    description = describe(rules, hidden, count > 1, {"iteration": 3, "rows": 100})
    export(folder, description, [network.state_dict() for network in teams])
    return teams


@pytest.fixture
def rows():
    rows = new_rows(CLASSIC, np.arange(60, dtype=np.uint64))
    kernels.desynchronise(rows, np.arange(60, dtype=np.uint64), 200)
    return rows


def chosen(agent, rows, seed=0):
    out = np.empty(len(rows), np.int16)
    agent.act_batch(rows, np.arange(len(rows)), np.arange(len(rows), dtype=np.uint64) + np.uint64(seed), out)
    return out


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("greedy", [False, True])
def test_an_export_plays_what_the_networks_play(tmp_path, rows, count, greedy, monkeypatch):
    monkeypatch.setattr("agents.checkpoint.bf16_is_fast", lambda: False)
    teams = write(tmp_path / "policy", count)
    agent = CheckpointAgent(tmp_path / "policy", greedy)
    np.testing.assert_array_equal(chosen(agent, rows), chosen(NetworkAgent("same", teams, greedy), rows))


def test_the_newest_checkpoint_of_a_run_is_found(tmp_path):
    write(tmp_path / "run/checkpoints/iteration_000002")
    write(tmp_path / "run/checkpoints/iteration_000010", rules=RuleSet.preset("qingdao"))
    for path in (tmp_path / "run", tmp_path / "run/checkpoints/iteration_000010"):
        assert CheckpointAgent(path).description.rules_digest == RuleSet.preset("qingdao").digest()


def test_by_name_greedy_and_sampled(tmp_path, rows):
    write(tmp_path / "policy")
    likeliest, drawn = (agents.make(f"checkpoint:{tmp_path}/policy{mode}") for mode in ("", "@sampled"))
    assert (chosen(likeliest, rows, 1) == chosen(likeliest, rows, 2)).all()
    assert (chosen(drawn, rows, 1) == chosen(drawn, rows, 1)).all()
    assert (chosen(drawn, rows, 1) != chosen(drawn, rows, 2)).any()
    assert drawn.name.endswith("@sampled") and agents.make(f"checkpoint:{tmp_path}/policy@greedy").greedy


def test_it_plays_whole_deals_alone_and_in_duels(tmp_path):
    write(tmp_path / "policy")
    agent = agents.make(f"checkpoint:{tmp_path}/policy@sampled")
    deal = Deal.new(CLASSIC, 1)
    agent.reset(0, CLASSIC, 1)
    while deal.turn is not None:
        deal.act(agent.act(deal.view(deal.turn)))
    assert sum(deal.points) == 0
    result = duel(agent, agents.make(f"checkpoint:{tmp_path}/policy"), CLASSIC, 20, 1)
    assert result.deals == 20
    against_itself = duel(*(agents.make(f"checkpoint:{tmp_path}/policy") for _ in range(2)), CLASSIC, 20, 1)
    assert against_itself.points_per_deal == 0


def test_no_checkpoint_no_agent(tmp_path):
    with pytest.raises(AgentError, match="no checkpoint here"):
        agents.make(f"checkpoint:{tmp_path}")


def test_another_observation_layout_is_refused(tmp_path):
    write(tmp_path / "policy")
    change(tmp_path / "policy", observation_layout="0123456789abcdef")
    with pytest.raises(AgentError, match=r"made for observation layout 0123456789abcdef.*train anew"):
        CheckpointAgent(tmp_path / "policy")


@pytest.mark.parametrize(
    "changes", [{"format": 1}, {"format": 3}, {"colour": "red"}, {"hidden": [16]}, {"per_seat": True}]
)
def test_a_description_that_does_not_fit_is_refused(tmp_path, changes):
    write(tmp_path / "policy")
    change(tmp_path / "policy", **changes)
    with pytest.raises(AgentError, match=r"policy\.json"):
        CheckpointAgent(tmp_path / "policy")


def change(folder, **changes):
    file = folder / "policy.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


def test_weights_that_are_none_are_refused(tmp_path):
    write(tmp_path / "policy")
    (tmp_path / "policy/policy.pt").write_bytes(b"half a file")
    with pytest.raises(AgentError, match=r"policy\.pt: not the weights"):
        CheckpointAgent(tmp_path / "policy")


class _Evil:
    def __reduce__(self):
        return print, ("unpickled",)


def test_nothing_is_unpickled(tmp_path, capsys):
    write(tmp_path / "policy")
    torch.save([{"a": _Evil()}], tmp_path / "policy/policy.pt")
    with pytest.raises(AgentError, match=r"policy\.pt: not the weights"):
        CheckpointAgent(tmp_path / "policy")
    assert not capsys.readouterr().out


def test_other_rules_are_played_with_one_notice(tmp_path):
    write(tmp_path / "policy")
    agent, opponent = CheckpointAgent(tmp_path / "policy"), agents.make("random")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        duel(agent, opponent, CLASSIC, 2, 0)
    with pytest.warns(UserWarning, match="was trained under classic and now plays other rules") as notices:
        for _ in range(2):
            duel(agent, opponent, CLASSIC.replace(yield_="any"), 2, 0)
    assert len(notices) == 1


def test_playing_a_checkpoint_imports_no_ray(tmp_path):
    write(tmp_path / "policy")
    script = f"""
import sys
import agents
from agents.arena import duel
from gouji_env import RuleSet
agent = agents.make({str(f"checkpoint:{tmp_path}/policy")!r})
duel(agent, agents.make("random"), RuleSet.preset("classic"), 2, 0)
assert "torch" in sys.modules and "ray" not in sys.modules and "train" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_a_policy_export_holds_no_critic(tmp_path):
    """The critic sees all hands and must not come to a table."""
    write(tmp_path / "policy")
    (state,) = torch.load(tmp_path / "policy/policy.pt", weights_only=True)
    assert state.keys() == PolicyNetwork((32, 32)).state_dict().keys()


def test_an_export_says_which_pieces_of_the_observation_it_reads(tmp_path):
    write(tmp_path / "policy")
    assert CheckpointAgent(tmp_path / "policy").description.pieces == changing_pieces(CLASSIC)
    change(tmp_path / "policy", pieces=["own_hand"])
    with pytest.raises(AgentError, match=r"policy\.pt: not the weights"):
        CheckpointAgent(tmp_path / "policy")
