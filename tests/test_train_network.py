"""The networks and the head over legal actions, against the dense head that it stands for."""

import numpy as np
import pytest
import torch

from agents.first_layer import FirstLayer
from agents.inputs import FILLED_PIECES, changing_pieces, columns
from agents.network import ALL_PIECES, FORBIDDEN, CriticNetwork, PolicyNetwork
from gouji_env import DealBatch
from gouji_env.engine import (
    ACTIONS,
    HIDDEN,
    OBSERVATION,
    OBSERVATION_SCALE,
    PACKED,
    new_rows,
    observation_layout,
    observe_rows,
    packed_mask_rows,
    random_rows,
)
from gouji_env.rules import PRESETS, RuleSet
from train import kernels
from train.module import unpack

DEALS = 64


@pytest.fixture
def positions():
    """Rows in mid-deal with their observations and packed masks."""
    rows = new_rows(RuleSet.preset("classic"), np.arange(DEALS, dtype=np.uint64))
    kernels.desynchronise(rows, np.arange(DEALS, dtype=np.uint64), 200)
    index = np.arange(DEALS)
    observation = np.empty((DEALS, OBSERVATION), np.int8)
    mask = np.empty((DEALS, PACKED), np.uint8)
    observe_rows(rows, index, observation)
    packed_mask_rows(rows, index, mask)
    return rows, observation, mask


def peaked(bf16: bool = False) -> PolicyNetwork:
    """A network with strong opinions."""
    torch.manual_seed(0)
    network = PolicyNetwork((64, 64), bf16)
    torch.nn.init.normal_(network.head.weight, 0, 0.5)
    torch.nn.init.normal_(network.head.bias, 0, 0.5)
    return network


def choose(network: PolicyNetwork, rows, observation, greedy=False, seed=0):
    actions, logp = np.empty(len(rows), np.int16), np.empty(len(rows), np.float32)
    streams = np.arange(len(rows), dtype=np.uint64) + np.uint64(seed)
    network.choose(rows, np.arange(len(rows)), observation, streams, actions, logp, greedy)
    return actions, logp


def dense_log_probs(network: PolicyNetwork, observation, mask) -> torch.Tensor:
    scores = network(torch.from_numpy(observation)).masked_fill(~unpack(torch.from_numpy(mask)), FORBIDDEN)
    return torch.log_softmax(scores, 1)


def test_evaluation_equals_the_dense_head(positions):
    rows, observation, mask = positions
    network = peaked()
    actions, _ = choose(network, rows, observation)
    logp, entropy = network.evaluate(*map(torch.from_numpy, (observation, mask, actions)))
    dense = dense_log_probs(network, observation, mask)
    torch.testing.assert_close(logp, dense[range(DEALS), torch.from_numpy(actions).long()], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(entropy, -(dense.exp() * dense).sum(1), rtol=1e-4, atol=1e-5)


def test_gradient_equals_the_dense_head(positions):
    rows, observation, mask = positions
    actions, _ = choose(peaked(), rows, observation)
    weights = torch.linspace(-1, 1, DEALS), torch.linspace(2, -1, DEALS)
    gradients = []
    for dense in (False, True):
        network = peaked()
        if dense:
            log_probs = dense_log_probs(network, observation, mask)
            logp = log_probs[range(DEALS), torch.from_numpy(actions).long()]
            entropy = -(log_probs.exp() * log_probs).sum(1)
        else:
            logp, entropy = network.evaluate(*map(torch.from_numpy, (observation, mask, actions)))
        (logp * weights[0] + entropy * weights[1]).sum().backward()
        gradients.append([parameter.grad for parameter in network.parameters()])
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("bf16", [False, True])
def test_the_sampled_log_probability_is_the_evaluated_one(positions, bf16):
    rows, observation, mask = positions
    network = peaked(bf16)
    actions, sampled = choose(network, rows, observation)
    with torch.no_grad():
        evaluated, _ = network.evaluate(*map(torch.from_numpy, (observation, mask, actions)))
    np.testing.assert_allclose(evaluated.numpy(), sampled, atol=2e-6)


def test_samples_follow_the_policy(positions):
    rows, observation, mask = positions
    network = peaked()
    draws = 3000
    many = np.repeat(rows[:1], draws, 0)
    actions, _ = choose(network, many, np.repeat(observation[:1], draws, 0))
    with torch.no_grad():
        expected = dense_log_probs(network, observation[:1], mask[:1])[0].exp().numpy()
    seen = np.bincount(actions, minlength=ACTIONS) / draws
    np.testing.assert_allclose(seen, expected, atol=4 * 0.5 / np.sqrt(draws))


def test_greedy_takes_the_likeliest_legal_action(positions):
    rows, observation, mask = positions
    network = peaked()
    with torch.no_grad():
        expected = dense_log_probs(network, observation, mask).argmax(1).numpy()
    np.testing.assert_array_equal(choose(network, rows, observation, greedy=True)[0], expected)


def test_the_same_streams_choose_the_same(positions):
    rows, observation, _ = positions
    network = peaked()
    first, again, other = (choose(network, rows, observation, seed=seed)[0] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


@pytest.mark.parametrize("greedy", [False, True])
def test_a_single_legal_action_is_obeyed_under_adversarial_scores(positions, greedy):
    """All scores of illegal actions are 20,000 above those of the legal ones."""
    rows, observation, _ = positions
    network = PolicyNetwork((8,))
    for row in range(DEALS):
        mask = np.zeros((1, PACKED), np.uint8)
        packed_mask_rows(rows, np.array([row]), mask)
        legal = np.flatnonzero(np.unpackbits(mask[0], bitorder="little"))
        with torch.no_grad():
            network.head.bias.fill_(1e4)
            network.head.bias[legal] = -1e4
        chosen, _ = choose(network, rows[row : row + 1], observation[row : row + 1], greedy)
        assert chosen[0] in legal


@pytest.mark.parametrize("preset", PRESETS)
def test_pieces_that_a_network_does_not_read_never_change(preset):
    rules = RuleSet.preset(preset)
    read = np.zeros(OBSERVATION, bool)
    for part in columns(changing_pieces(rules)):
        read[part] = True
    batch, streams = DealBatch(rules, 100), np.arange(100, dtype=np.uint64)
    first, actions = batch.observe_raw(), np.empty(100, np.int16)
    changed = np.zeros(OBSERVATION, bool)
    for _ in range(300):
        random_rows(batch.rows, np.arange(100), streams, actions)
        batch.step(actions)
        changed |= (batch.observe_raw() != first[:1]).any(0)
    assert 0 < (~read).sum() and not changed[~read].any()


def test_columns_of_neighbouring_pieces_are_joined():
    layout = {piece.name: piece for piece in observation_layout()}
    assert columns([piece.name for piece in layout.values()]) == [slice(0, OBSERVATION)]
    assert columns(["seen", "own_hand", "unseen"]) == [slice(0, 15), slice(127, 232)]
    with pytest.raises(KeyError, match="colour"):
        columns(["colour"])


def dense_first_layer(layer: FirstLayer, pieces, observation, hands=None) -> torch.Tensor:
    """The same layer as one matrix product over all inputs."""
    layout = {piece.name: piece for piece in observation_layout()}
    scaled = torch.from_numpy(observation * OBSERVATION_SCALE)

    def inputs(filled: bool) -> torch.Tensor:
        chosen = [layout[name] for name in layout if name in pieces and (name in FILLED_PIECES) == filled]
        return torch.cat([scaled[:, :0], *(scaled[:, p.start : p.start + p.length] for p in chosen)], 1)

    counted = inputs(True) if hands is None else torch.cat([inputs(True), torch.from_numpy(hands) / 4], 1)
    return (counted @ layer.weight.T + inputs(False) @ layer.sparse_weight + layer.bias).relu()


@pytest.mark.parametrize("size", [1, 7, 64])
@pytest.mark.parametrize(
    "pieces", [ALL_PIECES, changing_pieces(RuleSet.preset("classic")), ["held", "round"], ["history", "own_turn"]]
)
def test_the_first_layer_equals_a_matrix_product(positions, pieces, size):
    _, observation, _ = positions
    hands = np.random.default_rng(0).integers(0, 17, (DEALS, HIDDEN), np.int8)
    for arguments in ((), (hands,)):
        torch.manual_seed(0)
        layer = FirstLayer(pieces, size, HIDDEN if arguments else 0)
        results = layer(torch.from_numpy(observation), *map(torch.from_numpy, arguments))
        expected = dense_first_layer(layer, pieces, observation, *arguments)
        torch.testing.assert_close(results, expected, rtol=1e-4, atol=1e-5)
        weights = torch.linspace(-1, 2, DEALS * size).reshape(DEALS, size)
        gradients = [
            torch.autograd.grad((outcome * weights).sum(), list(layer.parameters())) for outcome in (results, expected)
        ]
        for ours, theirs in zip(*gradients, strict=True):
            torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)


def test_the_first_layer_begins_as_a_linear_one_does():
    """All weights within 1 / sqrt(inputs), and spread over that range."""
    layer = FirstLayer(ALL_PIECES, 64)
    bound = OBSERVATION**-0.5
    for weights in layer.parameters():
        assert weights.abs().max() <= bound and weights.std() > 0.45 * bound


def test_the_critic_sees_the_other_hands():
    torch.manual_seed(0)
    critic = CriticNetwork((16,))
    observation = torch.ones(2, OBSERVATION, dtype=torch.int8)
    hands = torch.zeros(2, HIDDEN, dtype=torch.int8)
    hands[1, 3] = 4
    values = critic(observation, hands)
    assert values.shape == (2,) and values[0] != values[1]
