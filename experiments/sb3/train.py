"""Train sb3-contrib's MaskablePPO on Seat-v0, then measure it: see README.md beside this file."""

import argparse
from pathlib import Path

import torch
from gymnasium.wrappers import TransformReward
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import agents
import gouji_env  # noqa: F401 - registers gouji_env/Seat-v0
from agents.arena import duel
from experiments.sb3.agent import load
from gouji_env import RuleSet

LARGEST_REWARD = 12


def scaled(env):
    """Rewards of -1..1, which suit the learning rate of a value network."""
    return TransformReward(env, lambda reward: reward / LARGEST_REWARD)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000, help="decisions of the learner")
    parser.add_argument("--opponent", default="random", help="an agent, as gouji evaluate takes it")
    parser.add_argument("--rules", default="classic", help="a preset or a rule file")
    parser.add_argument("--deals", type=int, default=1000, help="deals of each duel afterwards")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/sb3"), help="folder for model.zip")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)  # they take a third of the time

    environments = make_vec_env(
        "gouji_env/Seat-v0",
        n_envs=64,  # one forward pass serves them all
        seed=options.seed,
        env_kwargs={"rules": options.rules, "learner": "side", "opponents": agents.make(options.opponent)},
        wrapper_class=scaled,
    )
    model = MaskablePPO(
        "MlpPolicy",
        environments,
        n_steps=64,
        batch_size=1024,
        n_epochs=3,
        gamma=1.0,  # only the end of a deal pays
        ent_coef=0.01,
        learning_rate=5e-4,
        policy_kwargs={"net_arch": [256, 256]},
        seed=options.seed,
        device="cpu",
        verbose=1,
    )
    try:
        model.learn(options.steps, log_interval=5)
    except KeyboardInterrupt:
        print("stopped; saving what there is")
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "model.zip"
    model.save(file)
    print(f"{file}: {model.num_timesteps:,} steps learned from")

    trained = load(str(file))
    for opponent in ("random", "greedy"):
        result = duel(trained, agents.make(opponent), RuleSet.load(options.rules), options.deals, seed=0)
        low, high = result.interval
        print(f"against {opponent}: {result.points_per_deal:+.2f} points per deal ({low:+.2f} .. {high:+.2f})")


if __name__ == "__main__":
    main()
